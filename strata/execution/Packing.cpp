// Packs, unpacks and converts by generated kernels.
#include "strata/execution/Packing.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/execution/ElementTypes.h"
#include "strata/execution/Estimate.h"
#include "strata/execution/Kernel.h"
#include "strata/execution/Stopwatch.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/StorageLayout.h"
#include "strata/lower/IndexStatement.h"

#include <tbb/parallel_for.h>

using namespace mlir;
using strata::runtime::Buffer;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

//===------------------------------------------------------------------------------------------===//
// Coordinates of levels
//===------------------------------------------------------------------------------------------===//

static int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t a = evaluate(binary.getLHS(), dims), b = evaluate(binary.getRHS(), dims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return a + b;
  case AffineExprKind::Mul:
    return a * b;
  case AffineExprKind::Mod:
    return ((a % b) + b) % b;
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(a, b);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(a, b);
  case AffineExprKind::Constant:
  case AffineExprKind::DimId:
  case AffineExprKind::SymbolId:
    break;
  }
  llvm_unreachable("formats have no other expressions");
}

static std::vector<int64_t> levelSizes(ta::FormatAttr format, ArrayRef<int64_t> sizes,
                                       ArrayRef<int64_t> slots) {
  SmallVector<LevelExtent> extents = levelExtents(format, sizes, slots);
  std::vector<int64_t> result;
  for (unsigned lvl : format.givenLevels())
    result.push_back(extents[lvl].extent);
  return result;
}

// Evaluates an expression for a block of entries at once. `column` gives a dimension's coordinates
// from entry `begin` on.
class BlockEvaluator {
public:
  static constexpr int64_t size = 1024;
  using Block = std::vector<int64_t>;

  explicit BlockEvaluator(llvm::function_ref<void(unsigned dim, int64_t begin, Block &)> column)
      : column(column) {}

  void evaluate(AffineExpr expr, int64_t begin, Block &out) const {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return column(dim.getPosition(), begin, out);
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      llvm::fill(out, constant.getValue());
      return;
    }
    auto binary = cast<AffineBinaryOpExpr>(expr);
    evaluate(binary.getLHS(), begin, out);
    if (auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS())) {
      int64_t k = factor.getValue();
      apply(expr.getKind(), out, [k](size_t) { return k; });
      return;
    }
    Block right(out.size());
    evaluate(binary.getRHS(), begin, right);
    apply(expr.getKind(), out, [&](size_t at) { return right[at]; });
  }

private:
  template <typename Right> static void apply(AffineExprKind kind, Block &left, Right right) {
    auto each = [&](auto operation) {
      for (size_t at = 0; at < left.size(); ++at)
        left[at] = operation(left[at], right(at));
    };
    if (kind == AffineExprKind::Add)
      each([](int64_t a, int64_t b) { return a + b; });
    else if (kind == AffineExprKind::Mul)
      each([](int64_t a, int64_t b) { return a * b; });
    else if (kind == AffineExprKind::Mod)
      each([](int64_t a, int64_t b) { return ((a % b) + b) % b; });
    else
      each([](int64_t a, int64_t b) { return llvm::divideFloorSigned(a, b); });
  }

  llvm::function_ref<void(unsigned, int64_t, Block &)> column;
};

// The column of a level whose coordinate is no single dimension, counted from `first`: lists hold
// no negative coordinates.
static Result<Buffer> levelColumn(const Coordinates &list, AffineExpr expr, int64_t first,
                                  strata_type width) {
  Result<Buffer> column = Buffer::allocate(width, list.count());
  if (!column)
    return column.takeStatus();
  auto read = [&](unsigned dim, int64_t begin, BlockEvaluator::Block &out) {
    runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
      const auto *from = list.column(dim).template as<std::remove_pointer_t<decltype(tag)>>();
      std::copy_n(from + begin, out.size(), out.begin());
    });
  };
  int64_t blocks = llvm::divideCeil(list.count(), BlockEvaluator::size);
  runtime::withCoordinateType(width, [&](auto *tag) {
    using Coordinate = std::remove_pointer_t<decltype(tag)>;
    auto *out = column->template as<Coordinate>();
    tbb::parallel_for(int64_t(0), blocks, [&](int64_t block) {
      int64_t begin = block * BlockEvaluator::size;
      BlockEvaluator::Block values(std::min(BlockEvaluator::size, list.count() - begin));
      BlockEvaluator(read).evaluate(expr, begin, values);
      for (auto [at, value] : llvm::enumerate(values))
        out[begin + int64_t(at)] = Coordinate(value - first);
    });
  });
  return column;
}

