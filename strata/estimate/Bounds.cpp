// Checks that a statement's accesses stay inside their tensors, and what its schedule says of
// sizes.
#include "strata/estimate/Bounds.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/PlaceMap.h"
#include "strata/host/Reindex.h"
#include "strata/lower/analysis/ScheduledOrder.h"
#include "strata/tensor/StoredFormats.h"

using namespace mlir;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata {

// Does the left side reach different places for different values of its variables?
static Status checkSeparates(AffineMap place, ArrayRef<int64_t> extents) {
  SmallVector<std::optional<int64_t>> known(extents);
  if (ta::solvePlace(place).size() == place.getNumDims() || ta::separates(place, known))
    return Status();
  return Error{Error::RepeatedPlace, "the left side reaches a place several times"};
}

// Are parts of a dimension numbered by several coordinates?
static bool hasQuotient(AffineExpr expr) {
  return expr
      .walk([](AffineExpr part) {
        return part.getKind() == AffineExprKind::FloorDiv || part.getKind() == AffineExprKind::Mod
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {

class Checker {
public:
  Checker(ta::ComputeOp op, llvm::function_ref<int64_t(Value)> extentOf) : op(op) {
    auto take = [&](Block::BlockArgListType variables, ValueRange values) {
      for (auto [variable, value] : llvm::zip(variables, values))
        extents[variable] = extentOf(value);
    };
    take(op.getVariables(), op.getExtents());
    op.getBody().walk(
        [&](ta::ReduceOp reduce) { take(reduce.getVariables(), reduce.getExtents()); });
  }

  Status check(AffineMap map, ValueRange indices, const std::vector<int64_t> &sizes,
               const std::string &name) {
    SmallVector<int64_t> ranges = extentsOf(indices);
    if (llvm::is_contained(ranges, 0)) {
      report.windowed = true; // nothing is reached, whatever is stored
      return Status();
    }
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      report.windowed |= isa<AffineDimExpr>(expr)
                             ? ta::valuesOf(expr, ArrayRef<int64_t>(ranges)).most + 1 != sizes[dim]
                             : hasQuotient(expr);
    return host::checkReach(affineOf(map), ranges, sizes, name);
  }

  SmallVector<int64_t> extentsOf(ValueRange indices) const {
    return llvm::map_to_vector(indices, [&](Value index) { return extents.lookup(index); });
  }

  BoundsReport report;

private:
  ta::ComputeOp op;
  DenseMap<Value, int64_t> extents;
};

} // namespace

LogicalResult checkAssumed(ta::ComputeOp op, llvm::function_ref<int64_t(Value)> extentOf) {
  if (!assumesExtents(op.getScheduleAttr()))
    return success();
  IndexStatement statement(op);
  for (const AssumedExtent &assumed : assumedExtents(statement)) {
    const IndexVariable &variable = statement.variables[assumed.variable];
    int64_t extent = extentOf(variable.extent);
    if (extent < assumed.bounds.least || extent > assumed.bounds.most)
      return emitError(ta::placeOfCommand(op, assumed.command))
             << "'" << ta::commandText(op.getScheduleAttr().getCommands()[assumed.command])
             << "' is wrong: '" << variable.name << "' has " << extent << " values";
  }
  return success();
}

Result<BoundsReport> checkBounds(ta::ComputeOp op,
                                 llvm::function_ref<std::vector<int64_t>(Value)> sizesOf,
                                 const std::vector<int64_t> &resultSizes,
                                 llvm::function_ref<int64_t(Value)> extentOf) {
  Checker checker(op, extentOf);
  Status status =
      checker.check(op.getOutMap(), ValueRange(op.getVariables()), resultSizes, "the result");
  if (status.ok() && !op.getCombine())
    status = checkSeparates(op.getOutMap(), checker.extentsOf(ValueRange(op.getVariables())));
  op.getBody().walk([&](ta::AccessOp access) {
    if (status.ok())
      status = checker.check(access.getMap(), access.getIndices(), sizesOf(access.getTensor()),
                             ta::operandName(op, access.getTensor()));
  });
  if (!status.ok())
    return status;
  return checker.report;
}

} // namespace strata
