// What is told of a run: its steps, and what was checked.
#ifndef STRATA_RUN_REPORTS_H
#define STRATA_RUN_REPORTS_H

#include "strata/compile/KernelCompiler.h"
#include "strata/cost/Prediction.h"
#include "strata/lower/analysis/ContractionShape.h"
#include "strata/tensor/TensorValue.h"

#include <optional>
#include <string>
#include <vector>

namespace strata {

/// A tensor that a step made.
struct TensorReport {
  std::string name;
  std::vector<int64_t> sizes;
  int64_t stored; ///< values, padding included
  std::string type, format;
  int64_t bytes;
};

/// One operation of the program and what it took, in all rounds of the loops around it.
struct StepReport {
  std::string what; ///< "read bcsstk15.mtx", "y(i) = ..."
  /// Seconds. `read` includes the making of random values; `run` is the fastest of the runs that
  /// --repeat asks for, in each round.
  double read = 0, sort = 0, compile = 0, pack = 0, run = 0, write = 0;
  std::vector<double> runs = {}; ///< each run of a statement, seconds
  CompileTimes compileParts = {};
  double flops = 0;   ///< estimated operations on elements, one run a round
  double steps = 0;   ///< estimated steps of loops, one run a round
  double traffic = 0; ///< bytes of operands and result, each once, one run a round
  int64_t rounds = 0; ///< of the loops around it
  std::optional<cost::Prediction> predicted = {}; ///< of the first round
  /// The products of dense matrices in it, each with the number of rounds that had it.
  std::vector<std::pair<ContractionShape, int64_t>> contractions = {};
  double estimatedBytes = 0;           ///< of the result and of what its making needs
  int64_t moves = 0;                   ///< rounds in which something has moved between cells
  int64_t movedBytes = 0;              ///< between ranks, in all rounds
  int64_t mostMovedBytes = 0;          ///< by the rank that sent most
  double waitedSeconds = 0;            ///< for other ranks, in all rounds
  int64_t newPlans = 0, keptPlans = 0; ///< rounds that made one of what to send, and that had one
  /// Of rows that were fetched, what rank 0 has copied into its cells' pieces, in all rounds.
  std::optional<int64_t> copiedBytes = {};
  int64_t scratchBytes = 0; ///< the most that the kernel held besides what it returned
  std::string loops = {};   ///< the loops chosen, in words
  /// The commands that lead to them, empty of the naive ones; nothing of what has no kernel.
  std::optional<std::string> schedule = {};
  std::vector<std::string> notes = {}; ///< conversions and other announcements
  std::optional<TensorReport> made = {};

  double allSteps() const { return steps * double(std::max<int64_t>(rounds, 1)); }
};

/// A statement as it was written, and what the check of its last value compared.
struct CheckReport {
  std::string statement;
  std::string compared = {};
  double seconds = 0; ///< in all rounds of the loops around it
};

/// What is told of a tensor that a step made.
TensorReport reportOf(mlir::Value value, const TensorValue &tensor);

/// What an operation does, of one that is a step; else empty.
std::string stepTitle(mlir::Operation *op);

/// The steps of a run, in the order in which they begin. An operation in a loop is one step.
class Steps {
public:
  const std::vector<StepReport> &list() const { return steps; }
  StepReport &of(mlir::Operation *op, llvm::function_ref<std::string()> what);
  /// What makes tensors other than by conversions and statements, and what writes files, begins;
  /// nothing else is a step by itself.
  void begin(mlir::Operation *op);
  /// Adds the seconds that it took, but for packing.
  void addSeconds(mlir::Operation *op, double seconds);
  /// The step of an operation; null if it is none.
  StepReport *find(mlir::Operation *op);

private:
  std::vector<StepReport> steps;
  llvm::DenseMap<mlir::Operation *, size_t> numbers;
};

} // namespace strata

#endif // STRATA_RUN_REPORTS_H
