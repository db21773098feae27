// Structured operations, named or generic, as statements: the indexing maps are accesses, loops
// that reduce are labels that are summed, and the body is the expression.
#include "strata/interop/Encodings.h"
#include "strata/interop/Importer.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/FormatMap.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata::interop {

namespace {

// Terms that a reduction combines with what was there.
struct Reduction {
  ta::Combine combine = ta::Combine::add;
  SmallVector<Value> terms;
  bool negated = false;
  /// It is one of sparse_tensor, and combines what is stored alone, beginning with this value
  /// instead of what was there.
  bool storedAlone = false;
  Value identity = {};
  /// It passes over what is no number, as maxnumf does.
  bool skipsNan = false;
  /// Where it has no terms, the result has what stood there, NaN.
  bool leavesNan = false;
};

// Where a result is written: its labels, with their extents and names, and their places.
struct ResultPlace {
  SmallVector<Value> free;
  SmallVector<Attribute> names;
  AffineMap map;
};

} // namespace

/// One structured operation, result by result.
class StructuredImport : public ElementSource {
public:
  StructuredImport(Importer &importer, linalg::LinalgOp op)
      : importer(importer), b(importer.b), op(op), maps(op.getIndexingMapsArray()),
        iterators(op.getIteratorTypesArray()) {
    // What no result tells apart is combined, one after the other, whatever the loop is called.
    ArrayRef<AffineMap> results = ArrayRef(maps).take_back(op->getNumResults());
    for (unsigned loop = 0; loop < iterators.size(); ++loop)
      if (llvm::none_of(results, [&](AffineMap map) { return map.isFunctionOfDim(loop); }))
        iterators[loop] = utils::IteratorType::reduction;
  }

  LogicalResult run();

private:
  bool isInside(Operation *inner) override { return op->isProperAncestor(inner); }
  FailureOr<Value> read(BlockArgument argument, bool missing) override;
  bool hasExplicitValue(BlockArgument argument) override {
    return bool(explicitValueOf(op.getMatchingOpOperand(argument)->get().getType()));
  }
  FailureOr<Value> coordinate(Operation *at, unsigned loop) override;
  FailureOr<Value> scalar(Operation *at, Value outside) override;

  LogicalResult findExtents();
  LogicalResult importResult(unsigned number);
  FailureOr<ResultPlace> placeOf(AffineMap map);
  bool parseReduction(Value value, BlockArgument out, Reduction &reduction);
  FailureOr<Value> emitReduction(const Reduction &reduction);
  FailureOr<Value> emitTerms(const Reduction &reduction);
  FailureOr<Value> beginning(const Reduction &reduction, Value reduced);
  /// A result that is made anew: nothing of what was there remains.
  bool isNew(Reduction &reduction, Value init, Type element);
  Value access(Value tensor, AffineMap map, bool missing);

  bool reduces(unsigned loop) const { return iterators[loop] != utils::IteratorType::parallel; }

  Importer &importer;
  OpBuilder &b;
  linalg::LinalgOp op;
  SmallVector<AffineMap> maps;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<Value> extents;   ///< of each loop
  SmallVector<Value> variables; ///< of each loop, in the statement that is made
  llvm::SetVector<Value> inputs;
  ta::ComputeOp statement;
};

//===------------------------------------------------------------------------------------------===//
// What the body reads
//===------------------------------------------------------------------------------------------===//

Value StructuredImport::access(Value tensor, AffineMap map, bool missing) {
  inputs.insert(tensor);
  SmallVector<Value> used;
  SmallVector<AffineExpr> replaced;
  for (unsigned loop = 0; loop < map.getNumDims(); ++loop) {
    replaced.push_back(getAffineDimExpr(used.size(), b.getContext()));
    if (map.isFunctionOfDim(loop))
      used.push_back(variables[loop]);
  }
  AffineMap own = map.replaceDimsAndSymbols(replaced, {}, used.size(), 0);
  auto type = cast<RankedTensorType>(tensor.getType());
  bool asks = missing && !ta::formatOf(type).isFull();
  return ta::AccessOp::create(b, op.getLoc(), ta::valueTypeOf(type.getElementType()), tensor, used,
                              AffineMapAttr::get(own), asks ? b.getUnitAttr() : UnitAttr());
}

