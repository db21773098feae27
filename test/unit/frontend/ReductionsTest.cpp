// Where sums stand: docs/Language.md, "Sums".
#include "Source.h"

namespace strata::frontend {
namespace {

// The right side of `statement` with its sums, where all indices have size 4.
std::string placed(const std::string &statement) {
  std::string text = analyzed(R"(def main() {
  IndexLabel [i, j, k, l] = [4];
  Tensor<double> A[i, j]; Tensor<double> B[i, j]; Tensor<double> M[j, k]; Tensor<double> N[k, l];
  Tensor<double> b[i]; Tensor<double> c[i]; Tensor<double> x[j]; Tensor<double> z[k];
  Tensor<double> T[i, j, k]; Tensor<double> y[i]; Tensor<double> Y[i, j]; Tensor<double> Z[i, l];
  Tensor<double> P[i, k];
  A[i, j] = 1.0; B[i, j] = 1.0; M[j, k] = 1.0; N[k, l] = 1.0; b[i] = 1.0; c[i] = 1.0;
  x[j] = 1.0; z[k] = 1.0; T[i, j, k] = 1.0; P[i, k] = 1.0; var s = 2.0;
  )" + statement + ";\n}");
  size_t end = text.rfind(" where ");
  if (end == std::string::npos)
    end = text.size() - 1;
  size_t begin = text.rfind('\n', end - 1) + 1;
  return text.substr(begin, end - begin);
}

TEST(Reductions, productsSumAroundTheFactorsThatShareAVariable) {
  EXPECT_EQ(placed("y[i] = A[i,j] * x[j]"), "y[i] = sum(j: A[i, j] * x[j])");
  EXPECT_EQ(placed("y[i] = s * A[i,j] * x[j]"), "y[i] = s * sum(j: A[i, j] * x[j])");
  EXPECT_EQ(placed("Z[i,l] = A[i,j] * M[j,k] * N[k,l]"),
            "Z[i, l] = sum(j, k: A[i, j] * M[j, k] * N[k, l])");
  // SDDMM: the sampling factor stands outside.
  EXPECT_EQ(placed("Y[i,j] = A[i,j] * P[i,k] * M[j,k]"),
            "Y[i, j] = A[i, j] * sum(k: P[i, k] * M[j, k])");
}

TEST(Reductions, unlinkedVariablesSumApart) {
  EXPECT_EQ(placed("y[i] = A[i,j] * P[i,k]"), "y[i] = sum(j: A[i, j]) * sum(k: P[i, k])");
  EXPECT_EQ(placed("y[i] = b[i] * A[i,j]"), "y[i] = b[i] * sum(j: A[i, j])");
  EXPECT_EQ(placed("y[i] = T[i,j,k] * x[j]"), "y[i] = sum(j, k: T[i, j, k] * x[j])");
}

TEST(Reductions, termsSumTheirOwnVariables) {
  std::string expected = "y[i] = sum(j: A[i, j] + B[i, j]) + c[i]";
  EXPECT_EQ(placed("y[i] = A[i,j] + B[i,j] + c[i]"), expected);
  EXPECT_EQ(placed("y[i] = A[i,j] + c[i] + B[i,j]"), expected);
  EXPECT_EQ(placed("y[i] = (A[i,j] + c[i]) + B[i,j]"), expected);
  EXPECT_EQ(placed("y[i] = c[i] - (A[i,j] - B[i,j])"), "y[i] = c[i] - sum(j: A[i, j] - B[i, j])");
  EXPECT_EQ(placed("y[i] = b[i] - A[i,j] * x[j]"), "y[i] = b[i] - sum(j: A[i, j] * x[j])");
  EXPECT_EQ(placed("y[i] = A[i,j] * x[j] + P[i,k] * z[k]"),
            "y[i] = sum(j: A[i, j] * x[j]) + sum(k: P[i, k] * z[k])");
  EXPECT_EQ(placed("y[i] = A[i,j] + B[i,j]"), "y[i] = sum(j: A[i, j] + B[i, j])");
}

TEST(Reductions, parenthesesAreSubExpressions) {
  EXPECT_EQ(placed("y[i] = (A[i,j] + c[i]) * b[i]"), "y[i] = (sum(j: A[i, j]) + c[i]) * b[i]");
  EXPECT_EQ(placed("y[i] = (A[i,j] + c[i]) * x[j]"), "y[i] = sum(j: (A[i, j] + c[i]) * x[j])");
  EXPECT_EQ(placed("y[i] = (A[i,j] + P[i,k]) * x[j]"),
            "y[i] = sum(j: (A[i, j] + sum(k: P[i, k])) * x[j])");
  // Not together with A: c would count once for each j.
  EXPECT_EQ(placed("y[i] = A[i,j] + b[i] * (B[i,j] + c[i])"),
            "y[i] = sum(j: A[i, j]) + b[i] * (sum(j: B[i, j]) + c[i])");
}

TEST(Reductions, aDivisorIsAFactor) {
  EXPECT_EQ(placed("y[i] = A[i,j] / x[j]"), "y[i] = sum(j: A[i, j] / x[j])");
  EXPECT_EQ(placed("y[i] = b[i] / A[i,j]"), "y[i] = b[i] / sum(j: A[i, j])");
  EXPECT_EQ(placed("y[i] = b[i] / (A[i,j] * x[j])"), "y[i] = b[i] / sum(j: A[i, j] * x[j])");
  EXPECT_EQ(placed("y[i] = b[i] / A[i,j] / x[j]"), "y[i] = b[i] * sum(j: 1 / A[i, j] / x[j])");
}

TEST(Reductions, negationPassesThrough) {
  EXPECT_EQ(placed("y[i] = -A[i,j] * x[j]"), "y[i] = sum(j: -A[i, j] * x[j])");
  EXPECT_EQ(placed("y[i] = -(A[i,j] + c[i])"), "y[i] = -(sum(j: A[i, j]) + c[i])");
  EXPECT_EQ(placed("y[i] = c[i] + -A[i,j]"), "y[i] = c[i] - sum(j: A[i, j])");
}

TEST(Reductions, explicitSumsHaveTheirOwnVariables) {
  EXPECT_EQ(placed("var t = SUM(A[i,j])"), "t = sum(i, j: A[i, j])");
  EXPECT_EQ(placed("var t = SUM((A[i,j] * M[j,k]) .* P[i,k]) / 6"),
            "t = sum(i, j, k: A[i, j] * M[j, k] * P[i, k]) / 6");
  EXPECT_EQ(placed("y[k] = b[k] / SUM(c[i])"), "y[k] = b[k] / sum(i: c[i])");
  EXPECT_EQ(placed("var t = SUM(b[i]) / SUM(c[i])"), "t = sum(i: b[i]) / sum(i: c[i])");
}

TEST(Reductions, explicitSumsStandAroundFunctions) {
  EXPECT_EQ(placed("var t = SUM(abs(A[i,j]))"), "t = sum(i, j: abs(A[i, j]))");
  EXPECT_EQ(placed("var t = SUM(A[i,j] != 0)"), "t = sum(i, j: ne(A[i, j], 0))");
  EXPECT_EQ(placed("var t = SUM(b[i] * square(A[i,j]))"),
            "t = sum(i: b[i] * sum(j: square(A[i, j])))");
  EXPECT_EQ(placed("var t = SUM(abs(A[i,j]) - B[i,j])"), "t = sum(i, j: abs(A[i, j]) - B[i, j])");
  EXPECT_EQ(placed("var t = SUM(abs(A[i,j]) + c[i])"),
            "t = sum(i, j: abs(A[i, j])) + sum(i: c[i])");
  EXPECT_EQ(placed("var t = SUM(max(A[i,j], P[i,k]))"), "t = sum(i, j, k: max(A[i, j], P[i, k]))");
  EXPECT_EQ(placed("var t = SUM(b[i] / A[i,j])"), "t = sum(i, j: b[i] / A[i, j])");
  EXPECT_EQ(placed("var t = SUM(1 / c[i])"), "t = 1 * sum(i: 1 / c[i])");
  EXPECT_EQ(placed("y[i] = abs(A[i,j]) * SUM(abs(z[k]))"),
            "y[i] = abs(sum(j: A[i, j])) * sum(k: abs(z[k]))");
}

TEST(Reductions, wholeExpressionSumsDiffer) {
  // c inside an explicit sum over i alone; there is no j for it to be repeated over.
  EXPECT_EQ(placed("var t = SUM(A[i,j] + c[i])"), "t = sum(i, j: A[i, j]) + sum(i: c[i])");
}

} // namespace
} // namespace strata::frontend
