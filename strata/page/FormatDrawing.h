// Draws what formats do, by a small tensor that is stored in them.
#ifndef STRATA_PAGE_FORMATDRAWING_H
#define STRATA_PAGE_FORMATDRAWING_H

#include "strata/compile/KernelCompiler.h"
#include "strata/page/Pictures.h"

namespace strata::page {

/// A tensor with a few entries of each order: a vector of 8, a matrix of 4 x 4, 3 x 3 x 3, 2 x 2 x
/// ...
runtime::Result<runtime::Coordinates> exampleEntries(int order);

/// HTML that shows a tensor of the type's format: its buffers as text and its tree of coordinates
/// as a picture, of each part where the format has several. Fails where the entries cannot be
/// stored in it. `entries`: the tensor; where there is none, the example of its order.
runtime::Result<std::string> formatDrawing(KernelCompiler &compiler, mlir::RankedTensorType type,
                                           llvm::StringRef name,
                                           std::optional<runtime::Coordinates> entries = {});

/// A picture of which cells of a machine have what of the example (piecesSvg), for a type with a
/// placement: of two cells on each axis.
runtime::Result<std::string> placementDrawing(KernelCompiler &compiler, mlir::RankedTensorType type,
                                              llvm::StringRef title);

} // namespace strata::page

#endif // STRATA_PAGE_FORMATDRAWING_H
