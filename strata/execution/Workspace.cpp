// Chooses between a dense workspace and a hashed one.
#include "strata/execution/Workspace.h"

#include "strata/execution/ElementTypes.h"
#include "strata/execution/LevelSpace.h"
#include "strata/lower/IndexStatement.h"

using namespace mlir;

namespace strata {

/// Of a dense workspace: what is fast wherever it is reached.
static constexpr double nearBytes = 1 << 20;
/// Of a hash table: how many places of a dense one a term may cost, in memory that must be reached.
static constexpr double placesPerTerm = 64;

// The coordinates of a row, and what lies below each.
static double placesOf(ta::FormatAttr format, unsigned gathered, ArrayRef<int64_t> sizes) {
  double places = 1;
  SmallVector<LevelExtent> extents = levelExtents(format, sizes);
  for (unsigned level = gathered; level < extents.size(); ++level)
    places *= double(extents[level].extent);
  return places;
}

// How many terms a row is expected to have: a product of rows of the sparse operands.
static double termsOf(ta::ComputeOp op, llvm::function_ref<const TensorValue &(Value)> tensorOf) {
  double terms = 1;
  for (Value input : op.getInputs()) {
    const TensorValue &tensor = tensorOf(input);
    if (tensor.format().isFull() || tensor.sizes().empty())
      continue;
    double rows = double(std::max<int64_t>(1, tensor.sizes().front()));
    terms *= std::max(1.0, double(tensor.storedCount()) / rows);
  }
  return terms;
}

bool wantsHashedWorkspace(ta::ComputeOp op, ArrayRef<int64_t> sizes,
                          llvm::function_ref<const TensorValue &(Value)> tensorOf) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  ta::FormatAttr format = ta::formatOf(type);
  std::optional<unsigned> level = gatherableLevel(format);
  if (!level || op.getInit())
    return false;
  double places = placesOf(format, *level, sizes);
  double bytes = places * double(strata_type_bytes(*runtimeType(type.getElementType())) + 9);
  if (bytes <= nearBytes || places <= placesPerTerm * termsOf(op, tensorOf))
    return false;
  std::string why;
  std::optional<LoopPlan> plan =
      chooseLoopOrder(IndexStatement(op), llvm::SmallPtrSet<Operation *, 1>(), why);
  return plan && plan->assembly == Assembly::Gathered;
}

} // namespace strata
