// Random statements against loops over everything, all of the result and samples of it.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "Naive.h"
#include "RandomStatement.h"

#include "strata/reference/Result.h"

#include <cmath>

namespace {

using namespace strata::reference;

// Numbers beyond this are no longer exact in the loops, which compute in floating point.
bool exact(const std::map<Coordinate, Cell> &cells) {
  for (const auto &[at, cell] : cells)
    if (std::isfinite(cell.value.real()) && std::abs(cell.value) > 1e12)
      return false;
  return true;
}

TEST(RandomStatements, AgreeWithLoops) {
  int compared = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    RandomStatement drawn = drawStatement(seed);
    Program program(drawn.arguments, drawn.body);
    auto cells = naive(program.statement(), drawn.inputs, drawn.initOrNull());
    if (!exact(cells))
      continue;
    ++compared;
    Expected all = program.evaluate(drawn.inputs, drawn.initOrNull());
    ASSERT_TRUE(all.complete) << "seed " << seed << program.text;
    ASSERT_EQ(differences(all, cells), "") << "seed " << seed << program.text;

    auto statement = readStatement(program.statement(), drawn.inputs, drawn.initOrNull(), nullptr);
    ASSERT_TRUE(statement.ok());
    auto some = sample(*statement, {.samples = 20});
    ASSERT_TRUE(some.ok()) << some.error().text();
    ASSERT_FALSE(some->complete);
    ASSERT_TRUE(cells.empty() || !some->entries.empty());
    ASSERT_EQ(differences(*some, cells), "") << "sampled, seed " << seed << program.text;
  }
  EXPECT_GT(compared, 2500);
}

} // namespace
