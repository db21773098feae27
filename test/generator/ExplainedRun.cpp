// Compares schedules, statement by statement.
#include "ExplainedRun.h"

#include "strata/explain/Explain.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::test {

std::string differenceFromRun(const Explanation &explanation, llvm::ArrayRef<StepReport> steps) {
  for (const StepReport &step : steps) {
    if (!step.schedule)
      continue;
    std::string explained;
    bool found = llvm::any_of(explanation.statements, [&](const ExplainedStatement &one) {
      if (one.statement != step.what || one.converts)
        return false;
      if (!one.expected || !one.expected->isExact)
        return true;
      explained += (explained.empty() ? "" : ", or ") + scheduleText(one.schedule).str();
      return one.schedule == *step.schedule;
    });
    if (!found)
      return step.what + ": ran by " + scheduleText(*step.schedule).str() +
             "; explained: " + (explained.empty() ? "nothing" : explained);
  }
  return "";
}

} // namespace strata::test
