// Tells from numbers of entries whether a sum is worth dividing.
#include "strata/estimate/Parts.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/estimate/Memory.h"
#include "strata/estimate/Skew.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/PartsOfSum.h"
#include "strata/tensor/ElementTypes.h"

using namespace mlir;

namespace strata {

/// Entries for each place of the result, of all entries so many: a place of a copy is written,
/// read and added, in order.
static constexpr double entriesOfPlace = 6;
static double fewest = 1 << 18;

void divideSumsFrom(double entries) { fewest = entries; }

/// From which share of the entries on rows are not divided among threads, but entries: what cutting
/// these costs is less than what one of two threads would wait for.
static constexpr double largeShare = 0.6;

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
  return sparse && shareOfMiddle(*sparse) >= largeShare;
}

bool wantsParts(ta::ComputeOp op, ArrayRef<int64_t> sizes,
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
  auto plan = chooseLoopOrder(statement);
  if (!plan)
    return false;
  return entriesToCut(statement, *plan) ? isSkewed : repaysCopies && partsOfSum(statement, *plan);
}

std::string reasonToCut(ta::ComputeOp op) {
  IndexStatement statement(op);
  auto plan = chooseLoopOrder(statement);
  ta::AccessOp leader = plan ? entriesToCut(statement, *plan) : ta::AccessOp();
  return leader ? "threads take equally many entries of " + ta::quotedNameOf(leader.getTensor()) +
                      ", since most of them lie at one value of '" +
                      statement.variables[plan->order.front()].name + "'"
                : std::string();
}

double bytesOfParts(ta::ComputeOp op, ArrayRef<int64_t> sizes) {
  if (!reasonToCut(op).empty())
    return 0; // a place for each part of entries
  auto type = cast<RankedTensorType>(op.getResult().getType());
  return double(numberOfParts(IndexStatement(op))) * placesOf(sizes) *
         double(strata_type_bytes(*runtimeType(type.getElementType())));
}

} // namespace strata
