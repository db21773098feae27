// Lists of numbers in one array.
#include "strata/runtime/storage/NumberLists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using strata::runtime::NumberLists;
using strata::runtime::Result;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

TEST(NumberListsTest, AreWrittenOneByOne) {
  Result<NumberLists> lists = NumberLists::make(std::vector<int64_t>{2, 0, 1});
  ASSERT_TRUE(lists.ok());
  std::vector<int64_t *> next = lists->places();
  *next[2]++ = 9;
  *next[0]++ = 4;
  *next[0]++ = 7;
  ASSERT_EQ(lists->size(), 3U);
  EXPECT_THAT((*lists)[0], ElementsAre(4, 7));
  EXPECT_THAT((*lists)[1], IsEmpty());
  EXPECT_THAT((*lists)[2], ElementsAre(9));
  EXPECT_THAT(lists->all(), ElementsAre(4, 7, 9));
}

TEST(NumberListsTest, AreTheSameIfAllListsAre) {
  using Lists = std::vector<std::vector<int64_t>>;
  auto copy = [](const Lists &lists) { return std::move(*NumberLists::copyOf(lists)); };
  EXPECT_EQ(copy({{1, 2}, {}, {3}}), copy({{1, 2}, {}, {3}}));
  EXPECT_FALSE(copy({{1}, {2, 3}}) == copy({{1, 2}, {3}}));
  EXPECT_FALSE(copy({{1}, {2}}) == copy({{1}, {3}}));
  EXPECT_EQ(copy({}), NumberLists());
  EXPECT_THAT(NumberLists().all(), IsEmpty());
}

TEST(NumberListsTest, AreAnErrorWithoutMemory) {
  constexpr int64_t much = int64_t(1) << 57;
  Result<NumberLists> lists = NumberLists::make(std::vector<int64_t>{much, much});
  ASSERT_FALSE(lists.ok());
  EXPECT_THAT(lists.error().message, testing::HasSubstr("cannot allocate 2305843009213693952"));
}

} // namespace
