// Makes results anew that cannot be updated.
#include "strata/lower/ta/RenewResult.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/FillValue.h"
#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/PlaceMap.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/analysis/WholeResult.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

void readBefore(ta::ComputeOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  Type element = ta::valueTypeOf(type.getElementType());
  Operation *yield = op.getBlock().getTerminator();
  OpBuilder b(yield);
  auto before = [&](bool missing) -> Value {
    return ta::AccessOp::create(b, op.getLoc(), element, op.getInit(), op.getVariables(),
                                op.getOutMap(), missing);
  };
  Value value = op.getYielded();
  if (std::optional<ta::Combine> combine = op.getCombine()) {
    bool neutral = Attribute(ta::identityOf(*combine, element)) == Attribute(ta::fillOf(type));
    value = ta::emitUpdated(b, op.getLoc(), *combine, op.getJoins(), neutral, before, value);
  } else {
    value = ta::UnionOp::create(b, op.getLoc(), before(true), value, value);
  }
  yield->setOperand(0, value);
  op.getInputsMutable().append(op.getInit());
  op.removeCombineAttr();
  op.setJoins(false);
}

namespace {

// Each fixed coordinate of the left side becomes a variable of one value: what is below is built in
// a loop.
void bindFixedCoordinates(ta::ComputeOp op) {
  OpBuilder b(op);
  SmallVector<AffineExpr> place(op.getOutMap().getResults());
  unsigned variables = op.getOutMap().getNumDims();
  for (AffineExpr &coordinate : place) {
    if (!isa<AffineConstantExpr>(coordinate))
      continue;
    op.getExtentsMutable().append(Value(arith::ConstantIndexOp::create(b, op.getLoc(), 1)));
    op.getBlock().addArgument(b.getIndexType(), op.getLoc());
    if (ArrayAttr names = op.getNamesAttr()) {
      SmallVector<Attribute> all(names.getValue());
      all.push_back(b.getStringAttr("at"));
      op.setNamesAttr(b.getArrayAttr(all));
    }
    coordinate = coordinate + b.getAffineDimExpr(variables++);
  }
  op.setOutMap(AffineMap::get(variables, 0, place, b.getContext()));
}

// The statement makes the part alone, over its variables; the whole is laid under it.
void overlay(ta::ComputeOp op) {
  OpBuilder b(op.getContext());
  b.setInsertionPointAfter(op);
  auto type = cast<RankedTensorType>(op.getResult().getType());
  unsigned rank = op.getOutMap().getNumDims();
  auto part =
      RankedTensorType::get(SmallVector<int64_t>(rank, ShapedType::kDynamic), type.getElementType(),
                            partFormat(op.getOutMap(), ta::formatOf(type)));
  std::string reason = "a part of it is written, and " + ta::formatName(ta::formatOf(type)) +
                       " has no place for what it does not store";
  auto whole = ta::InsertPartOp::create(b, op.getLoc(), type, op.getResult(), op.getInit(),
                                        op.getOutMap(), op.getExtents(), b.getStringAttr(reason));
  op.getResult().replaceAllUsesExcept(whole.getResult(), whole);
  op.getResult().setType(part);
  op.getSizesMutable().assign(SmallVector<Value>(op.getExtents()));
  op.setOutMap(b.getMultiDimIdentityMap(rank));
}

// Does a variable determine more than one coordinate of the result? Then loops over variables do
// not reach one level of it after the other.
bool repeatsVariables(AffineMap place) {
  llvm::SmallBitVector seen(place.getNumDims());
  for (AffineExpr coordinate : place.getResults())
    for (unsigned variable = 0; variable < place.getNumDims(); ++variable) {
      if (!coordinate.isFunctionOfDim(variable))
        continue;
      if (seen.test(variable))
        return true;
      seen.set(variable);
    }
  return false;
}

// May the value be zero because operands store nothing, or sums have no terms?
bool mayBeAbsent(ta::ComputeOp op) {
  bool sums = false;
  op.getBody().walk([&](ta::ReduceOp) { sums = true; });
  SmallVector<Operation *> accesses;
  for (const auto &[access, path] : IndexStatement(op).accesses)
    if (!path.format.isFull())
      accesses.push_back(access);
  return sums || IndexStatement::knownWithout(op.getYielded(), accesses).absent;
}

// A place that gets the fill has no value.
void dropFills(ta::ComputeOp op) {
  Operation *yield = op.getBlock().getTerminator();
  OpBuilder b(yield);
  TypedAttr fill = ta::fillOf(cast<RankedTensorType>(op.getResult().getType()));
  Value value = op.getYielded();
  Value differs = ta::emitComparedWithFill(b, op.getLoc(), value, fill);
  yield->setOperand(0, ta::FilterOp::create(b, op.getLoc(), value, differs));
}

} // namespace

