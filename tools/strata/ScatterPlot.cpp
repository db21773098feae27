// Draws points.
#include "ScatterPlot.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using llvm::format;
using llvm::raw_ostream;
using llvm::StringRef;

namespace strata::tool {

namespace {

constexpr double width = 460, height = 380, left = 70, right = 20, top = 50, bottom = 50;
constexpr StringRef colours[] = {"#1b6ca8", "#d1495b", "#3d8b37", "#8f5ba8", "#b07d12", "#3a3a3a"};

std::string escaped(StringRef text) {
  std::string safe;
  for (char c : text)
    safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return safe;
}

/// A logarithmic axis from pixel `begin` to pixel `end`.
struct Axis {
  double low, high, begin, end;

  Axis(llvm::ArrayRef<double> values, double begin, double end) : begin(begin), end(end) {
    low = *llvm::min_element(values) / 1.5;
    high = *llvm::max_element(values) * 1.5;
  }
  double at(double value) const {
    return begin + std::log(value / low) / std::log(high / low) * (end - begin);
  }
  /// 1, 2 and 5 times powers of ten; the powers alone if these are many.
  std::vector<double> marks() const {
    std::vector<double> found;
    bool isLong = high / low > 300;
    for (int power = int(std::floor(std::log10(low))); std::pow(10, power) <= high; ++power)
      for (double digit : {1.0, 2.0, 5.0})
        if (double mark = digit * std::pow(10, power);
            mark >= low && mark <= high && (!isLong || digit == 1))
          found.push_back(mark);
    return found;
  }
};

class PlotWriter {
public:
  PlotWriter(raw_ostream &os, const Plot &plot, double offset)
      : os(os), plot(plot), offset(offset),
        x(coordinates(&PlottedPoint::x), offset + left, offset + width - right),
        y(coordinates(&PlottedPoint::y), height - bottom, top) {}

  void write() {
    writeAxes();
    writeFrontier();
    for (auto [number, point] : llvm::enumerate(plot.points))
      writePoint(point, colours[number % std::size(colours)]);
  }

private:
  std::vector<double> coordinates(double PlottedPoint::*coordinate) const {
    std::vector<double> values;
    for (const PlottedPoint &point : plot.points)
      values.push_back(point.*coordinate);
    return values;
  }

  void writeLine(double x1, double y1, double x2, double y2, StringRef colour) {
    os << "<line x1=\"" << format("%.1f", x1) << "\" y1=\"" << format("%.1f", y1) << "\" x2=\""
       << format("%.1f", x2) << "\" y2=\"" << format("%.1f", y2) << "\" stroke=\"" << colour
       << "\"/>\n";
  }

  void writeText(double atX, double atY, StringRef anchor, StringRef text, StringRef more = "") {
    os << "<text x=\"" << format("%.1f", atX) << "\" y=\"" << format("%.1f", atY)
       << "\" text-anchor=\"" << anchor << "\"" << more << ">" << escaped(text) << "</text>\n";
  }

  static std::string numberText(double value) {
    std::string text;
    llvm::raw_string_ostream(text) << format("%g", value);
    return text;
  }

  void writeAxes() {
    for (double mark : x.marks()) {
      writeLine(x.at(mark), top, x.at(mark), height - bottom, "#dddddd");
      writeText(x.at(mark), height - bottom + 16, "middle", numberText(mark));
    }
    for (double mark : y.marks()) {
      writeLine(x.begin, y.at(mark), x.end, y.at(mark), "#dddddd");
      writeText(x.begin - 6, y.at(mark) + 4, "end", numberText(mark));
    }
    writeLine(x.begin, height - bottom, x.end, height - bottom, "#333333");
    writeLine(x.begin, top, x.begin, height - bottom, "#333333");
    writeText((x.begin + x.end) / 2, height - 14, "middle", plot.xTitle);
    std::string turned;
    llvm::raw_string_ostream(turned)
        << format(" transform=\"rotate(-90 %.1f %.1f)\"", offset + 16, (top + height - bottom) / 2);
    writeText(offset + 16, (top + height - bottom) / 2, "middle", plot.yTitle, turned);
  }

  bool isAtFrontier(const PlottedPoint &point) const {
    return llvm::none_of(plot.points, [&](const PlottedPoint &other) {
      return other.x <= point.x && other.y <= point.y && (other.x < point.x || other.y < point.y);
    });
  }

  void writeFrontier() {
    std::vector<const PlottedPoint *> frontier;
    for (const PlottedPoint &point : plot.points)
      if (isAtFrontier(point))
        frontier.push_back(&point);
    llvm::sort(frontier, [](auto *a, auto *b) { return a->x < b->x; });
    os << "<polyline fill=\"none\" stroke=\"#888888\" stroke-dasharray=\"4 3\" points=\"";
    for (const PlottedPoint *point : frontier)
      os << format("%.1f,%.1f ", x.at(point->x), y.at(point->y));
    os << "\"/>\n";
  }

  void writePoint(const PlottedPoint &point, StringRef colour) {
    double atX = x.at(point.x), atY = y.at(point.y);
    os << "<circle cx=\"" << format("%.1f", atX) << "\" cy=\"" << format("%.1f", atY)
       << "\" r=\"4\" fill=\"" << colour << "\"><title>" << escaped(point.label) << ": "
       << format("%g, %g", point.x, point.y) << "</title></circle>\n";
    if (point.isBest)
      os << "<circle cx=\"" << format("%.1f", atX) << "\" cy=\"" << format("%.1f", atY)
         << "\" r=\"8\" fill=\"none\" stroke=\"#333333\" stroke-width=\"1.5\"/>\n";
    constexpr size_t mostLabels = 12; // more would hide each other
    if (plot.points.size() > mostLabels && !isAtFrontier(point))
      return;
    bool isFarRight = atX > (x.begin + x.end) / 2;
    writeText(atX + (isFarRight ? -8 : 8), atY - 7, isFarRight ? "end" : "start", point.label,
              " font-size=\"10\"");
  }

  raw_ostream &os;
  const Plot &plot;
  double offset;
  Axis x, y;
};

} // namespace

std::string drawPlots(StringRef title, llvm::ArrayRef<Plot> plots) {
  std::string text;
  llvm::raw_string_ostream os(text);
  double all = width * double(plots.size());
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << format("%.0f", all)
     << "\" height=\"" << format("%.0f", height)
     << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
     << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"" << format("%.0f", left)
     << "\" y=\"24\" font-size=\"14\">" << escaped(title) << "</text>\n";
  for (auto [number, plot] : llvm::enumerate(plots))
    if (!plot.points.empty())
      PlotWriter(os, plot, width * double(number)).write();
  os << "</svg>\n";
  return text;
}

} // namespace strata::tool
