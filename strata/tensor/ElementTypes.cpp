// Element types, widths and extents at run time.
#include "strata/tensor/ElementTypes.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/LevelRoom.h"
#include "strata/lower/entry/StorageLayout.h"

using namespace mlir;

namespace strata {

std::optional<strata_type> runtimeType(Type type) {
  for (int one = STRATA_I8; one <= STRATA_C64; ++one)
    if (compilerType(type.getContext(), strata_type(one)) == type)
      return strata_type(one);
  return std::nullopt;
}

Type compilerType(MLIRContext *context, strata_type type) {
  Builder b(context);
  switch (type) {
  case STRATA_BOOL:
    return b.getI1Type();
  case STRATA_I8:
    return b.getI8Type();
  case STRATA_I16:
    return b.getI16Type();
  case STRATA_I32:
    return b.getI32Type();
  case STRATA_I64:
    return b.getI64Type();
  case STRATA_U8:
    return b.getIntegerType(8, /*isSigned=*/false);
  case STRATA_U16:
    return b.getIntegerType(16, /*isSigned=*/false);
  case STRATA_U32:
    return b.getIntegerType(32, /*isSigned=*/false);
  case STRATA_U64:
    return b.getIntegerType(64, /*isSigned=*/false);
  case STRATA_F16:
    return b.getF16Type();
  case STRATA_BF16:
    return b.getBF16Type();
  case STRATA_F32:
    return b.getF32Type();
  case STRATA_F64:
    return b.getF64Type();
  case STRATA_C64:
    return ComplexType::get(b.getF32Type());
  case STRATA_C128:
    break;
  }
  return ComplexType::get(b.getF64Type());
}

StringRef elementTypeWord(Type type) {
  switch (*runtimeType(type)) {
  case STRATA_BOOL:
    return "bool";
  case STRATA_I8:
    return "int8";
  case STRATA_I16:
    return "int16";
  case STRATA_I32:
    return "int32";
  case STRATA_I64:
    return "int64";
  case STRATA_U8:
    return "uint8";
  case STRATA_U16:
    return "uint16";
  case STRATA_U32:
    return "uint32";
  case STRATA_U64:
    return "uint64";
  case STRATA_F16:
    return "float16";
  case STRATA_BF16:
    return "bfloat16";
  case STRATA_F32:
    return "float";
  case STRATA_F64:
    return "double";
  case STRATA_C64:
    return "complex64";
  case STRATA_C128:
    break;
  }
  return "complex";
}

RankedTensorType dynamicType(unsigned rank, Type element, ta::FormatAttr format) {
  return RankedTensorType::get(SmallVector<int64_t>(rank, ShapedType::kDynamic), element, format);
}

namespace {
// Saturates, so that a tensor of absurd size gets 64-bit widths and no undefined arithmetic.
struct CheckedMath {
  int64_t constant(int64_t value) const { return value; }
  int64_t add(int64_t x, int64_t y) const {
    int64_t sum;
    return __builtin_add_overflow(x, y, &sum) ? INT64_MAX : sum;
  }
  int64_t sub(int64_t x, int64_t y) const { return x - y; }
  int64_t mul(int64_t x, int64_t y) const {
    int64_t product;
    return __builtin_mul_overflow(x, y, &product) ? INT64_MAX : product;
  }
  int64_t ceilDiv(int64_t x, int64_t y) const { return x / y + (x % y != 0); }
};
} // namespace

LevelExtent extentOf(AffineExpr expr, ArrayRef<int64_t> sizes) {
  ta::Extent<int64_t> extent = ta::extentOf<int64_t>(expr, sizes, CheckedMath());
  return {extent.first, std::max<int64_t>(extent.extent, 0)};
}

SmallVector<LevelExtent> levelExtents(ta::FormatAttr format, ArrayRef<int64_t> sizes,
                                      ArrayRef<int64_t> slots) {
  SmallVector<LevelExtent> result;
  for (auto [lvl, expr] : llvm::enumerate(format.getDimToLvl().getResults())) {
    if (format.isSlot(lvl)) {
      result.push_back({0, slots.empty() ? 1 : slots.front()});
      slots = slots.drop_front(!slots.empty());
      continue;
    }
    result.push_back(extentOf(expr, sizes));
  }
  return result;
}

std::vector<int64_t> levelSizes(ta::FormatAttr format, ArrayRef<int64_t> sizes,
                                ArrayRef<int64_t> slots) {
  SmallVector<LevelExtent> extents = levelExtents(format, sizes, slots);
  std::vector<int64_t> result;
  for (unsigned lvl : format.givenLevels())
    result.push_back(extents[lvl].extent);
  return result;
}

// Are there no gaps between the coordinates below each parent? Slots hold an entry each; and of the
// rows that are sorted by how many slots they fill, those that fill one are the first.
static bool hasNoGaps(ta::FormatAttr format, unsigned lvl) {
  if (format.isSlot(lvl))
    return true;
  AffineMap map = format.getDimToLvl();
  auto row = dyn_cast<AffineDimExpr>(map.getResult(lvl));
  ArrayRef<int64_t> windows = format.getWindows();
  if (lvl == 0 || !format.isSlot(lvl - 1) || !row || windows.empty())
    return false;
  SmallVector<AffineExpr> counted = ta::countedBy(map.getResult(lvl - 1));
  return counted.size() == 1 && counted.front() == row &&
         windows[row.getPosition()] == ta::FormatAttr::whole;
}

// How many tuples of coordinates there can be that begin at a level which repeats its own.
static int64_t tuplesBelow(ta::FormatAttr format, ArrayRef<LevelExtent> extents, unsigned lvl,
                           int64_t parents) {
  unsigned end = ta::endOfTuple(format, lvl);
  if (!ta::levelProperties(format, end).unique)
    return INT64_MAX;
  int64_t tuples = parents;
  for (unsigned at = lvl; at <= end; ++at)
    if (!findLevelTraits(format.getLevels()[at].getName())->computed)
      tuples = CheckedMath().mul(tuples, extents[at].extent);
  return tuples;
}

SmallVector<int64_t> mostPositions(ta::FormatAttr format, ArrayRef<LevelExtent> extents,
                                   int64_t entries, std::optional<KnownPositions> known) {
  SmallVector<int64_t> most;
  int64_t parents = 1;
  for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl) {
    const LevelTraits &traits = *findLevelTraits(format.getLevels()[lvl].getName());
    LevelProperties properties = ta::levelProperties(format, lvl);
    // Nobody knows how many slots there will be, but that each holds an entry.
    int64_t extent = format.isSlot(lvl) ? entries : extents[lvl].extent;
    int64_t places = CheckedMath().mul(parents, extent);
    bool perEntry = (traits.appends || traits.inserts) && !traits.places;
    if (perEntry && (!traits.fillsGaps || hasNoGaps(format, lvl)))
      places = std::min(entries,
                        properties.unique ? places : tuplesBelow(format, extents, lvl, parents));
    else if (traits.pads && !properties.branchless)
      places = CheckedMath().mul(parents, format.getLevels()[lvl].getParameter());
    if (known && known->level == lvl)
      places = known->count;
    if (!properties.branchless)
      parents = places;
    most.push_back(parents);
  }
  return most;
}

