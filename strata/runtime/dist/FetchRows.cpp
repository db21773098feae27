// Plans what to fetch by telling each process what is needed of it.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/FetchRows.h"

#include <cstring>

namespace strata::runtime::dist {
namespace {

using Rows = std::vector<std::vector<int64_t>>; // coordinates, for each process

// The coordinates that this process asks of each.
Rows requests(const World &world, std::span<const int64_t> needed, std::span<const Home> homes) {
  Rows result(size_t(world.size()));
  auto home = homes.begin();
  for (int64_t coordinate : needed) {
    while (home != homes.end() && coordinate >= home->hi)
      ++home;
    if (home == homes.end())
      break;
    if (coordinate >= home->lo && home->rank != world.rank())
      result[size_t(home->rank)].push_back(coordinate);
  }
  return result;
}

Result<Rows> exchangeRows(World &world, const Rows &own, std::string_view operation) {
  std::vector<Bytes> out;
  for (const std::vector<int64_t> &rows : own) {
    const char *bytes = reinterpret_cast<const char *>(rows.data());
    out.emplace_back(bytes, bytes + rows.size() * sizeof(int64_t));
  }
  Result<std::vector<Bytes>> in = exchange(world, std::move(out), operation);
  if (!in)
    return in.takeStatus();
  Rows result;
  for (const Bytes &bytes : *in) {
    std::vector<int64_t> &rows = result.emplace_back(bytes.size() / sizeof(int64_t));
    if (!rows.empty())
      std::memcpy(rows.data(), bytes.data(), bytes.size());
  }
  return result;
}

// A message for each process, with its rows, or for them: one behind the other.
std::vector<Message> messages(const Rows &rows, int64_t rowBytes, Bytes &buffer) {
  size_t count = 0;
  for (const std::vector<int64_t> &one : rows)
    count += one.size();
  buffer.resize(count * size_t(rowBytes));
  std::vector<Message> result;
  char *data = buffer.data();
  for (size_t rank = 0; rank < rows.size(); ++rank) {
    const int64_t bytes = int64_t(rows[rank].size()) * rowBytes;
    if (bytes > 0)
      result.push_back({int32_t(rank), data, bytes});
    data += bytes;
  }
  return result;
}

} // namespace

Result<FetchRows> FetchRows::make(World &world, std::span<const int64_t> needed,
                                  std::span<const Home> homes, int64_t rowBytes,
                                  std::string_view operation) {
  const Rows asked = requests(world, needed, homes);
  Result<Rows> asking = exchangeRows(world, asked, operation);
  if (!asking)
    return asking.takeStatus();
  FetchRows plan;
  for (const std::vector<int64_t> &rows : asked)
    plan.receivedRows.insert(plan.receivedRows.end(), rows.begin(), rows.end());
  plan.sentRows = std::move(*asking);
  const std::vector<Message> sent = messages(plan.sentRows, rowBytes, plan.out),
                             received = messages(asked, rowBytes, plan.in);
  Result<Channel> channel = world.prepare(sent, received, operation);
  if (!channel)
    return channel.takeStatus();
  plan.channel.emplace(std::move(*channel));
  return plan;
}

Status FetchRows::run() {
  if (Status started = channel->start(); !started.ok())
    return started;
  return channel->finish();
}

} // namespace strata::runtime::dist
