// The kernels that everybody knows, by hand and against loops over everything.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "Program.h"

namespace {

using namespace strata::reference;

// 5 . 7 .
// . . . .
// . 9 . 2
Tensor matrix() { return sparse({3, 4}, {{{0, 0}, 5}, {{0, 2}, 7}, {{2, 1}, 9}, {{2, 3}, 2}}); }

const char *spmv = R"(
  %n = ta.dim %A, 0 : tensor<?x?xf64, #Sparse2>
  %m = ta.dim %A, 1 : tensor<?x?xf64, #Sparse2>
  %y = ta.compute [%i = %n] ins(%A, %x : tensor<?x?xf64, #Sparse2>, tensor<?xf64>)
                  sizes(%n) -> tensor<?xf64RESULT> out [%i] {
    %s = ta.reduce add [%j = %m] : f64 {
      %a = ta.access %A[%i, %j] : tensor<?x?xf64, #Sparse2>
      %b = ta.access %x[%j] : tensor<?xf64>
      %p = arith.mulf %a, %b : f64
      ta.yield %p : f64
    }
    ta.yield %s : f64
  })";

std::string withResult(std::string text, const std::string &format) {
  return text.replace(text.find("RESULT"), 6, format);
}

TEST(Kernel, MatrixTimesVector) {
  const char *arguments = "%A: tensor<?x?xf64, #Sparse2>, %x: tensor<?xf64>";
  Tensor x = filled({4}, {1, 2, 3, 4});
  Program full(arguments, withResult(spmv, ""));
  Expected y = full.check({matrix(), x});
  EXPECT_EQ(valueAt(y, {0}), 26.0);
  EXPECT_EQ(valueAt(y, {1}), 0.0);
  EXPECT_EQ(valueAt(y, {2}), 26.0);
  // A row without entries is not stored where the result can leave it out.
  Program thin(arguments, withResult(spmv, ", #Sparse1"));
  EXPECT_EQ(pattern(thin.check({matrix(), x})), (std::vector<Coordinate>{{0}, {2}}));
}

TEST(Kernel, MatrixTimesMatrix) {
  Program dense("%A: tensor<3x4xf64, #Sparse2>, %B: tensor<4x2xf64>", R"(
    %n = arith.constant 3 : index
    %m = arith.constant 2 : index
    %l = arith.constant 4 : index
    %C = ta.compute [%i = %n, %j = %m]
        ins(%A, %B : tensor<3x4xf64, #Sparse2>, tensor<4x2xf64>) -> tensor<3x2xf64> out [%i, %j] {
      %s = ta.reduce add [%k = %l] : f64 {
        %a = ta.access %A[%i, %k] : tensor<3x4xf64, #Sparse2>
        %b = ta.access %B[%k, %j] : tensor<4x2xf64>
        %p = arith.mulf %a, %b : f64
        ta.yield %p : f64
      }
      ta.yield %s : f64
    })");
  Expected C = dense.check({matrix(), filled({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})});
  EXPECT_EQ(valueAt(C, {0, 1}), 5 * 2 + 7 * 6.0);
  EXPECT_EQ(valueAt(C, {2, 0}), 9 * 3 + 2 * 7.0);
}

TEST(Kernel, Residual) {
  Program program("%A: tensor<3x4xf64, #Sparse2>, %x: tensor<4xf64>, %b: tensor<3xf64>", R"(
    %n = arith.constant 3 : index
    %m = arith.constant 4 : index
    %y = ta.compute [%i = %n] ins(%A, %x, %b : tensor<3x4xf64, #Sparse2>, tensor<4xf64>,
                                  tensor<3xf64>) -> tensor<3xf64> out [%i] {
      %c = ta.access %b[%i] : tensor<3xf64>
      %s = ta.reduce add [%j = %m] : f64 {
        %a = ta.access %A[%i, %j] : tensor<3x4xf64, #Sparse2>
        %v = ta.access %x[%j] : tensor<4xf64>
        %p = arith.mulf %a, %v : f64
        ta.yield %p : f64
      }
      %d = arith.subf %c, %s : f64
      ta.yield %d : f64
    })");
  Expected y = program.check({matrix(), filled({4}, {1, 1, 1, 1}), filled({3}, {12, 1, 10})});
  EXPECT_EQ(valueAt(y, {0}), 0.0);
  EXPECT_EQ(valueAt(y, {1}), 1.0);
  EXPECT_EQ(valueAt(y, {2}), -1.0);
}

TEST(Kernel, SampledDenseDense) {
  Program program("%S: tensor<3x4xf64, #Sparse2>, %A: tensor<3x2xf64>, %B: tensor<2x4xf64>", R"(
    %n = arith.constant 3 : index
    %m = arith.constant 4 : index
    %r = arith.constant 2 : index
    %C = ta.compute [%i = %n, %j = %m] ins(%S, %A, %B : tensor<3x4xf64, #Sparse2>, tensor<3x2xf64>,
                     tensor<2x4xf64>) -> tensor<3x4xf64, #Sparse2> out [%i, %j] {
      %s = ta.access %S[%i, %j] : tensor<3x4xf64, #Sparse2>
      %t = ta.reduce add [%k = %r] : f64 {
        %a = ta.access %A[%i, %k] : tensor<3x2xf64>
        %b = ta.access %B[%k, %j] : tensor<2x4xf64>
        %p = arith.mulf %a, %b : f64
        ta.yield %p : f64
      }
      %v = arith.mulf %s, %t : f64
      ta.yield %v : f64
    })");
  Expected C = program.check(
      {matrix(), filled({3, 2}, {1, 2, 3, 4, 5, 6}), filled({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})});
  EXPECT_EQ(pattern(C), (std::vector<Coordinate>{{0, 0}, {0, 2}, {2, 1}, {2, 3}}));
  EXPECT_EQ(valueAt(C, {0, 2}), 7 * (1 * 3 + 2 * 7.0));
  EXPECT_LE(C.work, 4 * 10) << "only stored entries of S should be looked at";
}

