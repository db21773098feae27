// Sends a word to every process by ordinary messages, which those that wait receive.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/RollCall.h"

#include <chrono>
#include <sched.h>

namespace strata::runtime::dist {

// Of more processes than this, each would have more messages than it can afford.
constexpr int32_t mostProcesses = 1024;
constexpr int64_t noOperation = -1;

int32_t RollCall::begin(const strata_provider &with, const void *communicator) {
  provider = &with;
  constexpr int64_t wordBytes = sizeof(int64_t);
  return provider->begin(communicator, wordBytes, &group, &facts);
}

int32_t RollCall::start(int64_t operation) {
  own = operation;
  ++told;
  others.assign(size_t(facts.size), noOperation);
  std::vector<strata_message> out, in;
  for (int32_t peer = 0; peer < facts.size; ++peer)
    if (peer != facts.rank) {
      out.push_back({peer, &own, sizeof own});
      in.push_back({peer, &others[size_t(peer)], sizeof own});
    }
  if (int32_t code = provider->open(group, out.data(), int32_t(out.size()), in.data(),
                                    int32_t(in.size()), &channel))
    return code;
  return provider->start(channel);
}

bool RollCall::isDone() {
  int32_t done = 0;
  return provider->test(channel, &done) == 0 && done;
}

std::optional<RollCall::Answers> RollCall::ask(int64_t operation) {
  using Clock = std::chrono::steady_clock;
  if (facts.size > mostProcesses || (channel && own != operation))
    return std::nullopt;
  if (!channel && start(operation) != 0)
    return std::nullopt;
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(500);
  bool done = false;
  while (!(done = isDone()) && Clock::now() < end)
    sched_yield();
  std::vector<int32_t> peers(size_t(facts.size), 0);
  int32_t count = 0;
  if (!done && provider->pending(channel, peers.data(), facts.size, &count) != 0)
    return std::nullopt;
  // A word of a message that is under way may be read only once it has come.
  std::vector<bool> isPending(size_t(facts.size), false);
  for (int32_t at = 0; at < count; ++at)
    isPending[size_t(peers[size_t(at)])] = true;
  Answers answers;
  for (int32_t peer = 0; peer < facts.size; ++peer) {
    if (peer == facts.rank)
      continue;
    const bool isSilent = isPending[size_t(peer)],
               isHere = !isSilent && others[size_t(peer)] == own;
    if (isSilent)
      answers.silent.push_back(peer);
    else if (!isHere)
      answers.elsewhere.push_back(peer);
    answers.isFirst &= peer > facts.rank || !isHere;
    answers.isFirstAnywhere &= peer > facts.rank || isSilent;
  }
  if (done && provider->close(channel) == 0)
    channel = nullptr;
  return answers;
}

int32_t RollCall::finish(int64_t rounds) {
  while (channel || told < rounds) {
    if (!channel)
      if (int32_t code = start(noOperation))
        return code;
    while (!isDone())
      sched_yield();
    int32_t code = provider->close(channel);
    channel = nullptr;
    if (code)
      return code;
  }
  return 0;
}

int32_t RollCall::end() { return group ? provider->end(group) : 0; }

} // namespace strata::runtime::dist
