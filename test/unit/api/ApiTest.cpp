// Tests of strata.h: what programs hand in, get back, and are told.
#include "strata/api/strata.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// An error as a test compares it, which frees it.
struct Failure {
  int32_t kind = 0;
  std::string message, hint, text;
  int32_t line = 0, column = 0;
};

Failure failureOf(strata_error *error) {
  if (!error)
    return {};
  Failure failure{strata_error_kind(error), strata_error_message(error),
                  strata_error_hint(error), strata_error_text(error),
                  strata_error_line(error), strata_error_column(error)};
  strata_error_free(error);
  return failure;
}

class ApiTest : public testing::Test {
protected:
  void SetUp() override { succeed(strata_session_create(&session)); }

  void TearDown() override {
    for (strata_statement *statement : statements)
      strata_statement_release(statement);
    for (strata_tensor *tensor : tensors)
      strata_tensor_release(tensor);
    for (strata_format *format : formats)
      strata_format_release(format);
    strata_session_release(session);
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

//===------------------------------------------------------------------------------------------===//
// Formats
//===------------------------------------------------------------------------------------------===//

TEST_F(ApiTest, FormatsSayWhatTheyAre) {
  strata_format *csr = format("CSR", 2);
  EXPECT_STREQ(strata_format_name(csr), "CSR");
  EXPECT_STREQ(strata_format_text(csr), "{(i, j) -> (i : dense, j : compressed)}");
  EXPECT_STREQ(strata_format_level(csr, 1), "compressed");
  EXPECT_EQ(strata_format_level(csr, 2), nullptr);
  ASSERT_EQ(strata_format_array_count(csr), 3);
  EXPECT_STREQ(strata_format_array(csr, 0).name, "pos");
  EXPECT_EQ(strata_format_array(csr, 0).level, 1);
  EXPECT_EQ(strata_format_array(csr, 0).type, -1);
  EXPECT_EQ(strata_format_array(csr, 2).type, STRATA_F64);
  EXPECT_FALSE(strata_format_is_full(csr));
  EXPECT_TRUE(strata_format_is_full(format("Dense", 3)));
}

TEST_F(ApiTest, FormatsAreReadBack) {
  for (const char *text :
       {"CSR", "{CSR, pos = 64, crd = 32}", "BCSR:2x3", "ELL", "SELL:4,8", "DIA", "HYB", "COO",
        "{CSR, fill = 2}", "(i, j) -> (j : compressed(nonunique), i : singleton)"}) {
    strata_format *once = format(text, 2);
    for (const char *told : {strata_format_name(once), strata_format_text(once)})
      EXPECT_TRUE(strata_format_equal(once, format(told, 2))) << told;
  }
  strata_format *scalar = format("Dense", 0);
  EXPECT_TRUE(strata_format_equal(scalar, format(strata_format_text(scalar), 0)));
}

TEST_F(ApiTest, FormatsOfOtherTypesAndWidths) {
  strata_format *wide = nullptr, *floats = nullptr;
  succeed(strata_format_with_widths(format("CSR", 2), 64, 32, &wide));
  formats.push_back(wide);
  EXPECT_STREQ(strata_format_name(wide), "{CSR, pos = 64, crd = 32}");
  succeed(strata_format_with_type(wide, STRATA_F32, &floats));
  formats.push_back(floats);
  EXPECT_EQ(strata_format_type(floats), STRATA_F32);
  EXPECT_TRUE(strata_format_equal(wide, floats));
  double fill[2];
  EXPECT_FALSE(strata_format_fill(wide, fill));
  EXPECT_TRUE(strata_format_fill(format("{CSR, fill = inf}", 2), fill));
  EXPECT_EQ(fill[0], std::numeric_limits<double>::infinity());
}

TEST_F(ApiTest, FormatsThatAreNone) {
  strata_format *made = nullptr;
  Failure failure = failureOf(strata_format_parse(session, "CSQ", 2, STRATA_F64, &made));
  EXPECT_EQ(failure.kind, STRATA_ERROR_FORMAT);
  EXPECT_EQ(failure.message, "unknown storage format 'CSQ'");
  EXPECT_THAT(failure.hint, HasSubstr("CSR"));
  EXPECT_EQ(failure.column, 1);
  failure = failureOf(strata_format_parse(session, "CSR", 3, STRATA_F64, &made));
  EXPECT_EQ(failure.kind, STRATA_ERROR_FORMAT);
  EXPECT_THAT(failure.message, HasSubstr("cannot have this format"));
  EXPECT_EQ(
      failureOf(strata_format_parse(session, "(i,j) -> (i:dense, j:foo)", 2, STRATA_F64, &made))
          .text,
      "(i,j) -> (i:dense, j:foo)");
  EXPECT_EQ(failureOf(strata_format_parse(session, "CSR", 2, strata_type(99), &made)).kind,
            STRATA_ERROR_TYPE);
  EXPECT_EQ(failureOf(strata_format_parse(session, "Dense", -1, STRATA_F64, &made)).kind,
            STRATA_ERROR_SHAPE);
  EXPECT_EQ(made, nullptr);
}

//===------------------------------------------------------------------------------------------===//
// Tensors
//===------------------------------------------------------------------------------------------===//

TEST_F(ApiTest, AdoptedArraysStayWhereTheyAre) {
  strata_tensor *tensor = matrix();
  EXPECT_EQ(strata_tensor_array(tensor, 0).data, pos.data());
  EXPECT_EQ(strata_tensor_array(tensor, 2).data, values.data());
  EXPECT_EQ(strata_tensor_stored(tensor), 4);
  EXPECT_EQ(strata_tensor_bytes(tensor), 4 * 4 + 4 * 4 + 4 * 8);
  EXPECT_STREQ(strata_format_name(strata_tensor_format(tensor)), "{CSR, pos = 32, crd = 32}");
  EXPECT_NE(strata_tensor_array(matrix(STRATA_COPY), 2).data, values.data());
}

TEST_F(ApiTest, AdoptedArraysAreGivenBackOnce) {
  static std::atomic<int> released = 0;
  released = 0;
  auto release = [](void *state) { *static_cast<std::atomic<int> *>(state) += 1; };
  strata_array elements = array(ones, STRATA_F64);
  int64_t size = 4;
  strata_tensor *tensor = nullptr, *copy = nullptr;
  succeed(strata_tensor_from_buffers(session, format("Dense", 1), &size, &elements, 1, STRATA_ADOPT,
                                     release, &released, &tensor));
  succeed(strata_tensor_copy(tensor, &copy));
  EXPECT_EQ(released, 0);
  strata_tensor_release(tensor);
  EXPECT_EQ(released, 1);
  EXPECT_EQ(valuesOf(copy), ones);
  strata_tensor_release(copy);
  EXPECT_EQ(released, 1);
  size = 5; // which the array is not
  EXPECT_EQ(failureOf(strata_tensor_from_buffers(session, format("Dense", 1), &size, &elements, 1,
                                                 STRATA_ADOPT | STRATA_VALIDATE, release, &released,
                                                 &tensor))
                .kind,
            STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(released, 2);
}

TEST_F(ApiTest, ArraysThatBreakPromises) {
  std::array<strata_array, 3> arrays = {array(pos, STRATA_I32), array(crd, STRATA_I32),
                                        array(values, STRATA_F64)};
  strata_tensor *tensor = nullptr;
  auto refused = [&](int32_t count) {
    return failureOf(
        strata_tensor_from_buffers(session, format("CSR", 2), sizes.data(), arrays.data(), count,
                                   STRATA_ADOPT | STRATA_VALIDATE, nullptr, nullptr, &tensor));
  };
  EXPECT_THAT(refused(2).message, HasSubstr("has 3 arrays, not 2"));
  crd[1] = 7;
  EXPECT_THAT(refused(3).message, HasSubstr("position 1 is 7; expected from 0 to 3"));
  crd[1] = 3;
  arrays[2].type = STRATA_F32;
  EXPECT_EQ(refused(3).kind, STRATA_ERROR_TYPE);
  arrays[2].type = STRATA_F64;
  arrays[1].data = nullptr;
  EXPECT_EQ(refused(3).kind, STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(tensor, nullptr);
}

TEST_F(ApiTest, ListsArePacked) {
  std::vector<int64_t> rows = {2, 0, 0, 2}, columns = {3, 1, 3, 3};
  std::vector<double> entries = {4, 1, 2, 6};
  std::array<strata_array, 2> coordinates = {array(rows, STRATA_I64), array(columns, STRATA_I64)};
  strata_tensor *tensor = nullptr;
  succeed(strata_tensor_from_coordinates(session, format("CSR", 2), sizes.data(), 4,
                                         coordinates.data(), array(entries, STRATA_F64),
                                         STRATA_SUM_DUPLICATES, &tensor));
  EXPECT_THAT(valuesOf(keep(tensor)), ElementsAre(1, 2, 10));
  tensor = nullptr;
  EXPECT_THAT(failureOf(strata_tensor_from_coordinates(
                            session, format("CSR", 2), sizes.data(), 4, coordinates.data(),
                            array(entries, STRATA_F64), STRATA_REFUSE_DUPLICATES, &tensor))
                  .message,
              HasSubstr("same coordinates"));
  rows[3] = 3;
  EXPECT_EQ(failureOf(strata_tensor_from_coordinates(session, format("CSR", 2), sizes.data(), 4,
                                                     coordinates.data(), array(entries, STRATA_F64),
                                                     STRATA_SUM_DUPLICATES, &tensor))
                .kind,
            STRATA_ERROR_SHAPE);
  EXPECT_EQ(tensor, nullptr);
}

TEST_F(ApiTest, EveryFormatConvertsToEveryOther) {
  strata_tensor *given = matrix();
  for (const char *name : {"Dense", "CSC", "COO", "DCSR", "BCSR:2x2", "ELL", "DIA", "HYB", "SELL",
                           "DOK", "Bitmap", "JDS", "Skyline", "CSB"}) {
    strata_tensor *there = nullptr, *back = nullptr;
    succeed(strata_tensor_convert(given, format(name, 2), &there));
    succeed(strata_tensor_validate(keep(there)));
    succeed(strata_tensor_convert(there, format("CSR", 2), &back));
    EXPECT_EQ(valuesOf(keep(back)), values) << name;
  }
}

TEST_F(ApiTest, ConvertingToItsOwnFormatIsNoCopy) {
  strata_tensor *given = matrix(), *same = nullptr;
  succeed(strata_tensor_convert(given, format("CSR", 2), &same));
  EXPECT_EQ(keep(same), given);
}

TEST_F(ApiTest, EmptyTensors) {
  strata_tensor *dense = nullptr, *sparse = nullptr, *none = nullptr;
  succeed(strata_tensor_empty(session, format("Dense", 2), sizes.data(), &dense));
  EXPECT_EQ(valuesOf(keep(dense)), std::vector<double>(12, 0));
  succeed(strata_tensor_empty(session, format("CSR", 2), sizes.data(), &sparse));
  EXPECT_EQ(strata_tensor_stored(keep(sparse)), 0);
  std::array<int64_t, 2> negative = {3, -1};
  EXPECT_EQ(failureOf(strata_tensor_empty(session, format("CSR", 2), negative.data(), &none)).kind,
            STRATA_ERROR_SHAPE);
}

TEST_F(ApiTest, FilesAreWrittenAndRead) {
  std::string file = testing::TempDir() + "strata-api-test.mtx";
  succeed(strata_tensor_write(matrix(), file.c_str()));
  strata_tensor *asItIs = nullptr, *csr = nullptr, *none = nullptr;
  succeed(strata_tensor_read(session, file.c_str(), nullptr, &asItIs));
  EXPECT_STREQ(strata_format_name(strata_tensor_format(keep(asItIs))), "{COO, pos = 32, crd = 32}");
  succeed(strata_tensor_read(session, file.c_str(), format("CSR", 2), &csr));
  EXPECT_EQ(valuesOf(keep(csr)), values);
  std::remove(file.c_str());
  for (const strata_format *as : {static_cast<strata_format *>(nullptr), format("CSR", 2)}) {
    Failure failure = failureOf(strata_tensor_read(session, file.c_str(), as, &none));
    EXPECT_EQ(failure.kind, STRATA_ERROR_FILE);
    EXPECT_THAT(failure.message, HasSubstr("strata-api-test.mtx"));
  }
}

//===------------------------------------------------------------------------------------------===//
// Statements
//===------------------------------------------------------------------------------------------===//

TEST_F(ApiTest, StatementsAreComputed) {
  strata_statement *spmv =
      statement("y(i) = A(i,j) * x(j)", {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}});
  EXPECT_STREQ(strata_statement_operand(spmv, 0), "A");
  EXPECT_STREQ(strata_statement_operand(spmv, 1), "x");
  EXPECT_EQ(strata_statement_operand(spmv, 2), nullptr);
  EXPECT_TRUE(strata_format_is_full(strata_statement_result(spmv)));
  for (int round = 0; round < 3; ++round) // the later ones repeat a call
    EXPECT_THAT(valuesOf(run(spmv, {matrix(), vector(ones)})), ElementsAre(3, 0, 7));
  EXPECT_LE(strata_session_compiled(session), 1);
}

TEST_F(ApiTest, RepeatedCallsSeeOtherValuesPatternsAndSizes) {
  strata_statement *product =
      statement("C(i,k) = A(i,j) * B(k,j)", {{"A", format("CSR", 2)}, {"B", format("CSR", 2)}});
  EXPECT_STREQ(strata_format_name(strata_statement_result(product)), "CSR");
  strata_tensor *a = matrix();
  auto isZero = [](double value) { return value == 0; };
  auto entriesOf = [&](strata_tensor *second) {
    std::vector<double> all = valuesOf(run(product, {a, second}));
    std::erase_if(all, isZero); // of rows that meet nowhere
    return all;
  };
  EXPECT_THAT(entriesOf(a), ElementsAre(5, 8, 8, 25));
  values[0] = 2;
  EXPECT_THAT(entriesOf(a), ElementsAre(8, 8, 8, 25));
  std::vector<int32_t> pos2 = {0, 1, 1}, crd2 = {3};
  std::vector<double> values2 = {10};
  std::array<strata_array, 3> arrays = {array(pos2, STRATA_I32), array(crd2, STRATA_I32),
                                        array(values2, STRATA_F64)};
  std::array<int64_t, 2> sizes2 = {2, 4};
  strata_tensor *b = nullptr;
  succeed(strata_tensor_from_buffers(session, format("CSR", 2), sizes2.data(), arrays.data(), 3,
                                     STRATA_ADOPT, nullptr, nullptr, &b));
  EXPECT_THAT(entriesOf(keep(b)), ElementsAre(20, 40));
}

TEST_F(ApiTest, ScalarsAreArgumentsOfOneKernel) {
  strata_statement *scaled = statement("B(i,j) = alpha * A(i,j)",
                                       {{"alpha", format("Dense", 0)}, {"A", format("CSR", 2)}});
  int64_t before = -1;
  for (double alpha = 1; alpha <= 100; ++alpha) {
    std::vector<double> one = {alpha};
    strata_array element = array(one, STRATA_F64);
    strata_tensor *scalar = nullptr;
    succeed(strata_tensor_from_buffers(session, format("Dense", 0), nullptr, &element, 1,
                                       STRATA_COPY, nullptr, nullptr, &scalar));
    std::vector<strata_tensor *> operands = {keep(scalar), matrix()};
    if (std::string(strata_statement_operand(scaled, 0)) == "A")
      std::swap(operands[0], operands[1]);
    EXPECT_THAT(valuesOf(run(scaled, operands)),
                ElementsAre(alpha, 2 * alpha, 3 * alpha, 4 * alpha));
    if (before < 0)
      before = strata_session_compiled(session);
  }
  EXPECT_EQ(strata_session_compiled(session), before);
}

TEST_F(ApiTest, FormatsOfResultsFollowFromTheExpression) {
  struct Case {
    const char *text, *a, *b, *result;
  };
  for (Case one : {Case{"C(i,j) = A(i,j) + B(i,j)", "CSR", "CSR", "CSR"},
                   {"C(i,j) = A(i,j) + B(i,j)", "CSR", "Dense", "Dense"},
                   {"C(i,j) = A(i,j) * B(i,j)", "CSR", "Dense", "CSR"},
                   {"C(i,j) = A(i,j) * B(i,j)", "CSC", "CSC", "CSC"},
                   {"C(i,j) = A(i,j) + B(i,j)", "COO", "COO", "COO"},
                   {"C(i,k) = A(i,j) * B(j,k)", "CSR", "CSR", "CSR"},
                   {"C(i,k) = A(i,j) * B(j,k)", "CSR", "Dense", "Dense"},
                   {"C(i,k) = A(i,j) * B(k,j)", "CSR", "CSR", "CSR"},
                   {"C(i,k) = A(i,j) * B(j,k)", "CSC", "CSC", "CSC"},
                   {"C(j,i) = A(i,j) + B(i,j)", "CSR", "CSR", "CSC"},
                   {"C(i,j) = max(A(i,j), B(i,j))", "CSR", "CSR", "CSR"},
                   {"C(i,j) = A(i,j) + B(i,j) + 1", "CSR", "CSR", "Dense"}})
    EXPECT_STREQ(strata_format_name(strata_statement_result(
                     statement(one.text, {{"A", format(one.a, 2)}, {"B", format(one.b, 2)}}))),
                 one.result)
        << one.text;
}

TEST_F(ApiTest, FormatsOfRowsThatAreLookedUp) {
  auto formatOf = [&](const char *text, const char *a) {
    return std::string(strata_format_name(strata_statement_result(
        statement(text, {{"A", format(a, 2)}, {"p", format("Dense", 1, STRATA_I64)}}))));
  };
  EXPECT_EQ(formatOf("R(i,j) = A(p(i),j)", "CSR"), "CSR");
  EXPECT_EQ(formatOf("R(i,j) = A(p(i),j)", "Dense"), "Dense");
  EXPECT_EQ(formatOf("R(i,j) = A(p(i),p(j))", "Dense"), "Dense");
}

TEST_F(ApiTest, TypesOfResultsFollowFromTheExpression) {
  auto typeOf = [&](const char *text, strata_type a, strata_type b) {
    return strata_format_type(strata_statement_result(
        statement(text, {{"A", format("Dense", 1, a)}, {"B", format("Dense", 1, b)}})));
  };
  EXPECT_EQ(typeOf("C(i) = A(i) + B(i)", STRATA_F32, STRATA_F32), STRATA_F32);
  EXPECT_EQ(typeOf("C(i) = A(i) + B(i)", STRATA_F32, STRATA_F64), STRATA_F64);
  EXPECT_EQ(typeOf("C(i) = A(i) * B(i)", STRATA_I8, STRATA_I8), STRATA_I8);
  EXPECT_EQ(typeOf("C(i) = A(i) == B(i)", STRATA_F64, STRATA_F64), STRATA_BOOL);
  EXPECT_EQ(typeOf("C(i) = A(i) / B(i)", STRATA_I32, STRATA_I32), STRATA_F64);
  EXPECT_EQ(typeOf("C(i) = A(i) * B(i)", STRATA_C128, STRATA_F64), STRATA_C128);
}

TEST_F(ApiTest, UpdatesLeaveOperandsAlone) {
  std::vector<double> old = {10, 20, 30};
  strata_tensor *y = vector(old), *x = vector(ones);
  strata_statement *update =
      statement("y(i) += A(i,j) * x(j)",
                {{"y", format("Dense", 1)}, {"A", format("CSR", 2)}, {"x", format("Dense", 1)}});
  std::vector<strata_tensor *> operands;
  for (int32_t at = 0; const char *name = strata_statement_operand(update, at); ++at)
    operands.push_back(*name == 'y' ? y : *name == 'x' ? x : matrix());
  EXPECT_THAT(valuesOf(run(update, operands)), ElementsAre(13, 20, 37));
  EXPECT_THAT(old, ElementsAre(10, 20, 30));
}

TEST_F(ApiTest, SchedulesAreTakenOrRefused) {
  std::vector<strata_operand> operands = {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}};
  strata_statement_options options = {};
  options.schedule = "split(i, i0, i1, 2)";
  EXPECT_THAT(valuesOf(run(statement("y(i) = A(i,j) * x(j)", operands, &options),
                           {matrix(), vector(ones)})),
              ElementsAre(3, 0, 7));
  options.schedule = "splt(i, i0, i1, 2)";
  EXPECT_EQ(refusal("y(i) = A(i,j) * x(j)", operands, &options).kind, STRATA_ERROR_SCHEDULE);
  options.schedule = "split(q, i0, i1, 2)";
  EXPECT_EQ(refusal("y(i) = A(i,j) * x(j)", operands, &options).kind, STRATA_ERROR_SCHEDULE);
}

TEST_F(ApiTest, ExpressionsThatAreNone) {
  std::vector<strata_operand> operands = {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}};
  Failure failure = refusal("y(i) = A(i,j) * ", operands);
  EXPECT_EQ(failure.kind, STRATA_ERROR_EXPRESSION);
  EXPECT_EQ(failure.line, 1);
  EXPECT_EQ(failure.column, 17);
  EXPECT_EQ(failure.text, "y(i) = A(i,j) * ");
  failure = refusal("y(i) = A(i,j) * z(j)", {{"A", format("CSR", 2)}});
  EXPECT_THAT(failure.message, HasSubstr("'z'"));
  EXPECT_THAT(failure.hint, HasSubstr("the operands"));
  EXPECT_EQ(refusal("s = x(i,j)", {{"x", format("Dense", 1)}}).kind, STRATA_ERROR_SHAPE);
  failure = refusal("y(i) = A(i,j)", operands);
  EXPECT_EQ(failure.kind, STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(failure.message, "the statement has no tensor 'x'");
}

TEST_F(ApiTest, OperandsThatDoNotFit) {
  strata_statement *spmv =
      statement("y(i) = A(i,j) * x(j)", {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}});
  strata_tensor *result = nullptr;
  std::vector<double> shorter = {1, 1, 1};
  std::array<strata_tensor *, 2> operands = {matrix(), vector(shorter)};
  Failure failure = failureOf(strata_statement_run(spmv, operands.data(), 2, &result));
  EXPECT_EQ(failure.kind, STRATA_ERROR_SHAPE);
  EXPECT_EQ(failure.message, "'j' has two sizes: 4 from A, 3 from x");
  failure = failureOf(strata_statement_run(spmv, operands.data(), 1, &result));
  EXPECT_EQ(failure.kind, STRATA_ERROR_ARGUMENT);
  strata_tensor *csc = nullptr;
  succeed(strata_tensor_convert(operands[0], format("CSC", 2), &csc));
  operands = {keep(csc), vector(ones)};
  failure = failureOf(strata_statement_run(spmv, operands.data(), 2, &result));
  EXPECT_EQ(failure.kind, STRATA_ERROR_FORMAT);
  EXPECT_THAT(failure.message, HasSubstr("'A' is {CSC, pos = 32, crd = 32}"));
  EXPECT_EQ(result, nullptr);
  operands[0] = matrix();
  EXPECT_THAT(valuesOf(run(spmv, {operands[0], operands[1]})), ElementsAre(3, 0, 7));
}

TEST_F(ApiTest, DivisionOfIntegersByZero) {
  std::vector<int64_t> a = {1, 2}, b = {1, 0};
  int64_t size = 2;
  std::array<strata_tensor *, 2> operands = {};
  for (auto [at, data] : {std::pair{0, &a}, std::pair{1, &b}}) {
    strata_array elements = array(*data, STRATA_I64);
    succeed(strata_tensor_from_buffers(session, format("Dense", 1, STRATA_I64), &size, &elements, 1,
                                       STRATA_ADOPT, nullptr, nullptr, &operands[at]));
    keep(operands[at]);
  }
  strata_statement *rest =
      statement("c(i) = mod(a(i), b(i))", {{"a", formats[0]}, {"b", formats[1]}});
  strata_tensor *result = nullptr;
  EXPECT_EQ(failureOf(strata_statement_run(rest, operands.data(), 2, &result)).kind,
            STRATA_ERROR_ARITHMETIC);
}

TEST_F(ApiTest, MemoryIsLimited) {
  strata_session_limit_memory(session, 1 << 20);
  std::vector<double> many(1 << 10, 1);
  strata_tensor *x = vector(many), *result = nullptr;
  strata_statement *outer = statement("C(i,j) = x(i) * x(j)", {{"x", format("Dense", 1)}});
  EXPECT_EQ(failureOf(strata_statement_run(outer, &x, 1, &result)).kind, STRATA_ERROR_MEMORY);
  strata_session_limit_memory(session, -1);
  EXPECT_EQ(strata_tensor_stored(run(outer, {x})), 1 << 20);
}

TEST_F(ApiTest, StatementsAreExplained) {
  strata_statement *spmv =
      statement("y(i) = A(i,j) * x(j)", {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}});
  for (auto [json, part] : {std::pair{0, "  operand  A: double, ? x ?, CSR"},
                            std::pair{1, "\"schedule\": \"parallelize(i, CPUThread, NoRaces)\""}}) {
    char *text = nullptr;
    succeed(strata_statement_explain(spmv, json, &text));
    EXPECT_THAT(text, HasSubstr(part));
    strata_text_free(text);
  }
}

