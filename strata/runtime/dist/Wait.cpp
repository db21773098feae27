// Polls a channel: at first without a pause, then giving the core to whoever wants it, for there
// may be more processes than cores, and in a long wait with pauses that are short beside it.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/Wait.h"

#include <chrono>
#include <cstdio>
#include <sched.h>
#include <thread>

namespace strata::runtime::dist {

static std::string secondsText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
  return text;
}

Status waitFor(const strata_provider &provider, strata_channel *channel, const Patience &patience,
               const std::string &waiter, const std::string &operation,
               const std::function<Awaited()> &awaited) {
  constexpr double eager = 5e-6, patient = 10e-3; // seconds
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  double nextNote = patience.noteEvery;
  for (;;) {
    int32_t done = 0;
    if (int32_t code = provider.test(channel, &done)) {
      char text[256];
      provider.describe(code, text, sizeof text);
      return Error{Error::Communication, waiter + ": " + operation + " failed: " + text};
    }
    if (done)
      return Status();
    const double age = std::chrono::duration<double>(Clock::now() - begin).count();
    if (age < eager)
      continue;
    if (age < patient)
      sched_yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    const bool isLate = patience.deadline > 0 && age >= patience.deadline;
    if (!isLate && age < nextNote)
      continue;
    const Awaited whom = awaited();
    const std::string text =
        waiter + " has waited for " + whom.who + " for " + secondsText(age) + ", in " + operation;
    if (isLate)
      return Error{Error::Communication,
                   text + "; the deadline is " + secondsText(patience.deadline)};
    nextNote += patience.noteEvery;
    if (whom.isTold && patience.note)
      patience.note(text);
    else if (whom.isTold)
      std::fprintf(stderr, "strata: note: %s\n", text.c_str());
  }
}

} // namespace strata::runtime::dist
