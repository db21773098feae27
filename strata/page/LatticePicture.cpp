// Draws merge lattices: a panel for each loop, the points in layers by how much is there.
#include "strata/page/Pictures.h"
#include "strata/page/SvgWriter.h"

#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace strata::page {
namespace {

class LatticePicture {
public:
  static constexpr double margin = 20, gap = 22, widestRow = 1000;

  explicit LatticePicture(const MergeLattice &lattice) : lattice(lattice), edges(lattice.covers()) {
    passesOver =
        llvm::none_of(lattice.merged, [](StringRef name) { return name.starts_with("all "); }) &&
        llvm::none_of(lattice.points, [](const auto &point) { return point.present.empty(); });
    placePoints();
  }

  double width() const { return wide; }
  double height() const { return high; }

  void draw(SvgWriter &svg, double x, double y) const {
    svg.beginGroup("lattice", x, y);
    svg.text(0, 14, lattice.loop, {.size = 16, .bold = true});
    svg.text(SvgWriter::widthOf(lattice.loop, 16) + 10, 14, headText(),
             {.size = 12, .opacity = 0.75});
    for (auto [above, below] : edges)
      line(svg, above, places[below].x, places[below].y);
    if (passesOver)
      drawNothing(svg);
    for (unsigned point = 0; point < places.size(); ++point)
      drawPoint(svg, point);
    svg.endGroup();
  }

private:
  static constexpr double layerGap = 44, lineHeight = 18, padding = 10, headHeight = 46,
                          nothingRadius = 13;

  /// The middle of a point's upper side, and its size.
  struct Place {
    double x = 0, y = 0, width = 0, height = 0;
  };

  std::string headText() const {
    if (lattice.merges.empty())
      return "nothing to merge";
    return lattice.merges + (lattice.oneBody ? ", one body for all cases" : "");
  }

  Place sizeOf(const MergeLattice::Point &point) const {
    Place place{.width = SvgWriter::widthOf(lattice.setText(point)), .height = lineHeight};
    for (const std::string &text : point.computes)
      place.width = std::max(place.width, SvgWriter::widthOf(text, 12)), place.height += lineHeight;
    place.width += 2 * padding;
    place.height += padding;
    return place;
  }

  // Orders a layer by where the points above are that cover its own.
  void orderLayer(std::vector<unsigned> &layer, const std::vector<double> &centres) const {
    auto middle = [&](unsigned point) {
      double sum = 0;
      unsigned count = 0;
      for (auto [above, below] : edges)
        if (below == point)
          sum += centres[above], ++count;
      return count ? sum / count : 0;
    };
    llvm::sort(layer, [&](unsigned a, unsigned b) {
      return std::pair(middle(a), a) < std::pair(middle(b), b);
    });
  }

  // A point is in the layer below the lowest of those that cover it.
  std::vector<std::vector<unsigned>> layersFromAbove() const {
    std::vector<unsigned> layerOf(lattice.points.size());
    for (auto [above, below] : edges) // in the order of what is above, the fullest first
      layerOf[below] = std::max(layerOf[below], layerOf[above] + 1);
    std::vector<std::vector<unsigned>> layers;
    for (unsigned point = 0; point < layerOf.size(); ++point) {
      if (layerOf[point] >= layers.size())
        layers.resize(layerOf[point] + 1);
      layers[layerOf[point]].push_back(point);
    }
    return layers;
  }

