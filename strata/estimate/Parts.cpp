// Tells from numbers of entries whether a sum is worth dividing.
#include "strata/estimate/Parts.h"

#include "strata/estimate/Memory.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/tensor/ElementTypes.h"

using namespace mlir;

namespace strata {

/// Entries for each place of the result, of all entries so many: a place of a copy is written,
/// read and added, in order.
static constexpr double entriesOfPlace = 6, fewest = 1 << 18;

bool wantsParts(ta::ComputeOp op, ArrayRef<int64_t> sizes,
                llvm::function_ref<Occupancy(Value)> occupancyOf) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (!ta::formatOf(type).isFull() || op.getInit() || op.getScheduleAttr())
    return false;
  double entries = 0;
  for (Value input : op.getInputs())
    if (const Occupancy tensor = occupancyOf(input); !tensor.format.isFull())
      entries = std::max(entries, tensor.stored);
  if (entries < fewest || entries < entriesOfPlace * placesOf(sizes))
    return false;
  IndexStatement statement(op);
  std::string why;
  auto plan = chooseLoopOrder(statement, llvm::SmallPtrSet<Operation *, 1>(), why);
  return plan && plan->assembly == Assembly::InOrder && !plan->joined && !plan->order.empty() &&
         statement.rootReduction() && statement.variables[plan->order.front()].reduction;
}

double bytesOfParts(ta::ComputeOp op, ArrayRef<int64_t> sizes) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  return double(partsOfSums) * placesOf(sizes) *
         double(strata_type_bytes(*runtimeType(type.getElementType())));
}

} // namespace strata
