// Compiles kernels and calls them.
#include "strata/execution/KernelCompiler.h"

#include "strata/execution/Memory.h"
#include "strata/execution/Stopwatch.h"
#include "strata/lower/Pipeline.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata {

/// So many values are visited in about the time that the rest of optimizing takes.
static constexpr double mostQuickWork = 1 << 20;

Result<Jit *> KernelCompiler::machine(Optimization optimization) {
  std::unique_ptr<Jit> &jit = jits[size_t(optimization)];
  if (!jit) {
    Result<std::unique_ptr<Jit>> created = Jit::create(optimization);
    if (!created)
      return created.takeStatus();
    jit = std::move(*created);
  }
  return jit.get();
}

Result<CompiledKernel> KernelCompiler::compile(OwningOpRef<ModuleOp> module, double work) {
  Stopwatch watch;
  auto kernel = *module->getOps<func::FuncOp>().begin();
  kernel.setName("kernel");
  Optimization optimization =
      always.value_or(work <= mostQuickWork ? Optimization::Quick : Optimization::Full);
  std::string key = optimization == Optimization::Quick ? "quick " : "full ";
  llvm::raw_string_ostream(key) << *module;
  if (auto known = kernels.find(key); known != kernels.end())
    return CompiledKernel{known->second, {}, true};
  std::string name = "kernel_" + std::to_string(kernels.size());
  kernel.setName(name);

  CompiledKernel result;
  Result<Jit *> jit = machine(optimization);
  if (!jit)
    return jit.takeStatus();
  PassManager passes(context);
  addKernelPasses(passes, Stage::Llvm);
  if (failed(passes.run(*module)))
    return Error{"the kernel could not be compiled"};
  result.times.passes = watch.lap();
  Result<strata_kernel> entry = (*jit)->add(*module, name, result.times);
  if (!entry)
    return entry.takeStatus();
  result.entry = *entry;
  kernels[key] = result.entry;
  return result;
}

Status KernelCompiler::run(const CompiledKernel &kernel, runtime::Storage &result,
                           ArrayRef<runtime::Storage *> operands, ArrayRef<int64_t> extents,
                           int64_t *peakBytes) {
  strata_context call;
  strata_context_initialize(&call);
  LimitedMemory memory(memoryLimit);
  if (memoryLimit >= 0)
    call.allocator = memory.allocator();
  // What a result held before is given back first, so that the kernel can use its memory.
  if (!llvm::is_contained(operands, &result))
    result.clear();
  SmallVector<strata_storage *> storages{result.abi()};
  for (runtime::Storage *operand : operands)
    storages.push_back(operand->abi());
  int32_t status = kernel.entry(&call, storages.data(), extents.data());
  if (peakBytes)
    *peakBytes = call.bytes_peak;
  if (status == STRATA_OUT_OF_MEMORY && memory.refused())
    return Error{"this needs more than the " + bytesInWords(double(memoryLimit)) +
                     " of memory that --max-memory leaves for it",
                 "a greater --max-memory"};
  if (status == STRATA_OVERFLOW)
    return Error{call.message, "a wider pos, or none: it is then chosen"};
  if (status != STRATA_OK)
    return Error{call.message};
  return Status();
}

} // namespace strata
