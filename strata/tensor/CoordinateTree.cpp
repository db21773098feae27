// Reads trees of coordinates by the host functions of the levels.
#include "strata/tensor/CoordinateTree.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/host/LevelSpace.h"
#include "strata/host/Print.h"
#include "strata/tensor/EvaluateAffine.h"
#include "strata/tensor/StoredFormats.h"
#include "strata/tensor/StoredLevels.h"

using namespace mlir;

namespace strata {
namespace {

using Node = CoordinateTree::Node;

class TreeReader {
public:
  TreeReader(const TensorValue &tensor, int64_t mostLeaves)
      : tensor(tensor), format(tensor.format()), storage(*tensor.storage),
        map(format.getDimToLvl()), names(ta::indexNames(format.getDimRank())),
        extents(levelExtents(format, tensor.sizes(),
                             host::slotsOf(*tensor.storage, storedFormatOf(tensor.type)))),
        mostLeaves(mostLeaves) {}

  CoordinateTree read() {
    int64_t parents = 1;
    for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl) {
      levels.push_back(storedLevel(tensor, lvl, parents, extents[lvl]));
      parents = positionsOf(format, lvl, levels[lvl]);
    }
    CoordinateTree tree;
    for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl)
      tree.rows.push_back(ta::exprText(map.getResult(lvl), names));
    tree.rows.push_back("value");
    addChildren(0, 0, tree.roots);
    return tree;
  }

private:
  // Is what a level with places has there inside the tensor?
  bool isInside(unsigned lvl, ArrayRef<int64_t> coordinates) const {
    SmallVector<int64_t> known(coordinates);
    known.resize(format.getLvlRank(), 0);
    return llvm::all_of(relations.solvedAt[lvl], [&](const ta::SolvedDim &solved) {
      int64_t value = evaluate(solved.value, known);
      return value >= 0 && value < tensor.sizes()[solved.dim];
    });
  }

  // What the levels down to this one tell of the dimensions.
  std::vector<int64_t> placeOf(unsigned lvl) const {
    SmallVector<int64_t> known(coordinates);
    known.resize(format.getLvlRank(), 0);
    std::vector<int64_t> place(format.getDimRank(), -1);
    for (unsigned level = 0; level <= lvl; ++level)
      for (const ta::SolvedDim &solved : relations.solvedAt[level])
        place[solved.dim] = evaluate(solved.value, known);
    return place;
  }

  void addNode(unsigned lvl, std::string text, int64_t crd, int64_t pos, bool stored,
               std::vector<Node> &to) {
    coordinates.push_back(crd);
    Node node{std::move(text), {}, placeOf(lvl)};
    bool leaf = lvl + 1 == format.getLvlRank();
    if (!stored)
      ++leaves;
    else if (leaf)
      node.children.push_back({host::valueText(storage, pos), {}, node.place}), ++leaves;
    else
      addChildren(lvl + 1, pos, node.children);
    leaves += stored && !leaf && node.children.empty();
    coordinates.pop_back();
    to.push_back(std::move(node));
  }

  // Says whether there is room for another one.
  bool hasRoom(std::vector<Node> &to) {
    if (leaves < mostLeaves)
      return true;
    if (to.empty() || to.back().text != "...")
      to.push_back({"...", {}});
    return false;
  }

  void addChildren(unsigned lvl, int64_t parent, std::vector<Node> &to) {
    const LevelFormat &level = *findLevelFormat(format.getLevels()[lvl].getName());
    if (const Inspect *inspect = level.inspect()) {
      auto [begin, end] = inspect->children(levels[lvl], parent);
      for (int64_t at = begin; at < end; ++at) {
        std::optional<int64_t> crd = inspect->coordinate(levels[lvl], at);
        if (!crd && !level.traits.pads)
          continue;
        if (!hasRoom(to))
          return;
        std::string text = crd ? std::to_string(*crd) : "-";
        if (std::optional<int64_t> last = inspect->lastCoordinate(levels[lvl], at);
            crd && last && *last != *crd)
          text += "-" + std::to_string(*last);
        addNode(lvl, text, crd.value_or(0), inspect->position(levels[lvl], at), crd.has_value(),
                to);
      }
      return;
    }
    if (level.traits.computed) {
      SmallVector<int64_t> known(coordinates);
      known.resize(format.getLvlRank(), 0);
      int64_t crd = evaluate(relations.implied[lvl], known);
      coordinates.push_back(crd);
      bool inside = isInside(lvl, coordinates);
      coordinates.pop_back();
      if (inside && hasRoom(to))
        addNode(lvl, std::to_string(crd), crd, parent, true, to);
      return;
    }
    for (int64_t at = 0; at < extents[lvl].extent; ++at) {
      int64_t crd = extents[lvl].first + at;
      coordinates.push_back(crd);
      bool inside = isInside(lvl, coordinates);
      coordinates.pop_back();
      if (!inside)
        continue;
      if (!hasRoom(to))
        return;
      addNode(lvl, std::to_string(crd), crd, parent * extents[lvl].extent + at, true, to);
    }
  }

  const TensorValue &tensor;
  ta::FormatAttr format;
  const runtime::Storage &storage;
  AffineMap map;
  SmallVector<std::string> names;
  SmallVector<LevelExtent> extents;
  int64_t mostLeaves;
  ta::FormatMap relations{map};
  SmallVector<StoredLevel> levels;
  SmallVector<int64_t> coordinates; // on the way down
  int64_t leaves = 0;
};

} // namespace

CoordinateTree coordinateTree(const TensorValue &tensor, int64_t mostLeaves) {
  return TreeReader(tensor, mostLeaves).read();
}

} // namespace strata
