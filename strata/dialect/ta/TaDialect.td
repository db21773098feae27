// The ta dialect, its attributes and types: what is computed, and how tensors are stored.
#ifndef STRATA_DIALECT_TA_TADIALECT_TD
#define STRATA_DIALECT_TA_TADIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"

def Ta_Dialect : Dialect {
  let name = "ta";
  let cppNamespace = "::strata::ta";
  let summary = "tensor algebra: what is computed, on values";
  let description = [{
    Tensors are builtin `tensor` values whose encoding, a `#ta.format`, says how they are stored;
    without one they are dense and row-major. One statement of index notation is one `ta.compute`.
    Everything around the statements (reading, writing, converting, printing) is host code.

    What a storage does not hold is worth the format's fill value, and an absent fill that
    annihilates does so even against NaN: `A[i,j] * x[j]` reads no `x[j]` where `A` stores nothing.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::complex::ComplexDialect"];
}

def Ta_LevelAttr : AttrDef<Ta_Dialect, "Level"> {
  let mnemonic = "level";
  let summary = "one level of a storage: its format by name, and the properties asked of it";
  let description = [{
    The name is one that the registry of level formats knows. `unique` and `ordered` state what
    the coordinates below one parent promise; both hold unless `nonunique` or `unordered` is said.
    A format that cannot give up a property refuses the word. `aos` says that the coordinates of the
    singleton levels that follow lie in this level's buffer, in turns with its own: entry p of a
    chain of d levels has its coordinates in d neighbouring elements, from d * p on (an array of
    structs, 004 section 5.2). `parameter` is the number that some
    level formats need, as how many places `structured` has below each parent; 0 elsewhere.

    `pos` and `crd` are the widths in bits of the positions and coordinates that the level stores
    (8 to 64; left out, or 0: chosen when the sizes and the number of entries are known); a level
    that stores none refuses the word. Stored coordinates of 8 and 16 bits are unsigned, but
    where the format's map can make them negative, where one marks a pad, or where `signed` is
    said; wider ones are signed.

    Examples: `#ta.level<compressed(nonunique, pos = 32, crd = 16)>`, `#ta.level<structured(2)>`,
    `#ta.level<compressed(nonunique, aos)>`.
  }];
  let parameters = (ins StringRefParameter<"the level format's name">:$name,
                        "bool":$unique, "bool":$ordered, "int64_t":$parameter, "bool":$signedCrd,
                        "bool":$aos, "unsigned":$posWidth, "unsigned":$crdWidth);
  let builders = [
    AttrBuilder<(ins "::llvm::StringRef":$name, "bool":$unique, "bool":$ordered,
                     CArg<"int64_t", "0">:$parameter, CArg<"bool", "false">:$aos), [{
      return $_get($_ctxt, name, unique, ordered, parameter, /*signedCrd=*/false, aos,
                   /*posWidth=*/0u, /*crdWidth=*/0u);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The same level with these widths, where it stores positions and coordinates at all.
    LevelAttr withWidths(unsigned pos, unsigned crd) const;
    /// The same level; widths that it leaves open are these.
    LevelAttr withOpenWidths(unsigned pos, unsigned crd) const;
    /// The same level; its coordinates can be negative.
    LevelAttr withSignedCrd() const;
  }];
}

def Ta_FormatAttr : AttrDef<Ta_Dialect, "Format",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "format";
  let summary = "how a tensor is stored: a map from dimensions to levels, and each level's format";
  let description = [{
    The map sends the coordinates of the tensor's dimensions to those of the storage's levels, from
    the root down; its results may use `+`, `-`, `floordiv` and `mod` by constants and must
    determine every dimension. A result `slot(i)` numbers what is stored with the same `i` (a row's
    entries from left to right), `slot(i, j)` with the same `i` and `j`. How many slots there are
    follows from the data and is stored with the tensor. `pos` and `crd` behind the levels are the
    widths of all levels that state none of their own. `fill` is the value of what is not stored
    (left out: zero).

    `i sorted` among the dimensions says that a reordering of `i` belongs to the format: what the
    levels are of is its rank, in descending order of how many entries have that `i`; `sorted(256)`
    that this holds in each window of 256, which no `i` leaves. The order is stored with the tensor;
    expressions, output and files have the tensor's own coordinates.

    Examples:

    ```mlir
    #CSR  = #ta.format<(i, j) -> (i : dense, j : compressed)>
    #COO  = #ta.format<(i, j) -> (i : compressed(nonunique), j : singleton(crd = 16)), crd = 32>
    #AoS  = #ta.format<(i, j) -> (i : compressed(nonunique, aos), j : singleton)>
    #BCSR = #ta.format<(i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed,
                                  i mod 4 : dense, j mod 4 : dense)>
    #DIA  = #ta.format<(i, j) -> (j - i : compressed, i : range, j : offset)>
    #ELL  = #ta.format<(i, j) -> (slot(i) : dense, i : dense, j : padded)>
    #JDS  = #ta.format<(i sorted, j) -> (slot(i) : dense, i : ragged, j : padded)>
    ```

    Source: 004 chapter 3 (coordinate hierarchies); the map from dimensions to levels follows
    MLIR's sparse tensor encodings (001 section 4.1), and goes beyond them.
  }];
  let parameters = (ins "::mlir::AffineMap":$dimToLvl,
                        ArrayRefParameter<"LevelAttr">:$levels,
                        OptionalParameter<"::mlir::Attribute">:$fill,
                        OptionalArrayRefParameter<"int64_t", "window of each dimension that is sorted; 0 where none is">:$windows);
  let builders = [
    AttrBuilder<(ins "::mlir::AffineMap":$map, "::llvm::ArrayRef<LevelAttr>":$levels,
                     "::mlir::Attribute":$fill), [{
      return $_get($_ctxt, map, levels, fill, ::llvm::ArrayRef<int64_t>());
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The window of what is sorted as a whole.
    static constexpr int64_t whole = std::numeric_limits<int64_t>::max();
    unsigned getDimRank() const { return getDimToLvl().getNumDims(); }
    unsigned getLvlRank() const { return getDimToLvl().getNumResults(); }
    /// Is the level's coordinate a slot? (See FormatMap.h.)
    bool isSlot(unsigned lvl) const;
    bool hasSlots() const;
    /// The dimensions whose ranks are stored instead of their coordinates.
    ::llvm::SmallVector<unsigned> sortedDims() const;
    /// True if every level is stored in full and the map is the identity.
    bool isDenseRowMajor() const;
    /// True if all levels are full: every coordinate has a place.
    bool isFull() const;
    /// True if places are stored regardless of entries (full levels, blocks, diagonals): there a
    /// stored fill cannot be told from one that is not.
    bool hasPadding() const;
    /// True of a list of entries in no order, in which the same coordinates may occur again and
    /// then mean the sum: every level appends and promises nothing.
    bool isList() const;
    /// The same format with these widths in all levels.
    FormatAttr withWidths(unsigned pos, unsigned crd) const;
    /// The same format; widths that it leaves open are these.
    FormatAttr withOpenWidths(unsigned pos, unsigned crd) const;
    /// The same format with another fill.
    FormatAttr withFill(::mlir::Attribute fill) const;
    /// The same format with these levels.
    FormatAttr withLevels(::llvm::ArrayRef<LevelAttr> levels) const;
    /// Where the coordinates of a level lie.
    Interleaving interleaving(unsigned lvl) const;
    /// Can the coordinates that a level stores be negative?
    bool hasSignedCoordinates(unsigned lvl) const;
    /// The levels whose coordinates do not follow from those above.
    ::llvm::SmallVector<unsigned> givenLevels() const;
    /// The format of the tensor whose dimensions are this format's given levels, under the
    /// identity map: a storage of the one is a storage of the other. Packing works there.
    FormatAttr levelSpace() const;
  }];
}

def Ta_SumAttr : AttrDef<Ta_Dialect, "Sum",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "sum";
  let summary = "how a tensor is stored as the sum of several storages";
  let description = [{
    Each entry lies in one of the parts, whose sum the tensor is. From the first part on, each takes
    the entries that suit it, and the last one the rest:

    - a part with slots (ELL) takes as many of them as its limit says, by default as many as at
      least a third of what the slots are counted for (rows) fills;
    - one whose levels have room for so many entries (n:m) takes the first ones;
    - one that stores places beside those of entries (blocks, diagonals) takes those groups of places
      of which at least so many percent hold an entry as its limit says, by default 50.

    `limits` has one number for each part but the last, 0 for the default. All parts have the same
    fill. Options `pos` and `crd` are the widths of all levels that state none of their own.

    A sum is known to `ta` alone: before loops are chosen, an access to it becomes the sum of
    accesses to its parts (`ta.component`), or the statement one statement for each.

    Examples:

    ```mlir
    #HYB = #ta.sum<[#ELL, #COO], limits = [3]>
    #DIAs = #ta.sum<[#DIA, #CSR]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"FormatAttr">:$parts,
                        ArrayRefParameter<"int64_t">:$limits);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    unsigned getDimRank() const { return getParts().front().getDimRank(); }
    ::mlir::Attribute getFill() const { return getParts().front().getFill(); }
    /// True if some part stores places regardless of entries.
    bool hasPadding() const;
    /// The same sum of parts with other widths, fills, ....
    SumAttr withParts(::llvm::ArrayRef<FormatAttr> parts) const;
    /// The same sum; widths that it leaves open are these.
    SumAttr withOpenWidths(unsigned pos, unsigned crd) const;
    SumAttr withFill(::mlir::Attribute fill) const;
    /// A format for the whole tensor, where one storage is wanted: its coordinates, compressed.
    FormatAttr joined() const;
  }];
}

def Ta_Unit : I32EnumAttr<"Unit", "what takes the values of a loop", [
    I32EnumAttrCase<"serial", 0>, I32EnumAttrCase<"thread", 1>, I32EnumAttrCase<"vector", 2>]> {
  let cppNamespace = "::strata::ta";
}

def Ta_Strategy : I32EnumAttr<"Strategy", "what is done where values write to the same places", [
    I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"temporary", 1>, I32EnumAttrCase<"atomic", 2>]> {
  let cppNamespace = "::strata::ta";
}

def Ta_MarkAttr : AttrDef<Ta_Dialect, "Mark"> {
  let mnemonic = "mark";
  let summary = "how a loop runs";
  let description = [{
    A loop has one mark at most; without one it takes its values one after the other. The unit takes
    the values: `thread`, threads share them, which is an error where it is not possible; `vector`, so
    many at a time as `by` says, or as suit the processor, where the code generator can; `serial`, one
    after the other, as many without a test between them as `by` says.

    The strategy says what threads do whose values write to the same places: with `temporary` each
    value has sums of its own, which are added to the result in the order of the values; with
    `atomic` each adds to the result at once, in any order. Without one they must not
    (docs/rationale/Marks.md).

    Examples: `#ta.mark<serial by 4>`, `#ta.mark<thread with temporary>`, `#ta.mark<vector by 8>`.
  }];
  let parameters = (ins EnumParameter<Ta_Unit>:$unit,
                        DefaultValuedParameter<"::strata::ta::Strategy", "::strata::ta::Strategy::none">:$strategy,
                        DefaultValuedParameter<"int64_t", "0">:$count);
  let assemblyFormat = "`<` $unit (`with` $strategy^)? (`by` $count^)? `>`";
  let skipDefaultBuilders = 1;
  let builders = [AttrBuilder<(ins "::strata::ta::Unit":$unit,
                                   CArg<"::strata::ta::Strategy", "::strata::ta::Strategy::none">:$strategy,
                                   CArg<"int64_t", "0">:$count), [{
    return $_get($_ctxt, unit, strategy, count);
  }]>];
  let genVerifyDecl = 1;
}

def Ta_PlaceKind : I32EnumAttr<"PlaceKind", "what an axis of a machine does with a tensor", [
    // Cuts it by coordinates; by what is stored; not at all: all cells have the same, or one has it.
    I32EnumAttrCase<"share", 0>, I32EnumAttrCase<"entries", 1>,
    I32EnumAttrCase<"all", 2>, I32EnumAttrCase<"at", 3>]> {
  let cppNamespace = "::strata::ta";
}

def Ta_PlaceAttr : AttrDef<Ta_Dialect, "Place"> {
  let mnemonic = "place";
  let summary = "what one axis of a machine does with a tensor";
  let description = [{
    `share(0)` cuts dimension 0 into intervals of coordinates, one for each cell of the axis, and
    `share(0, 1)` the places of both dimensions in row-major order; `entries(0, 1)` cuts what is
    stored, in the order of these dimensions, into as many parts of equal size. `all` gives every
    cell of the axis the same, `at(2)` all to one cell.
  }];
  let parameters = (ins "::strata::ta::PlaceKind":$kind, ArrayRefParameter<"unsigned">:$dims,
                        "int64_t":$cell);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    bool cuts() const { return getKind() == PlaceKind::share || getKind() == PlaceKind::entries; }
  }];
}

