// Draws storages: buffers as the runtime does, trees by the host functions of the levels.
#include "strata/tensor/StorageDump.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/host/LevelSpace.h"
#include "strata/host/Print.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/runtime/Counted.h"
#include "strata/tensor/EvaluateAffine.h"
#include "strata/tensor/StoredFormats.h"
#include "strata/tensor/StoredLevels.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace strata {
namespace {

constexpr int64_t mostLeaves = 24; ///< of a tree

// A coordinate and what is below it; at the leaf a value.
struct Node {
  std::string text;
  std::vector<Node> children;
  size_t width = 0;
};

class StorageDump {
public:
  StorageDump(const TensorValue &tensor, llvm::raw_ostream &out)
      : tensor(tensor), format(tensor.format()), storage(*tensor.storage),
        map(format.getDimToLvl()), names(ta::indexNames(format.getDimRank())),
        extents(levelExtents(format, tensor.sizes(),
                             host::slotsOf(*tensor.storage, storedFormatOf(tensor.type)))),
        out(out) {}

  void run() {
    int64_t parents = 1;
    for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl) {
      levels.push_back(storedLevel(tensor, lvl, parents, extents[lvl]));
      parents = positionsOf(format, lvl, levels[lvl]);
    }
    printTree();
  }

private:
  //===----------------------------------------------------------------------------------------===//
  // The tree
  //===----------------------------------------------------------------------------------------===//

  // Is what a level with places has there inside the tensor?
  bool isInside(unsigned lvl, ArrayRef<int64_t> coordinates) const {
    SmallVector<int64_t> known(coordinates);
    known.resize(format.getLvlRank(), 0);
    return llvm::all_of(relations.solvedAt[lvl], [&](const ta::SolvedDim &solved) {
      int64_t value = evaluate(solved.value, known);
      return value >= 0 && value < tensor.sizes()[solved.dim];
    });
  }

  void addNode(unsigned lvl, std::string text, int64_t crd, int64_t pos, bool stored,
               std::vector<Node> &to) {
    Node node{std::move(text), {}};
    coordinates.push_back(crd);
    bool leaf = lvl + 1 == format.getLvlRank();
    if (!stored)
      ++leaves;
    else if (leaf)
      node.children.push_back({host::valueText(storage, pos), {}}), ++leaves;
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

  static size_t layOut(Node &node) {
    size_t below = 0;
    for (Node &child : node.children)
      below += layOut(child);
    return node.width = std::max(below, node.text.size() + 2);
  }

  // Writes what lies `depth` below the nodes, each above its first child.
  static void printAt(ArrayRef<Node> nodes, unsigned depth, size_t begin, std::string &row) {
    for (const Node &node : nodes) {
      if (depth > 0) {
        printAt(node.children, depth - 1, begin, row);
      } else {
        row.resize(std::max(row.size(), begin), ' ');
        row += node.text;
      }
      begin += node.width;
    }
  }

  void printTree() {
    std::vector<Node> roots;
    addChildren(0, 0, roots);
    out << "  tree\n";
    if (roots.empty()) {
      out << "    empty\n";
      return;
    }
    for (Node &root : roots)
      layOut(root);
    SmallVector<std::string> heads;
    for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl)
      heads.push_back(ta::exprText(map.getResult(lvl), names));
    heads.push_back("value");
    size_t widest = 0;
    for (const std::string &head : heads)
      widest = std::max(widest, head.size());
    for (auto [depth, head] : llvm::enumerate(heads)) {
      std::string row;
      printAt(roots, depth, 0, row);
      out << "    " << llvm::left_justify(head, unsigned(widest) + 2) << StringRef(row).rtrim()
          << "\n";
    }
  }

  const TensorValue &tensor;
  ta::FormatAttr format;
  const runtime::Storage &storage;
  AffineMap map;
  SmallVector<std::string> names;
  SmallVector<LevelExtent> extents;
  llvm::raw_ostream &out;
  ta::FormatMap relations{map};
  SmallVector<StoredLevel> levels;
  SmallVector<int64_t> coordinates; // on the way down
  int64_t leaves = 0;
};

// "j : compressed"
std::string levelText(ta::FormatAttr format, unsigned lvl, ArrayRef<std::string> names) {
  std::string text;
  llvm::raw_string_ostream(text) << format.getLevels()[lvl];
  StringRef level = text;
  level.consume_front("#ta.level<");
  level.consume_back(">");
  return ta::exprText(format.getDimToLvl().getResult(lvl), names) + " : " + level.str();
}

host::BufferText bufferTextOf(ta::FormatAttr format, unsigned lvl, const BufferSpec &spec,
                              strata_type type) {
  bool coordinates = spec.kind == BufferKind::Coordinate;
  return {.label = spec.name.str(),
          .isSigned =
              spec.kind == BufferKind::Word ||
              (coordinates && (strata_type_bytes(type) >= 4 || format.hasSignedCoordinates(lvl))),
          .marks = coordinates && findLevelTraits(format.getLevels()[lvl].getName())->pads};
}

} // namespace

host::StorageText storageTextOf(RankedTensorType type) {
  host::StorageText text;
  text.element = elementTypeWord(type.getElementType()).str();
  if (type.getRank() == 0)
    return text;
  ta::FormatAttr format = ta::formatOf(type);
  text.format = ta::formatName(format);
  SmallVector<std::string> names = ta::indexNames(format.getDimRank());
  std::vector<strata_type> types = bufferTypes(type);
  size_t buffer = 0;
  for (unsigned lvl = 0; lvl < format.getLvlRank(); ++lvl) {
    host::LevelText &level = text.levels.emplace_back();
    level.name = levelText(format, lvl, names);
    level.coordinate = affineOf(format.getDimToLvl().getResult(lvl));
    for (const BufferSpec &spec : levelBuffers(format, lvl))
      level.buffers.push_back(bufferTextOf(format, lvl, spec, types[buffer++]));
  }
  for (unsigned dim : format.sortedDims())
    for (const char *what : {"order of ", "ranks of "})
      text.orders.push_back({.label = what + names[dim], .isSigned = true});
  return text;
}

void dumpStorage(const TensorValue &tensor, StringRef name, llvm::raw_ostream &out) {
  if (tensor.parts.empty()) {
    out << host::storageText(name.str(), *tensor.storage, storageTextOf(tensor.type));
    if (!tensor.sizes().empty())
      StorageDump(tensor, out).run();
    return;
  }
  for (auto [at, part] : llvm::enumerate(tensor.parts))
    dumpStorage(part, host::partName(name.str(), at, tensor.parts.size()), out);
}

} // namespace strata
