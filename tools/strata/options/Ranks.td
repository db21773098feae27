// The options of `strata ranks`.
include "Kinds.td"

def source : Switch<"source", "print the source of a plugin for another MPI, and how to compile it">;
defm ranks : Ranks;
defm deadline : Deadline;
