// The ta operations: text, verification, folding.
#include "strata/dialect/ta/PlaceMap.h"
#include "strata/dialect/ta/Placements.h"
#include "strata/dialect/ta/Ta.h"
#include "strata/runtime/Counted.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace strata::ta;

#define GET_OP_CLASSES
#include "strata/dialect/ta/TaOps.cpp.inc"

//===------------------------------------------------------------------------------------------===//
// Index variables: [%i = %n, %j = %m]
//===------------------------------------------------------------------------------------------===//

static ParseResult parseVariables(OpAsmParser &parser, OperationState &result,
                                  SmallVectorImpl<OpAsmParser::Argument> &variables, int &extents) {
  Type index = parser.getBuilder().getIndexType();
  auto variable = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand extent;
    OpAsmParser::Argument &argument = variables.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() || parser.parseOperand(extent) ||
        parser.resolveOperand(extent, index, result.operands))
      return failure();
    argument.type = index;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, variable))
    return failure();
  extents = variables.size();
  return success();
}

static void printVariables(OpAsmPrinter &printer, Block::BlockArgListType variables,
                           OperandRange extents) {
  printer << "[";
  llvm::interleaveComma(llvm::zip(variables, extents), printer, [&](auto pair) {
    printer << std::get<0>(pair) << " = " << std::get<1>(pair);
  });
  printer << "]";
}

// KEYWORD(%a, %b : type, type)
static ParseResult parseTyped(OpAsmParser &parser, OperationState &result, StringRef keyword,
                              int &count) {
  count = 0;
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLParen() || parser.parseOperandList(operands) ||
      parser.parseColonTypeList(types) || parser.parseRParen() ||
      parser.resolveOperands(operands, types, loc, result.operands))
    return failure();
  count = operands.size();
  return success();
}

static void printTyped(OpAsmPrinter &printer, StringRef keyword, ValueRange values) {
  if (values.empty())
    return;
  printer << " " << keyword << "(" << values << " : " << values.getTypes() << ")";
}

// The region of a statement or a reduction: its variables are indices, its value has a type.
template <typename Op> static LogicalResult verifyBody(Op op) {
  if (op.getVariables().size() != op.getExtents().size())
    return op.emitOpError("has ") << op.getVariables().size() << " index variables and "
                                  << op.getExtents().size() << " extents";
  if (!llvm::all_of(op.getVariables(), [](Value v) { return v.getType().isIndex(); }))
    return op.emitOpError("has an index variable that is no index");
  if (!isa<YieldOp>(op.getBlock().back()))
    return op.emitOpError("needs a region that ends with ta.yield");
  return success();
}

//===------------------------------------------------------------------------------------------===//
// compute
//===------------------------------------------------------------------------------------------===//

// [%i + 1, %j]: an affine map over the variables, which are known by name only here.
static ParseResult parsePlace(OpAsmParser &parser, OperationState &result,
                              ArrayRef<OpAsmParser::Argument> variables, StringRef keyword,
                              StringRef attribute) {
  SmallVector<OpAsmParser::UnresolvedOperand> used;
  AffineMapAttr map;
  NamedAttrList scratch;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAffineMapOfSSAIds(used, map, attribute, scratch))
    return failure();
  SmallVector<AffineExpr> positions;
  for (const OpAsmParser::UnresolvedOperand &operand : used) {
    const auto *found = llvm::find_if(variables, [&](const OpAsmParser::Argument &argument) {
      return argument.ssaName.name == operand.name && argument.ssaName.number == operand.number;
    });
    if (found == variables.end())
      return parser.emitError(loc)
             << keyword << " uses a name that is no index variable of the statement";
    positions.push_back(
        getAffineDimExpr(std::distance(variables.begin(), found), parser.getContext()));
  }
  AffineMap inner = map.getValue();
  if (inner.getNumSymbols() != 0)
    return parser.emitError(loc) << keyword << " is a function of index variables, not of symbols";
  AffineMap full =
      AffineMap::get(variables.size(), 0,
                     llvm::map_to_vector(inner.getResults(),
                                         [&](AffineExpr e) { return e.replaceDims(positions); }),
                     parser.getContext());
  result.addAttribute(attribute, AffineMapAttr::get(full));
  return success();
}

