// Tells what cells of a machine have of a tensor, level by level.
#ifndef STRATA_EXPLAIN_CELLPIECES_H
#define STRATA_EXPLAIN_CELLPIECES_H

#include "mlir/IR/BuiltinTypes.h"

#include <string>
#include <vector>

namespace strata {

/// How the piece of cell c is cut out of a tensor that is placed on a machine, a line for each
/// level: "B1: i in [c * s, (c + 1) * s), ... (universe partition)", "B2: what lies below these
/// (image)". (The partitions of 003 section IV, Figure 9b.)
std::vector<std::string> cellPieces(mlir::RankedTensorType type, llvm::StringRef name);

} // namespace strata

#endif // STRATA_EXPLAIN_CELLPIECES_H
