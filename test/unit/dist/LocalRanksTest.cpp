// Ranks that are threads: turns, and what happens where nobody can go on.
#include "strata/runtime/dist/LocalRanks.h"
#include "strata/runtime/dist/BoxExchange.h"
#include "strata/runtime/dist/ExchangeEntries.h"
#include "strata/runtime/dist/RowExchange.h"

#include "RefusingMemory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

namespace strata::runtime::dist {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

// What each of so many ranks gets from its work.
template <typename Work> std::vector<std::string> inRanks(int32_t ranks, const Work &work) {
  std::vector<std::string> texts(static_cast<size_t>(ranks));
  Status status = runLocalRanks(ranks, [&](int32_t rank, const void *communicator) {
    WorldOptions options;
    options.communicator = communicator;
    Result<std::unique_ptr<World>> world = World::join(localEngine(), options);
    texts[size_t(rank)] = world ? work(**world) : world.error().message;
  });
  EXPECT_TRUE(status.ok());
  return texts;
}

TEST(LocalRanksTest, workOneAtATime) {
  int working = 0, most = 0;
  inRanks(8, [&](World &world) {
    for (int round = 0; round < 100; ++round) {
      most = std::max(most, ++working);
      --working;
      EXPECT_TRUE(world.alltoall(std::vector<int64_t>(8, round), "a round").ok());
    }
    return std::string();
  });
  EXPECT_EQ(most, 1);
}

TEST(LocalRanksTest, countWhatTheySend) {
  EXPECT_THAT(inRanks(3,
                      [](World &world) {
                        char letter = 'a', other = 0;
                        const int32_t next = (world.rank() + 1) % 3, last = (world.rank() + 2) % 3;
                        const Message out = {next, &letter, 1}, in = {last, &other, 1};
                        Result<Channel> channel = world.prepare({&out, 1}, {&in, 1}, "a letter");
                        const int64_t before = world.passed().collectives;
                        EXPECT_TRUE(channel->start().ok() && channel->finish().ok());
                        EXPECT_TRUE(channel->start().ok() && channel->finish().ok());
                        const Traffic &sent = world.passed();
                        return std::to_string(sent.bytes) + " " + std::to_string(sent.messages) +
                               " " + std::to_string(sent.collectives - before);
                      }),
              Each("2 2 0"));
}

TEST(LocalRanksTest, failWhereAllWait) {
  EXPECT_THAT(inRanks(3,
                      [](World &world) {
                        char letter = 0;
                        const Message in = {(world.rank() + 1) % 3, &letter, 1};
                        Result<Channel> channel = world.prepare({}, {&in, 1}, "a letter");
                        Status status = channel->start();
                        status = status.ok() ? channel->finish() : std::move(status);
                        return status.ok() ? "" : status.error().message;
                      }),
              Each(HasSubstr("all ranks wait")));
}

TEST(LocalRanksTest, failWhereOneHasLeft) {
  for (int32_t leaves : {0, 1})
    EXPECT_THAT(inRanks(2,
                        [&](World &world) -> std::string {
                          if (world.rank() == leaves)
                            world.stop(1);
                          Result<std::vector<int64_t>> all = world.allgather({}, "the end");
                          return all ? "" : all.error().message;
                        }),
                Each(testing::AnyOf(HasSubstr("has given up"), HasSubstr("has failed before"))));
}

// What is known before anybody waits is an error of the process alone.
TEST(LocalRanksTest, goOnWithoutRoomForWhatNobodySends) {
  constexpr int64_t much = int64_t(1) << 60;
  EXPECT_THAT(
      inRanks(2,
              [&](World &world) -> std::string {
                std::vector<Buffer> out(2);
                Result<Transfer> transfer = Transfer::prepare(
                    world, std::move(out), std::vector<int64_t>(2, much), "the sending");
                std::string text = transfer ? "" : transfer.error().message;
                EXPECT_FALSE(world.isLost());
                Result<std::vector<int64_t>> all = world.allgather({}, "the end");
                return text + (all ? "" : all.error().message);
              }),
      Each("cannot allocate " + std::to_string(much) + " bytes for messages between processes"));
}

TEST(LocalRanksTest, findNoRoomForBoxesBeforeTheyMove) {
  constexpr int64_t half = int64_t(1) << 57;
  const std::vector<BoxOfRank> homes = {{{{0}, {half}}, 0}, {{{half}, {2 * half}}, 1}},
                               targets = {{{{half}, {2 * half}}, 0}, {{{0}, {0}}, 1}};
  EXPECT_THAT(inRanks(2,
                      [&](World &world) -> std::string {
                        const BoxArray nowhere{nullptr, {8}};
                        Result<BoxTransfer> transfer = BoxTransfer::prepare(
                            &world, homes, targets, {&nowhere, 1}, {&nowhere, 1}, 8, "the move");
                        EXPECT_FALSE(world.isLost());
                        return transfer ? "" : transfer.error().message;
                      }),
              Each(HasSubstr("cannot allocate 1152921504606846976 bytes for messages")));
}

// Others wait for what has been announced: the world ends.
TEST(LocalRanksTest, loseTheWorldWithoutRoomForRowsThatCome) {
  constexpr int64_t rowBytes = int64_t(1) << 60;
  const std::vector<Home> homes = {{0, 1, 0}, {1, 2, 1}};
  EXPECT_THAT(inRanks(2,
                      [&](World &world) -> std::string {
                        const std::vector<int64_t> needed = {1 - world.rank()};
                        Result<RowExchange> plan =
                            RowExchange::fetch(world, needed, homes, rowBytes, "the fetch");
                        EXPECT_TRUE(world.isLost());
                        return plan ? "" : plan.error().message;
                      }),
              ElementsAre(HasSubstr("rank 0 of 2: the fetch failed: cannot allocate 11529215"),
                          HasSubstr("rank 1 of 2: the fetch failed: cannot allocate 11529215")));
}

// A list that a process alone lacks memory for ends the world, too.
TEST(LocalRanksTest, loseTheWorldWithoutMemoryForNumbers) {
  constexpr int64_t rows = 1000;
  const std::vector<Home> homes = {{0, rows, 0}, {rows, 2 * rows, 1}};
  auto lack = [&](World &world, auto operation) -> std::string {
    RefusingMemory memory{world.rank() == 1 ? size_t(4000) : size_t(1) << 30};
    const AllocatorScope scope(memory.allocator());
    const Status status = operation();
    return status.ok() ? "" : status.error().message;
  };
  auto fetch = [&](World &world) {
    return lack(world, [&] {
      std::vector<int64_t> needed(static_cast<size_t>(rows));
      std::iota(needed.begin(), needed.end(), (1 - world.rank()) * rows);
      return RowExchange::fetch(world, needed, homes, 8, "the fetch").takeStatus();
    });
  };
  auto number = [&](World &world) {
    Result<Coordinates> list = Coordinates::create({2, rows}, STRATA_I8, rows);
    EXPECT_TRUE(list.ok());
    for (int64_t entry = 0; entry < rows; ++entry) {
      list->column(0).as<int32_t>()[entry] = world.rank();
      list->column(1).as<int32_t>()[entry] = int32_t(entry);
    }
    return lack(world, [&] {
      return numberEntries(world, std::move(*list), {0, 1}, "the numbering").takeStatus();
    });
  };
  const auto lost = HasSubstr("rank 1 of 2: the fetch failed: cannot allocate 8000 bytes"),
             unnumbered =
                 HasSubstr("rank 1 of 2: the numbering failed: cannot allocate 8000 bytes");
  EXPECT_THAT(inRanks(2, fetch), ElementsAre(testing::Not(std::string()), lost));
  EXPECT_THAT(inRanks(2, number), ElementsAre(testing::Not(std::string()), unnumbered));
}

// Several operations bring what is longer than one of them takes.
TEST(LocalRanksTest, gatherPartsOfAnyLength) {
  constexpr int64_t length = (int64_t(17) << 20) + 3;
  const std::vector<ByteRange> parts = {{5, 9}, {14, 0}, {14, length}};
  auto byteAt = [](size_t at) { return char(at * 13 + at / 1021); };
  EXPECT_THAT(inRanks(3,
                      [&](World &world) -> std::string {
                        const ByteRange &own = parts[size_t(world.rank())];
                        std::vector<char> array(size_t(14 + length + 2), '?');
                        for (int64_t at = own.begin; at < own.begin + own.count; ++at)
                          array[size_t(at)] = byteAt(size_t(at));
                        const Traffic before = world.passed();
                        Status status = gatherParts(world, array.data(), parts, "the array");
                        EXPECT_TRUE(status.ok());
                        EXPECT_EQ((world.passed() - before).collectiveBytes,
                                  3 * ((length + 7) / 8 * 8));
                        size_t wrong = 0;
                        for (size_t at = 5; at < size_t(14 + length); ++at)
                          wrong += array[at] != byteAt(at);
                        wrong += array[4] != '?';
                        wrong += array[size_t(14 + length)] != '?';
                        return std::to_string(wrong);
                      }),
              Each("0"));
}

TEST(LocalRanksTest, tellWhoWaitsThatOneHasLeft) {
  EXPECT_THAT(inRanks(2,
                      [](World &world) -> std::string {
                        if (world.rank() == 1) {
                          world.stop(1);
                          return "left";
                        }
                        Result<std::vector<int64_t>> all = world.allgather({}, "the end");
                        return all ? "" : all.error().message;
                      }),
              ElementsAre(HasSubstr("has given up"), "left"));
}

} // namespace
} // namespace strata::runtime::dist
