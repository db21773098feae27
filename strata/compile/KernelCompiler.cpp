// Compiles kernels and calls them.
#include "strata/compile/KernelCompiler.h"

#include "strata/compile/LimitedMemory.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/lower/LowerKernels.h"
#include "strata/lower/analysis/RowSize.h"
#include "strata/runtime/Stopwatch.h"
#include "strata/runtime/Team.h"
#include "strata/runtime/storage/Halo.h"
#include "strata/tensor/Quantities.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/xxhash.h"

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
    Result<Processor> target = processor ? *processor : Processor::fromEnvironment();
    if (!target)
      return target.takeStatus();
    if (Status runs = target->runsHere(); !runs.ok())
      return runs;
    Result<std::unique_ptr<Jit>> created = Jit::create(*target, optimization);
    if (!created)
      return created.takeStatus();
    jit = std::move(*created);
  }
  return jit.get();
}

// "C(i,k) = sum(j, A(i,j) * B(j,k)); A: CSR, B: CSR, result: CSR".
static std::string titleOf(ModuleOp module) {
  std::string title = "?";
  module.walk([&](ta::ComputeOp op) {
    auto format = [](Type type) { return ta::formatName(cast<RankedTensorType>(type)); };
    title = ta::notation(op) + "; ";
    for (Value input : op.getInputs())
      title += ta::operandName(op, input) + ": " + format(input.getType()) + ", ";
    title += "result: " + format(op.getResult().getType());
  });
  llvm::replace(title, '\n', ' ');
  return title;
}

// The options on which machine code depends besides a kernel's text and the processor.
static std::string waysOf(const KernelOptions &options) {
  std::string ways = options.quick ? "quick " : "full ";
  if (options.gathers)
    ways += "gathers ";
  if (options.gemm)
    ways += "gemm ";
  return ways;
}

KernelOptions KernelCompiler::optionsFor(const Jit &jit) const {
  return {.vectorBytes = jit.vectorBytes(),
          .vectorRegisters = jit.vectorRegisters(),
          .caches = jit.caches(),
          .gemm = gemm,
          .gathers = gathers,
          .quick = jit.isQuick()};
}

// Waits until no other process makes what it has not found in the cache. False if it does not wait
// for others.
bool KernelCompiler::claimFor(StringRef digest, KernelCache::Claim &claim) const {
  if (!cache || !waitsForOthers)
    return false;
  claim = cache->claim(digest);
  return true;
}

// A function that is linked already, or that the cache has; null where there is none.
Result<std::shared_ptr<const LinkedKernel>> KernelCompiler::keptFunction(Jit &jit, StringRef digest,
                                                                         CompileTimes &times) {
  std::string name = sharedName(digest);
  if (auto known = kernels.find(name); known != kernels.end()) {
    known->second.lastUse = ++uses;
    return known->second.code;
  }
  std::unique_ptr<llvm::MemoryBuffer> object = cache ? cache->find(digest) : nullptr;
  if (!object)
    return std::shared_ptr<const LinkedKernel>();
  auto linked = jit.link(std::move(object), name, {}, times);
  if (linked)
    keep(name, *linked);
  return linked;
}

Result<std::shared_ptr<const LinkedKernel>>
KernelCompiler::functionFor(Jit &jit, SharedCode function, CompileTimes &times) {
  auto kept = keptFunction(jit, function.digest, times);
  KernelCache::Claim claim;
  if (kept && !*kept && claimFor(function.digest, claim))
    kept = keptFunction(jit, function.digest, times);
  if (!kept || *kept)
    return kept;
  Stopwatch watch;
  if (failed(lowerFromShared(*function.module, optionsFor(jit))))
    return Error::alreadyShown("the kernel could not be compiled");
  times.passes += watch.lap();
  Result<std::string> object = jit.compile(*function.module, times);
  if (!object)
    return object.takeStatus();
  if (cache)
    cache->keep(function.digest, function.title, *object);
  std::string name = sharedName(function.digest);
  auto linked = jit.link(llvm::MemoryBuffer::getMemBufferCopy(*object, name), name, {}, times);
  if (linked)
    keep(name, *linked);
  return linked;
}

