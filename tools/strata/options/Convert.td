// The options of `strata convert`.
include "Kinds.td"

defm format : Word<"format", "FORMAT", "how the tensor is stored on the way: a name (CSR, BCSR, ...), "
    "letters (ds), or a map; and in the file, if its format can tell. COO where not given">;
def format_letter : JoinedOrSeparate<["-"], "f">, Alias<format>;
defm type : Word<"type", "TYPE", "the type of the values, where it is not to be the file's">;
def type_letter : JoinedOrSeparate<["-"], "t">, Alias<type>;
defm cpu : Word<"cpu", "NAME", cpuHelp>;
defm sizes : Word<"sizes", "SIZES", "the sizes of the dimensions, 100,200, where the file does not "
    "say them (.tns); '?' where its largest index is to decide">;
defm base : Base;
defm to : Word<"to", "FORMAT", "the ending of the format to write to standard output, such as mtx">;
def no_cache : NoCache;
def force : Switch<"force", "make the storage however large it becomes for the entries it holds">;
defm threads : Word<"threads", "N", "threads that read, sort and convert at once. Where not given: as "
    "many as there are cores">;
def time : Switch<"time", "print the time of each phase, and the sizes">;
def json : Switch<"json", "print a report as JSON, and nothing else (on standard error, if a file goes to "
    "standard output)">;
def quiet : Quiet;
def verbose : Switch<"verbose", "print how the tensor is stored on the way, and the most memory that this takes">;
