// Packs lists of coordinates into storages.
#include "strata/conversion/Packing.h"

#include "strata/compile/Kernel.h"
#include "strata/conversion/Conversion.h"
#include "strata/conversion/ConversionRoutes.h"
#include "strata/conversion/EntryCount.h"
#include "strata/conversion/SumConversion.h"
#include "strata/conversion/SumParts.h"
#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/estimate/Estimate.h"
#include "strata/host/Pack.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/Stopwatch.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/Quantities.h"
#include "strata/tensor/StoredFormats.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

// The format of a list without repetitions that is sorted by its columns in this order. (Its
// coordinates have 32 or 64 bits, which are signed.)
static ta::FormatAttr sortedList(MLIRContext *context, strata_type coordinates,
                                 ArrayRef<int> order) {
  unsigned crd = coordinates == STRATA_I32 ? 32 : 64;
  SmallVector<unsigned> dims(order.begin(), order.end());
  ta::FormatAttr plain = ta::coordinateFormat(context, order.size(), false);
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
    RankedTensorType from = dynamicType(list.order(), to.getElementType(),
                                        sortedList(to.getContext(), list.coordinateType(), order));
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
      return Error{Error::FillValue,
                   "elements that are not listed have another value than the fill of the format " +
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
  return {Error::MemoryLimit,
          "stored as " + ta::formatName(format) + " this would be " + countInWords(values) +
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
  return Error{Error::NoRoom,
               "the format " + ta::formatName(format) + " has room for " +
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

// The type of a tensor in level space.
static RankedTensorType inLevelSpace(RankedTensorType type) {
  ta::FormatAttr format = ta::formatOf(type);
  return dynamicType(format.givenLevels().size(), type.getElementType(), format.levelSpace());
}

PackingKernel packingKernel(RankedTensorType type, strata_type coordinates, ArrayRef<int> order,
                            Attribute fill) {
  RankedTensorType to = inLevelSpace(type);
  RankedTensorType from =
      dynamicType(order.size(), type.getElementType(),
                  sortedList(type.getContext(), coordinates, order).withFill(fill));
  PackingKernel kernel{copyKernel(from, to, "pack"), false};
  func::FuncOp function = *kernel.module->getOps<func::FuncOp>().begin();
  assume(function, Assumptions::Packs);
  // Where the list is silent, a format with another fill stores what the list means.
  kernel.keepsValues = llvm::is_sorted(order) && storesEntriesAlone(ta::formatOf(to)) &&
                       ta::formatOf(to).getFill() == fill;
  if (kernel.keepsValues)
    setPhase(function, Phase::Pattern);
  return kernel;
}

namespace {

// Makes the kernels of one call of pack, and refuses what would become absurdly large.
class KernelPacker : public host::Packer {
public:
  KernelPacker(KernelCompiler &compiler, RankedTensorType type, std::vector<int64_t> sizes,
               bool force, Attribute fill, PackTimes &spent)
      : compiler(compiler), type(type), format(ta::formatOf(type)), sizes(std::move(sizes)),
        force(force), fill(fill), spent(spent), to(inLevelSpace(type)) {}

  std::vector<int> order(const Coordinates &levels) override {
    SmallVector<int> order =
        orderToPack(levels, format, ta::withFormat(to, ta::formatOf(to).withFill(Attribute())));
    return {order.begin(), order.end()};
  }

  Status check(const Coordinates &levels, std::span<const int64_t> slots) override {
    spent.sort += watch.lap();
    ArrayRef<int64_t> counted(slots.data(), slots.size());
    strata_type element = *runtimeType(type.getElementType());
    Status fits = checkPlaces(format, sizes, levels.count(), strata_type_bytes(element), counted);
    if (fits.ok())
      fits = checkWidths(type, sizes, levels.count());
    if (fits.ok() && !force && canGrow(type, sizes, levels.count()))
      fits = checkGrowth(levels, type);
    if (fits.ok() && ta::mayLackRoom(format))
      fits = checkRoom(levels, format);
    return fits;
  }

  Result<Copy> copy(Coordinates &levels, std::span<const int> order,
                    std::span<const int64_t> extents) override {
    entries = levels.count();
    SmallVector<int> columns(order.begin(), order.end());
    spent.sort += watch.lap();
    auto [module, keepsValues] = packingKernel(type, levels.coordinateType(), columns, fill);
    preferPieces(*module, ArrayRef(extents.data(), extents.size()), *entries);
    // Copying does little at each entry: optimizing all of it hardly makes that faster.
    constexpr double entriesOfWork = 64;
    Result<CompiledKernel> kernel =
        compiler.compile(std::move(module), double(*entries) / entriesOfWork);
    if (!kernel)
      return kernel.takeStatus();
    spent.compile += watch.lap();
    spent.parts += kernel->times;
    return Copy{compiler.callable(*kernel), keepsValues};
  }

  Stopwatch watch;
  std::optional<int64_t> entries; ///< without repetitions; nothing where no kernel was needed

private:
  KernelCompiler &compiler;
  RankedTensorType type;
  ta::FormatAttr format;
  std::vector<int64_t> sizes;
  bool force;
  Attribute fill;
  PackTimes &spent;
  RankedTensorType to; ///< in level space
};

// The rows from which kernels make the storage of a long list; none where it is made from the list
// itself: of a short one, which is there before another kernel is compiled, or if the levels are
// the dimensions, so that the list needs no more than to be sorted.
std::optional<RankedTensorType> rowsBetween(const Coordinates &list, RankedTensorType type,
                                            bool force, Attribute fill) {
  constexpr int64_t entriesOfShortList = 1 << 17;
  ta::SumAttr sum = ta::sumOf(type);
  ta::FormatAttr format = sum ? sum.getParts().front() : ta::formatOf(type);
  bool isPlain = !sum && format.getDimToLvl().isPermutation() && format.getWindows().empty();
  if (list.count() < entriesOfShortList || list.order() < 2 || isPlain || fill != format.getFill())
    return std::nullopt;
  Given given{type, list.sizes(), list.count()};
  given.type = rowsFor(ta::withFormat(type, format), given);
  RankedTensorType decided = withDecidedWidths(type, given.sizes, given.entries);
  bool converts = !canGrow(given.type, given.sizes, given.entries) &&
                  (routeOf(given, decided, force) || rowsOfSum(given, decided));
  return converts ? std::optional(given.type) : std::nullopt;
}

} // namespace

Result<TensorValue> pack(KernelCompiler &compiler, Coordinates list, RankedTensorType type,
                         PackTimes *times, bool force, Attribute fill) {
  PackTimes scratch;
  PackTimes &spent = times ? *times : scratch;
  if (std::optional<RankedTensorType> between = rowsBetween(list, type, force, fill)) {
    Result<TensorValue> rows = pack(compiler, std::move(list), *between, &spent, force, fill);
    return rows ? convert(compiler, *rows, type, &spent, force) : std::move(rows);
  }
  if (ta::sumOf(type))
    return packParts(compiler, std::move(list), type, times, force, fill);
  std::vector<int64_t> sizes = list.sizes();
  type = withDecidedWidths(type, sizes, list.count());
  ta::FormatAttr format = ta::formatOf(type);
  strata_type element = *runtimeType(type.getElementType());
  Status fits = checkPlaces(format, sizes, list.count(), strata_type_bytes(element), {});
  if (fits.ok())
    fits = checkFill(format, fill);
  if (fits.ok() && !force && !format.getWindows().empty())
    fits = checkRanks(list, type);
  if (!fits.ok())
    return fits;
  KernelPacker packer(compiler, type, sizes, force, fill, spent);
  Result<Storage> storage = host::pack(std::move(list), storedFormatOf(type), !fill, packer);
  if (!storage)
    return storage.takeStatus();
  spent.fill += packer.watch.lap();
  TensorValue packed{type, std::make_shared<Storage>(std::move(*storage)), nullptr};
  // Where the list is silent about another value than the format is, more is stored.
  if (packer.entries && format.getFill() == fill)
    if (Status whole = checkNothingLost(*packer.entries, packed); !whole.ok())
      return whole;
  return packed;
}

} // namespace strata
