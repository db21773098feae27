// The options of `strata ranks`.
include "Kinds.td"

def source : Switch<"source", "print the source of a plugin for another MPI, and how to compile it">;
defm deadline : Word<"deadline", "SECONDS", "how long a rank waits for another before the run ends with "
    "exit code 85; where not given: without end, but with a note every 30 s">;