TEST_F(ApiTest, TensorsAreDrawn) {
  strata_tensor *tensor = matrix();
  char *text = nullptr;
  succeed(strata_tensor_draw_storage(tensor, &text));
  EXPECT_THAT(text, HasSubstr("crd   i32  1 3 0 3"));
  strata_text_free(text);
  std::string file = testing::TempDir() + "strata-api-spy.png";
  succeed(strata_tensor_spy(tensor, 1, 0, 0, file.c_str()));
  EXPECT_GT(std::filesystem::file_size(file), 8u);
  std::filesystem::remove(file);
  EXPECT_EQ(failureOf(strata_tensor_spy(tensor, 0, 2, 0, file.c_str())).kind,
            STRATA_ERROR_ARGUMENT);
  EXPECT_EQ(failureOf(strata_tensor_spy(tensor, 0, 1, 7, file.c_str())).kind,
            STRATA_ERROR_ARGUMENT);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(ApiTest, KernelsAreKeptInAFolder) {
  std::string folder = testing::TempDir() + "strata-api-kernels";
  succeed(strata_session_keep_kernels(session, folder.c_str()));
  std::vector<double> x{1, 2, 3, 4};
  run(statement("y(i) = A(i,j) * x(j)", {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}}),
      {matrix(), vector(x)});
  EXPECT_FALSE(std::filesystem::is_empty(folder));
  succeed(strata_session_keep_kernels(session, nullptr));
  std::filesystem::permissions(folder, std::filesystem::perms::all);
  EXPECT_EQ(failureOf(strata_session_keep_kernels(session, folder.c_str())).kind,
            STRATA_ERROR_FILE);
  std::filesystem::remove_all(folder);
}

