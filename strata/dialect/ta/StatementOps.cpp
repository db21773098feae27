// The ta operations of which statements consist: compute, reduce, access. Text and verification.
#include "strata/dialect/ta/Ta.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace strata::ta;

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

static ParseResult parseCombine(OpAsmParser &parser, OperationState &result) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<Combine> combine = symbolizeCombine(word);
  if (!combine)
    return parser.emitError(loc)
           << "expected an operator: add, mul, min, max, umin, umax, any, lor, land or lxor";
  result.addAttribute("combine", CombineAttr::get(parser.getContext(), *combine));
  return success();
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
  if (succeeded(parser.parseOptionalKeyword("combine")) && parseCombine(parser, result))
    return failure();
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
  Type type;
  if (parseCombine(parser, result))
    return failure();
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
