// Runs statements over large tensors on one thread and measures their kernels.
#ifndef STRATA_TEST_GENERATOR_LARGE_LARGERUNNER_H
#define STRATA_TEST_GENERATOR_LARGE_LARGERUNNER_H

#include "LargeCase.h"
#include "LargeParts.h"

#include "strata/compile/KernelCompiler.h"
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
  int64_t work = 0;   ///< instructions, or nanoseconds where they cannot be counted
  double seconds = 0; ///< on a processor
  int64_t bytes = 0;  ///< of what was made, and the most that a kernel held besides

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
  /// and compares the last result. The least of up to three runs counts.
  Attempt attempt(const std::vector<LargePart> &parts, double seconds);

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
  std::optional<reference::Expected> expected;
  reference::Pattern pattern = reference::Pattern::ignored;
};

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_LARGERUNNER_H
