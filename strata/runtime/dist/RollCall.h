// Finds out, in a wait that lasts, who is not waiting: processes that have waited long tell all
// others.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_ROLLCALL_H
#define STRATA_RUNTIME_DIST_ROLLCALL_H

#include "strata/runtime/dist/Provider.h"

#include <optional>
#include <vector>

namespace strata::runtime::dist {

/// A word from each process to each other, in a group of its own, so that it meets no other
/// message. Functions give the provider's codes.
class RollCall {
public:
  /// The others, as seen from a process that waits.
  struct Answers {
    std::vector<int32_t> silent;    ///< those that have not told that they wait
    std::vector<int32_t> elsewhere; ///< those that wait in another operation
    bool isFirst = true;            ///< none before this one waits in the same operation
    bool isFirstAnywhere = true;    ///< none before this one waits at all
  };

  int32_t begin(const strata_provider &provider, const void *communicator);
  /// Tells all others that this process waits in the operation of this number (not negative), and
  /// gives what they have told within half a second. Nothing where that cannot be told: of large
  /// groups, or if not all have heard what was told in an earlier operation. Who told it in an
  /// earlier one and did not wait since counts as waiting there.
  std::optional<Answers> ask(int64_t operation);
  /// How often it has told that it waits.
  int64_t rounds() const { return told; }
  /// Tells it until it has done so `rounds` times, the most of all processes, and hears the others.
  int32_t finish(int64_t rounds);
  int32_t end();

private:
  int32_t start(int64_t operation);
  bool isDone();

  const strata_provider *provider = nullptr;
  strata_group *group = nullptr;
  strata_group_facts facts = {};
  strata_channel *channel = nullptr;
  int64_t told = 0;
  int64_t own = -1;            ///< the operation in which this process waits
  std::vector<int64_t> others; ///< the same of all processes, as far as it has come
};

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_ROLLCALL_H
