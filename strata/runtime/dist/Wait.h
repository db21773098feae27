// Waits for messages, with a deadline, and tells of waits that last.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_WAIT_H
#define STRATA_RUNTIME_DIST_WAIT_H

#include "strata/runtime/Status.h"
#include "strata/runtime/dist/Provider.h"

#include <functional>
#include <string>

namespace strata::runtime::dist {

/// What processes exit with whose world is lost: a rank was not heard of in time, or can no longer
/// be reached.
constexpr int32_t lostCode = 85;

/// How long operations may last, in seconds, and who hears of long ones.
struct Patience {
  double deadline = 0;   ///< after which an operation fails; 0: never
  double noteEvery = 30; ///< after which a note tells whom the process waits for, again and again
  /// Takes a note; where it is absent, notes go to standard error.
  std::function<void(const std::string &)> note = {};
};

/// Whom a process waits for.
struct Awaited {
  std::string who;    ///< "rank 2"
  bool isTold = true; ///< this process tells it; false: another one that waits does
};

/// Waits until a started channel is done. `waiter` and `operation` stand in messages: "rank 0 of
/// 3", "the exchange of sizes". `awaited` is called in a wait that lasts.
Status waitFor(const strata_provider &provider, strata_channel *channel, const Patience &patience,
               const std::string &waiter, const std::string &operation,
               const std::function<Awaited()> &awaited);

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_WAIT_H
