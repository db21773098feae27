// Asks after messages, with pauses in which the core belongs to whoever computes.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/Progress.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace strata::runtime::dist {

Progress::Progress(const World &world, std::vector<Channel *> all) : channels(std::move(all)) {
  const char *overlap = std::getenv("STRATA_OVERLAP");
  if (overlap && std::string_view(overlap) == "0") {
    for (Channel *channel : channels)
      static_cast<void>(channel->finish()); // which fails again when it is waited for
    return;
  }
  if (!channels.empty() && world.servesAnyThread())
    thread = std::thread([this] { ask(); });
}

Progress::~Progress() {
  hasEnded = true;
  if (thread.joinable())
    thread.join();
}

// Asks the channels until all are done. What has failed, its channel tells when it is waited for.
void Progress::ask() {
  constexpr std::chrono::microseconds pause(50);
  while (!hasEnded && !channels.empty()) {
    std::erase_if(channels, [](Channel *channel) {
      Result<bool> done = channel->test();
      return !done || *done;
    });
    std::this_thread::sleep_for(pause);
  }
}

} // namespace strata::runtime::dist
