// Packs lists of coordinates into storages.
#include "strata/execution/Packing.h"

#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/execution/ElementTypes.h"
#include "strata/execution/EntryCount.h"
#include "strata/execution/Estimate.h"
#include "strata/execution/EvaluateAffine.h"
#include "strata/execution/Kernel.h"
#include "strata/execution/LevelSpace.h"
#include "strata/execution/Memory.h"
#include "strata/execution/Ranks.h"
#include "strata/execution/Stopwatch.h"
#include "strata/execution/SumParts.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/Counted.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

static Result<TensorValue> packScalar(Coordinates list, RankedTensorType type) {
  if (Result<int64_t> summed = list.sumDuplicates(); !summed)
    return summed.takeStatus();
  std::vector<strata_type> types{*runtimeType(type.getElementType())};
  auto storage = std::make_shared<Storage>(std::vector<int64_t>(), types);
  if (Status status = storage->allocate(0, 1); !status.ok())
    return status;
  size_t bytes = strata_type_bytes(types[0]);
  std::memset(storage->values().data, 0, bytes);
  if (list.count() > 0)
    runtime::copyBytes(storage->values().data, list.values().data(), bytes);
  return TensorValue{type, storage, nullptr};
}

// The format of a list without repetitions that is sorted by its columns in this order. (Its
// coordinates have 32 or 64 bits, which are signed.)
static ta::FormatAttr sortedList(MLIRContext *context, const Coordinates &list,
                                 ArrayRef<int> order) {
  unsigned crd = list.coordinateType() == STRATA_I32 ? 32 : 64;
  SmallVector<unsigned> dims(order.begin(), order.end());
  ta::FormatAttr plain = ta::coordinateFormat(context, list.order(), false);
  return ta::FormatAttr::get(context, AffineMap::getPermutationMap(dims, context),
                             plain.withWidths(64, crd).getLevels(), Attribute());
}

// How a list is to be sorted before it is copied to `to`: in the order in which it comes, if the
// copy can follow it; else as the levels are.
static SmallVector<int> orderToPack(const Coordinates &list, ta::FormatAttr format,
                                    RankedTensorType to) {
  SmallVector<int> levels = llvm::to_vector(llvm::seq(list.order())), order = levels;
  if (list.order() > 4 || list.isSorted(levels) || ta::mayLackRoom(format))
    return levels;
  while (std::next_permutation(order.begin(), order.end())) {
    if (!list.isSorted(order))
      continue;
    RankedTensorType from =
        dynamicType(list.order(), to.getElementType(), sortedList(to.getContext(), list, order));
    if (planOfCopy(*copyKernel(from, to, "pack")))
      return order;
  }
  return levels;
}

// Does a storage have one position for each entry, in the order of its levels, and no others? Then
// the list's values, sorted, are the storage's.
static bool storesEntriesAlone(ta::FormatAttr format) {
  for (unsigned lvl = format.getLvlRank(); lvl-- > 0;) {
    const LevelTraits &traits = *findLevelTraits(format.getLevels()[lvl].getName());
    LevelProperties properties = ta::levelProperties(format, lvl);
    if (traits.places || traits.pads || traits.fillsGaps || traits.sharesValues)
      return false;
    if (!properties.branchless)
      return traits.appends && properties.ordered && properties.compact;
  }
  return false;
}

// Where a list is silent about another value than the format is, every place is stored. Of slots,
// and of levels over other functions of the dimensions than blocks, some places are outside the
// tensor.
static Status checkFill(ta::FormatAttr format, Attribute fill) {
  if (format.getFill() == fill || format.isFull())
    return Status();
  for (auto [lvl, expr] : llvm::enumerate(format.getDimToLvl().getResults())) {
    bool inside = isa<AffineDimExpr>(expr) || expr.getKind() == AffineExprKind::FloorDiv ||
                  ta::levelProperties(format, lvl).full;
    if (!inside || format.isSlot(lvl))
      return Error{"elements that are not listed have another value than the fill of the format " +
                       ta::formatName(format.withFill(Attribute())) +
                       ", which cannot store every element",
                   "the same fill, or a format such as CSR or Dense"};
  }
  return Status();
}

