// Maps each level to what files call it, by its traits.
#include "strata/execution/FileLevels.h"

#include "strata/execution/ElementTypes.h"
#include "strata/level/LevelFormat.h"

using namespace mlir;
using strata::runtime::ArrayLevel;
using strata::runtime::FileArray;
using strata::runtime::FileType;
using strata::runtime::LevelArrays;

namespace strata {

// A buffer as an array.
static FileArray arrayOf(const strata_buffer &buffer, bool isUnsigned) {
  FileType type = runtime::fileTypeOf(strata_type(buffer.type));
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
  bool hasFileType = !tensor.type.getElementType().isBF16() && !ta::sumOf(tensor.type);
  if (!hasFileType || format.getFill() || !format.getWindows().empty() || !map.isPermutation() ||
      map.getNumResults() == 0)
    return std::nullopt;
  LevelArrays result;
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
      FileArray array = arrayOf(stored, positions || strata_type_bytes(stored.type) < 4);
      if (!positions)
        last.indices.push_back(std::move(array));
      else if (!root)
        last.pointers = std::move(array);
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
  result.values = arrayOf(tensor.storage->values(), /*isUnsigned=*/false);
  if (map.isIdentity())
    result.dimensions.clear();
  return result;
}

} // namespace strata
