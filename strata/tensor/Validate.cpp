// Validates storages level by level, by what each level's format tells of its buffers.
#include "strata/tensor/Validate.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/runtime/Counted.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/EvaluateAffine.h"
#include "strata/tensor/StoredLevels.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>

using namespace mlir;
using strata::runtime::Error;
using strata::runtime::Status;

namespace strata {
namespace {

// Follows the coordinates above each position, in formats where levels allow what lies outside the
// tensor: the rest of the last block, the ends of a diagonal.
class Ancestors {
public:
  explicit Ancestors(const TensorValue &tensor)
      : format(tensor.format()), sizes(tensor.sizes()), map(format.getDimToLvl()),
        above(format.getLvlRank()) {
    for (const auto &solved : map.solvedAt)
      areAsked |= llvm::any_of(
          solved, [](const ta::SolvedDim &one) { return !isa<AffineDimExpr>(one.value); });
    for (int64_t buffer = 0; buffer < tensor.storage->bufferCount(); ++buffer)
      most += tensor.storage->buffer(buffer).count;
  }

  /// Tells whether a coordinate of a level lies outside the tensor, below a position of the level
  /// above.
  bool leaveTensor(unsigned lvl, int64_t parent, int64_t crd) const {
    if (!areAsked)
      return false;
    SmallVector<int64_t> known(format.getLvlRank(), 0);
    for (unsigned level = 0; level < lvl; ++level)
      known[level] = above[level][size_t(parent)];
    known[lvl] = crd;
    return llvm::any_of(map.solvedAt[lvl], [&](const ta::SolvedDim &solved) {
      int64_t value = evaluate(solved.value, known);
      return value < 0 || value >= sizes[solved.dim];
    });
  }

  /// Goes to the positions of a level, of which there are `count`: `forEach` calls its argument
  /// with a position, its parent and its coordinate, for each of them.
  using Visit = llvm::function_ref<void(int64_t position, int64_t parent, int64_t crd)>;
  void descend(unsigned lvl, int64_t count, llvm::function_ref<void(Visit)> forEach) {
    // A level with places for more than is stored leads to buffers that are too short.
    areAsked &= count <= most;
    if (!areAsked)
      return;
    std::vector<std::vector<int64_t>> below(lvl + 1, std::vector<int64_t>(size_t(count)));
    forEach([&](int64_t position, int64_t parent, int64_t crd) {
      for (unsigned level = 0; level < lvl; ++level)
        below[level][size_t(position)] = above[level][size_t(parent)];
      below[lvl][size_t(position)] = crd;
    });
    std::ranges::move(below, above.begin());
  }

private:
  ta::FormatAttr format;
  ArrayRef<int64_t> sizes;
  ta::FormatMap map;
  std::vector<std::vector<int64_t>> above; ///< by level, of each position of the last one
  bool areAsked = false;
  int64_t most = 1; ///< elements of all buffers
};

class Validator {
public:
  explicit Validator(const TensorValue &tensor)
      : tensor(tensor), storage(*tensor.storage), type(tensor.type), format(tensor.format()),
        ancestors(tensor) {}

  Status run() {
    std::vector<strata_type> types = bufferTypes(type);
    if (storage.bufferCount() != int64_t(types.size()))
      return Error{Error::InvalidStorage,
                   "the storage has " + counted(storage.bufferCount(), "buffer"),
                   std::to_string(types.size())};
    for (auto [at, expected] : llvm::enumerate(types)) {
      const strata_buffer &buffer = storage.buffer(int64_t(at));
      if (buffer.type != expected || buffer.count < 0 || (buffer.count > 0 && !buffer.data))
        return Error{Error::InvalidStorage,
                     "buffer " + std::to_string(at) +
                         " of the storage is of another type, or absent",
                     runtime::typeName(expected)};
    }
    if (Status fine = readExtents(); !fine.ok())
      return fine;
    for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl)
      if (Status fine = checkLevel(lvl); !fine.ok())
        return fine;
    if (Status fine = checkRanks(); !fine.ok())
      return fine;
    if (storage.values().count != positions)
      return Error{Error::InvalidStorage,
                   "the storage has " + counted(storage.values().count, "value"),
                   std::to_string(positions) + ", one for each position of the last level"};
    return Status();
  }

private:
  std::string name(unsigned lvl) const {
    return "level " + std::to_string(lvl + 1) + " (" + format.getLevels()[lvl].getName().str() +
           ")";
  }

