// Reads statistics off the buffers of a storage, as far as the levels' formats tell how.
#include "strata/estimate/Statistics.h"

#include "strata/estimate/Estimate.h"
#include "strata/host/LevelSpace.h"
#include "strata/tensor/StoredFormats.h"
#include "strata/tensor/StoredLevels.h"

using namespace mlir;

namespace strata {

// How many bytes of a level's buffers belong to each of its parents, and to each of its positions.
static void addBytes(cost::LevelStatistics &level, ta::LevelAttr attribute, unsigned lvl,
                     double parents) {
  const LevelFormat &format = *findLevelFormat(attribute.getName());
  LevelCounts counts{parents, level.positions, lvl == 0};
  for (auto [at, spec] : llvm::enumerate(format.buffers())) {
    double bytes = format.elements(unsigned(at), counts) * elementBytes(attribute, spec.kind);
    if (spec.kind == BufferKind::Position)
      level.bytesPerParent += bytes / std::max(parents, 1.0);
    else
      level.bytesPerPosition += bytes / std::max(level.positions, 1.0);
  }
}

// The share of parents with another number of children than the parent before, of some of them.
static double unevenness(const Inspect &inspect, const StoredLevel &level) {
  constexpr int64_t most = 1 << 12;
  int64_t step = std::max<int64_t>(level.parents / most, 1), looked = 0, uneven = 0;
  auto childrenOf = [&](int64_t parent) {
    auto [begin, end] = inspect.children(level, parent);
    return end - begin;
  };
  for (int64_t parent = 1; parent < level.parents; parent += step, ++looked)
    uneven += childrenOf(parent) != childrenOf(parent - 1);
  return looked > 0 ? double(uneven) / double(looked) : 0;
}

cost::TensorStatistics statisticsOf(const TensorValue &tensor, std::string name) {
  ta::FormatAttr format = tensor.format();
  cost::TensorStatistics result{.name = std::move(name)};
  result.values = double(tensor.storedCount());
  result.valueBytes = double(strata_type_bytes(tensor.storage->values().type));
  SmallVector<LevelExtent> extents = levelExtents(
      format, tensor.sizes(), host::slotsOf(*tensor.storage, storedFormatOf(tensor.type)));
  auto levels = std::make_shared<std::vector<StoredLevel>>();
  int64_t parents = 1;
  for (auto [lvl, attribute] : llvm::enumerate(format.getLevels())) {
    levels->push_back(storedLevel(tensor, unsigned(lvl), parents, extents[lvl]));
    cost::LevelStatistics &level = result.levels.emplace_back();
    level.extent = double(extents[lvl].extent);
    const Inspect *inspect = findLevelFormat(attribute.getName())->inspect();
    int64_t positions = positionsOf(format, unsigned(lvl), levels->back());
    level.positions = double(positions);
    if (inspect)
      level.uneven = unevenness(*inspect, levels->back());
    addBytes(level, attribute, unsigned(lvl), double(parents));
    parents = positions;
  }
  result.coordinate = [levels, format](unsigned lvl, int64_t position) -> std::optional<int64_t> {
    const Inspect *inspect = findLevelFormat(format.getLevels()[lvl].getName())->inspect();
    return inspect ? inspect->coordinate((*levels)[lvl], position) : std::nullopt;
  };
  return result;
}

cost::TensorStatistics expectedStatistics(RankedTensorType type, ArrayRef<int64_t> sizes,
                                          int64_t entries, std::string name) {
  type = withDecidedWidths(type, sizes, std::nullopt);
  ta::FormatAttr format = ta::formatOf(type);
  SmallVector<LevelExtent> extents = levelExtents(format, sizes);
  SmallVector<int64_t> positions = mostPositions(format, extents, entries);
  cost::TensorStatistics result{.name = std::move(name)};
  result.values = positions.empty() ? 1 : double(positions.back());
  result.valueBytes = double(strata_type_bytes(*runtimeType(type.getElementType())));
  double parents = 1;
  for (auto [lvl, attribute] : llvm::enumerate(format.getLevels())) {
    cost::LevelStatistics &level = result.levels.emplace_back();
    level.extent = double(extents[lvl].extent);
    level.positions = double(positions[lvl]);
    level.uneven = findLevelTraits(attribute.getName())->keepsCoordinates() ? 1 : 0;
    addBytes(level, attribute, unsigned(lvl), parents);
    parents = level.positions;
  }
  return result;
}

} // namespace strata
