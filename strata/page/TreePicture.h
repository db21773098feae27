// A tree of coordinates as a part of a picture.
#ifndef STRATA_PAGE_TREEPICTURE_H
#define STRATA_PAGE_TREEPICTURE_H

#include "strata/page/SvgWriter.h"
#include "strata/tensor/CoordinateTree.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace strata::page {

/// The cells of a machine that have something of a node.
using CellsOfNode = llvm::function_ref<llvm::ArrayRef<unsigned>(const CoordinateTree::Node &)>;

constexpr size_t mostCellsDrawn = 16; ///< of a node, and of a picture

/// Draws a tree from the upper left corner. Where the cells of nodes are told, in ascending order,
/// a node is on a ground of the colours of the first ones, and below the values is a row with the
/// numbers of their cells. Returns its width and height, margins included.
std::pair<double, double> drawTree(const CoordinateTree &tree, SvgWriter &svg,
                                   CellsOfNode cellsOf = nullptr);

} // namespace strata::page

#endif // STRATA_PAGE_TREEPICTURE_H
