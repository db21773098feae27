// The options of `strata dump`.
include "Kinds.td"

defm format : Word<"format", "FORMAT", "how the tensor is stored: a name (CSR, BCSR, ...), letters (ds), "
    "or a map. COO where not given">;
def format_letter : JoinedOrSeparate<["-"], "f">, Alias<format>;
defm cpu : Word<"cpu", "NAME", cpuHelp>;
def no_cache : NoCache;
def force : Switch<"force", "make the storage however large it becomes for the entries it holds">;