bool reachesAll(ta::ComputeOp op) {
  Value whole = op.getInit() ? op.getInit() : op.getResult();
  return op.getOutMap().isPermutation() && reachesAllOf(op, whole);
}

ta::FormatAttr partFormat(AffineMap place, ta::FormatAttr whole) {
  MLIRContext *context = place.getContext();
  SmallVector<unsigned> order;
  for (AffineExpr level : whole.getDimToLvl().getResults())
    for (auto [dim, expr] : llvm::enumerate(place.getResults()))
      for (unsigned variable = 0; variable < place.getNumDims(); ++variable)
        if (level.isFunctionOfDim(dim) && expr.isFunctionOfDim(variable) &&
            !llvm::is_contained(order, variable))
          order.push_back(variable);
  if (order.size() > 1 && ta::levelProperties(whole, 0).full)
    return ta::rowFormat(context, order).withFill(whole.getFill());
  std::string why;
  ta::FormatAttr plain = ta::shorthand(context, "CSF", order.size(), why);
  return ta::FormatAttr::get(context, AffineMap::getPermutationMap(order, context),
                             plain.getLevels(), whole.getFill());
}

namespace {

LogicalResult renew(ta::ComputeOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  bindFixedCoordinates(op);
  bool begun = op.getInit() != nullptr;
  if (!begun && !repeatsVariables(op.getOutMap()))
    return success();
  if (!begun) { // a part of what stores nothing yet
    OpBuilder b(op);
    op.getInitMutable().assign(
        ta::FillOp::create(b, op.getLoc(), type, ta::fillOf(type), op.getSizes()));
  }
  bool leaves = !op.getEmptyAttr() && ta::mayBeMissing(op.getYielded()), whole = reachesAll(op);
  if (!whole && (!ta::usesAllVariables(op.getOutMap()) || isForbidden(op, Resolution::Gather))) {
    InFlightDiagnostic error = op.emitError("cannot write a part of a tensor stored as ");
    error << ta::formatName(ta::formatOf(type))
          << ": it has no place for what it does not store. Store it dense, or assign all of it";
    if (isForbidden(op, Resolution::Gather))
      error.attachNote(op.getLoc()) << "it can be if 'gather' is allowed";
    return error;
  }
  if (begun && (op.getCombine() || leaves))
    readBefore(op);
  if (!whole)
    overlay(op);
  op.getInitMutable().clear();
  op.removeEmptyAttr();
  return success();
}

} // namespace

// What is absent annihilates even infinity and NaN, which combining with its number does not. So
// such an update reads what is there as an operand.
static void renewAnnihilated(ta::ComputeOp op) {
  if (op.getCombine() != ta::Combine::mul || op.getJoins() || !op.getInit() ||
      !isa<FloatType, ComplexType>(op.getYielded().getType()) || !mayBeAbsent(op) ||
      !ta::usesAllVariables(op.getOutMap()))
    return;
  readBefore(op);
  if (reachesAll(op))
    op.getInitMutable().clear();
}

LogicalResult renewResult(ta::ComputeOp op) {
  if (ta::formatOf(cast<RankedTensorType>(op.getResult().getType())).isFull()) {
    renewAnnihilated(op);
    return success();
  }
  // A conversion drops them by itself.
  bool drops = op.getDropsFills() && !copiesWhole(op);
  LogicalResult renewed = renew(op);
  if (succeeded(renewed) && drops)
    dropFills(op);
  return renewed;
}

} // namespace strata
