// The lvl operations: text and verification.
#include "strata/dialect/lvl/Lvl.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace strata::lvl;

#include "strata/dialect/lvl/LvlDialect.cpp.inc"
#include "strata/dialect/lvl/Role.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "strata/dialect/lvl/LvlTypes.cpp.inc"

//===------------------------------------------------------------------------------------------===//
// lvl.contract ... over (row %m, column %n, summed %k)
//===------------------------------------------------------------------------------------------===//

static ParseResult parseLabels(OpAsmParser &parser, DenseI32ArrayAttr &roles,
                               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &extents) {
  SmallVector<int32_t> found;
  auto label = [&]() -> ParseResult {
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<Role> role = symbolizeRole(word);
    if (!role)
      return parser.emitError(parser.getNameLoc()) << "'" << word << "' is no role of a label";
    found.push_back(int32_t(*role));
    return parser.parseOperand(extents.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, label))
    return failure();
  roles = parser.getBuilder().getDenseI32ArrayAttr(found);
  return success();
}

static void printLabels(OpAsmPrinter &printer, ContractOp op, DenseI32ArrayAttr roles,
                        OperandRange extents) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(roles.asArrayRef(), extents), printer, [&](auto label) {
    printer << stringifyRole(Role(std::get<0>(label))) << ' ' << std::get<1>(label);
  });
  printer << ')';
}

#define GET_OP_CLASSES
#include "strata/dialect/lvl/LvlOps.cpp.inc"

LogicalResult ContractOp::verify() {
  size_t labels = getRoles().size();
  if (getExtents().size() != labels || getLeftStrides().size() != labels ||
      getRightStrides().size() != labels || getResultStrides().size() != labels ||
      getNesting().size() != labels)
    return emitOpError(
        "needs a role, a size, a stride in each buffer and a nesting for each label");
  Type element = getResult().getType().getElementType();
  for (Type own : {getLeft().getType().getElementType(), getRight().getType().getElementType()}) {
    auto narrow = dyn_cast<FloatType>(own), wide = dyn_cast<FloatType>(element);
    if (own != element && !(narrow && wide && narrow.getWidth() < wide.getWidth()))
      return emitOpError("has elements of several types, of which the result's is not the widest");
  }
  if (!llvm::all_of(getRoles(), [](int32_t role) { return symbolizeRole(uint32_t(role)); }))
    return emitOpError("has a role that is none");
  if (llvm::any_of(getScales().getTypes(), [&](Type type) { return type != element; }))
    return emitOpError("is scaled by numbers of another type than its elements");
  for (Role role : {Role::row, Role::column, Role::summed})
    if (!llvm::is_contained(getRoles(), int32_t(role)))
      return emitOpError("has no label that is ")
             << (role == Role::summed ? "" : "a ") << stringifyRole(role);
  return success();
}

void LvlDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "strata/dialect/lvl/LvlTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "strata/dialect/lvl/LvlOps.cpp.inc"
      >();
}

//===------------------------------------------------------------------------------------------===//
// lvl.coiterate "i" (universe %n) %a, %b inits(%t : f64) case [0, 1] (%i, %p, %q, %t) { ... } ...
//===------------------------------------------------------------------------------------------===//

static ParseResult parseCase(OpAsmParser &parser, OperationState &result, TypeRange carried,
                             bool flagged, SmallVectorImpl<Attribute> &cases) {
  SmallVector<int64_t> present;
  auto number = [&] { return parser.parseInteger(present.emplace_back()); };
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, number) ||
      parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren))
    return failure();
  Builder &b = parser.getBuilder();
  size_t flags = flagged ? present.size() : 0, others = present.size() + flags + carried.size();
  if (arguments.size() <= others)
    return parser.emitError(parser.getNameLoc())
           << "a case takes at least " << others + 1 << " arguments";
  SmallVector<Type> types(arguments.size() - others, b.getIndexType());
  types.append(present.size(), PathType::get(b.getContext()));
  types.append(flags, b.getI1Type());
  types.append(carried.begin(), carried.end());
  for (auto [argument, type] : llvm::zip(arguments, types))
    argument.type = type;
  cases.push_back(b.getDenseI64ArrayAttr(present));
  return parser.parseRegion(*result.addRegion(), arguments);
}