// From coordinates of dimensions to coordinates of the given levels.
static Result<Coordinates> toLevels(Coordinates list, ta::FormatAttr format) {
  AffineMap map = format.getDimToLvl();
  if (map.isPermutation()) {
    SmallVector<int> source;
    for (AffineExpr expr : map.getResults())
      source.push_back(cast<AffineDimExpr>(expr).getPosition());
    list.permute(source);
    return list;
  }
  // Until they are counted, there may be as many slots as entries; all entries are in the first.
  SmallVector<int64_t> most(map.getNumResults(), list.count() + 1);
  std::vector<int64_t> sizes = levelSizes(format, list.sizes(), most);
  SmallVector<LevelExtent> extents = levelExtents(format, list.sizes());
  strata_type width = runtime::coordinateTypeFor(sizes);
  std::vector<Buffer> columns;
  for (unsigned lvl : format.givenLevels()) {
    AffineExpr expr =
        format.isSlot(lvl) ? getAffineConstantExpr(0, map.getContext()) : map.getResult(lvl);
    Result<Buffer> column = levelColumn(list, expr, extents[lvl].first, width);
    if (!column)
      return column.takeStatus();
    columns.push_back(std::move(*column));
  }
  return Coordinates::assemble(std::move(sizes), std::move(columns), std::move(list.values()));
}

// Numbers what the slot at column `at` numbers: the values of column `numbered`, below equal values
// of the columns before it. Returns how many slots there are.
static Result<int64_t> numberSlots(Coordinates &levels, int at, int numbered) {
  std::vector<int> order;
  for (int column = 0; column < levels.order(); ++column)
    if (column != at)
      order.push_back(column);
  order.push_back(at);
  if (Status status = levels.sort(order); !status.ok())
    return status;
  int64_t slots = 0;
  runtime::withCoordinateType(levels.coordinateType(), [&](auto *tag) {
    using Coordinate = std::remove_pointer_t<decltype(tag)>;
    std::vector<const Coordinate *> group;
    for (int column = 0; column < numbered; ++column)
      if (column != at)
        group.push_back(levels.column(column).template as<Coordinate>());
    const auto *values = levels.column(numbered).template as<Coordinate>();
    auto *slot = levels.column(at).template as<Coordinate>();
    for (int64_t entry = 0; entry < levels.count(); ++entry) {
      bool first = entry == 0 || llvm::any_of(group, [&](const Coordinate *column) {
                     return column[entry] != column[entry - 1];
                   });
      slot[entry] = first ? 0 : slot[entry - 1] + (values[entry] != values[entry - 1]);
      slots = std::max<int64_t>(slots, slot[entry] + 1);
    }
  });
  return slots;
}

// Numbers all slots of the format, from the root down, and gives the levels their sizes.
static Status countSlots(Coordinates &levels, ta::FormatAttr format, ArrayRef<int64_t> sizes,
                         SmallVectorImpl<int64_t> &slots) {
  SmallVector<unsigned> given = format.givenLevels();
  auto columnOf = [&](unsigned lvl) { return int(llvm::find(given, lvl) - given.begin()); };
  for (unsigned lvl : given) {
    if (!format.isSlot(lvl))
      continue;
    int numbered = ta::numberedLevel(format.getDimToLvl(), lvl);
    Result<int64_t> count = numberSlots(levels, columnOf(lvl), columnOf(numbered));
    if (!count)
      return count.takeStatus();
    slots.push_back(*count);
  }
  if (slots.empty())
    return Status();
  std::vector<Buffer> columns;
  for (int column = 0; column < levels.order(); ++column)
    columns.push_back(std::move(levels.column(column)));
  Result<Coordinates> sized = Coordinates::assemble(levelSizes(format, sizes, slots),
                                                    std::move(columns), std::move(levels.values()));
  if (!sized)
    return sized.takeStatus();
  levels = std::move(*sized);
  return Status();
}

// What is stored of a level are its coordinates, unless it has places, counted from the first.
static bool storesCoordinates(ta::FormatAttr format, unsigned lvl) {
  return !findLevelTraits(format.getLevels()[lvl].getName())->places;
}

