// Looks for contractions in statements, as DenseContraction does in loops.
#include "strata/lower/analysis/ContractionShape.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/analysis/ContractionBlock.h"

using namespace mlir;

namespace strata {

std::optional<ContractionShape> contractionShape(const IndexStatement &statement,
                                                 ta::ReduceOp reduce,
                                                 llvm::function_ref<int64_t(Value)> extentOf) {
  SmallVector<ta::AccessOp> accesses(reduce.getBlock().getOps<ta::AccessOp>());
  llvm::erase_if(accesses, [](ta::AccessOp access) { return access.getIndices().empty(); });
  if (accesses.size() != 2 || llvm::any_of(accesses, isSparse))
    return std::nullopt;
  ContractionShape shape;
  shape.elementBytes = double(ta::bytesOf(reduce.getType()));
  for (auto [number, variable] : llvm::enumerate(statement.variables)) {
    auto isIn = [&](ta::AccessOp access) {
      return llvm::is_contained(access.getIndices(), variable.argument);
    };
    bool inLeft = isIn(accesses[0]), inRight = isIn(accesses[1]);
    if (inLeft && inRight)
      (variable.reduction == reduce ? shape.depth : shape.batch).add(extentOf(variable.extent));
    else if (inLeft != inRight)
      (inLeft ? shape.rows : shape.columns).add(extentOf(variable.extent));
  }
  if (shape.rows.count == 0 || shape.columns.count == 0 || shape.depth.count == 0 ||
      shape.rows.size * shape.columns.size * shape.depth.size <
          double(leastContraction.productsInLoops))
    return std::nullopt;
  return shape;
}

bool isDenseContraction(const IndexStatement &statement, ta::ReduceOp reduce) {
  constexpr int64_t many = 64;
  return contractionShape(statement, reduce, [](Value) { return many; }).has_value();
}

SmallVector<ContractionShape> contractionShapes(ta::ComputeOp op,
                                                llvm::function_ref<int64_t(Value)> extentOf) {
  IndexStatement statement(op);
  SmallVector<ContractionShape> shapes;
  op.getBody().walk([&](ta::ReduceOp reduce) {
    if (std::optional<ContractionShape> shape = contractionShape(statement, reduce, extentOf))
      shapes.push_back(*shape);
  });
  return shapes;
}

} // namespace strata
