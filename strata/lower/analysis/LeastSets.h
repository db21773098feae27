// The least sets for which something holds that holds for all larger ones, too.
#ifndef STRATA_LOWER_ANALYSIS_LEASTSETS_H
#define STRATA_LOWER_ANALYSIS_LEASTSETS_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace strata {

/// Sets of at most so many elements can be searched: one bit is kept for each set.
inline constexpr unsigned mostSearched = 16;

/// The least sets of the elements 0 to count - 1, as bit masks, for which `holds`; ascending. It is
/// asked about (sets found + largest sets that fail) * count times, and not for all 2^count sets.
/// More elements than `mostSearched` are an internal error at `loc`, with no sets.
llvm::SmallVector<unsigned> leastSets(mlir::Location loc, unsigned count,
                                      llvm::function_ref<bool(unsigned)> holds);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_LEASTSETS_H
