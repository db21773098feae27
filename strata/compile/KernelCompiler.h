// Compiles kernels, once for a given key, and calls them.
#ifndef STRATA_COMPILE_KERNELCOMPILER_H
#define STRATA_COMPILE_KERNELCOMPILER_H

#include "strata/compile/KernelCache.h"
#include "strata/compile/SharedFunctions.h"
#include "strata/host/Kernel.h"
#include "strata/lower/Pipeline.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/target/cpu/Jit.h"
#include "strata/tensor/TensorValue.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <limits>
#include <optional>

namespace strata {

/// A kernel compiled, and what that took (nothing if it was there already).
struct CompiledKernel {
  std::shared_ptr<const LinkedKernel> code;
  CompileTimes times;
};

class KernelCompiler {
public:
  explicit KernelCompiler(mlir::MLIRContext *context) : context(context) {}

  /// Compiles a module with one kernel (its name is replaced). The key is its text: statement,
  /// formats, widths, element types and the facts that are constants in it. Diagnostics go to the
  /// context's handlers; the error then says no more than that it failed.
  ///
  /// `work` is about how many values the kernel will visit: where they are few, compiling takes
  /// longer than running, and is kept short. The kernel is called for rows of `rowSize` elements
  /// alone, if that is not 0: it may be made for this size.
  runtime::Result<CompiledKernel> compile(mlir::OwningOpRef<mlir::ModuleOp> module,
                                          double work = std::numeric_limits<double>::infinity(),
                                          int64_t rowSize = 0);

  /// Looks for kernels in a cache first, and keeps there what it compiles.
  void use(std::optional<KernelCache> onDisk) { cache = std::move(onDisk); }
  /// Other processes compile the same kernels at the same time: one of them compiles each, the
  /// others wait for it and find it in the cache.
  void waitForOtherProcesses() { waitsForOthers = true; }

  /// Makes kernels for this processor, which is that of Processor::fromEnvironment otherwise. They
  /// are run, too: compile() fails if this machine's cannot.
  void compileFor(Processor chosen) { processor = std::move(chosen); }

  /// Kernels gather what they look up by one instruction, on machines that do that faster.
  void gatherElements(bool faster) { gathers = faster; }

  /// Kernels have matrices multiplied by a library, which the runtime has loaded (useGemmLibrary).
  void callGemmLibrary(bool calls) { gemm = calls; }

  /// Calls `watcher` with each statement that is compiled, before, and with an empty text after.
  using Watcher = std::function<void(llvm::StringRef statement)>;
  void watch(Watcher watcher) { this->watcher = std::move(watcher); }

  /// All kernels are optimized so, whatever their work.
  void alwaysOptimize(Optimization optimization) { always = optimization; }

  /// Keeps about so many kernels in memory. (The default of Linux is that a process has at most
  /// 65530 pieces of memory; a kernel takes up to four.)
  void keepAtMost(size_t kernels) { mostKernels = kernels; }

  /// Gives kernels back that nobody holds, but for so many that were used last.
  void dropUnused(size_t most);

  /// Calls a kernel. `result` becomes the storage of the result, or is updated in place; it has the
  /// pattern that a kernel of Phase::Compute needs.
  runtime::Status run(const CompiledKernel &kernel, runtime::Storage &result,
                      llvm::ArrayRef<runtime::Storage *> operands, llvm::ArrayRef<int64_t> extents,
                      int64_t *peakBytes = nullptr);

  /// What a call of a kernel may take, and the flag that ends it.
  struct Limits {
    int64_t bytes = -1;
    const volatile int32_t *interrupt = nullptr;
  };
  /// The same for any thread, while others compile; `status` becomes what the kernel returned.
  static runtime::Status runWithin(const Limits &limits, const CompiledKernel &kernel,
                                   runtime::Storage &result,
                                   llvm::ArrayRef<runtime::Storage *> operands,
                                   llvm::ArrayRef<int64_t> extents, strata_status &status,
                                   int64_t *peakBytes = nullptr);

  /// The same as a function, for code that does not know where its kernels come from.
  host::Kernel callable(CompiledKernel kernel);

  /// No kernel gets more than so many bytes, its result included; negative: as many as there are.
  void limitMemory(int64_t bytes) { mostBytes = bytes; }
  int64_t memoryLimit() const { return mostBytes; }
  /// Kernels end as soon as the flag is not zero. It must live as long as they run.
  void interruptBy(const volatile int32_t *flag) { interrupt = flag; }
  /// What the last kernel returned, since that was cleared.
  strata_status lastStatus() const { return status; }
  void clearStatus() { status = STRATA_OK; }

  mlir::MLIRContext *getContext() const { return context; }
  /// What compiling, or loading from the cache, has taken so far.
  double secondsSpent() const { return seconds; }
  /// Kernels, and functions that they share.
  int64_t keptCount() const { return kernels.size(); }
  int64_t compiledCount() const { return compiled; }

private:
  runtime::Result<CompiledKernel> compileNew(mlir::ModuleOp module, Optimization optimization,
                                             llvm::StringRef key);
  runtime::Result<Jit *> machine(Optimization optimization);
  /// The machine code of a kernel, and the functions that it shares with others.
  struct Code {
    std::unique_ptr<llvm::MemoryBuffer> object;
    std::vector<std::shared_ptr<const LinkedKernel>> shared;
  };
  runtime::Result<Code> codeFor(mlir::ModuleOp module, Jit &jit, llvm::StringRef digest,
                                CompileTimes &times);
  runtime::Result<std::optional<Code>> keptCode(Jit &jit, llvm::StringRef digest,
                                                CompileTimes &times);
  runtime::Result<std::shared_ptr<const LinkedKernel>>
  keptFunction(Jit &jit, llvm::StringRef digest, CompileTimes &times);
  runtime::Result<std::shared_ptr<const LinkedKernel>> functionFor(Jit &jit, SharedCode function,
                                                                   CompileTimes &times);
  bool claimFor(llvm::StringRef digest, KernelCache::Claim &claim) const;
  KernelOptions optionsFor(const Jit &jit) const;

  mlir::MLIRContext *context;
  std::optional<Processor> processor;
  std::optional<Optimization> always;
  bool gathers = false, gemm = false;
  std::optional<KernelCache> cache;
  bool waitsForOthers = false;
  Watcher watcher;
  std::unique_ptr<Jit> jits[2]; ///< by optimization
  int64_t mostBytes = -1;
  const volatile int32_t *interrupt = nullptr;
  strata_status status = STRATA_OK;
  double seconds = 0;
  int64_t compiled = 0;
  size_t mostKernels = 4096;

  struct Kept {
    std::shared_ptr<const LinkedKernel> code;
    int64_t lastUse;
  };
  void keep(llvm::StringRef key, std::shared_ptr<const LinkedKernel> code);
  bool mayFixRowSize(llvm::StringRef text, int64_t size);
  /// The sizes that a kernel has been made for, by a hash of its text.
  llvm::DenseMap<uint64_t, llvm::SmallVector<int64_t, 4>> fixedSizes;
  llvm::StringMap<Kept> kernels; ///< those used last
  int64_t uses = 0;
};

} // namespace strata

#endif // STRATA_COMPILE_KERNELCOMPILER_H