// Of a format whose levels store values for all coordinates.
static Error tooManyValues(ta::FormatAttr format, ArrayRef<LevelExtent> extents,
                           int64_t elementBytes) {
  double values = 1;
  for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl)
    if (const LevelTraits &traits = *findLevelTraits(format.getLevels()[lvl].getName());
        traits.places && !traits.computed)
      values *= double(std::max<int64_t>(extents[lvl].extent, 1));
  return {"stored as " + ta::formatName(format) + " this would be " + countInWords(values) +
              " values, " + bytesInWords(values * double(elementBytes)),
          "a format that stores only what occurs, such as DCSR or COO"};
}

Status checkPlaces(ta::FormatAttr format, ArrayRef<int64_t> sizes, int64_t entries,
                   int64_t elementBytes, ArrayRef<int64_t> slots) {
  int64_t places = 1, most = 1;
  SmallVector<LevelExtent> extents = levelExtents(format, sizes, slots);
  for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl) {
    const LevelTraits &traits = *findLevelTraits(format.getLevels()[lvl].getName());
    if (traits.computed)
      continue;
    if (!traits.places) {
      if (entries == 0)
        break;
      places = 1;
      continue;
    }
    if (__builtin_mul_overflow(places, std::max<int64_t>(extents[lvl].extent, 1), &places) ||
        places > (int64_t(1) << 40) / elementBytes)
      return tooManyValues(format, extents, elementBytes);
    most = std::max(most, places);
  }
  return checkMemory("stored as " + ta::formatName(format) + " the places alone",
                     double(most) * double(elementBytes),
                     "a format that stores only what occurs, such as DCSR or COO");
}

// Where each entry's value lies if all levels are full: mixed-radix numbers of level coordinates.
static std::vector<int64_t> placesOf(const Coordinates &list, ta::FormatAttr format,
                                     ArrayRef<LevelExtent> extents) {
  std::vector<int64_t> places(list.count(), 0);
  SmallVector<int64_t> dims(list.order());
  for (auto [lvl, expr] : llvm::enumerate(format.getDimToLvl().getResults())) {
    LevelExtent level = extents[lvl];
    auto append = [&](int64_t entry, int64_t crd) {
      places[entry] = places[entry] * level.extent + crd - level.first;
    };
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
        using T = std::remove_pointer_t<decltype(tag)>;
        const T *column = list.column(dim.getPosition()).template as<T>();
        for (int64_t entry = 0; entry < list.count(); ++entry)
          append(entry, column[entry]);
      });
      continue;
    }
    for (int64_t entry = 0; entry < list.count(); ++entry) {
      for (int at = 0; at < list.order(); ++at)
        dims[at] = list.coordinate(at, entry);
      append(entry, evaluate(expr, dims));
    }
  }
  return places;
}

// Adds entry by entry into zeros; false where a sum of integers overflows.
template <typename T>
static bool addEntries(const Coordinates &list, const std::vector<int64_t> &placeOf, T *places) {
  const T *values = list.values().as<T>();
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    int64_t place = placeOf[entry];
    if constexpr (std::is_same_v<T, bool>) {
      places[place] |= values[entry];
    } else if constexpr (std::is_integral_v<T>) {
      if (__builtin_add_overflow(places[place], values[entry], &places[place]))
        return false;
    } else {
      places[place] += values[entry];
    }
  }
  return true;
}

// All levels full: values go straight to their places, without order and without a kernel.
static Result<TensorValue> packFull(const Coordinates &list, RankedTensorType type) {
  ta::FormatAttr format = ta::formatOf(type);
  SmallVector<LevelExtent> extents = levelExtents(format, list.sizes());
  int64_t places = 1;
  for (LevelExtent level : extents)
    places *= level.extent;
  auto storage = std::make_shared<Storage>(list.sizes(), bufferTypes(type));
  if (Status status = storage->allocate(storage->bufferCount() - 1, places); !status.ok())
    return status;
  strata_type element = list.valueType();
  if (places > 0) // else there may be no block at all
    std::memset(storage->values().data, 0, size_t(places * strata_type_bytes(element)));
  bool fits = runtime::withValueType(element, [&](auto *tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    return addEntries<T>(list, placesOf(list, format, extents),
                         static_cast<T *>(storage->values().data));
  });
  if (!fits)
    return Error{"the sum of repeated entries does not fit the type " +
                 std::string(runtime::typeName(element))};
  return TensorValue{type, storage, nullptr};
}