TEST_F(ApiTest, StatementsAreShown) {
  strata_statement *spmv =
      statement("y(i) = A(i,j) * x(j)", {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}});
  char *text = nullptr;
  succeed(strata_statement_show(spmv, "loops", &text));
  EXPECT_THAT(text, HasSubstr("for j in A2"));
  strata_text_free(text);
  succeed(strata_statement_show(spmv, "c", &text));
  EXPECT_THAT(text, HasSubstr("A2_pos[i + 1]"));
  strata_text_free(text);
  EXPECT_THAT(failureOf(strata_statement_show(spmv, "nothing", &text)).hint, HasSubstr("cin"));
  EXPECT_THAT(valuesOf(run(spmv, {matrix(), vector(ones)})), ElementsAre(3, 0, 7));
}

TEST_F(ApiTest, ThreadsAreChosen) {
  int32_t all = strata_threads();
  for (int32_t count : {1, 3}) {
    strata_set_threads(count);
    EXPECT_EQ(strata_threads(), count);
    EXPECT_THAT(valuesOf(run(statement("y(i) = A(i,j) * x(j)",
                                       {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}}),
                             {matrix(), vector(ones)})),
                ElementsAre(3, 0, 7));
  }
  strata_set_threads(0);
  EXPECT_EQ(strata_threads(), all);
}

