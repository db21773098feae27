// Tells from sizes and numbers of entries whether rows are worth taking in blocks.
#include "strata/estimate/RowBlocks.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/analysis/RowBlocks.h"

using namespace mlir;

namespace strata {

/// Rows of fewer bytes are one block, or little more.
static constexpr int64_t shortestRow = 8192;
/// Fewer steps are over before other threads have begun.
static constexpr double fewestSteps = 1 << 20;

static std::optional<IndexVariable> rowsOf(ta::ComputeOp op) {
  IndexStatement statement(op);
  std::optional<LoopPlan> plan = planOf(statement);
  std::optional<unsigned> row = plan ? variableOfRows(statement, *plan) : std::nullopt;
  return row ? std::optional(statement.variables[*row]) : std::nullopt;
}

bool wantsRowBlocks(ta::ComputeOp op, llvm::function_ref<Occupancy(Value)> occupancyOf,
                    llvm::function_ref<int64_t(Value)> extentOf) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (!ta::formatOf(type).isFull() || op.getScheduleAttr())
    return false;
  double entries = 0;
  for (Value input : op.getInputs())
    if (const Occupancy tensor = occupancyOf(input); !tensor.format.isFull())
      entries = std::max(entries, tensor.stored);
  int64_t longest = 0;
  for (Value extent : op.getExtents())
    longest = std::max(longest, extentOf(extent));
  const int64_t bytes = ta::bytesOf(type.getElementType());
  if (longest < shortestRow / bytes || entries * double(longest) < fewestSteps)
    return false;
  std::optional<IndexVariable> row = rowsOf(op);
  if (!row)
    return false;
  const int64_t size = extentOf(row->extent);
  return size >= shortestRow / bytes && entries * double(size) >= fewestSteps;
}

std::string reasonForRowBlocks(ta::ComputeOp op) {
  std::optional<IndexVariable> row = rowsOf(op);
  return row ? "blocks of '" + row->name +
                   "' are made one by one: threads take them, and caches hold what entries share"
             : std::string();
}

} // namespace strata
