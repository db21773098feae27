// Draws storages: buffers as the runtime does, trees of coordinates below them.
#include "strata/tensor/StorageDump.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/host/Print.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/runtime/Counted.h"
#include "strata/tensor/CoordinateTree.h"
#include "strata/tensor/StoredFormats.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace strata {
namespace {

// Writes trees of coordinates, each coordinate above its first child.
class TreeText {
public:
  explicit TreeText(const CoordinateTree &tree) : tree(tree) {}

  void print(llvm::raw_ostream &out) {
    out << "  tree\n";
    if (tree.roots.empty()) {
      out << "    empty\n";
      return;
    }
    size_t widest = 0;
    for (const std::string &row : tree.rows)
      widest = std::max(widest, row.size());
    for (auto [depth, head] : llvm::enumerate(tree.rows)) {
      std::string row;
      printAt(tree.roots, unsigned(depth), 0, row);
      out << "    " << llvm::left_justify(head, unsigned(widest) + 2) << StringRef(row).rtrim()
          << "\n";
    }
  }

private:
  static size_t widthOf(const CoordinateTree::Node &node) {
    size_t below = 0;
    for (const CoordinateTree::Node &child : node.children)
      below += widthOf(child);
    return std::max(below, node.text.size() + 2);
  }

  // Writes what lies `depth` below the nodes.
  static void printAt(ArrayRef<CoordinateTree::Node> nodes, unsigned depth, size_t begin,
                      std::string &row) {
    for (const CoordinateTree::Node &node : nodes) {
      if (depth > 0) {
        printAt(node.children, depth - 1, begin, row);
      } else {
        row.resize(std::max(row.size(), begin), ' ');
        row += node.text;
      }
      begin += widthOf(node);
    }
  }

  const CoordinateTree &tree;
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
      TreeText(coordinateTree(tensor)).print(out);
    return;
  }
  for (auto [at, part] : llvm::enumerate(tensor.parts))
    dumpStorage(part, host::partName(name.str(), at, tensor.parts.size()), out);
}

} // namespace strata
