// The options of `strata completion` and `strata manual`.
include "Kinds.td"

defm output : Letter<"o", "FILE", "write to a file instead of standard output">;
