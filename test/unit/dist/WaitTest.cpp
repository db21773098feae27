// Deadlines and notes, of a provider whose messages come when the test says so.
#include "strata/runtime/dist/Wait.h"
#include "strata/runtime/dist/Self.h"

#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

namespace strata::runtime::dist {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

// What the provider answers; the code of the end, or that it is done after so many seconds.
int32_t code = 0;
std::chrono::steady_clock::time_point arrival;

int32_t testLater(strata_channel *, int32_t *done) {
  *done = std::chrono::steady_clock::now() >= arrival;
  return code;
}

Status waitOf(double seconds, const Patience &patience) {
  strata_provider provider = selfProvider();
  provider.test = testLater;
  arrival = std::chrono::steady_clock::now() +
            std::chrono::microseconds(static_cast<int64_t>(seconds * 1e6));
  return waitFor(provider, nullptr, patience, "rank 0 of 3", "the exchange of sizes",
                 [] { return Awaited{"ranks 1, 2"}; });
}

TEST(WaitTest, endsWithItsMessages) {
  code = 0;
  EXPECT_TRUE(waitOf(0, {}).ok());
  EXPECT_TRUE(waitOf(0.02, {}).ok());
  EXPECT_TRUE(waitOf(0.02, {.deadline = 20}).ok());
}

TEST(WaitTest, failsAtItsDeadline) {
  code = 0;
  Status status = waitOf(1000, {.deadline = 0.1});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().text(),
            "error: rank 0 of 3 has waited for ranks 1, 2 for 0.1 s, in the exchange of sizes; the "
            "deadline is 0.1 s");
}

TEST(WaitTest, tellsAgainAndAgain) {
  code = 0;
  std::vector<std::string> notes;
  Patience patience{.noteEvery = 0.1,
                    .note = [&](const std::string &text) { notes.push_back(text); }};
  EXPECT_TRUE(waitOf(0.25, patience).ok());
  ASSERT_THAT(notes, SizeIs(testing::Ge(2u)));
  EXPECT_THAT(notes.front(), AllOf(HasSubstr("rank 0 of 3 has waited for ranks 1, 2 for 0.1 s"),
                                   HasSubstr("in the exchange of sizes")));
}

TEST(WaitTest, saysWhatTheProviderSays) {
  code = 1;
  Status status = waitOf(1000, {});
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().text(), HasSubstr("rank 0 of 3: the exchange of sizes failed: there"));
}

} // namespace
} // namespace strata::runtime::dist
