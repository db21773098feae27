// A loop over the entries of a row begins and ends where a buffer of positions says.
#ifndef STRATA_LOWER_SCF_ROWBOUNDS_H
#define STRATA_LOWER_SCF_ROWBOUNDS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace strata {

/// positions[row] to positions[row + 1].
struct RowBounds {
  mlir::Value positions, row;

  /// Those of a loop; nothing if it has others.
  static std::optional<RowBounds> of(mlir::scf::ForOp loop) {
    using namespace mlir;
    auto elementOf = [](Value bound) {
      while (auto cast = bound.getDefiningOp<arith::IndexCastUIOp>())
        bound = cast.getIn();
      auto load = bound.getDefiningOp<memref::LoadOp>();
      return load && load.getIndices().size() == 1 ? load : memref::LoadOp();
    };
    memref::LoadOp begin = elementOf(loop.getLowerBound()), end = elementOf(loop.getUpperBound());
    if (!begin || !end || begin.getMemRef() != end.getMemRef())
      return std::nullopt;
    auto next = end.getIndices()[0].getDefiningOp<arith::AddIOp>();
    if (!next || next.getLhs() != begin.getIndices()[0] || getConstantIntValue(next.getRhs()) != 1)
      return std::nullopt;
    return RowBounds{begin.getMemRef(), begin.getIndices()[0]};
  }
};

} // namespace strata

#endif // STRATA_LOWER_SCF_ROWBOUNDS_H
