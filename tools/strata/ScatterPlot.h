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
  double x = 0, y = 0;     ///< greater than 0
  bool isFrontier = false; ///< no other point has less of both: joined by a line
  bool isBest = false;     ///< has a ring
};

struct Plot {
  std::string xTitle, yTitle; ///< with units
  std::vector<PlottedPoint> points;
};

/// The plots side by side, below a title. Points that come from the same place of each plot's list
/// have the same colour.
std::string drawPlots(llvm::StringRef title, llvm::ArrayRef<Plot> plots);

} // namespace strata::tool

#endif // STRATA_TOOLS_SCATTERPLOT_H
