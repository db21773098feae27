// The cin operations: text and verification.
#include "strata/dialect/cin/Cin.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace strata::cin;

#include "strata/dialect/cin/CinDialect.cpp.inc"
#define GET_OP_CLASSES
#include "strata/dialect/cin/CinOps.cpp.inc"

void CinDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "strata/dialect/cin/CinOps.cpp.inc"
      >();
}

void ForallOp::build(OpBuilder &builder, OperationState &state, Value extent, StringRef name) {
  state.addOperands(extent);
  state.addAttribute("name", builder.getStringAttr(name));
  state.addAttribute("operandSegmentSizes", builder.getDenseI32ArrayAttr({1, 0, 0, 0}));
  Region *region = state.addRegion();
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(region, {}, {builder.getIndexType()}, {state.location});
}

// [by 32 | into 4] [in %io] [of %A : type] [locating %B : type]: how the loop goes through parts,
// the operands that say of what, and those that it looks up.
static ParseResult parseParts(OpAsmParser &parser, OperationState &result) {
  Builder &b = parser.getBuilder();
  OpAsmParser::UnresolvedOperand part, leader;
  int32_t parts = 0, leaders = 0;
  for (auto [word, attribute] : {std::pair("by", "partSize"), std::pair("into", "partCount")}) {
    int64_t number;
    if (failed(parser.parseOptionalKeyword(word)))
      continue;
    if (parser.parseInteger(number))
      return failure();
    result.addAttribute(attribute, b.getI64IntegerAttr(number));
  }
  if (succeeded(parser.parseOptionalKeyword("in"))) {
    ++parts;
    if (parser.parseOperand(part) || parser.resolveOperand(part, b.getIndexType(), result.operands))
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("of"))) {
    ++leaders;
    strata::ta::StorageType type;
    if (parser.parseOperand(leader) || parser.parseColonType(type) ||
        parser.resolveOperand(leader, type, result.operands))
      return failure();
  }
  SmallVector<OpAsmParser::UnresolvedOperand> locating;
  if (succeeded(parser.parseOptionalKeyword("locating"))) {
    SmallVector<Type> types;
    SMLoc place = parser.getCurrentLocation();
    if (parser.parseOperandList(locating) || parser.parseColonTypeList(types) ||
        parser.resolveOperands(locating, types, place, result.operands))
      return failure();
  }
  result.addAttribute(
      "operandSegmentSizes",
      b.getDenseI32ArrayAttr({1, parts, leaders, static_cast<int32_t>(locating.size())}));
  return success();
}

ParseResult ForallOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument variable;
  OpAsmParser::UnresolvedOperand extent;
  Type index = parser.getBuilder().getIndexType();
  variable.type = index;
  if (parser.parseArgument(variable) || parser.parseEqual() || parser.parseOperand(extent) ||
      parser.resolveOperand(extent, index, result.operands) || parseParts(parser, result) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseRegion(*result.addRegion(), variable))
    return failure();
  return success();
}

