// Runs statements over large tensors on one thread and measures their kernels.
#ifndef STRATA_TEST_GENERATOR_LARGE_LARGERUNNER_H
#define STRATA_TEST_GENERATOR_LARGE_LARGERUNNER_H

#include "LargeCase.h"
#include "LargeParts.h"

#include "strata/compile/KernelCompiler.h"
#include "strata/machine/Machine.h"
#include "strata/reference/Compare.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

namespace strata::test {

/// What became of a statement, or of its parts.
struct Attempt {
  enum class Kind {
    ran,
    refused, ///< with a diagnostic
    wrong,   ///< another value than the reference's
    broken,  ///< a crash, or an error that is none of the statement's
    endless, ///< it took longer than it may
  };
  Kind kind = Kind::broken;
  std::string text = {};
  int64_t work = 0;       ///< instructions, or nanoseconds where they cannot be counted
  double seconds = 0;     ///< on a processor
  int64_t bytes = 0;      ///< of what was made, and the most that a kernel held besides
  int64_t result = 0;     ///< bytes of the last result
  int64_t temporary = 0;  ///< bytes of the largest thing that is no operand and no result
  double kernels = 0;     ///< seconds of the kernels of statements, without conversions
  double undisturbed = 0; ///< the share of the run that had a processor
  double predicted = 0;   ///< of the same; 0 where one of them is not predicted

  /// Tells whether it was refused for what it would take of memory.
  bool lacksMemory() const;
  bool ran() const { return kind == Kind::ran; }
};

class LargeRunner {
public:
  /// Tensors and kernels may take so many bytes together, on any machine.
  static constexpr int64_t mostMemory = int64_t(4) << 30;

  LargeRunner();
  ~LargeRunner();

  /// Makes the operands and what the reference expects. Gives what is wrong with them; empty if
  /// nothing is.
  std::string prepare(const LargeCase &drawn);
  /// Runs statements one after the other in a child, where the kernels may take so many seconds,
  /// and compares the last result. The least of up to `runs` counts.
  Attempt attempt(const std::vector<LargePart> &parts, double seconds, int runs = 3);
  /// Runs statements with several schedules in turns, so many rounds of them, in a child. Gives the
  /// least seconds of each, and nothing if one does not end within so many seconds.
  std::vector<double> contest(const std::vector<LargePart> &ways, double seconds, int rounds);
  /// From here on attempts are told how long the machine is expected to take; null: they are not.
  void predictFor(const machine::Machine *wanted) { machine = wanted; }
  /// Returns the bytes of all operands.
  int64_t operandBytes() const;

private:
  struct Diagnostics;
  struct Compiled;
  class Clock;

  mlir::OwningOpRef<mlir::ModuleOp> emit(const LargePart &part, const std::string &resultType,
                                         std::string &wrong);
  std::string expect();
  std::string makeOperands();
  Attempt runHere(const std::vector<LargePart> &parts, Clock &clock,
                  std::vector<Compiled> &compiled);
  std::string compile(const LargePart &part, Compiled &compiled, bool isLast);
  std::string difference(const TensorValue &result, bool stores);

  LargeCase c;
  mlir::MLIRContext context;
  KernelCompiler compiler;
  std::map<std::string, TensorValue> values; ///< operands, and what parts have computed
  std::string resultType;                    ///< the language's word
  const machine::Machine *machine = nullptr; ///< for which times are predicted
  std::optional<reference::Expected> expected;
  reference::Pattern pattern = reference::Pattern::ignored;
};

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_LARGERUNNER_H
