// Pictures of points in logarithmic scales, as SVG.
#ifndef STRATA_TOOLS_SCATTERPLOT_H
#define STRATA_TOOLS_SCATTERPLOT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace strata::tool {

struct PlottedPoint {
  std::string label;
  double x = 0, y = 0; ///< greater than 0
  bool isBest = false; ///< has a ring
};

struct Plot {
  std::string xTitle, yTitle; ///< with units
  std::vector<PlottedPoint> points;
};

/// The plots side by side, below a title. Points at the same place of each plot's list have the
/// same colour. A line joins the points of which no other one has less of both coordinates, or less
/// of one and as much of the other.
std::string drawPlots(llvm::StringRef title, llvm::ArrayRef<Plot> plots);

} // namespace strata::tool

#endif // STRATA_TOOLS_SCATTERPLOT_H
