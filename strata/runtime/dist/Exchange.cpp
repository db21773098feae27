// Tells each process the size, then sends what is not empty.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/Exchange.h"
#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/InternalError.h"

#include <algorithm>

namespace strata::runtime::dist {

Result<Buffer> roomForMessages(int64_t bytes) {
  Result<Buffer> room = Buffer::allocate(STRATA_I8, bytes);
  if (!room)
    return outOfMemory("messages between processes", bytes);
  return room;
}

// Makes room for what comes, and a channel; `out` keeps the bytes of what is sent.
Result<Transfer> Transfer::prepare(World &world, std::vector<Buffer> out,
                                   std::span<const Message> sent, std::span<const int64_t> sizes,
                                   std::string_view operation) {
  std::vector<Buffer> in(static_cast<size_t>(world.size()));
  std::vector<Message> received;
  for (size_t peer = 0; peer < in.size(); ++peer) {
    if (peer == size_t(world.rank()))
      continue;
    Result<Buffer> room = roomForMessages(sizes[peer]);
    if (!room)
      return room.takeStatus();
    in[peer] = std::move(*room);
    if (sizes[peer] > 0)
      received.push_back({int32_t(peer), in[peer].data(), sizes[peer]});
  }
  Result<Channel> channel = world.prepare(sent, received, operation);
  if (!channel)
    return channel.takeStatus();
  return Transfer(std::move(*channel), std::move(out), std::move(in));
}

Result<Transfer> Transfer::prepare(World &world, std::vector<Buffer> out,
                                   std::span<const int64_t> sizes, std::string_view operation) {
  const size_t size = size_t(world.size()), self = size_t(world.rank());
  if (out.size() != size || sizes.size() != size)
    return internalError("an exchange has bytes for each rank");
  std::vector<Message> sent;
  for (size_t peer = 0; peer < size; ++peer)
    if (peer != self && out[peer].count() > 0)
      sent.push_back({int32_t(peer), out[peer].data(), out[peer].count()});
  Buffer own = std::move(out[self]);
  Result<Transfer> transfer = prepare(world, std::move(out), sent, sizes, operation);
  if (transfer)
    transfer->in[self] = std::move(own);
  return transfer;
}

// Sends what has been prepared. Others wait for it already.
Result<Transfer> Transfer::beginPrepared(World &world, Result<Transfer> prepared,
                                         std::string_view operation) {
  if (!prepared)
    return world.isLost() ? prepared.takeStatus() : world.lose(prepared.takeStatus(), operation);
  if (Status started = prepared->start(); !started.ok())
    return started;
  return prepared;
}

Result<Transfer> Transfer::begin(World &world, std::vector<Buffer> out,
                                 std::string_view operation) {
  if (out.size() != size_t(world.size()))
    return internalError("an exchange has bytes for each rank");
  std::vector<int64_t> own;
  for (const Buffer &bytes : out)
    own.push_back(bytes.count());
  Result<std::vector<int64_t>> sizes = world.alltoall(own, operation);
  return sizes ? beginPrepared(world, prepare(world, std::move(out), *sizes, operation), operation)
               : sizes.takeStatus();
}

Result<Transfer> Transfer::beginToAll(World &world, Buffer out, std::string_view operation) {
  std::vector<int64_t> own(size_t(world.size()), out.count());
  own[size_t(world.rank())] = 0;
  Result<std::vector<int64_t>> sizes = world.alltoall(own, operation);
  if (!sizes)
    return sizes.takeStatus();
  std::vector<Message> sent;
  for (int32_t peer = 0; peer < world.size(); ++peer)
    if (own[size_t(peer)] > 0)
      sent.push_back({peer, out.data(), out.count()});
  std::vector<Buffer> kept;
  kept.push_back(std::move(out));
  return beginPrepared(world, prepare(world, std::move(kept), sent, *sizes, operation), operation);
}

Result<std::vector<Buffer>> Transfer::finish() {
  if (Status finished = messages.finish(); !finished.ok())
    return finished;
  return std::move(in);
}

Result<std::vector<Buffer>> exchange(World &world, std::vector<Buffer> out,
                                     std::string_view operation) {
  Result<Transfer> transfer = Transfer::begin(world, std::move(out), operation);
  return transfer ? transfer->finish() : transfer.takeStatus();
}

Status gatherParts(World &world, char *array, std::span<const ByteRange> parts,
                   std::string_view operation) {
  constexpr int64_t mostWords = int64_t(1) << 21; // of all processes, at once
  const int64_t most = std::max<int64_t>(mostWords / world.size(), 1) * int64_t(sizeof(int64_t));
  int64_t longest = 0;
  for (const ByteRange &part : parts)
    longest = std::max(longest, part.count);
  std::vector<int64_t> own;
  for (int64_t at = 0; at < longest; at += most) {
    const int64_t bytes = std::min(most, longest - at);
    auto countOf = [&](const ByteRange &part) {
      return size_t(std::clamp<int64_t>(part.count - at, 0, bytes));
    };
    const ByteRange &mine = parts[size_t(world.rank())];
    own.assign((size_t(bytes) + sizeof(int64_t) - 1) / sizeof(int64_t), 0);
    copyBytes(own.data(), array + mine.begin + at, countOf(mine));
    Result<std::vector<int64_t>> all = world.allgather(own, operation);
    if (!all)
      return all.takeStatus();
    for (size_t rank = 0; rank < parts.size(); ++rank)
      if (int32_t(rank) != world.rank())
        copyBytes(array + parts[rank].begin + at, all->data() + rank * own.size(),
                  countOf(parts[rank]));
  }
  return Status();
}

} // namespace strata::runtime::dist
