// Tells each process the size, then sends what is not empty.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/Exchange.h"
#include "strata/runtime/InternalError.h"

namespace strata::runtime::dist {

Result<Transfer> Transfer::begin(World &world, std::vector<Bytes> out,
                                 std::span<const int64_t> sizes, std::string_view operation) {
  const size_t size = size_t(world.size()), self = size_t(world.rank());
  if (out.size() != size || sizes.size() != size)
    return internalError("an exchange has bytes for each rank");
  std::vector<Bytes> in(size);
  std::vector<Message> sent, received;
  for (size_t peer = 0; peer < size; ++peer) {
    if (peer == self)
      continue;
    in[peer].resize(size_t(sizes[peer]));
    if (!out[peer].empty())
      sent.push_back({int32_t(peer), out[peer].data(), int64_t(out[peer].size())});
    if (!in[peer].empty())
      received.push_back({int32_t(peer), in[peer].data(), int64_t(in[peer].size())});
  }
  in[self] = std::move(out[self]);
  Result<Channel> channel = world.prepare(sent, received, operation);
  if (!channel)
    return channel.takeStatus();
  if (Status started = channel->start(); !started.ok())
    return started;
  return Transfer(std::move(*channel), std::move(out), std::move(in));
}

Result<Transfer> Transfer::begin(World &world, std::vector<Bytes> out, std::string_view operation) {
  if (out.size() != size_t(world.size()))
    return internalError("an exchange has bytes for each rank");
  std::vector<int64_t> own;
  for (const Bytes &bytes : out)
    own.push_back(int64_t(bytes.size()));
  Result<std::vector<int64_t>> sizes = world.alltoall(own, operation);
  return sizes ? begin(world, std::move(out), *sizes, operation) : sizes.takeStatus();
}

Result<std::vector<Bytes>> Transfer::finish() {
  if (Status finished = messages.finish(); !finished.ok())
    return finished;
  return std::move(in);
}

Result<std::vector<Bytes>> exchange(World &world, std::vector<Bytes> out,
                                    std::string_view operation) {
  Result<Transfer> transfer = Transfer::begin(world, std::move(out), operation);
  return transfer ? transfer->finish() : transfer.takeStatus();
}

} // namespace strata::runtime::dist