static bool holdsCoordinates(ta::FormatAttr format, unsigned lvl, LevelExtent level,
                             unsigned width) {
  if (level.extent == 0 || width == 64)
    return true;
  int64_t first = level.first, last = level.first + level.extent - 1;
  // The least number marks pads.
  if (findLevelTraits(format.getLevels()[lvl].getName())->pads)
    --first;
  if (format.hasSignedCoordinates(lvl) || width == 32)
    return llvm::isIntN(width, first) && llvm::isIntN(width, last);
  return first >= 0 && llvm::isUIntN(width, last);
}

static bool holdsPositions(unsigned width, int64_t count) {
  return width == 64 || llvm::isUIntN(width, count);
}

static unsigned narrowest(llvm::function_ref<bool(unsigned)> holds) {
  for (unsigned width : {8, 16, 32})
    if (holds(width))
      return width;
  return 64;
}

RankedTensorType withDecidedWidths(RankedTensorType type, ArrayRef<int64_t> sizes,
                                   std::optional<int64_t> entries) {
  ta::FormatAttr format = ta::formatOf(type);
  if (!type.getEncoding() || ta::sumOf(type)) // (each part decides for itself)
    return type;
  SmallVector<LevelExtent> extents = levelExtents(format, sizes);
  SmallVector<int64_t> most = mostPositions(format, extents, entries.value_or(INT64_MAX));
  SmallVector<ta::LevelAttr> levels;
  // What lies in one buffer has the width that all of it needs.
  SmallVector<unsigned> widths(format.getLvlRank());
  for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl) {
    unsigned &shared = widths[format.interleaving(lvl).leader];
    shared = std::max(shared, narrowest([&](unsigned width) {
                        return holdsCoordinates(format, lvl, extents[lvl], width);
                      }));
  }
  for (auto [lvl, level] : llvm::enumerate(format.getLevels())) {
    unsigned crd = widths[format.interleaving(lvl).leader];
    // What finds entries by their coordinates stores the parent of each, too.
    const LevelTraits &traits = *findLevelTraits(level.getName());
    bool storesParents = lvl > 0 && traits.inserts && !traits.places;
    int64_t greatest = storesParents ? std::max(most[lvl], most[lvl - 1]) : most[lvl];
    unsigned pos =
        narrowest([&](unsigned width) { return entries && holdsPositions(width, greatest); });
    levels.push_back(level.withOpenWidths(pos, crd));
  }
  return ta::withFormat(type, format.withLevels(levels));
}

