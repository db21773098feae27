// Writes elements of SVG.
#include "strata/page/SvgWriter.h"

#include "strata/page/Markup.h"

#include <cmath>

using llvm::StringRef;
using llvm::Twine;

namespace strata::page {

std::string lengthText(double length) {
  auto hundredths = std::llround(length * 100);
  std::string text = (hundredths < 0 ? "-" : "") + std::to_string(std::abs(hundredths) / 100);
  if (auto rest = std::abs(hundredths) % 100)
    text += StringRef("." + std::to_string(100 + rest).substr(1)).rtrim('0');
  return text;
}

// The letters of the usual fonts of one width are 0.6 of their size wide.
double SvgWriter::widthOf(StringRef text, double size) {
  auto letters = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80; // not inside a letter of several bytes
  });
  return double(letters) * size * 0.61;
}

StringRef SvgWriter::colorOf(unsigned number) {
  static constexpr StringRef colors[] = {"#2f7fd6", "#d1690e", "#2a9d57", "#b24fc0",
                                         "#d0435a", "#1593a0", "#96780f", "#7d6ce0"};
  return colors[number % std::size(colors)];
}

static std::string attribute(StringRef name, const Twine &value) {
  return " " + name.str() + "=\"" + escaped(value.str()) + "\"";
}

static std::string length(StringRef name, double value) {
  return attribute(name, lengthText(value));
}

static std::string paint(StringRef fill, const Stroke &stroke) {
  std::string text = attribute("fill", fill) + attribute("stroke", stroke.color) +
                     length("stroke-width", stroke.width);
  if (!stroke.dashes.empty())
    text += attribute("stroke-dasharray", stroke.dashes);
  if (stroke.opacity < 1)
    text += length("stroke-opacity", stroke.opacity);
  return text;
}

void SvgWriter::beginGroup(StringRef kind) { body += "<g" + attribute("class", kind) + ">\n"; }

void SvgWriter::beginGroup(StringRef kind, double x, double y) {
  body += "<g" + attribute("class", kind) +
          attribute("transform", "translate(" + lengthText(x) + " " + lengthText(y) + ")") + ">\n";
}

void SvgWriter::endGroup() { body += "</g>\n"; }

void SvgWriter::path(StringRef kind, const Twine &path, const Stroke &stroke) {
  body += "<path" + attribute("class", kind) + attribute("d", path) + paint("none", stroke) +
          attribute("stroke-linecap", "round") + "/>\n";
}

void SvgWriter::circle(double x, double y, double radius, StringRef fill, const Stroke &stroke) {
  body += "<circle" + length("cx", x) + length("cy", y) + length("r", radius) +
          paint(fill, stroke) + "/>\n";
}

void SvgWriter::box(double x, double y, double width, double height, double radius, StringRef fill,
                    const Stroke &stroke) {
  body += "<rect" + length("x", x) + length("y", y) + length("width", width) +
          length("height", height) + length("rx", radius) + paint(fill, stroke) + "/>\n";
}

void SvgWriter::shade(double x, double y, double width, double height, double radius,
                      StringRef color) {
  body += "<rect" + attribute("class", "shade") + length("x", x) + length("y", y) +
          length("width", width) + length("height", height) + length("rx", radius) +
          attribute("fill", color) + length("fill-opacity", 0.3) + "/>\n";
}

void SvgWriter::text(double x, double y, StringRef text, const TextStyle &style) {
  body += "<text" + length("x", x) + length("y", y) + attribute("fill", style.color);
  if (style.anchor != "start")
    body += attribute("text-anchor", style.anchor);
  if (style.size != 13)
    body += length("font-size", style.size);
  if (style.bold)
    body += attribute("font-weight", "600");
  if (style.opacity < 1)
    body += length("fill-opacity", style.opacity);
  body += ">" + escaped(text) + "</text>\n";
}

std::string SvgWriter::finish(double width, double height, StringRef title, bool inPage) const {
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + length("width", width) +
                     length("height", height) +
                     attribute("viewBox", "0 0 " + lengthText(width) + " " + lengthText(height)) +
                     attribute("role", "img") + attribute("font-size", "13") +
                     attribute("font-family", "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, "
                                              "monospace") +
                     ">\n<title>" + escaped(title) + "</title>\n";
  if (!inPage)
    text += "<style>svg{color:#1f2328;background:#fff}@media (prefers-color-scheme:dark)"
            "{svg{color:#e6edf3;background:#0d1117}}</style>\n";
  return text + body + "</svg>\n";
}

} // namespace strata::page
