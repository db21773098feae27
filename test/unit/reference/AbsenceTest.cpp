// What is absent: fills, NaN and infinity, explicit zeros, empty tensors and empty ranges.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "Program.h"

#include <cmath>
#include <limits>

namespace {

using namespace strata::reference;

const double nan = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

std::string product(const std::string &a, const std::string &x, const std::string &y) {
  return R"(
    %n = arith.constant 4 : index
    %y = ta.compute [%i = %n] ins(%a, %x : )" +
         a + ", " + x + ") -> " + y + R"( out [%i] {
      %u = ta.access %a[%i] : )" +
         a + R"(
      %v = ta.access %x[%i] : )" +
         x + R"(
      %p = arith.mulf %u, %v : f64
      ta.yield %p : f64
    })";
}

const std::string thin = "tensor<4xf64, #Sparse1>", full = "tensor<4xf64>",
                  infinite = "tensor<4xf64, #Inf1>";

TEST(Absence, AbsentZeroAnnihilatesNaN) {
  Program program("%a: " + thin + ", %x: " + full, product(thin, full, thin));
  Expected y =
      program.check({sparse({4}, {{{1}, 0}, {{2}, 3}}), filled({4}, {nan, nan, 2, infinity})});
  EXPECT_EQ(valueAt(y, {0}), 0.0);
  EXPECT_TRUE(std::isnan(valueAt(y, {1}).real())) << "a stored 0 times NaN";
  EXPECT_EQ(pattern(y), (std::vector<Coordinate>{{1}, {2}}));
}

TEST(Absence, AbsentNaNLeavesNothingElseOfASum) {
  const std::string undefined = "tensor<4xf64, #NaN1>";
  std::string sum = product(undefined, full, undefined);
  for (const char *op : {"arith.addf", "arith.subf", "arith.minimumf", "arith.maximumf"}) {
    std::string text = sum;
    text.replace(text.find("arith.mulf"), 10, op);
    Program program("%a: " + undefined + ", %x: " + full, text);
    Expected y = program.check({sparse({4}, {{{2}, 3}}), filled({4}, {1, nan, 2, infinity})});
    EXPECT_EQ(pattern(y), (std::vector<Coordinate>{{2}})) << op;
    EXPECT_TRUE(std::isnan(y.fill.value.real()));
  }
}

TEST(Absence, AbsentZeroAnnihilatesAbsentNaN) {
  const std::string undefined = "tensor<4xf64, #NaN1>";
  Program program("%a: " + undefined + ", %x: " + thin, product(undefined, thin, thin));
  Expected y = program.check({sparse({4}, {{{2}, 3}}), sparse({4}, {{{1}, 5}, {{2}, 2}})});
  EXPECT_EQ(valueAt(y, {0}), 0.0);
  EXPECT_TRUE(std::isnan(valueAt(y, {1}).real()));
  EXPECT_EQ(valueAt(y, {2}), 6.0);
  EXPECT_EQ(valueAt(y, {3}), 0.0);
}

TEST(Absence, InATypeThatStoresAllNothingIsAbsent) {
  Program program("%a: " + full + ", %x: " + full, product(full, full, full));
  // The list leaves zeros out; the operand stores them nevertheless.
  Expected y = program.check({sparse({4}, {{{2}, 3}}), filled({4}, {nan, 1, 2, infinity})});
  EXPECT_TRUE(std::isnan(valueAt(y, {0}).real()));
  EXPECT_EQ(valueAt(y, {1}), 0.0);
  EXPECT_EQ(valueAt(y, {2}), 6.0);
}

TEST(Absence, ExplicitZerosAreStored) {
  Program program("%a: " + thin + ", %x: " + thin, product(thin, thin, thin));
  Expected y =
      program.check({sparse({4}, {{{0}, 0}, {{1}, 2}}), sparse({4}, {{{0}, 5}, {{3}, 1}})});
  EXPECT_EQ(pattern(y), (std::vector<Coordinate>{{0}}));
}

