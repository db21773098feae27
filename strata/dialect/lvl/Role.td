// Names what the labels of a dense contraction are for.
#ifndef STRATA_DIALECT_LVL_ROLE_TD
#define STRATA_DIALECT_LVL_ROLE_TD

include "mlir/IR/EnumAttr.td"

def Lvl_Role : I32EnumAttr<"Role", "what a label of a contraction is for", [
    I32EnumAttrCase<"batched", 0>, I32EnumAttrCase<"row", 1>,
    I32EnumAttrCase<"column", 2>, I32EnumAttrCase<"summed", 3>]> {
  let cppNamespace = "::strata::lvl";
}

#endif // STRATA_DIALECT_LVL_ROLE_TD
