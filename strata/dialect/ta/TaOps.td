// The operations of the ta dialect: index notation, and the host program around it.
#ifndef STRATA_DIALECT_TA_TAOPS_TD
#define STRATA_DIALECT_TA_TAOPS_TD

include "strata/dialect/ta/ControlOps.td"
include "strata/dialect/ta/TaDialect.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Ta_Op<string mnemonic, list<Trait> traits = []> : Op<Ta_Dialect, mnemonic, traits>;

//===------------------------------------------------------------------------------------------===//
// Index notation
//===------------------------------------------------------------------------------------------===//

def Ta_ComputeOp : Ta_Op<"compute", [SingleBlock, AttrSizedOperandSegments, Pure]> {
  let summary = "one statement of index notation";
  let description = [{
    Gives the tensor whose value at `out_map(i, j, ...)` is the region's value for the index
    variables `i, j, ...`, each running over `[0, extent)`. Its region holds accesses to the
    listed `inputs`, element operations, and reductions at the place where they happen. Index
    variables that the region does not use broadcast.

    Where the region's value is missing (see `ta.access`), the statement has nothing for a place.

    - Without an `init` the result stores nothing at first: a place without a value is the fill of
      the format, or `empty` (below) where the statement has nothing for it.
    - With an `init` and no `combine` the value replaces that of the init. Where the statement has
      nothing, the place is emptied if `empty` is given, and else stays as it is.
    - With a `combine` the value is combined with that of the init, which is the fill where the init
      stores nothing. With `joins` it is no operand there: the place takes the value. Where the
      statement has nothing, the place stays as it is.
    - Places that `out_map` does not reach stay as they are. It reaches none twice.

    A place that is **emptied** is not stored afterwards; a result with a place for everything holds
    `empty` there, the fill if nothing is given.

    A `mask` says which of the places that `out_map` reaches take part: those where the mask, at
    `mask_map(i, j, ...)`, stores a value that is not zero; with `structural` those where it stores
    something. In a format that stores padding what equals the fill is not stored; one that has a
    place for everything stores all. `complement` means the other places. A place that does not take
    part stays as it is, or is emptied with `replace`. The mask is one of the `inputs`.
    `pull` says how, not what: the mask is asked once for each place, and not at each term of a sum.
    `ta-lower-masks` turns masks into operations of the region; the passes behind it know no others.

    `sizes` are the sizes of the result's dynamic dimensions.

    Of a copy of a dense tensor to a sparse one, `drops_fills` says that a place which gets the
    result's fill is not stored, and `keeps_fills` that it is (`A[i,j] = explicit(D[i,j])`).

    What passes have done stands on the statement: `reason` says why it is one of its own, where the
    program has it as a part of another; `fused` names the statements that became parts of it, and
    why; `conversion` says that it copies all of a tensor and is left to the conversion between the
    formats.

    A `schedule` says how the loops run; without one the compiler chooses.

    With `in_place` the result takes the init's storage over, and is written there: nothing else needs
    the init any more. If somebody outside the program has a part in the storage, it is copied.

    Example, `y(i) = A(i,j) * x(j)` with A in CSR:

    ```mlir
    %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>)
                    sizes(%n) -> tensor<?xf64> out [%i] {
      %s = ta.reduce add [%j = %m] : f64 {
        %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
        %b = ta.access %x[%j] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        ta.yield %p : f64
      }
      ta.yield %s : f64
    }
    ```

    Example, `C(i,j)<!M, replace> += A(i,j)`:

    ```mlir
    %0 = ta.compute [%i = %n, %j = %m] ins(%A, %M : tensor<?x?xf64, #CSR>, tensor<?x?xi8, #CSR>)
                    sizes(%n, %m) init(%C : tensor<?x?xf64>) combine add
                    mask(%M[%i, %j] : tensor<?x?xi8, #CSR>) -> tensor<?x?xf64> out [%i, %j]
                    attributes {complement, replace} {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #CSR>
      ta.yield %a : f64
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents, Variadic<AnyRankedTensor>:$inputs,
                       Variadic<Index>:$sizes, Optional<AnyRankedTensor>:$init,
                       Optional<AnyRankedTensor>:$mask, AffineMapAttr:$out_map,
                       OptionalAttr<Ta_Combine>:$combine, OptionalAttr<ArrayAttr>:$names,
                       OptionalAttr<AffineMapAttr>:$mask_map, UnitAttr:$complement,
                       UnitAttr:$structural, UnitAttr:$replace, UnitAttr:$pull, UnitAttr:$joins,
                       OptionalAttr<TypedAttrInterface>:$empty, UnitAttr:$drops_fills,
                       UnitAttr:$keeps_fills, OptionalAttr<StrAttr>:$reason,
                       OptionalAttr<StrArrayAttr>:$fused, UnitAttr:$conversion,
                       OptionalAttr<Ta_ScheduleAttr>:$schedule, UnitAttr:$in_place);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [
    /// Without a mask, and without what stands on statements beside.
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::ValueRange":$extents,
                   "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$sizes,
                   "::mlir::Value":$init, "::mlir::AffineMapAttr":$out_map,
                   "::strata::ta::CombineAttr":$combine, "::mlir::ArrayAttr":$names), [{
      build($_builder, $_state, result, extents, inputs, sizes, init, /*mask=*/::mlir::Value(),
            out_map, combine, names, /*mask_map=*/::mlir::AffineMapAttr(),
            /*complement=*/::mlir::UnitAttr(), /*structural=*/::mlir::UnitAttr(),
            /*replace=*/::mlir::UnitAttr(), /*pull=*/::mlir::UnitAttr(),
            /*joins=*/::mlir::UnitAttr(), /*empty=*/::mlir::TypedAttr(),
            /*drops_fills=*/::mlir::UnitAttr(), /*keeps_fills=*/::mlir::UnitAttr(),
            /*reason=*/::mlir::StringAttr(), /*fused=*/::mlir::ArrayAttr(),
            /*conversion=*/::mlir::UnitAttr(), /*schedule=*/ScheduleAttr(),
            /*in_place=*/::mlir::UnitAttr());
    }]>
  ];
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// The index variables of the left side.
    ::mlir::Block::BlockArgListType getVariables() { return getBlock().getArguments(); }
    ::mlir::Value getYielded() { return getBlock().getTerminator()->getOperand(0); }
  }];
}

def Ta_ReduceOp : Ta_Op<"reduce", [SingleBlock, Pure]> {
  let summary = "a reduction over index variables, inside a statement";
  let description = [{
    Combines the region's values for all values of its index variables, each in `[0, extent)`; over
    an empty range it is the operator's identity. What is missing is passed over, as is what absent
    operands make the identity, also where a mask lets it pass: these are no terms. (What a format
    stores as padding is not absent, unless its access says `missing`.) With `missing`, a reduction
    without terms is missing, too; else it counts as absent. The order of combination is not fixed.

    `workspace` says how, not what: inside another reduction, its values for all values of that
    one's variables are computed together, in a workspace, before they are read.

    Example: `%s = ta.reduce add [%j = %m] : f64 { ... ta.yield %p : f64 }`.
  }];
  let arguments = (ins Ta_Combine:$combine, Variadic<Index>:$extents,
                       OptionalAttr<ArrayAttr>:$names, UnitAttr:$missing, UnitAttr:$workspace);
  let results = (outs AnyType:$result);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::mlir::Block::BlockArgListType getVariables() { return getBlock().getArguments(); }
    ::mlir::Value getYielded() { return getBlock().getTerminator()->getOperand(0); }
  }];
}

def Ta_AccessOp : Ta_Op<"access", [Pure]> {
  let summary = "a tensor's value at a coordinate, inside a statement";
  let description = [{
    The coordinate is an affine function of index variables, so windows, strides and diagonals
    are accesses too. The value is of the tensor's element type, of integers without its sign
    (tensors of ui8 give i8): what is done with it says how it is read.
    What the storage does not hold reads as the fill; with `missing`, as no value
    at all, which other operations and reductions pass over: the entries that a semiring of
    GraphBLAS combines are those that are there. In a format that stores padding what equals the
    fill is not there; in one that has a place for everything all is.

    Example: `%a = ta.access %A[%i, %j * 2 + 1] {missing} : tensor<?x?xf64, #CSR>`.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, Variadic<Index>:$indices, AffineMapAttr:$map,
                       UnitAttr:$missing);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Ta_MaskedOp : Ta_Op<"masked", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a value where a mask is there";
  let description = [{
    Missing where the mask is. Example: `%c = ta.masked %v by %m : f64, i32`.
  }];
  let arguments = (ins AnyType:$value, AnyType:$mask);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value `by` $mask attr-dict `:` type($value) `,` type($mask)";
}

def Ta_UnmaskedOp : Ta_Op<"unmasked", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a value where a mask is not there";
  let description = [{
    Missing where the mask has a value. Example: `%c = ta.unmasked %v by %m : f64, i32`.
  }];
  let arguments = (ins AnyType:$value, AnyType:$mask);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value `by` $mask attr-dict `:` type($value) `,` type($mask)";
}