// mask(%M[%i, %j] : type)
static ParseResult parseMask(OpAsmParser &parser, OperationState &result,
                             ArrayRef<OpAsmParser::Argument> variables, int &count) {
  count = 0;
  if (failed(parser.parseOptionalKeyword("mask")))
    return success();
  count = 1;
  OpAsmParser::UnresolvedOperand mask;
  Type type;
  return failure(parser.parseLParen() || parser.parseOperand(mask) ||
                 parsePlace(parser, result, variables, "mask", "mask_map") ||
                 parser.parseColonType(type) || parser.parseRParen() ||
                 parser.resolveOperand(mask, type, result.operands));
}

ParseResult ComputeOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> variables;
  int extents = 0, inputs = 0, sizes = 0, init = 0, mask = 0;
  if (parseVariables(parser, result, variables, extents) ||
      parseTyped(parser, result, "ins", inputs))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("sizes"))) {
    SmallVector<OpAsmParser::UnresolvedOperand> operands;
    if (parser.parseOperandList(operands, AsmParser::Delimiter::Paren) ||
        parser.resolveOperands(operands, parser.getBuilder().getIndexType(), result.operands))
      return failure();
    sizes = operands.size();
  }
  if (parseTyped(parser, result, "init", init))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("combine"))) {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<Combine> combine = symbolizeCombine(word);
    if (!combine)
      return parser.emitError(loc)
             << "expected an operator: add, mul, min, max, umin, umax, any, lor, land or lxor";
    result.addAttribute("combine", CombineAttr::get(parser.getContext(), *combine));
  }
  Type type;
  Region *body = result.addRegion();
  if (parseMask(parser, result, variables, mask) || parser.parseArrow() || parser.parseType(type) ||
      parser.parseKeyword("out") || parsePlace(parser, result, variables, "out", "out_map") ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*body, variables))
    return failure();
  result.addTypes(type);
  result.addAttribute("operandSegmentSizes", parser.getBuilder().getDenseI32ArrayAttr(
                                                 {extents, inputs, sizes, init, mask}));
  return success();
}

void ComputeOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printVariables(printer, getVariables(), getExtents());
  printTyped(printer, "ins", getInputs());
  if (!getSizes().empty())
    printer << " sizes(" << getSizes() << ")";
  if (getInit())
    printTyped(printer, "init", ValueRange{getInit()});
  if (auto combine = getCombine())
    printer << " combine " << stringifyCombine(*combine);
  if (getMask()) {
    printer << " mask(" << getMask() << "[";
    printer.printAffineMapOfSSAIds(getMaskMapAttr(), ValueRange(getVariables()));
    printer << "] : " << getMask().getType() << ")";
  }
  printer << " -> " << getResult().getType() << " out [";
  printer.printAffineMapOfSSAIds(getOutMapAttr(), ValueRange(getVariables()));
  printer << "]";
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {"out_map", "mask_map", "combine", "operandSegmentSizes"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

static LogicalResult verifyMask(ComputeOp op) {
  if (!op.getMask()) {
    for (StringRef word : {"mask_map", "complement", "structural", "replace", "pull"})
      if (op->hasAttr(word))
        return op.emitOpError("has '") << word << "' and no mask";
    return success();
  }
  std::optional<AffineMap> map = op.getMaskMap();
  if (!map || map->getNumDims() != op.getVariables().size() || map->getNumSymbols() != 0 ||
      map->getNumResults() != unsigned(cast<RankedTensorType>(op.getMask().getType()).getRank()))
    return op.emitOpError("has a mask map that does not send its variables to a coordinate of the "
                          "mask");
  if (!llvm::is_contained(op.getInputs(), op.getMask()))
    return op.emitOpError("has a mask that is not among its inputs");
  return success();
}

// What emptied places hold.
static LogicalResult verifyEmpty(ComputeOp op) {
  std::optional<TypedAttr> empty = op.getEmpty();
  if (!empty)
    return success();
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (empty->getType() != valueTypeOf(type.getElementType()))
    return op.emitOpError("empties elements of ")
           << type.getElementType() << " with " << empty->getType();
  if (!formatOf(type).isFull() && Attribute(*empty) != Attribute(fillOf(type)))
    return op.emitOpError("gives emptied places a value in a format that does not store them");
  return success();
}

LogicalResult ComputeOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (failed(verifyBody(*this)))
    return failure();
  if (getOutMap().getNumDims() != getVariables().size() || getOutMap().getNumSymbols() != 0 ||
      getOutMap().getNumResults() != unsigned(type.getRank()))
    return emitOpError("has an out map that does not send its variables to a coordinate");
  if (getSizes().size() != size_t(type.getNumDynamicDims()))
    return emitOpError("needs one size for each dynamic dimension of its result");
  if (getInit() && getInit().getType() != type)
    return emitOpError("has an init whose type is not that of the result");
  if (getCombine() && !getInit())
    return emitOpError("combines with an init that is not given");
  if (getJoins() && !getCombine())
    return emitOpError("joins what it does not combine");
  if (failed(verifyMask(*this)) || failed(verifyEmpty(*this)))
    return failure();
  if (getYielded().getType() != valueTypeOf(type.getElementType()))
    return emitOpError("yields ") << getYielded().getType() << " for elements of "
                                  << type.getElementType();
  auto isVariable = [&](Value index) {
    auto argument = dyn_cast<BlockArgument>(index);
    Operation *owner = argument ? argument.getOwner()->getParentOp() : nullptr;
    return owner == getOperation() ||
           (isa_and_nonnull<ReduceOp>(owner) && (*this)->isAncestor(owner));
  };
  WalkResult walk = getBody().walk([&](AccessOp access) {
    if (!llvm::is_contained(getInputs(), access.getTensor()))
      access.emitOpError("reads a tensor that is not among the statement's inputs");
    else if (!llvm::all_of(access.getIndices(), isVariable))
      access.emitOpError("reads at an index that is no index variable of the statement");
    else
      return WalkResult::advance();
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

//===------------------------------------------------------------------------------------------===//
// reduce
//===------------------------------------------------------------------------------------------===//

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> variables;
  int extents = 0;
  StringRef word;
  Type type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<Combine> combine = symbolizeCombine(word);
  if (!combine)
    return parser.emitError(loc)
           << "expected an operator: add, mul, min, max, umin, umax, any, lor, land or lxor";
  result.addAttribute("combine", CombineAttr::get(parser.getContext(), *combine));
  Region *body = result.addRegion();
  if (parseVariables(parser, result, variables, extents) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseColonType(type) ||
      parser.parseRegion(*body, variables))
    return failure();
  result.addTypes(type);
  return success();
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printer << " " << stringifyCombine(getCombine()) << " ";
  printVariables(printer, getVariables(), getExtents());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"combine"});
  printer << " : " << getResult().getType() << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyBody(*this)))
    return failure();
  if (getYielded().getType() != getResult().getType())
    return emitOpError("yields ") << getYielded().getType() << " for a result of "
                                  << getResult().getType();
  return success();
}

//===------------------------------------------------------------------------------------------===//
// access
//===------------------------------------------------------------------------------------------===//

ParseResult AccessOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand tensor;
  SmallVector<OpAsmParser::UnresolvedOperand> indices;
  AffineMapAttr map;
  RankedTensorType type;
  if (parser.parseOperand(tensor) ||
      parser.parseAffineMapOfSSAIds(indices, map, "map", result.attributes) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type) ||
      parser.resolveOperand(tensor, type, result.operands) ||
      parser.resolveOperands(indices, parser.getBuilder().getIndexType(), result.operands))
    return failure();
  result.addTypes(valueTypeOf(type.getElementType()));
  return success();
}

void AccessOp::print(OpAsmPrinter &printer) {
  printer << " " << getTensor() << "[";
  printer.printAffineMapOfSSAIds(getMapAttr(), getIndices());
  printer << "]";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"map"});
  printer << " : " << getTensor().getType();
}

LogicalResult AccessOp::verify() {
  auto type = cast<RankedTensorType>(getTensor().getType());
  if (getMap().getNumDims() != getIndices().size() || getMap().getNumSymbols() != 0 ||
      getMap().getNumResults() != unsigned(type.getRank()))
    return emitOpError("has a map that does not send its indices to a coordinate of the tensor");
  if (getResult().getType() != valueTypeOf(type.getElementType()))
    return emitOpError("gives ") << getResult().getType() << " from elements of "
                                 << type.getElementType();
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Host operations
//===------------------------------------------------------------------------------------------===//

LogicalResult FillOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (getSizes().size() != size_t(type.getNumDynamicDims()))
    return emitOpError("needs one size for each dynamic dimension");
  if (getValue().getType() != valueTypeOf(type.getElementType()))
    return emitOpError("fills ") << type.getElementType() << " with " << getValue().getType();
  if (!formatOf(type).isFull() && Attribute(getValue()) != Attribute(fillOf(type)))
    return emitOpError("would store a value everywhere in a format that stores some places only");
  return success();
}