def Ta_PlacementAttr : AttrDef<Ta_Dialect, "Placement"> {
  let mnemonic = "placement";
  let summary = "which cell of a machine has what of a tensor";
  let description = [{
    It has a place for each axis of the machine, which a `ta.machine` of the program declares. A
    dimension is cut by one axis at most, and one axis at most cuts by entries. Source: the
    distribution notation of 003 section 2.2.

    `listed` are dimensions of which each cell has those coordinates only that a list of its own
    names, and counts them by their numbers in the list (`ta.needs`): what `ta.fetch` brings. They are
    not cut by coordinates.

    Examples: `#ta.placement<"M", [share(0), all]>`, `#ta.placement<"M", [entries(0, 1)]>`,
    `#ta.placement<"M", [share(0)], listed(1)>`.
  }];
  let parameters = (ins StringRefParameter<"the machine's name">:$machine,
                        ArrayRefParameter<"PlaceAttr">:$places,
                        OptionalArrayRefParameter<"unsigned">:$listed);
  let builders = [
    AttrBuilder<(ins "::llvm::StringRef":$machine, "::llvm::ArrayRef<PlaceAttr>":$places)>
  ];
  let assemblyFormat = "`<` $machine `,` `[` $places `]` (`,` `listed` `(` $listed^ `)`)? `>`";
  let genVerifyDecl = 1;
}

