// Draws storages: trees of coordinates, and the arrays that hold them.
#include "strata/host/StorageText.h"
#include "strata/page/Pictures.h"
#include "strata/page/SvgWriter.h"
#include "strata/page/TreePicture.h"
#include "strata/tensor/StorageDump.h"

using llvm::StringRef;

namespace strata::page {
namespace {

constexpr int64_t mostDrawn = 36; ///< leaves of a tree
constexpr double margin = 16, rowHeight = 30, boxHeight = 22, mostWide = 640;

class StoragePicture {
public:
  void draw(const TensorValue &part, StringRef title) {
    if (!title.empty()) {
      svg.text(margin, y + 20, title, {.bold = true});
      y += rowHeight;
    }
    svg.beginGroup("tree", 0, y);
    auto [wide, high] = drawTree(coordinateTree(part, mostDrawn), svg);
    svg.endGroup();
    width = std::max(width, wide);
    y += high;
    for (const host::ShownLevel &level : host::shownLevels(*part.storage, storageTextOf(part.type)))
      drawLevel(level);
    y += margin / 2;
  }

  std::string finish(StringRef title, Ground ground) const {
    return svg.finish(width, y + margin / 2, title, ground == Ground::Page);
  }

private:
  // "j : compressed" above its arrays; the values have no such line.
  void drawLevel(const host::ShownLevel &level) {
    if (!level.name.empty()) {
      std::string name = level.name + (level.remark.empty() ? "" : "  (" + level.remark + ")");
      svg.text(margin, y + 18, name, {.opacity = 0.75});
      width = std::max(width, SvgWriter::widthOf(name) + 2 * margin);
      y += rowHeight - 4;
    }
    for (const host::ShownArray &array : level.arrays)
      drawArray(array, /*holdsValues=*/array.label == "values" && level.name.empty());
  }

  // A box for each element; as many rows of boxes as it takes.
  void drawArray(const host::ShownArray &array, bool holdsValues) {
    const double left = margin + 16 + std::max(SvgWriter::widthOf(array.label) + 10, 62.0);
    const StringRef color = holdsValues ? SvgWriter::colorOf(0) : StringRef("currentColor");
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

  SvgWriter svg;
  double y = 0, width = 0;
};

} // namespace

std::string storageSvg(const TensorValue &tensor, StringRef title, Ground ground) {
  StoragePicture picture;
  if (tensor.parts.empty())
    picture.draw(tensor, "");
  for (auto [number, part] : llvm::enumerate(tensor.parts))
    picture.draw(part, "part " + std::to_string(number + 1) + " of " +
                           std::to_string(tensor.parts.size()));
  return picture.finish(title, ground);
}

} // namespace strata::page
