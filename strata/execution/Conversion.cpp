// Converts by kernels where loops can follow both formats, else through a list of coordinates.
#include "strata/execution/Conversion.h"

#include "strata/dialect/ta/Shorthands.h"
#include "strata/execution/ElementTypes.h"
#include "strata/execution/Estimate.h"
#include "strata/execution/Kernel.h"
#include "strata/execution/LevelSpace.h"
#include "strata/execution/Slots.h"
#include "strata/execution/SortedRows.h"
#include "strata/execution/Stopwatch.h"
#include "strata/execution/Unpacking.h"
#include "strata/execution/Workspace.h"
#include "strata/lower/Phase.h"
#include "strata/lower/StorageLayout.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {
namespace {

// What is known of a tensor that is to be converted, before it is there.
struct Given {
  RankedTensorType type;
  std::vector<int64_t> sizes;
  int64_t entries; // at most; places that hold none may be counted
};

// A kernel that converts.
struct DirectRoute {
  OwningOpRef<ModuleOp> module;
  SmallVector<Phase, 2> phases = {Phase::All}; // each a kernel of its own
  int64_t beside = 0;                          // bytes that it takes at most beside the two tensors
};

// One kernel, or two, with a tensor in between.
struct Route {
  RankedTensorType via; // null: one
  DirectRoute first, second;
  RankedTensorType sorted = nullptr; // what the second makes of sorted rows
  int64_t beside() const { return std::max(first.beside, second.beside); }
};

// The kernel of `B[i, ...] = A[i, ...]`, if what A stores is what it was given.
OwningOpRef<ModuleOp> statementOf(RankedTensorType given, RankedTensorType type) {
  ta::FormatAttr from = ta::formatOf(given), to = ta::formatOf(type);
  unsigned rank = type.getRank();
  Type element = type.getElementType();
  // A place for everything takes what is padding for what it is.
  bool drops = (from.hasPadding() || from.isFull()) && !to.isFull();
  bool repeats = from.isList() && to.isFull();
  // What is left out must not be given a slot.
  bool skips = drops && to.hasSlots();
  if (given.getElementType() != element || rank == 0 || skips || to.isList() || repeats ||
      (drops && isa<ComplexType>(element)) ||
      Attribute(ta::fillOf(given)) != Attribute(ta::fillOf(type)))
    return nullptr;
  return copyKernel(dynamicType(rank, element, from), dynamicType(rank, element, to), "convert",
                    drops ? Fills::Dropped : Fills::Kept);
}

// What a kernel with that plan needs: a count for every parent, for each thread but one; a second
// place for what several threads append; for each thread, what lies below one parent that gathers;
// room for all that a source with padding might hold.
int64_t besideOf(const LoopPlan &plan, const Given &given, RankedTensorType to, bool inPhases,
                 int64_t pieces, int64_t longest) {
  ta::FormatAttr format = ta::formatOf(to);
  int64_t word = sizeof(int64_t);
  if (plan.assembly == Assembly::Counted)
    return (pieces - 1) * longest * word;
  bool appends = llvm::any_of(format.getLevels(), [](ta::LevelAttr level) {
    return findLevelTraits(level.getName())->appends;
  });
  double bytes = 0;
  if (plan.assembly == Assembly::Gathered) {
    double values = inPhases ? 0 : strata_type_bytes(*runtimeType(to.getElementType()));
    bytes = double(pieces) * workspaceBytes(format, given.sizes, values);
  }
  if (appends && pieces > 1)
    bytes += inPhases ? patternBytes(to, given.sizes, given.entries)
                      : storageBytes(to, given.sizes, given.entries);
  else if (appends && !inPhases && ta::formatOf(given.type).hasPadding())
    bytes += storageBytes(to, given.sizes, given.entries); // room for padding, too, at first
  return int64_t(std::min(bytes, 0x1p62));
}

// Would loops in order store all of a parent's places as soon as they reach it, though it may have
// no entries?
bool storesWhatIsReached(ta::FormatAttr format) {
  auto traits = [&](unsigned lvl) { return findLevelTraits(format.getLevels()[lvl].getName()); };
  return llvm::any_of(llvm::seq<unsigned>(1, format.getLvlRank()), [&](unsigned lvl) {
    return traits(lvl)->places && traits(lvl - 1)->appends && !format.isSlot(lvl - 1);
  });
}

std::optional<DirectRoute> directRoute(const Given &given, RankedTensorType to) {
  DirectRoute route{statementOf(given.type, to)};
  if (!route.module)
    return std::nullopt;
  if (isGatheredInPhases(ta::formatOf(to))) {
    if (llvm::is_contained(given.sizes, 0))
      return std::nullopt; // not a single diagonal
    route.phases = {Phase::Pattern, Phase::Compute};
    setPhase(*route.module->getOps<func::FuncOp>().begin(), Phase::Pattern);
  }
  preferPieces(*route.module, given.sizes, given.entries);
  std::optional<LoopPlan> plan = planOfCopy(*route.module);
  if (!plan || (plan->assembly == Assembly::InOrder && storesWhatIsReached(ta::formatOf(to))))
    return std::nullopt;
  int64_t longest = 1;
  for (int64_t size : given.sizes)
    longest = std::max(longest, size);
  int64_t pieces = strata_kernel_pieces(nullptr, given.entries, longest);
  // Threads share a result whose pattern is there.
  if (plan->blocks && pieces > 1 && phaseFault(ta::formatOf(to)).empty())
    route.phases = {Phase::Assemble, Phase::Compute};
  if (slotNumbering(ta::formatOf(to))) // rows are counted, then fill their own slots
    route.beside = slotCountBytes(ta::formatOf(to), given.sizes);
  else
    route.beside = besideOf(*plan, given, to, route.phases.size() > 1, pieces, longest);
  return route;
}

// Rows of entries in the order of the target's dimensions: what most formats are made from.
RankedTensorType rowsFor(RankedTensorType to, const Given &given) {
  ta::FormatAttr format = ta::formatOf(to);
  SmallVector<unsigned> dims;
  for (AffineExpr level : format.getDimToLvl().getResults())
    for (unsigned dim = 0; dim < unsigned(to.getRank()); ++dim)
      if (level.isFunctionOfDim(dim) && !llvm::is_contained(dims, dim))
        dims.push_back(dim);
  RankedTensorType rows =
      ta::withFormat(to, ta::rowFormat(to.getContext(), dims).withFill(format.getFill()));
  return withDecidedWidths(rows, given.sizes, given.entries);
}

// To a format that sorts the rows of a matrix: these are copied in that order, and converted to the
// format that has the same levels and does not sort.
std::optional<Route> sortedRoute(const Given &given, RankedTensorType decided, bool force) {
  ta::FormatAttr format = ta::formatOf(decided);
  SmallVector<unsigned> sorted = format.sortedDims();
  if (decided.getRank() != 2 || sorted.size() != 1)
    return std::nullopt;
  RankedTensorType via = rowsFor(decided, given);
  ta::FormatAttr rows = ta::formatOf(via);
  if (rows.getDimToLvl().getDimPosition(0) != sorted.front() ||
      (!force && canGrow(via, given.sizes, given.entries)))
    return std::nullopt;
  Route route;
  // Rows of any widths will do.
  if (ta::formatOf(given.type).withWidths(0, 0) == rows.withWidths(0, 0) &&
      given.type.getElementType() == via.getElementType()) {
    via = given.type;
  } else {
    std::optional<DirectRoute> first = directRoute(given, via);
    if (!first)
      return std::nullopt;
    route.first = std::move(*first);
  }
  route.sorted =
      ta::withFormat(decided, ta::FormatAttr::get(decided.getContext(), format.getDimToLvl(),
                                                  format.getLevels(), format.getFill()));
  std::optional<DirectRoute> second = directRoute({via, given.sizes, given.entries}, route.sorted);
  if (!second)
    return std::nullopt;
  route.via = via;
  route.second = std::move(*second);
  // The rows, if they are made first, then once more.
  auto bytes = int64_t(storageBytes(via, given.sizes, given.entries));
  int64_t made = route.first.module ? bytes : 0;
  route.first.beside += made;
  route.second.beside += made + bytes;
  return route;
}

// How kernels convert to the decided type; nothing where that goes by way of a list. What may be
// refused is listed: only then is it known how large it becomes.
std::optional<Route> routeOf(const Given &given, RankedTensorType decided, bool force) {
  if (ta::sumOf(given.type) || ta::sumOf(decided))
    return std::nullopt;
  ta::FormatAttr format = ta::formatOf(decided);
  if (!format.getWindows().empty())
    return sortedRoute(given, decided, force);
  // How many slots or diagonals there are is counted before.
  if (!force && !slotNumbering(format) && !isGatheredInPhases(format) &&
      canGrow(decided, given.sizes, given.entries))
    return std::nullopt;
  if (std::optional<DirectRoute> direct = directRoute(given, decided))
    return Route{{}, std::move(*direct), {}};
  if (decided.getRank() < 2)
    return std::nullopt;
  RankedTensorType via = rowsFor(decided, given);
  if (canGrow(via, given.sizes, given.entries))
    return std::nullopt;
  std::optional<DirectRoute> first = directRoute(given, via);
  if (!first)
    return std::nullopt;
  std::optional<DirectRoute> second = directRoute({via, given.sizes, given.entries}, decided);
  if (!second)
    return std::nullopt;
  Route route{via, std::move(*first), std::move(*second)};
  // The tensor in between is there while either runs.
  route.first.beside += int64_t(storageBytes(via, given.sizes, given.entries));
  route.second.beside += int64_t(storageBytes(via, given.sizes, given.entries));
  return route;
}

Given givenOf(const TensorValue &tensor) {
  return {tensor.type, tensor.sizes(), tensor.storedCount()};
}

Result<CompiledKernel> compileRoute(KernelCompiler &compiler, OwningOpRef<ModuleOp> module,
                                    Phase phase, bool hashed, double work, PackTimes &spent) {
  Stopwatch watch;
  func::FuncOp function = *module->getOps<func::FuncOp>().begin();
  setPhase(function, phase);
  if (hashed)
    function->setAttr("strata.hashed", UnitAttr::get(compiler.getContext()));
  Result<CompiledKernel> kernel = compiler.compile(std::move(module), work);
  if (kernel)
    spent.parts += kernel->times;
  spent.compile += watch.lap();
  return kernel;
}

// Counts the slots that a storage of `type` will have, and checks that these are not absurdly many.
Result<SlotCount> slotsNeeded(KernelCompiler &compiler, const TensorValue &tensor,
                              RankedTensorType type, bool force, PackTimes &spent) {
  ta::FormatAttr format = ta::formatOf(type);
  Result<SlotCount> counted = countSlotsOf(compiler, tensor, format, spent);
  if (!counted)
    return counted;
  Status fits = checkPlaces(format, tensor.sizes(), tensor.storedCount(),
                            strata_type_bytes(*runtimeType(type.getElementType())), counted->slots);
  if (fits.ok() && !force)
    fits = checkGrowth(type, tensor.sizes(), tensor.storedCount(),
                       {slotNumbering(format)->level, counted->places});
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
                                    RankedTensorType type, DirectRoute route, bool force,
                                    PackTimes &spent) {
  const std::vector<int64_t> &sizes = tensor.sizes();
  strata_type element = *runtimeType(type.getElementType());
  int64_t entries = tensor.storedCount();
  ta::FormatAttr format = ta::formatOf(type);
  Status fits = checkPlaces(format, sizes, entries, strata_type_bytes(element));
  if (fits.ok())
    fits = checkWidths(type, sizes, entries);
  if (!fits.ok())
    return fits;
  func::FuncOp function = *route.module->getOps<func::FuncOp>().begin();
  ta::ComputeOp op = *function.getOps<ta::ComputeOp>().begin();
  bool hashed =
      wantsHashedWorkspace(op, sizes, [&](Value) -> const TensorValue & { return tensor; });
  auto storage = std::make_shared<Storage>(sizes, bufferTypes(type));
  std::vector<int64_t> extents = sizes;
  if (slotNumbering(format)) {
    Result<SlotCount> counted = slotsNeeded(compiler, tensor, type, force, spent);
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
    Status status =
        compiler.run(*kernel, *storage, {tensor.storage.get()}, extents, nullptr, phase);
    if (status.ok() && phase == Phase::Pattern)
      status = makeRoom(*storage, type, entries, force);
    if (!status.ok())
      return status;
    spent.fill += watch.lap();
  }
  if (extents.size() > sizes.size())
    if (Status status = storeSlots(*storage, format, extents.back()); !status.ok())
      return status;
  return TensorValue{type, storage, nullptr};
}

// Fills a storage with the buffers of one without orders, and with the orders.
Result<TensorValue> withRanks(TensorValue converted, RankedTensorType type, Ranks ranks) {
  auto storage = std::make_shared<Storage>(converted.sizes(), bufferTypes(type));
  Storage &from = *converted.storage;
  for (int64_t at = 0; at < from.bufferCount(); ++at) {
    Result<runtime::Buffer> buffer = from.take(at);
    if (!buffer)
      return buffer.takeStatus();
    bool values = at + 1 == from.bufferCount();
    storage->put(values ? storage->bufferCount() - 1 : at, std::move(*buffer));
  }
  SmallVector<Ranks> all;
  all.push_back(std::move(ranks));
  storeRanks(std::move(all), *storage);
  return TensorValue{type, storage, nullptr};
}

Result<TensorValue> convertSorted(KernelCompiler &compiler, const TensorValue &tensor,
                                  RankedTensorType type, Route route, bool force,
                                  PackTimes &spent) {
  Result<TensorValue> rows = tensor;
  if (route.first.module)
    rows = convertDirectly(compiler, tensor, route.via, std::move(route.first), force, spent);
  if (!rows)
    return rows;
  Stopwatch watch;
  ta::FormatAttr format = ta::formatOf(type);
  Result<SortedRows> sorted = sortRows(*rows, format.getWindows()[format.sortedDims().front()]);
  if (!sorted)
    return sorted.takeStatus();
  spent.sort += watch.lap();
  Result<TensorValue> converted =
      convertDirectly(compiler, sorted->rows, route.sorted, std::move(route.second), force, spent);
  if (!converted)
    return converted;
  return withRanks(std::move(*converted), type, std::move(sorted->ranks));
}

Result<TensorValue> convertByKernels(KernelCompiler &compiler, const TensorValue &tensor,
                                     RankedTensorType type, Route route, bool force,
                                     PackTimes &spent) {
  if (route.sorted)
    return convertSorted(compiler, tensor, type, std::move(route), force, spent);
  if (!route.via)
    return convertDirectly(compiler, tensor, type, std::move(route.first), force, spent);
  Result<TensorValue> between =
      convertDirectly(compiler, tensor, route.via, std::move(route.first), force, spent);
  if (!between)
    return between;
  return convertDirectly(compiler, *between, type, std::move(route.second), force, spent);
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

} // namespace

bool convertsByKernel(RankedTensorType from, RankedTensorType to, ArrayRef<int64_t> sizes,
                      int64_t entries, bool force) {
  return routeOf({from, std::vector<int64_t>(sizes), entries}, to, force).has_value();
}

ConversionPlan planConversion(const TensorValue &tensor, RankedTensorType type, bool force) {
  Given given = givenOf(tensor);
  RankedTensorType decided = withDecidedWidths(type, given.sizes, given.entries);
  if (std::optional<Route> route = routeOf(given, decided, force)) {
    std::string how = "by one kernel";
    if (route->sorted)
      how = std::string(route->first.module ? "by two kernels" : "by one kernel") +
            ", by way of sorted rows";
    else if (route->via)
      how = "by two kernels, by way of " + ta::formatName(ta::formatOf(route->via));
    return {how, route->beside()};
  }
  return {"by way of a list of coordinates", packingNeeds(type, given.sizes, given.entries)};
}

std::string describe(const ConversionPlan &plan) {
  return plan.how + "; at most " + llvm::formatv("{0:F1}", double(plan.beside) / (1 << 20)).str() +
         " MiB beside the two tensors";
}

Result<TensorValue> convert(KernelCompiler &compiler, const TensorValue &tensor,
                            RankedTensorType type, PackTimes *times, bool force) {
  PackTimes scratch;
  PackTimes &spent = times ? *times : scratch;
  RankedTensorType decided = withDecidedWidths(type, tensor.sizes(), tensor.storedCount());
  std::optional<Route> route = routeOf(givenOf(tensor), decided, force);
  Result<TensorValue> converted =
      route ? convertByKernels(compiler, tensor, decided, std::move(*route), force, spent)
            : convertByList(compiler, tensor, type, spent, force);
  // Through a format that cannot tell stored zeros from padding they are lost: what it was packed
  // from is then another tensor.
  if (converted && !hasPadding(tensor.type))
    converted->source = tensor.source;
  return converted;
}

} // namespace strata
