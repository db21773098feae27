// COMET's options. What chooses an optimisation changes nothing: Strata does each where it pays, and
// --forbid says which it may not do.
#ifndef STRATA_TOOLS_OPTIONS_COMET_TD
#define STRATA_TOOLS_OPTIONS_COMET_TD

include "Kinds.td"

class Accepted<string name> : Flag<["--", "-"], name>;

def opt_multiop_factorize : Accepted<"opt-multiop-factorize">;
def opt_bestperm_ttgt : Accepted<"opt-bestperm-ttgt">;
def opt_matmul_tiling : Accepted<"opt-matmul-tiling">;
def opt_matmul_mkernel : Accepted<"opt-matmul-mkernel">;
def opt_dense_transpose : Accepted<"opt-dense-transpose">;
def opt_comp_workspace : Accepted<"opt-comp-workspace">;
def opt_fusion : Accepted<"opt-fusion">;
def perm_num : Joined<["--", "-"], "perm-num=">;
def convert_tc_to_ttgt : Accepted<"convert-tc-to-ttgt">;
def convert_ta_to_it : Accepted<"convert-ta-to-it">;
def convert_to_loops : Accepted<"convert-to-loops">;
def convert_to_llvm : Accepted<"convert-to-llvm">;

def target : Joined<["--", "-"], "target=">;
def convert_to_triton : Accepted<"convert-to-triton">;
def emit_triton : Accepted<"emit-triton">;

#endif // STRATA_TOOLS_OPTIONS_COMET_TD
