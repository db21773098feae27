// FROSTT files: what is read, what is refused with which message, and writing them.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Frostt.h"
#include "TemporaryFile.h"
#include "strata/runtime/io/FileFormats.h"
#include "strata/runtime/io/MatrixMarket.h"
#include "strata/runtime/storage/Generate.h"

#include <gtest/gtest.h>

namespace {

using namespace strata::runtime;
using namespace strata::test;
using Header = FrosttOptions::Header;

/// Reads a text: `sizes | coordinates:value …`, or the error.
std::string read(const std::string &text, const FrosttOptions &options = {}) {
  Result<InputFile> file = InputFile::fromText("t.tns", text);
  if (!file)
    return file.error().text();
  Result<FrosttContent> content = readFrostt(*file, options);
  if (!content)
    return content.error().text();
  const Coordinates *list = &content->list;
  std::string shown;
  for (int64_t size : list->sizes())
    shown += std::to_string(size) + " ";
  shown += "|";
  for (int64_t e = 0; e < list->count(); ++e) {
    shown += " ";
    for (int d = 0; d < list->order(); ++d)
      shown += (d ? "," : "") + std::to_string(list->coordinate(d, e));
    shown += ":";
    appendNumber(shown, list->value(e).real());
  }
  return shown;
}

TEST(FrosttTest, PlainFiles) {
  EXPECT_EQ(read("1 2 3 4.5\n2 1 1 -1\n"), "2 2 3 | 0,1,2:4.5 1,0,0:-1");
  EXPECT_EQ(read("# c\n\n  7 1  \r\n#x\n3\t2"), "7 | 6:1 2:2");
  EXPECT_EQ(read("1 1 1 5\n1 1 1 5\n"), "1 1 1 | 0,0,0:5 0,0,0:5");
  EXPECT_EQ(read("1 2 3 4 5 6 7 8 1\n"), "1 2 3 4 5 6 7 8 | 0,1,2,3,4,5,6,7:1");
}

TEST(FrosttTest, GivenSizes) {
  EXPECT_EQ(read("1 2 3\n", {.sizes = {{5, 6}}}), "5 6 | 0,1:3");
  EXPECT_EQ(read("# nothing\n", {.sizes = {{5, 6}}}), "5 6 |");
  EXPECT_EQ(read("1 7 3\n", {.sizes = {{5, 6}}}),
            "t.tns:1: error: the column is 7; expected an integer from 1 to 6");
  EXPECT_EQ(read("1 1 7 3\n", {.sizes = {{5, 6}}}), "1 1 7 | 0,0,6:3");
  EXPECT_EQ(read("1 1\n", {.sizes = std::vector<int64_t>()}), "1 | 0:1");
  EXPECT_EQ(read("1 1\n", {.sizes = {{-4}}}), "error: a dimension of size -4; expected 0 or more");
  EXPECT_EQ(read("1 2 3\n", {.sizes = {{unknownSize, 6}}}), "1 6 | 0,1:3");
  EXPECT_EQ(read("3000000000 2 3\n", {.sizes = {{unknownSize, 6}}}),
            "3000000000 6 | 2999999999,1:3");
  EXPECT_EQ(read("1 2 3\n", {.sizes = {{3000000000, unknownSize}}}), "3000000000 2 | 0,1:3");
  EXPECT_EQ(read("1 7 3\n", {.sizes = {{unknownSize, 6}}}),
            "t.tns:1: error: the column is 7; expected an integer from 1 to 6");
}

TEST(FrosttTest, WithoutEntries) {
  EXPECT_EQ(read("# sizes 4 5 6\n"), "4 5 6 |");
  EXPECT_EQ(read("# sizes 4 5\n1 1 7\n"), "4 5 | 0,0:7");
  EXPECT_EQ(read("# sizes 4 5\n5 1 7\n"),
            "t.tns:2: error: the row is 5; expected an integer from 1 to 4");
  EXPECT_EQ(read("# sizes 4 x\n5 1 7\n"), "5 1 | 4,0:7");
  EXPECT_EQ(read("# nothing\n", {.sizes = {{5, unknownSize}}}),
            "t.tns:1: error: the file has no entry, which leaves the sizes open; expected an "
            "entry, an extended header, or a size for each dimension");
}

TEST(FrosttTest, OneValueHasOrderZero) {
  EXPECT_EQ(read("# energy\n -1.5 \n"), "| :-1.5");
  EXPECT_EQ(read("1.5\n2.5\n"), "t.tns:2: error: there are more than 1 value (2 in all); expected "
                                "1 value, as a tensor without indices has");
  EXPECT_EQ(read("# extended FROSTT format\n0 1\n2.5\n"), "| :2.5");
}

TEST(FrosttTest, ZeroBased) {
  EXPECT_EQ(read("0 2 3\n1 0 4\n", {.base = 0}), "2 3 | 0,2:3 1,0:4");
  EXPECT_EQ(read("0 2 3\n", {.sizes = {{5, 2}}, .base = 0}),
            "t.tns:1: error: the column is 2; expected an integer from 0 to 1");
  EXPECT_EQ(read("-1 2 3\n", {.base = 0}),
            "t.tns:1: error: the row is '-1'; expected an integer from 0 on");
}

/// `header | remark | entries`
std::string comet(const std::string &text, bool asked) {
  Result<InputFile> file = InputFile::fromText("t.tns", text);
  Result<FrosttContent> content = readFrostt(*file, {.comet = asked});
  std::string remarks;
  for (const std::string &remark : content->remarks)
    remarks += remark;
  return content->header + " | " + remarks + " | " + read(text, {.comet = asked});
}

TEST(FrosttTest, CometsHeader) {
  const std::string entries = "1 1 1 1.1\n2 3 1 2.1\n3 3 3 3.21\n";
  const std::string whole = "7 7 7 | 0,0,0:1.1 1,2,0:2.1 2,2,2:3.21";
  const std::string said = "t.tns:2: '7 7 7 3' is read as COMET's header, the sizes and the number "
                           "of entries";
  EXPECT_EQ(comet("# c\n7 7 7 3\n" + entries, false), "COMET's header | " + said + " | " + whole);
  EXPECT_EQ(comet("# c\n7 7 7 3\n" + entries, true), "COMET's header |  | " + whole);
  // By the last dimension first, and with an entry at the last place.
  EXPECT_EQ(comet("2 2 3\n1 1 5\n2 1 6\n1 2 7\n", false).substr(0, 14), "COMET's header");
  EXPECT_EQ(comet("2 2 3\n2 2 5\n1 2 6\n2 1 7\n", false).substr(0, 14), "COMET's header");
  // Too few entries to be certain, or in no order.
  const std::string doubtful =
      " | t.tns:1: '2 2 1' is read as an entry; it may be COMET's header, the "
      "sizes and the number of entries, as which comet_read takes it | ";
  EXPECT_EQ(comet("2 2 1\n1 1 5\n", false), doubtful + "2 2 | 1,1:1 0,0:5");
  EXPECT_EQ(comet("2 2 1\n1 1 5\n", true), "COMET's header |  | 2 2 | 0,0:5");
  EXPECT_EQ(comet("9 9 3\n1 2 5\n2 1 6\n1 1 7\n", false).substr(0, 3), " | ");
  EXPECT_EQ(comet("7 7 7 0\n", true), "COMET's header |  | 7 7 7 |");
  // Entries all the same.
  EXPECT_EQ(comet("7 7 7 0\n", false), " |  | 7 7 7 | 6,6,6:0");
  EXPECT_EQ(comet("7 7 7 4\n" + entries, true).substr(0, 6), " |  | ");
  EXPECT_EQ(comet("7 7 2 3\n" + entries, true).substr(0, 6), " |  | ");
  EXPECT_EQ(comet("7 7 7 3.0\n" + entries, true).substr(0, 6), " |  | ");
}

TEST(FrosttTest, IndicesBeyond32Bits) {
  EXPECT_EQ(read("2147483647 1\n"), "2147483647 | 2147483646:1");
  EXPECT_EQ(read("1 1\n2147483648 1\n"), "2147483648 | 0:1 2147483647:1");
  EXPECT_EQ(read("9223372036854775807 1 1\n"), "9223372036854775807 1 | 9223372036854775806,0:1");
  EXPECT_EQ(read("9223372036854775808 1 1\n"),
            "t.tns:1: error: the row '9223372036854775808' does not fit 64 bits; expected an "
            "integer from 1 on");
}

TEST(FrosttTest, ExtendedFiles) {
  const std::string mark = "# extended FROSTT format\n";
  EXPECT_EQ(read(mark + "3 2\n4 5 6\n1 1 1 7\n4 5 6 8\n"), "4 5 6 | 0,0,0:7 3,4,5:8");
  EXPECT_EQ(read("# x\n" + mark + "# y\n\n2 0\n4 5\n"), "4 5 |");
  EXPECT_EQ(read("1 1\n5\n2 9\n", {.header = Header::extended}), "5 | 1:9");
  EXPECT_EQ(read(mark + "2 1 5\n", {.header = Header::none}), "2 1 | 1,0:5");
  EXPECT_EQ(read(mark + "3 2\n4 5 6\n1 1 1 7\n"),
            "t.tns:4: error: the file ends after 1 entry; expected 2 entries, as the header in "
            "line 2 says");
  EXPECT_EQ(read(mark + "1 1\n4\n1 7\n2 7\n"),
            "t.tns:5: error: there are more than 1 entry (2 in all); expected 1 entry, as the "
            "header in line 2 says");
  EXPECT_EQ(read(mark + "1 9000000000000000000\n4\n1 7\n"),
            "t.tns:4: error: the file ends after 1 entry; expected 9000000000000000000 entries, "
            "as the header in line 2 says");
  EXPECT_EQ(read(mark + "1 1\n4\n5 7\n"),
            "t.tns:4: error: the index is 5; expected an integer from 1 to 4");
  EXPECT_EQ(read(mark), "t.tns:1: error: the file ends before the rank and the number of entries");
  EXPECT_EQ(read(mark + "3 1\n"), "t.tns:2: error: the file ends before the sizes");
  EXPECT_EQ(read(mark + "3\n"), "t.tns:2: error: a line of 1 number instead of the rank and the "
                                "number of entries; expected 2");
  EXPECT_EQ(read(mark + "3 1\n4 5\n"),
            "t.tns:3: error: a line of 2 numbers instead of the sizes; expected 3");
  EXPECT_EQ(read(mark + "0 1\n"), "t.tns:2: error: the file ends after 0 values; expected 1 "
                                  "value, as the header in line 2 says");
  EXPECT_EQ(read(mark + "65 1\n"), "t.tns:2: error: a rank of 65; expected from 0 to 64");
  EXPECT_EQ(read(mark + "-1 1\n"), "t.tns:2: error: '-1' as one of the rank and the number of "
                                   "entries; expected an integer from 0 on");
  EXPECT_EQ(read(mark + "1 1\n99999999999999999999\n"),
            "t.tns:3: error: '99999999999999999999' as one of the sizes does not fit 64 bits; "
            "expected an integer from 0 on");
}

TEST(FrosttTest, Mistakes) {
  EXPECT_EQ(read(""), "t.tns:1: error: the file has no entry, which leaves the order open; "
                      "expected an entry, an extended header, or given sizes");
  EXPECT_EQ(read("# a\n# b\n"), "t.tns:2: error: the file has no entry, which leaves the order "
                                "open; expected an entry, an extended header, or given sizes");
  EXPECT_EQ(read("ktensor\n3\n"), "t.tns:1: error: a line with a single word; expected at least "
                                  "one index and a value");
  EXPECT_EQ(read("1 1 1 5\n1 1 5\n"),
            "t.tns:2: error: the line ends before the value; expected a number");
  EXPECT_EQ(read("1 1 1 5\n1 1 1 5 5\n"), "t.tns:2: error: an extra '5' at the end of the line; "
                                          "expected 3 indices and a value and nothing else");
  EXPECT_EQ(read("# z\n1 1 3 0 2.0\n"),
            "t.tns:2: error: the index 4 is 0; expected an integer "
            "from 1 on: indices count from 1; --base=0 reads files that "
            "count from 0");
  EXPECT_EQ(read("1 -1 1 2\n"), "t.tns:1: error: the index 2 is '-1'; expected an integer from 1 "
                                "on");
  EXPECT_EQ(read("1 1,1 2\n"),
            "t.tns:1: error: the column is '1,1'; expected an integer from 1 on (digits only)");
  EXPECT_EQ(read("1 1 1 x\n"), "t.tns:1: error: the value is 'x'; expected a decimal number");
  EXPECT_EQ(read("1 1 1 1e400\n"),
            "t.tns:1: error: the value '1e400' does not fit the type f64; expected a decimal "
            "number");
  std::string wide;
  for (int i = 0; i < 66; ++i)
    wide += "1 ";
  EXPECT_EQ(read(wide),
            "t.tns:1: error: a line of 66 words; expected at most 64 indices and a value");
  EXPECT_EQ(read("\x1f\x8b"),
            "t.tns:1: error: the compressed data is cut off after byte 2; expected more of it");
}

TEST(FrosttTest, TypesOnRequest) {
  EXPECT_EQ(read("1 6.0\n", {.valueType = STRATA_I64}), "1 | 0:6");
  EXPECT_EQ(read("1 9223372036854775807\n", {.valueType = STRATA_I64}),
            "1 | 0:9223372036854775808"); // as it prints; the list has the integer
  EXPECT_EQ(
      read("1 2147483648\n", {.valueType = STRATA_I32}),
      "t.tns:1: error: the value '2147483648' does not fit the type i32; expected an integer");
  EXPECT_EQ(read("1 0.5\n", {.valueType = STRATA_I32}),
            "t.tns:1: error: the value is '0.5'; expected an integer");
  EXPECT_EQ(read("1 0.5\n", {.valueType = STRATA_F32}), "1 | 0:0.5");
}

TEST(FrosttTest, TruncatedAnywhere) {
  const std::string text =
      "# extended FROSTT format\n3 3\n40 50 60\n1 1 1 7\n# c\n40 5 6 8\n2 2 2 5";
  for (size_t size = 0; size < text.size(); ++size) {
    const std::string result = read(text.substr(0, size), {.header = Header::extended});
    EXPECT_EQ(result.substr(0, 6), "t.tns:") << size << ": " << result;
  }
  // A plain file has no count: whole lines that are missing cannot be seen, the rest can.
  const std::string plain = "1 1 1 7\n2 2 2 8\n";
  for (size_t size = 0; size < plain.size(); ++size) {
    const std::string result = read(plain.substr(0, size));
    const bool whole = size == 7 || size == 8 || size == 15;
    const bool shorter = size >= 1 && size <= 6; // of a lower order, as far as one can tell
    EXPECT_EQ(result.substr(0, 6) != "t.tns:", whole || shorter) << size << ": " << result;
  }
}

TEST(FrosttTest, WritesWhatItReads) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.tns");
  for (strata_type type : {STRATA_F32, STRATA_F64, STRATA_I32, STRATA_I64})
    for (bool extended : {false, true}) {
      Result<Coordinates> list =
          generateRandom({.sizes = {40, 50, 60}, .density = 0.3, .type = type});
      ASSERT_TRUE(writeFrostt(path, *list, {.extended = extended}).ok());
      Result<FrosttContent> back = readFrostt(path, {.valueType = type});
      ASSERT_TRUE(back.ok()) << back.error().text();
      ASSERT_EQ(back->list.sizes(), list->sizes());
      ASSERT_EQ(back->list.count(), list->count());
      for (int64_t e = 0; e < list->count(); ++e) {
        for (int d = 0; d < 3; ++d)
          ASSERT_EQ(back->list.coordinate(d, e), list->coordinate(d, e));
        ASSERT_EQ(back->list.value(e), list->value(e));
      }
    }
  Result<Coordinates> empty = Coordinates::create({4, 5}, STRATA_F64, 0);
  ASSERT_TRUE(writeFrostt(path, *empty, {.extended = true}).ok());
  EXPECT_EQ(readText(path), "# extended FROSTT format\n2 0\n4 5\n");
  ASSERT_TRUE(writeFrostt(path, *empty).ok());
  EXPECT_EQ(readText(path), "# sizes 4 5\n");
  EXPECT_EQ(read(readText(path)), "4 5 |");
  Result<Coordinates> scalar = Coordinates::create({}, STRATA_F64, 1);
  scalar->values().as<double>()[0] = 2.5;
  for (bool extended : {false, true}) {
    ASSERT_TRUE(writeFrostt(path, *scalar, {.extended = extended}).ok());
    EXPECT_EQ(read(readText(path)), "| :2.5");
  }
  Result<Coordinates> complex = Coordinates::create({4, 5}, STRATA_C128, 0);
  EXPECT_FALSE(writeFrostt(path, *complex).ok());
}

