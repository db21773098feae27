// The loops of a kernel in words, read off its lvl form.
#ifndef STRATA_EXPLAIN_EXPLAIN_H
#define STRATA_EXPLAIN_EXPLAIN_H

#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/KernelAttributes.h"

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace strata {

/// The loops of a kernel.
struct KernelLoops {
  /// One line per loop, indented as the loops are nested: what it runs over, what merges how, what
  /// is located; "nothing to do" where no value changes. Empty if the kernel cannot be compiled.
  std::string text;
  std::string schedule;   ///< the commands that lead to them; empty if they are the naive ones
  std::string sequential; ///< why none of them runs in parallel; empty if one does
};

/// "the naive loops" of a schedule without commands, else these.
inline llvm::StringRef scheduleText(llvm::StringRef commands) {
  return commands.empty() ? "the naive loops" : commands;
}

/// The loops of a module with one kernel that is still in ta.
KernelLoops explainLoopsOf(mlir::ModuleOp kernel);

/// The text of the loops of all kernels in a module that is still in ta; nothing, after an error,
/// if they cannot be compiled.
std::optional<std::string> explainKernel(mlir::ModuleOp kernels);

/// "the loops over 'j', 'k' take all values ...", of a plan that has such loops.
std::string describeSweeps(const IndexStatement &statement, const LoopPlan &plan);

/// Which resolutions (lower/Resolutions.h) a statement of a prepared program needs, and what they
/// cost: a line each, "order: the loops run over i, k, j". Empty where it is computed as it is
/// written. `policy`: of its kernel.
std::string explainResolutions(ta::ComputeOp statement, Policy policy);

} // namespace strata

#endif // STRATA_EXPLAIN_EXPLAIN_H
