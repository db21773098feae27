// Plans by telling each process what is needed of it, or what comes to it.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/RowExchange.h"

#include <cstring>

namespace strata::runtime::dist {
namespace {

// The coordinates that this process asks of each.
NumberLists requests(const World &world, std::span<const int64_t> needed,
                     std::span<const Home> homes) {
  NumberLists result(size_t(world.size()));
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

// A message for each process, with its rows, or for them: one behind the other.
std::vector<Message> messages(const NumberLists &rows, int64_t rowBytes, Bytes &buffer) {
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

Result<NumberLists> exchangeNumbers(World &world, const NumberLists &numbers,
                                    std::string_view operation) {
  std::vector<Bytes> out;
  for (const std::vector<int64_t> &list : numbers) {
    const char *bytes = reinterpret_cast<const char *>(list.data());
    out.emplace_back(bytes, bytes + list.size() * sizeof(int64_t));
  }
  Result<std::vector<Bytes>> in = exchange(world, std::move(out), operation);
  if (!in)
    return in.takeStatus();
  NumberLists result;
  for (const Bytes &bytes : *in) {
    std::vector<int64_t> &list = result.emplace_back(bytes.size() / sizeof(int64_t));
    if (!list.empty())
      std::memcpy(list.data(), bytes.data(), bytes.size());
  }
  return result;
}

Result<RowExchange> RowExchange::make(World &world, NumberLists sent, NumberLists received,
                                      int64_t rowBytes, std::string_view operation) {
  RowExchange plan;
  plan.outRows = std::move(sent);
  plan.inRows = std::move(received);
  const std::vector<Message> out = messages(plan.outRows, rowBytes, plan.out),
                             in = messages(plan.inRows, rowBytes, plan.in);
  Result<Channel> channel = world.prepare(out, in, operation);
  if (!channel)
    return channel.takeStatus();
  plan.channel.emplace(std::move(*channel));
  return plan;
}

Result<RowExchange> RowExchange::fetch(World &world, std::span<const int64_t> needed,
                                       std::span<const Home> homes, int64_t rowBytes,
                                       std::string_view operation) {
  NumberLists asked = requests(world, needed, homes);
  Result<NumberLists> asking = exchangeNumbers(world, asked, operation);
  return asking ? make(world, std::move(*asking), std::move(asked), rowBytes, operation)
                : asking.takeStatus();
}

Result<RowExchange> RowExchange::give(World &world, NumberLists rows, int64_t rowBytes,
                                      std::string_view operation) {
  Result<NumberLists> come = exchangeNumbers(world, rows, operation);
  return come ? make(world, std::move(rows), std::move(*come), rowBytes, operation)
              : come.takeStatus();
}

Status RowExchange::run() {
  if (Status started = channel->start(); !started.ok())
    return started;
  return channel->finish();
}

} // namespace strata::runtime::dist
