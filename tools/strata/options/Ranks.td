// The options of `strata ranks`.
include "Kinds.td"

def source : Switch<"source", "print the source of a plugin for another MPI, and how to compile it">;
defm measure : Word<"measure", "FILE", "measure messages between two ranks, on two nodes where there are "
    "several, and write the figures for strata explain --simulate">;
defm ranks : Ranks;
defm deadline : Deadline;
