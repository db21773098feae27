// Tests of strata.h: several statements as one program, and runs of several threads at once.
#include "ApiTest.h"

#include <atomic>
#include <thread>

namespace {

using namespace strata::test;
using testing::ElementsAre;
using testing::HasSubstr;

class JoinTest : public ApiTest {
protected:
  // t(i) = A(i,j) * x(j); s = t(i) * t(i); u(i) = 2 * t(i).
  const char *ofProduct[2] = {"A", "x"}, *ofSum[1] = {"t"};
  const int32_t operandsOfProduct[2] = {0, 1}, firstStep[1] = {-1};
  const strata_step product = {"t(i) = A(i,j) * x(j)", ofProduct, operandsOfProduct, 2, nullptr};
  const strata_step square = {"s = t(i) * t(i)", ofSum, firstStep, 1, nullptr};
  const strata_step twice = {"u(i) = 2 * t(i)", ofSum, firstStep, 1, nullptr};

  Failure join(std::vector<strata_step> steps, std::vector<int32_t> returned,
               strata_statement *&program) {
    const strata_format *operands[2] = {format("CSR", 2), format("Dense", 1)};
    Failure failure =
        failureOf(strata_statement_join(session, steps.data(), int32_t(steps.size()), operands, 2,
                                        returned.data(), int32_t(returned.size()), 0, &program));
    if (failure.kind == 0)
      statements.push_back(program);
    return failure;
  }
};

TEST_F(JoinTest, StepsReadOperandsAndEarlierResults) {
  strata_statement *program = nullptr;
  ASSERT_EQ(join({product, square, twice}, {1, 2, 0}, program).message, "");
  ASSERT_EQ(strata_statement_result_count(program), 3);
  strata_tensor *operands[2] = {matrix(), vector(ones)};
  for (int round = 0; round < 3; ++round) { // the later ones repeat a call
    strata_tensor *results[3] = {};
    succeed(strata_statement_run(program, operands, 2, results));
    EXPECT_THAT(valuesOf(keep(results[0])), ElementsAre(58));
    EXPECT_THAT(valuesOf(keep(results[1])), ElementsAre(6, 0, 14));
    EXPECT_THAT(valuesOf(keep(results[2])), ElementsAre(3, 0, 7));
  }
  EXPECT_EQ(strata_session_repeated(session), 2);
}

TEST_F(JoinTest, EqualStepsAreComputedOnce) {
  strata_statement *program = nullptr;
  const int32_t secondStep[1] = {-2};
  const strata_step ofSecond = {"u(i) = 2 * t(i)", ofSum, secondStep, 1, nullptr};
  ASSERT_EQ(join({product, product, square, ofSecond}, {2, 3}, program).message, "");
  char *text = nullptr;
  succeed(strata_statement_explain(program, nullptr, 0, 0, &text));
  std::string said = text;
  strata_text_free(text);
  size_t first = said.find("T0(i,j) * T1(j)");
  ASSERT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("T0(i,j) * T1(j)", first + 1), std::string::npos) << said;
}

TEST_F(JoinTest, EqualResultsHaveMemoryOfTheirOwn) {
  strata_statement *program = nullptr;
  ASSERT_EQ(join({product, product, twice}, {0, 1, 2}, program).message, "");
  strata_tensor *operands[2] = {matrix(), vector(ones)};
  std::vector<strata_operand> one = {{"x", format("Dense", 1)}};
  strata_statement *tenfold = statement("y(i) = 10 * x(i)", one);
  for (int round = 0; round < 3; ++round) { // the later ones repeat a call
    strata_tensor *results[3] = {};
    succeed(strata_statement_run(program, operands, 2, results));
    for (strata_tensor *result : results)
      keep(result);
    succeed(strata_statement_run_into(tenfold, &results[2], 1, results[0]));
    EXPECT_THAT(valuesOf(results[0]), ElementsAre(60, 0, 140));
    EXPECT_THAT(valuesOf(results[1]), ElementsAre(3, 0, 7));
    EXPECT_THAT(valuesOf(results[2]), ElementsAre(6, 0, 14));
  }
  EXPECT_EQ(strata_session_repeated(session), 4);
}

TEST_F(JoinTest, WhatDoesNotFitIsRefused) {
  strata_statement *program = nullptr;
  EXPECT_EQ(join({product}, {}, program).kind, STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(join({product}, {1}, program).kind, STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(join({product}, {0, 0}, program).kind, STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(join({product}, {-1}, program).kind, STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(join({square, product}, {0}, program).kind, STRATA_ERROR_ARGUMENT);
  const int32_t beyond[2] = {0, 7};
  EXPECT_EQ(join({{product.text, ofProduct, beyond, 2, nullptr}}, {0}, program).kind,
            STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(
      join({{"t(i) = A(i,j) *", ofProduct, operandsOfProduct, 2, nullptr}}, {0}, program).kind,
      STRATA_ERROR_EXPRESSION);
  EXPECT_EQ(
      join({{"t(i) = A(i) * x(i)", ofProduct, operandsOfProduct, 2, nullptr}}, {0}, program).kind,
      STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(program, nullptr);
  ASSERT_EQ(join({product, square}, {0, 1}, program).message, "");
  strata_tensor *operands[2] = {matrix(), vector(ones)}, *pattern = nullptr;
  Failure failure = failureOf(strata_statement_assemble(program, operands, 2, &pattern));
  EXPECT_THAT(failure.message, HasSubstr("several results"));
  std::vector<double> memory(3, 9);
  failure = failureOf(strata_statement_run_into(program, operands, 2, vector(memory)));
  EXPECT_THAT(failure.message, HasSubstr("several results"));
  EXPECT_THAT(memory, ElementsAre(9, 9, 9));
}

TEST_F(JoinTest, ThreadsRunAndCompileAtTheSameTime) {
  strata_statement *program = nullptr;
  ASSERT_EQ(join({product, square, twice}, {1, 2}, program).message, "");
  strata_tensor *operands[2] = {matrix(), vector(ones)};
  std::atomic<int> right = 0;
  auto runMany = [&] {
    for (int round = 0; round < 500; ++round) {
      strata_tensor *results[2] = {};
      if (strata_error *error = strata_statement_run(program, operands, 2, results)) {
        strata_error_free(error);
        continue;
      }
      right += valuesOf(results[0]) == std::vector<double>{58} &&
               valuesOf(results[1]) == std::vector<double>{6, 0, 14};
      for (strata_tensor *result : results)
        strata_tensor_release(result);
    }
  };
  std::thread one(runMany), two(runMany);
  for (int round = 0; round < 40; ++round) {
    std::string text = "y(i) = A(i,j) * " + std::to_string(round % 3);
    strata_statement *other = nullptr;
    strata_operand operand = {"A", strata_tensor_format(operands[0])};
    succeed(strata_statement_create(session, text.c_str(), &operand, 1, nullptr, &other));
    strata_tensor *result = nullptr;
    succeed(strata_statement_run(other, operands, 1, &result));
    EXPECT_EQ(valuesOf(keep(result))[0], 3.0 * (round % 3));
    strata_statement_release(other);
  }
  one.join();
  two.join();
  EXPECT_EQ(right, 1000);
}

} // namespace
