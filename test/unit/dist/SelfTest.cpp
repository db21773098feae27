// A world of one process, and the contract of its provider.
#include "strata/runtime/dist/Exchange.h"
#include "strata/runtime/dist/Job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace strata::runtime::dist {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SelfTest : public testing::Test {
protected:
  void SetUp() override {
    Result<std::unique_ptr<World>> opened = World::self();
    ASSERT_TRUE(opened.ok());
    world = std::move(*opened);
  }

  std::unique_ptr<World> world;
};

TEST_F(SelfTest, hasOneProcess) {
  EXPECT_EQ(world->rank(), 0);
  EXPECT_EQ(world->size(), 1);
  EXPECT_EQ(world->nodes().size(), 1u);
  EXPECT_EQ(world->nameOf(0), "rank 0 of 1");
  EXPECT_EQ(world->library(), "none");
  EXPECT_TRUE(world->close().ok());
}

TEST_F(SelfTest, keepsWhatIsBroadcastAndGathered) {
  char data[] = "abc";
  EXPECT_TRUE(world->broadcast(data, 3, 0, "the broadcast").ok());
  EXPECT_STREQ(data, "abc");
  const int64_t own[] = {5, int64_t(1) << 40};
  Result<std::vector<int64_t>> all = world->allgather(own, "the allgather");
  ASSERT_TRUE(all.ok());
  EXPECT_THAT(*all, ElementsAre(5, int64_t(1) << 40));
}

TEST_F(SelfTest, sendsToItselfAtEachStart) {
  char there[2] = {'a', 'b'}, back[2] = {};
  const Message out = {0, there, 2}, in = {0, back, 2};
  Result<Channel> channel = world->prepare({&out, 1}, {&in, 1}, "the messages");
  ASSERT_TRUE(channel.ok());
  for (char letter : {'x', 'y'}) {
    there[0] = letter;
    ASSERT_TRUE(channel->start().ok());
    ASSERT_TRUE(channel->finish().ok());
    EXPECT_EQ(back[0], letter);
    EXPECT_EQ(back[1], 'b');
  }
}

TEST_F(SelfTest, takesEmptyMessagesAndNone) {
  const Message nothing = {0, nullptr, 0};
  for (std::span<const Message> messages : {std::span(&nothing, 1), std::span<const Message>()}) {
    Result<Channel> channel = world->prepare(messages, messages, "nothing");
    ASSERT_TRUE(channel.ok());
    EXPECT_TRUE(channel->start().ok());
    EXPECT_TRUE(channel->finish().ok());
  }
}

TEST_F(SelfTest, refusesOtherProcesses) {
  char byte = 0;
  const Message message = {1, &byte, 1};
  Result<Channel> channel = world->prepare({&message, 1}, {}, "the messages");
  ASSERT_FALSE(channel.ok());
  EXPECT_THAT(channel.error().text(),
              HasSubstr("rank 0 of 1: the messages failed: there is only one process"));
  // Then nothing more is possible.
  EXPECT_TRUE(world->isLost());
  Status status = world->broadcast(&byte, 1, 0, "the broadcast");
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().text(), HasSubstr("an operation has failed before"));
}

TEST_F(SelfTest, refusesOneMessageOfTwoSizes) {
  char bytes[2] = {};
  const Message out = {0, bytes, 2}, in = {0, bytes, 1};
  Result<Channel> channel = world->prepare({&out, 1}, {&in, 1}, "the messages");
  ASSERT_FALSE(channel.ok());
  EXPECT_THAT(channel.error().text(), HasSubstr("other bytes"));
}

TEST_F(SelfTest, exchangesWithItself) {
  std::vector<Buffer> out(1);
  Result<Buffer> bytes = roomForMessages(2);
  ASSERT_TRUE(bytes.ok());
  std::memcpy(bytes->data(), "ab", 2);
  out[0] = std::move(*bytes);
  Result<std::vector<Buffer>> in = exchange(*world, std::move(out), "the exchange");
  ASSERT_TRUE(in.ok());
  ASSERT_EQ(in->size(), 1u);
  ASSERT_EQ(in->front().count(), 2);
  EXPECT_EQ(std::memcmp(in->front().data(), "ab", 2), 0);
  EXPECT_FALSE(exchange(*world, {}, "the exchange").ok());
}

TEST_F(SelfTest, agreesWithItself) {
  const Agreed things[] = {{"the program", "y = A x"}, {"the parameters", "n=4"}};
  Job job(*world);
  EXPECT_TRUE(job.agree(things).ok());
  Result<std::vector<int64_t>> numbers = job.meet(0, 42, "the meeting");
  ASSERT_TRUE(numbers.ok());
  EXPECT_THAT(*numbers, ElementsAre(42));
  EXPECT_TRUE(job.end().ok());
}

TEST_F(SelfTest, hasNobodyElseSayWhatFailed) {
  Job job(*world);
  EXPECT_TRUE(job.fail(2, "no file").ok());
  ASSERT_TRUE(job.failure().has_value());
  EXPECT_EQ(job.failure()->code, 2);
  EXPECT_EQ(job.placeOfFailure(), "on rank 0 of 1");
  EXPECT_FALSE(job.hasToSayFailure());
  EXPECT_TRUE(job.end().ok());
}

TEST_F(SelfTest, hasProcessors) { EXPECT_GE(world->processors(), 1); }

TEST_F(SelfTest, hasRoomForAnother) {
  Result<std::unique_ptr<World>> other = World::self();
  ASSERT_TRUE(other.ok());
  EXPECT_TRUE((*other)->close().ok());
  EXPECT_TRUE(world->close().ok());
}

} // namespace
} // namespace strata::runtime::dist
