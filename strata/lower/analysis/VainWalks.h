// Which steps of a walk are in vain, since another operand stores nothing where they lead.
#ifndef STRATA_LOWER_ANALYSIS_VAINWALKS_H
#define STRATA_LOWER_ANALYSIS_VAINWALKS_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

/// Tells whether the access is a mask, and nothing else. Where its rows are walked for each row of
/// a product, the workspace knows them (AdmitMasks).
bool isMask(mlir::Operation *access);

/// Tells whether the values of `walked` have no effect where `other` stores nothing: since the two
/// are multiplied, or nothing at all has one.
bool isVainWithout(const IndexStatement &statement, mlir::Operation *walked,
                   mlir::Operation *other);

/// Tells whether an operand, or a mask, with all variables of the result is wanted in any case, so
/// that the result is computed only where it stores something.
bool isSampled(const IndexStatement &statement);

/// Tells whether walks that begin again are counted (LoopPlan::rewalks): not where there are many
/// sparse operands, any set of which may be converted, and would be tried with each number of such
/// walks.
bool countsRewalks(const IndexStatement &statement);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_VAINWALKS_H
