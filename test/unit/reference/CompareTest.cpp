// Comparison of results: values, patterns, tolerances.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "Program.h"

#include <cmath>
#include <limits>

namespace {

using namespace strata::reference;

// y(i) = sum_j A(i,j), a list of row sums.
Program rowSums(const std::string &element, const std::string &format) {
  std::string A = "tensor<?x?x" + element + ", #Sparse2>";
  return Program("%A: " + A, "%n = ta.dim %A, 0 : " + A + "\n %m = ta.dim %A, 1 : " + A + R"(
    %y = ta.compute [%i = %n] ins(%A : )" +
                                 A + ") sizes(%n) -> tensor<?x" + element + format +
                                 R"(> out [%i] {
      %s = ta.reduce add [%j = %m] : )" +
                                 element + R"( {
        %a = ta.access %A[%i, %j] : )" +
                                 A + R"(
        ta.yield %a : )" + element +
                                 R"(
      }
      ta.yield %s : )" + element +
                                 "\n }");
}

Comparison compared(const Expected &expected, const Tensor &actual, Pattern pattern) {
  auto result = compare(expected, actual, {.pattern = pattern});
  EXPECT_TRUE(result.ok());
  return std::move(*result);
}

Tensor matrix() { return sparse({4, 3}, {{{0, 0}, 1}, {{0, 2}, 2}, {{2, 1}, 4}, {{3, 1}, 0}}); }

TEST(Compare, Patterns) {
  Expected y = rowSums("f64", ", #Sparse1").check({matrix()});
  Tensor same = sparse({4}, {{{0}, 3}, {{2}, 4}, {{3}, 0}});
  Tensor padded = sparse({4}, {{{0}, 3}, {{1}, 0}, {{2}, 4}, {{3}, 0}});
  Tensor pruned = sparse({4}, {{{0}, 3}, {{2}, 4}});
  for (Pattern pattern : {Pattern::ignored, Pattern::covers, Pattern::exact})
    EXPECT_TRUE(compared(y, same, pattern).equal());
  EXPECT_TRUE(compared(y, padded, Pattern::covers).equal());
  EXPECT_TRUE(compared(y, pruned, Pattern::ignored).equal());
  EXPECT_EQ(compared(y, pruned, Pattern::covers).text(),
            "at (3): expected 0, found nothing stored (0)\n");
  EXPECT_EQ(compared(y, padded, Pattern::exact).text(),
            "at (1): expected nothing stored (0), found 0\n");
}

TEST(Compare, FirstDifferences) {
  Expected y = rowSums("f64", "").check({matrix()});
  Tensor wrong = filled({4}, {3, 9, 5, 8});
  auto result = compare(y, wrong, {.maxDifferences = 2});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->differing, 3);
  EXPECT_EQ(result->text(),
            "at (1): expected 0, found 9\nat (2): expected 4, found 5\nand 1 more\n");
  EXPECT_FALSE(compare(y, filled({3}, {3, 0, 4})).ok());
  EXPECT_FALSE(compare(y, sparse({4}, {}, STRATA_F32)).ok());
}

// Cancellation: the bound is about the terms, not about what is left of them.
TEST(Compare, ToleranceFollowsTheTerms) {
  Expected y = rowSums("f64", "").evaluate(
      {sparse({2, 3}, {{{0, 0}, 1e10}, {{0, 1}, 1e-3}, {{0, 2}, -1e10}, {{1, 0}, 1e-3}})});
  EXPECT_NEAR(valueAt(y, {0}).real(), 1e-3, 1e-6);
  EXPECT_TRUE(compared(y, filled({2}, {(1e10 + 1e-3) - 1e10, 1e-3}), Pattern::ignored).equal());
  EXPECT_FALSE(compared(y, filled({2}, {1e-3, 1.0001e-3}), Pattern::ignored).equal());
}

TEST(Compare, NarrowSums) {
  std::vector<Item> items;
  float sum = 0;
  for (int64_t j = 0; j < 1000; ++j) {
    float value = 1.0f / static_cast<float>(j + 1);
    items.push_back({{0, j}, value});
    sum += value;
  }
  Expected y = rowSums("f32", "").evaluate({sparse({1, 1000}, items, STRATA_F32)});
  EXPECT_TRUE(compared(y, sparse({1}, {{{0}, sum}}, STRATA_F32), Pattern::ignored).equal());
  EXPECT_FALSE(compared(y, sparse({1}, {{{0}, sum - 0.01}}, STRATA_F32), Pattern::ignored).equal());
}

TEST(Compare, IntegersExactly) {
  Expected y = rowSums("i64", "").check({sparse({1, 2}, {{{0, 0}, 7}, {{0, 1}, -3}}, STRATA_I64)});
  EXPECT_TRUE(compared(y, sparse({1}, {{{0}, 4}}, STRATA_I64), Pattern::exact).equal());
  EXPECT_FALSE(compared(y, sparse({1}, {{{0}, 5}}, STRATA_I64), Pattern::exact).equal());
}

TEST(Compare, NaNAndInfinity) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  double infinity = std::numeric_limits<double>::infinity();
  Expected y = rowSums("f64", "").check({sparse(
      {3, 2}, {{{0, 0}, nan}, {{1, 0}, infinity}, {{2, 0}, infinity}, {{2, 1}, -infinity}})});
  EXPECT_TRUE(compared(y, filled({3}, {nan, infinity, nan}), Pattern::ignored).equal());
  EXPECT_FALSE(compared(y, filled({3}, {nan, -infinity, nan}), Pattern::ignored).equal());
  EXPECT_FALSE(compared(y, filled({3}, {0, infinity, nan}), Pattern::ignored).equal());
}

TEST(Compare, ResultsAreOperands) {
  Expected y = rowSums("f64", ", #Sparse1").check({matrix()});
  auto tensor = y.tensor();
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->count(), 3);
  EXPECT_TRUE(compared(y, *tensor, Pattern::exact).equal());
}

} // namespace
