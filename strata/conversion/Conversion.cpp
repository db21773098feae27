// Converts by kernels where loops can follow both formats, else through a list of coordinates.
#include "strata/conversion/Conversion.h"

#include "strata/conversion/ConversionRoutes.h"
#include "strata/conversion/EntryCount.h"
#include "strata/conversion/Slots.h"
#include "strata/conversion/SortedRows.h"
#include "strata/conversion/SumConversion.h"
#include "strata/conversion/Unpacking.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/estimate/Estimate.h"
#include "strata/estimate/Workspace.h"
#include "strata/host/LevelSpace.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/SlotNumbering.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/runtime/InternalError.h"
#include "strata/runtime/Stopwatch.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/StoredFormats.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {
namespace {

// The most entries that a copy can have: as many as values, or more where values are shared.
int64_t mostEntries(const TensorValue &tensor) {
  return std::max(tensor.storedCount(), entriesOf(tensor));
}

Given givenOf(const TensorValue &tensor) {
  return {tensor.type, tensor.sizes(), mostEntries(tensor)};
}

Result<CompiledKernel> compileRoute(KernelCompiler &compiler, OwningOpRef<ModuleOp> module,
                                    Phase phase, bool hashed, double work, PackTimes &spent) {
  Stopwatch watch;
  func::FuncOp function = *module->getOps<func::FuncOp>().begin();
  setPhase(function, phase);
  if (hashed)
    prefer(function, Policy::Table);
  Result<CompiledKernel> kernel = compiler.compile(std::move(module), work);
  if (kernel)
    spent.parts += kernel->times;
  spent.compile += watch.lap();
  return kernel;
}

// A tensor to be made: as it will be seen, its size is checked.
struct Wanted {
  RankedTensorType type;
  const std::vector<int64_t> &sizes;
  bool force;
  const TensorValue *pattern = nullptr; // whose entries have slots; null: those of what is given
};

// Counts the slots that a storage in `format` will have, and checks that these are not absurdly
// many.
Result<SlotCount> slotsNeeded(KernelCompiler &compiler, const TensorValue &tensor,
                              ta::FormatAttr format, const Wanted &wanted, PackTimes &spent) {
  const TensorValue &entries = wanted.pattern ? *wanted.pattern : tensor;
  Result<SlotCount> counted = countSlotsOf(compiler, entries, format, tensor.sizes(), spent);
  if (!counted)
    return counted;
  Type element = wanted.type.getElementType();
  Status fits = checkPlaces(ta::formatOf(wanted.type), wanted.sizes, mostEntries(tensor),
                            strata_type_bytes(*runtimeType(element)), counted->slots);
  if (fits.ok() && !wanted.force)
    fits = checkGrowth(wanted.type, wanted.sizes, mostEntries(tensor), counted->known);
  if (!fits.ok())
    return fits;
  return counted;
}

// Room for the values of a pattern whose first level alone is stored, if they are not absurdly
// many.
Status makeRoom(Storage &storage, RankedTensorType type, int64_t entries, bool force) {
  ta::FormatAttr format = ta::formatOf(type);
  int64_t coordinates = int64_t(levelBuffers(format, 0).size()) - 1;
  KnownPositions known{0, storage.buffer(coordinates).count};
  if (!force)
    if (Status fits = checkGrowth(type, storage.sizes(), entries, known); !fits.ok())
      return fits;
  int64_t values =
      mostPositions(format, levelExtents(format, storage.sizes()), entries, known).back();
  return storage.allocate(storage.bufferCount() - 1, values);
}

Result<TensorValue> convertDirectly(KernelCompiler &compiler, const TensorValue &tensor,
                                    RankedTensorType type, DirectRoute route, const Wanted &wanted,
                                    PackTimes &spent) {
  const std::vector<int64_t> &sizes = tensor.sizes();
  strata_type element = *runtimeType(type.getElementType());
  int64_t entries = mostEntries(tensor);
  ta::FormatAttr format = ta::formatOf(type);
  Status fits = checkPlaces(format, sizes, entries, strata_type_bytes(element));
  // How many places hold entries is known when these are stored: the kernel then sees whether the
  // widths suffice.
  bool drops = tensor.format().isFull() || hasPadding(tensor.type);
  if (fits.ok())
    fits = checkWidths(type, sizes, drops ? std::nullopt : std::optional(entries));
  if (!fits.ok())
    return fits;
  func::FuncOp function = *route.module->getOps<func::FuncOp>().begin();
  ta::ComputeOp op = *function.getOps<ta::ComputeOp>().begin();
  bool hashed =
      wantsHashedWorkspace(op, sizes, [&](Value) -> const TensorValue & { return tensor; });
  auto storage = std::make_shared<Storage>(sizes, bufferTypes(type));
  std::vector<int64_t> extents = sizes;
  if (slotNumbering(format)) {
    Result<SlotCount> counted = slotsNeeded(compiler, tensor, format, wanted, spent);
    if (!counted)
      return counted.takeStatus();
    extents.push_back(counted->slots);
  }
  for (Phase phase : route.phases) {
    OwningOpRef<ModuleOp> module = cast<ModuleOp>((*route.module)->clone());
    Result<CompiledKernel> kernel = compileRoute(compiler, std::move(module), phase, hashed,
                                                 double(tensor.storage->bytes()), spent);
    if (!kernel)
      return kernel.takeStatus();
    Stopwatch watch;
    Status status = compiler.run(*kernel, *storage, {tensor.storage.get()}, extents);
    if (status.ok() && phase == Phase::Pattern)
      status = makeRoom(*storage, type, entries, wanted.force);
    if (!status.ok())
      return status;
    spent.fill += watch.lap();
  }
  if (extents.size() > sizes.size())
    if (Status status = storeSlots(*storage, format, extents.back()); !status.ok())
      return status;
  return TensorValue{type, storage, nullptr};
}

// Fills a storage with the buffers of one that has the same levels and no orders, and with the
// orders that it lacks.
Result<TensorValue> withBuffersOf(const TensorValue &made, const Wanted &wanted,
                                  host::Ranks *ranks) {
  auto storage = std::make_shared<Storage>(wanted.sizes, bufferTypes(wanted.type));
  Storage &from = *made.storage;
  for (int64_t at = 0; at < from.bufferCount(); ++at) {
    Result<runtime::Buffer> buffer = from.take(at);
    if (!buffer)
      return buffer.takeStatus();
    bool values = at + 1 == from.bufferCount();
    if (Status moved = storage->put(values ? storage->bufferCount() - 1 : at, std::move(*buffer));
        !moved.ok())
      return moved;
  }
  std::vector<host::Ranks> all;
  if (ranks)
    all.push_back(std::move(*ranks));
  if (Status stored = host::storeRanks(std::move(all), *storage); !stored.ok())
    return stored;
  return TensorValue{wanted.type, storage, nullptr};
}

// The second of two kernels, where rows are sorted before.
Result<TensorValue> convertSorted(KernelCompiler &compiler, TensorValue rows, Route route,
                                  const Wanted &wanted, PackTimes &spent) {
  Stopwatch watch;
  ta::FormatAttr format = ta::formatOf(wanted.type);
  Result<SortedRows> sorted = sortRows(rows, format.getWindows()[format.sortedDims().front()]);
  if (!sorted)
    return sorted.takeStatus();
  rows = TensorValue();
  spent.sort += watch.lap();
  Result<TensorValue> made =
      convertDirectly(compiler, sorted->rows, route.made, std::move(route.last), wanted, spent);
  return made ? withBuffersOf(*made, wanted, &sorted->ranks) : std::move(made);
}

// The second of two kernels, where the levels of what is in between are its dimensions.
Result<TensorValue> convertLevels(KernelCompiler &compiler, const TensorValue &between, Route route,
                                  Wanted wanted, PackTimes &spent) {
  TensorValue pattern;
  if (slotNumbering(ta::formatOf(route.made))) {
    pattern = patternOfBlocks(between);
    wanted.pattern = &pattern;
  }
  std::vector<int64_t> sizes = levelSizes(between.format(), between.sizes());
  RankedTensorType type =
      dynamicType(sizes.size(), between.type.getElementType(), between.format().levelSpace());
  TensorValue levels{type,
                     std::make_shared<Storage>(
                         host::inLevelSpace(*between.storage, storedFormatOf(between.type), sizes)),
                     nullptr};
  Result<TensorValue> made =
      convertDirectly(compiler, levels, route.made, std::move(route.last), wanted, spent);
  return made ? withBuffersOf(*made, wanted, nullptr) : std::move(made);
}

Result<TensorValue> convertByKernels(KernelCompiler &compiler, const TensorValue &tensor,
                                     Route route, const Wanted &wanted, PackTimes &spent) {
  Result<TensorValue> between = tensor;
  if (route.first)
    between = convertByKernels(compiler, tensor, std::move(*route.first),
                               {route.via, wanted.sizes, wanted.force}, spent);
  if (!between)
    return between;
  switch (route.between) {
  case Between::Nothing:
    return convertDirectly(compiler, *between, wanted.type, std::move(route.last), wanted, spent);
  case Between::Sorts:
    return convertSorted(compiler, std::move(*between), std::move(route), wanted, spent);
  case Between::Levels:
    return convertLevels(compiler, *between, std::move(route), wanted, spent);
  }
  return runtime::internalError("a route with an unknown step");
}

Result<TensorValue> convertByList(KernelCompiler &compiler, const TensorValue &tensor,
                                  RankedTensorType type, PackTimes &spent, bool force) {
  Stopwatch watch;
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
  return pack(compiler, std::move(*list), type, &spent, force, tensor.format().getFill());
}

// From or to a sum, via `rows`.
Result<TensorValue> convertByRows(KernelCompiler &compiler, const TensorValue &tensor,
                                  RankedTensorType type, RankedTensorType rows, PackTimes &spent,
                                  bool force) {
  auto sameLevels = [](RankedTensorType one, RankedTensorType other) {
    return ta::formatOf(one).withWidths(0, 0) == ta::formatOf(other).withWidths(0, 0);
  };
  auto one = [&](const TensorValue &from, RankedTensorType to) -> Result<TensorValue> {
    bool there = !ta::sumOf(from.type) && to == rows && sameLevels(from.type, rows);
    return there ? from : convert(compiler, from, to, &spent, force);
  };
  Result<TensorValue> whole =
      ta::sumOf(tensor.type) ? addParts(compiler, tensor, rows, spent, one) : one(tensor, rows);
  if (!whole)
    return whole;
  if (ta::sumOf(type))
    return divideRows(std::move(*whole), type, one);
  return one(*whole, type);
}

} // namespace