ParseResult CoiterateOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &b = parser.getBuilder();
  StringAttr name;
  OpAsmParser::UnresolvedOperand universe;
  SmallVector<OpAsmParser::UnresolvedOperand> iterators, inits;
  SmallVector<Type> carried;
  bool hasUniverse = false;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAttribute(name, "name", result.attributes))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("universe"))) {
    hasUniverse = true;
    if (parser.parseOperand(universe) ||
        parser.resolveOperand(universe, b.getIndexType(), result.operands))
      return failure();
  }
  if (parser.parseKeyword("over") ||
      parser.parseOperandList(iterators, AsmParser::Delimiter::Paren) ||
      parser.resolveOperands(iterators, IteratorType::get(b.getContext()), result.operands))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("inits")) &&
      (parser.parseLParen() || parser.parseOperandList(inits) ||
       parser.parseColonTypeList(carried) || parser.parseRParen() ||
       parser.resolveOperands(inits, carried, loc, result.operands)))
    return failure();
  SmallVector<Attribute> cases;
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  bool flagged = result.attributes.get("predicates") != nullptr;
  while (succeeded(parser.parseOptionalKeyword("case")))
    if (parseCase(parser, result, carried, flagged, cases))
      return failure();
  result.addAttribute("cases", b.getArrayAttr(cases));
  result.addAttribute(
      "operandSegmentSizes",
      b.getDenseI32ArrayAttr({hasUniverse, int32_t(iterators.size()), int32_t(inits.size())}));
  result.addTypes(carried);
  return success();
}

void CoiterateOp::print(OpAsmPrinter &printer) {
  printer << " " << getNameAttr();
  if (getUniverse())
    printer << " universe " << getUniverse();
  printer << " over (" << getIterators() << ")";
  if (!getInits().empty())
    printer << " inits(" << getInits() << " : " << getInits().getTypes() << ")";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"name", "cases", "operandSegmentSizes"});
  for (auto [at, region] : llvm::enumerate(getBodies())) {
    printer << " case [";
    llvm::interleaveComma(getCase(at), printer);
    printer << "] (";
    llvm::interleaveComma(region.getArguments(), printer);
    printer << ") ";
    printer.printRegion(region, /*printEntryBlockArgs=*/false);
  }
}

LogicalResult BuildOp::verify() {
  if (getGathered().has_value() != getWorkspace().has_value())
    return emitOpError("gathers a level in a workspace, or does neither");
  return success();
}

LogicalResult IteratorOp::verify() {
  unsigned walked = 0;
  auto takesKnown = [&](AffineMap map) {
    return map.getNumDims() == getFixed().size() && map.getNumSymbols() == walked;
  };
  auto isValue = [&](AffineMap map) { return takesKnown(map) && map.getNumResults() == 1; };
  for (Attribute step : getSteps()) {
    auto at = dyn_cast<AffineMapAttr>(step);
    if (isa<UnitAttr>(step))
      ++walked;
    else if (!at || !isValue(at.getValue()))
      return emitOpError("has a step that is neither unit nor a map from the fixed values and the "
                         "coordinates walked so far to a coordinate");
  }
  if (walked == 0)
    return emitOpError("walks no level");
  if (!takesKnown(getCompose()) || getCompose().getNumResults() == 0)
    return emitOpError("does not compose values of the fixed values and the coordinates walked");
  if (getRanks() && getRanks()->size() != getCompose().getNumResults())
    return emitOpError("does not say for each value whether it is a rank");
  if (getExtent() && getCompose().getNumResults() > 1)
    return emitOpError("has an extent, but several variables");
  if (getSeek() && (!getExtent() || getSteps().size() != 1))
    return emitOpError(
        "searches for where an extent begins and ends, which takes an extent and one "
        "level");
  if (bool(getFirstPosition()) != bool(getLastPosition()) ||
      (getFirstPosition() && getSteps().size() != 1))
    return emitOpError("is within a range of positions, which takes both its ends and one level");
  size_t windows = getWindows() ? getWindows()->size() : 0;
  if (getWindowBegins().size() != windows || getWindowEnds().size() != windows)
    return emitOpError("does not say where the window on each of its dimensions begins and ends");
  if (getWhole() && !(getDedup() && getFirstPosition()))
    return emitOpError(
        "walks whole runs, which takes duplicates together and a range of positions");
  return success();
}

// With two cases their union is a case: so the fullest one that holds is one. Not asked of more
// iterators than anybody merges.
static bool hasUnions(CoiterateOp op) {
  if (op.getIterators().size() > 16)
    return true;
  llvm::BitVector isCase(1u << op.getIterators().size());
  SmallVector<unsigned> masks;
  for (unsigned at = 0; at < op.getCases().size(); ++at) {
    unsigned mask = 0;
    for (int64_t iterator : op.getCase(at))
      mask |= 1u << iterator;
    isCase.set(mask);
    masks.push_back(mask);
  }
  return llvm::all_of(masks, [&](unsigned a) {
    return llvm::all_of(masks, [&](unsigned b) { return isCase.test(a | b); });
  });
}

