// Presence that only the run decides: a sum before the loops may turn out to have no terms, a fixed
// place may not be stored. A sparse result stores nothing where only they could bring something,
// and what is not there annihilates even infinity and NaN.
#ifndef STRATA_LOWER_LVL_OPENPRESENCE_H
#define STRATA_LOWER_LVL_OPENPRESENCE_H

#include "mlir/IR/Builders.h"
#include "strata/lower/analysis/LeastSets.h"
#include "strata/lower/cin/MergeLattice.h"

namespace strata {

/// A scalar, or accesses to one fixed place, and the flag that says whether it is there.
struct OpenPresence {
  mlir::Value flag = nullptr;       ///< i1
  mlir::Value temp = nullptr;       ///< the scalar's storage; null for accesses
  mlir::TypedAttr before = nullptr; ///< what the scalar is if it is not there
  llvm::SmallVector<mlir::Operation *, 2> accesses = {};
  bool asked = false; ///< we are where this or another, asked with it, is there

  bool isUsedBy(mlir::Operation *statement) const;
  /// Adds to `absence` that it is not there.
  void deny(Absence &absence) const;
};

/// The flags' or. There is at least one.
mlir::Value emitAny(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<OpenPresence> open);

/// More can not be told apart.
constexpr unsigned mostOpenPresences = mostSearched;

/// Whether the statement has an effect, as an i1 of the flags that decide; null if it has one in
/// any case. At most `mostOpenPresences`.
mlir::Value emitHasEffect(mlir::OpBuilder &b, mlir::Location loc, mlir::Operation *statement,
                          const Absence &absence, llvm::ArrayRef<OpenPresence> open);

/// Is the operation, on real or complex numbers, a constant under `absent`, though an operand is
/// not, and not under `present`?
bool annihilates(mlir::Operation *op, const Absence &present, const Absence &absent);

/// The operation's value: what was `computed`, or the constant that it is where some of `open`, at
/// most `mostOpenPresences`, are not there and annihilate the others.
mlir::Value emitWhereAnnihilated(mlir::OpBuilder &b, mlir::Location loc, mlir::Operation *op,
                                 mlir::Value computed, const Absence &absence,
                                 llvm::ArrayRef<OpenPresence> open);

} // namespace strata

#endif // STRATA_LOWER_LVL_OPENPRESENCE_H
