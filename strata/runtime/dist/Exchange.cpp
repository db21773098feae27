// Tells each process the size, then sends what is not empty.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/Exchange.h"
#include "strata/runtime/InternalError.h"

namespace strata::runtime::dist {

Status sendOnce(World &world, std::span<const Message> out, std::span<const Message> in,
                std::string_view operation) {
  Result<Channel> channel = world.prepare(out, in, operation);
  if (!channel)
    return channel.takeStatus();
  Status status = channel->start();
  return status.ok() ? channel->finish() : std::move(status);
}

Result<std::vector<Bytes>> exchange(World &world, std::vector<Bytes> out,
                                    std::string_view operation) {
  const size_t size = size_t(world.size()), self = size_t(world.rank());
  if (out.size() != size)
    return internalError("an exchange has bytes for each rank");
  std::vector<int64_t> own;
  for (const Bytes &bytes : out)
    own.push_back(int64_t(bytes.size()));
  Result<std::vector<int64_t>> sizes = world.alltoall(own, operation);
  if (!sizes)
    return sizes.takeStatus();
  std::vector<Bytes> in(size);
  std::vector<Message> sent, received;
  for (size_t peer = 0; peer < size; ++peer) {
    if (peer == self)
      continue;
    in[peer].resize(size_t((*sizes)[peer]));
    if (!out[peer].empty())
      sent.push_back({int32_t(peer), out[peer].data(), int64_t(out[peer].size())});
    if (!in[peer].empty())
      received.push_back({int32_t(peer), in[peer].data(), int64_t(in[peer].size())});
  }
  in[self] = std::move(out[self]);
  if (Status status = sendOnce(world, sent, received, operation); !status.ok())
    return status;
  return in;
}

} // namespace strata::runtime::dist
