// From the coordinates of dimensions to those of levels, and back.
#include "strata/execution/LevelSpace.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/execution/ElementTypes.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/entry/StorageLayout.h"

#include <atomic>
#include <tbb/parallel_for.h>

using namespace mlir;
using strata::runtime::Buffer;
using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

RankedTensorType dynamicType(unsigned rank, Type element, ta::FormatAttr format) {
  return RankedTensorType::get(SmallVector<int64_t>(rank, ShapedType::kDynamic), element, format);
}

std::vector<int64_t> levelSizes(ta::FormatAttr format, ArrayRef<int64_t> sizes,
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

Result<Coordinates> toLevels(Coordinates list, ta::FormatAttr format) {
  AffineMap map = format.getDimToLvl();
  if (map.isPermutation()) {
    SmallVector<int> source;
    for (AffineExpr expr : map.getResults())
      source.push_back(cast<AffineDimExpr>(expr).getPosition());
    if (Status permuted = list.permute(source); !permuted.ok())
      return permuted;
    return list;
  }
  // Until they are counted, there may be as many slots as entries; all entries are in the first.
  SmallVector<int64_t> most(map.getNumResults(), list.count() + 1);
  std::vector<int64_t> sizes = levelSizes(format, list.sizes(), most);
  SmallVector<LevelExtent> extents = levelExtents(format, list.sizes());
  strata_type width = runtime::coordinateTypeFor(sizes);
  std::vector<Buffer> columns;
  SmallVector<AffineExpr> exprs;
  for (unsigned lvl : format.givenLevels())
    exprs.push_back(format.isSlot(lvl) ? getAffineConstantExpr(0, map.getContext())
                                       : map.getResult(lvl));
  for (auto [at, lvl] : llvm::enumerate(format.givenLevels())) {
    auto isUsedLater = [&, below = ArrayRef(exprs).drop_front(at + 1)](unsigned dim) {
      return llvm::any_of(below, [&](AffineExpr expr) { return expr.isFunctionOfDim(dim); });
    };
    auto dim = dyn_cast<AffineDimExpr>(exprs[at]);
    if (dim && width == list.coordinateType() && !isUsedLater(dim.getPosition())) {
      columns.push_back(std::move(list.column(dim.getPosition())));
      continue;
    }
    Result<Buffer> column = levelColumn(list, exprs[at], extents[lvl].first, width);
    if (!column)
      return column.takeStatus();
    columns.push_back(std::move(*column));
    // What no level below needs is given back at once.
    for (unsigned other = 0; other < map.getNumDims(); ++other)
      if (!isUsedLater(other))
        list.column(other) = Buffer(list.coordinateType());
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

Status countSlots(Coordinates &levels, ta::FormatAttr format, ArrayRef<int64_t> sizes,
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

// A level that stores coordinates stores them as they are; places are counted from the first.
static bool storesCoordinates(ta::FormatAttr format, unsigned lvl) {
  return strata::storesCoordinates(format.getLevels()[lvl].getName());
}

void storedCoordinates(Coordinates &levels, ta::FormatAttr format, ArrayRef<int64_t> sizes) {
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

namespace {

// Dimensions' coordinates from those of the given levels.
class LevelInverse {
public:
  LevelInverse(const Coordinates &levels, ta::FormatAttr format, ArrayRef<int64_t> sizes)
      : levels(levels), format(format), given(format.givenLevels()),
        extents(levelExtents(format, sizes)), value(sizes.size()) {
    ta::FormatMap map(format.getDimToLvl());
    // What a dimension is in terms of the given levels alone.
    SmallVector<AffineExpr> known(format.getLvlRank());
    for (unsigned lvl = 0; lvl < known.size(); ++lvl)
      known[lvl] = llvm::is_contained(given, lvl) ? getAffineDimExpr(lvl, format.getContext())
                                                  : map.implied[lvl].replaceDims(known);
    for (unsigned dim = 0; dim < value.size(); ++dim)
      value[dim] = map.inverse[dim].replaceDims(known);
  }

  void evaluate(unsigned dim, int64_t begin, BlockEvaluator::Block &out) const {
    auto read = [&](unsigned lvl, int64_t at, BlockEvaluator::Block &to) { column(lvl, at, to); };
    BlockEvaluator(read).evaluate(value[dim], begin, out);
  }

private:
  void column(unsigned lvl, int64_t begin, BlockEvaluator::Block &out) const {
    int64_t first = storesCoordinates(format, lvl) ? 0 : extents[lvl].first;
    const Buffer &own = levels.column(llvm::find(given, lvl) - given.begin());
    runtime::withCoordinateType(levels.coordinateType(), [&](auto *tag) {
      const auto *from = own.as<std::remove_pointer_t<decltype(tag)>>();
      for (size_t at = 0; at < out.size(); ++at)
        out[at] = from[begin + int64_t(at)] + first;
    });
  }

  const Coordinates &levels;
  ta::FormatAttr format;
  SmallVector<unsigned> given;
  SmallVector<LevelExtent> extents;
  SmallVector<AffineExpr> value;
};

} // namespace

// Writes the coordinates of dimensions, block by block at once. Those outside the tensor are marked
// by -1; says whether there are any.
static bool invertLevels(const LevelInverse &inverse, ArrayRef<int64_t> sizes, int64_t count,
                         strata_type width, MutableArrayRef<Buffer> columns) {
  std::atomic<bool> outside = false;
  int64_t blocks = llvm::divideCeil(count, BlockEvaluator::size);
  tbb::parallel_for(int64_t(0), blocks, [&](int64_t block) {
    int64_t begin = block * BlockEvaluator::size;
    BlockEvaluator::Block values(std::min(BlockEvaluator::size, count - begin));
    for (unsigned dim = 0; dim < sizes.size(); ++dim) {
      inverse.evaluate(dim, begin, values);
      runtime::withCoordinateType(width, [&](auto *tag) {
        using Coordinate = std::remove_pointer_t<decltype(tag)>;
        auto *to = columns[dim].template as<Coordinate>() + begin;
        for (size_t at = 0; at < values.size(); ++at) {
          bool inside = values[at] >= 0 && values[at] < sizes[dim];
          to[at] = inside ? Coordinate(values[at]) : Coordinate(-1);
          if (!inside)
            outside.store(true, std::memory_order_relaxed);
        }
      });
    }
  });
  return outside;
}

// Drops the entries with a coordinate that is marked; the others keep their order.
static Status dropMarked(Coordinates &list) {
  size_t bytes = strata_type_bytes(list.valueType());
  auto *values = static_cast<char *>(list.values().data());
  int64_t kept = 0;
  runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
    using Coordinate = std::remove_pointer_t<decltype(tag)>;
    SmallVector<Coordinate *> columns;
    for (int dim = 0; dim < list.order(); ++dim)
      columns.push_back(list.column(dim).template as<Coordinate>());
    for (int64_t entry = 0; entry < list.count(); ++entry) {
      if (llvm::any_of(columns, [&](Coordinate *column) { return column[entry] < 0; }))
        continue;
      for (Coordinate *column : columns)
        column[kept] = column[entry];
      std::memmove(values + kept++ * bytes, values + entry * bytes, bytes);
    }
  });
  return list.resize(kept);
}

Result<Coordinates> fromLevels(Coordinates levels, ta::FormatAttr format,
                               const std::vector<int64_t> &sizes) {
  int64_t count = levels.count();
  strata_type width = runtime::coordinateTypeFor(sizes);
  std::vector<Buffer> columns;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    Result<Buffer> column = Buffer::allocate(width, count);
    if (!column)
      return column.takeStatus();
    columns.push_back(std::move(*column));
  }
  bool outside = invertLevels(LevelInverse(levels, format, sizes), sizes, count, width, columns);
  Result<Coordinates> list =
      Coordinates::assemble(sizes, std::move(columns), std::move(levels.values()));
  if (list && outside)
    if (Status status = dropMarked(*list); !status.ok())
      return status;
  return list;
}

// Calls `body(to, from)` for each buffer of a storage and the one that it is in level space, with
// `from` -1 for the numbers of slots, which level space has among its sizes. (The orders of sorted
// dimensions are left out: level space is of ranks.)
static Status forBuffers(ta::FormatAttr format, llvm::function_ref<Status(int, int)> body) {
  int to = 0, from = 0;
  for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl) {
    size_t own = levelBuffers(format, lvl).size() - format.isSlot(lvl);
    for (size_t at = 0; at < own; ++at)
      if (Status status = body(to++, from++); !status.ok())
        return status;
    if (format.isSlot(lvl))
      if (Status status = body(to++, -1); !status.ok())
        return status;
  }
  return body(to + 2 * int(format.sortedDims().size()), from);
}

SmallVector<int64_t> slotsOf(const TensorValue &tensor) {
  SmallVector<int64_t> slots;
  (void)forBuffers(tensor.format(), [&](int to, int from) -> Status {
    if (from < 0)
      slots.push_back(*static_cast<const int64_t *>(tensor.storage->buffer(to).data));
    return Status();
  });
  return slots;
}

Storage inLevelSpace(const TensorValue &tensor, ArrayRef<int64_t> sizes) {
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

Status fromLevelSpace(Storage &filled, ta::FormatAttr format, ArrayRef<int64_t> slots,
                      Storage &result) {
  return forBuffers(format, [&](int to, int from) -> Status {
    if (from >= 0) {
      Result<Buffer> buffer = filled.take(from);
      if (!buffer)
        return buffer.takeStatus();
      return result.put(to, std::move(*buffer));
    }
    if (Status status = result.allocate(to, 1); !status.ok())
      return status;
    *static_cast<int64_t *>(result.buffer(to).data) = slots.front();
    slots = slots.drop_front();
    return Status();
  });
}

} // namespace strata
