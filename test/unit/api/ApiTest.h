// What tests of strata.h stand on: a session, and handles that are released with it.
#ifndef STRATA_TEST_UNIT_API_APITEST_H
#define STRATA_TEST_UNIT_API_APITEST_H

#include "strata/api/strata.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace strata::test {

/// An error as a test compares it, which frees it.
struct Failure {
  int32_t kind = 0;
  std::string message, hint, text;
  int32_t line = 0, column = 0;
  std::string mistake = {};
};

inline Failure failureOf(strata_error *error) {
  if (!error)
    return {};
  Failure failure{strata_error_kind(error),   strata_error_message(error),
                  strata_error_hint(error),   strata_error_text(error),
                  strata_error_line(error),   strata_error_column(error),
                  strata_error_mistake(error)};
  strata_error_free(error);
  return failure;
}

class ApiTest : public testing::Test {
protected:
  void SetUp() override { succeed(strata_session_create(&session)); }

  void TearDown() override {
    releaseHandles();
    strata_session_release(session);
  }

  void releaseHandles() {
    for (strata_statement *statement : statements)
      strata_statement_release(statement);
    for (strata_tensor *tensor : tensors)
      strata_tensor_release(tensor);
    for (strata_format *format : formats)
      strata_format_release(format);
  }

  static void succeed(strata_error *error) {
    Failure failure = failureOf(error);
    ASSERT_EQ(failure.kind, 0) << failure.message << "; " << failure.hint;
  }

  strata_format *format(const char *text, int32_t order, strata_type type = STRATA_F64) {
    strata_format *made = nullptr;
    succeed(strata_format_parse(session, text, order, type, &made));
    formats.push_back(made);
    return made;
  }

  strata_tensor *keep(strata_tensor *tensor) {
    tensors.push_back(tensor);
    return tensor;
  }

  template <typename T> static strata_array array(std::vector<T> &data, strata_type type) {
    return {data.data(), int64_t(data.size()), type};
  }

  /// . 1 . 2 / . . . . / 3 . . 4
  strata_tensor *matrix(int32_t flags = STRATA_ADOPT | STRATA_VALIDATE) {
    std::array<strata_array, 3> arrays = {array(pos, STRATA_I32), array(crd, STRATA_I32),
                                          array(values, STRATA_F64)};
    strata_tensor *tensor = nullptr;
    succeed(strata_tensor_from_buffers(session, format("CSR", 2), sizes.data(), arrays.data(), 3,
                                       flags, nullptr, nullptr, &tensor));
    return keep(tensor);
  }

  strata_tensor *vector(std::vector<double> &data) {
    strata_array elements = array(data, STRATA_F64);
    int64_t size = elements.count;
    strata_tensor *tensor = nullptr;
    succeed(strata_tensor_from_buffers(session, format("Dense", 1), &size, &elements, 1,
                                       STRATA_ADOPT, nullptr, nullptr, &tensor));
    return keep(tensor);
  }

  strata_statement *statement(const char *text, std::vector<strata_operand> operands,
                              const strata_statement_options *options = nullptr) {
    strata_statement *made = nullptr;
    succeed(strata_statement_create(session, text, operands.data(), int32_t(operands.size()),
                                    options, &made));
    if (made)
      statements.push_back(made);
    return made;
  }

  Failure refusal(const char *text, std::vector<strata_operand> operands,
                  const strata_statement_options *options = nullptr) {
    strata_statement *made = nullptr;
    Failure failure = failureOf(strata_statement_create(session, text, operands.data(),
                                                        int32_t(operands.size()), options, &made));
    EXPECT_EQ(made, nullptr);
    return failure;
  }

  strata_tensor *run(strata_statement *statement, std::vector<strata_tensor *> operands) {
    strata_tensor *result = nullptr;
    succeed(strata_statement_run(statement, operands.data(), int32_t(operands.size()), &result));
    return keep(result);
  }

  static std::vector<double> valuesOf(const strata_tensor *tensor) {
    strata_array array =
        strata_tensor_array(tensor, strata_format_array_count(strata_tensor_format(tensor)) - 1);
    const auto *data = static_cast<const double *>(array.data);
    return {data, data + array.count};
  }

  strata_session *session = nullptr;
  std::vector<int32_t> pos = {0, 2, 2, 4}, crd = {1, 3, 0, 3};
  std::vector<double> values = {1, 2, 3, 4}, ones = {1, 1, 1, 1};
  std::array<int64_t, 2> sizes = {3, 4};
  std::vector<strata_format *> formats;
  std::vector<strata_tensor *> tensors;
  std::vector<strata_statement *> statements;
};

} // namespace strata::test

#endif // STRATA_TEST_UNIT_API_APITEST_H
