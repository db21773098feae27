// Counts with densities: the share of its places at which a value is to be expected.
#include "strata/estimate/Work.h"

#include "strata/lower/analysis/MergeCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace strata {

// The chance that one of so many is there.
static double any(double one, double count) {
  return one >= 1 ? (count > 0 ? 1 : 0) : -std::expm1(count * std::log1p(-one));
}

// Is the result nothing where either operand is?
static bool isIntersection(Operation *op) { return isProduct(op) || isa<ta::MaskedOp>(op); }

double WorkEstimate::densityOf(const Occupancy &tensor) {
  if (tensor.format.isFull())
    return 1;
  double places = 1;
  for (int64_t size : tensor.sizes)
    places *= double(std::max<int64_t>(size, 1));
  return std::min(1.0, tensor.stored / places);
}

double WorkEstimate::product(ValueRange extents) const {
  double count = 1;
  for (Value extent : extents)
    count *= double(extentOf(extent));
  return count;
}

double WorkEstimate::density(Value value) const {
  Operation *def = value.getDefiningOp();
  if (!def || (def->getNumOperands() == 0 && def->getNumRegions() == 0))
    return 1;
  if (auto known = densities.find(value); known != densities.end())
    return known->second;
  return densities[value] = densityOf(def);
}

double WorkEstimate::densityOf(Operation *def) const {
  if (auto access = dyn_cast<ta::AccessOp>(def))
    return densityOf(occupancyOf(access.getTensor()));
  if (auto reduce = dyn_cast<ta::ReduceOp>(def))
    return any(density(reduce.getYielded()), product(reduce.getExtents()));
  if (isIntersection(def))
    return density(def->getOperand(0)) * density(def->getOperand(1));
  if (isa<ta::UnmaskedOp, ta::FilterOp>(def))
    return density(def->getOperand(0));
  if (isa<math::ExpOp, math::CosOp>(def))
    return 1;
  double none = 1;
  for (Value operand : def->getOperands())
    none *= 1 - density(operand);
  return 1 - none;
}

// `places`: of the variables around; `wanted`: the share of them at which the value is needed.
double WorkEstimate::operationsIn(Value value, double places, double wanted,
                                  llvm::SmallPtrSetImpl<Operation *> &seen) const {
  Operation *def = value.getDefiningOp();
  if (!def || isa<ta::AccessOp>(def) || !seen.insert(def).second)
    return 0;
  if (auto reduce = dyn_cast<ta::ReduceOp>(def)) {
    places *= product(reduce.getExtents());
    return places * wanted * density(reduce.getYielded()) +
           operationsIn(reduce.getYielded(), places, wanted, seen);
  }
  double operations = 0;
  if (def->getNumOperands() == 2 && def->getNumResults() == 1)
    operations = places * wanted * density(value);
  for (auto [at, operand] : llvm::enumerate(def->getOperands())) {
    double share = isIntersection(def) ? density(def->getOperand(1 - at)) : 1;
    operations += operationsIn(operand, places, wanted * share, seen);
  }
  return operations;
}

double WorkEstimate::operations(ta::ComputeOp op) const {
  double places = product(op.getExtents());
  llvm::SmallPtrSet<Operation *, 16> seen;
  double updates = op.getCombine() ? places * density(op.getYielded()) : 0;
  return updates + operationsIn(op.getYielded(), places, 1, seen);
}

double WorkEstimate::mostTerms(ta::ComputeOp op) const {
  IndexStatement statement(op);
  SmallVector<std::pair<double, ta::AccessOp>> sparse;
  for (const auto &entry : statement.accesses)
    if (auto access = cast<ta::AccessOp>(entry.first); isSparse(access))
      sparse.push_back({occupancyOf(access.getTensor()).stored, access});
  llvm::sort(sparse, llvm::less_first());
  // Each entry of the smallest meets all that the next ones can have at other variables.
  llvm::SmallBitVector known(statement.variables.size());
  auto extentsOf = [&](const llvm::SmallBitVector &variables) {
    double count = 1;
    for (int variable : variables.set_bits())
      count *= double(extentOf(statement.variables[variable].extent));
    return count;
  };
  double terms = 1;
  for (auto [entries, access] : sparse) {
    llvm::SmallBitVector fresh(known.size());
    for (Value index : access.getIndices())
      fresh.set(statement.numberOf(index));
    fresh.reset(known);
    known |= fresh;
    terms *= std::min(entries, extentsOf(fresh));
  }
  return terms * extentsOf(known.flip());
}

double WorkEstimate::stored(ta::ComputeOp op) const {
  double entries = 0;
  for (Value input : op.getInputs())
    if (Occupancy tensor = occupancyOf(input); !tensor.format.isFull())
      entries += tensor.stored;
  return entries;
}

double WorkEstimate::iterations(const IndexStatement &statement, const LoopPlan &plan) const {
  double all = 0, around = 1;
  llvm::SmallBitVector bound(statement.variables.size());
  for (unsigned variable : plan.order) {
    bound.set(variable);
    // Of those that follow an operand, as many as the operand is expected to have below what is
    // known of its coordinates.
    auto extent = double(extentOf(statement.variables[variable].extent)), least = extent;
    for (const auto &[access, path] : statement.accesses) {
      if (!path.involves(variable) || path.format.isFull() ||
          llvm::is_contained(plan.sweeps, variable))
        continue;
      double open = 1;
      for (unsigned other = 0; other < bound.size(); ++other)
        if (!bound.test(other) && path.involves(other))
          open *= double(extentOf(statement.variables[other].extent));
      double there = densityOf(occupancyOf(cast<ta::AccessOp>(access).getTensor()));
      least = std::min(least, extent * any(there, open));
    }
    around *= least;
    all += around;
  }
  return all;
}

} // namespace strata
