// The options of `strata format`.
include "Kinds.td"

def check : Switch<"check", "change nothing, and return 1 if a program is not laid out so">;
def quiet : Quiet;