FailureOr<Value> StructuredImport::read(BlockArgument argument, bool missing) {
  OpOperand *operand = op.getMatchingOpOperand(argument);
  Value tensor = operand->get();
  if (!isa<RankedTensorType>(tensor.getType()))
    return scalar(op, tensor);
  Value known = importer.find(tensor);
  if (!known)
    return refuse(op) << "an operand is no tensor of the program";
  TypedAttr all = explicitValueOf(tensor.getType());
  Value value = access(known, op.getMatchingIndexingMap(operand), missing || all);
  if (!all)
    return value;
  Value constant = ta::emitConstant(b, op.getLoc(), all);
  return ta::MaskedOp::create(b, op.getLoc(), constant, value).getResult();
}

FailureOr<Value> StructuredImport::coordinate(Operation *, unsigned loop) {
  Value numbers;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(statement);
    auto type = RankedTensorType::get({ShapedType::kDynamic}, b.getI64Type());
    numbers = ta::IotaOp::create(b, op.getLoc(), type, 0, 1, extents[loop]);
  }
  AffineMap map =
      AffineMap::get(unsigned(variables.size()), 0, getAffineDimExpr(loop, b.getContext()));
  return access(numbers, map, false);
}

FailureOr<Value> StructuredImport::scalar(Operation *at, Value outside) {
  if (std::optional<int64_t> number = importer.numberOf(outside)) {
    Type type = ta::valueTypeOf(elementTypeOf(outside.getType()));
    return ta::emitConstant(b, op.getLoc(), b.getIntegerAttr(type, *number));
  }
  Attribute constant;
  if (matchPattern(outside, m_Constant(&constant)))
    if (TypedAttr value = constantOf(constant, outside.getType()))
      return ta::emitConstant(b, op.getLoc(), value);
  Value known = importer.find(outside);
  auto type = known ? dyn_cast<RankedTensorType>(known.getType()) : nullptr;
  if (!type || type.getRank() != 0)
    return refuse(at) << "it reads a value from around the statement that is no scalar of the "
                         "program";
  return access(known, AffineMap::get(unsigned(variables.size()), 0, {}, b.getContext()), false);
}

//===------------------------------------------------------------------------------------------===//
// Loops
//===------------------------------------------------------------------------------------------===//

// Every dimension of an operand that one loop runs over says how often.
LogicalResult StructuredImport::findExtents() {
  for (unsigned loop = 0; loop < iterators.size(); ++loop) {
    std::optional<int64_t> fixed;
    SmallVector<Value> sizes;
    SmallVector<Attribute> uses;
    for (OpOperand &operand : op->getOpOperands()) {
      auto shaped = dyn_cast<RankedTensorType>(operand.get().getType());
      Value known = shaped ? importer.find(operand.get()) : Value();
      if (!known)
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
        if (expr != getAffineDimExpr(loop, b.getContext()))
          continue;
        if (!shaped.isDynamicDim(dim)) {
          fixed = shaped.getDimSize(dim);
          continue;
        }
        sizes.push_back(importer.sizeOf(op.getLoc(), known, dim));
        uses.push_back(b.getStringAttr("operand " + Twine(operand.getOperandNumber() + 1)));
      }
    }
    if (fixed) {
      sizes.insert(sizes.begin(), arith::ConstantIndexOp::create(b, op.getLoc(), *fixed));
      uses.insert(uses.begin(), b.getStringAttr(Twine(*fixed)));
    }
    if (sizes.empty())
      return refuse(op) << "no operand says how often loop " << loop << " runs";
    std::string name = ta::indexNames(iterators.size())[loop];
    extents.push_back(sizes.size() == 1
                          ? sizes.front()
                          : ta::SameSizeOp::create(b, op.getLoc(), b.getIndexType(), name, sizes,
                                                   b.getArrayAttr(uses)));
  }
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Reductions
//===------------------------------------------------------------------------------------------===//

