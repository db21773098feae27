// Draws the pieces that cells of a machine have of a tensor.
#ifndef STRATA_PAGE_PIECESPICTURE_H
#define STRATA_PAGE_PIECESPICTURE_H

#include "strata/compile/KernelCompiler.h"
#include "strata/page/Pictures.h"
#include "strata/runtime/dist/Placement.h"

namespace strata::page {

/// A list of entries, who has which of them, and how they are to be stored.
struct PlacedEntries {
  const runtime::Coordinates &entries;
  const runtime::dist::Cut &cut;
  bool hasBoxes;                  ///< no axis cuts by entries: a cell has all that lies in its box
  std::vector<std::string> cells; ///< what each is called: "cell 1 of M, i in [2, 3]"
  mlir::Attribute fill = {};      ///< what is not listed is worth; zero if null
  bool force = false;             ///< stored even where that takes absurdly more than the list
};

/// The tree of coordinates of the whole, in which a node is on the colours of all cells that have
/// something of it, and below it the arrays of each cell's piece, in its colour. (003 Figures 5 and
/// 9c, d.) Fails where the entries cannot be stored in the type's format.
runtime::Result<std::string> piecesSvg(KernelCompiler &compiler, mlir::RankedTensorType type,
                                       const PlacedEntries &placed, llvm::StringRef title,
                                       Ground ground);

} // namespace strata::page

#endif // STRATA_PAGE_PIECESPICTURE_H
