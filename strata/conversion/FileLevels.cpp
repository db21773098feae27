// Maps each level to what files call it, by its traits.
#include "strata/conversion/FileLevels.h"

#include "strata/conversion/Conversion.h"
#include "strata/level/LevelFormat.h"
#include "strata/runtime/io/LevelBuffers.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/Fill.h"

using namespace mlir;
using strata::runtime::ArrayLevel;
using strata::runtime::FileArray;
using strata::runtime::FileType;
using strata::runtime::LevelArrays;

namespace strata {

// A buffer as an array; nothing if no file has the type of its elements.
static std::optional<FileArray> arrayOf(const strata_buffer &buffer, bool isUnsigned) {
  runtime::Result<FileType> stored = runtime::fileTypeOf(strata_type(buffer.type));
  if (!stored)
    return std::nullopt;
  FileType type = *stored;
  if (isUnsigned)
    type = FileType(int(type) - int(FileType::int8) + int(FileType::uint8));
  FileArray array;
  array.type = type;
  array.elementBytes = runtime::fileTypeBytes(type);
  array.sizes = {buffer.count};
  array.count = buffer.count;
  array.data = static_cast<const char *>(buffer.data);
  return array;
}

std::optional<LevelArrays> fileLevels(const TensorValue &tensor) {
  ta::FormatAttr format = tensor.format();
  AffineMap map = format.getDimToLvl();
  if (ta::sumOf(tensor.type) || !format.getWindows().empty() || !map.isPermutation() ||
      map.getNumResults() == 0)
    return std::nullopt;
  LevelArrays result;
  if (hasFill(tensor.type))
    result.fill = numberOf(tensor.type.getElementType(), ta::fillOf(tensor.type));
  int64_t buffer = 0;
  bool unique = true; // no coordinates repeat below the last level seen
  for (auto [level, expr] : llvm::zip(format.getLevels(), map.getResults())) {
    const LevelFormat &levelFormat = *findLevelFormat(level.getName());
    FileLevel kind = levelFormat.traits.inFiles;
    bool root = result.levels.empty();
    // Files have an array for each dimension.
    if (kind == FileLevel::None || level.getAos() || (kind != FileLevel::Tuples && !unique) ||
        (kind == FileLevel::Tuples && (root || !result.levels.back().sparse)))
      return std::nullopt;
    if (kind != FileLevel::Tuples)
      result.levels.emplace_back().sparse = kind == FileLevel::Lists;
    ArrayLevel &last = result.levels.back();
    for (const BufferSpec &spec : levelFormat.buffers()) {
      bool positions = spec.kind == BufferKind::Position;
      const strata_buffer &stored = tensor.storage->buffer(buffer++);
      // Positions are unsigned, and so are coordinates of 8 and 16 bits that are not negative.
      std::optional<FileArray> array =
          arrayOf(stored, positions || strata_type_bytes(stored.type) < 4);
      if (!array)
        return std::nullopt;
      if (!positions)
        last.indices.push_back(std::move(*array));
      else if (!root)
        last.pointers = std::move(*array);
    }
    last.rank = kind == FileLevel::Tuples ? last.rank + 1 : 1;
    last.sorted = level.getOrdered() && (kind != FileLevel::Tuples || last.sorted);
    unique = level.getUnique();
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    result.dimensions.push_back(int(dim));
    result.sizes.push_back(tensor.sizes()[dim]);
  }
  if (!unique)
    return std::nullopt;
  std::optional<FileArray> values = arrayOf(tensor.storage->values(), /*isUnsigned=*/false);
  if (!values)
    return std::nullopt;
  result.values = std::move(*values);
  if (map.isIdentity())
    result.dimensions.clear();
  return result;
}

// The level format that files call so, ordered, and unique or not; null if there is none.
static ta::LevelAttr levelFor(MLIRContext *context, FileLevel kind, bool unique) {
  for (StringRef name : levelNames())
    if (findLevelTraits(name)->inFiles == kind)
      return ta::LevelAttr::get(context, name, unique, /*ordered=*/true);
  return {};
}

// The format whose buffers the arrays are; null where dense levels stand below sparse ones.
static ta::FormatAttr formatOfArrays(MLIRContext *context, const LevelArrays &arrays) {
  SmallVector<ta::LevelAttr> levels;
  bool sparse = false;
  for (const ArrayLevel &level : arrays.levels) {
    if (sparse && !level.sparse)
      return {};
    sparse = level.sparse;
    for (int at = 0; at < level.rank; ++at) {
      bool last = at + 1 == level.rank;
      FileLevel kind = !sparse ? FileLevel::Places : at == 0 ? FileLevel::Lists : FileLevel::Tuples;
      levels.push_back(levelFor(context, kind, last || !sparse));
      if (!levels.back())
        return {};
    }
  }
  if (!sparse || levels.size() != arrays.sizes.size())
    return {};
  SmallVector<unsigned> dims(arrays.dimensions.begin(), arrays.dimensions.end());
  if (dims.empty())
    llvm::append_range(dims, llvm::seq<unsigned>(0, levels.size()));
  return ta::FormatAttr::get(context, AffineMap::getPermutationMap(dims, context), levels,
                             Attribute());
}

// A type for the arrays' tensor from which the wanted one is made by a kernel, or that itself.
static std::optional<RankedTensorType> typeOfArrays(const LevelArrays &arrays,
                                                    ArrayRef<int64_t> sizes,
                                                    RankedTensorType wanted, bool force) {
  ta::FormatAttr own = formatOfArrays(wanted.getContext(), arrays);
  auto target = dyn_cast_or_null<ta::FormatAttr>(wanted.getEncoding());
  if (!own || !target)
    return std::nullopt;
  own = own.withFill(target.getFill());
  int64_t entries = arrays.values.count;
  RankedTensorType decided = withDecidedWidths(wanted, sizes, entries);
  if (target.withWidths(0, 0) == own)
    return checkWidths(decided, sizes, entries).ok() ? std::optional(decided) : std::nullopt;
  RankedTensorType from = withDecidedWidths(ta::withFormat(wanted, own), sizes, entries);
  return convertsByKernel(from, decided, sizes, entries, force) ? std::optional(from)
                                                                : std::nullopt;
}

std::optional<TensorValue> adopt(const LevelArrays &arrays, RankedTensorType wanted, bool force) {
  int64_t rank = wanted.getRank();
  if (int64_t(arrays.sizes.size()) != rank)
    return std::nullopt;
  std::vector<int64_t> sizes(arrays.sizes);
  for (auto [level, dim] : llvm::enumerate(arrays.dimensions))
    sizes[dim] = arrays.sizes[level];
  for (int64_t dim = 0; dim < rank; ++dim)
    if (sizes[dim] < 0 || (!wanted.isDynamicDim(dim) && wanted.getDimSize(dim) != sizes[dim]))
      return std::nullopt;
  std::optional<RankedTensorType> type = typeOfArrays(arrays, sizes, wanted, force);
  if (!type)
    return std::nullopt;
  std::vector<strata_type> types = bufferTypes(*type);
  std::optional<std::vector<runtime::Buffer>> buffers = runtime::buffersOf(arrays, types);
  if (!buffers)
    return std::nullopt;
  auto storage = std::make_shared<runtime::Storage>(sizes, types);
  for (auto [at, buffer] : llvm::enumerate(*buffers))
    if (!storage->put(int64_t(at), std::move(buffer)).ok())
      return std::nullopt;
  return TensorValue{*type, storage, nullptr};
}

std::optional<TensorValue> adoptAsStored(const LevelArrays &arrays, MLIRContext *context,
                                         std::optional<strata_type> type, unsigned width) {
  ta::FormatAttr format = formatOfArrays(context, arrays);
  if (!format)
    return std::nullopt;
  format = format.withOpenWidths(width, width);
  Type element = compilerType(context, type.value_or(runtime::valueTypeFor(arrays.values.type)));
  SmallVector<int64_t> open(arrays.sizes.size(), ShapedType::kDynamic);
  return adopt(arrays, ta::withFormat(RankedTensorType::get(open, element), format),
               /*force=*/true);
}

} // namespace strata