LogicalResult ConvertOp::verify() {
  auto from = cast<RankedTensorType>(getTensor().getType());
  auto to = cast<RankedTensorType>(getResult().getType());
  if (from.getRank() != to.getRank())
    return emitOpError("changes the number of dimensions");
  for (auto [a, b] : llvm::zip(from.getShape(), to.getShape()))
    if (a != b && !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b))
      return emitOpError("changes a size from ") << a << " to " << b;
  return success();
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  return getTensor().getType() == getResult().getType() ? getTensor() : Value();
}

// Is it a vector of which each cell of a machine has the coordinates of a list?
static bool isListed(Type type) {
  auto vector = cast<RankedTensorType>(type);
  PlacementAttr placement = placementOf(vector);
  return placement && placement.getListed() == ArrayRef<unsigned>(0) && vector.getRank() == 1 &&
         vector.getElementType().isInteger(64);
}

// Tells whether there is a list for each dimension that the placement lists.
static bool areListedBy(PlacementAttr placement, ArrayRef<int64_t> dims, ValueRange lists) {
  auto isSame = [](unsigned listed, int64_t dim) { return int64_t(listed) == dim; };
  return !dims.empty() && lists.size() == dims.size() && llvm::all_of(lists.getTypes(), isListed) &&
         llvm::equal(placement.getListed(), dims, isSame);
}

LogicalResult NeedsOp::verify() {
  if (getTensors().empty() || getDims().size() != getTensors().size())
    return emitOpError("needs a dimension of each tensor, one or more");
  for (auto [type, dim] : llvm::zip(getTensors().getTypes(), getDims())) {
    auto tensor = cast<RankedTensorType>(type);
    if (!placementOf(tensor) || dim < 0 || dim >= tensor.getRank())
      return emitOpError("is of dimensions of tensors that are placed on a machine");
  }
  if (!isListed(getResult().getType()))
    return emitOpError("makes a vector of 64-bit integers whose dimension is listed");
  return success();
}

bool FetchOp::comesFromCells() {
  PlacementAttr home = placementOf(cast<RankedTensorType>(getTensor().getType()));
  return home && llvm::any_of(home.getPlaces(), [&](PlaceAttr place) {
           return place.getKind() == PlaceKind::at ||
                  (place.getKind() == PlaceKind::share &&
                   place.getDims() == ArrayRef(unsigned(getDims().front())));
         });
}

LogicalResult FetchOp::verify() {
  auto from = cast<RankedTensorType>(getTensor().getType()),
       to = cast<RankedTensorType>(getResult().getType());
  PlacementAttr placement = placementOf(to);
  if (from.getShape() != to.getShape() || from.getElementType() != to.getElementType() ||
      formatOf(from) != formatOf(to))
    return emitOpError("changes more than the placement");
  if (!placement || !areListedBy(placement, getDims(), getLists()))
    return emitOpError("needs a list for each dimension that its result's placement lists");
  return success();
}

LogicalResult ScatterOp::verify() {
  auto from = cast<RankedTensorType>(getTensor().getType()),
       to = cast<RankedTensorType>(getResult().getType());
  PlacementAttr placement = placementOf(from);
  if (from.getShape() != to.getShape() || from.getElementType() != to.getElementType() ||
      formatOf(from).getFill() != formatOf(to).getFill())
    return emitOpError("changes more than the placement, and what is stored");
  if (!placement || !areListedBy(placement, getDims(), getLists()))
    return emitOpError("needs a list for each dimension that its operand's placement lists");
  PlacementAttr target = placementOf(to);
  if (target && !target.getListed().empty())
    return emitOpError("has a result whose coordinates are listed");
  if (getLike() && (!target || target.getMachine() != placement.getMachine()))
    return emitOpError("has a result on other cells, where it is to be like a tensor");
  return success();
}

