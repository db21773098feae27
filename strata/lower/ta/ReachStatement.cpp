// Lets cells compute a statement that reads neighbours, y[i] = x[i - 1] + x[i + 1], of which the
// loops reach a part of the result: at lists of a label's values, for intervals of the result.
#include "strata/lower/ta/CellStatement.h"

#include "strata/dialect/ta/Notation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

// Finds the label of which cells take parts that is no coordinate itself somewhere, or does not
// take all coordinates of the result.
std::optional<unsigned> CellStatement::findReached() {
  if (schedule.entries || schedule.rounds)
    return std::nullopt;
  Value whole = op.getInit() ? op.getInit() : op.getResult();
  for (const CellCut &cut : schedule.cuts) {
    const Value extent = statement.variables[cut.variable].extent;
    auto isPlain = [&](AffineMap place) {
      return llvm::all_of(place.getResults(), [&](AffineExpr expr) {
        return isa<AffineDimExpr>(expr) || !expr.isFunctionOfDim(cut.variable);
      });
    };
    bool areAllPlain = isPlain(statement.resultPlace()) &&
                       llvm::all_of(dimsOf(statement.resultPlace(), cut.variable),
                                    [&](unsigned dim) { return isSizeOf(extent, whole, dim); });
    for (const auto &[access, path] : statement.accesses)
      areAllPlain &= isPlain(placeOf(cast<ta::AccessOp>(access)));
    if (!areAllPlain && !cut.cell)
      return cut.variable;
  }
  return std::nullopt;
}

// Returns where the label is a coordinate, or one but for a constant.
std::optional<CellStatement::Reached> CellStatement::reachedAt(AffineMap place) const {
  for (auto [dim, expr] : llvm::enumerate(place.getResults()))
    if (reachedVariable && expr.isFunctionOfDim(*reachedVariable))
      if (std::optional<ShiftedVariable> label = shiftedVariable(expr))
        return Reached{label->variable, unsigned(dim), label->shift, label->shift};
  return std::nullopt;
}

LogicalResult CellStatement::checkReached(AffineMap place, StringRef tensor) {
  const CellCut &cut = *schedule.cutOf(*reachedVariable);
  const auto uses = llvm::count_if(
      place.getResults(), [&](AffineExpr expr) { return expr.isFunctionOfDim(*reachedVariable); });
  if (uses > 1)
    return schedule.refuse(cut) << "'" << schedule.nameOf(cut)
                                << "' is the coordinate of several dimensions of '" << tensor
                                << "'";
  if (uses == 1 && !reachedAt(place))
    return schedule.refuse(cut) << "'" << tensor
                                << "' is read at a coordinate that is computed from '"
                                << schedule.nameOf(cut) << "', and is not '" << schedule.nameOf(cut)
                                << "' plus a number";
  return success();
}

// The cells' part of the result is put into it, in which everything has a place.
LogicalResult CellStatement::checkReached() {
  const CellCut &cut = *schedule.cutOf(*reachedVariable);
  RankedTensorType type = typeOf(op.getResult());
  if (statement.variables[*reachedVariable].reduction)
    return schedule.refuse(cut) << "'" << schedule.nameOf(cut)
                                << "' is summed, and does not take all coordinates of a dimension";
  if (ta::sumOf(type) || !ta::formatOf(type).isFull() ||
      !ta::formatOf(type).getDimToLvl().isPermutation())
    return schedule.refuse(cut) << "the result has elements that the statement does not compute";
  for (const CellCut &other : schedule.cuts)
    if (&other != &cut && (other.cell || !op.getOutMap().isFunctionOfDim(other.variable) ||
                           dimsOf(statement.resultPlace(), other.variable).size() != 1 ||
                           !isSizeOf(statement.variables[other.variable].extent, op.getResult(),
                                     dimsOf(statement.resultPlace(), other.variable).front())))
      return schedule.refuse(other)
             << "cells have parts of '" << schedule.nameOf(cut) << "' with its neighbours";
  if (failed(checkReached(statement.resultPlace(), ta::nameOf(op.getResult()))))
    return failure();
  for (const auto &[access, path] : statement.accesses) {
    auto one = cast<ta::AccessOp>(access);
    if (failed(checkReached(placeOf(one), ta::operandName(op, one.getTensor()))))
      return failure();
  }
  if (op.getMask())
    return checkReached(statement.placeOf(*op.getMaskMap(), ValueRange(op.getVariables())),
                        ta::operandName(op, op.getMask()));
  return success();
}

// Tells whether the statement may have no value for a place, which then stays as it was.
static bool mayBeMissing(ta::ComputeOp op) {
  return op.getBody()
      .walk([](Operation *inner) {
        auto access = dyn_cast<ta::AccessOp>(inner);
        const bool drops = isa<ta::MaskedOp, ta::UnmaskedOp, ta::FilterOp>(inner);
        return drops || (access && access.getMissing()) ? WalkResult::interrupt()
                                                        : WalkResult::advance();
      })
      .wasInterrupted();
}