// From counting from `first` to the coordinates themselves where they are stored, once the list is
// sorted.
static void countFromZero(Coordinates &levels, ta::FormatAttr format, ArrayRef<int64_t> sizes) {
  SmallVector<LevelExtent> extents = levelExtents(format, sizes);
  for (auto [at, lvl] : llvm::enumerate(format.givenLevels())) {
    int64_t first = extents[lvl].first;
    if (first == 0 || !storesCoordinates(format, lvl))
      continue;
    runtime::withCoordinateType(levels.coordinateType(), [&](auto *tag) {
      auto *column = levels.column(at).template as<std::remove_pointer_t<decltype(tag)>>();
      for (int64_t entry = 0; entry < levels.count(); ++entry)
        column[entry] += first;
    });
  }
}

//===------------------------------------------------------------------------------------------===//
// Packing
//===------------------------------------------------------------------------------------------===//

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
    std::memcpy(storage->values().data, list.values().data(), bytes);
  return TensorValue{type, storage, nullptr};
}

// A tensor type of dynamic sizes.
static RankedTensorType dynamicType(unsigned rank, Type element, ta::FormatAttr format) {
  return RankedTensorType::get(SmallVector<int64_t>(rank, ShapedType::kDynamic), element, format);
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

// Is there an order of loops for this copy that follows both formats, without a workspace?
static bool canBeFollowed(ModuleOp module) {
  bool possible = true;
  module->walk([&](ta::ComputeOp op) {
    std::string why;
    llvm::SmallPtrSet<Operation *, 1> none;
    std::optional<LoopPlan> plan = chooseLoopOrder(IndexStatement(op), none, why);
    possible &= plan && plan->assembly != Assembly::Gathered;
  });
  return possible;
}

// How a list is to be sorted before it is copied to `to`: in the order in which it comes, if the
// copy can follow it; else as the levels are.
static SmallVector<int> orderToPack(const Coordinates &list, RankedTensorType to) {
  SmallVector<int> levels = llvm::to_vector(llvm::seq(list.order())), order = levels;
  if (list.order() > 4 || list.isSorted(levels))
    return levels;
  while (std::next_permutation(order.begin(), order.end())) {
    if (!list.isSorted(order))
      continue;
    RankedTensorType from = dynamicType(list.order(), to.getElementType(),
                                        sortedList(to.getContext(), list, order));
    if (canBeFollowed(*copyKernel(from, to, "pack")))
      return order;
  }
  return levels;
}

Status checkPlaces(ta::FormatAttr format, ArrayRef<int64_t> sizes, int64_t entries,
                   int64_t elementBytes, ArrayRef<int64_t> slots) {
  int64_t places = 1;
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
      return Error{"the format " + ta::formatName(format) +
                       " would need a place for each of more than 2^40 / " +
                       std::to_string(elementBytes) + " coordinates",
                   "a format that stores only what occurs, such as DCSR or COO"};
  }
  return Status();
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
    if constexpr (std::is_integral_v<T>) {
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

// A level with one place below each parent holds one coordinate there.
static Status checkSinglePlaces(const Coordinates &levels, ta::FormatAttr format) {
  SmallVector<unsigned> given = format.givenLevels();
  for (auto [column, lvl] : llvm::enumerate(given)) {
    const LevelTraits &traits = *findLevelTraits(format.getLevels()[lvl].getName());
    if (!traits.pads || !traits.defaults.branchless)
      continue;
    for (int64_t entry = 1; entry < levels.count(); ++entry) {
      bool sameParent = llvm::all_of(llvm::seq<int>(0, column), [&](int above) {
        return levels.coordinate(above, entry) == levels.coordinate(above, entry - 1);
      });
      if (sameParent && levels.coordinate(column, entry) != levels.coordinate(column, entry - 1))
        return Error{"level " + std::to_string(lvl) + " (" + traits.name.str() +
                         ") of the format " + ta::formatName(format) +
                         " has one place below each place above it, and some have two entries",
                     "a slot level above it, that numbers them"};
    }
  }
  return Status();
}

// Calls `body(to, from)` for each buffer of a storage and the one that it is in level space, with
// `from` -1 for the numbers of slots, which level space has among its sizes.
static Status forBuffers(ta::FormatAttr format, llvm::function_ref<Status(int, int)> body) {
  int to = 0, from = 0;
  for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl) {
    size_t own = findLevelFormat(format.getLevels()[lvl].getName())->buffers().size();
    for (size_t at = 0; at < own; ++at)
      if (Status status = body(to++, from++); !status.ok())
        return status;
    if (format.isSlot(lvl))
      if (Status status = body(to++, -1); !status.ok())
        return status;
  }
  return body(to, from);
}

static Status fromLevelSpace(Storage &filled, ta::FormatAttr format, ArrayRef<int64_t> slots,
                             Storage &result) {
  return forBuffers(format, [&](int to, int from) -> Status {
    if (from >= 0) {
      Result<Buffer> buffer = filled.take(from);
      if (!buffer)
        return buffer.takeStatus();
      result.put(to, std::move(*buffer));
      return Status();
    }
    if (Status status = result.allocate(to, 1); !status.ok())
      return status;
    *static_cast<int64_t *>(result.buffer(to).data) = slots.front();
    slots = slots.drop_front();
    return Status();
  });
}

Result<TensorValue> pack(KernelCompiler &compiler, Coordinates list, RankedTensorType type,
                         PackTimes *times, bool force) {
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
  if (format.isFull() && !format.getFill()) {
    Result<TensorValue> packed = packFull(list, type);
    spent.fill += watch.lap();
    return packed;
  }
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
  SmallVector<int> order = orderToPack(*levels, to);
  if (Result<int64_t> summed = levels->sumDuplicates(order); !summed)
    return summed.takeStatus();
  fits = checkWidths(type, sizes, levels->count());
  if (fits.ok() && !force)
    fits = checkGrowth(*levels, format);
  if (fits.ok())
    fits = checkSinglePlaces(*levels, format);
  if (!fits.ok())
    return fits;
  countFromZero(*levels, format, sizes);
  RankedTensorType from = dynamicType(rank, type.getElementType(),
                                      sortedList(compiler.getContext(), *levels, order));
  spent.sort += watch.lap();

  OwningOpRef<ModuleOp> module = copyKernel(from, to, "pack");
  for (auto function : module->getOps<func::FuncOp>())
    function->setAttr("strata.packs", UnitAttr::get(compiler.getContext()));
  Result<CompiledKernel> kernel = compiler.compile(std::move(module));
  if (!kernel)
    return kernel.takeStatus();
  spent.compile += watch.lap();
  spent.parts += kernel->times;
  std::vector<int64_t> extents = levelSizes(format, sizes, slots);
  levels->permute(order);
  Result<Storage> source = std::move(*levels).intoStorage(STRATA_I64);
  if (!source)
    return source.takeStatus();
  source->setSizes(extents);
  Storage filled(extents, bufferTypes(to));
  if (Status status = compiler.run(*kernel, filled, {&*source}, extents); !status.ok())
    return status;
  auto storage = std::make_shared<Storage>(sizes, bufferTypes(type));
  if (Status status = fromLevelSpace(filled, format, slots, *storage); !status.ok())
    return status;
  spent.fill += watch.lap();
  return TensorValue{type, storage, nullptr};
}

//===------------------------------------------------------------------------------------------===//
// Unpacking
//===------------------------------------------------------------------------------------------===//

// A level that has places for coordinates is padded unless entries are stored below it.
bool hasPadding(ta::FormatAttr format) {
  for (unsigned lvl = format.getLvlRank(); lvl-- > 0;) {
    const LevelTraits &traits = *findLevelTraits(format.getLevels()[lvl].getName());
    if (!traits.computed)
      return !traits.keepsCoordinates();
  }
  return false;
}

static bool isFill(const void *value, const void *fill, size_t bytes) {
  return std::memcmp(value, fill, bytes) == 0;
}

// The fill as bytes of an element; padding is written by kernels as exactly this.
static std::vector<char> fillBytes(RankedTensorType type) {
  TypedAttr fill = ta::fillOf(type);
  strata_type element = *runtimeType(type.getElementType());
  std::vector<char> bytes(strata_type_bytes(element), 0);
  if (auto real = dyn_cast<FloatAttr>(Attribute(fill))) {
    llvm::APInt bits = real.getValue().bitcastToAPInt();
    std::memcpy(bytes.data(), bits.getRawData(), bytes.size());
  } else if (auto integer = dyn_cast<IntegerAttr>(Attribute(fill))) {
    int64_t value = integer.getInt();
    std::memcpy(bytes.data(), &value, bytes.size());
  }
  return bytes;
}

static Status dropFills(Coordinates &list, RankedTensorType type) {
  std::vector<char> fill = fillBytes(type);
  size_t bytes = fill.size();
  char *values = static_cast<char *>(list.values().data());
  int64_t kept = 0;
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    if (isFill(values + entry * bytes, fill.data(), bytes))
      continue;
    std::memmove(values + kept * bytes, values + entry * bytes, bytes);
    for (int dim = 0; dim < list.order(); ++dim)
      runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
        auto *column = list.column(dim).template as<std::remove_pointer_t<decltype(tag)>>();
        column[kept] = column[entry];
      });
    ++kept;
  }
  return list.resize(kept);
}

