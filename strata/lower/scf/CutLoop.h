// Loops of which each piece of a parallel loop runs a part.
#ifndef STRATA_LOWER_SCF_CUTLOOP_H
#define STRATA_LOWER_SCF_CUTLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace strata {

/// parallel piece in [0, count) { for at in [whole * piece / count, whole * (piece + 1) / count) }
struct CutLoop {
  mlir::scf::ParallelOp pieces;
  mlir::Value whole; ///< how many values all pieces have together

  /// That around a loop, if it does nothing else.
  static std::optional<CutLoop> around(mlir::scf::ForOp root);
};

} // namespace strata

#endif // STRATA_LOWER_SCF_CUTLOOP_H
