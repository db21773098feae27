// Squares of as many vectors as these have elements.
#ifndef STRATA_LOWER_SCF_VECTORSQUARE_H
#define STRATA_LOWER_SCF_VECTORSQUARE_H

#include "mlir/IR/Builders.h"

namespace strata {

/// Transposes a square in registers, by shuffles: as many vectors as each has elements, a power of
/// two. It swaps the halves of blocks, from single elements to the halves of all: of two vectors at
/// a distance d the elements whose number has the bit d, and those whose has not. An element is
/// `parts` neighbours of a vector.
void transposeSquare(mlir::OpBuilder &b, mlir::Location loc,
                     llvm::MutableArrayRef<mlir::Value> vectors, int64_t parts = 1);

} // namespace strata

#endif // STRATA_LOWER_SCF_VECTORSQUARE_H
