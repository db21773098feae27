// Counts with densities: the share of its places at which a value is to be expected.
#include "strata/estimate/Work.h"

#include "strata/dialect/ta/LabelValues.h"
#include "strata/estimate/LabelShare.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/tensor/Quantities.h"

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
  if (auto reduce = dyn_cast<ta::ReduceOp>(def)) {
    double terms = std::min(density(reduce.getYielded()), visitedBy(reduce));
    return any(terms, product(reduce.getExtents()));
  }
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

// The chance that a sparse operand of the value stores something. Lists what is read of these.
double WorkEstimate::shareStored(Value value, SmallVectorImpl<Operation *> &sparse,
                                 llvm::SmallDenseMap<Value, double> &known) const {
  Operation *def = value.getDefiningOp();
  if (!def)
    return 0;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  double share = 0;
  if (auto access = dyn_cast<ta::AccessOp>(def)) {
    if (Occupancy tensor = occupancyOf(access.getTensor()); !tensor.format.isFull()) {
      sparse.push_back(access);
      share = densityOf(tensor);
    }
  } else if (auto reduce = dyn_cast<ta::ReduceOp>(def)) {
    share = any(shareStored(reduce.getYielded(), sparse, known), product(reduce.getExtents()));
  } else {
    // Written so that what a single operand stores is its share, without rounding.
    for (Value operand : def->getOperands())
      share += (1 - share) * shareStored(operand, sparse, known);
  }
  return known[value] = share;
}

// The share of places at which one of the value's sparse operands stores something, if what it is
// elsewhere is passed over; else all.
double WorkEstimate::visited(Value value, TypedAttr passedOver) const {
  SmallVector<Operation *> sparse;
  llvm::SmallDenseMap<Value, double> known;
  double share = shareStored(value, sparse, known);
  Attribute elsewhere = IndexStatement::knownWithout(value, sparse).value;
  bool passes = elsewhere && (isa<ta::MissingAttr>(elsewhere) || elsewhere == passedOver);
  double labelled =
      shareOfPlaces(labelConditions(value, passedOver), extentOf, [](Value) { return true; });
  return (passes ? share : 1) * labelled;
}

// Of a reduction's terms those that change nothing are passed over.
double WorkEstimate::visitedBy(ta::ReduceOp reduce) const {
  return visited(reduce.getYielded(), ta::identityOf(reduce.getCombine(), reduce.getType()));
}

// `places`: of the variables around; `wanted`: the share of them at which the value is needed;
// `visited`: the share of them that loops visit.
double WorkEstimate::operationsIn(Value value, double places, double wanted, double visited,
                                  llvm::SmallPtrSetImpl<Operation *> &seen) const {
  Operation *def = value.getDefiningOp();
  // A comparison of labels is known of a place, and bounds the loops over places.
  if (!def || isa<ta::AccessOp>(def) || def->hasAttr(ta::ofLabelsAttribute) ||
      !seen.insert(def).second)
    return 0;
  if (auto reduce = dyn_cast<ta::ReduceOp>(def)) {
    // How many places there are is the product of the sizes.
    if (Operation *term = reduce.getYielded().getDefiningOp(); term && ta::constantOf(term))
      return 1;
    places *= product(reduce.getExtents());
    visited = std::min(visited, wanted * visitedBy(reduce));
    return places * std::min(visited, wanted * density(reduce.getYielded())) +
           operationsIn(reduce.getYielded(), places, wanted, visited, seen);
  }
  double operations = 0;
  if (def->getNumOperands() == 2 && def->getNumResults() == 1)
    operations = places * std::min(visited, wanted * density(value));
  for (auto [at, operand] : llvm::enumerate(def->getOperands())) {
    double share = isIntersection(def) ? density(def->getOperand(1 - at)) : 1;
    operations += operationsIn(operand, places, wanted * share, visited, seen);
  }
  return operations;
}

double WorkEstimate::operations(ta::ComputeOp op) const {
  double places = product(op.getExtents());
  llvm::SmallPtrSet<Operation *, 16> seen;
  double updates = op.getCombine() ? places * density(op.getYielded()) : 0;
  auto result = cast<RankedTensorType>(op.getResult().getType());
  double reached = ta::formatOf(result).isFull() ? 1 : visited(op.getYielded(), ta::fillOf(result));
  return updates + operationsIn(op.getYielded(), places, 1, reached, seen);
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
  return walked(statement, plan, /*merges=*/false);
}

double WorkEstimate::steps(const IndexStatement &statement, const LoopPlan &plan) const {
  return walked(statement, plan, /*merges=*/true);
}

double WorkEstimate::steps(ta::ComputeOp op) const {
  IndexStatement statement(op);
  auto plan = planOf(statement);
  return plan ? steps(statement, *plan) : 0;
}

// Tells whether the variable is one of a level that does not have all coordinates; `goneThrough`:
// of a level that is not found, but gone through.
static bool bounds(const AccessPath &path, unsigned variable, bool goneThrough) {
  return llvm::any_of(llvm::seq<unsigned>(0, path.coordinates.size()), [&](unsigned level) {
    return path.depends(level, variable) && !ta::levelProperties(path.format, level).full &&
           !(goneThrough && findLevelTraits(path.format.getLevels()[level].getName())->locates);
  });
}

