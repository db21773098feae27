// A tree of coordinates as a part of a picture.
#ifndef STRATA_PAGE_TREEPICTURE_H
#define STRATA_PAGE_TREEPICTURE_H

#include "strata/page/SvgWriter.h"
#include "strata/tensor/CoordinateTree.h"

namespace strata::page {

/// Draws a tree from the upper left corner. Returns its width and height, margins included.
std::pair<double, double> drawTree(const CoordinateTree &tree, SvgWriter &svg);

} // namespace strata::page

#endif // STRATA_PAGE_TREEPICTURE_H
