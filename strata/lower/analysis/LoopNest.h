// A kernel of loops as the analyses see it: numbered index variables, and what is accessed below
// them.
#ifndef STRATA_LOWER_ANALYSIS_LOOPNEST_H
#define STRATA_LOWER_ANALYSIS_LOOPNEST_H

#include "strata/dialect/cin/Cin.h"
#include "strata/lower/analysis/AccessPath.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace strata {

/// An access to a storage, or several to the same place of the same storage.
struct NestAccess {
  mlir::Value storage;
  AccessPath path; ///< over the nest's variables
  llvm::SmallVector<mlir::Operation *> ops;
};

/// Holds for the kernel as it is; who rewrites it makes another.
class LoopNest {
public:
  explicit LoopNest(mlir::func::FuncOp kernel);

  llvm::SmallVector<cin::ForallOp>
      loops; ///< from the outside in; a variable's number is its loop's
  llvm::SmallVector<NestAccess> accesses; ///< not those to temporaries
  cin::AssignOp result;                   ///< what assigns to the kernel's result
  cin::BuildOp build;                     ///< null where the result is updated

  unsigned numberOf(mlir::Value variable) const { return numbers.lookup(variable); }
  /// The number of an access; nothing for one to a temporary.
  std::optional<unsigned> numberOfAccess(mlir::Operation *op) const;
  /// A place given by `map` applied to `indices`, over all of the nest's variables.
  mlir::AffineMap placeOf(mlir::AffineMap map, mlir::ValueRange indices) const;
  AccessPath resultPath() const;
  /// The loops around a loop, or an op, from the outside in.
  llvm::SmallVector<unsigned> around(mlir::Operation *inner) const;
  /// The accesses inside a loop.
  llvm::SmallVector<unsigned> accessesIn(cin::ForallOp loop) const;

private:
  llvm::SmallVector<LabelInParts> parts; ///< the labels that are cut into parts of a known size
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::DenseMap<mlir::Operation *, unsigned> accessNumbers;
};

/// The loops that begin with `loop`, each the whole body of the one before.
llvm::SmallVector<cin::ForallOp> chainFrom(cin::ForallOp loop);

/// Does the assignment's target live in the kernel alone?
bool assignsTemporary(cin::AssignOp assign);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_LOOPNEST_H