def Ta_DistributedAttr : AttrDef<Ta_Dialect, "Distributed",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "distributed";
  let summary = "how a tensor is stored in pieces, and where these are";
  let description = [{
    Each piece is stored in the format, or the sum of formats. It is known to `ta` alone: a kernel
    works on pieces, or on whole tensors, and never meets this encoding.

    Example: `#ta.distributed<#CSR, #ta.placement<"M", [share(0)]>>`.
  }];
  let parameters = (ins "::mlir::Attribute":$stored, "::strata::ta::PlacementAttr":$placement);
  let assemblyFormat = "`<` $stored `,` $placement `>`";
  let genVerifyDecl = 1;
}

def Ta_StorageType : TypeDef<Ta_Dialect, "Storage"> {
  let mnemonic = "storage";
  let summary = "the place where a tensor's value lives";
  let description = [{
    A handle with effects: the buffers that the levels of the tensor's format declare, and one of
    values. `ta` computes on values; below it, kernels read and build storages. A tensor without
    an encoding is stored dense and row-major.

    Example: `!ta.storage<tensor<?x?xf64, #CSR>>`.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tensor);
  let assemblyFormat = "`<` $tensor `>`";
  let extraClassDeclaration = [{
    /// The format, spelled out also where the tensor has no encoding.
    FormatAttr getFormat() const;
    /// The type of its values inside statements (valueTypeOf).
    ::mlir::Type getElementType() const;
  }];
}

def Ta_Combine : I32EnumAttr<"Combine", "how several values for one place become one", [
    I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"mul", 1>,
    I32EnumAttrCase<"min", 2>, I32EnumAttrCase<"max", 3>,
    // One of the values, whichever; whether one is true (not zero), all are, an odd number is.
    I32EnumAttrCase<"any", 4>, I32EnumAttrCase<"lor", 5>,
    I32EnumAttrCase<"land", 6>, I32EnumAttrCase<"lxor", 7>,
    // Of integers without a sign.
    I32EnumAttrCase<"umin", 8>, I32EnumAttrCase<"umax", 9>]> {
  let cppNamespace = "::strata::ta";
}

def Ta_Relation : I32EnumAttr<"Relation", "how two values compare", [
    I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>, I32EnumAttrCase<"lt", 2>,
    I32EnumAttrCase<"le", 3>, I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>,
    // Of integers without a sign.
    I32EnumAttrCase<"ult", 6>, I32EnumAttrCase<"ule", 7>, I32EnumAttrCase<"ugt", 8>,
    I32EnumAttrCase<"uge", 9>]> {
  let cppNamespace = "::strata::ta";
}

def Ta_MissingAttr : AttrDef<Ta_Dialect, "Missing", [TypedAttrInterface]> {
  let mnemonic = "missing";
  let summary = "no value, where a statement tells what is stored from what is not";
  let description = [{
    What an access that is marked `missing` reads where its tensor stores nothing. An element
    operation on it is missing, a reduction passes over it, an assignment leaves its place as it is.
    It is known while statements are analysed; it never is a value at run time.
    Example: `#ta.missing : f64`.
  }];
  let parameters = (ins AttributeSelfTypeParameter<"the type of what is not there">:$type);
  let builders = [AttrBuilderWithInferredContext<(ins "::mlir::Type":$type), [{
    return $_get(type.getContext(), type);
  }]>];
  let assemblyFormat = "";
}

//===------------------------------------------------------------------------------------------===//
// Kernels: what stands on the function of one statement
//===------------------------------------------------------------------------------------------===//

def Ta_Phase : I32EnumAttr<"Phase", "which part of a statement's work a kernel does", [
    I32EnumAttrCase<"All", 0, "all">, I32EnumAttrCase<"Assemble", 1, "assemble">,
    I32EnumAttrCase<"Pattern", 2, "pattern">, I32EnumAttrCase<"Compute", 3, "compute">]> {
  let cppNamespace = "::strata::ta";
  let genSpecializedAttr = 0;
}

def Ta_PhaseAttr : EnumAttr<Ta_Dialect, Ta_Phase, "phase"> {
  let description = [{
    All of it, or one of the phases in which a library may want it (TACO's assemble and compute):
    `assemble` makes the pattern of the result, its values are the fill; `pattern` the same without
    values, for which there is to be room before they are computed; `compute` the values of a result
    whose pattern is there.

    Example: `strata.phase = #ta.phase<assemble>` on a kernel.
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Ta_Assumptions : I32BitEnumAttr<"Assumptions", "what a kernel relies on", [
    I32BitEnumAttrCaseNone<"None", "none">, I32BitEnumAttrCaseBit<"Windowed", 0, "windowed">,
    I32BitEnumAttrCaseBit<"Packs", 1, "packs">, I32BitEnumAttrCaseBit<"Slots", 2, "slots">,
    I32BitEnumAttrCaseBit<"Deterministic", 3, "deterministic">]> {
  let cppNamespace = "::strata::ta";
  let genSpecializedAttr = 0;
  let separator = ", ";
}

def Ta_AssumptionsAttr : EnumAttr<Ta_Dialect, Ta_Assumptions, "assumptions"> {
  let description = [{
    What holds of the arguments that a kernel is called with; it is a part of what tells kernels
    apart, and who calls one sees to it. `windowed`: a loop may reach a part only of an operand's
    dimension; without it a loop ends where the operand does. `packs`: the operand is a list of the
    result's entries in the order of its levels, and the room for them was counted. `slots`: the
    number of slots of the result is the last argument, and the loops number them. `deterministic`:
    each sum is to have the same bits on all processors, so that no product is fused with a sum, and
    none is computed in another order.

    Example: `strata.assumptions = #ta.assumptions<windowed>` on a kernel.
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Ta_Policy : I32BitEnumAttr<"Policy", "what the compiler chooses for a kernel", [
    I32BitEnumAttrCaseNone<"None", "none">, I32BitEnumAttrCaseBit<"Counted", 0, "counted">,
    I32BitEnumAttrCaseBit<"Table", 1, "table">, I32BitEnumAttrCaseBit<"Parts", 2, "parts">,
    I32BitEnumAttrCaseBit<"Threads", 3, "threads">,
    I32BitEnumAttrCaseBit<"RowBlocks", 4, "row_blocks">]> {
  let cppNamespace = "::strata::ta";
  let genSpecializedAttr = 0;
  let separator = ", ";
}

def Ta_PolicyAttr : EnumAttr<Ta_Dialect, Ta_Policy, "policy"> {
  let description = [{
    What estimates of the operands' entries speak for. A kernel is right without. `counted`: entries
    are counted before they are stored, where that is possible, so that both can be cut in pieces.
    `table`: what is gathered is gathered in a hash table, not in an array with a place for each
    coordinate. `parts`: where the values of the outermost loop add to the same places of a dense result,
    they are divided into parts with sums of their own, which threads make at once. `threads`, of a
    kernel whose statement has no schedule of its own: the values of outermost loops are shared among
    threads, where that is legal (`cin-parallelize-loops`). `row_blocks`: long rows of a dense result,
    to all of which each value of the outermost loop adds, are taken block by block.

    Example: `strata.policy = #ta.policy<table>` on a kernel.
  }];
  let assemblyFormat = "`<` $value `>`";
}

// An array has a place for each coordinate that there can be, a hash table for those touched.
def Ta_Workspace : I32EnumAttr<"Workspace", "what the entries of a result are gathered in", [
    I32EnumAttrCase<"Array", 0, "array">, I32EnumAttrCase<"Table", 1, "table">]> {
  let cppNamespace = "::strata::ta";
}

//===------------------------------------------------------------------------------------------===//
// Schedules
//===------------------------------------------------------------------------------------------===//

def Ta_CommandAttr : AttrDef<Ta_Dialect, "Command"> {
  let mnemonic = "command";
  let summary = "one scheduling command, with its arguments";
  let description = [{
    The name is one that the table of commands knows (strata/schedule/Commands.cpp); an argument is
    a name, a number, or a list of arguments in braces.

    Example: `#ta.command<reorder(i, k, j)>`.
  }];
  let parameters = (ins StringRefParameter<"the command's name">:$name,
                        OptionalArrayRefParameter<"::mlir::Attribute">:$arguments);
  let hasCustomAssemblyFormat = 1;
}

def Ta_ScheduleAttr : AttrDef<Ta_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "how the loops of a statement run: commands, the first first";
  let description = [{
    Each command rewrites the loops of the statement as the commands before it have left them
    (docs/Schedules.md). Labels are index variables by name.

    Example: `#ta.schedule<reorder(i, k, j), assemble(counted)>`.
  }];
  let parameters = (ins OptionalArrayRefParameter<"CommandAttr">:$commands);
  let hasCustomAssemblyFormat = 1;
}

#endif // STRATA_DIALECT_TA_TADIALECT_TD
