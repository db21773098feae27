// The lvl dialect: what levels can do, not what they are called.
#ifndef STRATA_DIALECT_LVL_LVLOPS_TD
#define STRATA_DIALECT_LVL_LVLOPS_TD

include "strata/dialect/ta/TaDialect.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Lvl_Dialect : Dialect {
  let name = "lvl";
  let cppNamespace = "::strata::lvl";
  let summary = "coordinate hierarchies: walking and building storages level by level";
  let description = [{
    A storage is a coordinate hierarchy (004 chapter 3): one level per storage dimension, a
    position at level k below a position at level k-1. A `!lvl.path` leads from the root to a
    position; an `!lvl.iterator` walks the children of a path; `lvl.coiterate` merges iterators
    and runs a region for each case of presence; an `!lvl.builder` is a storage in the making,
    threaded through loops as an SSA value. No op names a level format: the last pass asks each
    level's format for its functions.
  }];
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::strata::ta::TaDialect"];
}

class Lvl_Type<string name, string typeMnemonic> : TypeDef<Lvl_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Lvl_Path : Lvl_Type<"Path", "path"> {
  let summary = "a position in a coordinate hierarchy, with those of its ancestors";
  let description = [{
    What level functions may see: the positions and coordinates of all levels above. After a
    level with duplicates a path can stand for a run of positions with one coordinate.
  }];
}
def Lvl_Iterator : Lvl_Type<"Iterator", "iterator"> {
  let summary = "walks what lies below a path, in storage order";
  let description = [{ Yields coordinates of index variables, and the path to each. }];
}
def Lvl_Builder : Lvl_Type<"Builder", "builder"> {
  let summary = "a storage in the making";
  let description = [{
    Carries the fields that its levels declare (cursors, capacities, buffers). Positions are
    stable until it is sealed.
  }];
}

class Lvl_Op<string mnemonic, list<Trait> traits = []> : Op<Lvl_Dialect, mnemonic, traits>;

//===------------------------------------------------------------------------------------------===//
// Access
//===------------------------------------------------------------------------------------------===//

def Lvl_RootOp : Lvl_Op<"root", [Pure]> {
  let summary = "the root of a storage";
  let description = [{ Example: `%r = lvl.root %A : !ta.storage<tensor<?x?xf64, #CSR>>`. }];
  let arguments = (ins Ta_StorageType:$storage);
  let results = (outs Lvl_Path:$path);
  let builders = [OpBuilder<(ins "::mlir::Value":$storage), [{
    build($_builder, $_state, PathType::get($_builder.getContext()), storage);
  }]>];
  let assemblyFormat = "$storage attr-dict `:` type($storage)";
}

def Lvl_LocateOp : Lvl_Op<"locate", [Pure]> {
  let summary = "the child of a path at a coordinate of level `level`";
  let description = [{
    `found` says whether there is one; it is constant true where the level has all. The level
    must have the locate capability, or store one coordinate after the other below a parent, each
    once: then it is searched by bisection. Example: `%p, %f = lvl.locate %r[0] at %i`.

    `guard` says whether the parent is there, where that is not certain: below one that is absent,
    no buffer of the level is read, and nothing is found. Example:
    `%q, %g = lvl.locate %p[1] at %j if %f`.
  }];
  let arguments = (ins Lvl_Path:$parent, I64Attr:$level, Index:$coordinate, Optional<I1>:$guard);
  let results = (outs Lvl_Path:$path, I1:$found);
  let builders = [OpBuilder<(ins "::mlir::Value":$parent, "int64_t":$level, "::mlir::Value":$coordinate,
      CArg<"::mlir::Value", "nullptr">:$guard), [{
    build($_builder, $_state, PathType::get($_builder.getContext()), $_builder.getI1Type(), parent, level, coordinate, guard);
  }]>];
  let assemblyFormat = "$parent `[` $level `]` `at` $coordinate (`if` $guard^)? attr-dict";
}

def Lvl_RankOp : Lvl_Op<"rank", [Pure]> {
  let summary = "the rank of a coordinate of a dimension that the storage sorts";
  let description = [{
    The levels of such a storage are of ranks. `root` says which storage; the coordinate lies in the
    tensor. Example: `%p = lvl.rank %r[0] of %i`.
  }];
  let arguments = (ins Lvl_Path:$root, I64Attr:$dim, Index:$coordinate);
  let results = (outs Index:$rank);
  let builders = [OpBuilder<(ins "::mlir::Value":$root, "int64_t":$dim, "::mlir::Value":$coordinate), [{
    build($_builder, $_state, $_builder.getIndexType(), root, dim, coordinate);
  }]>];
  let assemblyFormat = "$root `[` $dim `]` `of` $coordinate attr-dict";
}

