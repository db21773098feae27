// The options of `strata explain`.
include "Comet.td"
include "Kinds.td"

defm define : Letter<"D", "NAME=VALUE", "the value of a parameter">;
defm widths : Word<"widths", "BITS", "bits of stored positions and coordinates that formats leave "
    "open: 8, 16, 32 or 64">;
def deterministic : Deterministic;
def forbid : Forbid;
defm max_memory : Word<"max-memory", "SIZE", "what tensors and kernels of a run may take together: "
    "bytes, or with K, M, G or T. Orders of products that need more are left out">;
def program : Switch<"program", "show the program that runs: as it is written, with the schedule of "
    "each statement">;
def grid : Switch<"grid", "show how the pieces of cells are cut, level by level">;
def orders : Switch<"orders", "show all orders of up to four loops: which can run, and what each would take">;
def steps : Switch<"steps", "show the loops before and after each command of the schedule">;
defm machine : MachineFile;
defm simulate : Word<"simulate", "RANKS", "run the program on so many ranks, 2,4,64 for instance, all "
    "in this process, and tell what each step computes and sends. Files are read, nothing is written">;
defm network : Word<"network", "FILE", "with --simulate: the network, as strata ranks --measure writes it">;
def json : Switch<"json", "tell it as JSON">;
defm html : Word<"html", "FILE", "write it to a page for a browser, complete in one file: with the iteration "
    "graph, the merge lattices, the formats, C and assembly">;
defm cpu : Word<"cpu", "NAME", cpuHelp>;
def no_data : Switch<"no-data", "open no file that the program reads: nothing is expected of statements "
    "that depend on one">;
def error : Switch<"error", "explain kinds of mistakes, by the codes behind their messages (SE0204); without "
    "a code, list all">;
def error_joined : Joined<["--", "-"], "error=">, MetaVarName<"CODE">, HelpText<"the same of one code">;
def quiet : Quiet;
