// Matrix Market files that are right, and writing them.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/MatrixMarket.h"
#include "TemporaryFile.h"
#include "strata/runtime/storage/Generate.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace {

using namespace strata::runtime;
using namespace strata::test;
using Facts = MatrixMarketFacts;

/// Reads a text; the entries as `row,column:value`, or the error.
std::string read(const std::string &text, const MatrixMarketOptions &options = {}) {
  Result<InputFile> file = InputFile::fromText("t.mtx", text);
  if (!file)
    return file.error().text();
  Result<MatrixMarketContent> content = readMatrixMarket(*file, options);
  if (!content)
    return content.error().text();
  const Coordinates &list = content->list;
  std::string shown;
  for (int64_t e = 0; e < list.count(); ++e) {
    shown += e ? " " : "";
    for (int d = 0; d < list.order(); ++d)
      shown += (d ? "," : "") + std::to_string(list.coordinate(d, e));
    shown += ':';
    if (list.valueType() == STRATA_C128)
      appendNumber(shown, list.value(e));
    else
      appendNumber(shown, list.value(e).real());
  }
  return shown;
}

const std::string real = "%%MatrixMarket matrix coordinate real general\n";

TEST(MatrixMarketTest, Coordinates) {
  EXPECT_EQ(read(real + "2 3 2\n1 1 5\n2 3 -1.5e1\n"), "0,0:5 1,2:-15");
  EXPECT_EQ(read(real + "2 3 0\n"), "");
  EXPECT_EQ(read(real + "0 0 0"), "");
  // Duplicates and explicit zeros stay, in the order of the file.
  EXPECT_EQ(read(real + "2 2 3\n2 2 1\n1 1 0\n2 2 1"), "1,1:1 0,0:0 1,1:1");
}

TEST(MatrixMarketTest, FreeForm) {
  const std::string entries = "0,0:1 1,1:2";
  EXPECT_EQ(read(real + "% a\n\n%b\n2 2 2\n\n1 1 1\n  % c\n\n \t2\t2  2 \t\n\n\n"), entries);
  EXPECT_EQ(read("%%matrixmarket MATRIX Coordinate rEAL GENERAL\n2 2 2\n1 1 1\n2 2 2\n"), entries);
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate double general\n2 2 2\n1 1 1\n2 2 2"), entries);
  EXPECT_EQ(read("  %MatrixMarket matrix coordinate real general\n 2 2 2\n 1 1 1\n 2 2 2"),
            entries);
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real general\r\n%\r\n\r\n2 2 2\r\n1 1 1\r\n"
                 "\r\n2 2 2\r\n"),
            entries);
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real general\r%\r\r2 2 2\r1 1 1\r2 2 2\r"),
            entries);
}

TEST(MatrixMarketTest, Fields) {
  const std::string rest = "general\n2 2 2\n";
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate pattern " + rest + "1 1\n2 2\n"), "0,0:1 1,1:1");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate integer " + rest + "1 1 -7\n2 2 +8\n"),
            "0,0:-7 1,1:8");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate complex " + rest + "1 1 1 -2\n2 2 .5 1e1\n"),
            "0,0:1 -2 1,1:0.5 10");
  EXPECT_EQ(read(real + "1 2 2\n1 1 inf\n1 2 -NaN\n"), "0,0:inf 0,1:nan");
}

TEST(MatrixMarketTest, Symmetries) {
  const std::string rest = "\n3 3 3\n2 1 5\n3 3 6\n1 3 7\n";
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real symmetric" + rest),
            "1,0:5 2,2:6 0,2:7 0,1:5 2,0:7");
  EXPECT_EQ(
      read("%%MatrixMarket matrix coordinate real symmetric" + rest, {.expandSymmetry = false}),
      "1,0:5 2,2:6 0,2:7");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 2\n2 1 3\n1 1 0"),
            "1,0:3 0,0:0 0,1:-3");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate complex Hermitian\n2 2 2\n2 1 3 4\n1 1 5 0"),
            "1,0:3 4 0,0:5 0 0,1:3 -4");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate complex skew-symmetric\n2 2 1\n2 1 3 4\n"),
            "1,0:3 4 0,1:-3 -4");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"),
            "1,0:1 0,1:1");
}