// Finds what the cache has of a kernel, if it has the functions, too, that the kernel shares with
// others.
Result<std::optional<KernelCompiler::Code>> KernelCompiler::keptCode(Jit &jit, StringRef digest,
                                                                     CompileTimes &times) {
  Code code{cache ? cache->find(digest) : nullptr, {}};
  if (!code.object)
    return std::optional<Code>();
  for (const std::string &shared : sharedFunctionsOf(*code.object)) {
    auto kept = keptFunction(jit, shared, times);
    if (!kept)
      return kept.takeStatus();
    if (!*kept)
      return std::optional<Code>();
    code.shared.push_back(std::move(*kept));
  }
  times.kept = 1;
  return std::optional(std::move(code));
}

Result<KernelCompiler::Code> KernelCompiler::codeFor(ModuleOp module, Jit &jit, StringRef digest,
                                                     CompileTimes &times) {
  auto kept = keptCode(jit, digest, times);
  KernelCache::Claim claim;
  if (kept && !*kept && claimFor(digest, claim))
    kept = keptCode(jit, digest, times);
  if (!kept)
    return kept.takeStatus();
  if (*kept)
    return std::move(**kept);
  runtime::letHelpersGo();
  Stopwatch watch;
  std::string title = cache || watcher ? titleOf(module) : "";
  if (watcher)
    watcher(StringRef(title).split("; ").first);
  llvm::scope_exit done([&] {
    if (watcher)
      watcher("");
  });
  const Error failure = Error::alreadyShown("the kernel could not be compiled");
  const KernelOptions options = optionsFor(jit);
  if (failed(lowerToShared(module, options)))
    return failure;
  Code code;
  std::vector<SharedCode> functions = takeSharedFunctions(module, waysOf(options), jit.target());
  times.passes += watch.lap();
  for (SharedCode &function : functions) {
    auto linked = functionFor(jit, std::move(function), times);
    if (!linked)
      return linked.takeStatus();
    code.shared.push_back(std::move(*linked));
  }
  watch.lap();
  if (failed(lowerFromShared(module, options)))
    return failure;
  times.passes += watch.lap();
  Result<std::string> object = jit.compile(module, times);
  if (!object)
    return object.takeStatus();
  if (cache)
    cache->keep(digest, title, *object);
  code.object = llvm::MemoryBuffer::getMemBufferCopy(*object, digest);
  return code;
}

// A program that has rows of many sizes gets a kernel for all of them, besides a few for one.
bool KernelCompiler::mayFixRowSize(StringRef text, int64_t size) {
  constexpr size_t mostSizes = 4;
  llvm::SmallVector<int64_t, 4> &sizes = fixedSizes[llvm::xxh3_64bits(text)];
  if (llvm::is_contained(sizes, size))
    return true;
  if (sizes.size() == mostSizes)
    return false;
  sizes.push_back(size);
  return true;
}

Result<CompiledKernel> KernelCompiler::compile(OwningOpRef<ModuleOp> module, double work,
                                               int64_t rowSize) {
  auto kernel = *module->getOps<func::FuncOp>().begin();
  kernel.setName("kernel");
  Optimization optimization =
      always.value_or(work <= mostQuickWork ? Optimization::Quick : Optimization::Full);
  auto keyOf = [&] {
    std::string key =
        waysOf({.gemm = gemm, .gathers = gathers, .quick = optimization == Optimization::Quick});
    llvm::raw_string_ostream(key) << *module;
    return key;
  };
  std::string key = keyOf();
  if (optimization == Optimization::Full && rowSize > 0 && mayFixRowSize(key, rowSize)) {
    fixRowSize(kernel, rowSize);
    key = keyOf();
  }
  if (auto known = kernels.find(key); known != kernels.end()) {
    known->second.lastUse = ++uses;
    return CompiledKernel{known->second.code, {}};
  }
  Stopwatch watch;
  Result<CompiledKernel> compiled = compileNew(*module, optimization, key);
  seconds += watch.lap();
  return compiled;
}