TEST(Kernel, MatricizedTensorTimesKhatriRao) {
  Program program("%X: tensor<2x3x4xf64, #Sparse3>, %B: tensor<3x2xf64>, %C: tensor<4x2xf64>", R"(
    %n = arith.constant 2 : index
    %m = arith.constant 3 : index
    %l = arith.constant 4 : index
    %Y = ta.compute [%i = %n, %r = %n] ins(%X, %B, %C : tensor<2x3x4xf64, #Sparse3>,
                     tensor<3x2xf64>, tensor<4x2xf64>) -> tensor<2x2xf64> out [%i, %r] {
      %s = ta.reduce add [%j = %m, %k = %l] : f64 {
        %x = ta.access %X[%i, %j, %k] : tensor<2x3x4xf64, #Sparse3>
        %b = ta.access %B[%j, %r] : tensor<3x2xf64>
        %c = ta.access %C[%k, %r] : tensor<4x2xf64>
        %p = arith.mulf %x, %b : f64
        %q = arith.mulf %p, %c : f64
        ta.yield %q : f64
      }
      ta.yield %s : f64
    })");
  Expected Y =
      program.check({sparse({2, 3, 4}, {{{0, 1, 2}, 2}, {{1, 0, 0}, 3}, {{1, 2, 3}, 4}}),
                     filled({3, 2}, {1, 2, 3, 4, 5, 6}), filled({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})});
  EXPECT_EQ(valueAt(Y, {1, 0}), 3 * 1 * 1 + 4 * 5 * 7.0);
}

