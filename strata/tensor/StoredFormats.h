// Formats of the compiler as the data that host code works on.
#ifndef STRATA_TENSOR_STOREDFORMATS_H
#define STRATA_TENSOR_STOREDFORMATS_H

#include "strata/dialect/ta/Ta.h"
#include "strata/host/Divide.h"
#include "strata/host/Reindex.h"
#include "strata/host/Scalars.h"

#include "mlir/IR/AffineMap.h"

namespace strata {

/// A function of dims; null gives an empty one.
host::Affine affineOf(mlir::AffineExpr expr);
std::vector<host::Affine> affineOf(mlir::AffineMap map);

/// Where an access lies, and how its coordinates are solved for the variables.
host::Place placeOf(mlir::AffineMap map);

/// How a tensor of a type with one storage, all of whose widths are decided, is stored.
host::StoredFormat storedFormatOf(mlir::RankedTensorType type);

/// How a sum divides entries among its parts.
std::vector<host::Division> divisionsOf(ta::SumAttr sum);

/// The sign of the numbers that are compared is theirs.
host::Relation relationOf(ta::Relation relation);

} // namespace strata

#endif // STRATA_TENSOR_STOREDFORMATS_H
