// Runs a case on the road that programs take, and compares with the reference interpreter.
#ifndef STRATA_TEST_GENERATOR_RUNCASE_H
#define STRATA_TEST_GENERATOR_RUNCASE_H

#include "Case.h"
#include "strata/compile/KernelCompiler.h"
#include "strata/runtime/dist/Job.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace strata::test {

struct Outcome {
  enum class Kind {
    agrees,
    refused, ///< with a diagnostic that says why
    wrong,   ///< another result than the reference's
    broken,  ///< an error that is no refusal: malformed IR, a failing kernel
    unfit    ///< the reference refuses the statement: a mistake of the generator
  };
  Kind kind = Kind::agrees;
  std::string text;

  bool failed() const { return kind == Kind::wrong || kind == Kind::broken; }
};

/// How a case is compiled.
struct Ways {
  Optimization optimization = Optimization::Quick;
  bool gathers = false;   ///< as where the machine gathers faster than it loads
  bool ahead = false;     ///< also as a program that is compiled ahead
  bool explained = false; ///< what is explained is also compared with what runs
};

/// Kernels are compiled once for all cases of a runner. The verifier runs between passes.
class CaseRunner {
public:
  CaseRunner();

  Outcome run(Case c, const Ways &ways = {});
  /// Computes the case by all processes together, each of which calls this, and by this one alone:
  /// the bits are the same.
  Outcome runTogether(Case c, runtime::dist::World &world);
  int64_t compiledCount() const { return compiler.compiledCount(); }

private:
  struct Diagnostics;
  Outcome execute(const Case &c, mlir::func::FuncOp main, Diagnostics &diagnostics,
                  const Ways &ways);
  runtime::Result<runtime::Coordinates> computeAhead(const Case &c, mlir::func::FuncOp main,
                                                     const Diagnostics &diagnostics);
  Outcome compute(const Case &c, mlir::func::FuncOp main, Diagnostics &diagnostics,
                  std::optional<TensorValue> &computed, runtime::dist::Job *job = nullptr);
  Outcome compareWithExplanation(const Case &c, mlir::func::FuncOp main, Diagnostics &diagnostics);
  Outcome packOperands(const Case &c, mlir::func::FuncOp main, std::vector<TensorValue> &operands);
  Outcome compareTogether(const Case &c, runtime::dist::World &world);
  Outcome computeTogether(const Case &c, mlir::func::FuncOp main, Diagnostics &diagnostics,
                          std::optional<TensorValue> &computed, runtime::dist::World &world);

  mlir::MLIRContext context;
  KernelCompiler compiler;
};

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_RUNCASE_H
