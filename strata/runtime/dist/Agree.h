// Verifies that all processes of a world have the same: ranks that differ would wait for each other
// without end.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_AGREE_H
#define STRATA_RUNTIME_DIST_AGREE_H

#include "strata/runtime/dist/World.h"

namespace strata::runtime::dist {

/// Something that must be the same everywhere.
struct Agreed {
  std::string name;         ///< in messages: "the program", "the parameters"
  std::string_view content; ///< any bytes
};

/// Fails in all processes, and names the first rank that differs from rank 0 and in what. Contents
/// are compared by their lengths and a hash of 64 bits. All give as many things in the same order.
Status agree(World &world, std::span<const Agreed> things);

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_AGREE_H