// "(2, 0)": the coordinates of an entry in the levels above one.
static std::string coordinatesAbove(const Coordinates &levels, int column, int64_t entry) {
  SmallVector<std::string> above;
  for (int at = 0; at < column; ++at)
    above.push_back(std::to_string(levels.coordinate(at, entry)));
  return "(" + llvm::join(above, ", ") + ")";
}

static Error lacksRoom(ta::FormatAttr format, unsigned lvl, int64_t room, std::string where) {
  ta::LevelAttr level = format.getLevels()[lvl];
  const LevelTraits &traits = *findLevelTraits(level.getName());
  std::string instead = !traits.pads           ? "a level above it that is nonunique, as in COO, "
                                                 "or a format such as CSR"
                        : level.getParameter() ? "more places, or a format such as CSR"
                                               : "a slot level above it, that numbers them";
  return Error{"the format " + ta::formatName(format) + " has room for " +
                   counted(room, "coordinate") + " in level " + std::to_string(lvl + 1) + " (" +
                   level.getName().str() + ") below each coordinate above it, and below " + where +
                   " there are more",
               std::move(instead)};
}

// A level holds no more coordinates below one parent than it has room for. The list is sorted by
// the levels, unless slots see to that.
static Status checkRoom(const Coordinates &levels, ta::FormatAttr format) {
  SmallVector<unsigned> given = format.givenLevels();
  for (auto [column, lvl] : llvm::enumerate(given)) {
    std::optional<int64_t> room = ta::roomOf(format, lvl);
    if (!room)
      continue;
    int64_t held = 1;
    for (int64_t entry = 1; entry < levels.count(); ++entry) {
      bool sameParent = llvm::all_of(llvm::seq<int>(0, column), [&](int above) {
        return levels.coordinate(above, entry) == levels.coordinate(above, entry - 1);
      });
      bool same = levels.coordinate(column, entry) == levels.coordinate(column, entry - 1);
      held = sameParent ? held + !same : 1;
      if (held > *room)
        return lacksRoom(format, lvl, *room, coordinatesAbove(levels, int(column), entry));
    }
  }
  return Status();
}

int64_t packingNeeds(RankedTensorType type, ArrayRef<int64_t> sizes, int64_t entries) {
  // The coordinates of dimensions and of levels at once, the values, and 16 bytes each for sorting.
  int64_t width = strata_type_bytes(runtime::coordinateTypeFor(sizes));
  int64_t columns = type.getRank() + ta::formatOf(type).givenLevels().size();
  int64_t value = strata_type_bytes(*runtimeType(type.getElementType()));
  return entries * (columns * width + value + 16);
}

