// Converts by one kernel where loops can follow both formats, else through a list of coordinates.
#include "strata/execution/Conversion.h"

#include "strata/execution/ElementTypes.h"
#include "strata/execution/Estimate.h"
#include "strata/execution/Kernel.h"
#include "strata/execution/LevelSpace.h"
#include "strata/execution/Stopwatch.h"
#include "strata/execution/Unpacking.h"
#include "strata/lower/StorageLayout.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

// The statement `B[i, ...] = A[i, ...]` as a kernel, if loops can follow both formats and what A
// stores is what it was given.
static OwningOpRef<ModuleOp> directConversion(RankedTensorType given, RankedTensorType type) {
  ta::FormatAttr from = ta::formatOf(given), to = ta::formatOf(type);
  if (given.getElementType() != type.getElementType() || from.hasPadding() || to.hasPadding() ||
      from.isFull() || to.isFull() || to.isList() ||
      Attribute(ta::fillOf(given)) != Attribute(ta::fillOf(type)))
    return nullptr;
  unsigned rank = type.getRank();
  Type element = type.getElementType();
  OwningOpRef<ModuleOp> module =
      copyKernel(dynamicType(rank, element, from), dynamicType(rank, element, to), "convert");
  return canBeFollowed(*module) ? std::move(module) : nullptr;
}

static Result<TensorValue> convertDirectly(KernelCompiler &compiler, const TensorValue &tensor,
                                           RankedTensorType type, OwningOpRef<ModuleOp> module,
                                           PackTimes &spent) {
  Stopwatch watch;
  const std::vector<int64_t> &sizes = tensor.sizes();
  strata_type element = *runtimeType(type.getElementType());
  int64_t entries = tensor.storedCount();
  Status fits = checkPlaces(ta::formatOf(type), sizes, entries, strata_type_bytes(element));
  if (fits.ok())
    fits = checkWidths(type, sizes, entries);
  if (!fits.ok())
    return fits;
  preferPieces(*module, sizes, entries);
  Result<CompiledKernel> kernel =
      compiler.compile(std::move(module), double(tensor.storage->bytes()));
  if (!kernel)
    return kernel.takeStatus();
  spent.compile += watch.lap();
  spent.parts += kernel->times;
  auto storage = std::make_shared<Storage>(sizes, bufferTypes(type));
  if (Status status = compiler.run(*kernel, *storage, {tensor.storage.get()}, sizes); !status.ok())
    return status;
  spent.fill += watch.lap();
  return TensorValue{type, storage, nullptr};
}

// The kernel that converts, its result's type decided; null where that goes by way of a list. What
// may be refused is listed: only then is it known how large it becomes.
static OwningOpRef<ModuleOp> kernelFor(RankedTensorType from, RankedTensorType decided,
                                       ArrayRef<int64_t> sizes, int64_t entries, bool force) {
  if (ta::sumOf(from) || ta::sumOf(decided))
    return nullptr;
  if (!force && canGrow(decided, sizes, entries))
    return nullptr;
  return directConversion(from, decided);
}

static OwningOpRef<ModuleOp> kernelFor(const TensorValue &tensor, RankedTensorType decided,
                                       bool force) {
  return kernelFor(tensor.type, decided, tensor.sizes(), tensor.storedCount(), force);
}

bool convertsByKernel(RankedTensorType from, RankedTensorType to, ArrayRef<int64_t> sizes,
                      int64_t entries, bool force) {
  return bool(kernelFor(from, to, sizes, entries, force));
}

ConversionPlan planConversion(const TensorValue &tensor, RankedTensorType type, bool force) {
  int64_t entries = tensor.storedCount();
  RankedTensorType decided = withDecidedWidths(type, tensor.sizes(), entries);
  int64_t places = 1;
  for (int64_t size : tensor.sizes())
    places = std::max(places, size);
  // One thread counts in the result's own buffers, each other one in as much again.
  if (kernelFor(tensor, decided, force))
    return {false, (strata_kernel_pieces(nullptr, entries, places) - 1) * places *
                       int64_t(sizeof(int64_t))};
  return {true, packingNeeds(type, tensor.sizes(), entries)};
}

std::string describe(const ConversionPlan &plan) {
  std::string how = plan.listed ? "by way of a list of coordinates" : "by one kernel";
  return how + "; at most " + llvm::formatv("{0:F1}", double(plan.beside) / (1 << 20)).str() +
         " MiB beside the two tensors";
}

Result<TensorValue> convert(KernelCompiler &compiler, const TensorValue &tensor,
                            RankedTensorType type, PackTimes *times, bool force) {
  PackTimes scratch;
  PackTimes &spent = times ? *times : scratch;
  Stopwatch watch;
  Result<TensorValue> converted = Error{""};
  RankedTensorType decided = withDecidedWidths(type, tensor.sizes(), tensor.storedCount());
  if (auto module = kernelFor(tensor, decided, force)) {
    converted = convertDirectly(compiler, tensor, decided, std::move(module), spent);
  } else {
    Result<Coordinates> list = unpackUnsorted(compiler, tensor);
    if (!list)
      return list.takeStatus();
    if (Status status = list->convertCoordinates(runtime::coordinateTypeFor(list->sizes()));
        !status.ok())
      return status;
    spent.fill += watch.lap();
    // The repetitions of a list are terms of computed sums, which wrap.
    if (tensor.format().isList() && isa<IntegerType>(type.getElementType()))
      if (Result<int64_t> summed = list->sumDuplicates({}, runtime::Overflow::wraps); !summed)
        return summed.takeStatus();
    converted = pack(compiler, std::move(*list), type, &spent, force, tensor.format().getFill());
  }
  // Through a format that cannot tell stored zeros from padding they are lost: what it was packed
  // from is then another tensor.
  if (converted && !hasPadding(tensor.type))
    converted->source = tensor.source;
  return converted;
}

} // namespace strata
