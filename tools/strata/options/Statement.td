// The options of one statement on the command line. TACO's users type them with one dash.
include "Comet.td"
include "Kinds.td"

//===------------------------------------------------------------------------------------------===//
// The statement's tensors
//===------------------------------------------------------------------------------------------===//

defm format : Letter<"f", "A:FORMAT", "how A is stored: a letter for each dimension (d dense, s or "
    "c compressed, u compressed with repetition, q singleton), followed by :1,0 if the dimensions "
    "are stored in that order; a name (CSR, COO, ...); or a map, '(i,j) -> (i : dense, j : "
    "compressed)'. Dense where not given">;
defm input : Letter<"i", "A:FILE", "read A from a file (.mtx, .tns)">;
defm generate : Letter<"g", "A:FILL", "make A: d random values everywhere, s:0.01 random values "
    "at random places with that density, h the same with density 0.005, o ones, f:34 a 27-point "
    "stencil on a grid of 34 x 34 x 34">;
defm size : Letter<"d", "i:SIZE", "the size of an index, or those of a tensor's dimensions "
    "(A:100,200), where no file says it">;
defm type : Letter<"t", "A:TYPE", "the type of A's values: double, float, int8 to int64, uint8 to uint64, float16, bfloat16, bool, complex, complex64. "
    "Where not given: complex if its file is, or an operand of the result; else double">;
defm widths : Word<"widths", "BITS", "bits of stored positions and coordinates that formats leave "
    "open: 8, 16, 32 or 64. Where not given: the fewest that are enough">;
defm value : Letter<"D", "NAME=VALUE", "the value of a scalar">;
defm base : Base;
def schedule : Joined<["-"], "s=">, MetaVarName<"COMMANDS">,
    HelpText<"how the loops run: scheduling commands with commas between them, -s='reorder(i,k,j)'. "
    "Another -s appends to them. 'strata help scheduling' lists them. Where not given, Strata chooses">;
def schedule_separate : Separate<["-"], "s">, Alias<schedule>;
defm schedule_file : Word<"schedule", "FILE", "the same from a file, with commas or semicolons between "
    "the commands">;

//===------------------------------------------------------------------------------------------===//
// What to do with the result
//===------------------------------------------------------------------------------------------===//

defm output : Letter<"o", "y:FILE", "write y to a file (.mtx, .tns)">;
def output_folder : Joined<["-"], "O=">, MetaVarName<"FOLDER">,
    HelpText<"write every tensor of the statement into this folder, as NAME.tns">;
def write_time : Joined<["--", "-"], "write-time=">, MetaVarName<"FILE">,
    HelpText<"write the times to a file, as TACO does: compileTime,assembleTime,mean,stdev,median "
    "in milliseconds">;
def print : Switch<"print", "print the result">;
def time : Switch<"time", "print the time of each phase">;
def time_runs : Joined<["--", "-"], "time=">, MetaVarName<"N">,
    HelpText<"run the statement N times, and print the least time and the median">;
defm machine : MachineFile;
defm accelerator : AcceleratorFile<acceleratorHelp>;
defm gemm : GemmLibrary;
defm cpu : Word<"cpu", "NAME", cpuHelp>;
defm ranks : Ranks;
defm deadline : Deadline;
def no_cache : NoCache;
def force : Switch<"force", "make storages however large they become for the entries they hold">;
def check : Switch<"check", "compare the result with the reference interpreter's">;
def verify : Spelling<"verify", check>;
def verbose : Switch<"verbose", "print the tensors and the loops">;
def quiet : Quiet;
def deterministic : Deterministic;
def forbid : Forbid;
defm max_memory : Word<"max-memory", "SIZE", "what tensors and kernels may take together: bytes, or "
    "with K, M, G or T">;
defm threads : Word<"threads", "N", "threads that read, sort, convert and compute at once (also -nthreads=N). "
    "Where not given: as many as there are cores">;
def json : Switch<"json", "print a report as JSON, and nothing else, on standard output">;

//===------------------------------------------------------------------------------------------===//
// Looking inside
//===------------------------------------------------------------------------------------------===//

class PrintStage<string name, string help> : Switch<"print-"#name, help>;
def explain : Switch<"explain", "tell the loops, the conversions and what is allocated, as strata "
    "explain does">;
def no_data : Switch<"no-data", "with -explain: open no file that the statement reads">;
def orders : Switch<"orders", "with -explain: all orders of up to four loops, and what each would take">;
def steps : Switch<"steps", "with -explain: the loops before and after each command of the schedule">;
defm html : Word<"html", "FILE", "explain the statement in a page for a browser, complete in one file">;
def print_ast : PrintStage<"ast", "print the syntax tree">;
def print_ta : PrintStage<"ta", "print the program in the ta dialect">;
def print_loops : PrintStage<"loops", "print the loops in words">;
def print_cin : PrintStage<"cin", "print the loops over index variables (also -print-concrete)">;
def print_lvl : PrintStage<"lvl", "print the iteration over levels">;
def print_scf : PrintStage<"scf", "print the loops over arrays">;
def print_vector : PrintStage<"vector", "print these in vectors, register tiles and blocks">;
def print_c : PrintStage<"c", "print them as C source (also -print-compute, -print-kernels)">;
def write_source : Joined<["--", "-"], "write-source=">, MetaVarName<"FILE">,
    HelpText<"write the C source of the kernel to a file">;
def print_gradient : Joined<["--", "-"], "print-gradient=">, MetaVarName<"A,x">,
    HelpText<"print the statements that compute the gradient by these operands, and nothing else">;
def print_llvm : PrintStage<"llvm", "print optimized LLVM IR">;
def print_assembly : PrintStage<"assembly", "print the machine's instructions">;
def print_asm : Spelling<"print-asm", print_assembly>;
def print_iteration_graph : PrintStage<"iteration-graph", "print the loops and the levels that they iterate over, "
    "as a graph for Graphviz's dot">;
def print_lattice : PrintStage<"lattice", "print the merge lattice of each loop; -print-lattice=i of the loops over i">;
def print_concrete : Spelling<"print-concrete", print_cin>;
def print_compute : Spelling<"print-compute", print_c>;
def print_evaluate : Spelling<"print-evaluate", print_c>;
def print_kernels : Spelling<"print-kernels", print_c>;

//===------------------------------------------------------------------------------------------===//
// Words of TACO and COMET: other spellings, and what is refused with what to type instead
//===------------------------------------------------------------------------------------------===//

def print_nocolor : Flag<["--", "-"], "print-nocolor">, Alias<color>, AliasArgs<["never"]>;
def nocolor : Flag<["--", "-"], "nocolor">, Alias<color>, AliasArgs<["never"]>;
def assemble_and_compute : Flag<["-"], "c">;
def cuda : Flag<["--", "-"], "cuda">;
def output_all : Flag<["-"], "O">;
def prefix : Joined<["--", "-"], "prefix=">;
def read_source : Joined<["--", "-"], "read-source=">;
def print_lattice_of : Joined<["--", "-"], "print-lattice=">;
def print_flops : Spelling<"print-flops", time>;
def emit_ast : Spelling<"emit-ast", print_ast>;
def emit_ta : Spelling<"emit-ta", print_ta>;
def emit_it : Spelling<"emit-it", print_cin>;
def emit_loops : Spelling<"emit-loops", print_scf>;
def emit_llvm : Spelling<"emit-llvm", print_llvm>;
def threads_taco : Joined<["--", "-"], "nthreads=">, Alias<threads>;
def help_on : Joined<["--", "-"], "help=">;
