// Checks that a statement's accesses stay inside their tensors.
#include "strata/execution/Bounds.h"

#include "strata/dialect/ta/Notation.h"

using namespace mlir;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata {
namespace {

struct Interval {
  int64_t least, most;
};

// The values of an affine expression for dims in [0, extent).
Interval valuesOf(AffineExpr expr, ArrayRef<int64_t> extents) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return {0, extents[dim.getPosition()] - 1};
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Interval a = valuesOf(binary.getLHS(), extents), b = valuesOf(binary.getRHS(), extents);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return {a.least + b.least, a.most + b.most};
  case AffineExprKind::Mul: {
    int64_t x = a.least * b.least, y = a.most * b.least;
    return {std::min(x, y), std::max(x, y)};
  }
  case AffineExprKind::Mod:
    return {0, b.least - 1};
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
  case AffineExprKind::Constant: // leaves are handled above
  case AffineExprKind::DimId:
  case AffineExprKind::SymbolId:
    break;
  }
  return {a.least / b.least, a.most / b.least + 1};
}

} // namespace

Status checkReach(AffineMap place, ArrayRef<int64_t> extents, ArrayRef<int64_t> sizes,
                  const std::string &name) {
  if (llvm::is_contained(extents, 0))
    return Status(); // nothing is reached
  for (auto [dim, expr] : llvm::enumerate(place.getResults())) {
    Interval values = valuesOf(expr, extents);
    if (values.least < 0 || values.most >= sizes[dim])
      return Error{"the statement reaches coordinate " +
                   std::to_string(values.least < 0 ? values.least : values.most) +
                   " of dimension " + std::to_string(dim + 1) + " of " + name + ", whose size is " +
                   std::to_string(sizes[dim])};
  }
  return Status();
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
    SmallVector<int64_t> ranges;
    for (Value index : indices)
      ranges.push_back(extents.lookup(index));
    if (llvm::is_contained(ranges, 0)) {
      report.windowed = true; // nothing is reached, whatever is stored
      return Status();
    }
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      report.windowed |= isa<AffineDimExpr>(expr) && valuesOf(expr, ranges).most + 1 != sizes[dim];
    return checkReach(map, ranges, sizes, name);
  }

  BoundsReport report;

private:
  ta::ComputeOp op;
  DenseMap<Value, int64_t> extents;
};

} // namespace

Result<BoundsReport> checkBounds(ta::ComputeOp op,
                                 llvm::function_ref<std::vector<int64_t>(Value)> sizesOf,
                                 const std::vector<int64_t> &resultSizes,
                                 llvm::function_ref<int64_t(Value)> extentOf) {
  Checker checker(op, extentOf);
  Status status =
      checker.check(op.getOutMap(), ValueRange(op.getVariables()), resultSizes, "the result");
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
