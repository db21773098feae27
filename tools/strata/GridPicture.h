// Draws which cell of a grid has which entries of a vector or a matrix.
#ifndef STRATA_TOOLS_GRIDPICTURE_H
#define STRATA_TOOLS_GRIDPICTURE_H

#include "strata/runtime/dist/Placement.h"

#include "llvm/Support/raw_ostream.h"

namespace strata::tool {

/// A character for each place, or for a block of places, where there are more of them than fit on a
/// page: the cell that has the entries there, the first one of those that have the same; `+` where
/// several cells have some. Fails of a tensor of more than two dimensions.
runtime::Status drawCells(const runtime::Coordinates &list, const runtime::dist::Cut &cut,
                          int64_t cells, llvm::raw_ostream &os);

} // namespace strata::tool

#endif // STRATA_TOOLS_GRIDPICTURE_H
