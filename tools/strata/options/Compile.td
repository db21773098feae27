// The options of `strata compile`.
include "Kinds.td"

defm output : Letter<"o", "FILE", "the file to write: an object file if it ends in .o, with a header "
    "beside it, else a program; where not given, the program's name without its ending">;
defm define : Letter<"D", "NAME=VALUE", "the value of a parameter; names of files can also be given "
    "when the program runs">;
defm widths : Word<"widths", "BITS", "bits of stored coordinates that formats leave open: 8, 16, 32 "
    "or 64; 32 where not given">;
defm cpu : Word<"cpu", "NAME", cpuHelp>;
def deterministic : Deterministic;
def forbid : Forbid;
def quiet : Quiet;
