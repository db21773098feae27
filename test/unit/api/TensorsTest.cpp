// Tests of strata.h: formats, and tensors that programs hand in and get back.
#include "ApiTest.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace {

using namespace strata::test;
using testing::ElementsAre;
using testing::HasSubstr;

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

TEST_F(ApiTest, FillsOfFormats) {
  for (const char *number : {"nan", "1 + 2i", "-0.1 - 1e-30i", "nan + nani", "-inf + 3i"}) {
    const std::string text = std::string("{CSR, fill = ") + number + "}";
    strata_format *complex = nullptr, *again = nullptr;
    succeed(strata_format_parse(session, text.c_str(), 2, STRATA_C128, &complex));
    formats.push_back(complex);
    EXPECT_EQ(strata_format_name(complex), text);
    succeed(strata_format_parse(session, strata_format_text(complex), 2, STRATA_C128, &again));
    formats.push_back(again);
    EXPECT_TRUE(strata_format_equal(complex, again)) << text;
  }
  double fill[2];
  EXPECT_TRUE(strata_format_fill(format("{CSR, fill = nan}", 2), fill));
  EXPECT_TRUE(std::isnan(fill[0]));
  EXPECT_EQ(fill[1], 0);
  strata_format *made = nullptr;
  for (const char *text : {"{CSR, fill = 2i}", "{CSR, fill = 1} + {COO, fill = 1 + 1i}"})
    EXPECT_THAT(failureOf(strata_format_parse(session, text, 2, STRATA_F64, &made)).message,
                HasSubstr("the tensor has elements of type double, of which "));
  EXPECT_EQ(failureOf(strata_format_parse(session, "{CSR, fill = nan}", 2, STRATA_I32, &made)).kind,
            STRATA_ERROR_FORMAT);
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
  failure = failureOf(strata_format_parse(session, "CSR", 2, strata_type(99), &made));
  EXPECT_EQ(failure.kind, STRATA_ERROR_TYPE);
  EXPECT_EQ(failure.mistake, "SE1707");
  failure = failureOf(strata_format_parse(session, "Dense", -1, STRATA_F64, &made));
  EXPECT_EQ(failure.kind, STRATA_ERROR_SHAPE);
  EXPECT_EQ(failure.mistake, "SE0304");
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
  auto refuse = [&](int64_t count, std::array<strata_array, 2> columns, strata_array values) {
    Failure failure = failureOf(
        strata_tensor_from_coordinates(session, format("CSR", 2), sizes.data(), count,
                                       columns.data(), values, STRATA_SUM_DUPLICATES, &tensor));
    EXPECT_EQ(failure.kind, STRATA_ERROR_ARGUMENT) << failure.message;
    return failure.message;
  };
  rows[3] = 2;
  strata_array none = {nullptr, -1, STRATA_I64};
  EXPECT_THAT(refuse(-1, {none, none}, {nullptr, -1, STRATA_F64}), HasSubstr("no -1 entries"));
  none.count = 4;
  EXPECT_THAT(refuse(4, {coordinates[0], none}, array(entries, STRATA_F64)),
              HasSubstr("dimension 1 have no memory"));
  EXPECT_THAT(refuse(4, coordinates, {nullptr, 4, STRATA_F64}), HasSubstr("values have no memory"));
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

} // namespace