// Is there one entry for each position of a level?
static bool isLastToBranch(ta::FormatAttr format, unsigned lvl) {
  for (unsigned below = lvl + 1; below < format.getLvlRank(); ++below)
    if (!ta::levelProperties(format, below).branchless)
      return false;
  return true;
}

namespace {
// Tells whether a number did not fit.
struct StrictMath : CheckedMath {
  int64_t add(int64_t x, int64_t y) {
    fits &= !__builtin_add_overflow(x, y, &x);
    return x;
  }
  int64_t sub(int64_t x, int64_t y) {
    fits &= !__builtin_sub_overflow(x, y, &x);
    return x;
  }
  int64_t mul(int64_t x, int64_t y) {
    fits &= !__builtin_mul_overflow(x, y, &x);
    return x;
  }
  bool fits = true;
};
} // namespace

// Tells whether the coordinates of a level fit the widest integers: constants of its map may be of
// any size.
static bool hasCoordinates(AffineExpr expr, ArrayRef<int64_t> sizes) {
  StrictMath math;
  ta::Extent<int64_t> level = ta::extentOf<int64_t>(expr, sizes, math);
  math.add(level.first, level.extent);
  return math.fits;
}

runtime::Status checkWidths(RankedTensorType type, ArrayRef<int64_t> sizes,
                            std::optional<int64_t> entries) {
  ta::FormatAttr format = ta::formatOf(type);
  SmallVector<LevelExtent> extents = levelExtents(format, sizes);
  for (auto [lvl, expr] : llvm::enumerate(format.getDimToLvl().getResults()))
    if (!format.isSlot(lvl) && !hasCoordinates(expr, sizes))
      return runtime::Error{runtime::Error::IndexWidth,
                            "the coordinates of level " + std::to_string(lvl + 1) +
                                " do not fit 64 bits",
                            "smaller constants in the format's map"};
  SmallVector<int64_t> most = mostPositions(format, extents, entries.value_or(INT64_MAX));
  for (auto [lvl, level] : llvm::enumerate(format.getLevels())) {
    unsigned pos = level.getPosWidth(), crd = level.getCrdWidth();
    if (crd && !holdsCoordinates(format, lvl, extents[lvl], crd))
      return runtime::Error{runtime::Error::IndexWidth,
                            "coordinates from " + std::to_string(extents[lvl].first) + " to " +
                                std::to_string(extents[lvl].first + extents[lvl].extent - 1) +
                                " do not fit the " + std::to_string(crd) +
                                " bits that the format has for them",
                            "a wider crd, or none: it is then chosen"};
    int64_t positions = std::min(entries.value_or(0), most[lvl]);
    if (pos && isLastToBranch(format, lvl) && !holdsPositions(pos, positions))
      return runtime::Error{runtime::Error::IndexWidth,
                            "positions up to " + std::to_string(positions) + " do not fit the " +
                                std::to_string(pos) + " bits that the format has for them",
                            "a wider pos, or none: it is then chosen"};
  }
  return runtime::Status();
}

static strata_type integerType(unsigned width) {
  return width == 8 ? STRATA_I8 : width == 16 ? STRATA_I16 : width == 32 ? STRATA_I32 : STRATA_I64;
}

std::vector<strata_type> bufferTypes(RankedTensorType type) {
  ta::FormatAttr format = ta::formatOf(type);
  std::vector<strata_type> types;
  for (auto [lvl, level] : llvm::enumerate(format.getLevels()))
    for (const BufferSpec &spec : levelBuffers(format, lvl))
      switch (spec.kind) {
      case BufferKind::Position:
        types.push_back(integerType(level.getPosWidth()));
        break;
      case BufferKind::Coordinate:
        types.push_back(integerType(level.getCrdWidth()));
        break;
      case BufferKind::Word:
        types.push_back(STRATA_I64);
        break;
      case BufferKind::Byte:
        types.push_back(STRATA_I8);
        break;
      }
  types.insert(types.end(), 2 * format.sortedDims().size(), STRATA_I64); // (orders and ranks)
  types.push_back(*runtimeType(type.getElementType()));
  return types;
}

} // namespace strata
