// Innermost loops that add to the elements of a row.
#ifndef STRATA_LOWER_SCF_ROWUPDATE_H
#define STRATA_LOWER_SCF_ROWUPDATE_H

#include "strata/lower/scf/RowTiles.h"
#include "strata/lower/scf/VectorElements.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace strata {

/// for k in [0, size) { y[row + k] = y[row + k] + ... }: each step computes with what it reads at
/// k of rows, and with what is the same for all of them. No step reads another element of y. The
/// elements at k may say whether the step adds anything: `if (m[k]) y[row + k] = ...`.
struct RowUpdate {
  mlir::scf::ForOp loop;
  mlir::memref::StoreOp store;
  mlir::Value size;
  MovingPlace row;          ///< where the row begins in the buffer that is stored to
  mlir::scf::IfOp question; ///< whether a step adds anything; null if each does

  static std::optional<RowUpdate> match(mlir::scf::ForOp loop);

  mlir::Value buffer() const { return mlir::memref::StoreOp(store).getMemRef(); }
  RowTiles tiles(mlir::Location loc) const;
  /// Where it reads an operand at k; does not move for other loads.
  MovingPlace placeOf(mlir::memref::LoadOp load) const;
  /// Tells whether that is a view of the buffer that is stored to.
  bool isRow(mlir::Value view) const;

  /// The new elements of a vector whose old ones are given. `scalars` has what stands for values of
  /// the loops around, and gets copies of what is the same for all vectors; `vectors` has what is
  /// known of this one.
  mlir::Value emit(mlir::OpBuilder &b, mlir::IRMapping &scalars, mlir::IRMapping vectors,
                   const Lanes &place, mlir::Value old) const;

private:
  /// What a step does, with what depends on the question in its place.
  llvm::SmallVector<mlir::Operation *> operations() const;
  bool findQuestion();
  bool isOfElements(mlir::Value value) const;
  bool isKnown(mlir::Operation &op, bool &accumulates) const;
  void emitElements(mlir::OpBuilder &b, mlir::Operation &op, mlir::IRMapping &scalars,
                    mlir::IRMapping &vectors, const Lanes &place, mlir::Value old) const;
};

} // namespace strata

#endif // STRATA_LOWER_SCF_ROWUPDATE_H
