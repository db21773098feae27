// Packs, unpacks and converts by generated kernels.
#include "strata/execution/Packing.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/execution/ElementTypes.h"
#include "strata/execution/Kernel.h"
#include "strata/execution/Stopwatch.h"
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

static std::vector<int64_t> levelSizes(ta::FormatAttr format, ArrayRef<int64_t> sizes) {
  SmallVector<LevelExtent> extents = levelExtents(format, sizes);
  std::vector<int64_t> result;
  for (unsigned lvl : format.givenLevels())
    result.push_back(extents[lvl].extent);
  return result;
}

// The column of a level whose coordinate is no single dimension, counted from `first`: lists hold
// no negative coordinates.
static Result<Buffer> levelColumn(const Coordinates &list, AffineExpr expr, int64_t first,
                                  strata_type width) {
  Result<Buffer> column = Buffer::allocate(width, list.count());
  if (!column)
    return column.takeStatus();
  int order = list.order();
  runtime::withCoordinateType(width, [&](auto *tag) {
    auto *out = column->template as<std::remove_pointer_t<decltype(tag)>>();
    tbb::parallel_for(tbb::blocked_range<int64_t>(0, list.count(), 4096), [&](const auto &range) {
      SmallVector<int64_t> dims(order);
      for (int64_t entry = range.begin(); entry < range.end(); ++entry) {
        for (int dim = 0; dim < order; ++dim)
          dims[dim] = list.coordinate(dim, entry);
        out[entry] = evaluate(expr, dims) - first;
      }
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
  std::vector<int64_t> sizes = levelSizes(format, list.sizes());
  SmallVector<LevelExtent> extents = levelExtents(format, list.sizes());
  strata_type width = runtime::coordinateTypeFor(sizes);
  std::vector<Buffer> columns;
  for (unsigned lvl : format.givenLevels()) {
    Result<Buffer> column =
        levelColumn(list, map.getResult(lvl), extents[lvl].first, width);
    if (!column)
      return column.takeStatus();
    columns.push_back(std::move(*column));
  }
  return Coordinates::assemble(std::move(sizes), std::move(columns), std::move(list.values()));
}

// From counting from `first` to the coordinates themselves, once the list is sorted.
static void countFromZero(Coordinates &levels, ta::FormatAttr format, ArrayRef<int64_t> sizes) {
  SmallVector<LevelExtent> extents = levelExtents(format, sizes);
  for (auto [at, lvl] : llvm::enumerate(format.givenLevels())) {
    int64_t first = extents[lvl].first;
    if (first == 0)
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

static ta::FormatAttr listFormat(MLIRContext *context, const Coordinates &list) {
  unsigned crd = list.coordinateType() == STRATA_I32 ? 32 : 64;
  return ta::coordinateFormat(context, list.order(), false).withWidths(64, crd);
}

// Levels with a place for every coordinate, at the root or below a single entry: refused before it
// is attempted if absurd.
static Status checkPlaces(ta::FormatAttr format, ArrayRef<int64_t> sizes, int64_t entries,
                          int64_t elementBytes) {
  int64_t places = 1;
  SmallVector<LevelExtent> extents = levelExtents(format, sizes);
  for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl) {
    const LevelTraits &traits = *findLevelTraits(format.getLevels()[lvl].getName());
    if (traits.computed)
      continue;
    if (traits.appends || traits.inserts) {
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

Result<TensorValue> pack(KernelCompiler &compiler, Coordinates list, RankedTensorType type,
                         PackTimes *times) {
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
  if (Status status = checkPlaces(format, sizes, list.count(), strata_type_bytes(element));
      !status.ok())
    return status;
  Result<Coordinates> levels = toLevels(std::move(list), format);
  if (!levels)
    return levels.takeStatus();
  if (Result<int64_t> summed = levels->sumDuplicates(); !summed)
    return summed.takeStatus();
  if (Status status = checkWidths(type, sizes, levels->count()); !status.ok())
    return status;
  countFromZero(*levels, format, sizes);
  spent.sort += watch.lap();

  MLIRContext *context = compiler.getContext();
  unsigned rank = levels->order();
  RankedTensorType from =
      dynamicType(rank, type.getElementType(), listFormat(context, *levels));
  RankedTensorType to = dynamicType(rank, type.getElementType(), format.levelSpace());
  Result<CompiledKernel> kernel = compiler.compile(copyKernel(from, to, "pack"));
  if (!kernel)
    return kernel.takeStatus();
  spent.compile += watch.lap();
  spent.parts += kernel->times;
  std::vector<int64_t> extents = levelSizes(format, sizes);
  Result<Storage> source = std::move(*levels).intoStorage(STRATA_I64);
  if (!source)
    return source.takeStatus();
  auto storage = std::make_shared<Storage>(extents, bufferTypes(type));
  if (Status status = compiler.run(*kernel, *storage, {&*source}, extents); !status.ok())
    return status;
  storage->setSizes(sizes);
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
      return !traits.appends && !traits.inserts;
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
    std::memcpy(static_cast<char *>(list->values().data()) + entry * bytes,
                values + place * bytes, bytes);
    ++entry;
  }
  if (Status status = list->sort(); !status.ok())
    return status;
  return list;
}

// A coordinate format with its levels in an order in which `from` can be walked.
static std::optional<ta::FormatAttr> walkableList(RankedTensorType from) {
  MLIRContext *context = from.getContext();
  unsigned rank = from.getRank();
  SmallVector<unsigned> dims = llvm::to_vector(llvm::seq(rank));
  do {
    SmallVector<AffineExpr> exprs;
    for (unsigned dim : dims)
      exprs.push_back(getAffineDimExpr(dim, context));
    ta::FormatAttr plain = ta::coordinateFormat(context, rank, false);
    ta::FormatAttr format = ta::FormatAttr::get(context, AffineMap::get(rank, 0, exprs, context),
                                                plain.getLevels(), 64, 64, Attribute());
    OwningOpRef<ModuleOp> module =
        copyKernel(from, dynamicType(rank, from.getElementType(), format), "unpack");
    std::optional<SmallVector<unsigned>> order;
    std::string why;
    module->walk([&](ta::ComputeOp op) {
      order = chooseLoopOrder(IndexStatement(op), llvm::SmallPtrSet<Operation *, 1>(), why);
    });
    if (order)
      return format;
  } while (std::next_permutation(dims.begin(), dims.end()));
  return std::nullopt;
}

Result<Coordinates> unpack(KernelCompiler &compiler, const TensorValue &tensor) {
  if (tensor.format().isFull())
    return unpackFull(tensor);
  RankedTensorType from =
      dynamicType(tensor.type.getRank(), tensor.type.getElementType(), tensor.format());
  std::optional<ta::FormatAttr> format = walkableList(from);
  if (!format)
    return Error{"no order of loops walks the format " + ta::formatName(tensor.format())};
  RankedTensorType to = dynamicType(from.getRank(), from.getElementType(), *format);
  Result<CompiledKernel> kernel = compiler.compile(copyKernel(from, to, "unpack"));
  if (!kernel)
    return kernel.takeStatus();
  std::vector<int64_t> extents = tensor.sizes(), sizes;
  Storage result(extents, bufferTypes(to));
  if (Status status = compiler.run(*kernel, result, {tensor.storage.get()}, extents);
      !status.ok())
    return status;
  // The levels' order of dimensions, and back.
  SmallVector<int> levelOf(from.getRank());
  for (auto [lvl, expr] : llvm::enumerate(format->getDimToLvl().getResults())) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    levelOf[dim] = lvl;
    sizes.push_back(extents[dim]);
  }
  result.setSizes(sizes);
  Result<Coordinates> list = Coordinates::fromStorage(std::move(result));
  if (!list)
    return list;
  list->permute(levelOf);
  if (hasPadding(tensor.format()))
    if (Status status = dropFills(*list, tensor.type); !status.ok())
      return status;
  if (Status status = list->convertCoordinates(runtime::coordinateTypeFor(list->sizes()));
      !status.ok())
    return status;
  if (Status status = list->sort(); !status.ok())
    return status;
  return list;
}

Result<TensorValue> convert(KernelCompiler &compiler, const TensorValue &tensor,
                            RankedTensorType type, PackTimes *times) {
  Result<Coordinates> list = unpack(compiler, tensor);
  if (!list)
    return list.takeStatus();
  Result<TensorValue> packed = pack(compiler, std::move(*list), type, times);
  if (packed)
    packed->source = tensor.source;
  return packed;
}

} // namespace strata
