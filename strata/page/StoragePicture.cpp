// Draws storages: trees of coordinates, and the arrays that hold them.
#include "strata/page/StoragePicture.h"

#include "strata/host/StorageText.h"
#include "strata/page/Pictures.h"
#include "strata/tensor/StorageDump.h"

using llvm::StringRef;

namespace strata::page {
namespace {

constexpr double margin = 16, rowHeight = 30, boxHeight = 22, mostWide = 640;

} // namespace

void StoragePicture::heading(StringRef title, StringRef color) {
  svg.text(margin, y + 20, title, {.color = color, .bold = true});
  width = std::max(width, SvgWriter::widthOf(title) + 2 * margin);
  y += rowHeight;
}

void StoragePicture::drawTree(const CoordinateTree &tree, CellsOfNode cellsOf) {
  svg.beginGroup("tree", 0, y);
  auto [wide, high] = page::drawTree(tree, svg, cellsOf);
  svg.endGroup();
  width = std::max(width, wide);
  y += high;
}

void StoragePicture::drawArrays(const TensorValue &part, StringRef color) {
  for (const host::ShownLevel &level : host::shownLevels(*part.storage, storageTextOf(part.type)))
    drawLevel(level, color);
  y += margin / 2;
}

// "j : compressed" above its arrays; the values have no such line.
void StoragePicture::drawLevel(const host::ShownLevel &level, StringRef color) {
  if (!level.name.empty()) {
    std::string name = level.name + (level.remark.empty() ? "" : "  (" + level.remark + ")");
    svg.text(margin, y + 18, name, {.opacity = 0.75});
    width = std::max(width, SvgWriter::widthOf(name) + 2 * margin);
    y += rowHeight - 4;
  }
  for (const host::ShownArray &array : level.arrays) {
    const bool holdsValues = array.label == "values" && level.name.empty();
    drawArray(array, !color.empty() ? color : holdsValues ? SvgWriter::colorOf(0) : "currentColor");
  }
}

// A box for each element; as many rows of boxes as it takes.
void StoragePicture::drawArray(const host::ShownArray &array, StringRef color) {
  const double left = margin + 16 + std::max(SvgWriter::widthOf(array.label) + 10, 62.0);
  double x = left;
  svg.beginGroup("array");
  svg.text(margin + 16, y + 15.5, array.label, {.color = color});
  std::vector<std::string> elements = array.elements;
  if (array.count > int64_t(elements.size()))
    elements.push_back("... " + std::to_string(array.count));
  for (const std::string &element : elements) {
    const double wide = std::max(boxHeight, SvgWriter::widthOf(element) + 10);
    if (x > left && x + wide > mostWide) {
      x = left;
      y += rowHeight - 4;
    }
    svg.box(x, y, wide, boxHeight, 3, "none", {.color = color, .width = 1, .opacity = 0.8});
    svg.text(x + wide / 2, y + 15.5, element, {.anchor = "middle", .color = color});
    x += wide + 2;
    width = std::max(width, x + margin);
  }
  svg.endGroup();
  y += rowHeight;
}

std::string StoragePicture::finish(StringRef title, Ground ground) const {
  return svg.finish(width, y + margin / 2, title, ground == Ground::Page);
}

std::string storageSvg(const TensorValue &tensor, StringRef title, Ground ground) {
  StoragePicture picture;
  auto draw = [&](const TensorValue &part) {
    picture.drawTree(coordinateTree(part, mostLeavesDrawn));
    picture.drawArrays(part);
  };
  if (tensor.parts.empty())
    draw(tensor);
  for (auto [number, part] : llvm::enumerate(tensor.parts)) {
    picture.heading("part " + std::to_string(number + 1) + " of " +
                    std::to_string(tensor.parts.size()));
    draw(part);
  }
  return picture.finish(title, ground);
}

} // namespace strata::page