Result<CompiledKernel> KernelCompiler::compileNew(ModuleOp module, Optimization optimization,
                                                  StringRef key) {
  CompiledKernel result;
  result.times.kernels = 1;
  Result<Jit *> jit = machine(optimization);
  if (!jit)
    return jit.takeStatus();
  // A cache's kernels have the same names in all processes.
  std::string digest = KernelCache::digest(key, (*jit)->target());
  std::string name = "kernel_" + digest;
  (*module.getOps<func::FuncOp>().begin()).setName(name);
  auto code = codeFor(module, **jit, digest, result.times);
  if (!code)
    return code.takeStatus();
  auto linked = (*jit)->link(std::move(code->object), name, std::move(code->shared), result.times);
  if (!linked)
    return linked.takeStatus();
  result.code = std::move(*linked);
  keep(key, result.code);
  ++compiled;
  return result;
}

// Of too many kernels, the half that was used last stays, and those that somebody holds.
void KernelCompiler::keep(StringRef key, std::shared_ptr<const LinkedKernel> code) {
  if (kernels.size() >= mostKernels) {
    std::vector<int64_t> lastUses;
    for (const auto &kept : kernels)
      lastUses.push_back(kept.second.lastUse);
    auto middle = lastUses.begin() + int64_t(lastUses.size() / 2);
    std::nth_element(lastUses.begin(), middle, lastUses.end());
    for (auto next = kernels.begin(); next != kernels.end();) {
      auto kept = next++;
      if (kept->second.lastUse < *middle && kept->second.code.use_count() == 1)
        kernels.erase(kept);
    }
  }
  kernels[key] = {std::move(code), ++uses};
}

void KernelCompiler::dropUnused(size_t most) {
  std::vector<std::pair<int64_t, std::string>> unused;
  for (const auto &kept : kernels)
    if (kept.second.code.use_count() == 1)
      unused.emplace_back(kept.second.lastUse, kept.first().str());
  if (unused.size() <= most)
    return;
  llvm::sort(unused);
  for (const auto &[lastUse, key] : llvm::ArrayRef(unused).drop_back(most))
    kernels.erase(key);
}

Status KernelCompiler::run(const CompiledKernel &kernel, runtime::Storage &result,
                           ArrayRef<runtime::Storage *> operands, ArrayRef<int64_t> extents,
                           int64_t *peakBytes) {
  return runWithin({mostBytes, interrupt}, kernel, result, operands, extents, status, peakBytes);
}

Status KernelCompiler::runWithin(const Limits &limits, const CompiledKernel &kernel,
                                 runtime::Storage &result, ArrayRef<runtime::Storage *> operands,
                                 ArrayRef<int64_t> extents, strata_status &status,
                                 int64_t *peakBytes) {
  strata_context call;
  strata_context_initialize(&call);
  call.allocator = result.allocator();
  call.interrupt = limits.interrupt;
  LimitedMemory memory(limits.bytes, call.allocator);
  if (limits.bytes >= 0)
    call.allocator = memory.allocator();
  SmallVector<strata_storage *> storages{result.abi()};
  for (runtime::Storage *operand : operands)
    storages.push_back(operand->abi());
  const int64_t haloBefore = runtime::haloBytes(result);
  status = strata_status(kernel.code->entry(&call, storages.data(), extents.data()));
  if (peakBytes)
    *peakBytes = call.bytes_peak + runtime::haloBytes(result) - haloBefore;
  if (status == STRATA_OUT_OF_MEMORY && memory.refused())
    return Error{Error::MemoryLimit,
                 "this needs more than the " + bytesInWords(double(limits.bytes)) +
                     " of memory that --max-memory leaves for it",
                 "a higher limit"};
  if (status == STRATA_OVERFLOW)
    return Error{Error::IndexWidth, call.message, "a wider pos, or none: it is then chosen"};
  if (status != STRATA_OK)
    return Error{runtime::codeOf(status), call.message};
  return Status();
}

host::Kernel KernelCompiler::callable(CompiledKernel kernel) {
  return [this, kernel = std::move(kernel)](runtime::Storage &result,
                                            std::span<runtime::Storage *const> operands,
                                            std::span<const int64_t> extents) {
    return run(kernel, result, ArrayRef(operands.data(), operands.size()),
               ArrayRef(extents.data(), extents.size()));
  };
}

} // namespace strata