TEST_F(ApiTest, ManyThreadsShareASession) {
  strata_tensor *a = matrix(), *x = vector(ones);
  std::vector<strata_operand> operands = {{"A", format("CSR", 2)}, {"x", format("Dense", 1)}};
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 10; ++thread)
    threads.emplace_back([&] {
      strata_statement *own = nullptr;
      strata_tensor *result = nullptr;
      std::array<strata_tensor *, 2> both = {a, x};
      if (failureOf(strata_statement_create(session, "y(i) = 3 * A(i,j) * x(j)", operands.data(), 2,
                                            nullptr, &own))
              .kind)
        return;
      for (int round = 0; round < 50; ++round) {
        if (failureOf(strata_statement_run(own, both.data(), 2, &result)).kind)
          return;
        right += valuesOf(result) == std::vector<double>{9, 0, 21};
        strata_tensor_release(result);
      }
      strata_statement_release(own);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 500);
  EXPECT_LE(strata_session_compiled(session), 1);
}

//===------------------------------------------------------------------------------------------===//
// Programs
//===------------------------------------------------------------------------------------------===//

TEST_F(ApiTest, ProgramsAreRun) {
  const char *text = "def main() {\n"
                     "  IndexLabel [i] = [size];\n"
                     "  Tensor<double> x([i], Dense);\n"
                     "  x[i] = 2.0;\n"
                     "  for (t in range(3)) { x[i] = x[i] * x[i]; }\n"
                     "  var total = SUM(x[i]);\n"
                     "  print(total);\n"
                     "}\n";
  strata_parameter size = {"size", "3"};
  strata_outcome *outcome = nullptr;
  succeed(strata_program_run(session, text, "powers.ta", &size, 1, nullptr, 0, &outcome));
  EXPECT_STREQ(strata_outcome_printed(outcome), "total = 768\n");
  EXPECT_STREQ(strata_outcome_name(outcome, 0), "total");
  EXPECT_STREQ(strata_outcome_name(outcome, 1), "x");
  EXPECT_EQ(strata_outcome_name(outcome, 2), nullptr);
  EXPECT_THAT(valuesOf(strata_outcome_tensor(outcome, 1)), ElementsAre(256, 256, 256));
  strata_outcome_release(outcome);
  const char *wanted = "x", *unknown = "y";
  succeed(strata_program_run(session, text, "powers.ta", &size, 1, &wanted, 1, &outcome));
  EXPECT_THAT(valuesOf(strata_outcome_tensor(outcome, 0)), ElementsAre(256, 256, 256));
  strata_outcome_release(outcome);
  EXPECT_EQ(
      failureOf(strata_program_run(session, text, "powers.ta", &size, 1, &unknown, 1, &outcome))
          .kind,
      STRATA_ERROR_ARGUMENT);
  Failure failure = failureOf(strata_program_run(session, "def main() {\n  x[i] = 1;\n}", "bad.ta",
                                                 nullptr, 0, nullptr, 0, &outcome));
  EXPECT_EQ(failure.kind, STRATA_ERROR_EXPRESSION);
  EXPECT_EQ(failure.line, 2);
}

} // namespace
