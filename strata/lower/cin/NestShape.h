// What the loops of a nest may do besides taking each value once, in loops of their own: questions
// that several rewrites ask.
#ifndef STRATA_LOWER_CIN_NESTSHAPE_H
#define STRATA_LOWER_CIN_NESTSHAPE_H

#include "strata/lower/analysis/LoopNest.h"

namespace strata {

/// May the body run once per stored entry instead of once per value? If one operand alone drives
/// the loop, each of its entries is another coordinate, or a term of a sum of products where they
/// repeat in no order, the result takes values in any order, and no sum inside needs several
/// entries at once.
bool acceptsDuplicates(mlir::func::FuncOp kernel, const LoopNest &nest, cin::ForallOp loop);

/// Tells whether a loop may come to a value again after others, since an operand repeats
/// coordinates in no order.
bool mayReturn(const LoopNest &nest, cin::ForallOp loop);

/// The loops, from `loop` in, that can be one over tuples; empty if it is not the first of such.
/// All that is merged in them are lists of these tuples, nothing is to be done where no list has an
/// entry, no sum belongs between the loops, and entries of the result are not gathered from several
/// tuples.
llvm::SmallVector<cin::ForallOp> loopsOverTuples(mlir::func::FuncOp kernel, const LoopNest &nest,
                                                 cin::ForallOp loop);

/// Does the format of the nest's result append at a level?
bool appendsResult(const LoopNest &nest);

/// The assignment that a chain of loops leads to, through the consumers of temporaries.
cin::AssignOp assignmentBelow(cin::ForallOp loop);

} // namespace strata

#endif // STRATA_LOWER_CIN_NESTSHAPE_H