// All levels full: the values lie in the order of the levels' coordinates.
static Result<Coordinates> unpackFull(const TensorValue &tensor) {
  ta::FormatAttr format = tensor.format();
  ta::FormatMap map(format.getDimToLvl());
  SmallVector<LevelExtent> extents = levelExtents(format, tensor.sizes());
  strata_type element = *runtimeType(tensor.type.getElementType());
  std::vector<char> fill = fillBytes(tensor.type);
  size_t bytes = fill.size();
  const char *values = static_cast<const char *>(tensor.storage->values().data);
  int64_t places = tensor.storage->values().count, stored = 0;
  for (int64_t place = 0; place < places; ++place)
    stored += !isFill(values + place * bytes, fill.data(), bytes);
  Result<Coordinates> list = Coordinates::create(tensor.sizes(), element, stored);
  if (!list)
    return list;
  SmallVector<int64_t> level(extents.size());
  int64_t entry = 0;
  for (int64_t place = 0; place < places; ++place) {
    if (isFill(values + place * bytes, fill.data(), bytes))
      continue;
    int64_t rest = place;
    for (int at = int(extents.size()) - 1; at >= 0; --at) {
      level[at] = rest % extents[at].extent + extents[at].first;
      rest /= extents[at].extent;
    }
    for (int dim = 0; dim < list->order(); ++dim)
      runtime::withCoordinateType(list->coordinateType(), [&](auto *tag) {
        list->column(dim).template as<std::remove_pointer_t<decltype(tag)>>()[entry] =
            evaluate(map.inverse[dim], level);
      });
    std::memcpy(static_cast<char *>(list->values().data()) + entry * bytes, values + place * bytes,
                bytes);
    ++entry;
  }
  if (Status status = list->sort(); !status.ok())
    return status;
  return list;
}

