// What a tensor stores against the list that it was made from.
#include "strata/execution/Check.h"
#include "Workbench.h"

namespace {

using namespace strata;
using namespace strata::test;

// A list in which an entry comes twice, and what a tensor made from it holds.
const TensorData given{
    {3, 4}, STRATA_F64, {{{0, 1}, 1}, {{2, 3}, 0.1}, {{2, 3}, 0.2}, {{1, 0}, 5}}};
const TensorData held{{3, 4}, STRATA_F64, {{{0, 1}, 1}, {{1, 0}, 5}, {{2, 3}, 0.1 + 0.2}}};

CheckOutcome outcomeOf(const TensorData &list, const TensorData &actual) {
  Workbench &bench = Workbench::instance();
  auto type = bench.type(namedFormats(2).front(), 2, list.type);
  auto outcome = checkStored(toCoordinates(list), type, toCoordinates(actual));
  EXPECT_TRUE(outcome.ok());
  return outcome.ok() ? *outcome : CheckOutcome();
}

TEST(CheckStored, repetitionsAreAddedUpInAnyOrder) {
  EXPECT_TRUE(outcomeOf(given, held).agrees);
  TensorData rounded = held;
  rounded.entries[2].value = std::nextafter(0.3, 0);
  EXPECT_TRUE(outcomeOf(given, rounded).agrees);
}

TEST(CheckStored, tellsWhatDiffers) {
  TensorData other = held;
  other.entries[0].value = 2;
  CheckOutcome changed = outcomeOf(given, other);
  EXPECT_FALSE(changed.agrees);
  EXPECT_EQ(changed.text, "at (0, 1): expected 1, found 2\n");
  other = held;
  other.entries.pop_back();
  EXPECT_FALSE(outcomeOf(given, other).agrees) << "one that is lost";
  other = held;
  other.entries.push_back({{2, 0}, 7});
  EXPECT_FALSE(outcomeOf(given, other).agrees) << "one that was not given";
}

// Without repetitions nothing is rounded.
TEST(CheckStored, copiesAreExact) {
  TensorData other = held;
  other.entries[2].value = std::nextafter(0.1 + 0.2, 0);
  EXPECT_FALSE(outcomeOf(held, other).agrees);
}

} // namespace
