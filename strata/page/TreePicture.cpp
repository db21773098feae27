// Draws trees of coordinates: a row for each level, each coordinate over the middle of its
// children.
#include "strata/page/TreePicture.h"
#include "strata/page/Pictures.h"
#include "strata/page/SvgWriter.h"

using llvm::StringRef;

namespace strata::page {
namespace {

class TreePicture {
public:
  TreePicture(const CoordinateTree &tree, SvgWriter &svg, CellsOfNode cellsOf)
      : tree(tree), svg(svg), cellsOf(cellsOf) {
    for (StringRef row : tree.rows)
      left = std::max(left, SvgWriter::widthOf(row));
    if (cellsOf)
      left = std::max(left, SvgWriter::widthOf(cellRow));
    left += margin + 24;
  }

  double width() const { return right + margin; }
  double height() const { return rowOf(unsigned(tree.rows.size() + (cellsOf ? 1 : 0))) + margin; }

  void draw() {
    double x = left;
    std::vector<double> middles;
    for (const CoordinateTree::Node &root : tree.roots)
      middles.push_back(draw(root, 1, x));
    right = std::max(x, left + 20);
    double middle = middles.empty() ? left + 10 : (middles.front() + middles.back()) / 2;
    for (double to : middles)
      edge(middle, 0, to);
    svg.circle(middle, rowOf(0), 4, "currentColor", {});
    for (auto [at, row] : llvm::enumerate(tree.rows))
      svg.text(margin, rowOf(unsigned(at) + 1) + 4, row, {.opacity = 0.75});
    if (cellsOf)
      svg.text(margin, rowOf(unsigned(tree.rows.size()) + 1) + 4, cellRow, {.opacity = 0.75});
  }

private:
  static constexpr double margin = 16, rowHeight = 46, nodeHeight = 22, gap = 8;
  static constexpr StringRef cellRow = "cell";

  static double rowOf(unsigned depth) { return margin + 8 + depth * rowHeight; }

  void edge(double from, unsigned depth, double to) {
    double top = rowOf(depth) + (depth ? nodeHeight / 2 : 4),
           bottom = rowOf(depth + 1) - nodeHeight / 2;
    svg.path("child",
             "M" + lengthText(from) + " " + lengthText(top) + " L" + lengthText(to) + " " +
                 lengthText(bottom),
             {.opacity = 0.5});
  }

  // Draws what is below a node from `x` on, which moves to its right end, and then the node.
  // Returns where its middle is.
  double draw(const CoordinateTree::Node &node, unsigned depth, double &x) {
    double wide = std::max({nodeHeight, SvgWriter::widthOf(node.text) + 12,
                            depth == tree.rows.size() ? SvgWriter::widthOf(numbersOf(node)) : 0}),
           begin = x;
    std::vector<double> middles;
    for (const CoordinateTree::Node &child : node.children)
      middles.push_back(draw(child, depth + 1, x));
    double middle = middles.empty() ? begin + wide / 2 : (middles.front() + middles.back()) / 2;
    // A node that is wider than what is below it moves to the right until it has room.
    middle = std::max(middle, begin + wide / 2);
    x = std::max(x, middle + wide / 2 + gap);
    for (double to : middles)
      edge(middle, depth, to);
    drawNode(node, depth, middle, wide);
    return middle;
  }

  void drawNode(const CoordinateTree::Node &node, unsigned depth, double x, double wide) {
    bool isValue = depth == tree.rows.size(), isLeftOut = node.text == "...";
    svg.beginGroup("node");
    if (cellsOf)
      shade(cellsOf(node), depth, x, wide, isValue ? 3 : nodeHeight / 2);
    if (cellsOf && isValue)
      svg.text(x, rowOf(depth + 1) + 4.5, numbersOf(node), {.anchor = "middle", .opacity = 0.75});
    if (!isLeftOut)
      svg.box(x - wide / 2, rowOf(depth) - nodeHeight / 2, wide, nodeHeight,
              isValue ? 3 : nodeHeight / 2, "none",
              {.color = isValue ? SvgWriter::colorOf(0) : "currentColor", .width = 1.3});
    svg.text(x, rowOf(depth) + 4.5, isLeftOut ? "…" : StringRef(node.text),
             {.anchor = "middle", .color = isValue ? SvgWriter::colorOf(0) : "currentColor"});
    svg.endGroup();
  }

  // A stripe for each of the first cells; of one cell, with the corners of the node.
  void shade(llvm::ArrayRef<unsigned> cells, unsigned depth, double x, double wide, double radius) {
    cells = cells.take_front(mostCellsDrawn);
    const double stripe = cells.empty() ? 0 : wide / double(cells.size());
    for (auto [at, cell] : llvm::enumerate(cells))
      svg.shade(x - wide / 2 + double(at) * stripe, rowOf(depth) - nodeHeight / 2, stripe,
                nodeHeight, cells.size() == 1 ? radius : 0, SvgWriter::colorOf(cell));
  }

  // "0,1,4-7": of three and more neighbours the first and the last.
  std::string numbersOf(const CoordinateTree::Node &node) const {
    std::string text;
    llvm::ArrayRef<unsigned> cells;
    if (cellsOf)
      cells = cellsOf(node);
    for (size_t shown = 0; !cells.empty(); ++shown) {
      text += shown ? "," : "";
      if (shown == mostCellsDrawn)
        return text + "...";
      size_t count = 1;
      while (count < cells.size() && cells[count] == cells.front() + count)
        ++count;
      text += std::to_string(cells.front());
      if (count > 2)
        text += "-" + std::to_string(cells[count - 1]);
      cells = cells.drop_front(count > 2 ? count : 1);
    }
    return text;
  }

  const CoordinateTree &tree;
  SvgWriter &svg;
  CellsOfNode cellsOf;
  double left = 0, right = 0;
};

} // namespace

std::pair<double, double> drawTree(const CoordinateTree &tree, SvgWriter &svg,
                                   CellsOfNode cellsOf) {
  TreePicture picture(tree, svg, cellsOf);
  picture.draw();
  return {picture.width(), picture.height()};
}

std::string treeSvg(const CoordinateTree &tree, StringRef title, Ground ground) {
  SvgWriter svg;
  auto [width, height] = drawTree(tree, svg);
  return svg.finish(width, height, title, ground == Ground::Page);
}

} // namespace strata::page
