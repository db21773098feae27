// Tests of gradients in strata.hpp, beside formulas and central differences.
#include "CppTensors.h"

#include <functional>
#include <gmock/gmock.h>

namespace {

using namespace strata;
using namespace strata::test;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

class CppGradientsTest : public testing::Test {
protected:
  IndexVar i, j;
};

TEST_F(CppGradientsTest, GradientsHaveTheEntriesOfTheirOperands) {
  Tensor<double> A = matrix(), x = vector({1, 2, 3, 4}), y({3}), dy = vector({10, 20, 30});
  auto gradients = strata::grad(y(i), A(i, j) * x(j), dy, A, x);
  ASSERT_TRUE(gradients.ok()) << gradients.status().describe();
  auto [dA, dx] = *gradients;
  EXPECT_EQ(formatOf(dA), "{CSR, pos = 32, crd = 32}");
  EXPECT_THAT(elementsOf(dA), ElementsAre(0, 20, 0, 40, 0, 0, 0, 0, 30, 0, 0, 120));
  EXPECT_THAT(elementsOf(dx), ElementsAre(90, 10, 0, 140));
  EXPECT_THAT(elementsOf(y), Each(0)); // nothing is assigned to it
  // Entries to which nothing contributes stay entries.
  Tensor<double> B({3, 4}, "CSR"), s{Sizes(std::vector<int64_t>())};
  B.insert(0, 1, 5.0);
  auto [dB] = *strata::grad(s(), A(i, j) * B(i, j), 2, A);
  EXPECT_EQ(*dB.stored(), 4);
  EXPECT_THAT(elementsOf(dB), ElementsAre(0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

/// The derivatives of sum(weights * y) by the elements of a vector, by central differences.
Vector differences(const std::function<Vector(const Vector &)> &y, const Vector &x,
                   const Vector &weights) {
  Vector found;
  for (size_t at = 0; at < x.size(); ++at) {
    double sides[2] = {};
    for (int side : {0, 1}) {
      Vector moved = x;
      moved[at] += side ? 1e-6 : -1e-6;
      Vector result = y(moved);
      for (size_t row = 0; row < weights.size(); ++row)
        sides[side] += weights[row] * result[row];
    }
    found.push_back((sides[1] - sides[0]) / 2e-6);
  }
  return found;
}

TEST_F(CppGradientsTest, GradientsAgreeWithDifferences) {
  const Vector weights = {0.5, -1, 2};
  Param<double> alpha(0.25);
  for (const char *format : {"CSR", "CSC", "COO", "DCSR", "ELL"}) {
    Tensor<double> A = matrix(format), y({3}), dy = vector(weights);
    auto value = [&](const Tensor<double> &x) { return tanh(alpha * A(i, j) * x(j)) * exp(-x(2)); };
    auto evaluate = [&](const Vector &elements) {
      Tensor<double> x = vector(elements), result({3});
      result(i) = value(x);
      return elementsOf(result);
    };
    const Vector at = {0.5, 1.5, -0.25, 0.75};
    Tensor<double> x = vector(at);
    auto gradient = strata::grad(y(i), value(x), dy, x);
    ASSERT_TRUE(gradient.ok()) << gradient.status().describe();
    EXPECT_THAT(elementsOf(std::get<0>(*gradient)),
                testing::Pointwise(testing::DoubleNear(1e-7), differences(evaluate, at, weights)));
  }
}

TEST_F(CppGradientsTest, GradientsOfMaskedAndConstantStatements) {
  Tensor<double> M = matrix(), P = vector({1, 2, 3}), Q = vector({4, 5, 6, 7}), S({3, 4}, "CSR");
  Tensor<double> ones({3, 4});
  ones(i, j) = 1.0 + 0.0 * P(i) * Q(j);
  auto [dP] = *strata::grad(S(i, j).mask(M(i, j), "structural"), P(i) * Q(j), ones, P);
  EXPECT_THAT(elementsOf(dP), ElementsAre(12, 0, 11));
  auto [dM] = *strata::grad(P(i), floor(M(i, j)) * Q(j), P, M);
  EXPECT_EQ(*dM.stored(), 4);
  EXPECT_THAT(elementsOf(dM), Each(0));
  Tensor<float> a = Tensor<float>::dense({2}, {3, 4}).value();
  Tensor<float> s{Sizes(std::vector<int64_t>())};
  auto [da] = *strata::grad(s(), a(i) * a(i), 1, a);
  EXPECT_THAT(elementsOf(da), ElementsAre(6, 8));
  Tensor<double> none({0}), zero{Sizes(std::vector<int64_t>())};
  EXPECT_THAT(elementsOf(std::get<0>(*strata::grad(zero(), none(i) * none(i), 1, none))),
              ElementsAre());
}

TEST_F(CppGradientsTest, WhatHasNoGradientIsAnError) {
  Tensor<double> A = matrix(), x = vector({1, 2, 3, 4}), y({3}), dy = vector({1, 1, 1});
  EXPECT_EQ(strata::grad(y(i), A(i, j) * x(j), x, x).status().kind(), ErrorKind::Shape);
  EXPECT_EQ(strata::grad(y(i), A(i, j) * x(j), A, x).status().kind(), ErrorKind::Shape);
  EXPECT_EQ(strata::grad(y(i), A(i, j) * x(j), dy, dy).status().kind(), ErrorKind::Argument);
  Tensor<std::complex<double>> z({3});
  EXPECT_EQ(strata::grad(y(i), A(i, j) * x(j), z, x).status().kind(), ErrorKind::Type);
  Status semiring = strata::grad(y(i), combine("min,+", A(i, j), x(j)), dy, x).status();
  EXPECT_EQ(semiring.kind(), ErrorKind::Expression);
  EXPECT_THAT(semiring.message(), HasSubstr("no gradient"));
  Tensor<int> p = Tensor<int>::dense({3}, {0, 1, 2}).value();
  EXPECT_FALSE(strata::grad(y(i), x(p(i)), dy, p).ok());
  Tensor<double> unread;
  EXPECT_FALSE(strata::grad(y(i), unread(i), dy, unread).ok());
}

} // namespace
