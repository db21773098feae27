// How much memory the blocks of a statement's contractions take.
#include "strata/lower/analysis/ContractionBuffers.h"

#include "strata/lower/analysis/ContractionBlock.h"
#include "strata/lower/analysis/ContractionShape.h"

using namespace mlir;

namespace strata {

// Two tensors have the labels of a dimension, and each needs a table where they are several.
static double tableBytes(const ContractionShape::Labels &labels) {
  return labels.count > 1 ? 2 * sizeof(int64_t) * labels.size : 0;
}

static double bytesOf(const ContractionShape &shape, int64_t threads) {
  // Either may be that of which blocks are longer.
  double most = std::max(shape.rows.size, shape.columns.size);
  double least = std::min(shape.rows.size, shape.columns.size);
  // Blocks of a processor with usual caches and vectors; other ones take up to twice as much.
  ContractionBlock block =
      ContractionBlock::fitting({}, /*tileRows=*/6, /*tileColumns=*/8, int64_t(shape.elementBytes));
  constexpr double tile = 64; // at most, to which both are rounded up
  double deep = std::max(std::min(shape.depth.size, double(block.depth)), 1.0);
  double times = std::min(double(block.depth) / deep, double(ContractionBlock::mostTimes));
  double values = deep * (std::min(most, double(block.mostFar) * times) +
                          std::min(least, double(block.near) * times) + tile);
  return double(threads) * values * shape.elementBytes + tableBytes(shape.rows) +
         tableBytes(shape.columns) + tableBytes(shape.depth);
}

double contractionBufferBytes(ta::ComputeOp op, int64_t threads,
                              llvm::function_ref<int64_t(Value)> extentOf) {
  double most = 0;
  for (const ContractionShape &shape : contractionShapes(op, extentOf))
    most = std::max(most, bytesOf(shape, threads));
  return most;
}

} // namespace strata
