// Plans by telling each process what is needed of it, or what comes to it.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/RowExchange.h"
#include "strata/runtime/CopyBytes.h"

namespace strata::runtime::dist {
namespace {

// Lists the coordinates that this process asks of each.
Result<NumberLists> requests(const World &world, std::span<const int64_t> needed,
                             std::span<const Home> homes) {
  auto forEach = [&](auto body) {
    auto home = homes.begin();
    for (int64_t coordinate : needed) {
      while (home != homes.end() && coordinate >= home->hi)
        ++home;
      if (home == homes.end())
        break;
      if (coordinate >= home->lo && home->rank != world.rank())
        body(size_t(home->rank), coordinate);
    }
  };
  std::vector<int64_t> counts(size_t(world.size()));
  forEach([&](size_t rank, int64_t) { ++counts[rank]; });
  Result<NumberLists> asked = NumberLists::make(counts);
  if (!asked)
    return asked;
  std::vector<int64_t *> next = asked->places();
  forEach([&](size_t rank, int64_t coordinate) { *next[rank]++ = coordinate; });
  return asked;
}

// Makes room for rows, one behind the other.
Result<Buffer> roomFor(const NumberLists &rows, int64_t rowBytes) {
  return roomForMessages(int64_t(rows.all().size()) * rowBytes);
}

// Makes a message for each process, with its rows, or for them.
std::vector<Message> messages(const NumberLists &rows, int64_t rowBytes, Buffer &buffer) {
  std::vector<Message> result;
  char *data = static_cast<char *>(buffer.data());
  for (size_t rank = 0; rank < rows.size(); ++rank) {
    const int64_t bytes = int64_t(rows[rank].size()) * rowBytes;
    if (bytes == 0)
      continue;
    result.push_back({int32_t(rank), data, bytes});
    data += bytes;
  }
  return result;
}

// Copies the numbers for each process to what is sent.
Result<std::vector<Buffer>> buffersOf(const NumberLists &numbers) {
  std::vector<Buffer> buffers;
  for (size_t rank = 0; rank < numbers.size(); ++rank) {
    const std::span<const int64_t> list = numbers[rank];
    Result<Buffer> buffer = roomForMessages(int64_t(list.size_bytes()));
    if (!buffer)
      return buffer.takeStatus();
    copyBytes(buffer->data(), list.data(), list.size_bytes());
    buffers.push_back(std::move(*buffer));
  }
  return buffers;
}

} // namespace

Result<NumberLists> exchangeNumbers(World &world, const NumberLists &numbers,
                                    std::string_view operation) {
  Result<std::vector<Buffer>> out = buffersOf(numbers);
  if (!out)
    return world.lose(out.takeStatus(), operation);
  Result<std::vector<Buffer>> in = exchange(world, std::move(*out), operation);
  if (!in)
    return in.takeStatus();
  std::vector<int64_t> counts;
  for (const Buffer &bytes : *in)
    counts.push_back(bytes.count() / int64_t(sizeof(int64_t)));
  Result<NumberLists> come = NumberLists::make(counts);
  if (!come)
    return world.lose(come.takeStatus(), operation);
  for (size_t rank = 0; rank < in->size(); ++rank)
    copyBytes((*come)[rank].data(), (*in)[rank].data(), size_t((*in)[rank].count()));
  return come;
}

Result<RowExchange> RowExchange::make(World &world, NumberLists sent, NumberLists received,
                                      int64_t rowBytes, std::string_view operation) {
  Result<Buffer> out = roomFor(sent, rowBytes), in = roomFor(received, rowBytes);
  if (!out || !in)
    return world.lose(out ? in.takeStatus() : out.takeStatus(), operation);
  RowExchange plan;
  plan.outRows = std::move(sent);
  plan.inRows = std::move(received);
  plan.out = std::move(*out);
  plan.in = std::move(*in);
  Result<Channel> channel = world.prepare(messages(plan.outRows, rowBytes, plan.out),
                                          messages(plan.inRows, rowBytes, plan.in), operation);
  if (!channel)
    return channel.takeStatus();
  plan.channel.emplace(std::move(*channel));
  return plan;
}

Result<RowExchange> RowExchange::fetch(World &world, std::span<const int64_t> needed,
                                       std::span<const Home> homes, int64_t rowBytes,
                                       std::string_view operation) {
  Result<NumberLists> asked = requests(world, needed, homes);
  if (!asked)
    return world.lose(asked.takeStatus(), operation);
  Result<NumberLists> asking = exchangeNumbers(world, *asked, operation);
  return asking ? make(world, std::move(*asking), std::move(*asked), rowBytes, operation)
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