TEST(MatrixMarketTest, ArraysRunDownTheColumns) {
  EXPECT_EQ(read("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n0\n6\n"),
            "0,0:1 1,0:2 0,1:3 1,1:4 0,2:0 1,2:6");
  EXPECT_EQ(read("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n"),
            "0,0:1 1,0:2 1,1:3 0,1:2");
  EXPECT_EQ(read("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n"),
            "1,0:1 2,0:2 2,1:3 0,1:-1 0,2:-2 1,2:-3");
  EXPECT_EQ(read("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 5\n3 0\n"),
            "0,0:1 0 1,0:2 5 1,1:3 0 0,1:2 -5");
  EXPECT_EQ(read("%%MatrixMarket matrix array integer general\n1 2\n7\n8"), "0,0:7 0,1:8");
  EXPECT_EQ(read("%%MatrixMarket matrix array real general\n3 0\n"), "");
  EXPECT_EQ(read("%%MatrixMarket matrix array real symmetric\n0 0\n"), "");
}

TEST(MatrixMarketTest, VectorsAndTensors) {
  EXPECT_EQ(read("%%MatrixMarket vector coordinate real general\n4 2\n1 5\n4 6\n"), "0:5 3:6");
  EXPECT_EQ(read("%%MatrixMarket vector array real general\n2\n5\n6\n"), "0:5 1:6");
  EXPECT_EQ(read("%%MatrixMarket tensor coordinate real general\n2 3 4 1\n2 3 4 9\n"), "1,2,3:9");
  EXPECT_EQ(read("%%MatrixMarket tensor array real general\n2 1 2\n1\n2\n3\n4\n"),
            "0,0,0:1 1,0,0:2 0,0,1:3 1,0,1:4");
}

TEST(MatrixMarketTest, SizesBeyond32Bits) {
  EXPECT_EQ(read(real + "1099511627776 1099511627776 1\n1099511627775 1 1\n"), "1099511627774,0:1");
}

TEST(MatrixMarketTest, TypesOnRequest) {
  const std::string integer = "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 ";
  EXPECT_EQ(read(integer + "2147483647", {.valueType = STRATA_I32}), "0,0:2147483647");
  EXPECT_EQ(read(integer + "2147483648", {.valueType = STRATA_I32}),
            "t.mtx:3: error: the value '2147483648' does not fit the type i32; expected an integer "
            "in a file of field 'integer'");
  EXPECT_EQ(read(integer + "-9223372036854775809", {.valueType = STRATA_I64}),
            "t.mtx:3: error: the value '-9223372036854775809' does not fit the type i64; expected "
            "an integer in a file of field 'integer'");
  EXPECT_EQ(read(integer + "18446744073709551615", {.valueType = STRATA_F64}),
            "0,0:18446744073709551616");
  EXPECT_EQ(read(real + "1 1 1\n1 1 3.0", {.valueType = STRATA_I32}), "0,0:3");
  EXPECT_EQ(read(real + "1 1 1\n1 1 3.5", {.valueType = STRATA_I32}),
            "t.mtx:3: error: the value is '3.5'; expected an integer");
  EXPECT_EQ(read(real + "1 1 1\n1 1 3e9", {.valueType = STRATA_I32}),
            "t.mtx:3: error: the value '3e9' does not fit the type i32; expected an integer");
  EXPECT_EQ(read(real + "1 1 1\n1 1 0.1", {.valueType = STRATA_F32}), "0,0:0.10000000149011612");
  EXPECT_EQ(read(real + "1 1 1\n1 1 2", {.valueType = STRATA_C128}), "0,0:2 0");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 1\n",
                 {.valueType = STRATA_F64}),
            "t.mtx:3: error: the value (2, 1) of entry 1 does not fit the type f64; expected the "
            "element type complex (Tensor<complex>, -t A:complex)");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n"
                 "2 1 -2147483648\n",
                 {.valueType = STRATA_I32}),
            "t.mtx:3: error: the negative of this entry does not fit the type i32");
}

