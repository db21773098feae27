// Finds the rows that a sum can take block by block.
#include "strata/lower/analysis/RowBlocks.h"

#include "strata/dialect/ta/LevelRoom.h"
#include "strata/lower/analysis/ContractionShape.h"

using namespace mlir;

namespace strata {
namespace {

bool involves(AffineExpr coordinate, unsigned variable) {
  return !coordinate || coordinate.isFunctionOfDim(variable);
}

// Tells whether the last level has a place for each value of the variable, of which the levels
// above know nothing: rows lie one behind the other.
bool goesAlongRows(const AccessPath &path, unsigned variable) {
  const unsigned last = path.format.getLvlRank() - 1;
  return ta::hasPlacesOnly(path.format, last) && path.ranks.empty() && !path.format.hasSlots() &&
         path.coordinates[last] == getAffineDimExpr(variable, path.format.getContext()) &&
         llvm::none_of(ArrayRef(path.coordinates).drop_back(),
                       [&](AffineExpr coordinate) { return involves(coordinate, variable); });
}

bool hasOneReduction(ta::ComputeOp op) {
  unsigned count = 0;
  op.getBody().walk([&](ta::ReduceOp) { ++count; });
  return count == 1;
}

} // namespace

std::optional<unsigned> variableOfRows(const IndexStatement &statement, const LoopPlan &plan) {
  ta::ReduceOp root = statement.rootReduction();
  if (!root || plan.joined || plan.blocks || plan.assembly != Assembly::InOrder ||
      !plan.parts.empty() || plan.order.size() < 2 ||
      statement.variables[plan.order.front()].reduction != root ||
      !statement.result.format.isFull() || statement.result.coordinates.empty() ||
      !hasOneReduction(statement.op) || isDenseContraction(statement, root))
    return std::nullopt;
  const unsigned row = plan.order.back();
  if (statement.variables[row].reduction || !goesAlongRows(statement.result, row))
    return std::nullopt;
  bool hasSparse = false;
  for (const auto &[access, path] : statement.accesses) {
    if (path.involves(row) && !(path.format.isFull() && goesAlongRows(path, row)))
      return std::nullopt;
    hasSparse |= !path.format.isFull();
  }
  return hasSparse ? std::optional(row) : std::nullopt;
}

} // namespace strata