def Lvl_PositionOp : Lvl_Op<"position", [Pure]> {
  let summary = "the position at the end of a path, and the one behind it";
  let description = [{
    0 and 1 at the root; of a path that stands for a run of duplicates, the first of them and the
    one behind the last. Example: `%p, %q = lvl.position %path`.
  }];
  let arguments = (ins Lvl_Path:$path);
  let results = (outs Index:$first, Index:$last);
  let builders = [OpBuilder<(ins "::mlir::Value":$path), [{
    build($_builder, $_state, $_builder.getIndexType(), $_builder.getIndexType(), path);
  }]>];
  let assemblyFormat = "$path attr-dict";
}

def Lvl_ChildrenOp : Lvl_Op<"children", [Pure]> {
  let summary = "the positions of level `level` below those of a range of the level above";
  let description = [{
    `root` says which storage. The level's positions are consecutive, without gaps; those below a
    range of parents are a range (the image of 003 section IV).
    Example: `%b, %e = lvl.children %r[1] of %p to %q`.
  }];
  let arguments = (ins Lvl_Path:$root, I64Attr:$level, Index:$firstParent, Index:$lastParent);
  let results = (outs Index:$first, Index:$last);
  let builders = [OpBuilder<(ins "::mlir::Value":$root, "int64_t":$level, "::mlir::Value":$firstParent,
                                 "::mlir::Value":$lastParent), [{
    ::mlir::Type index = $_builder.getIndexType();
    build($_builder, $_state, index, index, root, level, firstParent, lastParent);
  }]>];
  let assemblyFormat = "$root `[` $level `]` `of` $firstParent `to` $lastParent attr-dict";
}

def Lvl_ParentOp : Lvl_Op<"parent", [Pure]> {
  let summary = "the position of the level above below which one of level `level` lies";
  let description = [{
    `root` says which storage; the parent is one of `first` to `last` (the preimage of 003 section IV).
    Takes time in proportion to the logarithm of their number, or none.
    Example: `%p = lvl.parent %r[1] of %q among %b to %e`.
  }];
  let arguments = (ins Lvl_Path:$root, I64Attr:$level, Index:$child, Index:$first, Index:$last);
  let results = (outs Index:$parent);
  let builders = [OpBuilder<(ins "::mlir::Value":$root, "int64_t":$level, "::mlir::Value":$child,
                                 "::mlir::Value":$first, "::mlir::Value":$last), [{
    build($_builder, $_state, $_builder.getIndexType(), root, level, child, first, last);
  }]>];
  let assemblyFormat = "$root `[` $level `]` `of` $child `among` $first `to` $last attr-dict";
}

def Lvl_CoordinateOp : Lvl_Op<"coordinate", [Pure]> {
  let summary = "the coordinate of a position of level `level`";
  let description = [{
    `root` says which storage; `parent` is the position of the level above below which it lies.
    Example: `%c = lvl.coordinate %r[1] of %q below %p`.
  }];
  let arguments = (ins Lvl_Path:$root, I64Attr:$level, Index:$position, Index:$parent);
  let results = (outs Index:$coordinate);
  let builders = [OpBuilder<(ins "::mlir::Value":$root, "int64_t":$level, "::mlir::Value":$position,
                                 "::mlir::Value":$parent), [{
    build($_builder, $_state, $_builder.getIndexType(), root, level, position, parent);
  }]>];
  let assemblyFormat = "$root `[` $level `]` `of` $position `below` $parent attr-dict";
}

