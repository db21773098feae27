// COMET's options. --opt-X=false forbids what --opt-X allows, which is the default; --convert-tc-to-ttgt
// forbids to permute while packing (see Forbid in Kinds.td). What chooses a lowering changes nothing.
#ifndef STRATA_TOOLS_OPTIONS_COMET_TD
#define STRATA_TOOLS_OPTIONS_COMET_TD

include "Kinds.td"

class Accepted<string name> : Flag<["--", "-"], name>;
// --opt-X, --opt-X=true and --opt-X=false.
multiclass Choice<string name> {
  def NAME : Accepted<name>;
  def NAME#_is : Joined<["--", "-"], name#"=">, Values<"true,false">;
}

defm opt_multiop_factorize : Choice<"opt-multiop-factorize">;
defm opt_bestperm_ttgt : Choice<"opt-bestperm-ttgt">;
defm opt_matmul_tiling : Choice<"opt-matmul-tiling">;
defm opt_matmul_mkernel : Choice<"opt-matmul-mkernel">;
defm opt_dense_transpose : Choice<"opt-dense-transpose">;
defm opt_comp_workspace : Choice<"opt-comp-workspace">;
defm opt_fusion : Choice<"opt-fusion">;
defm convert_tc_to_ttgt : Choice<"convert-tc-to-ttgt">;
def perm_num : Joined<["--", "-"], "perm-num=">;
def convert_ta_to_it : Accepted<"convert-ta-to-it">;
def convert_to_loops : Accepted<"convert-to-loops">;
def convert_to_llvm : Accepted<"convert-to-llvm">;

def target : Joined<["--", "-"], "target=">;
def convert_to_triton : Accepted<"convert-to-triton">;
def emit_triton : Accepted<"emit-triton">;

#endif // STRATA_TOOLS_OPTIONS_COMET_TD
