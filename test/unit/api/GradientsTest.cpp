// Tests of strata.h: the statements of gradients.
#include "ApiTest.h"

namespace {

using namespace strata::test;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(ApiTest, GradientsAreStatements) {
  strata_operand operands[] = {{"A", format("CSR", 2)}, {"x", format("Dense", 1, STRATA_F32)}};
  const char *by[] = {"A", "x"};
  strata_gradient *gradient = nullptr;
  succeed(strata_gradient_create(session, "y(i) = A(i,j) * x(j)", operands, 2, by, 2, &gradient));
  EXPECT_STREQ(strata_gradient_cotangent(gradient), "dy");
  EXPECT_STREQ(strata_gradient_name(gradient, 0), "dA");
  EXPECT_STREQ(strata_gradient_name(gradient, 1), "dx");
  EXPECT_EQ(strata_gradient_name(gradient, 2), nullptr);
  EXPECT_STREQ(strata_gradient_statement(gradient, 0), "dA(i,j)<A, structural> = dy(i) * x(j)");
  EXPECT_STREQ(strata_gradient_statement(gradient, 1), "dx(j) = sum(i, dy(i) * A(i,j))");
  EXPECT_EQ(strata_gradient_statement(gradient, 2), nullptr);
  EXPECT_EQ(strata_gradient_statement(gradient, -1), nullptr);
  EXPECT_STREQ(strata_gradient_result(gradient, 0), "dA");
  EXPECT_STREQ(strata_format_name(strata_gradient_format(gradient, 0)), "CSR");
  EXPECT_EQ(strata_format_type(strata_gradient_format(gradient, 0)), STRATA_F64);
  EXPECT_EQ(strata_format_type(strata_gradient_format(gradient, 1)), STRATA_F32);
  EXPECT_EQ(strata_gradient_format(gradient, 2), nullptr);
  EXPECT_STREQ(strata_gradient_operand(gradient, 1, 0), "dy");
  EXPECT_STREQ(strata_gradient_operand(gradient, 1, 1), "A");
  EXPECT_EQ(strata_gradient_operand(gradient, 1, 2), nullptr);
  strata_gradient_release(strata_gradient_retain(gradient));
  strata_gradient_release(gradient);
  strata_gradient_release(nullptr);
}

TEST_F(ApiTest, GradientsAreComputedLikeOtherStatements) {
  strata_operand operands[] = {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}};
  const char *by[] = {"A"};
  strata_gradient *gradient = nullptr;
  succeed(strata_gradient_create(session, "y(i) = A(i,j) * x(j)", operands, 2, by, 1, &gradient));
  std::vector<strata_operand> given;
  std::vector<strata_tensor *> tensors;
  strata_operand known[] = {
      {"dy", format("Dense", 1)}, {"x", format("Dense", 1)}, {"A", format("CSR", 2)}};
  std::vector<double> cotangent = {10, 20, 30};
  strata_statement_options options = {};
  options.result = strata_gradient_format(gradient, 0);
  strata_statement *statement = nullptr;
  succeed(strata_statement_create(session, strata_gradient_statement(gradient, 0), known, 3,
                                  &options, &statement));
  statements.push_back(statement);
  for (int32_t at = 0; const char *name = strata_statement_operand(statement, at); ++at)
    tensors.push_back(name == std::string("A")    ? matrix()
                      : name == std::string("dy") ? vector(cotangent)
                                                  : vector(ones));
  EXPECT_THAT(valuesOf(run(statement, tensors)), ElementsAre(10, 10, 30, 30));
  strata_gradient_release(gradient);
}

TEST_F(ApiTest, WhatHasNoGradientIsAnErrorAtItsPlace) {
  strata_operand operands[] = {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}};
  strata_gradient *gradient = nullptr;
  auto failureWith = [&](const char *text, const char *name) {
    const char *by[] = {name};
    return failureOf(strata_gradient_create(session, text, operands, 2, by, 1, &gradient));
  };
  Failure semiring = failureWith("y(i) = A(i,j) @(min,+) x(j)", "A");
  EXPECT_EQ(semiring.kind, STRATA_ERROR_EXPRESSION);
  EXPECT_THAT(semiring.message, HasSubstr("'@', have no gradient"));
  EXPECT_EQ(semiring.column, 8);
  EXPECT_THAT(failureWith("y(i) = A(i,j) * x(j)", "B").message, HasSubstr("no tensor 'B'"));
  EXPECT_EQ(failureWith("y(i) = A(i,j) *", "A").kind, STRATA_ERROR_EXPRESSION);
  EXPECT_EQ(gradient, nullptr);
}

} // namespace
