// Loops and branches of host programs.
#ifndef STRATA_DIALECT_TA_CONTROLOPS_TD
#define STRATA_DIALECT_TA_CONTROLOPS_TD

include "strata/dialect/ta/TaDialect.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Ta_ControlOp<string mnemonic, list<Trait> traits = []> : Op<Ta_Dialect, mnemonic, traits>;

def Ta_ForOp : Ta_ControlOp<"for", [SingleBlock,
                                    AllTypesMatch<["lower", "upper", "step"]>]> {
  let summary = "a counted loop over statements of the host program";
  let description = [{
    Executes its region for `lower`, `lower + step`, ... as long as that is less than `upper` (for a
    negative step: greater). The region's first argument is the counter, the others are the tensors
    that the loop carries: the `inits` in the first round, then what `ta.next` hands on. The
    results are what the last `ta.next` or a `ta.break` hands over; where there are more of them
    than `inits`, the rest is made anew by each round, and the loop must have one. A carried tensor
    keeps its type and its sizes. `moved` lists the numbers of those inits that the loop takes over,
    since nothing else needs them.

    Example: x and y change in each of ten rounds, A does not:

    ```mlir
    %r:2 = ta.for %lo to %hi step %one : tensor<i64> carry(%x, %y : tensor<?xf64>, tensor<?xf64>)
                  -> tensor<?xf64>, tensor<?xf64> {
    ^bb0(%t: tensor<i64>, %xt: tensor<?xf64>, %yt: tensor<?xf64>):
      ...
      ta.next %x1, %y1 : tensor<?xf64>, tensor<?xf64>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$lower, AnyRankedTensor:$upper, AnyRankedTensor:$step,
                       Variadic<AnyRankedTensor>:$inits,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$moved);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $lower `to` $upper `step` $step `:` type($lower) (`carry` `(` $inits^ `:` type($inits) `)`)?
    (`->` type($results)^)? $body attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::mlir::BlockArgument getCounter() { return getBlock().getArgument(0); }
    /// The carried tensors within a round.
    ::mlir::Block::BlockArgListType getCarried() { return getBlock().getArguments().drop_front(); }
  }];
}

def Ta_LoopOp : Ta_ControlOp<"loop", [SingleBlock]> {
  let summary = "a loop of the host program that ends by ta.break";
  let description = [{
    Executes its region again and again until a `ta.break`, most often one in a `ta.if`. After
    `limit` rounds without it the program stops with an error. The region's arguments are the
    tensors that the loop carries, as those of `ta.for`, and so is `moved`.

    Example: `repeat { ... } until (r < eps)`:

    ```mlir
    %r = ta.loop limit 1000 carry(%x0 : tensor<?xf64>) -> tensor<?xf64> {
    ^bb0(%x: tensor<?xf64>):
      ...
      %done = ta.holds lt %residual, %eps : tensor<f64>, tensor<f64>
      ta.if %done {
        ta.break %x1 : tensor<?xf64>
      } else {
        ta.next
      }
      ta.next %x1 : tensor<?xf64>
    }
    ```
  }];
  let arguments = (ins I64Attr:$limit, Variadic<AnyRankedTensor>:$inits,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$moved);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `limit` $limit (`carry` `(` $inits^ `:` type($inits) `)`)? (`->` type($results)^)? $body
    attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::mlir::Block::BlockArgListType getCarried() { return getBlock().getArguments(); }
  }];
}

def Ta_IfOp : Ta_ControlOp<"if", [SingleBlock]> {
  let summary = "a branch of the host program";
  let description = [{
    Executes one of its regions; the results are what that region's `ta.next` hands over. A region
    that ends with `ta.break` leaves the surrounding loop instead.

    Example:

    ```mlir
    %y = ta.if %c -> tensor<f64> {
      ta.next %a : tensor<f64>
    } else {
      ta.next %b : tensor<f64>
    }
    ```
  }];
  let arguments = (ins I1:$condition);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body, SizedRegion<1>:$otherwise);
  let assemblyFormat = [{
    $condition (`->` type($results)^)? $body `else` $otherwise attr-dict
  }];
}

def Ta_DistributeOp : Ta_ControlOp<"distribute", [SingleBlock, Pure, AttrSizedOperandSegments]> {
  let summary = "statements that each cell of a machine executes on its pieces";
  let description = [{
    Executes its region once for each cell: its arguments are the pieces that the cell has of the
    operands, and `ta.next` hands over its piece of the result. All of these are placed on one
    machine. `sizes` are those of the result's dynamic dimensions. What several cells have, each of
    them computes.

    With `rounds` cells do so round by round, and the last operand is what they begin with: its piece
    in a round is what the round before has handed over. `windows` has a number for each operand: a
    dimension of which a round has one chunk, or -1. Operands that have one come from wherever they
    are, whole or in pieces; but for the chunk, a cell has them in a round as `types` says. There are
    `parts` chunks, or as many as `chunk` coordinates make. In the first round a cell has the chunk
    whose number is the sum of its places on the axes that are `rotated`.

    Example, y(i) = A(i,j) * x(j) with i cut:

    ```mlir
    %y = ta.distribute (%A, %x : tensor<?x?xf64, #CSR_on_rows>, tensor<?xf64, #everywhere>)
                       sizes(%n) -> tensor<?xf64, #in_parts> {
    ^bb0(%Ap: tensor<?x?xf64, #CSR>, %xp: tensor<?xf64>):
      %np = ta.dim %Ap, 0 : tensor<?x?xf64, #CSR>
      %yp = ta.compute [%i = %np] ins(%Ap, %xp : ...) sizes(%np) -> tensor<?xf64> out [%i] { ... }
      ta.next %yp : tensor<?xf64>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$tensors, Variadic<Index>:$sizes,
                       Optional<Index>:$parts, OptionalAttr<I64Attr>:$chunk,
                       OptionalAttr<DenseI64ArrayAttr>:$windows, OptionalAttr<TypeArrayAttr>:$types,
                       OptionalAttr<DenseI64ArrayAttr>:$rotated);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $tensors `:` type($tensors) `)` (`sizes` `(` $sizes^ `)`)? (`rounds` `(` $parts^ `)`)? `->`
    type($result) $body attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// Tells whether it goes round by round.
    bool hasRounds() { return getWindows().has_value(); }
    /// How an operand is placed where cells have it: apart from the chunk, in rounds.
    ::mlir::RankedTensorType typeOnCells(unsigned operand);
  }];
}

def Ta_NextOp : Ta_ControlOp<"next", [Terminator]> {
  let summary = "ends a round of a loop, or a branch";
  let description = [{
    In a loop its operands are the loop's results, if this was the last round, and the first of them
    what the next round carries; in a branch they are the branch's results; in `ta.distribute` it is
    the piece of its result.

    Example: `ta.next %x, %r : tensor<?xf64>, tensor<f64>`.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

def Ta_BreakOp : Ta_ControlOp<"break", [Terminator]> {
  let summary = "leaves the innermost loop";
  let description = [{
    Ends the region that it stands in and all around it up to the innermost `ta.for` or `ta.loop`,
    whose results its operands become.

    Example: `ta.break %x : tensor<?xf64>`.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
}

def Ta_HoldsOp : Ta_ControlOp<"holds", [Pure]> {
  let summary = "whether two scalars compare so, for a loop or a branch";
  let description = [{
    The tensors have no dimensions; integers are compared exactly, other mixtures as doubles.
    Against NaN only `ne` holds. Complex numbers are equal or not.

    Example: `%c = ta.holds lt %r, %eps : tensor<f64>, tensor<f64>`.
  }];
  let arguments = (ins Ta_Relation:$relation, AnyRankedTensor:$lhs, AnyRankedTensor:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "$relation $lhs `,` $rhs attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

#endif // STRATA_DIALECT_TA_CONTROLOPS_TD
