// Writes pictures in SVG, which are readable on light and on dark ground.
#ifndef STRATA_PAGE_SVGWRITER_H
#define STRATA_PAGE_SVGWRITER_H

#include "llvm/ADT/Twine.h"

#include <string>

namespace strata::page {

/// How a line or an outline is drawn.
struct Stroke {
  llvm::StringRef color = "currentColor";
  double width = 1.2;
  llvm::StringRef dashes = ""; ///< "4 3"; empty of a full line
  double opacity = 1;
};

struct TextStyle {
  llvm::StringRef anchor = "start"; ///< start, middle or end
  llvm::StringRef color = "currentColor";
  double size = 13;
  bool bold = false;
  double opacity = 1;
};

/// Lengths are pixels, from the upper left corner. The picture has no ground, and what is drawn in
/// currentColor has the colour of the text around it: so it fits into any page. Text is text, in
/// letters of one width.
class SvgWriter {
public:
  /// The width of a text in letters of this size.
  static double widthOf(llvm::StringRef text, double size = 13);
  /// A colour that is legible on white and on black, of the number-th of several things.
  static llvm::StringRef colorOf(unsigned number);

  void beginGroup(llvm::StringRef kind); ///< the class of the group
  /// Shifts what the group holds.
  void beginGroup(llvm::StringRef kind, double x, double y);
  void endGroup();
  /// `path`: in SVG's language, "M0 0 L10 10".
  void path(llvm::StringRef kind, const llvm::Twine &path, const Stroke &stroke);
  void circle(double x, double y, double radius, llvm::StringRef fill, const Stroke &stroke);
  void box(double x, double y, double width, double height, double radius, llvm::StringRef fill,
           const Stroke &stroke);
  /// A ground of a colour, through which what lies below it is seen.
  void shade(double x, double y, double width, double height, double radius, llvm::StringRef color);
  void text(double x, double y, llvm::StringRef text, const TextStyle &style = {});

  /// The whole picture. `inPage`: it stands in a page, which gives it its colour; else it takes
  /// that of a light or a dark scheme, whichever is preferred.
  std::string finish(double width, double height, llvm::StringRef title, bool inPage) const;

private:
  std::string body;
};

/// A length as SVG has it, with at most two digits behind the point.
std::string lengthText(double length);

} // namespace strata::page

#endif // STRATA_PAGE_SVGWRITER_H
