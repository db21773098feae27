// Ranks that are threads: turns, and what happens where nobody can go on.
#include "strata/runtime/dist/LocalRanks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
