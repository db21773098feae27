// The op for what is left to those who run a program that is compiled ahead.
#ifndef STRATA_DIALECT_TA_PARAMETEROP_TD
#define STRATA_DIALECT_TA_PARAMETEROP_TD

include "strata/dialect/ta/TaDialect.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Ta_ParameterOp : Op<Ta_Dialect, "parameter", [Pure]> {
  let summary = "a size or a number that is given when the program runs";
  let description = [{
    A program that is compiled ahead takes the value as `-D NAME=VALUE`: for an index a size, which
    is not negative, for a scalar of an integer type an integer, else a real number. `strata run`
    knows all values before, so that its programs have none of these, and refuses them.

    Examples: `%n = ta.parameter "N" : index`, `%alpha = ta.parameter "alpha" : tensor<f64>`.
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs AnyTypeOf<[Index, AnyRankedTensor]>:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif // STRATA_DIALECT_TA_PARAMETEROP_TD
