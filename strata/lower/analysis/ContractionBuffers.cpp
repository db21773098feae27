// Looks for contractions in statements, as BlockContractions does in loops.
#include "strata/lower/analysis/ContractionBuffers.h"

#include "strata/lower/analysis/ContractionBlock.h"
#include "strata/lower/analysis/IndexStatement.h"

using namespace mlir;

namespace strata {

namespace {

/// The labels of one kind as one dimension.
struct Labels {
  double size = 1;
  unsigned count = 0;

  void add(int64_t extent) {
    size *= double(extent);
    ++count;
  }
  // Two tensors have them, and each needs a table where they are several.
  double tableBytes() const { return count > 1 ? 2 * sizeof(int64_t) * size : 0; }
};

double elementBytes(Type type) {
  auto number = dyn_cast<ComplexType>(type);
  Type real = number ? number.getElementType() : type;
  return (number ? 2 : 1) * double(real.getIntOrFloatBitWidth()) / 8;
}

// Of a sum of a product of two dense tensors; 0 of others.
double bytesOf(const IndexStatement &statement, ta::ReduceOp reduce, int64_t threads,
               llvm::function_ref<int64_t(Value)> extentOf) {
  SmallVector<ta::AccessOp> accesses(reduce.getBlock().getOps<ta::AccessOp>());
  llvm::erase_if(accesses, [](ta::AccessOp access) { return access.getIndices().empty(); });
  if (accesses.size() != 2 || llvm::any_of(accesses, isSparse))
    return 0;
  Labels rows, columns, depth;
  for (auto [number, variable] : llvm::enumerate(statement.variables)) {
    auto isIn = [&](ta::AccessOp access) {
      return llvm::is_contained(access.getIndices(), variable.argument);
    };
    bool inLeft = isIn(accesses[0]), inRight = isIn(accesses[1]);
    if (inLeft && inRight && variable.reduction == reduce)
      depth.add(extentOf(variable.extent));
    else if (inLeft != inRight)
      (inLeft ? rows : columns).add(extentOf(variable.extent));
  }
  constexpr double leastProducts = 4096; // fewer run in loops as they are
  if (rows.count == 0 || columns.count == 0 || depth.count == 0 ||
      rows.size * columns.size * depth.size < leastProducts)
    return 0;
  // Either may be that of which blocks are longer.
  double most = std::max(rows.size, columns.size), least = std::min(rows.size, columns.size);
  // Blocks of a processor with usual caches and vectors; other ones take up to twice as much.
  double bytes = elementBytes(reduce.getType());
  ContractionBlock block =
      ContractionBlock::fitting({}, /*tileRows=*/6, /*tileColumns=*/8, int64_t(bytes));
  constexpr double tile = 64; // at most, to which both are rounded up
  double values = std::min(depth.size, double(block.depth)) *
                  (std::min(most, double(block.far)) + std::min(least, double(block.near)) + tile);
  return double(threads) * values * bytes + rows.tableBytes() + columns.tableBytes() +
         depth.tableBytes();
}

} // namespace

double contractionBufferBytes(ta::ComputeOp op, int64_t threads,
                              llvm::function_ref<int64_t(Value)> extentOf) {
  IndexStatement statement(op);
  double most = 0;
  op.getBody().walk([&](ta::ReduceOp reduce) {
    most = std::max(most, bytesOf(statement, reduce, threads, extentOf));
  });
  return most;
}

} // namespace strata