// A list whose entries may come in any order.
static ta::FormatAttr unorderedList(MLIRContext *context, unsigned rank) {
  return ta::listFormat(context, llvm::to_vector(llvm::seq(rank))).withWidths(64, 64);
}

// The storage as one of the tensor whose dimensions are the format's given levels.
static Storage inLevelSpace(const TensorValue &tensor, ArrayRef<int64_t> sizes) {
  Storage &storage = *tensor.storage;
  RankedTensorType type =
      dynamicType(sizes.size(), tensor.type.getElementType(), tensor.format().levelSpace());
  Storage view(std::vector<int64_t>(sizes), bufferTypes(type));
  (void)forBuffers(tensor.format(), [&](int to, int from) -> Status {
    const strata_buffer &buffer = storage.buffer(to);
    if (from >= 0)
      view.adopt(from, buffer.data, buffer.count, strata_type(buffer.type));
    return Status();
  });
  return view;
}

// How many slots the storage has, for each level that is a slot.
static SmallVector<int64_t> slotsOf(const TensorValue &tensor) {
  SmallVector<int64_t> slots;
  (void)forBuffers(tensor.format(), [&](int to, int from) -> Status {
    if (from < 0)
      slots.push_back(*static_cast<const int64_t *>(tensor.storage->buffer(to).data));
    return Status();
  });
  return slots;
}