static bool uses(Value value, Value part, Operation *within) {
  if (value == part)
    return true;
  Operation *made = value.getDefiningOp();
  if (!made || !within->isProperAncestor(made))
    return false;
  return llvm::any_of(made->getOperands(),
                      [&](Value operand) { return uses(operand, part, within); });
}

// The operation that combines: that of the region, of an operation which has one.
static Operation *combiningOf(Operation *made) {
  auto reduce = dyn_cast<sparse_tensor::ReduceOp>(made);
  return reduce ? reduce.getRegion().front().getTerminator()->getOperand(0).getDefiningOp() : made;
}

// value = out combine term combine term ...
bool StructuredImport::parseReduction(Value value, BlockArgument out, Reduction &reduction) {
  Operation *made = value.getDefiningOp();
  if (!made || !op->isProperAncestor(made))
    return false;
  std::optional<ta::Combine> combine = combineOf(made);
  SmallVector<Value> operands;
  if (auto custom = dyn_cast<sparse_tensor::ReduceOp>(made)) {
    combine = combineOf(custom.getRegion());
    operands = {custom.getX(), custom.getY()};
    reduction.storedAlone = true;
    reduction.identity = custom.getIdentity();
  } else if (auto select = dyn_cast<arith::SelectOp>(made)) {
    operands = {select.getTrueValue(), select.getFalseValue()};
  } else {
    operands = llvm::to_vector(made->getOperands());
  }
  bool isDifference = isa<arith::SubFOp, arith::SubIOp, complex::SubOp>(made);
  if (isDifference)
    combine = ta::Combine::add;
  if (!combine || operands.size() != 2)
    return false;
  if (!reduction.terms.empty() && (reduction.combine != *combine || isDifference))
    return false;
  if (!uses(operands[0], out, op) && !isDifference)
    std::swap(operands[0], operands[1]);
  if (!uses(operands[0], out, op) || uses(operands[1], out, op))
    return false;
  reduction.combine = *combine;
  reduction.negated = isDifference;
  Value before = operands[0];
  if (auto custom = dyn_cast<sparse_tensor::ReduceOp>(made))
    before = custom.getRegion().getArgument(before == custom.getX() ? 0 : 1);
  const NanRule rule = nanRuleOf(combiningOf(made), before);
  if (rule == NanRule::unordered)
    return false;
  reduction.skipsNan |= rule == NanRule::passedOver;
  reduction.terms.push_back(operands[1]);
  if (operands[0] == out)
    return true;
  return !isDifference && !reduction.storedAlone && parseReduction(operands[0], out, reduction);
}

FailureOr<Value> StructuredImport::emitTerms(const Reduction &reduction) {
  ElementBody body(b, *this);
  Value all;
  for (Value term : llvm::reverse(reduction.terms)) {
    FailureOr<Value> value = reduction.storedAlone ? body.emitStored(term) : body.emit(term);
    if (failed(value))
      return failure();
    if (reduction.skipsNan) {
      Value isNumber = ta::CompareOp::create(b, op.getLoc(), ta::Relation::eq, *value, *value);
      value = ta::FilterOp::create(b, op.getLoc(), *value, isNumber).getResult();
    }
    if (!all) {
      all = *value;
      continue;
    }
    Value both = ta::emitUpdate(b, op.getLoc(), reduction.combine, all, *value);
    bool missing = ta::mayBeMissing(all) || ta::mayBeMissing(*value);
    all = missing ? Value(ta::UnionOp::create(b, op.getLoc(), all, *value, both)) : both;
  }
  return reduction.negated ? ta::emitNegative(b, op.getLoc(), all) : all;
}

