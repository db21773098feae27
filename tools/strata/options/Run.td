// The options of `strata run`.
include "Comet.td"
include "Kinds.td"

defm define : Letter<"D", "NAME=VALUE", "the value of a parameter: a size, a number, a type's name "
    "or a file's">;
defm output : Letter<"o", "NAME=FILE", "write a tensor when the program has ended (.mtx, .tns)">;
defm entry : Word<"entry", "NAME", "the function of a .mlir module that runs. Where not given: main, or "
    "the only one">;
defm widths : Word<"widths", "BITS", "bits of stored positions and coordinates that formats leave "
    "open: 8, 16, 32 or 64. Where not given: the fewest that are enough">;
defm threads : Word<"threads", "N", "threads that read, sort, convert and compute at once. Where not "
    "given: as many as there are cores, which the ranks on a node share">;
defm max_memory : Word<"max-memory", "SIZE", "what tensors and kernels may take together: bytes, or "
    "with K, M, G or T. A step that is estimated to need more is refused">;
def time : Switch<"time", "print the time of each phase of each step">;
defm repeat : Word<"repeat", "N", "run each statement N times; --time then prints the least time "
    "and the median">;
defm cpu : Word<"cpu", "NAME", cpuHelp>;
defm machine : MachineFile;
defm accelerator : AcceleratorFile<acceleratorHelp>;
defm gemm : GemmLibrary;
defm base : Base;
defm ranks : Ranks;
defm deadline : Deadline;
def no_cache : NoCache;
def phases : Switch<"phases", "assemble each result first and compute its values then, by two kernels "
    "as those of emit --phases">;
def force : Switch<"force", "make storages however large they become for the entries they hold">;
def check : Switch<"check", "compare each result with the reference interpreter's">;
def verbose : Switch<"verbose", "print the tensors and loops of each step">;
def json : Switch<"json", "print a report as JSON, and nothing else, on standard output">;
def deterministic : Deterministic;
def forbid : Forbid;
def quiet : Quiet;

// COMET's.
def print_flops : Spelling<"print-flops", time>;