TEST(Absence, InfiniteFillMeetsZero) {
  Program program("%a: " + infinite + ", %x: " + thin, product(infinite, thin, infinite));
  // Absent zeros annihilate absent infinities: so nothing is worth the fill of the result.
  Expected y = program.check({sparse({4}, {{{0}, 2}}), sparse({4}, {{{0}, 5}, {{1}, 7}})});
  EXPECT_EQ(valueAt(y, {0}), 10.0);
  EXPECT_EQ(valueAt(y, {1}), infinity);
  EXPECT_EQ(valueAt(y, {2}), 0.0);
  EXPECT_EQ(pattern(y).size(), 4u);
}

// c(i) = min_k A(i,k) + b(k): shortest paths touch stored edges only.
TEST(Absence, MinPlus) {
  Program program("%A: tensor<3x3xf64, #Inf2>, %b: tensor<3xf64, #Inf1>", R"(
    %n = arith.constant 3 : index
    %c = ta.compute [%i = %n] ins(%A, %b : tensor<3x3xf64, #Inf2>, tensor<3xf64, #Inf1>)
        -> tensor<3xf64, #Inf1> out [%i] {
      %m = ta.reduce min [%k = %n] : f64 {
        %a = ta.access %A[%i, %k] : tensor<3x3xf64, #Inf2>
        %x = ta.access %b[%k] : tensor<3xf64, #Inf1>
        %s = arith.addf %a, %x : f64
        ta.yield %s : f64
      }
      ta.yield %m : f64
    })");
  Expected c = program.check(
      {sparse({3, 3}, {{{0, 1}, 2}, {{0, 2}, 9}, {{2, 0}, 1}}), sparse({3}, {{{1}, 5}, {{2}, 1}})});
  EXPECT_EQ(valueAt(c, {0}), 7.0);
  EXPECT_EQ(pattern(c), (std::vector<Coordinate>{{0}}));
}

