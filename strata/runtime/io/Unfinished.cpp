// The list of what is being written.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Unfinished.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <set>
#include <unistd.h>

namespace strata::runtime {
namespace {

struct UnfinishedNames {
  std::recursive_mutex turn;
  std::set<std::string> names;
};

/// Returns the list, which outlives all that is written at the end of the process.
UnfinishedNames &unfinished() {
  static auto *const list = new UnfinishedNames;
  return *list;
}

} // namespace

std::string unfinishedName(const std::string &path) {
  static std::atomic<int64_t> serial = 0;
  return path + ".part-" + std::to_string(getpid()) + "-" + std::to_string(serial++);
}

UnfinishedHold holdUnfinished() { return UnfinishedHold(unfinished().turn); }

void noteUnfinished(const std::string &name) {
  const UnfinishedHold hold = holdUnfinished();
  unfinished().names.insert(name);
}

void forgetUnfinished(const std::string &name) {
  const UnfinishedHold hold = holdUnfinished();
  unfinished().names.erase(name);
}

UnfinishedHold removeUnfinished() {
  UnfinishedHold hold = holdUnfinished();
  // Other threads go on: what they add to a folder while it is emptied is removed by the next try.
  for (int tries = 0; tries < 3; ++tries)
    for (const std::string &name : unfinished().names) {
      std::error_code ignored;
      std::filesystem::remove_all(name, ignored);
    }
  return hold;
}

} // namespace strata::runtime