// What a loop or a branch hands over as the value `result`, in one of its ends.
static Value handedOver(OpResult result) {
  Operation *op = result.getOwner();
  Operation *end = op->getRegion(0).front().getTerminator();
  if (isa<IfOp>(op) && isa<BreakOp>(end))
    end = op->getRegion(1).front().getTerminator();
  return end->getNumOperands() == op->getNumResults() ? end->getOperand(result.getResultNumber())
                                                      : Value();
}

Value strata::ta::originOf(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (isa<ForOp, LoopOp, IfOp>(op)) {
      Value inner = handedOver(cast<OpResult>(tensor));
      if (!inner)
        break;
      tensor = inner;
      continue;
    }
    // A copy that the program asks for has a name of its own.
    auto copy = dyn_cast<ConvertOp>(op);
    if (!isa<ConvertOp, GatherOp, ComponentOp, FetchOp>(op) ||
        (copy && !copy.getReason() && isa<NameLoc>(copy.getLoc())))
      break;
    tensor = op->getOperand(0);
  }
  return tensor;
}

LogicalResult ComponentOp::verify() {
  auto type = cast<RankedTensorType>(getTensor().getType());
  SumAttr sum = sumOf(type);
  if (!sum)
    return emitOpError("takes a part of a tensor that is not stored in a hybrid format");
  if (getNumber() >= sum.getParts().size())
    return emitOpError("takes part ") << getNumber() << " of " << sum.getParts().size();
  if (getResult().getType() != withFormat(type, sum.getParts()[getNumber()]))
    return emitOpError("has a result that is not stored as the part is");
  return success();
}

LogicalResult GatherOp::verify() {
  auto from = cast<RankedTensorType>(getTensor().getType());
  auto to = cast<RankedTensorType>(getResult().getType());
  AffineMap map = getMap();
  if (map.getNumResults() != from.getRank() || map.getNumDims() != to.getRank() ||
      map.getNumSymbols() != 0)
    return emitOpError("needs a map from the result's dimensions to the tensor's");
  if (from.getElementType() != to.getElementType())
    return emitOpError("changes the element type");
  if (getSizes().size() != size_t(to.getRank()) || to.getNumDynamicDims() != size_t(to.getRank()))
    return emitOpError("needs a size for each dimension of the result");
  if (!usesAllVariables(map))
    return emitOpError("has a map that leaves an index variable open");
  return success();
}

LogicalResult InsertPartOp::verify() {
  auto part = cast<RankedTensorType>(getPart().getType());
  auto whole = cast<RankedTensorType>(getWhole().getType());
  AffineMap map = getMap();
  if (map.getNumResults() != whole.getRank() || map.getNumDims() != part.getRank() ||
      map.getNumSymbols() != 0)
    return emitOpError("needs a map from the part's dimensions to the tensor's");
  if (getResult().getType() != whole || part.getElementType() != whole.getElementType())
    return emitOpError("changes the tensor's type");
  if (getSizes().size() != size_t(part.getRank()))
    return emitOpError("needs a size for each dimension of the part");
  if (!usesAllVariables(map))
    return emitOpError("has a map that leaves an index variable open");
  return success();
}

LogicalResult DimOp::verify() {
  auto type = cast<RankedTensorType>(getTensor().getType());
  int64_t dim = getDim();
  if (dim < 0 || dim >= type.getRank())
    return emitOpError("asks for dimension ") << dim << " of a tensor of " << type.getRank();
  return success();
}

OpFoldResult DimOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getTensor().getType());
  if (type.isDynamicDim(getDim()))
    return {};
  return Builder(getContext()).getIndexAttr(type.getDimSize(getDim()));
}

LogicalResult SameSizeOp::verify() {
  if (getSizes().empty())
    return emitOpError("needs a size");
  if (getSizes().size() != getUses().size())
    return emitOpError("needs one use for each size");
  return success();
}

LogicalResult IotaOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (type.getRank() != 1 || !type.getElementType().isSignlessInteger() || type.getEncoding())
    return emitOpError("makes a dense vector of integers");
  if (!type.isDynamicDim(0))
    return emitOpError("makes a vector of dynamic size");
  return success();
}

LogicalResult OneHotOp::verify() {
  auto from = cast<RankedTensorType>(getTensor().getType());
  auto to = cast<RankedTensorType>(getResult().getType());
  if (!from.getElementType().isSignlessInteger())
    return emitOpError("needs a tensor of integers");
  if (to.getRank() != from.getRank() + 1 || int64_t(to.getNumDynamicDims()) != to.getRank())
    return emitOpError("makes a tensor of one dimension more, all of them dynamic");
  return success();
}

