// Transposes squares of vectors.
#include "strata/lower/scf/VectorSquare.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace strata {

void transposeSquare(OpBuilder &b, Location loc, MutableArrayRef<Value> vectors) {
  auto size = static_cast<int64_t>(vectors.size());
  for (int64_t d = 1; d < size; d *= 2)
    for (int64_t row = 0; row < size; ++row) {
      if (row & d)
        continue;
      SmallVector<int64_t> first, second;
      for (int64_t at = 0; at < size; ++at) {
        first.push_back(at & d ? size + at - d : at);
        second.push_back(at & d ? size + at : at + d);
      }
      Value x = vectors[row], y = vectors[row + d];
      vectors[row] = vector::ShuffleOp::create(b, loc, x, y, first);
      vectors[row + d] = vector::ShuffleOp::create(b, loc, x, y, second);
    }
}

} // namespace strata