Result<TensorValue> pack(KernelCompiler &compiler, Coordinates list, RankedTensorType type,
                         PackTimes *times, bool force, Attribute fill) {
  if (ta::sumOf(type))
    return packParts(compiler, std::move(list), type, times, force, fill);
  Stopwatch watch;
  PackTimes scratch;
  PackTimes &spent = times ? *times : scratch;
  std::vector<int64_t> sizes = list.sizes();
  strata_type element = *runtimeType(type.getElementType());
  if (Status status = list.convertValues(element); !status.ok())
    return status;
  if (type.getRank() == 0)
    return packScalar(std::move(list), type);
  type = withDecidedWidths(type, sizes, list.count());
  ta::FormatAttr format = ta::formatOf(type);
  int64_t entries = list.count();
  if (Status status = checkPlaces(format, sizes, entries, strata_type_bytes(element), {});
      !status.ok())
    return status;
  if (format.isFull() && !format.getFill() && !fill) {
    Result<TensorValue> packed = packFull(list, type);
    spent.fill += watch.lap();
    return packed;
  }
  if (Status fits = checkFill(format, fill); !fits.ok())
    return fits;
  Result<SmallVector<Ranks>> ranks = rankCoordinates(list, type, force);
  if (!ranks)
    return ranks.takeStatus();
  Result<Coordinates> levels = toLevels(std::move(list), format);
  if (!levels)
    return levels.takeStatus();
  SmallVector<int64_t> slots;
  Status fits = countSlots(*levels, format, sizes, slots);
  if (fits.ok())
    fits = checkPlaces(format, sizes, entries, strata_type_bytes(element), slots);
  if (!fits.ok())
    return fits;
  unsigned rank = levels->order();
  RankedTensorType to = dynamicType(rank, type.getElementType(), format.levelSpace());
  SmallVector<int> order = llvm::to_vector(llvm::seq<int>(rank));
  if (!levels->isStrictlySorted(order)) {
    order =
        orderToPack(*levels, format, ta::withFormat(to, ta::formatOf(to).withFill(Attribute())));
    if (Result<int64_t> summed = levels->sumDuplicates(order); !summed)
      return summed.takeStatus();
  }
  fits = checkWidths(type, sizes, levels->count());
  if (fits.ok() && !force && canGrow(type, sizes, levels->count()))
    fits = checkGrowth(*levels, type);
  if (fits.ok() && ta::mayLackRoom(format))
    fits = checkRoom(*levels, format);
  if (!fits.ok())
    return fits;
  storedCoordinates(*levels, format, sizes);
  RankedTensorType from =
      dynamicType(rank, type.getElementType(),
                  sortedList(compiler.getContext(), *levels, order).withFill(fill));
  spent.sort += watch.lap();

  OwningOpRef<ModuleOp> module = copyKernel(from, to, "pack");
  func::FuncOp function = *module->getOps<func::FuncOp>().begin();
  assume(function, Assumptions::Packs);
  // Where the list is silent, a format with another fill stores what the list means.
  bool keepsValues = llvm::is_sorted(order) && storesEntriesAlone(ta::formatOf(to)) &&
                     ta::formatOf(to).getFill() == fill;
  if (keepsValues)
    setPhase(function, Phase::Pattern);
  std::vector<int64_t> extents = levelSizes(format, sizes, slots);
  preferPieces(*module, extents, levels->count());
  // Copying does little at each entry: optimizing all of it hardly makes that faster.
  constexpr double entriesOfWork = 64;
  Result<CompiledKernel> kernel =
      compiler.compile(std::move(module), double(levels->count()) / entriesOfWork);
  if (!kernel)
    return kernel.takeStatus();
  spent.compile += watch.lap();
  spent.parts += kernel->times;
  int64_t count = levels->count();
  if (Status permuted = levels->permute(order); !permuted.ok())
    return permuted;
  Result<Storage> source = std::move(*levels).intoStorage(STRATA_I64);
  if (!source)
    return source.takeStatus();
  source->setSizes(extents);
  Storage filled(extents, bufferTypes(to));
  if (Status status = compiler.run(*kernel, filled, {&*source}, extents); !status.ok())
    return status;
  if (keepsValues) {
    Result<runtime::Buffer> values = source->take(source->bufferCount() - 1);
    if (!values)
      return values.takeStatus();
    if (Status moved = filled.put(filled.bufferCount() - 1, std::move(*values)); !moved.ok())
      return moved;
  }
  auto storage = std::make_shared<Storage>(sizes, bufferTypes(type));
  if (Status status = fromLevelSpace(filled, format, slots, *storage); !status.ok())
    return status;
  if (Status stored = storeRanks(std::move(*ranks), *storage); !stored.ok())
    return stored;
  spent.fill += watch.lap();
  TensorValue packed{type, storage, nullptr};
  // Where the list is silent about another value than the format is, more is stored.
  if (ta::formatOf(to).getFill() == fill)
    if (Status whole = checkNothingLost(count, packed); !whole.ok())
      return whole;
  return packed;
}

} // namespace strata