bool CoiterateOp::carriesScalars() {
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat() || isa<ComplexType>(type); };
  auto onlyReads = [](Operation *op) {
    return isPure(op) || isa<ValueOp, CoiterateOp, scf::IfOp, scf::YieldOp>(op);
  };
  return !getInits().empty() && llvm::all_of(getInits().getTypes(), isScalar) &&
         !walk([&](Operation *op) {
            return onlyReads(op) ? WalkResult::advance() : WalkResult::interrupt();
          }).wasInterrupted();
}

unsigned CoiterateOp::getVariableCount() {
  auto first =
      getIterators().empty() ? IteratorOp() : getIterators()[0].getDefiningOp<IteratorOp>();
  return first ? first.getCompose().getNumResults() : 1;
}

static LogicalResult verifyPredicates(CoiterateOp op) {
  bool all = op.getCases().size() == 1 && op.getCase(0).size() == op.getIterators().size();
  if (!all || op.getNeutrals() || op.getAdmitting() || op.getPieces())
    return op.emitOpError("has predicates, but not one case that stands for all");
  for (unsigned at = 0; at < op.getPredicates()->size(); ++at) {
    if (!isa<DenseI64ArrayAttr>((*op.getPredicates())[at]))
      return op.emitOpError("has a predicate that is no set of iterators");
    if (op.getPredicate(at).empty() && !op.getUniverse())
      return op.emitOpError("has an empty predicate but no universe");
    for (int64_t iterator : op.getPredicate(at))
      if (!llvm::is_contained(op.getCase(0), iterator))
        return op.emitOpError("has a predicate with an iterator that is not there");
  }
  return success();
}

LogicalResult CoiterateOp::verify() {
  for (Value iterator : getIterators())
    if (auto op = iterator.getDefiningOp<IteratorOp>();
        op && op.getCompose().getNumResults() != getVariableCount())
      return emitOpError("merges iterators over different numbers of variables");
  if (getUniverse() && getVariableCount() > 1)
    return emitOpError("has a universe, but several variables");
  if (getInits().getTypes() != getResultTypes())
    return emitOpError("gives other types than it carries");
  if (!llvm::all_of(getCases(), llvm::IsaPred<DenseI64ArrayAttr>))
    return emitOpError("has a case that is no set of iterators");
  if (getCases().size() != getBodies().size())
    return emitOpError("needs one region for each case");
  if (getNeutrals() && (getNeutrals()->size() != getIterators().size() ||
                        !llvm::all_of(*getNeutrals(), llvm::IsaPred<TypedAttr>)))
    return emitOpError("needs one neutral constant for each iterator");
  if (getAdmitting() && (getIterators().size() != 2 || getUniverse() || getCases().size() != 1 ||
                         getCase(0).size() != 2 || *getAdmitting() > 1))
    return emitOpError("admits by an iterator, but is no intersection of two");
  if (getNeutrals() && (getUniverse() || getCases().size() + 1 != 1u << getIterators().size()))
    return emitOpError("has neutral constants, but not every set of iterators is a case");
  for (auto [at, region] : llvm::enumerate(getBodies())) {
    if (getCase(at).empty() && !getUniverse())
      return emitOpError("has an empty case but no universe");
    for (int64_t iterator : getCase(at))
      if (iterator < 0 || iterator >= int64_t(getIterators().size()))
        return emitOpError("has a case with an iterator that is not there");
    if (!llvm::is_sorted(getCase(at), std::less_equal<>()))
      return emitOpError("has a case whose iterators do not ascend");
    SmallVector<Type> types(getVariableCount(), IndexType::get(getContext()));
    types.append(getCase(at).size(), PathType::get(getContext()));
    if (getPredicates())
      types.append(getCase(at).size(), IntegerType::get(getContext(), 1));
    llvm::append_range(types, getInits().getTypes());
    if (region.getArgumentTypes() != TypeRange(types))
      return emitOpError("has a case that does not take a coordinate of each variable, a path for "
                         "each iterator and "
                         "what is carried");
    if (region.front().empty() || !isa<YieldOp>(region.front().back()))
      return emitOpError("has a case that does not end with lvl.yield");
    if (region.front().back().getOperandTypes() != getResultTypes())
      return emitOpError("has a case that yields other types than it carries");
  }
  if (!hasUnions(*this))
    return emitOpError("has two cases whose union is none");
  return getPredicates() ? verifyPredicates(*this) : success();
}