TEST(MatrixMarketTest, FactsOfTheHeader) {
  Result<InputFile> file = InputFile::fromText(
      "t", "%%MatrixMarket matrix coordinate integer symmetric\n4 4 2\n1 1 1\n2 1 1\n");
  Result<MatrixMarketContent> content = readMatrixMarket(*file);
  ASSERT_TRUE(content.ok());
  EXPECT_EQ(content->facts.field, Facts::Field::integer);
  EXPECT_EQ(content->facts.symmetry, Symmetry::symmetric);
  EXPECT_EQ(content->facts.storedCount, 2);
  EXPECT_EQ(content->facts.sizes, (std::vector<int64_t>{4, 4}));
  EXPECT_EQ(content->list.count(), 3);
  EXPECT_EQ(describe(content->facts), "matrix coordinate integer symmetric");
  EXPECT_TRUE(looksLikeMatrixMarket(file->head()));
  EXPECT_FALSE(looksLikeMatrixMarket("1 1 1\n"));
  EXPECT_FALSE(looksLikeMatrixMarket(""));
}

/// Lines of many lengths over several chunks, from entry `plain` on with comments and blank lines
/// between them.
class LargeFiles : public testing::TestWithParam<int64_t> {};

TEST_P(LargeFiles, AreReadInParallel) {
  constexpr int64_t count = 300000;
  std::string text = real + "1000000 7 " + std::to_string(count) + "\n";
  for (int64_t e = 0; e < count; ++e) {
    if (e >= GetParam() && e % 1000 == 0)
      text += "% comment\n\n";
    text += std::to_string(e + 1) + " " + std::to_string(e % 7 + 1) + " " + std::to_string(e * 3) +
            ".25\n";
  }
  if (GetParam() % 2 == 1)
    text.pop_back(); // the last line's end
  Result<InputFile> file = InputFile::fromText("t", text);
  std::vector<double> told;
  Result<MatrixMarketContent> content =
      readMatrixMarket(*file, {.progress = [&](double share) { told.push_back(share); }});
  ASSERT_TRUE(content.ok());
  for (int64_t e = 0; e < count; ++e) {
    ASSERT_EQ(content->list.coordinate(0, e), e);
    ASSERT_EQ(content->list.coordinate(1, e), e % 7);
    ASSERT_EQ(content->list.value(e).real(), static_cast<double>(e) * 3 + 0.25);
  }
  ASSERT_GE(told.size(), 2u);
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_EQ(told.back(), 1);
  // The first of many errors is the one that is shown, with its line.
  for (size_t at : {text.size() / 5, text.size() / 2, text.size() - 1000}) {
    std::string broken = text;
    for (size_t from = at; from < broken.size(); from = broken.find('\n', from + 100000)) {
      const size_t digit = broken.find_first_of("0123456789", broken.find('\n', from));
      if (digit == std::string::npos)
        break;
      broken[digit] = 'x';
    }
    const auto first = static_cast<size_t>(broken.find("\nx")) + 1;
    const int64_t line =
        std::count(broken.begin(), broken.begin() + static_cast<long>(first), '\n') + 1;
    Result<MatrixMarketContent> refused = readMatrixMarket(*InputFile::fromText("t", broken));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().line, line);
  }
}

INSTANTIATE_TEST_SUITE_P(Plain, LargeFiles, testing::Values(0, 150000, 300000, 299999, 300001));

TEST(MatrixMarketTest, WritesWhatItReads) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.mtx");
  for (strata_type type : {STRATA_F32, STRATA_F64, STRATA_I32, STRATA_I64, STRATA_C128}) {
    for (const std::vector<int64_t> &sizes : {std::vector<int64_t>{300, 200}, {60000}}) {
      Result<Coordinates> list = generateRandom({.sizes = sizes, .density = 0.4, .type = type});
      ASSERT_TRUE(writeMatrixMarket(path, *list, {.comment = "made\nup"}).ok());
      Result<MatrixMarketContent> back = readMatrixMarket(path, {.valueType = type});
      ASSERT_TRUE(back.ok()) << back.error().text();
      if (sizes.size() == 1)
        ASSERT_TRUE(back->list.dropDimension(1).ok());
      ASSERT_EQ(back->list.sizes(), list->sizes());
      ASSERT_EQ(back->list.count(), list->count());
      for (int64_t e = 0; e < list->count(); ++e) {
        for (int d = 0; d < list->order(); ++d)
          ASSERT_EQ(back->list.coordinate(d, e), list->coordinate(d, e));
        ASSERT_EQ(back->list.value(e), list->value(e));
      }
    }
  }
  EXPECT_EQ(folder.fileCount(), 1);
}

