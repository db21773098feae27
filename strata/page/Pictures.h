// Pictures of iteration graphs, merge lattices and trees of coordinates.
#ifndef STRATA_PAGE_PICTURES_H
#define STRATA_PAGE_PICTURES_H

#include "strata/explain/IterationGraph.h"
#include "strata/explain/MergeLattices.h"
#include "strata/tensor/CoordinateTree.h"

namespace strata::page {

/// Where a picture stands: by itself, or in a page, whose colours it takes.
enum class Ground { Own, Page };

/// Each graph below the one before. A loop is a group "loop" with a row of its own, a tensor a
/// column in its colour; a path "level walked", "level located" or "level inserted" leads from the
/// loop (or the root) in which the level above is reached to the loop that binds this one.
std::string graphSvg(const std::vector<IterationGraph> &graphs, Ground ground);

/// A panel, a group "lattice", for each loop, side by side. A point is a group "point" with the set
/// and what is computed there, the fullest above; a path "covers" leads from a point to one below
/// it. Below the least of a loop that passes over values is the empty set, a group "nothing".
std::string latticeSvg(const std::vector<MergeLattice> &lattices, Ground ground);

/// The tree as 004 draws it: a row for each level, coordinates in groups "node", and an edge, a
/// path "child", to each from the coordinate that it is below.
std::string treeSvg(const CoordinateTree &tree, llvm::StringRef title, Ground ground);

/// A storage: the tree, below it the arrays of each level, a group "array" with a box for each
/// element, and the values. Of a tensor in parts the pictures are one below the other.
std::string storageSvg(const TensorValue &tensor, llvm::StringRef title, Ground ground);

} // namespace strata::page

#endif // STRATA_PAGE_PICTURES_H
