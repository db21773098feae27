// Machine code in this process: LLVM's ORC JIT for the host's processor.
#ifndef STRATA_EXECUTION_JIT_H
#define STRATA_EXECUTION_JIT_H

#include "strata/runtime/Status.h"
#include "strata/runtime/abi.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace strata {

/// Seconds that compiling took, by part.
struct CompileTimes {
  double passes = 0, optimization = 0, machineCode = 0;
  double total() const { return passes + optimization + machineCode; }
  CompileTimes &operator+=(const CompileTimes &other) {
    passes += other.passes;
    optimization += other.optimization;
    machineCode += other.machineCode;
    return *this;
  }
};

/// How much LLVM does for the speed of a kernel. What is compiled in half of the time is enough for
/// little data.
enum class Optimization { Quick, Full };

/// What `strata emit` can write of a module in the LLVM dialect.
enum class MachineStage { LlvmIr, Assembly, Object };

class Jit {
public:
  static runtime::Result<std::unique_ptr<Jit>> create(Optimization optimization);

  /// Compiles a module in the LLVM dialect; `name` must be new to this process's JIT.
  runtime::Result<strata_kernel> add(mlir::ModuleOp module, llvm::StringRef name,
                                     CompileTimes &times);
  /// Optimizes a module and gives its text or bytes.
  runtime::Result<std::string> emit(mlir::ModuleOp module, MachineStage stage);

private:
  explicit Jit(Optimization optimization) : optimization(optimization) {}
  struct Translated;
  runtime::Result<std::unique_ptr<Translated>> translate(mlir::ModuleOp module);

  Optimization optimization;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace strata

#endif // STRATA_EXECUTION_JIT_H
