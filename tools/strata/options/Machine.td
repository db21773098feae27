// The options of `strata machine`.
include "Kinds.td"

def measure : Switch<"measure", "measure this machine, in about a second, and keep what comes out">;
def json : Switch<"json", "print it as the file has it">;
defm output : Letter<"o", "FILE", "with --measure: where to keep it">;