TEST(TensorFileTest, ChoosesTheFormat) {
  TemporaryFolder folder;
  Result<Coordinates> list = Coordinates::create({2, 2}, STRATA_F64, 0);
  ASSERT_TRUE(writeTensorFile(folder.file("a.mtx"), *list).ok());
  EXPECT_EQ(readText(folder.file("a.mtx")).substr(0, 14), "%%MatrixMarket");
  std::filesystem::rename(folder.file("a.mtx"), folder.file("a.txt"));
  Result<TensorFileContent> content = readTensorFile(folder.file("a.txt"));
  ASSERT_TRUE(content.ok());
  EXPECT_EQ(content->format, "Matrix Market");
  writeText(folder.file("b.tns"), "2 2 2 1\n");
  content = readTensorFile(folder.file("b.tns"));
  ASSERT_TRUE(content.ok());
  EXPECT_EQ(content->format, "FROSTT");
  EXPECT_EQ(content->list.order(), 3);
  writeText(folder.file("b.mtx"), "2 2 2 1\n");
  EXPECT_FALSE(readTensorFile(folder.file("b.mtx")).ok());
  EXPECT_EQ(writeTensorFile("a.xyz", *list).error().text(),
            "a.xyz: error: the ending names no format that can be written; expected one of " +
                writableEndings());
  EXPECT_NE(writableEndings().find("'.mtx'"), std::string::npos);
}

} // namespace
