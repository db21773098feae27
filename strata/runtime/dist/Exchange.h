// Sends bytes of any number from each process of a world to each other, once.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_EXCHANGE_H
#define STRATA_RUNTIME_DIST_EXCHANGE_H

#include "strata/runtime/dist/World.h"
#include "strata/runtime/storage/Unfilled.h"

namespace strata::runtime::dist {

using Bytes = Unfilled<char>;

/// Sends and receives messages once; who receives knows how long they are.
Status sendOnce(World &world, std::span<const Message> out, std::span<const Message> in,
                std::string_view operation);

/// Sends `out[r]` to rank r and returns what comes from each rank; `out` has an entry for each.
/// Nobody need know how much comes: the sizes go before.
Result<std::vector<Bytes>> exchange(World &world, std::vector<Bytes> out,
                                    std::string_view operation);

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_EXCHANGE_H
