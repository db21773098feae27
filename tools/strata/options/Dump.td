// The options of `strata dump`.
include "Kinds.td"

defm format : Word<"format", "FORMAT", "how the tensor is stored: a name (CSR, BCSR, ...), letters (ds), "
    "or a map; with a placement (CSR on M(i)) piece by piece. COO where not given">;
defm define : Letter<"D", "NAME=CELLS", "the cells of the machine that the format places the tensor on: "
    "M=4, or M=2x3 for two axes">;
def grid : Switch<"grid", "draw which cell has which entries of a vector or matrix, instead of how they are stored">;
def svg : Switch<"svg", "draw the tree of coordinates and the arrays, in SVG">;
defm output : Letter<"o", "FILE", "with --svg: write to a file instead of standard output">;
def format_letter : JoinedOrSeparate<["-"], "f">, Alias<format>;
defm cpu : Word<"cpu", "NAME", cpuHelp>;
def no_cache : NoCache;
def quiet : Quiet;
def force : Switch<"force", "make the storage however large it becomes for the entries it holds">;