bool convertsByKernel(RankedTensorType from, RankedTensorType to, ArrayRef<int64_t> sizes,
                      int64_t entries, bool force) {
  return routeOf({from, std::vector<int64_t>(sizes), entries}, to, force).has_value();
}

// Returns a number of bytes as an integer, which need not hold it: nobody has so many.
static int64_t wholeBytes(double bytes) { return int64_t(std::min(bytes, 0x1p62)); }

ConversionPlan planConversion(const TensorValue &tensor, RankedTensorType type, bool force) {
  Given given = givenOf(tensor);
  RankedTensorType decided = withDecidedWidths(type, given.sizes, given.entries);
  if (std::optional<Route> route = routeOf(given, decided, force))
    return {describe(*route), wholeBytes(route->beside())};
  if (RankedTensorType rows = rowsOfSum(given, decided)) {
    // They are there twice while they are divided or added, or while parts are converted, which
    // takes no more.
    return {"via " + ta::formatName(ta::formatOf(rows)),
            wholeBytes(3 * storageBytes(rows, given.sizes, given.entries))};
  }
  return {"via a list of coordinates", packingNeeds(type, given.sizes, given.entries)};
}

std::string describe(const ConversionPlan &plan) {
  return plan.how + "; at most " + llvm::formatv("{0:F1}", double(plan.beside) / (1 << 20)).str() +
         " MiB beside the two tensors";
}

