// Follows the pieces of cells from the values of a tree up to its root.
#include "strata/page/PiecesPicture.h"

#include "strata/conversion/Packing.h"
#include "strata/page/StoragePicture.h"

#include "llvm/ADT/SmallVector.h"

#include <map>
#include <set>

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Result;

namespace strata::page {
namespace {

using Node = CoordinateTree::Node;
using Cells = llvm::SmallVector<unsigned>;

class PiecesPicture {
public:
  PiecesPicture(KernelCompiler &compiler, RankedTensorType type, const PlacedEntries &placed)
      : compiler(compiler), type(type), placed(placed) {}

  Result<std::string> draw(StringRef title, Ground ground) {
    for (int64_t cell = 0; cell < int64_t(placed.cells.size()); ++cell) {
      Result<Coordinates> piece = placed.cut.entriesOf(cell);
      if (!piece)
        return piece.takeStatus();
      noteOwner(unsigned(cell), *piece);
    }
    // Packing takes the list; the whole is needed later.
    Result<Coordinates> copy = placed.entries.clone();
    if (!copy)
      return copy.takeStatus();
    Result<TensorValue> whole =
        pack(compiler, std::move(*copy), type, nullptr, placed.force, placed.fill);
    if (!whole)
      return whole.takeStatus();
    for (const TensorValue &part : partsOf(*whole))
      drawWhole(part);
    for (size_t cell = 0; cell < std::min(placed.cells.size(), mostCellsDrawn); ++cell)
      if (runtime::Status drawn = drawPiece(unsigned(cell)); !drawn.ok())
        return drawn;
    if (placed.cells.size() > mostCellsDrawn)
      picture.heading("... " + std::to_string(placed.cells.size()) + " cells");
    return picture.finish(title, ground);
  }

private:
  static llvm::ArrayRef<TensorValue> partsOf(const TensorValue &tensor) {
    return tensor.parts.empty() ? llvm::ArrayRef(tensor) : llvm::ArrayRef(tensor.parts);
  }

  void noteOwner(unsigned cell, const Coordinates &piece) {
    const runtime::dist::Box box = placed.cut.boxOf(cell);
    for (int64_t entry = 0; entry < piece.count(); ++entry) {
      std::vector<int64_t> place = box.lo;
      for (int dim = 0; dim < int(piece.order()); ++dim)
        place[size_t(dim)] += piece.coordinate(dim, entry);
      owners[place].insert(cell);
    }
  }

  bool hasInBox(unsigned cell, const std::vector<int64_t> &place) const {
    const runtime::dist::Box box = placed.cut.boxOf(cell);
    for (auto [at, lo, hi] : llvm::zip_equal(place, box.lo, box.hi))
      if (lo >= hi || (at >= 0 && (at < lo || at >= hi)))
        return false;
    return true;
  }

  // Those of what is below it; of a value, or where nothing is below it, those that have its place.
  const Cells &cellsBelow(const Node &node) {
    std::set<unsigned> found;
    for (const Node &child : node.children) {
      const Cells &below = cellsBelow(child);
      found.insert(below.begin(), below.end());
    }
    if (node.children.empty() && placed.hasBoxes && !node.place.empty()) {
      for (unsigned cell = 0; cell < placed.cells.size(); ++cell)
        if (hasInBox(cell, node.place))
          found.insert(cell);
    } else if (auto owner = owners.find(node.place); node.children.empty() && owner != owners.end())
      found = owner->second;
    return cells[&node] = Cells(found.begin(), found.end());
  }

  void drawWhole(const TensorValue &part) {
    const CoordinateTree tree = coordinateTree(part, mostLeavesDrawn);
    cells.clear();
    for (const Node &root : tree.roots)
      cellsBelow(root);
    picture.drawTree(tree, [&](const Node &node) { return llvm::ArrayRef(cells[&node]); });
  }

  runtime::Status drawPiece(unsigned cell) {
    Result<Coordinates> piece = placed.cut.entriesOf(cell);
    if (!piece)
      return piece.takeStatus();
    Result<TensorValue> stored =
        pack(compiler, std::move(*piece), type, nullptr, placed.force, placed.fill);
    if (!stored)
      return stored.takeStatus();
    picture.heading(placed.cells[cell], SvgWriter::colorOf(cell));
    for (const TensorValue &part : partsOf(*stored))
      picture.drawArrays(part, SvgWriter::colorOf(cell));
    return runtime::Status();
  }

  KernelCompiler &compiler;
  RankedTensorType type;
  const PlacedEntries &placed;
  StoragePicture picture;
  std::map<std::vector<int64_t>, std::set<unsigned>> owners; ///< of each entry
  std::map<const Node *, Cells> cells;                       ///< of a tree's nodes
};

} // namespace

Result<std::string> piecesSvg(KernelCompiler &compiler, RankedTensorType type,
                              const PlacedEntries &placed, StringRef title, Ground ground) {
  return PiecesPicture(compiler, type, placed).draw(title, ground);
}

} // namespace strata::page
