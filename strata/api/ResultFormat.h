// The format of a result that nobody chose.
#ifndef STRATA_API_RESULTFORMAT_H
#define STRATA_API_RESULTFORMAT_H

#include "strata/dialect/ta/Ta.h"

namespace strata::api {

/// What the statement's result is worth storing in. A dimension is compressed if nothing is left
/// where the operands that store some of its coordinates only are absent, as folding tells: 001,
/// section 5.1, has a rule for + and one for *, and this is both, and those of all other operators.
/// If that is so for none, but nothing is left without the sparse operands along all of several
/// dimensions (`A(i,j) * B(k,j)` of two CSR matrices), the last one is compressed. If it is so
/// along one dimension at all, with or without all of its coordinates, as for a matrix times a
/// dense vector or matrix, then that is compressed only if an operand stores each of its
/// coordinates once, at its root; the format of the matrix makes no other difference. Null means
/// dense. A sparse operand's own format is taken as it is where it fits.
mlir::Attribute resultFormatOf(ta::ComputeOp statement);

/// The same of tensors one behind the other: the format of the first where that stores dimensions
/// as they are, else CSR for matrices, and all levels compressed for other tensors. Null, which
/// means dense, if one of them is dense.
mlir::Attribute resultFormatOf(mlir::ValueRange tensors);

/// Which cells have what of the result, if operands are in pieces: on each axis of the machine of
/// the first one, what the first operand that it cuts has, by coordinates of the dimensions that
/// both have. (If it cuts all of these by entries, and the result stores entries, too, so is that.)
/// Null if that is nothing, which means that each process has all of it.
ta::PlacementAttr resultPlacementOf(ta::ComputeOp statement, bool isFull);

} // namespace strata::api

#endif // STRATA_API_RESULTFORMAT_H
