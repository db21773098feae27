// The ops for the values of tensors without their coordinates.
#ifndef STRATA_DIALECT_TA_VALUESOPS_TD
#define STRATA_DIALECT_TA_VALUESOPS_TD

include "strata/dialect/ta/TaDialect.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Ta_ValuesOp : Op<Ta_Dialect, "values", [Pure]> {
  let summary = "the values that a tensor stores, as a vector";
  let description = [{
    As many as its storage has, in the order in which they lie there; padding is among them. Of a
    tensor stored as a `#ta.sum` those of the part with this number, from 0, which else is 0. Nothing
    is copied. The compiler inserts it where a statement makes of each value another one.

    Example: `%v = ta.values %A, 0 : tensor<?x?xf64, #DOK> to tensor<?xf64>`.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, I64Attr:$part);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$tensor `,` $part attr-dict `:` type($tensor) `to` type($result)";
  let hasVerifier = 1;
}

def Ta_WithValuesOp : Op<Ta_Dialect, "with_values", [Pure]> {
  let summary = "a tensor that stores other values where another one stores its own";
  let description = [{
    The result stores what `tensor` does, in the same levels, but its values are those of a vector
    with as many elements; of a tensor stored as a `#ta.sum` there is a vector for each part. `moved`
    lists the numbers of those operands that are taken over, since nothing else needs them: where
    the tensor and the values are, nothing is copied.

    Example: `%B = ta.with_values %A(%w) : (tensor<?x?xf64, #DOK>, tensor<?xf64>) -> tensor<?x?xf64, #DOK>`.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, Variadic<AnyRankedTensor>:$values,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$moved);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$tensor `(` $values `)` attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

#endif // STRATA_DIALECT_TA_VALUESOPS_TD
