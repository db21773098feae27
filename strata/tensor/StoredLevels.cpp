// Describes stored levels by their buffers.
#include "strata/tensor/StoredLevels.h"

#include "strata/lower/entry/StorageLayout.h"

using namespace mlir;

namespace strata {

StoredLevel storedLevel(const TensorValue &tensor, unsigned lvl, int64_t parents,
                        LevelExtent extent) {
  ta::FormatAttr format = tensor.format();
  const LevelFormat &levelFormat = *findLevelFormat(format.getLevels()[lvl].getName());
  StoredLevel level;
  level.parents = parents;
  level.first = extent.first;
  level.extent = extent.extent;
  level.parameter = format.getLevels()[lvl].getParameter();
  level.root = lvl == 0;
  ta::Interleaving lying = format.interleaving(lvl);
  for (auto [spec, number] : llvm::zip(levelFormat.buffers(), visibleBuffers(format, lvl))) {
    const strata_buffer &buffer = tensor.storage->buffer(number);
    auto bytes = unsigned(strata_type_bytes(buffer.type));
    bool isSigned = spec.kind == BufferKind::Coordinate
                        ? bytes >= 4 || format.hasSignedCoordinates(lvl)
                        : spec.kind == BufferKind::Word;
    level.buffers.push_back({buffer.data, buffer.count, bytes, isSigned});
    if (spec.kind != BufferKind::Coordinate)
      continue;
    level.buffers.back().count /= lying.stride;
    level.buffers.back().stride = lying.stride;
    level.buffers.back().offset = lying.offset;
  }
  return level;
}

int64_t positionsOf(ta::FormatAttr format, unsigned lvl, const StoredLevel &level) {
  const LevelFormat &levelFormat = *findLevelFormat(format.getLevels()[lvl].getName());
  std::string fault;
  if (const Inspect *inspect = levelFormat.inspect())
    return inspect->positions(level, fault).value_or(0);
  return levelFormat.traits.computed ? level.parents : level.parents * level.extent;
}

} // namespace strata
