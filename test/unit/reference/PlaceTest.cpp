// Where values come from and go to: windows, strides, diagonals, broadcasts, init and combine.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "Program.h"

namespace {

using namespace strata::reference;

Tensor matrix() {
  return sparse({5, 6}, {{{0, 0}, 1},
                         {{0, 3}, 2},
                         {{1, 1}, 3},
                         {{2, 5}, 4},
                         {{3, 3}, 5},
                         {{4, 0}, 6},
                         {{4, 4}, 7},
                         {{2, 2}, 0}});
}

Program copy(const std::string &variables, const std::string &access, const std::string &result,
             const std::string &constants) {
  return Program("%A: tensor<5x6xf64, #Sparse2>", constants + "%y = ta.compute [" + variables +
                                                      "] ins(%A : tensor<5x6xf64, #Sparse2>) -> " +
                                                      result + R"( {
      %a = ta.access %A[)" + access + R"(] : tensor<5x6xf64, #Sparse2>
      ta.yield %a : f64
    })");
}

const char *constants = R"(
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  )";

TEST(Place, Window) {
  Program program = copy("%i = %c3, %j = %c4", "%i + 2, %j + 1",
                         "tensor<3x4xf64, #Sparse2> out [%i, %j]", constants);
  EXPECT_EQ(pattern(program.check({matrix()})), (std::vector<Coordinate>{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(Place, Stride) {
  copy("%i = %c3, %j = %c3", "%i * 2, %j * 2 + 1", "tensor<3x3xf64, #Sparse2> out [%i, %j]",
       constants)
      .check({matrix()});
}

TEST(Place, Reversed) {
  copy("%i = %c5, %j = %c5", "%i * -1 + 4, %j", "tensor<5x5xf64, #Sparse2> out [%i, %j]", constants)
      .check({matrix()});
}

TEST(Place, Diagonal) {
  Program program = copy("%i = %c5", "%i, %i", "tensor<5xf64, #Sparse1> out [%i]", constants);
  EXPECT_EQ(pattern(program.check({matrix()})), (std::vector<Coordinate>{{0}, {1}, {2}, {3}, {4}}));
}

TEST(Place, SkewAndBlocks) {
  copy("%i = %c3, %j = %c3", "%i + %j, %j", "tensor<3x3xf64, #Sparse2> out [%i, %j]", constants)
      .check({matrix()});
  copy("%i = %c5, %j = %c5", "%i floordiv 2, %j mod 3", "tensor<5x5xf64, #Sparse2> out [%i, %j]",
       constants)
      .check({matrix()});
}

// A one-dimensional convolution: the access has more variables than coordinates.
TEST(Place, Convolution) {
  Program program("%a: tensor<6xf64, #Sparse1>, %w: tensor<3xf64>", R"(
    %n = arith.constant 4 : index
    %m = arith.constant 3 : index
    %y = ta.compute [%i = %n] ins(%a, %w : tensor<6xf64, #Sparse1>, tensor<3xf64>)
        -> tensor<4xf64, #Sparse1> out [%i] {
      %s = ta.reduce add [%k = %m] : f64 {
        %x = ta.access %a[%i + %k] : tensor<6xf64, #Sparse1>
        %v = ta.access %w[%k] : tensor<3xf64>
        %p = arith.mulf %x, %v : f64
        ta.yield %p : f64
      }
      ta.yield %s : f64
    })");
  Expected y = program.check({sparse({6}, {{{0}, 1}, {{5}, 2}}), filled({3}, {10, 20, 30})});
  EXPECT_EQ(valueAt(y, {3}), 60.0);
  EXPECT_EQ(pattern(y), (std::vector<Coordinate>{{0}, {3}}));
}

// C(i,j) = a(i) + b(j): each operand lacks a variable.
TEST(Place, Broadcast) {
  for (const char *op : {"arith.addf", "arith.mulf", "arith.maximumf"}) {
    Program program("%a: tensor<3xf64, #Sparse1>, %b: tensor<4xf64, #Sparse1>", std::string(R"(
      %n = arith.constant 3 : index
      %m = arith.constant 4 : index
      %l = arith.constant 2 : index
      %y = ta.compute [%i = %n, %j = %m, %k = %l]
          ins(%a, %b : tensor<3xf64, #Sparse1>, tensor<4xf64, #Sparse1>)
          -> tensor<3x4x2xf64, #Sparse3> out [%i, %j, %k] {
        %x = ta.access %a[%i] : tensor<3xf64, #Sparse1>
        %z = ta.access %b[%j] : tensor<4xf64, #Sparse1>
        %s = )") + op + R"( %x, %z : f64
        ta.yield %s : f64
      })");
    program.check({sparse({3}, {{{1}, 2}}), sparse({4}, {{{0}, 3}, {{3}, -4}})});
    program.check({sparse({3}, {}), sparse({4}, {{{0}, 3}})});
  }
}

std::string update(const std::string &combine, const std::string &format) {
  std::string y = "tensor<8xf64" + format + ">";
  return R"(
    %n = arith.constant 3 : index
    %r = ta.compute [%i = %n] ins(%a : tensor<3xf64, #Sparse1>) init(%y : )" +
         y + ") " + combine + " -> " + y + R"( out [%i * 2 + 1] {
      %x = ta.access %a[%i] : tensor<3xf64, #Sparse1>
      ta.yield %x : f64
    })";
}

TEST(Place, InitKeepsWhatIsNotReached) {
  Tensor init = sparse({8}, {{{0}, 10}, {{1}, 11}, {{3}, 13}, {{7}, 17}});
  Tensor a = sparse({3}, {{{0}, 1}, {{2}, 3}});
  for (const char *format : {"", ", #Sparse1"}) {
    std::string arguments =
        "%a: tensor<3xf64, #Sparse1>, %y: tensor<8xf64" + std::string(format) + ">";
    Expected r = Program(arguments, update("", format)).check({a}, &init);
    EXPECT_EQ(valueAt(r, {0}), 10.0);
    EXPECT_EQ(valueAt(r, {1}), 1.0);
    EXPECT_EQ(valueAt(r, {3}), 0.0) << "overwritten by the fill";
    EXPECT_EQ(valueAt(r, {7}), 17.0);
    for (const char *combine : {"add", "mul", "min", "max"})
      Program(arguments, update(std::string("combine ") + combine, format)).check({a}, &init);
    r = Program(arguments, update("combine add", format)).check({a}, &init);
    EXPECT_EQ(valueAt(r, {1}), 12.0);
    EXPECT_EQ(valueAt(r, {3}), 13.0);
    EXPECT_EQ(valueAt(r, {5}), 3.0);
  }
}

const char *histogram = R"(
    %n = arith.constant 3 : index
    %m = arith.constant 2 : index
    %r = ta.compute [%i = %n, %j = %m] ins(%a : tensor<3x2xf64, #Sparse2>) INIT
        -> tensor<4xf64> out [%i + %j] {
      %x = ta.access %a[%i, %j] : tensor<3x2xf64, #Sparse2>
      ta.yield %x : f64
    })";

TEST(Place, SeveralValuesForOneCoordinate) {
  const char *arguments = "%a: tensor<3x2xf64, #Sparse2>, %y: tensor<4xf64>";
  auto text = [](const std::string &init) {
    std::string result = histogram;
    return result.replace(result.find("INIT"), 4, init);
  };
  Tensor a = sparse({3, 2}, {{{0, 1}, 1}, {{1, 0}, 2}, {{2, 1}, 4}});
  Tensor init = filled({4}, {100, 200, 300, 400});
  Program sums(arguments, text("init(%y : tensor<4xf64>) combine add"));
  EXPECT_EQ(valueAt(sums.check({a}, &init), {1}), 203.0);
  auto failed = Program(arguments, text("")).tryEvaluate({a});
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.error().text().find("several values for the coordinate (1)"), std::string::npos);
}

TEST(Place, OutsideATensor) {
  Program program =
      copy("%i = %c5, %j = %c5", "%i + 1, %j", "tensor<5x5xf64, #Sparse2> out [%i, %j]", constants);
  auto failed = program.tryEvaluate({matrix()});
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.error().text().find("from 1 to 5 in dimension 1"), std::string::npos)
      << failed.error().text();
  auto wrong = program.tryEvaluate({sparse({6, 6}, {})});
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().text().find("operand 0 has the sizes (6, 6)"), std::string::npos);
}

} // namespace
