// Transposes squares of vectors.
#include "strata/lower/scf/VectorSquare.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace strata {

void transposeSquare(OpBuilder &b, Location loc, MutableArrayRef<Value> vectors, int64_t parts) {
  auto size = static_cast<int64_t>(vectors.size());
  for (int64_t d = 1; d < size; d *= 2)
    for (int64_t row = 0; row < size; ++row) {
      if (row & d)
        continue;
      SmallVector<int64_t> first, second;
      for (int64_t at = 0; at < size; ++at) {
        for (int64_t part = 0; part < parts; ++part) {
          first.push_back((at & d ? size + at - d : at) * parts + part);
          second.push_back((at & d ? size + at : at + d) * parts + part);
        }
      }
      Value x = vectors[row], y = vectors[row + d];
      vectors[row] = vector::ShuffleOp::create(b, loc, x, y, first);
      vectors[row + d] = vector::ShuffleOp::create(b, loc, x, y, second);
    }
}

} // namespace strata
