// The options of `strata info`.
include "Kinds.td"

def json : Switch<"json", "print the facts as JSON">;
