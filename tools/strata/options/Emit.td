// The options of `strata emit`.
include "Comet.td"
include "Kinds.td"

let Values = "ast,ta,loops,graph,lattice,cin,lvl,scf,vector,c,llvm,asm,obj,header" in
defm stage : Word<"stage", "STAGE", "the stage to stop at: ast, ta, loops, graph, lattice, cin, lvl, "
    "scf, vector, c, llvm, asm, obj or header">;
def svg : Switch<"svg", "draw the stage, graph or lattice, as a picture in SVG">;
defm output : Letter<"o", "FILE", "write to a file instead of standard output">;
defm define : Letter<"D", "NAME=VALUE", "the value of a parameter">;
defm widths : Word<"widths", "BITS", "bits of stored positions and coordinates that formats leave "
    "open: 8, 16, 32 or 64">;
def phases : Switch<"phases", "for each statement also entry points that make the pattern of its "
    "result alone (NAME_assemble), and its values alone (NAME_compute)">;
defm cpu : Word<"cpu", "NAME", cpuHelp>;
def deterministic : Deterministic;
def forbid : Forbid;
def quiet : Quiet;

// COMET's words for the stages.
class EmitStage<string word, string name> : Flag<["--", "-"], "emit-"#word>, Alias<stage>,
    AliasArgs<[name]>;
def emit_ast : EmitStage<"ast", "ast">;
def emit_ta : EmitStage<"ta", "ta">;
def emit_it : EmitStage<"it", "cin">;
def emit_loops : EmitStage<"loops", "scf">;
def emit_llvm : EmitStage<"llvm", "llvm">;
