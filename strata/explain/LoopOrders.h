// The orders in which the loops of a statement could run, and what each would take.
#ifndef STRATA_EXPLAIN_LOOPORDERS_H
#define STRATA_EXPLAIN_LOOPORDERS_H

#include "strata/explain/Explanation.h"

namespace strata {

/// A statement of more loops has too many orders to try.
constexpr unsigned mostOrderedLoops = 4;

/// All orders of the loops of statement `number`, counted from 0 as Explanation has them, of a
/// prepared program; the chosen one first, then those that can run, by their time or else their
/// steps, then those that cannot. The chosen one may have loops over parts of labels (`io, ii, j`).
/// `shown`: what is said of the statement. Empty of a conversion, of fewer than two labels or more
/// than mostOrderedLoops, and of labels that have no names of their own.
std::vector<LoopOrderWay> loopOrders(mlir::ModuleOp program, unsigned number,
                                     const ExplainedStatement &shown,
                                     const ExplainOptions &options);

} // namespace strata

#endif // STRATA_EXPLAIN_LOOPORDERS_H