  // The extents of the levels; the numbers of slots are in buffers of their own.
  Status readExtents() {
    SmallVector<int64_t> slots;
    int64_t buffer = 0;
    for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl) {
      buffer += int64_t(levelBuffers(format, lvl).size());
      if (format.isSlot(lvl)) { // the last of the level's buffers
        const strata_buffer &stored = storage.buffer(buffer - 1);
        if (stored.count != 1 || stored.type != STRATA_I64 ||
            *static_cast<const int64_t *>(stored.data) < 0)
          return Error{Error::InvalidStorage,
                       name(lvl) + ": the number of slots is missing or negative"};
        slots.push_back(*static_cast<const int64_t *>(stored.data));
      }
    }
    extents = levelExtents(format, storage.sizes(), slots);
    return Status();
  }

  // Each window of a sorted dimension has its own coordinates, and the two buffers undo each other.
  Status checkRanks() const {
    for (auto [at, dim] : llvm::enumerate(format.sortedDims())) {
      const strata_buffer &order = storage.buffer(nextBuffer + 2 * int64_t(at));
      const strata_buffer &ranks = storage.buffer(nextBuffer + 2 * int64_t(at) + 1);
      int64_t size = storage.sizes()[dim], window = format.getWindows()[dim];
      std::string name = "the order of dimension " + std::to_string(dim + 1);
      if (order.count != size || ranks.count != size)
        return Error{Error::InvalidStorage,
                     name + " has " + counted(order.count, "coordinate") + " and " +
                         std::to_string(ranks.count) + " ranks",
                     std::to_string(size)};
      for (int64_t rank = 0; rank < size; ++rank) {
        int64_t crd = static_cast<const int64_t *>(order.data)[rank];
        if (crd < 0 || crd >= size || crd / window != rank / window)
          return Error{Error::InvalidStorage,
                       name + ": the coordinate of rank " + std::to_string(rank) + " is " +
                           std::to_string(crd),
                       "one of the same window"};
        if (int64_t found = static_cast<const int64_t *>(ranks.data)[crd]; found != rank)
          return Error{Error::InvalidStorage,
                       name + ": the rank of coordinate " + std::to_string(crd) + " is " +
                           std::to_string(found),
                       std::to_string(rank)};
      }
    }
    return Status();
  }

  Status checkLevel(unsigned lvl) {
    const LevelFormat &levelFormat = *findLevelFormat(format.getLevels()[lvl].getName());
    nextBuffer += int64_t(levelBuffers(format, lvl).size());
    if (levelFormat.traits.iteratesCoordinates && !levelFormat.traits.computed)
      if (Status fine = checkPlaces(lvl); !fine.ok())
        return fine;
    if (const Inspect *inspect = levelFormat.inspect())
      return checkStored(lvl, *inspect);
    if (!levelFormat.buffers().empty())
      return Error{Error::InvalidStorage,
                   name(lvl) + " cannot be checked: its format does not tell how to read it"};
    // Without buffers: a place for each coordinate, or for the one that is computed, on which no
    // other depends.
    joined.clear();
    const int64_t parents = positions;
    const LevelExtent &extent = extents[lvl];
    bool isOne = levelFormat.traits.computed || levelFormat.traits.defaults.branchless;
    if (!isOne && __builtin_mul_overflow(parents, extent.extent, &positions))
      return Error{Error::IndexWidth, name(lvl) + " has more places than 63 bits count"};
    ancestors.descend(lvl, positions, [&](Ancestors::Visit visit) {
      for (int64_t parent = 0, position = 0; parent < parents; ++parent)
        for (int64_t at = 0; at < (isOne ? 1 : extent.extent); ++at)
          visit(position++, parent, extent.first + at);
    });
    return Status();
  }

  // Positions above a level with a place for each coordinate differ: the places below them would be
  // those of the same entries.
  Status checkPlaces(unsigned lvl) const {
    auto repeated = std::ranges::find(joined, true);
    if (repeated == joined.end())
      return Status();
    return Error{Error::InvalidStorage,
                 name(lvl - 1) + ": the coordinates at position " +
                     std::to_string(repeated - joined.begin()) + " are those of the one before",
                 "coordinates that are not there already: " + name(lvl) +
                     " has a place for each of its own below them"};
  }

  // Coordinates that lie in turns are as many of each level.
  Status checkTuples(unsigned lvl) const {
    int64_t stride = format.interleaving(lvl).stride;
    for (auto [spec, number] : llvm::zip(levelBuffers(format, lvl), visibleBuffers(format, lvl)))
      if (spec.kind == BufferKind::Coordinate && storage.buffer(number).count % stride != 0)
        return Error{Error::InvalidStorage,
                     name(lvl) + ": " + spec.name.str() + " has " +
                         counted(storage.buffer(number).count, "element"),
                     "a multiple of " + std::to_string(stride) +
                         ", the coordinates of whole entries"};
    return Status();
  }

