// Chooses between a dense workspace and a hashed one.
#include "strata/estimate/Workspace.h"

#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/runtime/Thresholds.h"
#include "strata/tensor/ElementTypes.h"

using namespace mlir;

namespace strata {

/// Of a hash table: how many places of a dense one a term may cost, in memory that must be reached.
static constexpr double placesPerTerm = 64;

double workspaceBytes(ta::FormatAttr format, ArrayRef<int64_t> sizes, double valueBytes) {
  SmallVector<LevelExtent> extents = levelExtents(format, sizes);
  unsigned gathered = *gatherableLevel(format, /*patternOnly=*/true);
  for (unsigned level = gathered + 1; level < extents.size(); ++level)
    valueBytes *= double(extents[level].extent);
  return double(extents[gathered].extent) * (9 + valueBytes); // a mark and a word in the list
}

// How many terms a row is expected to have: a product of rows of the sparse operands.
static double termsOf(ta::ComputeOp op, llvm::function_ref<Occupancy(Value)> occupancyOf) {
  double terms = 1;
  for (Value input : op.getInputs()) {
    const Occupancy tensor = occupancyOf(input);
    if (tensor.format.isFull() || tensor.sizes.empty())
      continue;
    double rows = double(std::max<int64_t>(1, tensor.sizes.front()));
    terms *= std::max(1.0, tensor.stored / rows);
  }
  return terms;
}

bool wantsHashedWorkspace(ta::ComputeOp op, ArrayRef<int64_t> sizes,
                          llvm::function_ref<Occupancy(Value)> occupancyOf) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  ta::FormatAttr format = ta::formatOf(type);
  std::optional<unsigned> level = gatherableLevel(format);
  if (!level || op.getInit())
    return false;
  auto element = double(strata_type_bytes(*runtimeType(type.getElementType())));
  double bytes = workspaceBytes(format, sizes, element), places = bytes / (element + 9);
  // A workspace that stays in the core's own cache is fast wherever it is reached.
  auto nearBytes = double(runtime::thresholds().ownCache);
  if (bytes <= nearBytes || places <= placesPerTerm * termsOf(op, occupancyOf))
    return false;
  std::optional<LoopPlan> plan = planOf(IndexStatement(op));
  return plan && plan->assembly == Assembly::Gathered;
}

} // namespace strata
