// The plan of a statement: the order of its loops, and how its result is assembled.
//
// It is searched once, and read by passes, estimates, explanations and runs. What a search reads is
// its key: the statement's operations and attributes, its operands' types but for sizes and widths,
// and what its kernel assumes. So a plan is a function of these, whoever asked for it first; a
// statement that a pass rewrites has another key, and one that is copied or outlined the same one.
#ifndef STRATA_LOWER_ANALYSIS_PLAN_H
#define STRATA_LOWER_ANALYSIS_PLAN_H

#include "strata/lower/analysis/IndexStatement.h"

#include "mlir/IR/DialectInterface.h"

#include <mutex>
#include <unordered_map>

namespace strata {

/// An order of the statement's variables in which every access can be walked and the result built;
/// those of `exempt` aside, which will be converted. If there is none, `why` says what stands
/// against it. `preferred` is tried first.
std::optional<LoopPlan> planOf(const IndexStatement &statement,
                               const llvm::SmallPtrSetImpl<mlir::Operation *> &exempt,
                               std::string &why, Assembly preferred = Assembly::InOrder);
/// The same with all operands as they are stored, for those who do not say why there is none.
std::optional<LoopPlan> planOf(const IndexStatement &statement,
                               Assembly preferred = Assembly::InOrder);

/// The plans that have been made in a context, of which `registerPlanMemory` gives it one. Without
/// it each reader of a plan searches. Threads may ask at once.
class PlanMemory : public mlir::DialectInterface::Base<PlanMemory> {
public:
  using Key = std::vector<uintptr_t>;
  /// A plan that names accesses by their numbers in the statement.
  struct Kept {
    LoopPlan plan; ///< without `rewalks`
    llvm::SmallVector<std::pair<unsigned, unsigned>> rewalks;
  };

  explicit PlanMemory(mlir::Dialect *dialect) : Base(dialect) {}
  /// The memory of a context; null if it has none.
  static PlanMemory *of(mlir::MLIRContext *context);

  /// What is known of a statement: a plan, or that there is none.
  std::optional<std::optional<Kept>> find(const Key &key);
  void keep(Key key, std::optional<Kept> plan);
  /// The number of searches so far, for tests.
  unsigned searches();

private:
  struct Hash {
    size_t operator()(const Key &key) const { return llvm::hash_combine_range(key); }
  };

  std::mutex mutex;
  std::unordered_map<Key, std::optional<Kept>, Hash> plans;
  unsigned made = 0;
};

void registerPlanMemory(mlir::DialectRegistry &registry);

} // namespace strata

MLIR_DECLARE_EXPLICIT_TYPE_ID(strata::PlanMemory)

#endif // STRATA_LOWER_ANALYSIS_PLAN_H
