// What every provider keeps: the functions of Provider.h, in worlds of any number of processes.
#include "strata/runtime/dist/BoxExchange.h"
#include "strata/runtime/dist/ExchangeEntries.h"
#include "strata/runtime/dist/Job.h"
#include "strata/runtime/dist/LocalRanks.h"
#include "strata/runtime/dist/Progress.h"
#include "strata/runtime/dist/RowExchange.h"
#include "test/unit/dist/Launched.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace strata::runtime;
using namespace strata::runtime::dist;

namespace strata::test {
namespace {

constexpr int64_t sizes[] = {0, 1, 8, 63, 64, 65, 127, 128, 129, 1000, 4096, 100003};

using Bytes = std::vector<char>;

// A byte that depends on everything that may be mixed up.
char byteOf(int32_t from, int32_t to, int64_t at, int round) {
  return static_cast<char>(from * 31 + to * 7 + at * 13 + at / 251 + round * 101);
}

Bytes bytesOf(int32_t from, int32_t to, int64_t count, int round) {
  Bytes bytes(static_cast<size_t>(count));
  for (int64_t at = 0; at < count; ++at)
    bytes[static_cast<size_t>(at)] = byteOf(from, to, at, round);
  return bytes;
}

void testBroadcast(World &world) {
  for (int32_t root = 0; root < world.size(); ++root)
    for (int64_t size : sizes) {
      Bytes data(static_cast<size_t>(size), 0);
      if (world.rank() == root)
        data = bytesOf(root, 0, size, 0);
      REQUIRE(world.broadcast(data.data(), size, root, "the broadcast"));
      REQUIRE(data == bytesOf(root, 0, size, 0));
    }
}

void testAllgather(World &world) {
  for (int64_t count : {0, 1, 3, 1000}) {
    std::vector<int64_t> own;
    for (int64_t at = 0; at < count; ++at)
      own.push_back((int64_t(world.rank()) << 40) - at);
    Result<std::vector<int64_t>> all = world.allgather(own, "the allgather");
    REQUIRE(all.ok());
    REQUIRE(int64_t(all->size()) == count * world.size());
    for (int64_t at = 0; at < int64_t(all->size()); ++at)
      REQUIRE((*all)[size_t(at)] == ((at / count) << 40) - at % count);
  }
}

void testAlltoall(World &world) {
  std::vector<int64_t> out;
  for (int64_t peer = 0; peer < world.size(); ++peer)
    out.push_back((int64_t(world.rank()) << 40) - peer);
  Result<std::vector<int64_t>> in = world.alltoall(out, "the alltoall");
  REQUIRE(in.ok());
  REQUIRE(int32_t(in->size()) == world.size());
  for (int64_t peer = 0; peer < world.size(); ++peer)
    REQUIRE((*in)[size_t(peer)] == (peer << 40) - world.rank());
}

// Messages between all, each process to itself included.
struct Everybody {
  std::vector<Bytes> out, in;
  std::vector<Message> sent, received;

  Everybody(const World &world, int64_t (*bytesBetween)(int32_t from, int32_t to)) {
    for (int32_t peer = 0; peer < world.size(); ++peer) {
      out.emplace_back(static_cast<size_t>(bytesBetween(world.rank(), peer)));
      in.emplace_back(static_cast<size_t>(bytesBetween(peer, world.rank())));
    }
    for (int32_t peer = 0; peer < world.size(); ++peer) {
      sent.push_back({peer, out[size_t(peer)].data(), int64_t(out[size_t(peer)].size())});
      received.push_back({peer, in[size_t(peer)].data(), int64_t(in[size_t(peer)].size())});
    }
  }

  void fill(const World &world, int round) {
    for (int32_t peer = 0; peer < world.size(); ++peer) {
      const Bytes bytes = bytesOf(world.rank(), peer, sent[size_t(peer)].bytes, round);
      std::copy(bytes.begin(), bytes.end(), out[size_t(peer)].begin());
    }
  }

