// Makes the loops of one lvl.coiterate.
#ifndef STRATA_LOWER_SCF_COITERATETOSCF_H
#define STRATA_LOWER_SCF_COITERATETOSCF_H

#include "strata/lower/scf/LevelCursor.h"

namespace strata {

/// Emits case `at` for the variables' coordinates and the paths of the iterators that are in it. In
/// a case that stands for all (`neutrals` of lvl.coiterate), `present` says of each whether it is
/// there; null where it certainly is not, and has no path. So it does with `predicates`.
using CaseBody = llvm::function_ref<Values(unsigned at, mlir::ValueRange coordinates,
                                           llvm::ArrayRef<PathValues> paths, Values carried,
                                           std::optional<llvm::ArrayRef<mlir::Value>> present)>;

/// Counted loops where one iterator (or the universe) is alone; else a sequence of loops, one for
/// each set of iterators that can remain (the points of 004's merge lattice), each with its cases.
/// Of what is alone, a piece.
Values lowerCoiterate(lvl::CoiterateOp op, llvm::ArrayRef<LevelWalk> walks, mlir::Value universe,
                      Values carried, CaseBody body, mlir::OpBuilder &b,
                      const LoopPiece *piece = nullptr);

/// How many values a loop over them visits at most, if each iterator is a range of positions; else
/// null.
mlir::Value mostVisited(lvl::CoiterateOp op, llvm::ArrayRef<LevelWalk> walks, mlir::OpBuilder &b);

} // namespace strata

#endif // STRATA_LOWER_SCF_COITERATETOSCF_H
