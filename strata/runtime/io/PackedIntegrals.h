// Two-electron integrals (ij|kl) of which only those that differ are stored, as PySCF packs them.
//
//   4-fold  a matrix of pairs: element (ij, kl) with ij = i(i+1)/2 + j, i >= j, and kl likewise
//   8-fold  a vector, the lower triangle of that matrix, row by row: ij(ij+1)/2 + kl, ij >= kl
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_PACKEDINTEGRALS_H
#define STRATA_RUNTIME_IO_PACKEDINTEGRALS_H

#include "strata/runtime/storage/Coordinates.h"

namespace strata::runtime {

/// All n x n x n x n integrals, in lexicographic order, from a list of every element of a packed
/// array with 4- or 8-fold symmetry. A matrix of one row or column serves as a vector.
Result<Coordinates> expandPacked(Coordinates packed, int symmetry);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_PACKEDINTEGRALS_H