// D(i) = sum_j (A(i,j) + B(i,j)) + C(i), a union of three with the sum around two of them only.
TEST(Kernel, UnionOfThree) {
  Program program("%A: tensor<3x4xf64, #Sparse2>, %B: tensor<3x4xf64, #Sparse2>, "
                  "%C: tensor<3xf64, #Sparse1>",
                  R"(
    %n = arith.constant 3 : index
    %m = arith.constant 4 : index
    %D = ta.compute [%i = %n] ins(%A, %B, %C : tensor<3x4xf64, #Sparse2>,
            tensor<3x4xf64, #Sparse2>, tensor<3xf64, #Sparse1>)
            -> tensor<3xf64, #Sparse1> out [%i] {
      %s = ta.reduce add [%j = %m] : f64 {
        %a = ta.access %A[%i, %j] : tensor<3x4xf64, #Sparse2>
        %b = ta.access %B[%i, %j] : tensor<3x4xf64, #Sparse2>
        %p = arith.addf %a, %b : f64
        ta.yield %p : f64
      }
      %c = ta.access %C[%i] : tensor<3xf64, #Sparse1>
      %d = arith.addf %s, %c : f64
      ta.yield %d : f64
    })");
  Expected D = program.check(
      {matrix(), sparse({3, 4}, {{{0, 0}, 1}, {{0, 1}, 1}}), sparse({3}, {{{2}, 100}})});
  EXPECT_EQ(valueAt(D, {0}), 14.0);
  EXPECT_EQ(valueAt(D, {2}), 111.0);
  EXPECT_EQ(pattern(D), (std::vector<Coordinate>{{0}, {2}}));
}

// The scalar max over all of |A|, and the sum over nothing.
TEST(Kernel, ScalarResults) {
  Program program("%A: tensor<3x4xf64, #Sparse2>", R"(
    %n = arith.constant 3 : index
    %m = arith.constant 4 : index
    %s = ta.compute [] ins(%A : tensor<3x4xf64, #Sparse2>) -> tensor<f64> out [] {
      %t = ta.reduce max [%i = %n, %j = %m] : f64 {
        %a = ta.access %A[%i, %j] : tensor<3x4xf64, #Sparse2>
        %b = math.absf %a : f64
        ta.yield %b : f64
      }
      ta.yield %t : f64
    })");
  EXPECT_EQ(valueAt(program.check({matrix()}), {}), 9.0);
  EXPECT_EQ(valueAt(program.check({sparse({3, 4}, {{{1, 1}, -11}})}), {}), 11.0);
  EXPECT_EQ(valueAt(program.check({sparse({3, 4}, {})}), {}), 0.0);
}

TEST(Kernel, Integers) {
  Program program("%A: tensor<3x4xi32, #Sparse2>", R"(
    %n = arith.constant 3 : index
    %m = arith.constant 4 : index
    %y = ta.compute [%j = %m] ins(%A : tensor<3x4xi32, #Sparse2>) -> tensor<4xi32> out [%j] {
      %s = ta.reduce add [%i = %n] : i32 {
        %a = ta.access %A[%i, %j] : tensor<3x4xi32, #Sparse2>
        ta.yield %a : i32
      }
      ta.yield %s : i32
    })");
  auto type = STRATA_I32;
  EXPECT_EQ(valueAt(program.check({sparse({3, 4}, {{{0, 1}, 5}, {{2, 1}, -7}}, type)}), {1}), -2.0);
  // Wraps in its own width.
  Expected y = program.evaluate({sparse({3, 4}, {{{0, 1}, 0x7fffffff}, {{2, 1}, 1}}, type)});
  EXPECT_EQ(valueAt(y, {1}), -2147483648.0);
}

const char *integerQuotient = R"(
    %n = arith.constant 3 : index
    %y = ta.compute [%i = %n] ins(%a, %b : tensor<3xi64, #Sparse1>, tensor<3xi64>)
        -> tensor<3xi64> out [%i] {
      %x = ta.access %a[%i] : tensor<3xi64, #Sparse1>
      %z = ta.access %b[%i] : tensor<3xi64>
      %q = arith.divsi %x, %z : i64
      ta.yield %q : i64
    })";

