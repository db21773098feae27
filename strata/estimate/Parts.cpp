// Tells from numbers of entries whether a sum is worth dividing.
#include "strata/estimate/Parts.h"

#include "strata/estimate/Memory.h"
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

bool wantsParts(ta::ComputeOp op, ArrayRef<int64_t> sizes,
                llvm::function_ref<Occupancy(Value)> occupancyOf) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (!ta::formatOf(type).isFull() || op.getInit() || op.getScheduleAttr())
    return false;
  double entries = 0;
  for (Value input : op.getInputs())
    entries = std::max(entries, occupancyOf(input).stored);
  if (entries < fewest || entries < entriesOfPlace * placesOf(sizes))
    return false;
  IndexStatement statement(op);
  auto plan = chooseLoopOrder(statement);
  return plan && partsOfSum(statement, *plan);
}

double bytesOfParts(ta::ComputeOp op, ArrayRef<int64_t> sizes) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  return double(numberOfParts(IndexStatement(op))) * placesOf(sizes) *
         double(strata_type_bytes(*runtimeType(type.getElementType())));
}

} // namespace strata