// Where nothing is stored the body is 1: the range counts, not the entries.
TEST(Absence, ReductionWhoseAbsentTermIsNotNeutral) {
  for (const char *combine : {"add", "mul", "min", "max"}) {
    Program program("%A: tensor<?x?xf64, #Sparse2>", std::string(R"(
      %n = ta.dim %A, 0 : tensor<?x?xf64, #Sparse2>
      %m = ta.dim %A, 1 : tensor<?x?xf64, #Sparse2>
      %y = ta.compute [%i = %n] ins(%A : tensor<?x?xf64, #Sparse2>)
          sizes(%n) -> tensor<?xf64, #Sparse1> out [%i] {
        %one = arith.constant 1.5 : f64
        %s = ta.reduce )") + combine + R"( [%j = %m] : f64 {
          %a = ta.access %A[%i, %j] : tensor<?x?xf64, #Sparse2>
          %b = arith.addf %a, %one : f64
          ta.yield %b : f64
        }
        ta.yield %s : f64
      })");
    program.check({sparse({3, 4}, {{{0, 0}, 5}, {{0, 2}, -7}, {{2, 1}, 9}})});
    program.check({sparse({3, 0}, {})});
    program.check({sparse({0, 3}, {})});
    program.check({sparse({3, 4}, {})});
  }
}

// A variable that the body does not use multiplies; over an empty range it empties.
TEST(Absence, UnusedReductionVariable) {
  for (int64_t extent : {0, 1, 3}) {
    Program program("%a: tensor<4xf64, #Sparse1>", R"(
      %n = arith.constant 4 : index
      %m = arith.constant )" + std::to_string(extent) + R"( : index
      %y = ta.compute [%i = %n] ins(%a : tensor<4xf64, #Sparse1>)
          -> tensor<4xf64, #Sparse1> out [%i] {
        %s = ta.reduce add [%j = %m] : f64 {
          %x = ta.access %a[%i] : tensor<4xf64, #Sparse1>
          ta.yield %x : f64
        }
        ta.yield %s : f64
      })");
    Expected y = program.evaluate({sparse({4}, {{{1}, 2}})});
    EXPECT_EQ(valueAt(y, {1}), 2.0 * static_cast<double>(extent));
  }
}

// What may be missing is there, so that the absent zero beside it is a value, and a term.
TEST(Absence, AbsentZeroBesideWhatMayBeMissing) {
  for (const char *combine : {"max", "add"}) {
    Program program("%a: tensor<2xf64, #Sparse1>, %B: tensor<2x2xf64, #Sparse2>", std::string(R"(
      %n = arith.constant 2 : index
      %y = ta.compute [%i = %n] ins(%a, %B : tensor<2xf64, #Sparse1>, tensor<2x2xf64, #Sparse2>)
          -> tensor<2xf64, #Sparse1> out [%i] {
        %s = ta.reduce )") + combine + R"( [%j = %n] attributes {missing} : f64 {
          %x = ta.access %a[%i] {missing} : tensor<2xf64, #Sparse1>
          %z = ta.access %B[%i, %j] : tensor<2x2xf64, #Sparse2>
          %p = arith.mulf %x, %z : f64
          ta.yield %p : f64
        }
        ta.yield %s : f64
      })");
    Expected y = program.evaluate({sparse({2}, {{{0}, 1}}), sparse({2, 2}, {})});
    // It changes no sum, which has no terms then.
    bool isTerm = combine == std::string("max");
    EXPECT_EQ(pattern(y), isTerm ? std::vector<Coordinate>{{0}} : std::vector<Coordinate>{});
  }
}

// Over nothing, a reduction that may be missing is, whatever it would combine.
TEST(Absence, NothingToCombineIsMissing) {
  Program program("%init: tensor<f64>", R"(
    %n = arith.constant 0 : index
    %y = ta.compute [] init(%init : tensor<f64>) -> tensor<f64> out [] {
      %s = ta.reduce add [%k = %n] attributes {missing} : f64 {
        %t = ta.reduce add [%l = %n] : f64 {
          %one = arith.constant 1.0 : f64
          ta.yield %one : f64
        }
        ta.yield %t : f64
      }
      ta.yield %s : f64
    })");
  Tensor init = filled({}, {3});
  EXPECT_EQ(valueAt(program.evaluate({}, &init), {}), 3.0);
}

TEST(Absence, EmptyTensors) {
  Program program("%A: tensor<?x?xf64, #Sparse2>, %x: tensor<?xf64>", R"(
    %n = ta.dim %A, 0 : tensor<?x?xf64, #Sparse2>
    %m = ta.dim %A, 1 : tensor<?x?xf64, #Sparse2>
    %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #Sparse2>, tensor<?xf64>)
                    sizes(%n) -> tensor<?xf64> out [%i] {
      %s = ta.reduce add [%j = %m] : f64 {
        %a = ta.access %A[%i, %j] : tensor<?x?xf64, #Sparse2>
        %b = ta.access %x[%j] : tensor<?xf64>
        %p = arith.mulf %a, %b : f64
        ta.yield %p : f64
      }
      ta.yield %s : f64
    })");
  EXPECT_TRUE(program.check({sparse({0, 4}, {}), filled({4}, {1, 2, 3, 4})}).entries.empty());
  EXPECT_EQ(valueAt(program.check({sparse({4, 0}, {}), filled({0}, {})}), {3}), 0.0);
  EXPECT_EQ(program.check({sparse({4, 1}, {}), filled({1}, {nan})}).fill.value, 0.0);
}

TEST(Absence, RepeatedCoordinatesAreSummed) {
  Program program("%a: " + thin + ", %x: " + full, product(thin, full, thin));
  Expected y =
      program.check({sparse({4}, {{{3}, 1}, {{1}, 2}, {{3}, 10}}), filled({4}, {1, 1, 1, 1})});
  EXPECT_EQ(valueAt(y, {3}), 11.0);
}

} // namespace
