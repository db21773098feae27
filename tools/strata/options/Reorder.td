// The options of `strata reorder`.
include "Kinds.td"

defm output : Letter<"o", "FILE", "the file to write, in the format that its ending names; -.mtx and the "
    "like are standard output">;
def by : Joined<["--", "-"], "by=">, MetaVarName<"ORDER">, Values<"rcm,lexi,lexi-balanced,degree">,
    HelpText<"the order: rcm (reverse Cuthill-McKee, of a square matrix), lexi (Lexi-Order), "
    "lexi-balanced (the same, with the entries spread evenly over the first dimension), degree (most "
    "entries first)">;
def by_separate : Separate<["--", "-"], "by">, Alias<by>;
defm dims : Word<"dims", "DIMS", "the dimensions to reorder, counted from 1: 1 (the rows alone), 1,3; "
    "all where not given. With --apply and --undo: for each dimension of the tensor, whose permutation "
    "moves it">;
defm iterations : Word<"iterations", "N", "how often Lexi-Order goes through the dimensions at most; 5 "
    "where not given">;
defm permutation : Word<"permutation", "FILE", "write the permutations, too: row n of column d is the "
    "old index of the new index n of dimension d, counted from 1">;
defm apply : Word<"apply", "FILE", "reorder by the permutations of a file instead, as --permutation "
    "writes it">;
defm undo : Word<"undo", "FILE", "put what these permutations moved back in its place">;
defm sizes : Word<"sizes", "SIZES", "the sizes of the dimensions, 100,200, where the file does not "
    "say them (.tns); '?' where its largest index is to decide">;
defm base : Base;
defm threads : Word<"threads", "N", "threads that work at once. Where not given: as many as there are "
    "cores">;
def time : Switch<"time", "print the time of each phase">;
def verbose : Switch<"verbose", "print what the order changes: the bandwidth, or how evenly the entries "
    "lie">;
def quiet : Quiet;