  void check(const World &world, int round) const {
    for (int32_t peer = 0; peer < world.size(); ++peer)
      REQUIRE(in[size_t(peer)] == bytesOf(peer, world.rank(), received[size_t(peer)].bytes, round));
  }
};

int64_t alike(int32_t, int32_t) { return 1000; }
int64_t different(int32_t from, int32_t to) { return sizes[(from * 5 + to) % std::size(sizes)]; }
int64_t empty(int32_t, int32_t) { return 0; }

void testMessages(World &world, int64_t (*bytesBetween)(int32_t, int32_t)) {
  Everybody messages(world, bytesBetween);
  Result<Channel> channel = world.prepare(messages.sent, messages.received, "the messages");
  REQUIRE(channel.ok());
  for (int round = 0; round < 3; ++round) {
    messages.fill(world, round);
    REQUIRE(channel->start());
    if (round == 1) { // without waiting
      for (bool done = false; !done;) {
        Result<bool> tested = channel->test();
        REQUIRE(tested.ok());
        done = *tested;
      }
    }
    REQUIRE(channel->finish());
    messages.check(world, round);
  }
}

// Two channels between the same processes, under way at once and finished the other way round.
void testTwoChannels(World &world) {
  Everybody first(world, different), second(world, alike);
  Result<Channel> one = world.prepare(first.sent, first.received, "the first messages");
  Result<Channel> two = world.prepare(second.sent, second.received, "the second messages");
  REQUIRE(one.ok() && two.ok());
  for (int round = 0; round < 2; ++round) {
    first.fill(world, round);
    second.fill(world, round + 10);
    REQUIRE(one->start());
    REQUIRE(two->start());
    REQUIRE(two->finish());
    REQUIRE(one->finish());
    first.check(world, round);
    second.check(world, round + 10);
  }
}

void testExchange(World &world) {
  std::vector<Buffer> out;
  for (int32_t peer = 0; peer < world.size(); ++peer) {
    const Bytes bytes = bytesOf(world.rank(), peer, different(world.rank(), peer), 7);
    Result<Buffer> room = roomForMessages(int64_t(bytes.size()));
    REQUIRE(room.ok());
    std::copy(bytes.begin(), bytes.end(), static_cast<char *>(room->data()));
    out.push_back(std::move(*room));
  }
  Result<std::vector<Buffer>> in = exchange(world, std::move(out), "the exchange");
  REQUIRE(in.ok());
  for (int32_t peer = 0; peer < world.size(); ++peer) {
    const Buffer &come = (*in)[size_t(peer)];
    const char *data = static_cast<const char *>(come.data());
    REQUIRE(Bytes(data, data + come.count()) ==
            bytesOf(peer, world.rank(), different(peer, world.rank()), 7));
  }
}

// An array of which each process has as many bytes as the sizes say, in the order of ranks.
void testGatherParts(World &world) {
  std::vector<ByteRange> parts;
  Bytes expected;
  for (int32_t rank = 0; rank < world.size(); ++rank) {
    const Bytes bytes = bytesOf(rank, 0, different(rank, rank), 3);
    parts.push_back({int64_t(expected.size()), int64_t(bytes.size())});
    expected.insert(expected.end(), bytes.begin(), bytes.end());
  }
  Bytes array(expected.size(), 0);
  const ByteRange &own = parts[size_t(world.rank())];
  std::copy_n(expected.begin() + own.begin, own.count, array.begin() + own.begin);
  REQUIRE(gatherParts(world, array.data(), parts, "the array"));
  REQUIRE(array == expected);
}

// Each process has three rows and needs the first row of each, and all of the next process.
void testFetch(World &world) {
  constexpr int64_t share = 3, rowBytes = 40;
  const int32_t size = world.size(), next = (world.rank() + 1) % size;
  std::vector<Home> homes;
  std::vector<int64_t> needed;
  for (int32_t rank = 0; rank < size; ++rank) {
    homes.push_back({share * rank, share * (rank + 1), rank});
    for (int64_t row = 0; row < (rank == next ? share : 1); ++row)
      needed.push_back(share * rank + row);
  }
  Result<RowExchange> plan = RowExchange::fetch(world, needed, homes, rowBytes, "the fetch");
  REQUIRE(plan.ok());
  std::vector<int64_t> expected;
  for (int64_t coordinate : needed)
    if (coordinate / share != world.rank())
      expected.push_back(coordinate);
  REQUIRE(std::ranges::equal(plan->receivedRows().all(), expected));
  for (int round = 0; round < 2; ++round) {
    char *row = plan->sent().data();
    for (int32_t peer = 0; peer < size; ++peer)
      for (int64_t coordinate : plan->sentRows()[size_t(peer)]) {
        REQUIRE(coordinate / share == world.rank() && peer != world.rank());
        const Bytes bytes = bytesOf(int32_t(coordinate), 0, rowBytes, round);
        row = std::copy(bytes.begin(), bytes.end(), row);
      }
    REQUIRE(row == plan->sent().data() + plan->sent().size());
    REQUIRE(plan->run());
    for (size_t at = 0; at < expected.size(); ++at) {
      const char *received = plan->received().data() + at * size_t(rowBytes);
      REQUIRE(Bytes(received, received + rowBytes) ==
              bytesOf(int32_t(expected[at]), 0, rowBytes, round));
    }
  }
}

// Each process gives others as many rows as their numbers are apart.
void testGive(World &world) {
  constexpr int64_t rowBytes = 24;
  const int32_t own = world.rank();
  auto rowsOf = [](int32_t from, int32_t to) {
    std::vector<int64_t> rows;
    for (int32_t row = 0; row < std::abs(from - to); ++row)
      rows.push_back(100 * from + 10 * to + row);
    return rows;
  };
  std::vector<std::vector<int64_t>> given, expected;
  for (int32_t peer = 0; peer < world.size(); ++peer) {
    given.push_back(rowsOf(own, peer));
    expected.push_back(rowsOf(peer, own));
  }
  Result<NumberLists> rows = NumberLists::copyOf(given), others = NumberLists::copyOf(expected);
  REQUIRE(rows.ok() && others.ok());
  Result<RowExchange> plan = RowExchange::give(world, std::move(*rows), rowBytes, "the rows");
  REQUIRE(plan.ok());
  REQUIRE(plan->sentRows() == *NumberLists::copyOf(given));
  REQUIRE(plan->receivedRows() == *others);
  for (int round = 0; round < 2; ++round) {
    char *out = plan->sent().data();
    for (const std::vector<int64_t> &rows : given)
      for (int64_t row : rows) {
        const Bytes bytes = bytesOf(int32_t(row), 0, rowBytes, round);
        out = std::copy(bytes.begin(), bytes.end(), out);
      }
    REQUIRE(plan->run());
    const char *in = plan->received().data();
    for (const std::vector<int64_t> &rows : expected)
      for (int64_t row : rows) {
        REQUIRE(Bytes(in, in + rowBytes) == bytesOf(int32_t(row), 0, rowBytes, round));
        in += rowBytes;
      }
  }
}

bool says(const Status &status, const std::string &text) {
  return !status.ok() && status.error().text().find(text) != std::string::npos;
}

void testAgreement(World &world) {
  Job job(world);
  const Agreed same[] = {{"the program", "y = A x"}, {"the parameters", ""}};
  REQUIRE(job.agree(same));
  const std::string own = world.rank() >= 2 ? "n=2" : "n=1";
  const Agreed different[] = {{"the program", "y = A x"}, {"the parameters", own}};
  Status status = job.agree(different);
  REQUIRE(status.ok() == (world.size() < 3));
  if (status.ok())
    REQUIRE(job.end());
  else
    REQUIRE(says(status, world.nameOf(2) + " differs from rank 0 in the parameters"));
  REQUIRE(!job.hasToSayFailure());
}

void testMeetings(World &world) {
  Job job(world);
  Result<std::vector<int64_t>> numbers = job.meet(5, 10 * world.rank(), "the meeting");
  REQUIRE(numbers.ok() && int32_t(numbers->size()) == world.size());
  for (int32_t rank = 0; rank < world.size(); ++rank)
    REQUIRE((*numbers)[size_t(rank)] == 10 * rank);
  REQUIRE(job.end());
  REQUIRE(!job.failure());

  // Ranks at different places.
  Job parted(world);
  Result<std::vector<int64_t>> none = parted.meet(world.rank() > 0 ? 6 : 5, 0, "the meeting");
  REQUIRE(none.ok() == (world.size() == 1));
  if (!none)
    REQUIRE(says(none.takeStatus(), "ranks 0 and 1 have gone different ways in the program"));
}

// The last two ranks fail, each at another place than where the others are.
void testFailure(World &world) {
  Job job(world);
  const int32_t first = std::max(world.size() - 2, 0);
  if (world.rank() >= first) {
    REQUIRE(job.fail(3 + world.rank(), "rank " + std::to_string(world.rank()) + " has no file"));
  } else {
    Result<std::vector<int64_t>> none = job.meet(7, 0, "the meeting");
    REQUIRE(!none.ok() && none.error().shown);
  }
  REQUIRE(job.failure().has_value());
  REQUIRE(job.failure()->ranks.front() == first);
  REQUIRE(job.failure()->ranks.size() == size_t(std::min(world.size(), 2)));
  REQUIRE(job.failure()->code == 3 + first);
  REQUIRE(job.failure()->text == "rank " + std::to_string(first) + " has no file");
  REQUIRE(job.hasToSayFailure() == (world.rank() == 0 && first > 0));
  REQUIRE(job.end()); // no more meeting
}

// The entries of a matrix whose numbers leave `rest` when they are divided by `parts`.
Coordinates entriesOf(int64_t parts, int64_t rest) {
  constexpr int64_t count = 200, rows = 23, columns = 50;
  Result<Coordinates> list = Coordinates::create({rows, columns}, STRATA_F64, count);
  REQUIRE(list.ok());
  int64_t at = 0;
  for (int64_t entry = 0; entry < count; ++entry)
    if (entry % parts == rest) {
      list->column(0).as<int32_t>()[at] = int32_t(entry * entry % rows);
      list->column(1).as<int32_t>()[at] = int32_t(entry * 7 % columns);
      list->values().as<double>()[at++] = double(entry);
    }
  REQUIRE(list->resize(at));
  return std::move(*list);
}

bool areSame(const Coordinates &left, const Coordinates &right) {
  bool same = left.sizes() == right.sizes() && left.count() == right.count();
  for (int64_t at = 0; same && at < left.count(); ++at)
    same = left.coordinate(0, at) == right.coordinate(0, at) &&
           left.coordinate(1, at) == right.coordinate(1, at) && left.value(at) == right.value(at);
  return same;
}

// Every cell gets from all processes what it gets where one knows all entries.
void testEntries(World &world) {
  using Kind = Place::Kind;
  const Coordinates own = entriesOf(world.size(), world.rank());
  Result<Coordinates> all = gatherEntries(world, own, "the gathering");
  REQUIRE(all.ok());
  REQUIRE(all->sort());
  const Grid grid({3, 2}, world.size());
  for (const Places &places : {Places{{Kind::Share, {0}}, {Kind::Share, {1}}},
                               Places{{Kind::Entries, {0, 1}}, {Kind::All}},
                               Places{{Kind::At, {}, 1}, {Kind::Entries, {1}}}}) {
    Numbered numbered{entriesOf(world.size(), world.rank()), {}};
    if (const std::vector<int64_t> *dims = Cut::storedDims(places, false)) {
      Result<Numbered> made =
          numberEntries(world, std::move(numbered.list), *dims, "the numbering");
      REQUIRE(made.ok());
      numbered = std::move(*made);
    }
    Result<Cut> sent = Cut::make(numbered.list, grid, places, false, numbered.stored);
    REQUIRE(sent.ok());
    const Result<NumberLists> owners = sent->entriesOfOwners(world.size());
    REQUIRE(owners.ok());
    Result<Numbered> come = scatterNumbered(world, std::move(numbered), *owners, "the move");
    REQUIRE(come.ok());
    Result<Cut> here = Cut::make(come->list, grid, places, false, come->stored);
    Result<Cut> expected = Cut::make(*all, grid, places, false);
    REQUIRE(here.ok() && expected.ok());
    auto [first, last] = grid.cellsOf(world.rank());
    for (int64_t cell = first; cell < last; ++cell) {
      Result<Coordinates> piece = here->entriesOf(cell), wanted = expected->entriesOf(cell);
      REQUIRE(piece.ok() && wanted.ok());
      REQUIRE(piece->sort());
      REQUIRE(areSame(*piece, *wanted));
    }
  }
}

// Entries that stand one behind the other for each process, beside others that are chosen one by
// one: a process sees no difference.
void testRanges(World &world) {
  using Kind = Place::Kind;
  Result<Coordinates> all = gatherEntries(world, entriesOf(world.size(), world.rank()), "all");
  REQUIRE(all.ok() && all->sort().ok());
  const Grid grid({2, 5}, world.size());
  for (const Places &places : {Places{{Kind::At, {}, 1}, {Kind::Share, {0}}},
                               Places{{Kind::Share, {0}}, {Kind::At, {}, 3}}}) {
    Coordinates own = entriesOf(world.size(), world.rank());
    Result<Coordinates> come = Coordinates();
    if (world.rank() % 2 == 0) {
      REQUIRE(own.sort());
      const auto ranges = rangesOfOwners(own, grid, places, world.size());
      REQUIRE(ranges.has_value());
      come = scatterRanges(world, std::move(own), *ranges, "the move");
    } else {
      Result<Cut> cut = Cut::make(own, grid, places, false);
      REQUIRE(cut.ok());
      const Result<NumberLists> owners = cut->entriesOfOwners(world.size());
      REQUIRE(owners.ok());
      come = scatterEntries(world, std::move(own), *owners, "the move");
    }
    REQUIRE(come.ok());
    Result<Cut> here = Cut::make(*come, grid, places, false);
    Result<Cut> expected = Cut::make(*all, grid, places, false);
    REQUIRE(here.ok() && expected.ok());
    int64_t count = 0;
    auto [first, last] = grid.cellsOf(world.rank());
    for (int64_t cell = first; cell < last; ++cell) {
      Result<Coordinates> piece = here->entriesOf(cell), wanted = expected->entriesOf(cell);
      REQUIRE(piece.ok() && wanted.ok() && piece->sort().ok());
      REQUIRE(areSame(*piece, *wanted));
      count += piece->count();
    }
    REQUIRE(come->count() == count);
  }
  const Coordinates own = entriesOf(world.size(), world.rank());
  for (const Places &places :
       {Places{{Kind::Share, {0}}, {Kind::All}}, Places{{Kind::Share, {0}}, {Kind::Share, {1}}},
        Places{{Kind::Entries, {0}}, {Kind::At, {}, 0}},
        Places{{Kind::Share, {0, 1}}, {Kind::At, {}, 0}}})
    REQUIRE(!rangesOfOwners(own, grid, places, world.size()));
}

// Rows become columns, each process gets those of the next one, and all get everything.
void testBoxes(World &world) {
  const int64_t size = 3 * world.size(), each = 3;
  auto rowsOf = [&](int64_t rank) { return Box{{each * rank, 0}, {each * rank + each, size}}; };
  auto columnsOf = [&](int64_t rank) { return Box{{0, each * rank}, {size, each * rank + each}}; };
  std::vector<BoxOfRank> homes, columns, all;
  for (int32_t rank = 0; rank < world.size(); ++rank) {
    homes.push_back({rowsOf(rank), rank});
    columns.push_back({columnsOf((rank + 1) % world.size()), rank});
    all.push_back({{{0, 0}, {size, size}}, rank});
  }
  std::vector<int64_t> own;
  for (int64_t at = 0; at < each * size; ++at)
    own.push_back(each * world.rank() * size + at);
  constexpr int64_t bytes = sizeof(int64_t);
  const BoxArray mine{reinterpret_cast<char *>(own.data()), {size * bytes, bytes}};
  for (const std::vector<BoxOfRank> &targets : {columns, all}) {
    const Box &box = targets[size_t(world.rank())].box;
    const int64_t width = box.hi[1] - box.lo[1];
    std::vector<int64_t> made(size_t(size * width), -1);
    const BoxArray to{reinterpret_cast<char *>(made.data()), {width * bytes, bytes}};
    Result<BoxTransfer> transfer =
        BoxTransfer::prepare(&world, homes, targets, {&mine, 1}, {&to, 1}, bytes, "the boxes");
    REQUIRE(transfer.ok() && transfer->start().ok());
    {
      const Progress progress(world, {transfer->channel()});
    }
    REQUIRE(transfer->finish());
    for (int64_t row = 0; row < size; ++row)
      for (int64_t column = 0; column < width; ++column)
        REQUIRE(made[size_t(row * width + column)] == row * size + box.lo[1] + column);
  }
}

void testAll(World &world) {
  testBroadcast(world);
  testAllgather(world);
  testAlltoall(world);
  testMessages(world, alike);
  testMessages(world, different);
  testMessages(world, empty);
  testTwoChannels(world);
  testExchange(world);
  testGatherParts(world);
  testFetch(world);
  testGive(world);
  testAgreement(world);
  testMeetings(world);
  testFailure(world);
  testEntries(world);
  testRanges(world);
  testBoxes(world);
}

// A world beside the first one, of every other process.
void testHalf(const World &world, WorldOptions options, const std::string &library) {
  void *handle = dlopen(library.c_str(), RTLD_NOW);
  require(handle != nullptr, handle ? "" : dlerror(), __LINE__);
  auto halves = reinterpret_cast<const void *(*)()>(dlsym(handle, "strata_test_halves"));
  REQUIRE(halves != nullptr);
  options.communicator = halves();
  Result<std::unique_ptr<World>> half = World::open(options);
  REQUIRE(half.ok());
  REQUIRE((*half)->rank() == world.rank() / 2);
  REQUIRE((*half)->size() == (world.size() + 1 - world.rank() % 2) / 2);
  testAll(**half);
  REQUIRE((*half)->close());
}

} // namespace

int runContract(int64_t pieceBytes, const std::string &halves) {
  WorldOptions options;
  options.pieceBytes = pieceBytes;
  options.patience.deadline = 60;
  Result<std::unique_ptr<World>> opened = World::open(options);
  require(opened.ok(), opened ? "" : opened.error().text().c_str(), __LINE__);
  World &world = **opened;
  testAll(world);
  if (!halves.empty()) {
    testHalf(world, options, halves);
    testAll(world);
  }
  if (world.rank() == 0)
    std::printf("%d ranks by %s, as %s: all functions agree\n", world.size(),
                world.library().c_str(), world.engine().provider->name);
  REQUIRE(world.close());
  return 0;
}

int runLocalContract(int32_t ranks) {
  const Status status = runLocalRanks(ranks, [&](int32_t rank, const void *communicator) {
    WorldOptions options;
    options.communicator = communicator;
    Result<std::unique_ptr<World>> joined = World::join(localEngine(), options);
    REQUIRE(joined.ok());
    REQUIRE((*joined)->rank() == rank);
    REQUIRE((*joined)->size() == ranks);
    testAll(**joined);
    REQUIRE((*joined)->close());
  });
  REQUIRE(status);
  std::printf("%d local ranks: all functions agree\n", ranks);
  return 0;
}

} // namespace strata::test