FailureOr<Value> StructuredImport::emitReduction(const Reduction &reduction) {
  SmallVector<Value> reduced;
  SmallVector<Attribute> names;
  SmallVector<std::string> all = ta::indexNames(iterators.size());
  for (unsigned loop = 0; loop < iterators.size(); ++loop)
    if (reduces(loop)) {
      reduced.push_back(extents[loop]);
      names.push_back(b.getStringAttr(all[loop]));
    }
  Type type =
      ta::valueTypeOf(cast<RankedTensorType>(statement.getResult().getType()).getElementType());
  // Of rows without terms a result that has a place for everything holds the identity.
  auto made = cast<RankedTensorType>(statement.getResult().getType());
  bool missing = reduction.storedAlone && !ta::formatOf(made).isFull();
  auto reduce = ta::ReduceOp::create(b, op.getLoc(), type, reduction.combine, reduced,
                                     b.getArrayAttr(names), missing || reduction.leavesNan);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&reduce.getBody());
    for (unsigned loop = 0; loop < iterators.size(); ++loop)
      if (reduces(loop))
        variables[loop] = block->addArgument(b.getIndexType(), op.getLoc());
    FailureOr<Value> value = emitTerms(reduction);
    if (failed(value))
      return failure();
    ta::YieldOp::create(b, op.getLoc(), *value);
  }
  return beginning(reduction, reduce.getResult());
}

// The value of a reduction that begins with a value of its own.
FailureOr<Value> StructuredImport::beginning(const Reduction &reduction, Value reduced) {
  Type type = reduced.getType();
  Attribute constant;
  if (!reduction.identity)
    return reduced;
  if (matchPattern(reduction.identity, m_Constant(&constant)) &&
      Attribute(constantOf(constant, reduction.identity.getType())) ==
          Attribute(ta::identityOf(reduction.combine, type)))
    return reduced;
  ElementBody body(b, *this);
  FailureOr<Value> first = body.emit(reduction.identity);
  if (failed(first))
    return failure();
  return ta::emitUpdate(b, op.getLoc(), reduction.combine, *first, reduced);
}

bool StructuredImport::isNew(Reduction &reduction, Value init, Type element) {
  if (reduction.storedAlone)
    return true;
  Importer::Start start = importer.startOf(init);
  auto number = dyn_cast_or_null<FloatAttr>(Attribute(start.splat));
  reduction.leavesNan = reduction.skipsNan && number && number.getValue().isNaN();
  if (reduction.leavesNan)
    return true;
  Attribute identity = ta::identityOf(reduction.combine, ta::valueTypeOf(element));
  if (start.splat)
    return Attribute(start.splat) == identity;
  // What is only allocated is zero.
  Attribute zero = ta::identityOf(ta::Combine::add, ta::valueTypeOf(element));
  return start.isEmpty && identity == zero;
}

//===------------------------------------------------------------------------------------------===//
// Results
//===------------------------------------------------------------------------------------------===//

// The loops that do not reduce say where a result is written.
FailureOr<ResultPlace> StructuredImport::placeOf(AffineMap map) {
  ResultPlace place;
  SmallVector<AffineExpr> replaced(iterators.size(), getAffineConstantExpr(0, b.getContext()));
  for (unsigned loop = 0; loop < iterators.size(); ++loop) {
    if (reduces(loop)) {
      if (map.isFunctionOfDim(loop))
        return refuse(op) << "loop " << loop << " reduces, and says where the result is written";
      continue;
    }
    if (!map.isFunctionOfDim(loop))
      return refuse(op) << "the values of loop " << loop << " overwrite each other";
    replaced[loop] = getAffineDimExpr(place.free.size(), b.getContext());
    place.names.push_back(b.getStringAttr(ta::indexNames(iterators.size())[loop]));
    place.free.push_back(extents[loop]);
  }
  place.map = map.replaceDimsAndSymbols(replaced, {}, place.free.size(), 0);
  return place;
}