  void placePoints() {
    for (const MergeLattice::Point &point : lattice.points)
      places.push_back(sizeOf(point));
    std::vector<std::vector<unsigned>> layers = layersFromAbove();
    std::vector<double> centres(places.size());
    wide = SvgWriter::widthOf(lattice.loop, 16) + 10 + SvgWriter::widthOf(headText(), 12);
    double y = headHeight;
    for (std::vector<unsigned> &layer : layers) {
      orderLayer(layer, centres);
      double x = 0, tallest = 0;
      for (unsigned point : layer) {
        Place &place = places[point];
        place.x = x + place.width / 2;
        place.y = y;
        x += place.width + gap;
        tallest = std::max(tallest, place.height);
      }
      x -= gap;
      for (unsigned point : layer)
        centres[point] = places[point].x -= x / 2;
      wide = std::max(wide, x);
      y += tallest + layerGap;
    }
    nothingY = y - 6;
    high = passesOver ? nothingY + nothingRadius : y - layerGap;
    for (Place &place : places)
      place.x += wide / 2;
  }

  void line(SvgWriter &svg, unsigned above, double x, double y) const {
    const Place &from = places[above];
    double bottom = from.y + from.height, middle = (bottom + y) / 2;
    svg.path("covers",
             "M" + lengthText(from.x) + " " + lengthText(bottom) + " C" + lengthText(from.x) + " " +
                 lengthText(middle) + " " + lengthText(x) + " " + lengthText(middle) + " " +
                 lengthText(x) + " " + lengthText(y),
             {.opacity = 0.55});
  }

  // The empty set, below the least points.
  void drawNothing(SvgWriter &svg) const {
    for (unsigned point = 0; point < places.size(); ++point)
      if (llvm::none_of(edges, [&](auto edge) { return edge.first == point; }))
        line(svg, point, wide / 2, nothingY - nothingRadius);
    svg.beginGroup("nothing");
    svg.circle(wide / 2, nothingY, nothingRadius, "none", {.dashes = "3 3", .opacity = 0.7});
    svg.text(wide / 2, nothingY + 5, "∅", {.anchor = "middle", .opacity = 0.75});
    svg.endGroup();
  }

  void drawPoint(SvgWriter &svg, unsigned number) const {
    const Place &place = places[number];
    const MergeLattice::Point &point = lattice.points[number];
    svg.beginGroup("point");
    svg.box(place.x - place.width / 2, place.y, place.width, place.height, 7, "none",
            {.width = 1.5, .opacity = 0.85});
    double y = place.y + lineHeight;
    svg.text(place.x, y, lattice.setText(point),
             {.anchor = "middle", .color = SvgWriter::colorOf(0), .bold = true});
    for (const std::string &text : point.computes)
      svg.text(place.x, y += lineHeight, text, {.anchor = "middle", .size = 12});
    svg.endGroup();
  }

  const MergeLattice &lattice;
  std::vector<std::pair<unsigned, unsigned>> edges;
  std::vector<Place> places;
  bool passesOver = false; ///< values at which nothing is there
  double wide = 0, high = 0, nothingY = 0;
};

} // namespace

std::string latticeSvg(const std::vector<MergeLattice> &lattices, Ground ground) {
  SvgWriter svg;
  constexpr double margin = LatticePicture::margin, gap = LatticePicture::gap;
  double width = 0, x = margin, y = margin, tallest = 0;
  std::string kernel = lattices.empty() ? "" : lattices.front().kernel;
  bool several = llvm::any_of(lattices, [&](const auto &one) { return one.kernel != kernel; });
  for (const MergeLattice &lattice : lattices) {
    LatticePicture picture(lattice);
    bool begins = several && (&lattice == &lattices.front() || lattice.kernel != kernel);
    if (begins || (x > margin && x + picture.width() > LatticePicture::widestRow)) {
      x = margin;
      y += tallest > 0 ? tallest + 1.5 * gap : 0;
      tallest = 0;
    }
    if (begins) {
      svg.text(x, y + 10, kernel = lattice.kernel, {.bold = true});
      y += 30;
    }
    picture.draw(svg, x, y);
    tallest = std::max(tallest, picture.height());
    x += picture.width() + 2 * gap;
    width = std::max(width, x - 2 * gap);
  }
  return svg.finish(width + margin, y + tallest + margin, "Merge lattices", ground == Ground::Page);
}

} // namespace strata::page