def Lvl_IteratorOp : Lvl_Op<"iterator", [Pure, AttrSizedOperandSegments]> {
  let summary = "an iterator over index variables, by one or more levels from `level` on";
  let description = [{
    `steps` says what is done with each of these levels: an affine map locates it at that
    coordinate, `unit` walks it. The maps, and `compose`, which gives the index variable's value,
    or those of several that the levels determine together, take as dims the `fixed` values and as symbols the coordinates of the levels walked so far.
    So a matrix in blocks of four gives its columns by walking block columns (s0), locating the
    row in the block, and walking the columns in the block (s1), as `s0 * 4 + s1`.

    Over several variables an iterator gives tuples: diagonals (s0) and the rows on each (s1) give
    rows and columns, as `(s1, s0 + s1)`; the entries of COO give them as `(s0, s1)`, without
    `dedup`, so that no loop is left but that over its positions (004 section 4.5).

    `ranks` names for each value the dimension of which it is the rank, where the storage sorts that
    dimension, and -1 elsewhere: the coordinate is then looked up in the order that is stored.

    With an `extent`, values outside `[0, extent)` are passed over: a window on a part of the tensor.
    With `seek` the walk begins at the first value inside, and ends behind the last, which are
    searched: it walks one level, in order, by position.

    With `within` the level that it walks, the only one, is walked at these positions alone.

    With `dedup` positions with equal coordinates are visited together, as a path that stands for
    the run of them (004 section 4.4: deduplication and, one level below, iterator chaining). With
    `whole` a run belongs to the range in which it begins: it is walked to its end, and one that
    began before is not.

    With `windows` the dimensions of the storage that they name are walked between two coordinates alone,
    `[from, to)`: the levels that determine them, and those above whose coordinates they bound, begin and
    end there. So a block of rows is walked on the diagonals that cross it, and on each of these where it
    crosses it. A level that stores coordinates is searched for the first and the last of them.

    With a `guard`, the parent may be absent: there the iterator reads no buffer and is empty.

    Example: `%it = lvl.iterator %p[1] fixed() steps [unit] compose affine_map<()[s0] -> (s0)>`.
  }];
  let arguments = (ins Lvl_Path:$parent, I64Attr:$level, Variadic<Index>:$fixed,
                       Optional<Index>:$extent, Optional<I1>:$guard, Optional<Index>:$firstPosition,
                       Optional<Index>:$lastPosition, Variadic<Index>:$windowBegins,
                       Variadic<Index>:$windowEnds, ArrayAttr:$steps, AffineMapAttr:$compose, UnitAttr:$dedup,
                       OptionalAttr<DenseI64ArrayAttr>:$ranks, UnitAttr:$seek, UnitAttr:$whole,
                       OptionalAttr<DenseI64ArrayAttr>:$windows);
  let results = (outs Lvl_Iterator:$iterator);
  let builders = [OpBuilder<(ins "::mlir::Value":$parent, "int64_t":$level, "::mlir::ValueRange":$fixed, "::mlir::Value":$extent, "::mlir::ArrayAttr":$steps,
      "::mlir::AffineMapAttr":$compose, "bool":$dedup, CArg<"::mlir::Value", "nullptr">:$guard), [{
    build($_builder, $_state, IteratorType::get($_builder.getContext()), parent, level, fixed,
          extent, guard, /*firstPosition=*/nullptr, /*lastPosition=*/nullptr, /*windowBegins=*/{}, /*windowEnds=*/{}, steps, compose.getValue(), dedup,
          ::mlir::DenseI64ArrayAttr(), /*seek=*/false, /*whole=*/false, /*windows=*/::mlir::DenseI64ArrayAttr());
  }]>];
  let assemblyFormat = [{
    $parent `[` $level `]` `fixed` `(` $fixed `)` `steps` $steps `compose` $compose
    (`extent` $extent^)? (`seek` $seek^)? (`within` $firstPosition^ `to` $lastPosition)?
    (`windows` $windows^ `from` `(` $windowBegins `)` `to` `(` $windowEnds `)`)? (`if` $guard^)? (`dedup` $dedup^)? (`whole` $whole^)? (`ranks` $ranks^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Lvl_CoiterateOp : Lvl_Op<"coiterate", [AttrSizedOperandSegments]> {
  let summary = "merges iterators over one index variable, or over several at once";
  let description = [{
    Visits, in ascending order, the values of an index variable at which some case holds. Case k
    is a set `cases[k]` of iterators; at a value, the fullest case holds whose iterators are all
    there (with two cases, their union is one). Its region gets the value, a path from each of its
    iterators, and the carried values; so where others are there besides, they do not matter. Where
    no case holds, the value is passed over. With a `universe` every value in `[0, universe)` is
    visited, and a case may be empty. One iterator alone need not be ordered, and may visit a value
    several times.

    Iterators over several variables yield tuples, each of which is one value: the region gets a
    coordinate for each variable. Where they are merged, tuples ascend in lexicographic order, their
    coordinates are those that the levels store, and there is no universe.

    With `pieces` what it visits may be cut into pieces that run at once: it carries nothing but the
    builder, and one iterator or the universe is alone. The number says which of the iterator's steps
    is cut: 0 the outermost; a later one, over coordinates, below all that those before it visit.
    Entries that are counted first may come in any order; else each value is visited once, and the
    result's first level is over it; or each piece has places of the result for itself.

    With `neutrals`, one for each iterator, the cases need not be told apart: where an iterator is not
    there, the fullest case does what the case that holds does, if the values of its path are taken
    for the neutral constant. Then every set of iterators is a case.

    With `predicates` there is one case, which gets besides the paths a flag for each of its
    iterators: whether that one is there. One region then stands for all cases, where a region for
    each would be too much code. The predicates are sets of iterators: a value is visited where all
    iterators of one of these sets are there, whatever else is. The path of one that is not there
    leads to nothing: an iterator below it is empty, what is located below it is not found, and its
    value may not be read.

    With `admitting` the intersection of two iterators may be walked without that one: what its region
    inserts is dropped where it is not there (`lvl.admit`).

    `collects`: it adds to the result what the pieces of another loop have left in a workspace.

    `gallop`: iterators of which one case takes what all have are searched for each other's
    coordinates (true) or walked step by step (false); without it, as their lengths suggest.

    The `mark` is that of the loop in cin; the loops that do not merge keep to it.

    This is the merge lattice of 004 section 4.1 as an op: one region per point; the loops, one
    for each set of iterators that can remain, are made by the pass that lowers it.

    Example, a union:
    ```mlir
    lvl.coiterate "i" over (%b, %c) case [0, 1] (%i, %p, %q) {...} case [0] (%i, %p) {...} case [1] (%i, %q) {...}
    ```
  }];
  let arguments = (ins Optional<Index>:$universe, Variadic<Lvl_Iterator>:$iterators,
                       Variadic<AnyType>:$inits, ArrayAttr:$cases, StrAttr:$name,
                       OptionalAttr<I64Attr>:$pieces, OptionalAttr<ArrayAttr>:$neutrals,
                       OptionalAttr<I64Attr>:$admitting, OptionalAttr<ArrayAttr>:$predicates,
                       UnitAttr:$collects, OptionalAttr<BoolAttr>:$gallop,
                       OptionalAttr<Ta_MarkAttr>:$mark);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region VariadicRegion<SizedRegion<1>>:$bodies);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The iterators that are there in case `at`, ascending.
    ::llvm::ArrayRef<int64_t> getCase(unsigned at) {
      return ::mlir::cast<::mlir::DenseI64ArrayAttr>(getCases()[at]).asArrayRef();
    }
    /// The iterators of which predicate `at` asks that they are there, ascending.
    ::llvm::ArrayRef<int64_t> getPredicate(unsigned at) {
      return ::mlir::cast<::mlir::DenseI64ArrayAttr>((*getPredicates())[at]).asArrayRef();
    }
    /// How many index variables are visited together.
    unsigned getVariableCount();
    /// Tells whether it carries scalars alone, and only reads: pieces of the loops beside it do not
    /// depend on how it runs.
    bool carriesScalars();
  }];
}

def Lvl_ValueOp : Lvl_Op<"value"> {
  let summary = "the stored value at the end of a path";
  let description = [{
    Of a path that stands for a run of duplicates, the sum over the run.
    Example: `%v = lvl.value %p : f64`.
  }];
  let arguments = (ins Lvl_Path:$path);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$path attr-dict `:` type($value)";
}

def Lvl_YieldOp : Lvl_Op<"yield", [Pure, Terminator]> {
  let summary = "the carried values at the end of a case";
  let description = [{ Ends a region of `lvl.coiterate`. Example: `lvl.yield %t : f64`. }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

//===------------------------------------------------------------------------------------------===//
// Assembly
//===------------------------------------------------------------------------------------------===//

def Lvl_BuildOp : Lvl_Op<"build"> {
  let summary = "begins a storage";
  let description = [{
    Reserves what is known in advance; places for every coordinate hold the fill. `like` names
    storages whose entries bound those to come. `counted`: `lvl.count` for every entry and then
    `lvl.reserve` come before the first is inserted. `gathered` names a level whose coordinates are
    inserted into a workspace, an `array` or a `table` (see `cin.build`), in any order, until `lvl.close`
    appends them. `initial` is what an entry holds before the first value is combined with it, if
    that is not the fill. `partial`: the loops need not reach all of the result. `unfilled`: places
    hold nothing until they are inserted with `filling`, or stored. `covered`: the loops insert every
    place if each of them has values, whatever the data are: the first of them may take the fill's place.
    Example: `%b = lvl.build %C like(%A) gathered 1 in table : !ta.storage<tensor<?x?xf64, #CSR>>,
    !ta.storage<tensor<?x?xf64, #CSR>>`.
  }];
  let arguments = (ins Ta_StorageType:$storage, Variadic<Ta_StorageType>:$like, UnitAttr:$counted,
                       OptionalAttr<I64Attr>:$gathered, OptionalAttr<Ta_Workspace>:$workspace,
                       OptionalAttr<TypedAttrInterface>:$initial, UnitAttr:$partial,
                       UnitAttr:$unfilled, UnitAttr:$covered);
  let results = (outs Lvl_Builder:$building);
  let builders = [OpBuilder<(ins "::mlir::Value":$storage, "::mlir::ValueRange":$like, "bool":$counted,
                                 "std::optional<int64_t>":$gathered,
                                 "::strata::ta::WorkspaceAttr":$workspace,
                                 "::mlir::TypedAttr":$initial, "bool":$partial), [{
    build($_builder, $_state, BuilderType::get($_builder.getContext()), storage, like, counted,
          gathered ? $_builder.getI64IntegerAttr(*gathered) : ::mlir::IntegerAttr(),
          gathered ? workspace : ::strata::ta::WorkspaceAttr(), initial, partial, /*unfilled=*/false,
          /*covered=*/false);
  }]>];
  let assemblyFormat = [{
    $storage (`like` `(` $like^ `)`)? (`counted` $counted^)?
    (`gathered` $gathered^ `in` $workspace)? (`partial` $partial^)? (`unfilled` $unfilled^)?
    (`covered` $covered^)? attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

def Lvl_WorkspaceOp : Lvl_Op<"workspace"> {
  let summary = "scratch memory for the kernel";
  let description = [{
    Room for `count` values, whatever they are at first; the kernel gives it back at its end. Stands
    before all loops; where they are cut into pieces, each piece has its own, unless they are `shared`.
    Example: `%w = lvl.workspace %n : memref<?xf64>`.
  }];
  let arguments = (ins Index:$count, UnitAttr:$shared);
  let results = (outs AnyMemRef:$values);
  let assemblyFormat = "$count (`shared` $shared^)? attr-dict `:` type($values)";
}

def Lvl_CountOp : Lvl_Op<"count"> {
  let summary = "counts an entry that level `level` will get below `parent`";
  let description = [{
    The first pass of an assembly that counts; the level must have that capability.
    Example: `%b2 = lvl.count %b[1] below %p at %c`.
  }];
  let arguments = (ins Lvl_Builder:$building, I64Attr:$level, Lvl_Path:$parent, Index:$coordinate);
  let results = (outs Lvl_Builder:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$building, "int64_t":$level, "::mlir::Value":$parent,
                                 "::mlir::Value":$coordinate), [{
    build($_builder, $_state, BuilderType::get($_builder.getContext()), building, level, parent, coordinate);
  }]>];
  let assemblyFormat = "$building `[` $level `]` `below` $parent `at` $coordinate attr-dict";
}

def Lvl_ReserveOp : Lvl_Op<"reserve"> {
  let summary = "makes room for the entries that were counted";
  let description = [{ Between the two passes of an assembly that counts. Example: `%b2 = lvl.reserve %b`. }];
  let arguments = (ins Lvl_Builder:$building);
  let results = (outs Lvl_Builder:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$building), [{
    build($_builder, $_state, BuilderType::get($_builder.getContext()), building);
  }]>];
  let assemblyFormat = "$building attr-dict";
}

def Lvl_UpdateOp : Lvl_Op<"update"> {
  let summary = "goes on with a storage that has a place for every coordinate";
  let description = [{ Example: `%b = lvl.update %y : !ta.storage<tensor<?xf64>>`. }];
  let arguments = (ins Ta_StorageType:$storage);
  let results = (outs Lvl_Builder:$building);
  let builders = [OpBuilder<(ins "::mlir::Value":$storage), [{
    build($_builder, $_state, BuilderType::get($_builder.getContext()), storage);
  }]>];
  let assemblyFormat = "$storage attr-dict `:` type($storage)";
}

def Lvl_RefillOp : Lvl_Op<"refill"> {
  let summary = "computes the values of a storage whose pattern is there";
  let description = [{
    All entries begin afresh, as the fill, or as `initial` where a first value is combined with that.
    Nothing is assembled: `lvl.insert` finds a coordinate, in any order of the loops. To put a value
    where the pattern has no place ends the kernel. In the level that `indexed` names, coordinates are
    found below the path of the last `lvl.index`. `partial`, `unfilled` and `covered` are those of `lvl.build`.
    Example: `%b = lvl.refill %C indexed 1 : !ta.storage<tensor<?x?xf64, #CSR>>`.
  }];
  let arguments = (ins Ta_StorageType:$storage, OptionalAttr<I64Attr>:$indexed,
                       OptionalAttr<TypedAttrInterface>:$initial, UnitAttr:$partial,
                       UnitAttr:$unfilled, UnitAttr:$covered);
  let results = (outs Lvl_Builder:$building);
  let builders = [OpBuilder<(ins "::mlir::Value":$storage, "std::optional<int64_t>":$indexed, "::mlir::TypedAttr":$initial,
                                 "bool":$partial), [{
    build($_builder, $_state, BuilderType::get($_builder.getContext()), storage,
          indexed ? $_builder.getI64IntegerAttr(*indexed) : ::mlir::IntegerAttr(), initial, partial,
          /*unfilled=*/false, /*covered=*/false);
  }]>];
  let assemblyFormat = [{
    $storage (`indexed` $indexed^)? (`partial` $partial^)? (`unfilled` $unfilled^)? (`covered` $covered^)?
    attr-dict `:` type($storage)
  }];
}

def Lvl_IndexOp : Lvl_Op<"index"> {
  let summary = "indexes the children of a path by their coordinates";
  let description = [{
    Of the level that `lvl.refill` names: from here on they are found at once, in any order.
    Example: `%b2 = lvl.index %b[1] below %p`.
  }];
  let arguments = (ins Lvl_Builder:$building, I64Attr:$level, Lvl_Path:$parent);
  let results = (outs Lvl_Builder:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$building, "int64_t":$level, "::mlir::Value":$parent), [{
    build($_builder, $_state, BuilderType::get($_builder.getContext()), building, level, parent);
  }]>];
  let assemblyFormat = "$building `[` $level `]` `below` $parent attr-dict";
}

def Lvl_InsertOp : Lvl_Op<"insert", [AttrSizedOperandSegments]> {
  let summary = "gives a coordinate of level `level` a position";
  let description = [{
    Appended, inserted, or merely computed, as the level does it. Levels that append get their
    coordinates in storage order. `parent` may be left out where the level does not need it: a
    parent that is stored only if it has children comes after them. With `admitted`, of a gathered
    level, a coordinate that `lvl.admit` did not name is given a position whose value is never read,
    or none; so is one that it named and that the pattern of `lvl.refill` lacks an error. `filling`: so
    many places of the last level, all that lie below the position, get the fill.
    Example: `%b2, %p = lvl.insert %b[1] below %r at %j`.
  }];
  let arguments = (ins Lvl_Builder:$building, I64Attr:$level, Optional<Lvl_Path>:$parent,
                       Index:$coordinate, Optional<Index>:$filling, UnitAttr:$admitted);
  let results = (outs Lvl_Builder:$result, Lvl_Path:$path);
  let builders = [OpBuilder<(ins "::mlir::Value":$building, "int64_t":$level, "::mlir::Value":$parent, "::mlir::Value":$coordinate), [{
    build($_builder, $_state, BuilderType::get($_builder.getContext()), PathType::get($_builder.getContext()),
          building, level, parent, coordinate, /*filling=*/::mlir::Value());
  }]>];
  let assemblyFormat = [{
    $building `[` $level `]` (`below` $parent^)? `at` $coordinate (`filling` $filling^)? attr-dict
  }];
}

def Lvl_MarkOp : Lvl_Op<"mark"> {
  let summary = "the number of positions of level `level` so far";
  let description = [{ What is appended from here on belongs to one parent, until `lvl.close`. Example: `%m = lvl.mark %b[1]`. }];
  let arguments = (ins Lvl_Builder:$building, I64Attr:$level);
  let results = (outs Index:$count);
  let builders = [OpBuilder<(ins "::mlir::Value":$building, "int64_t":$level), [{
    build($_builder, $_state, $_builder.getIndexType(), building, level);
  }]>];
  let assemblyFormat = "$building `[` $level `]` attr-dict";
}

def Lvl_CloseOp : Lvl_Op<"close"> {
  let summary = "the children of `parent` at level `level` are the positions since `mark`";
  let description = [{ `append_edges` of 004 Table 3.3. Example: `%b2 = lvl.close %b[1] below %p since %m`. }];
  let arguments = (ins Lvl_Builder:$building, I64Attr:$level, Lvl_Path:$parent, Index:$mark);
  let results = (outs Lvl_Builder:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$building, "int64_t":$level, "::mlir::Value":$parent, "::mlir::Value":$mark), [{
    build($_builder, $_state, BuilderType::get($_builder.getContext()), building, level, parent, mark);
  }]>];
  let assemblyFormat = "$building `[` $level `]` `below` $parent `since` $mark attr-dict";
}

def Lvl_RetractOp : Lvl_Op<"retract"> {
  let summary = "takes back the coordinate that level `level` appended last";
  let description = [{
    Nothing was put below it. Example: `%b2 = lvl.retract %i from %b[0]`.
  }];
  let arguments = (ins Index:$coordinate, Lvl_Builder:$building, I64Attr:$level);
  let results = (outs Lvl_Builder:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$coordinate, "::mlir::Value":$building, "int64_t":$level), [{
    build($_builder, $_state, BuilderType::get($_builder.getContext()), coordinate, building, level);
  }]>];
  let assemblyFormat = "$coordinate `from` $building `[` $level `]` attr-dict";
}

def Lvl_AdmitOp : Lvl_Op<"admit"> {
  let summary = "the coordinates that are gathered count only where an iterator has them";
  let description = [{
    Until `lvl.dismiss`, of the gathered level; until the next `lvl.index`, of an indexed one. The
    iterator walks one level in order. `shown`: a value that came differs from what entries hold at
    first, so that nothing else need say which came.
    Example: `%b2 = lvl.admit %b over %mask`.
  }];
  let arguments = (ins Lvl_Builder:$building, Lvl_Iterator:$iterator, UnitAttr:$shown);
  let results = (outs Lvl_Builder:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$building, "::mlir::Value":$iterator), [{
    build($_builder, $_state, BuilderType::get($_builder.getContext()), building, iterator, false);
  }]>];
  let assemblyFormat = "$building `over` $iterator (`shown` $shown^)? attr-dict";
}