void ForallOp::print(OpAsmPrinter &printer) {
  printer << " " << getVariable() << " = " << getExtent();
  if (getPartSize())
    printer << " by " << *getPartSize();
  if (getPartCount())
    printer << " into " << *getPartCount();
  if (getPart())
    printer << " in " << getPart();
  if (getLeader())
    printer << " of " << getLeader() << " : " << getLeader().getType();
  if (!getLocating().empty())
    printer << " locating " << getLocating() << " : " << getLocating().getTypes();
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"partSize", "partCount", "operandSegmentSizes"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult ForallOp::verify() {
  if (getBlock().getNumArguments() != 1 || !getBlock().getArgument(0).getType().isIndex())
    return emitOpError("needs a region with one index, its variable");
  if (getCollapsed() && (!llvm::hasSingleElement(getBlock()) || !isa<ForallOp>(getBlock().front())))
    return emitOpError("is collapsed with a loop that is not its whole body");
  if (getBlocks() && (*getBlocks() < 1 || getCollapsed()))
    return emitOpError("runs in blocks of at least one value, and not collapsed with another loop");
  if (getPartSize().value_or(1) < 1 || getPartCount().value_or(1) < 1 ||
      (getPartSize() && getPartCount()))
    return emitOpError("has parts of at least one value, or at least one part");
  if ((getPart() && !isOfParts() && !getGroup()) || (getChunks() && (!isOfParts() || getPart())))
    return emitOpError("goes through parts of a label, chunks of what a group of loops takes, or "
                       "what such a group takes of one chunk");
  return success();
}

LogicalResult TempOp::verify() {
  RankedTensorType tensor = getStorage().getType().getTensor();
  if (size_t(tensor.getRank()) != getExtents().size())
    return emitOpError("needs an extent for each dimension of ") << tensor;
  if (!getStorage().getType().getFormat().isFull())
    return emitOpError("is dense, not ") << tensor;
  if (getMissing() && tensor.getRank() != 0)
    return emitOpError("of several values cannot be missing");
  return success();
}

// Does `map` send the indices to a place of the storage?
static bool isPlace(AffineMap map, OperandRange indices, strata::ta::StorageType type) {
  return map.getNumDims() == indices.size() && map.getNumSymbols() == 0 &&
         map.getNumResults() == unsigned(type.getTensor().getRank());
}

// %s[%i, %j + 1]: a storage (or other handle) and a place in it.
static ParseResult parsePlace(OpAsmParser &parser, OperationState &result,
                              OpAsmParser::UnresolvedOperand &storage,
                              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices) {
  AffineMapAttr map;
  return failure(parser.parseOperand(storage) ||
                 parser.parseAffineMapOfSSAIds(indices, map, "map", result.attributes));
}

static ParseResult resolvePlace(OpAsmParser &parser, OperationState &result,
                                strata::ta::StorageType type,
                                const OpAsmParser::UnresolvedOperand &storage,
                                ArrayRef<OpAsmParser::UnresolvedOperand> indices) {
  return failure(
      parser.resolveOperand(storage, type, result.operands) ||
      parser.resolveOperands(indices, parser.getBuilder().getIndexType(), result.operands));
}

ParseResult AssignOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand target;
  SmallVector<OpAsmParser::UnresolvedOperand> indices;
  strata::ta::StorageType type;
  if (parsePlace(parser, result, target, indices))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("combine"))) {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<strata::ta::Combine> combine = strata::ta::symbolizeCombine(word);
    if (!combine)
      return parser.emitError(loc) << "expected an operator, such as add, mul, min or max";
    result.addAttribute("combine", strata::ta::CombineAttr::get(parser.getContext(), *combine));
  }
  if (parser.parseRegion(*result.addRegion()) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  return resolvePlace(parser, result, type, target, indices);
}

void AssignOp::print(OpAsmPrinter &printer) {
  printer << " " << getTarget() << "[";
  printer.printAffineMapOfSSAIds(getMapAttr(), getIndices());
  printer << "]";
  if (auto combine = getCombine())
    printer << " combine " << strata::ta::stringifyCombine(*combine);
  printer << " ";
  printer.printRegion(getBody());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"map", "combine"});
  printer << " : " << getTarget().getType();
}

LogicalResult AssignOp::verify() {
  Type element = getTarget().getType().getElementType();
  if (!isPlace(getMap(), getIndices(), getTarget().getType()))
    return emitOpError("does not name a place of its target");
  if (!isa<YieldOp>(getBlock().back()))
    return emitOpError("needs a region that ends with cin.yield");
  if (getYielded().getType() != element)
    return emitOpError("yields ") << getYielded().getType() << " for elements of " << element;
  return success();
}

ParseResult AccessOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand storage;
  SmallVector<OpAsmParser::UnresolvedOperand> indices;
  strata::ta::StorageType type;
  if (parsePlace(parser, result, storage, indices) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type) ||
      resolvePlace(parser, result, type, storage, indices))
    return failure();
  result.addTypes(type.getElementType());
  return success();
}

void AccessOp::print(OpAsmPrinter &printer) {
  printer << " " << getStorage() << "[";
  printer.printAffineMapOfSSAIds(getMapAttr(), getIndices());
  printer << "]";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"map"});
  printer << " : " << getStorage().getType();
}

LogicalResult AccessOp::verify() {
  if (!isPlace(getMap(), getIndices(), getStorage().getType()))
    return emitOpError("does not name a place of its storage");
  Type element = getStorage().getType().getElementType();
  if (getResult().getType() != element)
    return emitOpError("gives ") << getResult().getType() << " from elements of " << element;
  return success();
}
