// The kinds of options that all commands share.
#ifndef STRATA_TOOLS_OPTIONS_KINDS_TD
#define STRATA_TOOLS_OPTIONS_KINDS_TD

include "llvm/Option/OptParser.td"

// -x VALUE, -xVALUE and -x=VALUE.
multiclass Letter<string name, string value, string help> {
  def NAME : JoinedOrSeparate<["-"], name>, MetaVarName<value>, HelpText<help>;
  def NAME#_joined : Joined<["-"], name#"=">, Alias<!cast<Option>(NAME)>;
}

// --word=VALUE and --word VALUE.
multiclass Word<string name, string value, string help> {
  def NAME : Joined<["--", "-"], name#"=">, MetaVarName<value>, HelpText<help>;
  def NAME#_separate : Separate<["--", "-"], name>, Alias<!cast<Option>(NAME)>;
}

// --word.
class Switch<string name, string help> : Flag<["--", "-"], name>, HelpText<help>;

// Another spelling of a switch, which --help does not show.
class Spelling<string name, Option option> : Flag<["--", "-"], name>, Alias<option>;

// What the compiler may not do.
class Forbid : CommaJoined<["--", "-"], "forbid=">, MetaVarName<"WAYS">,
    Values<"fusion,split,grouping,order,workspace,conversion,sort,gather,all,packing,permutation,"
    "blocks,microkernel,transposes">,
    HelpText<"what the compiler may not do to compute a statement: fusion, split, grouping, order, "
    "workspace, conversion, sort, gather, or several with commas between them; or all. With dense "
    "tensors: packing (to permute labels meanwhile), permutation, blocks, microkernel, transposes">;

// What files without a header count from.
multiclass Base {
  defm NAME : Word<"base", "N", "the first index in FROSTT files (.tns): 1, as the format says, or 0">;
}

// Compiled kernels are neither looked for nor kept.
class NoCache : Switch<"no-cache", "compile all kernels, also those in the cache (see "
    "strata cache), and add none to it">;

// What is computed does not depend on the machine.
class Deterministic : Switch<"deterministic", "the same bits on all processors: sums in their order, no "
    "fused multiply-add, no atomic sums">;

// The processor that kernels are made for.
defvar cpuHelp = "the processor that kernels are made for: native (this machine's, also where neither "
    "this nor STRATA_CPU names one) or a name of LLVM's: x86-64-v3, znver4, ...; --cpu=help lists them";

// What times are compared with.
multiclass MachineFile {
  defm NAME : Word<"machine", "FILE", "the machine that times are compared with, or predicted "
      "for, as strata machine --measure writes it; where not given: this one, if it has been measured">;
}

// Under a launcher of MPI, or with what starts one.
multiclass Ranks {
  defm NAME : Word<"ranks", "N", "run in N processes, which mpiexec starts (see docs/Ranks.md)">;
}
multiclass Deadline {
  defm NAME : Word<"deadline", "SECONDS", "of several ranks: how long one waits for another before the "
      "run ends with exit code 85; where not given: without end, but with a note every 30 s">;
}

// What multiplies matrices instead.
multiclass GemmLibrary {
  defm NAME : Word<"gemm", "LIBRARY", "the library that multiplies dense matrices (a file, or a name as "
      "the loader takes it): OpenBLAS, BLIS, MKL, or another with the interface of CBLAS; implies "
      "--forbid=packing">;
}

// What computes contractions instead.
defvar acceleratorHelp = "also tell what statements would take if this accelerator (see "
    "accelerators/*.toml) computed their contractions: time, energy, area; implies --time";
multiclass AcceleratorFile<string help> {
  defm NAME : Word<"accelerator", "FILE", help>;
}

// Notes are not shown.
class Quiet : Switch<"quiet", "no notes: of conversions, of tensors that are computed first">;

def color : Joined<["--", "-"], "color=">, MetaVarName<"WHEN">, Values<"auto,always,never">,
    HelpText<"colour messages: auto (on terminals, and without NO_COLOR), always or never">;
defm config : Word<"config", "KEY=VALUE", "a setting, over the environment and all files (strata config "
    "lists them). May be given several times">;
def isolated : Switch<"isolated", "leave the files strata.toml out">;
def help : Switch<"help", "this text">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Switch<"version", "the versions of Strata and of LLVM">;

#endif // STRATA_TOOLS_OPTIONS_KINDS_TD
