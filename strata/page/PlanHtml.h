// What `strata explain` tells of a statement, as HTML.
#ifndef STRATA_PAGE_PLANHTML_H
#define STRATA_PAGE_PLANHTML_H

#include "strata/explain/Explanation.h"

namespace strata::page {

/// A table of the result and the operands: how they are stored, what they are converted to and why.
std::string tensorsHtml(const ExplainedStatement &statement);
/// The schedule, how conflicts are resolved, what is allocated and expected.
std::string planHtml(const ExplainedStatement &statement, const machine::Machine *machine);
/// A table of all orders of the loops: the chosen one, what others would take, why some cannot be.
std::string ordersHtml(const std::vector<LoopOrderWay> &ways);
/// The loops in words.
std::string loopsHtml(const ExplainedStatement &statement);
/// The loops before and after each command of the schedule.
std::string stepsHtml(const ExplainedStatement &statement);

} // namespace strata::page

#endif // STRATA_PAGE_PLANHTML_H
