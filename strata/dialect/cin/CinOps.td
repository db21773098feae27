// The cin dialect: how a statement is computed.
#ifndef STRATA_DIALECT_CIN_CINOPS_TD
#define STRATA_DIALECT_CIN_CINOPS_TD

include "strata/dialect/ta/TaDialect.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Cin_Dialect : Dialect {
  let name = "cin";
  let cppNamespace = "::strata::cin";
  let summary = "concrete index notation: how a statement is computed";
  let description = [{
    Loops over index variables (`forall`), producers before consumers (`where`) and assignments
    with an operator of accumulation, with effects on storages (`!ta.storage`). Loops name no
    level: which storages drive a loop, and how they merge, is an analysis of the statement below
    it (docs/rationale/Iteration.md). Schedules rewrite this dialect and no other.

    The order of the loops, the reductions' temporaries and every other decision stand here.
    Source: concrete index notation of TACO, as 003 section II and 004 section 4.1 use it.
  }];
  let dependentDialects = ["::strata::ta::TaDialect"];
}

class Cin_Op<string mnemonic, list<Trait> traits = []> : Op<Cin_Dialect, mnemonic, traits>;

def Cin_BuildOp : Cin_Op<"build"> {
  let summary = "a result is built afresh";
  let description = [{
    Before the first assignment: what the kernel does not assign is the fill of the storage's
    format, and not stored where the format can leave it out. Without this op a kernel updates
    the storage in place, which must then have a place for every coordinate. `like` names
    operands whose stored entries bound those of the result, as a hint for reserving memory.
    `counted`: the loops run twice, once to count the entries below each parent, once to store them;
    so they may take the parents in any order. `gathered`: the entries below one parent come in any
    order, repeatedly, and are gathered in a workspace before they are appended: an `array` with
    a place for each coordinate that there can be, or a hash `table` of those that are touched.
    `initial` is what an entry holds before the first value is combined with it, if that is not the
    fill. `partial`: the labels of the loops need not reach all of the result.

    Example: `cin.build %C like(%A) gathered(table) : !ta.storage<tensor<?x?xf64, #CSR>>,
    !ta.storage<tensor<?x?xf64, #CSR>>`.
  }];
  let arguments = (ins Ta_StorageType:$storage, Variadic<Ta_StorageType>:$like, UnitAttr:$counted,
                       OptionalAttr<Ta_Workspace>:$gathered,
                       OptionalAttr<TypedAttrInterface>:$initial, UnitAttr:$partial);
  let assemblyFormat = [{
    $storage (`like` `(` $like^ `)`)? (`counted` $counted^)? (`gathered` `(` $gathered^ `)`)? (`partial` $partial^)?
    attr-dict `:` type(operands)
  }];
}

def Cin_RequireOp : Cin_Op<"require"> {
  let summary = "a label must have so many values";
  let description = [{
    The kernel is compiled for `least` to `most` values of the label `name`; where `extent` is not
    among these it fails before it computes anything.
    Example: `cin.require "k" %n in 32 to 32`.
  }];
  let arguments = (ins Index:$extent, StrAttr:$name, I64Attr:$least, I64Attr:$most);
  let assemblyFormat = "$name $extent `in` $least `to` $most attr-dict";
}

def Cin_ForallOp : Cin_Op<"forall", [SingleBlock, NoTerminator, AttrSizedOperandSegments]> {
  let summary = "a loop over an index variable";
  let description = [{
    Executes its body for every value of the variable in `[0, extent)` for which that has an
    effect. `name` is the variable's name in messages and in generated code. `accumulates` says that
    the body may run several times for one value, once for every duplicate: it only accumulates.
    `collapsed` says that this loop and the one that is its whole body are walked as one: in the order
    in which the one sparse operand below them is stored, by diagonals, blocks or slots; or, where
    several are merged that are lists of coordinates (COO), by the tuples that these store.
    `blocks` cuts the values into blocks of so many, a loop of their own: what the result keeps for
    a block (a row of blocks in BCSR) begins and ends there.

    `[0, extent)` is cut into parts `by` so many values, of which the last may be smaller, or `into` so
    many parts of equal size, of which the last may be smaller or missing: the variable is the first
    value of each part; with `in`, it goes through the values of one part, from 0 on.

    Loops of one `group` are one label to schedules: together they take the tuples of their values in
    lexicographic order. With a `leader` they take the entries that this storage has for their variables
    and no other tuples, which is an error where the body has an effect elsewhere.

    `chunks` says that the variable numbers parts of what the loops `in` it take together, which are
    those of one group: entries of the `leader`, by position, from those of the levels that the loops
    around reach on; without one, tuples of the loops' values. `extent` is then that of the first of
    these loops.

    The `mark` says what takes the values: without one threads share them where it is possible.

    `contracted`: the loop is one of those that together are a contraction of dense tensors, or a sum of
    such, which blocks compute where there is much to do (`lvl.contract`). All loops of the contraction
    are marked so, and they keep their units: of the outermost one threads may take the values.

    The operands that the loop is `locating` are looked up at each value, not walked.

    `gallop` says how operands are merged of which only what all of them store matters: true, each is
    searched, by steps of double length, for the next coordinate of the others; false, they are
    walked step by step. Without it the kernel searches those that are far longer than the shortest.

    Example: `cin.forall %i = %n {name = "i"} { ... }`; in parts, `cin.forall %io = %n by 32 {name =
    "io"} { cin.forall %ii = %n by 32 in %io {name = "ii"} { ... A[%io + %ii] ... } }`; over the entries
    of a matrix, `cin.forall %c = %n by 32 of %A : !ta.storage<...> {name = "c", chunks} { cin.forall %i
    = %n in %c {name = "i", group = "p"} { cin.forall %j = %m in %c {name = "j", group = "p"} { ... } } }`.
  }];
  let arguments = (ins Index:$extent, Optional<Index>:$part, Optional<Ta_StorageType>:$leader,
                       Variadic<Ta_StorageType>:$locating,
                       StrAttr:$name, OptionalAttr<StrAttr>:$group, UnitAttr:$accumulates, UnitAttr:$collapsed,
                       OptionalAttr<I64Attr>:$blocks, OptionalAttr<I64Attr>:$partSize,
                       OptionalAttr<I64Attr>:$partCount, UnitAttr:$chunks, UnitAttr:$contracted,
                       OptionalAttr<Ta_MarkAttr>:$mark, OptionalAttr<BoolAttr>:$gallop);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::mlir::BlockArgument getVariable() { return getBlock().getArgument(0); }
    /// True of a loop over parts of something, and of one over the values of a part of its label.
    bool isOfParts() { return getPartSize() || getPartCount(); }
    /// True of a loop that takes its values in a chunk, with the other loops of its group.
    bool isInChunk() { return getPart() && !isOfParts(); }
    /// Tells whether threads share its values.
    bool isInThreads() { return getMark() && getMarkAttr().getUnit() == ::strata::ta::Unit::thread; }
    /// Tells whether threads whose values write to the same places do that.
    bool hasStrategy(::strata::ta::Strategy strategy) {
      return isInThreads() && getMarkAttr().getStrategy() == strategy;
    }
    /// The label by which schedules name it.
    ::mlir::StringAttr getLabel() { return getGroup() ? getGroupAttr() : getNameAttr(); }
  }];
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$extent, "::mlir::StringRef":$name)>];
}