  Status checkStored(unsigned lvl, const Inspect &inspect) {
    if (Status fine = checkTuples(lvl); !fine.ok())
      return fine;
    StoredLevel level = storedLevel(tensor, lvl, positions, extents[lvl]);
    std::string fault;
    std::optional<int64_t> count = inspect.positions(level, fault);
    if (!count)
      return Error{Error::InvalidStorage, name(lvl) + ": " + fault};
    LevelProperties properties = ta::levelProperties(format, lvl);
    std::vector<bool> repeated(properties.unique ? 0 : size_t(*count));
    for (int64_t parent = 0; parent < level.parents; ++parent)
      if (Status fine = checkFiber(lvl, inspect, level, parent, repeated); !fine.ok())
        return fine;
    ancestors.descend(lvl, *count, [&](Ancestors::Visit visit) {
      for (int64_t parent = 0; parent < level.parents; ++parent) {
        auto [begin, end] = inspect.children(level, parent);
        for (int64_t at = begin; at < end; ++at)
          if (std::optional<int64_t> crd = inspect.coordinate(level, at))
            visit(inspect.position(level, at), parent, *crd);
      }
    });
    joined = std::move(repeated);
    positions = *count;
    return Status();
  }

  // Checks where a coordinate lies that a position has.
  Status checkRange(unsigned lvl, int64_t parent, int64_t pos, int64_t crd) const {
    LevelExtent extent = extents[lvl];
    if (crd < extent.first || crd - extent.first >= extent.extent)
      return wrong(lvl, pos, crd,
                   "from " + std::to_string(extent.first) + " to " +
                       std::to_string(extent.first + extent.extent - 1));
    // What only fills gaps may lie anywhere.
    if (findLevelTraits(format.getLevels()[lvl].getName())->keepsCoordinates() &&
        ancestors.leaveTensor(lvl, parent, crd))
      return wrong(lvl, pos, crd,
                   "one that, with the coordinates above it, lies inside the tensor");
    return Status();
  }

  // The coordinates below one parent; those of the parent before go on if that has the same
  // coordinates.
  Status checkFiber(unsigned lvl, const Inspect &inspect, const StoredLevel &level, int64_t parent,
                    std::vector<bool> &repeated) {
    LevelProperties properties = ta::levelProperties(format, lvl);
    if (size_t(parent) >= joined.size() || !joined[size_t(parent)]) {
      previous.reset();
      seen.clear();
    }
    auto [begin, end] = inspect.children(level, parent);
    for (int64_t pos = begin; pos < end; ++pos) {
      std::optional<int64_t> crd = inspect.coordinate(level, pos);
      if (!crd)
        continue;
      for (int64_t one : {*crd, inspect.lastCoordinate(level, pos).value_or(*crd)})
        if (Status fine = checkRange(lvl, parent, pos, one); !fine.ok())
          return fine;
      bool twice = previous == crd ||
                   (!properties.ordered && properties.unique && !seen.insert(*crd).second);
      if (twice && properties.unique)
        return wrong(lvl, pos, *crd, "a coordinate that is not there already: they are unique");
      if (previous && properties.ordered && *crd < *previous)
        return wrong(lvl, pos, *crd,
                     "at least " + std::to_string(*previous) +
                         ", the coordinate before it: they are ordered");
      if (!repeated.empty())
        repeated[size_t(pos)] = previous == crd;
      previous = crd;
    }
    return Status();
  }

  Error wrong(unsigned lvl, int64_t pos, int64_t crd, std::string expected) const {
    return {Error::InvalidStorage,
            name(lvl) + ": the coordinate at position " + std::to_string(pos) + " is " +
                std::to_string(crd),
            std::move(expected)};
  }

  const TensorValue &tensor;
  const runtime::Storage &storage;
  RankedTensorType type;
  ta::FormatAttr format;
  Ancestors ancestors;
  SmallVector<LevelExtent> extents;
  int64_t positions = 1; // of the levels so far
  int64_t nextBuffer = 0;
  // Which of them have the same coordinates as the position before, in all levels so far.
  std::vector<bool> joined;
  std::optional<int64_t> previous;
  llvm::DenseSet<int64_t> seen; // those of an unordered level below the same coordinates
};

} // namespace

Status validate(const TensorValue &tensor) {
  for (auto [at, part] : llvm::enumerate(tensor.parts))
    if (Status fine = validate(part); !fine.ok())
      return within("part " + std::to_string(at + 1), fine.error());
  return tensor.parts.empty() ? Validator(tensor).run() : Status();
}

} // namespace strata
