// Which cases of presence matter at a loop: the points of its merge lattice.
//
// A statement has no effect where, with the fills in place of what is absent, what it assigns is
// what is there anyhow: the fill of a result built afresh, the identity of the operator that
// accumulates. At a loop over `v`, some iterators walk operands that may be absent at a value of
// `v`; a case is the set of those that are present, and the loop must visit the cases in which
// the statement has an effect. So unions, intersections and all that lies between follow from the
// operations themselves (004 section 4.1 builds the same lattice from a table of + and *).
#ifndef STRATA_LOWER_CIN_MERGELATTICE_H
#define STRATA_LOWER_CIN_MERGELATTICE_H

#include "strata/dialect/cin/Cin.h"
#include "strata/dialect/ta/Algebra.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallBitVector.h"

namespace strata {

/// What is known to be absent at a place in the loops.
struct Absence {
  llvm::SmallDenseSet<mlir::Operation *, 8> accesses;         ///< cin.access that read a fill
  llvm::SmallDenseMap<mlir::Value, mlir::TypedAttr, 4> temps; ///< scalars that hold a constant
  llvm::SmallDenseSet<mlir::Value, 2> built;                  ///< results built afresh
  llvm::SmallDenseMap<mlir::Operation *, bool, 2> truths; ///< comparisons that do or do not hold
};

/// The constant that `value`, in the region of an assignment, is under `absence`; else null, and
/// `same` an earlier value that it equals, if it does.
ta::Known knownValue(mlir::Value value, const Absence &absence, mlir::Value *same = nullptr);
inline mlir::TypedAttr foldedValue(mlir::Value value, const Absence &absence,
                                   mlir::Value *same = nullptr) {
  return knownValue(value, absence, same).value;
}

/// Is `value`, where its masks let it pass, certainly that number?
bool isBehindMasks(mlir::TypedAttr number, mlir::Value value, const Absence &absence);

/// What a scalar is while nothing was assigned to it: an identity, or missing.
mlir::TypedAttr valueBefore(cin::TempOp temp);

/// Does the statement leave everything as it is?
bool hasNoEffect(mlir::Operation *statement, Absence &absence);
bool hasNoEffect(mlir::Block &block, Absence absence);

/// The cases of presence of `groups` (sets of accesses that are present together) that a loop must
/// tell apart, the fullest first; bit k for group k. Another case is treated like the fullest point
/// that it contains, in which the body is the same (in `A * B + C`, where A and C are there but B
/// is not, like C alone); if it contains none, nothing happens. A point may be there only to say
/// that nothing happens. With two points their union is one.
llvm::SmallVector<unsigned>
latticePoints(mlir::Block &body, const Absence &absence,
              llvm::ArrayRef<llvm::SmallVector<mlir::Operation *>> groups);

/// The least sets of groups with which the body has an effect; whatever else is there, it has one.
/// At most `mostSearched` groups.
llvm::SmallVector<unsigned>
leastPresences(mlir::Block &body, const Absence &absence,
               llvm::ArrayRef<llvm::SmallVector<mlir::Operation *>> groups);

/// The groups that have a say in what the body does, where all are there.
unsigned decidingGroups(mlir::Block &body, const Absence &absence,
                        llvm::ArrayRef<llvm::SmallVector<mlir::Operation *>> groups);

} // namespace strata

#endif // STRATA_LOWER_CIN_MERGELATTICE_H