def Ta_FilterOp : Ta_Op<"filter", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a value where a condition holds";
  let description = [{
    Missing where the condition is zero. Example: `%c = ta.filter %v if %c : f64, f64`.
  }];
  let arguments = (ins AnyType:$value, AnyType:$condition);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value `if` $condition attr-dict `:` type($value) `,` type($condition)";
}

def Ta_UnionOp : Ta_Op<"union", [Pure, SameOperandsAndResultType]> {
  let summary = "one of two values, or what both make where both are there";
  let description = [{
    The union of GraphBLAS's element-wise addition: `both` is a function of the two.
    Example: `%m = arith.minimumf %a, %b : f64  %c = ta.union %a, %b, %m : f64`.
  }];
  let arguments = (ins AnyType:$first, AnyType:$second, AnyType:$both);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$first `,` $second `,` $both attr-dict `:` type($result)";
}

def Ta_CompareOp : Ta_Op<"compare", [Pure, SameTypeOperands]> {
  let summary = "whether two values compare so";
  let description = [{
    Nothing compares with NaN, but that it is not equal. Complex numbers know only `eq` and `ne`.
    Integers have no sign: `ult` and its like read them as natural numbers.
    Example: `%c = ta.compare lt %a, %b : f64`.
  }];
  let arguments = (ins Ta_Relation:$relation, AnyType:$lhs, AnyType:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "$relation $lhs `,` $rhs attr-dict `:` type($lhs)";
}

def Ta_SelectOp : Ta_Op<"select", [Pure, AllTypesMatch<["yes", "no", "result"]>]> {
  let summary = "one of two values, as a condition says";
  let description = [{
    The first value where the condition holds, else the second: `where(c, a, b)`.
    Example: `%d = ta.select %c, %a, %b : f64`.
  }];
  let arguments = (ins I1:$condition, AnyType:$yes, AnyType:$no);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$condition `,` $yes `,` $no attr-dict `:` type($result)";
}

def Ta_ToIntegerOp : Ta_Op<"to_integer", [Pure]> {
  let summary = "a real number as an integer, whatever it is";
  let description = [{
    Its fraction is dropped. What lies beyond the integers becomes the least or the greatest of
    them, and NaN becomes 0, where `arith.fptosi` leaves the result open. `is_unsigned` says that
    the integers are natural numbers.
    Example: `%i = ta.to_integer %x : f64 to i32`.
  }];
  let arguments = (ins AnyFloat:$value, UnitAttr:$is_unsigned);
  let results = (outs AnySignlessInteger:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `to` type($result)";
}

def Ta_YieldOp : Ta_Op<"yield", [Pure, Terminator]> {
  let summary = "the value of a statement's or a reduction's region";
  let description = [{ Ends the region of `ta.compute` and `ta.reduce`. Example: `ta.yield %v : f64`. }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

//===------------------------------------------------------------------------------------------===//
// The host program
//===------------------------------------------------------------------------------------------===//

def Ta_ReadOp : Ta_Op<"read"> {
  let summary = "a tensor read from a file";
  let description = [{
    The ending says the file's format (`.mtx`, `.tns`). Repeated coordinates are summed and
    symmetric files expanded; `part` then selects 1 all of a matrix, 2 what lies strictly below
    the diagonal, 3 below or on it, 4 strictly above it, 5 above or on it. Dynamic sizes are the
    file's; static ones must agree with it.

    Example: `%A = ta.read "bcsstk15.mtx" : tensor<?x?xf64, #CSR>`.
  }];
  let arguments = (ins StrAttr:$file, DefaultValuedAttr<I64Attr, "1">:$part);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$file attr-dict `:` type($result)";
}

def Ta_WriteOp : Ta_Op<"write"> {
  let summary = "writes a tensor to a file";
  let description = [{
    The ending says the file's format. The file appears whole or not at all.
    Example: `ta.write %y, "y.mtx" : tensor<?xf64>`.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, StrAttr:$file);
  let assemblyFormat = "$tensor `,` $file attr-dict `:` type($tensor)";
}

def Ta_FillOp : Ta_Op<"fill", [Pure]> {
  let summary = "a tensor with one value everywhere, dense formats only, or with nothing stored";
  let description = [{
    `sizes` are the sizes of the dynamic dimensions. In a format that does not store everything
    only the fill value itself can be asked for: the tensor then stores nothing.
    Example: `%B = ta.fill 1.0 : f64 (%n) : tensor<?x32xf64>`.
  }];
  let arguments = (ins TypedAttrInterface:$value, Variadic<Index>:$sizes);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$value `(` $sizes `)` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Ta_RandomOp : Ta_Op<"random"> {
  let summary = "a tensor of random values between -1 and 1";
  let description = [{
    With a `density` below 1, that share of the coordinates is stored, at random places. The
    values follow from `seed`. Example: `%B = ta.random (%n) : tensor<?x32xf64>`.
  }];
  let arguments = (ins Variadic<Index>:$sizes, DefaultValuedAttr<F64Attr, "1.0">:$density,
                       DefaultValuedAttr<I64Attr, "1">:$seed);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "`(` $sizes `)` attr-dict `:` type($result)";
}

def Ta_StencilOp : Ta_Op<"stencil"> {
  let summary = "the matrix of a 27-point stencil on an n x n x n grid";
  let description = [{
    What a trilinear finite-element discretisation of Poisson's equation gives: symmetric and
    positive definite, n^3 rows. Example: `%A = ta.stencil 33 : tensor<?x?xf64, #CSR>`.
  }];
  let arguments = (ins I64Attr:$points);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$points attr-dict `:` type($result)";
}

def Ta_IotaOp : Ta_Op<"iota", [Pure]> {
  let summary = "the numbers first, first + step, ...";
  let description = [{
    What a label is worth in an expression: the coordinate that each value of its index variable
    stands for. Example: `%c = ta.iota from 0 step 1 (%n) : tensor<?xi64>`.
  }];
  let arguments = (ins I64Attr:$first, I64Attr:$step, Index:$size);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "`from` $first `step` $step `(` $size `)` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Ta_OneHotOp : Ta_Op<"one_hot", [Pure]> {
  let summary = "where a tensor of whole numbers points";
  let description = [{
    For each element `p[i, ...]` of a tensor of integers one entry, worth 1, at `(i, ..., p[i, ...])`;
    `size` is that of the last dimension, which every element must be a coordinate of. Accesses whose
    coordinate is looked up, `A[p[i], j]`, are accesses at a further index variable `k`, masked by
    this tensor: for a given `i` it walks one `k`.

    Example: `%s = ta.one_hot %p (%n) : tensor<?xi32> to tensor<?x?xi8, #selector>`.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, Index:$size);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$tensor `(` $size `)` attr-dict `:` type($tensor) `to` type($result)";
  let hasVerifier = 1;
}

def Ta_InsideOp : Ta_Op<"inside", [Pure]> {
  let summary = "where an index stays inside a dimension";
  let description = [{
    For each value of some index variables, each in `[0, extent)`, one entry, worth 1, at
    `(i, ..., map(i, ...))`, if that is a coordinate of the last dimension, in `[0, size)`; else none.
    Accesses that are absent outside their tensor, `x[~(i - 1)]`, are accesses at a further index
    variable, masked by this tensor, as after a `ta.one_hot`. A result in pieces, which are cut by
    coordinates, is made piece by piece.

    Example: `%s = ta.inside affine_map<(d0) -> (d0 - 1)> (%n) in %m : tensor<?x?xi8, #selector>`.
  }];
  let arguments = (ins AffineMapAttr:$map, Variadic<Index>:$extents, Index:$size);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$map `(` $extents `)` `in` $size attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Ta_DenseAlgebraOp : Ta_Op<"dense_algebra", [AttrSizedOperandSegments, Pure]> {
  let summary = "a function of dense linear algebra";
  let description = [{
    `solve(A, b)`, `inverse(A)`, `pseudoinverse(A)`, `orthonormal(A)` (an orthonormal basis of the
    columns of A), `singular_vectors(A)` (the left ones, of the greatest singular values first) and
    `singular_values(A)`. The last two see a tensor of order 3 or more as a matrix whose columns are
    all its dimensions but the first. `sizes` are those of the result's dynamic dimensions; of
    singular vectors and values they say how many are wanted.

    Example: `%x = ta.dense_algebra "solve"(%A, %b) sizes(%n) : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?xf64>`.
  }];
  let arguments = (ins StrAttr:$function, Variadic<AnyRankedTensor>:$tensors,
                       Variadic<Index>:$sizes);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $function `(` $tensors `)` `sizes` `(` $sizes `)` attr-dict `:`
    functional-type($tensors, $result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The functions that there are, and how many operands they take.
    static ::llvm::ArrayRef<::std::pair<::llvm::StringRef, unsigned>> functions();
  }];
}

def Ta_ConcatOp : Ta_Op<"concat", [Pure]> {
  let summary = "tensors one behind the other along a dimension";
  let description = [{
    Along the dimension `dim` (from 0), the coordinates of each tensor begin where those of the one
    before end; in all others the tensors have the same sizes. What a tensor does not store is worth
    the same in the result, so the fills must agree; a dense tensor has none that could disagree.
    Takes time in the number of stored entries.

    Example, rows of A above rows of B: `%C = ta.concat 0 (%A, %B) : (tensor<?x?xf64, #CSR>,
    tensor<?x?xf64, #COO>) -> tensor<?x?xf64, #CSR>`.
  }];
  let arguments = (ins I64Attr:$dim, Variadic<AnyRankedTensor>:$tensors);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $dim `(` $tensors `)` attr-dict `:` functional-type($tensors, $result)
  }];
  let hasVerifier = 1;
}

def Ta_LexiOrderOp : Ta_Op<"lexi_order", [Pure]> {
  let summary = "the tensor with its indices in Lexi-Order, or that order";
  let description = [{
    The indices of each dimension are permuted so that slices with like patterns come together
    (Li et al., Efficient and effective sparse tensor reordering, ICS 2019). With `dim` (from 0) the
    result is the order of that dimension: its element n is the index that becomes index n. What the
    tensor does not store is worth the same in the result. Takes time in the number of stored
    entries.

    Example: `%B = ta.lexi_order %A : (tensor<?x?xf64, #CSR>) -> tensor<?x?xf64, #CSR>`, and `%p =
    ta.lexi_order %A {dim = 0} : (tensor<?x?xf64, #CSR>) -> tensor<?xi64>`.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, OptionalAttr<I64Attr>:$dim);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $tensor attr-dict `:` functional-type($tensor, $result)
  }];
  let hasVerifier = 1;
}

def Ta_ConvertOp : Ta_Op<"convert", [Pure]> {
  let summary = "the same tensor in another format or element type";
  let description = [{
    The sizes stay. `reason` says why the compiler inserted it, if it did; the user is told.
    Example: `%c = ta.convert %A : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #CSR>`.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, OptionalAttr<StrAttr>:$reason);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Ta_NeedsOp : Ta_Op<"needs", [Pure]> {
  let summary = "the coordinates at which the pieces of a cell store something";
  let description = [{
    For each cell of a machine a list, ascending, of the coordinates of one dimension of each tensor:
    those of what the cell's pieces of any of them store. The result is the vector 0, 1, 2, ... of
    which each cell has what its list names, a tensor whose dimension is `listed`. `reason` is what
    the user is told.

    With x in y(i) = A(i,j) * x(j), a cell needs those entries whose coordinates its rows of A store,
    and numbers them, and the columns of these rows, in their order: label maps, 003 section 3.

    Example: `%u = ta.needs (%A) at [1] : (tensor<?x?xf64, #CSR_on_rows>) -> tensor<?xi64, #listed>`.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$tensors, DenseI64ArrayAttr:$dims,
                       OptionalAttr<StrAttr>:$reason);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    `(` $tensors `)` `at` $dims attr-dict `:` functional-type($tensors, $result)
  }];
  let hasVerifier = 1;
}

def Ta_ReachOp : Ta_Op<"reach", [Pure]> {
  let summary = "the coordinates that a cell's values of a label reach";
  let description = [{
    For each cell of a machine a list as of `ta.needs`, of the coordinates of a dimension of `size`
    that the cell's values of a label reach: the value v reaches `width` of them, from v + `first` on.
    Cells have the values by another dimension, the result's, of which axis `axis` of the machine cuts
    the `cut` coordinates into intervals, and of which v stands for v + `shift`; of these the label has
    those in [0, `extent`). A cell that has none has an empty list. `reason` is what the user is told.

    In y[i + 1] = x[i] + x[i + 2] the cells have intervals of y, and need the same interval of x with
    a coordinate more on both sides.

    Example: `%u = ta.reach %n of %rows by 0 shifted 1 to %m from 0 width 3 : tensor<?xi64, #listed>`.
  }];
  let arguments = (ins Index:$extent, Index:$cut, I64Attr:$axis, I64Attr:$shift, Index:$size,
                       I64Attr:$first, I64Attr:$width, OptionalAttr<StrAttr>:$reason);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $extent `of` $cut `by` $axis `shifted` $shift `to` $size `from` $first `width` $width attr-dict
    `:` type($result)
  }];
  let hasVerifier = 1;
}

def Ta_FetchOp : Ta_Op<"fetch", [Pure]> {
  let summary = "what cells need of a tensor, by lists of coordinates";
  let description = [{
    Brings each cell the entries whose coordinates in the dimensions `dims` its lists (`ta.needs`)
    name, and counts these coordinates by their numbers in the lists: the result's placement lists
    the dimensions. In the others the tensor is placed as the result is, or every process has it, or
    no axis of the machine cuts any other dimension than the first of `dims`, from whose owners the
    entries come. `reason` says why the compiler inserted it; the user is told.

    Example: `%n = ta.fetch %x at [0] by (%u : tensor<?xi64, #listed>) : tensor<?xf64, #in_parts> to tensor<?xf64, #needed>`.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, DenseI64ArrayAttr:$dims,
                       Variadic<AnyRankedTensor>:$lists, OptionalAttr<StrAttr>:$reason);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $tensor `at` $dims `by` `(` $lists `:` type($lists) `)` attr-dict `:`
    type($tensor) `to` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Do entries come from the cells that have them, and not from where they are needed?
    bool comesFromCells();
  }];
}

def Ta_ScatterOp : Ta_Op<"scatter", [Pure, AttrSizedOperandSegments]> {
  let summary = "what cells have at the coordinates of lists, at these coordinates";
  let description = [{
    The opposite of `ta.fetch`: `dims` are the dimensions that the tensor's placement lists, whose
    numbers become the coordinates that `lists` name. The result stores what is there, in its own
    format, and has no lists: it is placed as the tensor is, or in another way, or whole. With
    `like`, it has the entries that this tensor has on each cell, and everything stays where it is.
    With `into`, a tensor of the result's type, which has a place for everything, what a cell has
    replaces what lies at its lists' coordinates in its piece of that: intervals of the piece.

    Parts of y(i) = A(i,j) * x(j), of which each cell has some entries of A, are made at the rows of
    these.

    Example: `%p = ta.scatter %q at [1] by (%u : tensor<?xi64, #listed>) : tensor<?x?xf64, #rows> to tensor<?x?xf64, #parts>`.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, DenseI64ArrayAttr:$dims,
                       Variadic<AnyRankedTensor>:$lists, Optional<AnyRankedTensor>:$like,
                       Optional<AnyRankedTensor>:$into);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $tensor `at` $dims `by` `(` $lists `:` type($lists) `)` (`like` $like^ `:` type($like))?
    (`into` $into^ `:` type($into))? attr-dict `:` type($tensor) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Ta_ComponentOp : Ta_Op<"component", [Pure]> {
  let summary = "one of the storages whose sum a tensor is";
  let description = [{
    The part with this number, from 0, of a tensor stored as a `#ta.sum`: a tensor of the same sizes
    that holds some of its entries. Nothing is copied. The compiler inserts it where a statement
    reads such a tensor.

    Example: `%p = ta.component %A, 0 : tensor<?x?xf64, #HYB> to tensor<?x?xf64, #ELL>`.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, I64Attr:$number);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$tensor `,` $number attr-dict `:` type($tensor) `to` type($result)";
  let hasVerifier = 1;
}

def Ta_GatherOp : Ta_Op<"gather", [Pure]> {
  let summary = "the entries of a tensor at the places that index variables reach";
  let description = [{
    `T[v, ...] = A[map(v, ...)]` for what A stores: entry by entry the map is solved for the
    variables, each of which it must use. `sizes` are the variables' extents.
    The compiler inserts it where loops cannot walk an access as it stands: a diagonal, every third
    row, a column backwards, an array seen as a matrix. `reason` says why; the user is told.

    Example: `%d = ta.gather %A by affine_map<(d0) -> (d0, d0)> (%n) : tensor<?x?xf64, #COO> to tensor<?xf64, #V>`.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, AffineMapAttr:$map, Variadic<Index>:$sizes,
                       OptionalAttr<StrAttr>:$reason);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$tensor `by` $map `(` $sizes `)` attr-dict `:` type($tensor) `to` type($result)";
  let hasVerifier = 1;
}

def Ta_InsertPartOp : Ta_Op<"insert_part", [Pure]> {
  let summary = "a tensor, a part of which is another";
  let description = [{
    At the places `map(v, ...)`, for `v` in `[0, size)`, what `part` stores at `v, ...`; elsewhere what
    `whole` stores. Different variables must reach different places. The compiler inserts it where a part of a
    tensor is written that has no place for what it does not store. `reason` says so; the user is
    told.

    Example, rows 4 to 11: `%r = ta.insert_part %T over %A by affine_map<(d0, d1) -> (d0 + 4, d1)> (%n, %m) :
    tensor<?x?xf64, #CSR>, tensor<?x?xf64, #CSR> to tensor<?x?xf64, #CSR>`.
  }];
  let arguments = (ins AnyRankedTensor:$part, AnyRankedTensor:$whole, AffineMapAttr:$map,
                       Variadic<Index>:$sizes, OptionalAttr<StrAttr>:$reason);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$part `over` $whole `by` $map `(` $sizes `)` attr-dict `:` type($part) `,` type($whole) `to` type($result)";
  let hasVerifier = 1;
}

def Ta_ReleaseOp : Ta_Op<"release"> {
  let summary = "gives back the memory of tensors";
  let description = [{
    Nothing behind it reads the tensors; their sizes (`ta.dim`) stay known. `ta-place-storage` puts it
    behind the last use of a tensor in the tensor's own block. What a statement takes over (`in_place`),
    what a loop takes over (`moved`), and what `ta.next` and `ta.break` hand on, is not released: it is
    somebody else's then.

    Example: `ta.release %A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>`.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$tensors);
  let assemblyFormat = "$tensors attr-dict `:` type($tensors)";
}

def Ta_DimOp : Ta_Op<"dim", [Pure]> {
  let summary = "the size of a dimension";
  let description = [{ Example: `%n = ta.dim %A, 0 : tensor<?x?xf64, #CSR>`. }];
  let arguments = (ins AnyRankedTensor:$tensor, I64Attr:$dim);
  let results = (outs Index:$size);
  let assemblyFormat = "$tensor `,` $dim attr-dict `:` type($tensor)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Ta_CellsOp : Ta_Op<"cells", [Pure]> {
  let summary = "how many cells an axis of a machine has";
  let description = [{
    A run decides it: the program's text, a parameter, or the number of ranks. `axis` is the number of
    the machine's axis.

    Example: `%n = ta.cells @M, 0`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$machine, I64Attr:$axis);
  let results = (outs Index:$cells);
  let assemblyFormat = "$machine `,` $axis attr-dict";
}

def Ta_SameSizeOp : Ta_Op<"same_size", [Pure]> {
  let summary = "the common size of an index variable's uses";
  let description = [{
    One label can name dimensions of several tensors; their sizes must agree. If they do not, the
    program stops with an error at the statement that says what each use (`uses`) has.
    Example: `%j = ta.same_size "j" (%a, %b) ["A", "x"]`.
  }];
  let arguments = (ins StrAttr:$label, Variadic<Index>:$sizes, StrArrayAttr:$uses);
  let results = (outs Index:$size);
  let assemblyFormat = "$label `(` $sizes `)` $uses attr-dict";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Ta_FitOp : Ta_Op<"fit", [Pure]> {
  let summary = "how many values an index variable can have";
  let description = [{
    The least of the map's results for the `sizes`, and not below 0: so many that every access stays
    inside its tensor. In `y[i] = x[i + 1] - x[i]`, `i` runs over all of x but the last place:
    `%n = ta.fit affine_map<(d0, d1) -> (d0, d1 - 1)> (%0, %0)`.
  }];
  let arguments = (ins AffineMapAttr:$map, Variadic<Index>:$sizes);
  let results = (outs Index:$size);
  let assemblyFormat = "$map `(` $sizes `)` attr-dict";
  let hasVerifier = 1;
}

def Ta_PrintOp : Ta_Op<"print"> {
  let summary = "prints a tensor or scalar";
  let description = [{
    Sparse tensors print their stored entries, small dense ones their rows. `name` is what the
    program calls it. With `bare` the value of a scalar is printed, and nothing else, not even the end
    of the line; with `storage` the buffers of every level. Example: `ta.print %y "y" : tensor<?xf64>`.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, StrAttr:$name, UnitAttr:$bare, UnitAttr:$storage);
  let assemblyFormat = "$tensor $name attr-dict `:` type($tensor)";
}

def Ta_PrintTextOp : Ta_Op<"print_text"> {
  let summary = "prints a text";
  let description = [{
    Just as it is: a line ends where the text has its end. Example: `ta.print_text "norm "`.
  }];
  let arguments = (ins StrAttr:$text);
  let assemblyFormat = "$text attr-dict";
}

def Ta_TimeOp : Ta_Op<"time"> {
  let summary = "seconds since the program began, as a scalar";
  let description = [{ For `getTime()` in programs. Example: `%t = ta.time : tensor<f64>`. }];
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Ta_PrintElapsedOp : Ta_Op<"print_elapsed"> {
  let summary = "prints the seconds between two times";
  let description = [{ Example: `ta.print_elapsed %t0, %t1 : tensor<f64>, tensor<f64>`. }];
  let arguments = (ins AnyRankedTensor:$start, AnyRankedTensor:$end);
  let assemblyFormat = "$start `,` $end attr-dict `:` type(operands)";
}

def Ta_CheckpointOp : Ta_Op<"checkpoint"> {
  let summary = "a point at which a tensor of the written program has its value";
  let description = [{
    Says that `tensor` is what the program, as it was written, calls its tensor number `number`. It
    stands behind each operation that gives a tensor a value, and is inserted before all passes where
    results are to be checked: whatever passes make of a statement, its checkpoint follows the value
    that replaces it. It is no use of the tensor that a pass has to respect; one that lets a tensor
    vanish erases its checkpoints.

    Example: `ta.checkpoint %y, 4 : tensor<?xf64>`.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, I64Attr:$number);
  let assemblyFormat = "$tensor `,` $number attr-dict `:` type($tensor)";
}

//===------------------------------------------------------------------------------------------===//
// Machines
//===------------------------------------------------------------------------------------------===//

def Ta_MachineOp : Ta_Op<"machine", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "a grid of cells, over which tensors are distributed";
  let description = [{
    Placements name it. An axis has a fixed number of cells, one that a parameter of the program
    gives, or, with `?`, one that follows from the number of ranks: what the other axes leave of it,
    divided among all such axes as evenly as can be, larger numbers first.

    Cells are numbered in row-major order, and each rank has a run of them.

    Example: `ta.machine @M(x = 4, y = ?, z = "n")`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$axes,
                       DenseI64ArrayAttr:$cells,  // 0: a parameter gives it, or the ranks do
                       StrArrayAttr:$parameters); // "": none
  let assemblyFormat = [{
    $sym_name `(` custom<Axes>($axes, $cells, $parameters) `)` attr-dict
  }];
  let hasVerifier = 1;
}

#endif // STRATA_DIALECT_TA_TAOPS_TD
