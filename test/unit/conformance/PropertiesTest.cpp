// The properties of the level formats that 004 describes, as its Table 3.2 has them.
#include "strata/level/LevelProperties.h"

#include <gtest/gtest.h>

namespace strata::test {
namespace {

struct Row {
  const char *name;
  bool full, ordered, unique, branchless, compact;
  bool canBeUnordered, canBeNonunique;
};

// In 004 ordered and unique are a choice also of dense, range and offset levels; here they always
// are both, and hashed levels are unique. Hashed levels are compact, since entries lie in the order
// of their arrival and the table holds their numbers.
const Row rows[] = {
    {"dense", true, true, true, false, true, false, false},
    {"range", false, true, true, false, false, false, false},
    {"compressed", false, true, true, false, true, true, true},
    {"singleton", false, true, true, true, true, true, true},
    {"offset", false, true, true, true, true, false, false},
    {"hashed", false, false, true, false, true, true, false},
};

TEST(Properties, Table32) {
  for (const Row &row : rows) {
    SCOPED_TRACE(row.name);
    const LevelTraits *traits = findLevelTraits(row.name);
    ASSERT_TRUE(traits);
    EXPECT_EQ(traits->defaults.full, row.full);
    EXPECT_EQ(traits->defaults.ordered, row.ordered);
    EXPECT_EQ(traits->defaults.unique, row.unique);
    EXPECT_EQ(traits->defaults.branchless, row.branchless);
    EXPECT_EQ(traits->defaults.compact, row.compact);
    EXPECT_EQ(traits->canBeUnordered, row.canBeUnordered);
    EXPECT_EQ(traits->canBeNonunique, row.canBeNonunique);
  }
}

} // namespace
} // namespace strata::test