def Lvl_DismissOp : Lvl_Op<"dismiss"> {
  let summary = "ends `lvl.admit`: what was gathered is now known, in order";
  let description = [{ Over the same iterator. Example: `%b2 = lvl.dismiss %b over %mask`. }];
  let arguments = (ins Lvl_Builder:$building, Lvl_Iterator:$iterator);
  let results = (outs Lvl_Builder:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$building, "::mlir::Value":$iterator), [{
    build($_builder, $_state, BuilderType::get($_builder.getContext()), building, iterator);
  }]>];
  let assemblyFormat = "$building `over` $iterator attr-dict";
}

def Lvl_StoreOp : Lvl_Op<"store"> {
  let summary = "stores a value at the end of a path of a builder";
  let description = [{
    With `combine`, combined with the value there; with `atomic` so that others can do the same at once.
    Example: `lvl.store %b at %p, %v combine add : f64`.
  }];
  let arguments = (ins Lvl_Builder:$building, Lvl_Path:$path, AnyType:$value,
                       OptionalAttr<Ta_Combine>:$combine, UnitAttr:$atomic);
  let assemblyFormat = "$building `at` $path `,` $value (`combine` $combine^)? attr-dict `:` type($value)";
}

def Lvl_RequireOp : Lvl_Op<"require"> {
  let summary = "a size must be one of those that the kernel is compiled for";
  let description = [{
    Ends the kernel, as contradicted by an argument, where `extent` is not in [`least`, `most`].
    Example: `lvl.require %n in 32 to 32`.
  }];
  let arguments = (ins Index:$extent, I64Attr:$least, I64Attr:$most);
  let assemblyFormat = "$extent `in` $least `to` $most attr-dict";
}