TEST(Kernel, IntegerQuotient) {
  Program program("%a: tensor<3xi64, #Sparse1>, %b: tensor<3xi64>", integerQuotient);
  Tensor b = sparse({3}, {{{0}, 2}, {{1}, 2}}, STRATA_I64);
  Expected y = program.evaluate({sparse({3}, {{{0}, -7}}, STRATA_I64), b});
  EXPECT_EQ(valueAt(y, {0}), -3.0);
  EXPECT_EQ(valueAt(y, {2}), 0.0) << "an absent numerator needs no denominator";
  auto failed = program.tryEvaluate({sparse({3}, {{{2}, 7}}, STRATA_I64), b});
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.error().text().find("at (2) is undefined"), std::string::npos);
}

TEST(Kernel, ComplexNumbers) {
  Program program("%A: tensor<2x2xcomplex<f64>, #Sparse2>, %x: tensor<2xcomplex<f64>, #Sparse1>",
                  R"(
    %n = arith.constant 2 : index
    %h = complex.constant [0.0, 1.0] : complex<f64>
    %y = ta.compute [%i = %n] ins(%A, %x : tensor<2x2xcomplex<f64>, #Sparse2>,
            tensor<2xcomplex<f64>, #Sparse1>) -> tensor<2xcomplex<f64>> out [%i] {
      %s = ta.reduce add [%j = %n] : complex<f64> {
        %a = ta.access %A[%i, %j] : tensor<2x2xcomplex<f64>, #Sparse2>
        %b = ta.access %x[%j] : tensor<2xcomplex<f64>, #Sparse1>
        %p = complex.mul %a, %b : complex<f64>
        ta.yield %p : complex<f64>
      }
      %q = complex.mul %s, %h : complex<f64>
      ta.yield %q : complex<f64>
    })");
  Tensor A = sparse({2, 2}, {{{0, 0}, {1, 2}}, {{0, 1}, {3, 0}}, {{1, 0}, {0, 1}}}, STRATA_C128);
  Tensor x = sparse({2}, {{{0}, {1, 1}}, {{1}, {0, 2}}}, STRATA_C128);
  Expected y = program.check({A, x});
  // (1+2i)(1+i) + 3(2i) = -1+9i; times i
  EXPECT_EQ(valueAt(y, {0}), (std::complex<double>{-9, -1}));
}

TEST(Kernel, NarrowAndConverted) {
  Program program("%a: tensor<2xf32, #Sparse1>, %b: tensor<2xi32>", R"(
    %n = arith.constant 2 : index
    %y = ta.compute [%i = %n] ins(%a, %b : tensor<2xf32, #Sparse1>, tensor<2xi32>)
        -> tensor<2xf64> out [%i] {
      %x = ta.access %a[%i] : tensor<2xf32, #Sparse1>
      %z = ta.access %b[%i] : tensor<2xi32>
      %w = arith.extf %x : f32 to f64
      %f = arith.sitofp %z : i32 to f64
      %s = arith.addf %w, %f : f64
      ta.yield %s : f64
    })");
  Expected y = program.check(
      {sparse({2}, {{{0}, 0.1}}, STRATA_F32), sparse({2}, {{{0}, 1}, {{1}, 2}}, STRATA_I32)});
  EXPECT_EQ(valueAt(y, {0}), static_cast<double>(0.1f) + 1);
}

TEST(Kernel, UnknownOperationIsNamed) {
  Program program("%a: tensor<2xf64>", R"(
    %n = arith.constant 2 : index
    %y = ta.compute [%i = %n] ins(%a : tensor<2xf64>) -> tensor<2xf64> out [%i] {
      %x = ta.access %a[%i] : tensor<2xf64>
      %z = math.rsqrt %x : f64
      ta.yield %z : f64
    })");
  auto failed = program.tryEvaluate({filled({2}, {1, 2})});
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.error().text().find("math.rsqrt"), std::string::npos);
}

} // namespace
