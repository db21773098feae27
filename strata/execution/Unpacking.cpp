// Unpacks tensors into lists of coordinates.
#include "strata/execution/Unpacking.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/execution/ElementTypes.h"
#include "strata/execution/EvaluateAffine.h"
#include "strata/execution/FillBytes.h"
#include "strata/execution/Kernel.h"
#include "strata/execution/LevelSpace.h"
#include "strata/execution/Ranks.h"
#include "strata/execution/SumParts.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/runtime/CopyBytes.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

bool hasPadding(RankedTensorType type) {
  ta::SumAttr sum = ta::sumOf(type);
  return sum ? sum.hasPadding() : ta::formatOf(type).hasPadding();
}

static bool isFill(const void *value, const void *fill, size_t bytes) {
  return std::memcmp(value, fill, bytes) == 0;
}

std::vector<char> fillBytes(RankedTensorType type) {
  TypedAttr fill = ta::fillOf(type);
  strata_type element = *runtimeType(type.getElementType());
  std::vector<char> bytes(strata_type_bytes(element), 0);
  auto put = [&](const llvm::APInt &bits, size_t from, size_t count) {
    uint64_t value = bits.getZExtValue();
    std::memcpy(bytes.data() + from, &value, count);
  };
  if (auto number = dyn_cast<complex::NumberAttr>(Attribute(fill))) {
    size_t half = bytes.size() / 2;
    put(number.getReal().bitcastToAPInt(), 0, half);
    put(number.getImag().bitcastToAPInt(), half, half);
  } else if (auto real = dyn_cast<FloatAttr>(Attribute(fill))) {
    put(real.getValue().bitcastToAPInt(), 0, bytes.size());
  } else {
    put(cast<IntegerAttr>(Attribute(fill)).getValue(), 0, bytes.size());
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

// A list whose entries may come in any order, in levels of these sizes.
static ta::FormatAttr unorderedList(MLIRContext *context, ArrayRef<int64_t> extents) {
  unsigned width = runtime::coordinateTypeFor(extents) == STRATA_I32 ? 32 : 64;
  return ta::listFormat(context, extents.size()).withWidths(64, width);
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

// A list with an array for each level is one already: its entries are copied, without a kernel.
static bool isListOfArrays(ta::FormatAttr format) {
  return format.isList() && format.getDimToLvl().isPermutation() &&
         llvm::none_of(format.getLevels(), [](ta::LevelAttr level) { return level.getAos(); });
}

static Result<Coordinates> copyList(const TensorValue &tensor) {
  ta::FormatAttr format = tensor.format();
  const strata_buffer &values = tensor.storage->values();
  Result<Coordinates> list =
      Coordinates::create(tensor.sizes(), strata_type(values.type), values.count);
  if (!list)
    return list;
  runtime::copyBytes(list->values().data(), values.data,
                     size_t(values.count * strata_type_bytes(values.type)));
  int64_t at = 0;
  for (auto [lvl, level] : llvm::enumerate(format.getLevels()))
    for (const BufferSpec &spec : levelBuffers(format, lvl)) {
      const strata_buffer &buffer = tensor.storage->buffer(at++);
      if (spec.kind != BufferKind::Coordinate)
        continue;
      auto dim = cast<AffineDimExpr>(format.getDimToLvl().getResult(lvl));
      runtime::withCoordinateType(list->coordinateType(), [&](auto *tag) {
        widen(buffer,
              list->column(dim.getPosition()).template as<std::remove_pointer_t<decltype(tag)>>());
      });
    }
  return list;
}

// With ranks for coordinates of dimensions that the format sorts.
static Result<Coordinates> unpackRanks(KernelCompiler &compiler, const TensorValue &tensor) {
  ta::FormatAttr format = tensor.format();
  if (format.isFull())
    return unpackFull(tensor);
  if (isListOfArrays(format))
    return copyList(tensor);
  std::vector<int64_t> extents = levelSizes(format, tensor.sizes(), slotsOf(tensor));
  Type element = tensor.type.getElementType();
  // What is stored is copied, whatever the rest is worth.
  RankedTensorType from =
      dynamicType(extents.size(), element, format.levelSpace().withFill(Attribute()));
  RankedTensorType to =
      dynamicType(extents.size(), element, unorderedList(compiler.getContext(), extents));
  Result<CompiledKernel> kernel =
      compiler.compile(copyKernel(from, to, "unpack"), double(tensor.storage->bytes()));
  if (!kernel)
    return kernel.takeStatus();
  Storage source = inLevelSpace(tensor, extents), result(extents, bufferTypes(to));
  if (Status status = compiler.run(*kernel, result, {&source}, extents); !status.ok())
    return status;
  Result<Coordinates> list = Coordinates::fromStorage(std::move(result));
  if (!list)
    return list;
  if (format.hasPadding())
    if (Status status = dropFills(*list, tensor.type); !status.ok())
      return status;
  if (!format.getDimToLvl().isPermutation())
    return fromLevels(std::move(*list), format, tensor.sizes());
  SmallVector<int> levelOf(from.getRank());
  for (auto [lvl, expr] : llvm::enumerate(format.getDimToLvl().getResults()))
    levelOf[cast<AffineDimExpr>(expr).getPosition()] = lvl;
  if (Status permuted = list->permute(levelOf); !permuted.ok())
    return permuted;
  return list;
}

Result<Coordinates> unpackUnsorted(KernelCompiler &compiler, const TensorValue &tensor) {
  if (!tensor.parts.empty()) {
    Result<Coordinates> joined = unpackParts(compiler, tensor);
    // Which part an entry lies in is no reason to keep its fill or to lose it.
    if (joined && hasPadding(tensor.type))
      if (Status status = dropFills(*joined, tensor.type); !status.ok())
        return status;
    return joined;
  }
  Result<Coordinates> list = unpackRanks(compiler, tensor);
  if (list)
    restoreCoordinates(*list, tensor);
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

} // namespace strata
