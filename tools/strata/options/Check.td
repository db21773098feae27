// The options of `strata check`.
include "Kinds.td"

defm base : Base;
def quiet : Switch<"quiet", "print nothing for a valid file">;
