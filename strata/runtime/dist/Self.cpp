// Implements the provider of one process.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/Self.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

struct strata_group {};

/// At most one message, from the process to itself.
struct strata_channel {
  strata_message out = {}, in = {};
};

namespace {

enum Code : int32_t { fine, noSuchProcess, otherBytes };

// The group has nothing of its own.
strata_group theGroup;

int32_t beginGroup(const void *, int64_t, strata_group **made, strata_group_facts *facts) {
  *facts = {.rank = 0, .size = 1, .any_thread = 1, .library = "none"};
  *made = &theGroup;
  return fine;
}

int32_t endGroup(strata_group *) { return fine; }

int32_t broadcast(strata_group *, void *, int64_t, int32_t root, strata_channel **made) {
  if (root != 0)
    return noSuchProcess;
  *made = new strata_channel;
  return fine;
}

int32_t allgather(strata_group *, const int64_t *own, int64_t count, int64_t *all,
                  strata_channel **made) {
  std::copy_n(own, count, all);
  *made = new strata_channel;
  return fine;
}

int32_t alltoall(strata_group *group, const int64_t *out, int64_t *in, strata_channel **made) {
  return allgather(group, out, 1, in, made);
}

int32_t openChannel(strata_group *, const strata_message *out, int32_t outs,
                    const strata_message *in, int32_t ins, strata_channel **made) {
  strata_channel channel;
  if (outs > 1 || ins > 1 || (outs && out->peer) || (ins && in->peer))
    return noSuchProcess;
  if (outs)
    channel.out = *out;
  if (ins)
    channel.in = *in;
  if (channel.out.bytes != channel.in.bytes)
    return otherBytes;
  *made = new strata_channel(channel);
  return fine;
}

int32_t startChannel(strata_channel *channel) {
  if (channel->in.bytes)
    std::memmove(channel->in.data, channel->out.data, size_t(channel->in.bytes));
  return fine;
}

int32_t testChannel(strata_channel *, int32_t *done) {
  *done = 1;
  return fine;
}

int32_t pendingPeers(strata_channel *, int32_t *, int32_t, int32_t *count) {
  *count = 0;
  return fine;
}

int32_t closeChannel(strata_channel *channel) {
  delete channel;
  return fine;
}

// The process belongs to its caller, who ends it.
void stopGroup(strata_group *, int32_t) {}

void describe(int32_t code, char *text, int32_t room) {
  std::snprintf(text, size_t(room), "%s",
                code == noSuchProcess ? "there is only one process"
                                      : "a message has other bytes where it arrives");
}

constexpr strata_provider provider = {STRATA_PROVIDER_ABI, "self",      beginGroup,   endGroup,
                                      broadcast,           allgather,   alltoall,     openChannel,
                                      startChannel,        testChannel, pendingPeers, closeChannel,
                                      stopGroup,           describe};

} // namespace

namespace strata::runtime::dist {

const strata_provider &selfProvider() { return provider; }

} // namespace strata::runtime::dist
