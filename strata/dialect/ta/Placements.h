// Where the pieces of tensors are, and the machines that have them, as text.
#ifndef STRATA_DIALECT_TA_PLACEMENTS_H
#define STRATA_DIALECT_TA_PLACEMENTS_H

#include "strata/dialect/ta/Ta.h"

#include "mlir/IR/OpImplementation.h"

namespace strata::ta {

/// "M(~(i, j), *)", with these names of the dimensions.
std::string placementText(PlacementAttr placement, llvm::ArrayRef<std::string> dimensions);

/// The axes of a `ta.machine`: `x = 4, y = ?, z = "n"`.
mlir::ParseResult parseAxes(mlir::OpAsmParser &parser, mlir::ArrayAttr &axes,
                            mlir::DenseI64ArrayAttr &cells, mlir::ArrayAttr &parameters);
void printAxes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::ArrayAttr axes,
               mlir::DenseI64ArrayAttr cells, mlir::ArrayAttr parameters);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_PLACEMENTS_H