// Tells whether cells read what the result was before.
bool CellStatement::needsInit() {
  if (!reachedVariable || op.getCombine() || op.getMask() || mayBeMissing(op))
    return true;
  return !llvm::all_of(llvm::enumerate(statement.resultPlace().getResults()), [&](auto pair) {
    if (pair.value().isFunctionOfDim(*reachedVariable))
      return true;
    auto label = dyn_cast<AffineDimExpr>(pair.value());
    return label &&
           isSizeOf(statement.variables[label.getPosition()].extent, op.getResult(), pair.index());
  });
}

Value CellStatement::sizeOf(Value tensor, unsigned dim) {
  RankedTensorType type = typeOf(tensor);
  if (!type.isDynamicDim(dim))
    return arith::ConstantIndexOp::create(b, op.getLoc(), type.getDimSize(dim));
  return tensor == op.getResult()
             ? Value(op.getSizes()[type.getDynamicDimIndex(dim)])
             : ta::DimOp::create(b, op.getLoc(), b.getIndexType(), tensor, uint64_t(dim));
}

// Lists for each cell what its values of the label reach of a tensor.
Value CellStatement::reachOf(Value tensor, const Reached &reached) {
  const Reached own = *reachedAt(statement.resultPlace());
  const CellCut &cut = *schedule.cutOf(own.variable);
  for (ta::ReachOp made : reachLists)
    if (int64_t(made.getFirst()) == reached.least &&
        int64_t(made.getWidth()) == reached.most - reached.least + 1 &&
        isSizeOf(made.getSize(), tensor, reached.dim))
      return made.getResult();
  MLIRContext *context = op.getContext();
  SmallVector<ta::PlaceAttr> everywhere(
      schedule.machine.getAxes().size(),
      ta::PlaceAttr::get(context, ta::PlaceKind::all, ArrayRef<unsigned>(), 0));
  RankedTensorType type = ta::withPlacement(
      RankedTensorType::get({ShapedType::kDynamic}, b.getI64Type()),
      ta::PlacementAttr::get(context, schedule.machine.getSymName(), everywhere, {0u}));
  whyListed[own.variable] = (Twine("a cell needs what its values of '") +
                             statement.variables[own.variable].name + "' reach")
                                .str();
  reachLists.push_back(ta::ReachOp::create(
      b, op.getLoc(), type, statement.variables[own.variable].extent,
      sizeOf(op.getResult(), own.dim), cut.axis, own.least, sizeOf(tensor, reached.dim),
      reached.least, reached.most - reached.least + 1, b.getStringAttr(whyListed[own.variable])));
  return reachLists.back().getResult();
}

// Returns how many values of the label a cell has: what it has of a tensor is as many, and as many
// more as each value reaches besides one.
Value CellStatement::reachExtent(unsigned variable) {
  const Operand &operand =
      *llvm::find_if(operands, [](const Operand &one) { return one.reached.has_value(); });
  const Reached &reached = *operand.reached;
  Value size =
      ta::DimOp::create(b, op.getLoc(), b.getIndexType(), operand.piece, uint64_t(reached.dim));
  if (reached.most == reached.least)
    return size;
  const AffineMap map =
      AffineMap::get(1, 0, b.getAffineDimExpr(0) - (reached.most - reached.least));
  return ta::FitOp::create(b, op.getLoc(), b.getIndexType(), AffineMapAttr::get(map), size);
}

static AffineMap countedFrom(AffineMap map, unsigned dim, int64_t by) {
  SmallVector<AffineExpr> results(map.getResults());
  results[dim] = results[dim] - by;
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results, map.getContext());
}

// Counts coordinates from where the pieces of cells begin.
void CellStatement::shiftAccesses(ta::ComputeOp local) {
  unsigned access = 0;
  local.getBody().walk([&](ta::AccessOp one) {
    if (const std::optional<Reached> &reached = operands[accessed[access++]].reached)
      one.setMap(countedFrom(one.getMap(), reached->dim, reached->least));
  });
  if (masked)
    if (const std::optional<Reached> &reached = operands[*masked].reached)
      local.setMaskMap(countedFrom(*local.getMaskMap(), reached->dim, reached->least));
  const Reached own = *reachedAt(statement.resultPlace());
  local.setOutMap(countedFrom(local.getOutMap(), own.dim, own.least));
}

// Puts what cells have computed into what the result was before, or into zeros.
Value CellStatement::scatteredInto() {
  const Reached own = *reachedAt(statement.resultPlace());
  const CellCut &cut = *schedule.cutOf(own.variable);
  Value parts = distributed();
  SmallVector<ta::PlaceAttr> places(result.getPlaces());
  places[cut.axis] = ta::PlaceAttr::get(op.getContext(), ta::PlaceKind::share, {own.dim}, 0);
  auto placement = ta::PlacementAttr::get(op.getContext(), result.getMachine(), places);
  RankedTensorType type = ta::withPlacement(typeOf(op.getResult()), placement);
  Value into =
      op.getInit()
          ? placed(op.getInit(), placement, ta::formatOf(type))
          : ta::FillOp::create(b, op.getLoc(), type, ta::fillOf(type), op.getSizes()).getResult();
  return ta::ScatterOp::create(b, op.getLoc(), type, parts, ArrayRef<int64_t>(own.dim),
                               reachOf(op.getResult(), own), Value(), into);
}

} // namespace strata