TEST(MatrixMarketTest, WritesTheseTexts) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.mtx");
  Result<Coordinates> list = Coordinates::create({2, 3}, STRATA_F64, 2);
  list->column(0).as<int32_t>()[0] = 1;
  list->column(1).as<int32_t>()[0] = 2;
  list->column(0).as<int32_t>()[1] = list->column(1).as<int32_t>()[1] = 0;
  list->values().as<double>()[0] = 0.1;
  list->values().as<double>()[1] = -NAN;
  ASSERT_TRUE(writeMatrixMarket(path, *list).ok());
  EXPECT_EQ(readText(path), real + "2 3 2\n2 3 0.1\n1 1 nan\n");
  ASSERT_TRUE(writeMatrixMarket(path, *list, {.pattern = true}).ok());
  EXPECT_EQ(readText(path), "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n2 3\n1 1\n");
  const double rows[] = {1, 2, 3, 4, 5, 6};
  ASSERT_TRUE(writeMatrixMarketArray(path, {{2, 3}, {3, 1}, STRATA_F64, rows}).ok());
  EXPECT_EQ(readText(path), "%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\n6\n");
  ASSERT_TRUE(writeMatrixMarketArray(path, {{3}, {2}, STRATA_F64, rows}, {.comment = "odd"}).ok());
  EXPECT_EQ(readText(path), "%%MatrixMarket matrix array real general\n% odd\n3 1\n1\n3\n5\n");
  const int32_t integers[] = {7};
  ASSERT_TRUE(writeMatrixMarketArray(path, {{1}, {1}, STRATA_I32, integers}).ok());
  EXPECT_EQ(readText(path), "%%MatrixMarket matrix array integer general\n1 1\n7\n");
}

TEST(MatrixMarketTest, AFailedWriteLeavesTheOldFile) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.mtx");
  writeText(path, "precious");
  Result<Coordinates> tensor = Coordinates::create({2, 2, 2}, STRATA_F64, 0);
  EXPECT_EQ(
      writeMatrixMarket(path, *tensor).error().text(),
      path + ": error: a tensor of order 3 is not a matrix; expected an order up to 2 for a Matrix "
             "Market file");
  {
    Result<OutputFile> file = OutputFile::create(path);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->write("half").ok());
    EXPECT_EQ(folder.fileCount(), 2);
  }
  EXPECT_EQ(readText(path), "precious");
  EXPECT_EQ(folder.fileCount(), 1);
  Result<Coordinates> list = Coordinates::create({2, 2}, STRATA_F64, 0);
  Status missing = writeMatrixMarket(folder.file("no/such/folder.mtx"), *list);
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().text().find("does not exist"), std::string::npos);
  EXPECT_FALSE(writeMatrixMarket(folder.path().string(), *list).ok());
  // Nothing to rename, and no space either: the failure is told.
  Status full = writeMatrixMarket("/dev/full", *list);
  ASSERT_FALSE(full.ok());
  EXPECT_EQ(full.error().text(), "/dev/full: error: cannot write: No space left on device");
}

TEST(MatrixMarketTest, WritesThroughLinks) {
  TemporaryFolder folder;
  writeText(folder.file("real.mtx"), "old");
  std::filesystem::create_symlink("real.mtx", folder.file("link.mtx"));
  Result<Coordinates> list = Coordinates::create({2, 2}, STRATA_F64, 0);
  ASSERT_TRUE(writeMatrixMarket(folder.file("link.mtx"), *list).ok());
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link.mtx")));
  EXPECT_EQ(readText(folder.file("real.mtx")), real + "2 2 0\n");
}

} // namespace