// From coordinates of the given levels, `levels`, to those of dimensions; what lies outside the
// tensor (the rest of a block at its edge) is dropped.
static Result<Coordinates> fromLevels(Coordinates levels, ta::FormatAttr format,
                                      const std::vector<int64_t> &sizes) {
  SmallVector<LevelExtent> extents = levelExtents(format, sizes);
  ta::FormatMap map(format.getDimToLvl());
  SmallVector<unsigned> given = format.givenLevels();
  Result<Coordinates> list = Coordinates::create(sizes, levels.valueType(), levels.count());
  if (!list)
    return list;
  // What a dimension is in terms of the given levels alone, whose columns `read` gives.
  SmallVector<AffineExpr> known(format.getLvlRank()), value(sizes.size());
  for (unsigned lvl = 0; lvl < known.size(); ++lvl)
    known[lvl] = llvm::is_contained(given, lvl)
                     ? getAffineDimExpr(lvl, format.getContext())
                     : map.implied[lvl].replaceDims(known);
  for (unsigned dim = 0; dim < sizes.size(); ++dim)
    value[dim] = map.inverse[dim].replaceDims(known);
  auto read = [&](unsigned lvl, int64_t begin, BlockEvaluator::Block &out) {
    int64_t first = storesCoordinates(format, lvl) ? 0 : extents[lvl].first;
    const Buffer &column = levels.column(llvm::find(given, lvl) - given.begin());
    runtime::withCoordinateType(levels.coordinateType(), [&](auto *tag) {
      const auto *from = column.as<std::remove_pointer_t<decltype(tag)>>();
      for (size_t at = 0; at < out.size(); ++at)
        out[at] = from[begin + int64_t(at)] + first;
    });
  };
  size_t bytes = strata_type_bytes(levels.valueType());
  const char *from = static_cast<const char *>(levels.values().data());
  char *to = static_cast<char *>(list->values().data());
  std::vector<BlockEvaluator::Block> dims(sizes.size());
  int64_t kept = 0;
  for (int64_t begin = 0; begin < levels.count(); begin += BlockEvaluator::size) {
    int64_t count = std::min(BlockEvaluator::size, levels.count() - begin);
    for (unsigned dim = 0; dim < dims.size(); ++dim) {
      dims[dim].resize(count);
      BlockEvaluator(read).evaluate(value[dim], begin, dims[dim]);
    }
    for (int64_t at = 0; at < count; ++at) {
      auto inside = [&](unsigned dim) { return dims[dim][at] >= 0 && dims[dim][at] < sizes[dim]; };
      if (!llvm::all_of(llvm::seq<unsigned>(0, dims.size()), inside))
        continue;
      runtime::withCoordinateType(list->coordinateType(), [&](auto *tag) {
        using Coordinate = std::remove_pointer_t<decltype(tag)>;
        for (unsigned dim = 0; dim < dims.size(); ++dim)
          list->column(dim).template as<Coordinate>()[kept] = Coordinate(dims[dim][at]);
      });
      std::memcpy(to + kept++ * bytes, from + (begin + at) * bytes, bytes);
    }
  }
  if (Status status = list->resize(kept); !status.ok())
    return status;
  return list;
}

// Copies coordinates of dimensions, which are not negative, whatever their width.
template <typename C> static void widen(const strata_buffer &from, C *to) {
  auto copy = [&](auto *data) { std::copy(data, data + from.count, to); };
  switch (strata_type_bytes(from.type)) {
  case 1:
    return copy(static_cast<const uint8_t *>(from.data));
  case 2:
    return copy(static_cast<const uint16_t *>(from.data));
  case 4:
    return copy(static_cast<const int32_t *>(from.data));
  default:
    return copy(static_cast<const int64_t *>(from.data));
  }
}

// A list is one already: its entries are copied, without a kernel.
static Result<Coordinates> copyList(const TensorValue &tensor) {
  ta::FormatAttr format = tensor.format();
  const strata_buffer &values = tensor.storage->values();
  Result<Coordinates> list =
      Coordinates::create(tensor.sizes(), strata_type(values.type), values.count);
  if (!list)
    return list;
  std::memcpy(list->values().data(), values.data,
              size_t(values.count * strata_type_bytes(values.type)));
  int64_t at = 0;
  for (auto [lvl, level] : llvm::enumerate(format.getLevels()))
    for (const BufferSpec &spec : levelBuffers(format, lvl)) {
      const strata_buffer &buffer = tensor.storage->buffer(at++);
      if (spec.kind != BufferKind::Coordinate)
        continue;
      auto dim = cast<AffineDimExpr>(format.getDimToLvl().getResult(lvl));
      runtime::withCoordinateType(list->coordinateType(), [&](auto *tag) {
        widen(buffer, list->column(dim.getPosition())
                          .template as<std::remove_pointer_t<decltype(tag)>>());
      });
    }
  return list;
}

