// Searches an iterator from where it stands on, instead of walking it step by step.
#ifndef STRATA_LOWER_SCF_GALLOPSEARCH_H
#define STRATA_LOWER_SCF_GALLOPSEARCH_H

#include "strata/lower/scf/CoordinateKey.h"
#include "strata/lower/scf/LevelCursor.h"

namespace strata {

/// Returns the first position from `begin` on at which the key of the coordinates is not below
/// `target`; the end where there is none. It looks at as many positions as the logarithm of how far
/// it goes: by steps of double length, then by halves of the last one. The walk is counted.
mlir::Value firstNotBelow(mlir::Value target, const LevelCursor &walk, mlir::Value begin,
                          const CoordinateKey &key, mlir::OpBuilder &b, mlir::Location loc);

} // namespace strata

#endif // STRATA_LOWER_SCF_GALLOPSEARCH_H
