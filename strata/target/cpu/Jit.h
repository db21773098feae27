// Machine code in this process: LLVM's ORC JIT.
#ifndef STRATA_TARGET_CPU_JIT_H
#define STRATA_TARGET_CPU_JIT_H

#include "strata/runtime/Status.h"
#include "strata/runtime/abi.h"
#include "strata/target/cpu/Processor.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <vector>

namespace llvm {
class TargetMachine;
namespace orc {
class LLJIT; // whose header takes longer to read than most files that read this one
class ResourceTracker;
} // namespace orc
} // namespace llvm

namespace strata {

/// Seconds that compiling took, by part, and of how many kernels.
struct CompileTimes {
  double passes = 0, optimization = 0, machineCode = 0;
  int64_t kernels = 0, kept = 0; ///< all, and those of them whose machine code a cache had
  int64_t instructions = 0;      ///< LLVM's, before they are optimized, of those compiled
  CompileTimes &operator+=(const CompileTimes &other) {
    passes += other.passes;
    optimization += other.optimization;
    machineCode += other.machineCode;
    kernels += other.kernels;
    kept += other.kept;
    instructions += other.instructions;
    return *this;
  }
};

/// How much LLVM does for the speed of a kernel. What is compiled in half of the time is enough for
/// little data.
enum class Optimization { Quick, Full };

/// What `strata emit` can write of a module in the LLVM dialect.
enum class MachineStage { LlvmIr, Assembly, Object };

/// A kernel, or a function that kernels share, whose machine code is in this process for as long as
/// this object is.
class LinkedKernel {
public:
  ~LinkedKernel();
  LinkedKernel(const LinkedKernel &) = delete;
  LinkedKernel &operator=(const LinkedKernel &) = delete;

  const strata_kernel entry; ///< of a kernel

private:
  friend class Jit;
  LinkedKernel(strata_kernel entry, std::vector<std::shared_ptr<const LinkedKernel>> shared,
               std::shared_ptr<llvm::orc::LLJIT> jit,
               llvm::IntrusiveRefCntPtr<llvm::orc::ResourceTracker> code);

  std::vector<std::shared_ptr<const LinkedKernel>> shared; ///< which it calls

  std::shared_ptr<llvm::orc::LLJIT> jit;
  llvm::IntrusiveRefCntPtr<llvm::orc::ResourceTracker> code;
};

class Jit {
public:
  ~Jit();

  /// Code for any processor can be compiled; only what runs here may be linked.
  static runtime::Result<std::unique_ptr<Jit>> create(const Processor &processor,
                                                      Optimization optimization);

  /// The machine code of a module in the LLVM dialect, as an object file.
  runtime::Result<std::string> compile(mlir::ModuleOp module, CompileTimes &times);
  /// Makes what compile() gave callable; `name`, a function in it, is that of no other kernel that
  /// is linked. `shared` are the functions outside of it that it calls.
  runtime::Result<std::shared_ptr<const LinkedKernel>>
  link(std::unique_ptr<llvm::MemoryBuffer> object, llvm::StringRef name,
       std::vector<std::shared_ptr<const LinkedKernel>> shared, CompileTimes &times);
  /// Optimizes a module and gives its text or bytes.
  runtime::Result<std::string> emit(mlir::ModuleOp module, MachineStage stage);
  /// The processor that kernels are compiled for, what LLVM may use of it, and its caches.
  std::string target() const;
  /// How many bytes its widest vectors have.
  int64_t vectorBytes() const;
  /// How many registers it has for them.
  int64_t vectorRegisters() const;
  const CacheSizes &caches() const { return cacheSizes; }
  bool isQuick() const { return optimization == Optimization::Quick; }

private:
  Jit(Optimization optimization, const CacheSizes &caches);
  struct Translated;
  runtime::Result<std::unique_ptr<Translated>> translate(mlir::ModuleOp module);
  runtime::Result<std::string> write(Translated &translated, llvm::CodeGenFileType kind);

  Optimization optimization;
  CacheSizes cacheSizes;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::shared_ptr<llvm::orc::LLJIT> jit; ///< null where code cannot run here
};

} // namespace strata

#endif // STRATA_TARGET_CPU_JIT_H