LogicalResult InsideOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  if (getMap().getNumDims() != getExtents().size() || getMap().getNumSymbols() != 0 ||
      getMap().getNumResults() != 1)
    return emitOpError("needs a map from its index variables to one coordinate");
  if (type.getRank() != int64_t(getExtents().size()) + 1 ||
      type.getNumDynamicDims() != size_t(type.getRank()))
    return emitOpError("makes a tensor of one dimension more than variables, all of them dynamic");
  return success();
}

llvm::ArrayRef<std::pair<StringRef, unsigned>> DenseAlgebraOp::functions() {
  static constexpr std::pair<StringRef, unsigned> all[] = {
      {"solve", 2},       {"inverse", 1},          {"pseudoinverse", 1},
      {"orthonormal", 1}, {"singular_vectors", 1}, {"singular_values", 1}};
  return all;
}

LogicalResult DenseAlgebraOp::verify() {
  const auto *known = llvm::find_if(
      functions(), [&](const auto &function) { return function.first == getFunction(); });
  if (known == functions().end())
    return emitOpError("knows no function ") << getFunctionAttr();
  if (getTensors().size() != known->second)
    return emitOpError("needs ") << known->second << " operands";
  auto type = cast<RankedTensorType>(getResult().getType());
  if (getSizes().size() != size_t(type.getNumDynamicDims()))
    return emitOpError("needs a size for each dynamic dimension");
  return success();
}

LogicalResult ConcatOp::verify() {
  auto type = cast<RankedTensorType>(getResult().getType());
  int64_t joined = getDim(), sum = 0;
  if (getTensors().empty())
    return emitOpError("needs a tensor");
  if (joined < 0 || joined >= type.getRank())
    return emitOpError("joins along dimension ")
           << joined << ", the result has " << counted(type.getRank(), "dimension");
  for (auto [number, tensor] : llvm::enumerate(getTensors())) {
    auto part = cast<RankedTensorType>(tensor.getType());
    if (part.getRank() != type.getRank())
      return emitOpError("tensor ")
             << number << " has order " << part.getRank() << ", the result " << type.getRank();
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (dim != joined &&
          failed(verifyCompatibleShape(part.getDimSize(dim), type.getDimSize(dim))))
        return emitOpError("tensor ")
               << number << " has another size in dimension " << dim << " than the result";
    bool known = !ShapedType::isDynamic(sum) && !part.isDynamicDim(joined);
    sum = known ? sum + part.getDimSize(joined) : ShapedType::kDynamic;
  }
  if (failed(verifyCompatibleShape(sum, type.getDimSize(joined))))
    return emitOpError("the sizes in dimension ")
           << joined << " add up to " << sum << ", the result has " << type.getDimSize(joined);
  return success();
}

LogicalResult LexiOrderOp::verify() {
  auto from = cast<RankedTensorType>(getTensor().getType());
  auto to = cast<RankedTensorType>(getResult().getType());
  const std::optional<int64_t> dim = getDim();
  if (dim && (*dim < 0 || *dim >= from.getRank()))
    return emitOpError("gives the order of dimension ")
           << *dim << ", the tensor has " << counted(from.getRank(), "dimension");
  if (to.getRank() != (dim ? 1 : from.getRank()))
    return emitOpError("gives a tensor of order ")
           << (dim ? 1 : from.getRank()) << ", the result has order " << to.getRank();
  for (int64_t at = 0; at < to.getRank(); ++at)
    if (failed(verifyCompatibleShape(from.getDimSize(dim.value_or(at)), to.getDimSize(at))))
      return emitOpError("has another size in dimension ") << at << " than the result";
  return success();
}

LogicalResult FitOp::verify() {
  AffineMap map = getMap();
  if (map.getNumDims() != getSizes().size() || map.getNumSymbols() != 0)
    return emitOpError("needs a size for each dimension of its map");
  if (map.getNumResults() == 0)
    return emitOpError("needs a bound");
  return success();
}

OpFoldResult SameSizeOp::fold(FoldAdaptor) {
  return llvm::all_equal(getSizes()) ? getSizes().front() : Value();
}
