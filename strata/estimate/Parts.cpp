// Tells from numbers of entries whether a sum is worth dividing.
#include "strata/estimate/Parts.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/estimate/Memory.h"
#include "strata/estimate/Skew.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/PartsOfSum.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/runtime/Thresholds.h"
#include "strata/tensor/ElementTypes.h"

using namespace mlir;

namespace strata {

/// Entries for each place of the result, of all entries so many: a place of a copy is written,
/// read and added, in order.
static constexpr double entriesOfPlace = 6;
static double fewest = 1 << 18;

void divideSumsFrom(double entries) { fewest = entries; }

/// Bytes that come together from a cache.
static constexpr double lineBytes = 64;

/// What rows take, counted in entries that follow each other. The elements that the entries of a
/// row lead to are near each other where it has about as many as these have cache lines.
static double stepsOf(StoredBelow below, double lines) {
  const double entries = double(below.entries);
  const double length = entries / std::max(double(below.rows), 1.0);
  const double apart = lines > 0 ? std::max(0.0, 1 - length / lines) : 0;
  return entries * (1 + apart * double(runtime::thresholds().entriesOfJump));
}

static int64_t bytesOfElement(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return int64_t(strata_type_bytes(*runtimeType(type.getElementType())));
}

/// The cache lines of the largest dense operand; 0 if a core's own cache holds it.
static double linesLookedUp(ta::ComputeOp op, llvm::function_ref<Occupancy(Value)> occupancyOf) {
  double bytes = 0;
  for (Value input : op.getInputs())
    if (const Occupancy tensor = occupancyOf(input); tensor.format.isFull())
      bytes = std::max(bytes, placesOf(tensor.sizes) * double(bytesOfElement(input)));
  return bytes > double(runtime::thresholds().ownCache) ? bytes / lineBytes : 0;
}

/// Tells whether one row takes so much of what all take that two threads, which would wait for it,
/// gain more by dividing entries than one thread would lose: each row takes longer then.
static bool hasLargeRow(ta::ComputeOp op, llvm::function_ref<Occupancy(Value)> occupancyOf) {
  const TensorValue *sparse = nullptr;
  for (Value input : op.getInputs()) {
    const Occupancy tensor = occupancyOf(input);
    if (tensor.format.isFull())
      continue;
    if (sparse || !tensor.whole || !storesInOrder(tensor.format))
      return false;
    sparse = tensor.whole;
  }
  if (!sparse)
    return false;
  const Spread spread = spreadOf(*sparse);
  const StoredBelow others = {spread.all.rows - spread.middle.rows,
                              spread.all.entries - spread.middle.entries};
  const double lines = linesLookedUp(op, occupancyOf);
  const double large = stepsOf(spread.middle, lines), all = large + stepsOf(others, lines);
  const double lost = double(spread.all.rows) * double(runtime::thresholds().entriesOfCutRow);
  const double gained = large - (all + lost) / 2;
  return gained > lost;
}

bool wantsParts(ta::ComputeOp op, bool windowed, ArrayRef<int64_t> sizes,
                llvm::function_ref<Occupancy(Value)> occupancyOf) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (!ta::formatOf(type).isFull() || op.getInit() || op.getScheduleAttr())
    return false;
  double entries = 0;
  for (Value input : op.getInputs())
    entries = std::max(entries, occupancyOf(input).stored);
  if (entries < fewest)
    return false;
  const bool isSkewed = hasLargeRow(op, occupancyOf);
  const bool repaysCopies = entries >= entriesOfPlace * placesOf(sizes);
  if (!isSkewed && !repaysCopies)
    return false;
  IndexStatement statement(op);
  auto plan = planOf(statement);
  if (!plan)
    return false;
  if (!windowed && entriesToCut(statement, *plan))
    return isSkewed;
  std::optional<PartsOfSum> parts = repaysCopies ? partsOfSum(statement, *plan) : std::nullopt;
  return parts && !(parts->leader && windowed);
}

std::string reasonToCut(ta::ComputeOp op) {
  IndexStatement statement(op);
  auto plan = planOf(statement);
  ta::AccessOp leader = plan ? entriesToCut(statement, *plan) : ta::AccessOp();
  return leader ? "threads take equally many entries of " + ta::quotedNameOf(leader.getTensor()) +
                      ", since most of them lie at one value of '" +
                      statement.variables[plan->order.front()].name + "'"
                : std::string();
}

double bytesOfParts(ta::ComputeOp op, ArrayRef<int64_t> sizes) {
  if (!reasonToCut(op).empty())
    return 0; // a place for each part of entries
  return double(numberOfParts(IndexStatement(op))) * placesOf(sizes) *
         double(bytesOfElement(op.getResult()));
}

} // namespace strata
