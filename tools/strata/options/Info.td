// The options of `strata info`.
include "Kinds.td"

defm base : Base;
def spy : Switch<"spy", "print the pattern of a matrix as a picture in characters">;
def json : Switch<"json", "print the statistics as JSON">;