// Tells whether a loop over one of two variables runs inside that over the other. Sums side by side
// do not, nor those that do not depend on the variable, which are computed before its loop.
static bool areNested(const IndexStatement &statement, unsigned one, unsigned other) {
  ta::ReduceOp first = statement.variables[one].reduction,
               second = statement.variables[other].reduction;
  auto uses = [&](ta::ReduceOp sum, unsigned variable) {
    return statement.freeVariables(sum.getResult()).test(variable);
  };
  if (first == second)
    return true;
  if (!first || (second && first->isProperAncestor(second)))
    return uses(second, one);
  return (!second || second->isProperAncestor(first)) && uses(first, other);
}

// The steps of a loop in which the operand is walked, in each of its rounds: it has coordinates
// there for any of what levels below the walked one store, though loops around may have bound that.
double WorkEstimate::stepsOfWalk(const IndexStatement &statement, Operation *access,
                                 unsigned variable) const {
  const AccessPath &path = statement.accesses.find(access)->second;
  llvm::SmallBitVector above(statement.variables.size());
  for (unsigned level = 0; level < path.coordinates.size() && !path.depends(level, variable);
       ++level)
    for (unsigned other = 0; other < above.size(); ++other)
      if (path.depends(level, other))
        above.set(other);
  double below = 1;
  for (unsigned other = 0; other < above.size(); ++other)
    if (other != variable && path.involves(other) && !above.test(other))
      below *= double(extentOf(statement.variables[other].extent));
  double there = densityOf(occupancyOf(cast<ta::AccessOp>(access).getTensor()));
  return double(extentOf(statement.variables[variable].extent)) * any(there, below);
}

// The conditions that comparisons of labels set to the terms of sums, and to what a result built
// afresh gets.
static SmallVector<LabelConditions> conditionsOf(const IndexStatement &statement) {
  SmallVector<LabelConditions> found;
  ta::ComputeOp op = statement.op;
  op.getBody().walk([&](ta::ReduceOp reduce) {
    found.push_back(labelConditions(reduce.getYielded(),
                                    ta::identityOf(reduce.getCombine(), reduce.getType())));
  });
  if (!op.getInit())
    found.push_back(labelConditions(op.getYielded(),
                                    ta::fillOf(cast<RankedTensorType>(op.getResult().getType()))));
  llvm::erase_if(found, [](const LabelConditions &one) { return one.conditions.empty(); });
  return found;
}

double WorkEstimate::walked(const IndexStatement &statement, const LoopPlan &plan,
                            bool merges) const {
  double all = 0;
  SmallVector<LabelConditions> labels = conditionsOf(statement);
  double left = 1; // of the places of the variables so far: the share that comparisons leave
  SmallVector<std::pair<unsigned, double>> rounds; // of the variables whose loops are outside
  llvm::SmallBitVector bound(statement.variables.size());
  for (unsigned variable : plan.order) {
    bound.set(variable);
    auto isBound = [&](Value index) { return bound.test(statement.numberOf(index)); };
    double leftBefore = std::exchange(left, 1);
    for (const LabelConditions &one : labels)
      left *= shareOfPlaces(one, extentOf, isBound);
    // Of those that follow an operand, as many as the operand is expected to have below what is
    // known of its coordinates.
    auto extent = double(extentOf(statement.variables[variable].extent)), least = extent;
    double merged = 0;
    bool bounded = false, several = false;
    if (ta::ReduceOp sum = statement.variables[variable].reduction)
      if (Operation *term = ta::ReduceOp(sum).getYielded().getDefiningOp();
          term && ta::constantOf(term))
        continue;
    for (const auto &[access, path] : statement.accesses) {
      if (!path.involves(variable) || path.format.isFull() ||
          llvm::is_contained(plan.sweeps, variable) ||
          (merges && !bounds(path, variable, /*goneThrough=*/false)))
        continue;
      double open = 1;
      for (unsigned other = 0; other < bound.size(); ++other)
        if (!bound.test(other) && path.involves(other))
          open *= double(extentOf(statement.variables[other].extent));
      double there = densityOf(occupancyOf(cast<ta::AccessOp>(access).getTensor()));
      const double own = extent * any(there, open);
      least = std::min(least, own);
      if (!merges || !bounds(path, variable, /*goneThrough=*/true))
        continue;
      several |= merged > 0;
      merged += own;
      bounded |= statement.isEssential(access);
    }
    // Merged operands take a step for each coordinate of any of them; a union runs its body at
    // each.
    merged = std::min(extent, merged);
    double again = 0; // of walks beside which others are looked up
    for (auto [walkedFor, access] : plan.rewalks)
      if (merges && walkedFor == variable)
        again = std::max(again, stepsOfWalk(statement, access, variable));
    double around = 1;
    for (auto [outer, count] : rounds)
      if (areNested(statement, outer, variable))
        around *= count;
    if (left < leftBefore) {
      least *= left / leftBefore;
      merged *= left / leftBefore;
    }
    all += around * std::max(again, several ? std::max(merged, least) : least);
    rounds.push_back({variable, several && !bounded ? std::max(merged, least) : least});
  }
  return all;
}

std::string stepsText(double operations, double steps) {
  constexpr double leastSteps = 1e6, leastShare = 10;
  if (steps < leastSteps || steps < leastShare * operations)
    return "";
  return " in " + countInWords(steps) + " steps of loops";
}

} // namespace strata
