// Ranks that are threads of one process.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_LOCALRANKS_H
#define STRATA_RUNTIME_DIST_LOCALRANKS_H

#include "strata/runtime/dist/World.h"

#include <functional>

namespace strata::runtime::dist {

/// What a rank does: `communicator` is what joins it to the others (localEngine, WorldOptions).
using RankWork = std::function<void(int32_t rank, const void *communicator)>;

/// Runs the work of each rank in a thread of its own, and returns when all have ended. They work
/// one at a time: a rank goes on until it waits for others, so that what it takes can be measured,
/// and nothing that they share needs a lock. Where all wait, which would last forever, their
/// operations fail. Fails if the system gives no more threads.
Status runLocalRanks(int32_t ranks, const RankWork &work);

/// Seconds that the thread has computed as a rank, without what its messages have taken.
double secondsOfRank();

/// What carries messages between such ranks: it copies them. A test of a channel that is not done
/// lets other ranks work until it is.
Engine localEngine();

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_LOCALRANKS_H
