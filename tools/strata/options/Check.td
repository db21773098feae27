// The options of `strata check`.
include "Kinds.td"

def quiet : Switch<"quiet", "print nothing for a file that is as it should be">;
