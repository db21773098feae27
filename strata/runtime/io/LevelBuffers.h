// Arrays of a file that already are a storage's buffers, so that no list of coordinates is made.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_LEVELBUFFERS_H
#define STRATA_RUNTIME_IO_LEVELBUFFERS_H

#include "strata/runtime/io/LevelArrays.h"

namespace strata::runtime {

/// The buffers of a storage with the arrays' levels, of these types: of each sparse level its
/// positions, then the coordinates of each of its dimensions; then the values. Everything that a
/// storage promises is checked: counts, positions that ascend, coordinates that lie in their
/// dimension and ascend below each place, values that their type can express. Nothing where any of
/// it does not hold, whether the file is wrong or merely in no order.
std::optional<std::vector<Buffer>> buffersOf(const LevelArrays &arrays,
                                             std::span<const strata_type> types);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_LEVELBUFFERS_H
