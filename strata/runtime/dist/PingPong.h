// Measures how long messages between two processes of a world take.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_PINGPONG_H
#define STRATA_RUNTIME_DIST_PINGPONG_H

#include "strata/runtime/dist/World.h"

namespace strata::runtime::dist {

/// The least seconds that a message of so many bytes takes one way between ranks `first` and
/// `second`, of `times` that go there and back: the others are times of waiting for a core, where
/// there are more ranks than cores. Collective: the others wait, and all get the result.
Result<double> pingPong(World &world, int32_t first, int32_t second, int64_t bytes, int times);

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_PINGPONG_H
