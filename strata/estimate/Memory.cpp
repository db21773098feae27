// Estimates memory from numbers of stored entries, as if they were spread evenly.
#include "strata/estimate/Memory.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/estimate/Estimate.h"
#include "strata/estimate/Work.h"
#include "strata/estimate/Workspace.h"
#include "strata/lower/analysis/ContractionBuffers.h"
#include "strata/lower/analysis/GatheredSums.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/runtime/Team.h"
#include "strata/tensor/ElementTypes.h"

using namespace mlir;

namespace strata {

double placesOf(ArrayRef<int64_t> sizes) {
  double places = 1;
  for (int64_t size : sizes)
    places *= double(size);
  return places;
}

namespace {

// Rows that are gathered: those of the result before they are stored, with room for this share of
// their places, and those of inner sums; blocks of operands of dense contractions.
double workspaceOf(ta::ComputeOp op, RankedTensorType type, ArrayRef<int64_t> sizes, double share,
                   llvm::function_ref<int64_t(Value)> extentOf) {
  double element = double(strata_type_bytes(*runtimeType(type.getElementType())));
  IndexStatement statement(op);
  double bytes = contractionBufferBytes(op, runtime::threadCount(), extentOf);
  auto plan = planOf(statement);
  if (!plan)
    return bytes;
  op.getBody().walk([&](ta::ReduceOp reduce) {
    llvm::SmallBitVector rows = gatheredLabels(statement, *plan, reduce);
    double row = rows.any() ? double(ta::bytesOf(reduce.getType())) : 0;
    for (int variable : rows.set_bits())
      row *= double(extentOf(statement.variables[variable].extent));
    bytes += row;
  });
  if (plan->assembly != Assembly::Gathered)
    return bytes;
  return bytes + share * workspaceBytes(ta::formatOf(type), sizes, element);
}

} // namespace

MemoryNeed estimateMemory(ta::ComputeOp op, RankedTensorType result, ArrayRef<int64_t> sizes,
                          bool hashed, llvm::function_ref<const TensorValue &(Value)> tensorOf,
                          llvm::function_ref<int64_t(Value)> extentOf) {
  auto storedOf = [&](Value operand) { return occupancyOf(tensorOf(operand)); };
  double share =
      ta::formatOf(result).isFull() ? 1 : WorkEstimate(storedOf, extentOf).density(op.getYielded());
  double entries = std::min(share * placesOf(sizes), 0x1p62);
  return {storageBytes(result, sizes, int64_t(entries)),
          workspaceOf(op, result, sizes, hashed ? share : 1, extentOf)};
}

MemoryNeed estimatePacking(RankedTensorType type, ArrayRef<int64_t> sizes, int64_t entries,
                           bool force) {
  double coordinates =
      double(type.getRank()) * strata_type_bytes(runtime::coordinateTypeFor(sizes));
  double entry = coordinates + double(strata_type_bytes(*runtimeType(type.getElementType())));
  return {packedBytes(type, sizes, entries, force), double(entries) * entry};
}

} // namespace strata