def Lvl_FinalizeOp : Lvl_Op<"finalize"> {
  let summary = "finishes a storage";
  let description = [{ Hands the buffers over, trimmed to what is used. Example: `lvl.finalize %b`. }];
  let arguments = (ins Lvl_Builder:$building);
  let assemblyFormat = "$building attr-dict";
}

//===------------------------------------------------------------------------------------------===//
// Dense contractions
//===------------------------------------------------------------------------------------------===//

def Lvl_Buffer : MemRefRankOf<[AnyType], [1]>;

def Lvl_ValuesOp : Lvl_Op<"values", [Pure]> {
  let summary = "the buffer of the values of a storage, or of one in the making";
  let description = [{
    A value lies at the position of its path (`lvl.position`). Of a storage in the making all levels must
    have a place for every coordinate, so that the buffer stays where it is.
    Example: `%v = lvl.values %A : !ta.storage<tensor<?x?xf64>> -> memref<?xf64>`.
  }];
  let arguments = (ins AnyTypeOf<[Ta_StorageType, Lvl_Builder]>:$storage);
  let results = (outs Lvl_Buffer:$buffer);
  let assemblyFormat = "$storage attr-dict `:` type($storage) `->` type($buffer)";
}

def Lvl_PiecesOp : Lvl_Op<"pieces", [Pure]> {
  let summary = "the number of pieces in which the outermost loops run";
  let description = [{ 1 where they are not cut. Example: `%n = lvl.pieces %b`. }];
  let arguments = (ins Lvl_Builder:$building);
  let results = (outs Index:$count);
  let builders = [OpBuilder<(ins "::mlir::Value":$building), [{
    build($_builder, $_state, $_builder.getIndexType(), building);
  }]>];
  let assemblyFormat = "$building attr-dict";
}

