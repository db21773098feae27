// Sends the same message there and back.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/PingPong.h"
#include "strata/runtime/Stopwatch.h"

#include <algorithm>

namespace strata::runtime::dist {

static Status sendBothWays(World &world, int32_t peer, bool begins, int64_t bytes,
                           std::vector<double> &seconds) {
  constexpr std::string_view operation = "the measurement of messages";
  std::vector<char> there(size_t(bytes), 1), back(size_t(bytes), 0);
  const Message out = {peer, there.data(), bytes}, in = {peer, back.data(), bytes};
  Result<Channel> sending = world.prepare({&out, 1}, {}, operation);
  if (!sending)
    return sending.takeStatus();
  Result<Channel> receiving = world.prepare({}, {&in, 1}, operation);
  if (!receiving)
    return receiving.takeStatus();
  auto carry = [](Channel &channel) {
    Status status = channel.start();
    return status.ok() ? channel.finish() : std::move(status);
  };
  for (double &time : seconds) {
    Stopwatch watch;
    for (Channel *channel : {begins ? &*sending : &*receiving, begins ? &*receiving : &*sending})
      if (Status status = carry(*channel); !status.ok())
        return status;
    time = watch.lap() / 2;
  }
  return Status();
}

Result<double> pingPong(World &world, int32_t first, int32_t second, int64_t bytes, int times) {
  std::vector<double> seconds(static_cast<size_t>(std::max(times, 1)));
  const bool begins = world.rank() == first;
  if (begins || world.rank() == second)
    if (Status status = sendBothWays(world, begins ? second : first, begins, bytes, seconds);
        !status.ok())
      return status;
  double least = *std::min_element(seconds.begin(), seconds.end());
  if (Status status = world.broadcast(&least, sizeof least, first, "the measurement of messages");
      !status.ok())
    return status;
  return least;
}

} // namespace strata::runtime::dist