LogicalResult StructuredImport::importResult(unsigned number) {
  OpOperand *operand = op.getDpsInitOperand(number);
  BlockArgument out = op.getMatchingBlockArgument(operand);
  Value yielded = op.getBlock()->getTerminator()->getOperand(number);
  AffineMap map = op.getMatchingIndexingMap(operand);
  FailureOr<RankedTensorType> type = importer.typeOf(op, op->getResult(number).getType());
  Value init = importer.find(operand->get());
  if (failed(type))
    return failure();
  if (!init)
    return refuse(op) << "what it writes to is no tensor of the program";
  FailureOr<ResultPlace> place = placeOf(map);
  if (failed(place))
    return failure();
  const AffineMap outMap = place->map;
  bool hasReductions = place->free.size() != iterators.size();
  Reduction reduction;
  if (hasReductions && !parseReduction(yielded, out, reduction))
    return refuse(op) << "a reduction combines what was there with terms by +, *, min, max, or "
                         "by and, or, xor of i1";
  bool covers = outMap.isPermutation();
  Value before = init;
  if (hasReductions ? covers && isNew(reduction, operand->get(), type->getElementType()) : covers)
    before = Value();
  SmallVector<Value> all;
  for (int64_t dim = 0; dim < type->getRank(); ++dim)
    all.push_back(importer.sizeOf(op.getLoc(), init, unsigned(dim)));
  statement = ta::ComputeOp::create(
      b, op.getLoc(), *type, place->free, ValueRange(), importer.dynamicSizes(*type, all), before,
      AffineMapAttr::get(outMap),
      hasReductions && before ? ta::CombineAttr::get(b.getContext(), reduction.combine)
                              : ta::CombineAttr(),
      b.getArrayAttr(place->names));
  if (reduction.leavesNan)
    statement.setEmptyAttr(importer.startOf(operand->get()).splat);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&statement.getBody());
  variables.assign(iterators.size(), Value());
  for (unsigned loop = 0; loop < iterators.size(); ++loop)
    if (!reduces(loop))
      variables[loop] = block->addArgument(b.getIndexType(), op.getLoc());
  inputs.clear();
  ElementBody body(b, *this);
  FailureOr<Value> value = hasReductions ? emitReduction(reduction) : body.emit(yielded);
  if (failed(value))
    return failure();
  ta::YieldOp::create(b, op.getLoc(), *value);
  statement.getInputsMutable().assign(inputs.getArrayRef());
  return importer.define(op->getResult(number), statement.getResult());
}

LogicalResult StructuredImport::run() {
  if (!op.hasPureTensorSemantics())
    return refuse(op) << "it works on buffers; programs of ta work on tensors";
  if (failed(findExtents()))
    return failure();
  for (unsigned number = 0; number < op->getNumResults(); ++number)
    if (failed(importResult(number)))
      return failure();
  return success();
}

LogicalResult Importer::importStructured(linalg::LinalgOp op) {
  if (failed(StructuredImport(*this, op).run()))
    return failure();
  Attribute constant;
  if (isa<linalg::FillOp>(op) && matchPattern(op->getOperand(0), m_Constant(&constant)))
    starts[op->getResult(0)].splat = constantOf(constant, op->getOperand(0).getType());
  return success();
}

// Softmax and its like are several structured operations.
LogicalResult Importer::importAggregate(linalg::AggregatedOpInterface op) {
  OpBuilder at(op);
  FailureOr<SmallVector<Value>> parts = op.decomposeOperation(at);
  if (failed(parts))
    return refuse(op) << "it does not fall into structured operations";
  op->replaceAllUsesWith(*parts);
  return success();
}

} // namespace strata::interop