def Lvl_FillOp : Lvl_Op<"fill"> {
  let summary = "gives all places of a result the fill";
  let description = [{
    Before loops that cover the result, instead of where it is built (`lvl.build` says `unfilled`): they
    reach every place, so that those that store the first value there do without it.
    Example: `lvl.fill %b`.
  }];
  let arguments = (ins Lvl_Builder:$building);
  let assemblyFormat = "$building attr-dict";
}

def Lvl_ContractOp : Lvl_Op<"contract", [AttrSizedOperandSegments]> {
  let summary = "adds a dense contraction to a buffer, or stores it there";
  let description = [{
    `C[c + m sm + n sn] += A[a + m rm + k rk] * B[b + n qn + k qk]` for all values of its labels. Each
    label, of which `over` gives the role and how many values it has, is a row (of the left operand and
    the result), a column (of the right operand and the result), summed (of both operands), or
    batched (of all three). A step of a label moves so far in each buffer as `by` says, in the order of
    the labels; 0 where it does not move. The label whose values are neighbours in the result, if
    there is one, is no row.

    Elements are added up by `sums` and multiplied by `products`, which are operators of a semiring.
    Products are multiplied by the numbers of `scaled`, and `negates` subtracts them. `overwrites`: the
    result is the sums alone, whatever was there. `nesting` says for each label by how many sizes a
    step of it is multiplied in the result, from which follows the order of the result's labels.

    With `pieces` so many threads may share the work, in which each element of the result adds up its
    terms in the same order for any number of them. Without, the operation stands in other loops.

    In lvl, before level formats were asked for their functions, it is the first branch of an `scf.if`
    whose other branch has the loops that do the same (with them the terms of the result that are no
    contraction, as loops before it): of so few products that blocks are not worthwhile.

    Example:
    ```
    lvl.contract %A[%a] by (%k, %c0, %c1), %B[%b] by (%c0, %c1, %n) into %C[%c] by (%n, %c1, %c0)
      over (row %m, column %n, summed %k) sums add of mul {nesting = array<i64: 1, 0, 0>}
      : memref<?xf64>, memref<?xf64>, memref<?xf64>
    ```
  }];
  let arguments = (ins Arg<Lvl_Buffer, "", [MemRead]>:$left, Index:$leftBegin,
                       Variadic<Index>:$leftStrides,
                       Arg<Lvl_Buffer, "", [MemRead]>:$right, Index:$rightBegin,
                       Variadic<Index>:$rightStrides,
                       Arg<Lvl_Buffer, "", [MemRead, MemWrite]>:$result, Index:$resultBegin,
                       Variadic<Index>:$resultStrides,
                       DenseI32ArrayAttr:$roles,
                       Variadic<Index>:$extents, Optional<Index>:$pieces,
                       Variadic<AnyType>:$scales, Ta_Combine:$sums, Ta_Combine:$products,
                       UnitAttr:$negates, UnitAttr:$overwrites, DenseI64ArrayAttr:$nesting);
  let assemblyFormat = [{
    $left `[` $leftBegin `]` `by` `(` $leftStrides `)` `,`
    $right `[` $rightBegin `]` `by` `(` $rightStrides `)` `into`
    $result `[` $resultBegin `]` `by` `(` $resultStrides `)` `over` custom<Labels>($roles, $extents)
    (`pieces` $pieces^)? `sums` $sums `of` $products (`scaled` `(` $scales^ `:` type($scales) `)`)?
    attr-dict `:` type($left) `,` type($right) `,` type($result)
  }];
  let hasVerifier = 1;
}

#endif // STRATA_DIALECT_LVL_LVLOPS_TD
