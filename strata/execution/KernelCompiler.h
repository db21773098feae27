// Compiles kernels, once per process for a given key, and calls them.
#ifndef STRATA_EXECUTION_KERNELCOMPILER_H
#define STRATA_EXECUTION_KERNELCOMPILER_H

#include "strata/execution/Jit.h"
#include "strata/execution/TensorValue.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

namespace strata {

/// A kernel compiled, and what that took (nothing if it was there already).
struct CompiledKernel {
  strata_kernel entry = nullptr;
  CompileTimes times;
  bool cached = false;
};

class KernelCompiler {
public:
  explicit KernelCompiler(mlir::MLIRContext *context) : context(context) {}

  /// Compiles a module with one kernel (its name is replaced). The key is its text: statement,
  /// formats, widths, element types and the facts that are constants in it. Diagnostics go to the
  /// context's handlers; the error then says no more than that it failed.
  runtime::Result<CompiledKernel> compile(mlir::OwningOpRef<mlir::ModuleOp> module);

  /// Calls a kernel. `result` becomes the storage of the result, or is updated in place.
  runtime::Status run(const CompiledKernel &kernel, runtime::Storage &result,
                      llvm::ArrayRef<runtime::Storage *> operands, llvm::ArrayRef<int64_t> extents,
                      int64_t *peakBytes = nullptr);

  /// No kernel gets more than so many bytes, its result included; negative: as many as there are.
  void limitMemory(int64_t bytes) { memoryLimit = bytes; }

  runtime::Result<Jit *> machine();
  mlir::MLIRContext *getContext() const { return context; }
  int64_t compiledCount() const { return kernels.size(); }

private:
  mlir::MLIRContext *context;
  std::unique_ptr<Jit> jit;
  int64_t memoryLimit = -1;
  llvm::StringMap<strata_kernel> kernels;
};

} // namespace strata

#endif // STRATA_EXECUTION_KERNELCOMPILER_H
