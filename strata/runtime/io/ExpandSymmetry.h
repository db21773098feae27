// Matrices of which a file holds one triangle: checking it, and adding the other.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_EXPANDSYMMETRY_H
#define STRATA_RUNTIME_IO_EXPANDSYMMETRY_H

#include "strata/runtime/storage/Coordinates.h"

#include <optional>

namespace strata::runtime {

/// What an entry says of the one at the mirrored place: the same, its negative, its conjugate.
enum class Symmetry { general, symmetric, skewSymmetric, hermitian };

/// An entry that cannot be part of such a matrix, and why.
struct Asymmetry {
  int64_t entry;
  std::string message, expected;
};

/// Where asymmetries are looked for: on the diagonal, which has no mirror image, other readers take
/// what is stored.
enum class AsymmetryScope { everywhere, offDiagonal };

/// The first such entry of a matrix; nothing if there is none.
std::optional<Asymmetry> findAsymmetry(const Coordinates &list, Symmetry symmetry,
                                       AsymmetryScope scope = AsymmetryScope::everywhere);

/// Appends the mirror images of the entries outside the diagonal, in their order. The list must
/// have no asymmetry there.
Status expandSymmetry(Coordinates &list, Symmetry symmetry);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_EXPANDSYMMETRY_H