// The stored entries as they lie, repetitions included.
static Result<Coordinates> unpackUnsorted(KernelCompiler &compiler, const TensorValue &tensor) {
  ta::FormatAttr format = tensor.format();
  if (format.isFull())
    return unpackFull(tensor);
  if (format.isList() && format.getDimToLvl().isPermutation())
    return copyList(tensor);
  std::vector<int64_t> extents = levelSizes(format, tensor.sizes(), slotsOf(tensor));
  Type element = tensor.type.getElementType();
  RankedTensorType from = dynamicType(extents.size(), element, format.levelSpace());
  RankedTensorType to =
      dynamicType(extents.size(), element, unorderedList(compiler.getContext(), extents.size()));
  Result<CompiledKernel> kernel = compiler.compile(copyKernel(from, to, "unpack"));
  if (!kernel)
    return kernel.takeStatus();
  Storage source = inLevelSpace(tensor, extents), result(extents, bufferTypes(to));
  if (Status status = compiler.run(*kernel, result, {&source}, extents); !status.ok())
    return status;
  Result<Coordinates> list = Coordinates::fromStorage(std::move(result));
  if (!list)
    return list;
  if (hasPadding(format))
    if (Status status = dropFills(*list, tensor.type); !status.ok())
      return status;
  if (!format.getDimToLvl().isPermutation())
    return fromLevels(std::move(*list), format, tensor.sizes());
  SmallVector<int> levelOf(from.getRank());
  for (auto [lvl, expr] : llvm::enumerate(format.getDimToLvl().getResults()))
    levelOf[cast<AffineDimExpr>(expr).getPosition()] = lvl;
  list->permute(levelOf);
  return list;
}

Result<Coordinates> unpack(KernelCompiler &compiler, const TensorValue &tensor) {
  Result<Coordinates> list = unpackUnsorted(compiler, tensor);
  if (!list)
    return list;
  if (Status status = list->convertCoordinates(runtime::coordinateTypeFor(list->sizes()));
      !status.ok())
    return status;
  if (Result<int64_t> summed = list->sumDuplicates(); !summed)
    return summed.takeStatus();
  return list;
}

//===------------------------------------------------------------------------------------------===//
// Conversion
//===------------------------------------------------------------------------------------------===//

// The statement `B[i, ...] = A[i, ...]` as a kernel, if loops can follow both formats and what A
// stores is what it was given.
static OwningOpRef<ModuleOp> directConversion(const TensorValue &tensor, RankedTensorType type) {
  ta::FormatAttr from = tensor.format(), to = ta::formatOf(type);
  if (tensor.type.getElementType() != type.getElementType() || hasPadding(from) || hasPadding(to) || from.isFull() || to.isFull() || to.isList() ||
      Attribute(ta::fillOf(tensor.type)) != Attribute(ta::fillOf(type)))
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
  Result<CompiledKernel> kernel = compiler.compile(std::move(module));
  if (!kernel)
    return kernel.takeStatus();
  spent.compile += watch.lap();
  spent.parts += kernel->times;
  auto storage = std::make_shared<Storage>(sizes, bufferTypes(type));
  if (Status status = compiler.run(*kernel, *storage, {tensor.storage.get()}, sizes);
      !status.ok())
    return status;
  spent.fill += watch.lap();
  return TensorValue{type, storage, nullptr};
}

Result<TensorValue> convert(KernelCompiler &compiler, const TensorValue &tensor,
                            RankedTensorType type, PackTimes *times, bool force) {
  PackTimes scratch;
  PackTimes &spent = times ? *times : scratch;
  Stopwatch watch;
  Result<TensorValue> converted = Error{""};
  RankedTensorType decided = withDecidedWidths(type, tensor.sizes(), tensor.storedCount());
  if (auto module = directConversion(tensor, decided)) {
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
    converted = pack(compiler, std::move(*list), type, &spent, force);
  }
  // Through a format that cannot tell stored zeros from padding they are lost: what it was packed
  // from is then another tensor.
  if (converted && !hasPadding(tensor.format()))
    converted->source = tensor.source;
  return converted;
}

} // namespace strata