def Cin_TempOp : Cin_Op<"temp"> {
  let summary = "a workspace, at first the identity of the operator that fills it";
  let description = [{
    Lives from here to the end of the enclosing loop's iteration: a scalar, or a dense tensor with
    an extent for each dimension. With `missing` a scalar has no value until one is assigned.
    Schedules call it by its `name`.
    Example: `%t = cin.temp add : !ta.storage<tensor<f64>>`; a row, `%r = cin.temp add (%m) :
    !ta.storage<tensor<?xf64>>`.
  }];
  let arguments = (ins Ta_Combine:$combine, UnitAttr:$missing, Variadic<Index>:$extents,
                       OptionalAttr<StrAttr>:$name);
  let results = (outs Ta_StorageType:$storage);
  let assemblyFormat = "$combine (`(` $extents^ `)`)? attr-dict `:` type($storage)";
  let hasVerifier = 1;
}

def Cin_WhereOp : Cin_Op<"where", [SingleBlock, NoTerminator]> {
  let summary = "a producer of temporaries, and the consumer that reads them";
  let description = [{
    Runs the producer, then the consumer. The pair is one statement to the analyses: where the
    producer has nothing to add, the consumer sees the temporary's identity.

    Example:
    ```mlir
    cin.where {
      cin.forall %j = %m {name = "j"} { cin.assign %t[] combine add { ... } : !ta.storage<tensor<f64>> }
    } do {
      cin.assign %y[%i] { ... } : !ta.storage<tensor<?xf64>>
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$producer, SizedRegion<1>:$consumer);
  let assemblyFormat = "$producer `do` $consumer attr-dict";
}

def Cin_AssignOp : Cin_Op<"assign", [SingleBlock]> {
  let summary = "assigns an expression's value to a place of a storage";
  let description = [{
    The place is an affine function of index variables. The region computes the value from
    accesses and element operations; with `combine` it is combined with what is there. `reduces`
    says that the values are the terms of a reduction, which a scalar may hold until it is whole; with
    `missing` one without terms has no value.

    Example: `cin.assign %y[%i] combine add { ... cin.yield %v : f64 } : !ta.storage<tensor<?xf64>>`.
  }];
  let arguments = (ins Ta_StorageType:$target, Variadic<Index>:$indices, AffineMapAttr:$map,
                       OptionalAttr<Ta_Combine>:$combine, UnitAttr:$reduces,
                       UnitAttr:$missing);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::mlir::Value getYielded() { return getBlock().getTerminator()->getOperand(0); }
  }];
}

def Cin_AccessOp : Cin_Op<"access", [Pure]> {
  let summary = "a storage's value at a coordinate, inside an assignment";
  let description = [{
    Like `ta.access`, on a storage; `missing` means the same.
    Example: `%a = cin.access %A[%i, %j] : !ta.storage<tensor<?x?xf64, #CSR>>`.
  }];
  let arguments = (ins Ta_StorageType:$storage, Variadic<Index>:$indices, AffineMapAttr:$map,
                       UnitAttr:$missing);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Cin_YieldOp : Cin_Op<"yield", [Pure, Terminator]> {
  let summary = "the value of an assignment's region";
  let description = [{ Ends the region of `cin.assign`. Example: `cin.yield %v : f64`. }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

#endif // STRATA_DIALECT_CIN_CINOPS_TD