// A tensor with a place for everything has no fill of its own: what it holds becomes an entry
// unless it equals the fill of what is made.
static TensorValue withFillOf(RankedTensorType made, TensorValue whole) {
  Attribute fill = ta::sumOf(made) ? ta::sumOf(made).getFill() : ta::formatOf(made).getFill();
  whole.type = ta::withFormat(whole.type, whole.format().withFill(fill));
  return whole;
}

Result<TensorValue> convert(KernelCompiler &compiler, const TensorValue &tensor,
                            RankedTensorType type, PackTimes *times, bool force) {
  // (Fills of two element types are never the same constant.)
  if (tensor.parts.empty() && tensor.format().isFull() &&
      tensor.type.getElementType() == type.getElementType() &&
      Attribute(ta::fillOf(tensor.type)) != ta::fillOf(type))
    return convert(compiler, withFillOf(type, tensor), type, times, force);
  PackTimes scratch;
  PackTimes &spent = times ? *times : scratch;
  RankedTensorType decided = withDecidedWidths(type, tensor.sizes(), mostEntries(tensor));
  Given given = givenOf(tensor);
  std::optional<Route> route = routeOf(given, decided, force);
  RankedTensorType rows = rowsOfSum(given, decided);
  Result<TensorValue> converted = route  ? convertByKernels(compiler, tensor, std::move(*route),
                                                            {decided, tensor.sizes(), force}, spent)
                                  : rows ? convertByRows(compiler, tensor, type, rows, spent, force)
                                         : convertByList(compiler, tensor, type, spent, force);
  if (converted)
    if (Status whole = checkNothingLost(tensor, *converted); !whole.ok())
      return whole;
  // Through a format that cannot tell stored zeros from padding they are lost: what it was packed
  // from is then another tensor.
  if (converted && !hasPadding(tensor.type))
    converted->source = tensor.source;
  return converted;
}

} // namespace strata
