// Every format: recognized, read, written and read back.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/FileFormats.h"
#include "FileKinds.h"
#include "TemporaryFile.h"
#include "strata/runtime/io/Compression.h"
#include "strata/runtime/io/FortranFormat.h"
#include "strata/runtime/io/OutputFile.h"
#include "strata/runtime/io/Unfinished.h"

#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/stat.h>
#include <thread>

using namespace strata::runtime;
using namespace strata::test;
using testing::HasSubstr;

namespace {

class EveryKind : public testing::TestWithParam<FileKind> {};

INSTANTIATE_TEST_SUITE_P(Files, EveryKind, testing::ValuesIn(fileKinds),
                         [](const auto &info) { return info.param.name; });

TEST_P(EveryKind, IsRecognizedAndRead) {
  const FileKind &kind = GetParam();
  EXPECT_EQ(readBytes(kind.file, kind.text), kind.entries);
  Result<InputFile> file = InputFile::fromText("x", kind.text);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(formatOf(*file).name, kind.format) << "by content alone";
  std::string windows;
  for (const char *p = kind.text; *p; ++p)
    windows += *p == '\n' ? std::string("\r\n") : std::string(1, *p);
  EXPECT_EQ(readBytes(kind.file, windows), kind.entries);
  EXPECT_EQ(readBytes(kind.file, std::string(kind.text) + "\n \n"), kind.entries);
}

TEST_P(EveryKind, Compressed) {
  for (Compression packing : {Compression::gzip, Compression::zstd}) {
    std::string bytes = GetParam().text;
    ASSERT_TRUE(compress(packing, bytes).ok());
    EXPECT_EQ(readBytes(GetParam().file, bytes), GetParam().entries);
  }
}

/// Entries of a random matrix or tensor.
Coordinates randomList(std::vector<int64_t> sizes, strata_type type, int64_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  Result<Coordinates> list = Coordinates::create(sizes, type, count);
  EXPECT_TRUE(list.ok());
  for (size_t d = 0; d < sizes.size(); ++d)
    for (int64_t e = 0; e < count; ++e)
      list->column(static_cast<int>(d)).as<int32_t>()[e] =
          static_cast<int32_t>(random() % static_cast<uint64_t>(sizes[d]));
  std::normal_distribution<double> normal;
  withValueType(type, [&]<typename V>(V *) {
    for (int64_t e = 0; e < count; ++e) {
      V &value = list->values().as<V>()[e];
      if constexpr (std::is_integral_v<V>)
        value = static_cast<V>(random() % 2000) - 1000;
      else if constexpr (std::is_same_v<V, std::complex<double>>)
        value = {normal(random) * 1e100, normal(random) * 1e-100};
      else
        value = static_cast<V>(std::exp(20 * normal(random)) * normal(random));
    }
  });
  return std::move(*list);
}

/// Files that say where each row or column begins are refused where that is all that they would
/// say.
TEST(WritersTest, PointersOfFewEntries) {
  TemporaryFolder folder;
  auto write = [&](const char *name, std::vector<int64_t> sizes) {
    Result<Coordinates> list = Coordinates::create(sizes, STRATA_I64, STRATA_F64, 1);
    EXPECT_TRUE(list.ok());
    list->column(0).as<int64_t>()[0] = list->column(1).as<int64_t>()[0] = 0;
    list->values().as<double>()[0] = 1;
    Status written = writeTensorFile(folder.file(name), *list);
    return written.ok() ? "" : written.error().text();
  };
  for (int64_t many : {int64_t{1000000000000}, INT64_MAX}) {
    for (const char *name : {"a.rb", "a.rua", "a.rb.gz"})
      EXPECT_THAT(write(name, {1, many}),
                  HasSubstr("says where each of " + std::to_string(many) + " columns begins"))
          << name;
    EXPECT_THAT(write("a.smtx", {many, 1}),
                HasSubstr("says where each of " + std::to_string(many) + " rows begins"));
  }
  EXPECT_EQ(folder.fileCount(), 0);
  EXPECT_EQ(write("a.rb", {1000000000000, 1}), "");
  EXPECT_EQ(write("a.smtx", {1, 1000000000000}), "");
  EXPECT_EQ(write("b.rb", {1, 100000}), "");
  EXPECT_EQ(readBytes("b.rb", readText(folder.file("b.rb"))), "0 0 1; ");
}

/// What is written by halves can be removed at any time, and what is complete stays.
TEST(WritersTest, UnfinishedFilesAreRemoved) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.mtx");
  {
    Result<OutputFile> whole = OutputFile::create(path);
    ASSERT_TRUE(whole.ok() && whole->write("whole").ok() && whole->commit().ok());
    Result<OutputFile> half = OutputFile::create(path), other = OutputFile::create(path + ".gz");
    ASSERT_TRUE(half.ok() && half->write("half").ok() && other.ok());
    const std::string store = unfinishedName(folder.file("a.zarr"));
    ASSERT_TRUE(std::filesystem::create_directories(store + "/c"));
    writeText(store + "/c/0", "half");
    noteUnfinished(store);
    EXPECT_EQ(folder.fileCount(), 4);
    EXPECT_TRUE(removeUnfinished().owns_lock());
    EXPECT_EQ(folder.fileCount(), 1);
    forgetUnfinished(store);
  }
  EXPECT_EQ(readText(path), "whole");
  // Names that others have left behind are passed over.
  const std::string next = unfinishedName(path);
  const size_t number = next.rfind('-') + 1;
  for (int64_t at = 1; at < 4; ++at)
    writeText(next.substr(0, number) + std::to_string(std::stoll(next.substr(number)) + at), "old");
  ASSERT_TRUE(writeTensorFile(path, randomList({4, 5}, STRATA_F64, 6, 3)).ok());
  EXPECT_EQ(folder.fileCount(), 4);
}

/// No file is there that is not known, however the writer is at work, and none is begun after it.
TEST(WritersTest, NothingIsBegunAfterTheRemoval) {
  TemporaryFolder folder;
  for (int round = 0; round < 200; ++round) {
    std::atomic<bool> begun = false, ends = false;
    std::thread writer([&] {
      while (!ends) {
        begun = true;
        EXPECT_TRUE(OutputFile::create(folder.file("a.mtx")).ok());
      }
    });
    while (!begun)
      std::this_thread::yield();
    {
      UnfinishedHold hold = removeUnfinished();
      ends = true;
      EXPECT_EQ(folder.fileCount(), 0);
    }
    writer.join();
  }
}

/// Who may read and write a file stays the same when another one takes its place, whatever the
/// umask is; a new one has what the umask leaves.
TEST(WritersTest, PermissionsStay) {
  namespace fs = std::filesystem;
  TemporaryFolder folder;
  const Coordinates list = randomList({4, 5}, STRATA_F64, 6, 3);
  const mode_t before = umask(077);
  for (const char *name : {"a.mtx", "a.mtx.gz", "a.bsp.h5", "a.npz", "a.zarr"}) {
    const std::string path = folder.file(name);
    ASSERT_TRUE(writeTensorFile(path, list).ok()) << name;
    EXPECT_EQ(fs::status(path).permissions() & fs::perms(077), fs::perms::none) << name;
    fs::permissions(path, fs::perms(0775));
    ASSERT_TRUE(writeTensorFile(path, list).ok()) << name;
    EXPECT_EQ(fs::status(path).permissions(), fs::perms(0775)) << name;
  }
  umask(before);
}

TEST(WritersTest, WhatIsWrittenIsReadBack) {
  TemporaryFolder folder;
  int64_t files = 0;
  for (const FileFormat &format : fileFormats())
    for (strata_type type : {STRATA_F64, STRATA_F32, STRATA_I32, STRATA_I64, STRATA_C128})
      for (const std::vector<int64_t> &sizes :
           {std::vector<int64_t>{70, 300}, {300, 70}, {80, 80}, {1, 5}, {5, 1}, {9, 8, 7, 6}})
        for (int64_t count : {0, 1, 2000}) {
          if (!format.write)
            continue;
          Coordinates list = randomList(sizes, type, count, static_cast<unsigned>(count) + 1);
          ASSERT_TRUE(list.sumDuplicates().ok());
          const std::string path = folder.file("a" + std::string(format.endings.front()));
          Status written = format.write(path, list, {});
          if (!written.ok()) {
            EXPECT_FALSE(written.error().expected.empty());
            continue;
          }
          Result<TensorFileContent> back = readTensorFile(path, {.valueType = type});
          if (!back && count == 0)
            continue; // plain FROSTT cannot say how many dimensions nothing has
          ASSERT_TRUE(back.ok()) << path << ": " << back.error().text();
          ASSERT_TRUE(back->list.sort().ok());
          ++files;
          EXPECT_EQ(entriesOf(back->list), entriesOf(list)) << path;
          for (int64_t e = 0; e < list.count(); ++e)
            ASSERT_EQ(back->list.value(e), list.value(e)) << path;
          if (format.name != "FROSTT") {
            EXPECT_EQ(back->list.sizes(), list.sizes());
          }
        }
  EXPECT_GE(files, 400);
}

TEST(WritersTest, FailuresLeaveNothing) {
  TemporaryFolder folder;
  const Coordinates list = randomList({5, 5}, STRATA_F64, 10, 1);
  for (const FileFormat &format : fileFormats()) {
    if (!format.write)
      continue;
    const std::string name = "a" + std::string(format.endings.front());
    writeText(folder.file(name), "as it was");
    // A folder where nothing can be created, and a tensor that the format may not hold.
    EXPECT_FALSE(format.write(folder.file("no/such/" + name), list, {}).ok()) << name;
    const Coordinates tensor = randomList({5, 5, 5}, STRATA_C128, 10, 1);
    if (!format.write(folder.file(name), tensor, {}).ok()) {
      EXPECT_EQ(readText(folder.file(name)), "as it was");
    }
    EXPECT_EQ(folder.fileCount(), 1);
    std::filesystem::remove(folder.file(name));
  }
}

//===------------------------------------------------------------------------------------------===//
// What single formats say
//===------------------------------------------------------------------------------------------===//

TEST(SmtxTest, Mistakes) {
  EXPECT_EQ(readBytes("a.smtx", "3, 4, 2\n0 1 1 2\n0 4\n"),
            "a.smtx:3: error: a column is '4'; expected an integer from 0 to 3");
  EXPECT_EQ(readBytes("a.smtx", "3, 4, 2\n0 2 1 2\n0 1\n"),
            "a.smtx:2: error: the offset of row 2 is 1; expected at least 2");
  EXPECT_EQ(readBytes("a.smtx", "3, 4, 2\n0 1 1\n2\n0\n"),
            "a.smtx:4: error: the file ends after 1 column of entries; expected 2, as line 1 says");
  EXPECT_EQ(
      readBytes("a.smtx", "3, 4, 2\n0 1 1 2 0 1 1\n"),
      "a.smtx:2: error: there are more than 2 columns of entries; expected the end, as line 1 "
      "says");
  EXPECT_EQ(readBytes("a.smtx", "9000000000000, 4, 2\n0 1 1 2 0 1"),
            "a.smtx:2: error: the offset of row 4 is 0; expected at least 2");
  EXPECT_EQ(readBytes("a.smtx", "3 4\n0 1\n"),
            "a.smtx:1: error: a line '3 4' instead of the sizes; expected 'rows, columns, "
            "entries'");
  EXPECT_EQ(readBytes("a.smtx", "2 4 2\n0 1 2\n0 3\n"), "0 0 1; 1 3 1; ");
  EXPECT_EQ(readBytes("a.smtx", "0, 0, 0\n0\n"), "");
}

TEST(FortranFormatTest, Parses) {
  auto parse = [](const char *text) {
    std::optional<FortranFormat> f = FortranFormat::parse(text);
    return f ? std::to_string(f->perLine) + (f->integer ? "I" : "E") + std::to_string(f->width) +
                   "." + std::to_string(f->decimals) + "P" + std::to_string(f->scale)
             : "none";
  };
  EXPECT_EQ(parse("(16I5)"), "16I5.0P0");
  EXPECT_EQ(parse("(10F8.2)"), "10E8.2P0");
  EXPECT_EQ(parse("(1P,5E16.8)"), "5E16.8P1");
  EXPECT_EQ(parse("(1P5E16.8)"), "5E16.8P1");
  EXPECT_EQ(parse("(5D16.8)"), "5E16.8P0");
  EXPECT_EQ(parse("(4E20.12E3)"), "4E20.12P0");
  EXPECT_EQ(parse("( 3 e26 . 18 )"), "3E26.18P0");
  EXPECT_EQ(parse("(1P3D24.15)"), "3E24.15P1");
  EXPECT_EQ(parse("(4(1PE20.12))"), "4E20.12P1");
  EXPECT_EQ(parse("(-2P4G20.12)"), "4E20.12P-2");
  EXPECT_EQ(parse("(I8)"), "1I8.0P0");
  for (const char *wrong :
       {"", "()", "(16I5", "16I5", "(I)", "(0I5)", "(16A5)", "(16I0)", "(16I999)", "(16I5,2F3.1)",
        "(1P)", "(4E20.)", "(99999I5)", "((((I5))))x", "(9999(9999I5))",
        "(9999(9999(9999(9999(9999(9999I5))))))", "(4096(4096(4096(4096(4096(4096I5))))))"})
    EXPECT_EQ(parse(wrong), "none") << wrong;
  EXPECT_EQ(parse("(4(((2(3I5)))))"), "24I5.0P0");
  EXPECT_EQ(parse((std::string(1000000, '(') + "I5" + std::string(1000000, ')')).c_str()), "none");
}

/// A file of one value, in a format.
std::string valueIn(const std::string &format, const std::string &field) {
  std::string padded = format;
  padded.resize(20, ' ');
  const std::string text = "t\n1 1 1 1\nRUA 1 1 1 0\n(I1)            (I1)            " + padded +
                           "\n1\n2\n1\n" + field + "\n";
  // Two pointers on lines of their own: `1` and `2`.
  return readBytes("a.rb", text);
}

TEST(FortranFormatTest, ReadsFields) {
  EXPECT_EQ(valueIn("(E12.4)", "  1.5000E+02"), "0 0 150; ");
  EXPECT_EQ(valueIn("(E12.4)", "  1.5000D-02"), "0 0 0.015; ");
  EXPECT_EQ(valueIn("(E12.4)", "  1.5000+102"), "0 0 1.5e+102; ");
  EXPECT_EQ(valueIn("(E12.4)", "  1.5000E 02"), "0 0 150; ");
  EXPECT_EQ(valueIn("(F8.2)", "     150"), "0 0 1.5; ");
  EXPECT_EQ(valueIn("(F8.2)", "    1.25"), "0 0 1.25; ");
  EXPECT_EQ(valueIn("(F8.2)", "-.5"), "0 0 -0.5; ");
  EXPECT_EQ(valueIn("(2PF8.2)", "    1.25"), "0 0 0.0125; ");
  EXPECT_EQ(valueIn("(2PE8.2)", " 1.25E+1"), "0 0 12.5; ");
  EXPECT_EQ(valueIn("(E12.4)", "         inf"), "0 0 inf; ");
  EXPECT_EQ(valueIn("(F8.2)", "       x"),
            "a.rb:8: error: value 1 is '       x' in columns 1 to 8; expected a decimal number");
  EXPECT_EQ(valueIn("(F8.2)", ""),
            "a.rb:8: error: value 1 is '' in columns 1 to 8; expected a number");
}

TEST(HarwellBoeingTest, Mistakes) {
  auto read = [](const std::string &type, const std::string &rest) {
    return readBytes("a.rb", "t\n1 1 1 1\n" + type +
                                 "\n(10I3)          (10I3)          (10F5.1)            \n" + rest);
  };
  EXPECT_EQ(read("RUA 2 2 2 0", "  1  2  3\n  1  3\n  1.0  2.0\n"),
            "a.rb:6: error: index 2 is '  3' in columns 4 to 6; expected an integer from 1 to 2");
  EXPECT_EQ(read("RUA 2 2 2 0", "  1  3  2\n  1  2\n  1.0  2.0\n"),
            "a.rb:5: error: pointer 3 is '  2' in columns 7 to 9; expected an integer from 3 to 3");
  EXPECT_EQ(read("RUA 2 2 2 0", "  1  2  2\n"),
            "a.rb:5: error: pointer 3 is '  2' in columns 7 to 9; expected 2 + 1, as there are so "
            "many entries");
  EXPECT_EQ(read("RUA 2 2 2 0", "  1  2  3\n  1  2\n  1.0\n"),
            "a.rb:7: error: value 2 is '' in columns 6 to 10; expected a number");
  EXPECT_EQ(read("RUA 2 2 2 0", "  1  2  3\n  1  2\n  1.0  2.0\n  3.0\n"),
            "a.rb:8: error: more lines than the header announces; expected the end of the file");
  EXPECT_EQ(read("RZA 2 2 2 0", "  1  2  3\n  1  2\n  1.0  2.0\n"),
            "a.rb: error: an entry on the diagonal is not 0 (entry 1); expected 0 or no entry, as "
            "the matrix is 'skew-symmetric'");
  EXPECT_THAT(read("RSA 2 3 2 0", ""), HasSubstr("a matrix of 2 x 3 with the structure S"));
  EXPECT_THAT(read("RRE 2 3 2 0", ""), HasSubstr("rectangular elements cannot be read"));
  EXPECT_THAT(read("RHA 2 2 2 0", ""), HasSubstr("only a complex matrix can be hermitian"));
  EXPECT_EQ(read("RSE 3 1 2 9", "  1  3\n  1  2\n  1.0  2.0  3.0\n"),
            "a.rb:3: error: 9 values of elements; expected 3, as the sizes of the elements say");
  EXPECT_EQ(read("RUA 9000000000000 9000000000000 9000000000000 0", "  1  2  3\n"),
            "a.rb:5: error: pointer 4 is '' in columns 10 to 12; expected a number");
}

/// Numbers of a header whose lists would have up to 2^63 - 1 elements, beside lines of two, three
/// and ten numbers.
TEST(HarwellBoeingTest, CountsBeyondAllMemory) {
  auto read = [](const std::string &sizes, const std::string &formats, const std::string &rest) {
    return readBytes("a.rb", "t\n2 1 1 0\nrua " + sizes + " 0\n" + formats + "\n" + rest);
  };
  const std::string most = "9223372036854775806";
  for (const char *formats : {"(2I10) (2I10)", "(3I10) (3I10)", "(10I2) (10I2)"})
    EXPECT_THAT(read("1 " + most + " 0", formats, "         1         1\n"),
                testing::StartsWith("a.rb:"))
        << formats;
  EXPECT_THAT(read("1 " + most + " 0", "(2I10) (2I10)", "         1         1\n"),
              HasSubstr("the file ends before pointer 3"));
  for (const char *formats : {"(2I20) (2I20)", "(2I20) (3I20)", "(2I20) (9I20)"})
    EXPECT_THAT(read("3 1 " + most, formats,
                     "                   1 9223372036854775807\n                   1\n"),
                testing::StartsWith("a.rb:6: error: index 2"))
        << formats;
}

TEST(FortranFormatTest, BlanksDoNotJoinNumbers) {
  EXPECT_EQ(valueIn("(F8.2)", "  1.5  2"),
            "a.rb:8: error: more behind the last value: '2'; expected the end of the line");
  EXPECT_EQ(valueIn("(F8.2)", "  1.5  x"),
            "a.rb:8: error: value 1 is '  1.5  x' in columns 1 to 8; expected a decimal number");
  EXPECT_EQ(valueIn("(2F8.2)", "     1.5     2.5"), "0 0 1.5; ");
}

/// SciPy 1.10 writes numbers of 24 columns under E25.16.
TEST(HarwellBoeingTest, ColumnsOtherThanTheFormatSays) {
  EXPECT_EQ(readBytes("a.rua", "t\n4 1 1 2\nRUA 3 3 6 0\n(40I2)          (40I2)          "
                               "(3E25.16)           \n 1 3 6 7\n 1 2 1 2 3 3\n"
                               "  1.5000000000000000E+00  1.0000000000000001E-01"
                               "-2.0000000000000001E-300\n"
                               "  3.0000000000000000E+00-1.0000000000000000E+100"
                               "  5.0000000000000000E+00\n"),
            "0 0 1.5; 1 0 0.1; 0 1 -2e-300; 1 1 3; 2 1 -1e+100; 2 2 5; ");
}

TEST(HarwellBoeingTest, TypesAndStructures) {
  auto read = [](const std::string &type, const std::string &rest) {
    return readBytes("a.rb", "t\n1 1 1 1\n" + type +
                                 "\n(10I3)          (10I3)          (10F5.1)            \n" + rest);
  };
  EXPECT_EQ(read("CHA 2 2 2 0", "  1  3  3\n  1  2\n  1.0  0.0  2.0  3.0\n"),
            "0 0 1+0i; 1 0 2+3i; 0 1 2-3i; ");
  EXPECT_EQ(read("cua 2 2 1 0", "  1  2  2\n  2\n  2.0  3.0\n"), "1 0 2+3i; ");
  EXPECT_EQ(read("rza 2 2 1 0", "  1  2  2\n  2\n  2.0\n"), "1 0 2; 0 1 -2; ");
  EXPECT_EQ(read("QSA 2 2 1 0", "  1  2  2\n  2\n"), "1 0 1; 0 1 1; ");
  // Two elements with a place in common, of values and of a pattern.
  EXPECT_EQ(read("RUE 3 2 4 8", "  1  3  5\n  1  2  2  3\n"
                                "  1.0  2.0  3.0  4.0  5.0  6.0  7.0  8.0\n"),
            "0 0 1; 1 0 2; 0 1 3; 1 1 4; 1 1 5; 2 1 6; 1 2 7; 2 2 8; ");
  EXPECT_EQ(read("PSE 3 2 4 0", "  1  3  5\n  1  2  2  3\n"),
            "0 0 1; 0 1 1; 1 0 1; 1 1 1; 1 2 1; 2 1 1; 2 2 1; ");
}

TEST(FcidumpTest, PartsAndMistakes) {
  const char *text =
      std::ranges::find(fileKinds, std::string_view("FCIDUMP"), [](const FileKind &kind) {
        return std::string_view(kind.format);
      })->text;
  EXPECT_EQ(readBytes("f", text, {.order = 2}), "0 0 -1.25; 1 0 -0.25; 0 1 -0.25; ");
  EXPECT_EQ(readBytes("f", text, {.order = 0}), "0.7; ");
  EXPECT_EQ(readBytes("f", text, {.order = 3}),
            "f: error: an FCIDUMP file holds no tensor of order 3; expected order 4 (two "
            "electrons), 2 (one electron) or 0 (the core's energy)");
  const std::string head = "&FCI NORB=2,NELEC=2 /\n";
  EXPECT_EQ(readBytes("f", head + "1.5 2 1 1 1\n1.5 1 1 1 2\n", {}),
            "1 0 0 0 1.5; 0 1 0 0 1.5; 0 0 1 0 1.5; 0 0 0 1 1.5; ");
  EXPECT_EQ(readBytes("f", head + "1.5 2 1 1 1\n\n1.25 1 1 1 2\n"),
            "f:4: error: this integral has another value than the same one in line 2; expected "
            "equal values at places that are equal by symmetry");
  EXPECT_EQ(readBytes("f", head + "1.5 3 1 1 1\n"),
            "f:2: error: index 1 of '1.5 3 1 1 1' is wrong; expected an integer from 0 to 2");
  EXPECT_EQ(readBytes("f", head + "1.5 1 0 1 1\n"),
            "f:2: error: indices of no integral; expected four, two or one above 0, or none, from "
            "the left");
  EXPECT_EQ(readBytes("f", head + "(1.5,0) 1 1 1 1\n"),
            "f:2: error: complex integrals cannot be read; expected real ones");
  EXPECT_EQ(readBytes("f", "&FCI NELEC=2 /\n"),
            "f:1: error: the namelist has no NORB; expected NORB=number of orbitals");
  EXPECT_THAT(readBytes("f", "&FCI NORB=2,UHF=.TRUE. /\n"), HasSubstr("unrestricted"));
  EXPECT_EQ(readBytes("f", "&FCI NORB=2,\n ISYM=1\n"),
            "f:2: error: the file ends inside the namelist; expected '&END' or '/'");
}

/// All 8 equal places, each once.
TEST(FcidumpTest, Expands) {
  const std::string head = "&FCI NORB=4,NELEC=2 /\n";
  auto places = [&](const std::string &line) {
    const std::string text = readBytes("f", head + line + "\n");
    return std::count(text.begin(), text.end(), ';');
  };
  EXPECT_EQ(places("1 4 3 2 1"), 8);
  EXPECT_EQ(places("1 4 3 4 3"), 4);
  EXPECT_EQ(places("1 4 3 4 2"), 8);
  EXPECT_EQ(places("1 4 4 3 3"), 2);
  EXPECT_EQ(places("1 4 4 2 1"), 4);
  EXPECT_EQ(places("1 2 2 2 2"), 1);
}

/// Columns that go on over several blocks, on one line and on many.
TEST(SmtxTest, BlocksOfALargeFile) {
  constexpr int64_t rows = 1000, each = 2100;
  std::string text = "1000, 3000000, 2100000\n", columns;
  for (int64_t row = 0; row <= rows; ++row)
    text += std::to_string(row * each) + " ";
  for (int64_t e = 0; e < rows * each; ++e)
    columns += std::to_string(e * 7 % 3000000) + (e % 5000 ? " " : "  \r\n");
  const std::string whole = text + "\n" + columns;
  std::string packed = whole;
  ASSERT_TRUE(compress(Compression::zstd, packed).ok());
  for (const std::string &bytes : {whole, packed}) {
    Result<InputFile> file = InputFile::fromText("a.smtx", bytes);
    Result<TensorFileContent> content = formatOf(*file).read(*file, {});
    ASSERT_TRUE(content.ok()) << content.error().text();
    ASSERT_EQ(content->list.count(), rows * each);
    int64_t wrong = 0;
    for (int64_t e = 0; e < rows * each; ++e)
      wrong += content->list.column(0).as<int32_t>()[e] != e / each ||
               content->list.column(1).as<int32_t>()[e] != e * 7 % 3000000;
    EXPECT_EQ(wrong, 0);
  }
  std::string bad = whole;
  const size_t at = bad.find_last_of("0123456789", bad.size() * 9 / 10);
  bad[at] = '-';
  const auto line = 1 + std::count(bad.begin(), bad.begin() + static_cast<int64_t>(at), '\n');
  EXPECT_THAT(readBytes("a.smtx", bad),
              testing::StartsWith("a.smtx:" + std::to_string(line) + ": error: a column is "));
  EXPECT_THAT(readBytes("a.smtx", whole + " 5"), HasSubstr("there are more than 2100000 columns"));
}

/// Lists that go on over several blocks are read in parallel; what is wrong, or laid out otherwise,
/// is found where it stands.
TEST(BoeingTest, BlocksOfALargeFile) {
  TemporaryFolder folder;
  for (strata_type type : {STRATA_F64, STRATA_C128}) {
    Coordinates list = randomList({40000, 50000}, type, type == STRATA_F64 ? 380000 : 190000, 5);
    ASSERT_TRUE(list.sumDuplicates(std::array{1, 0}).ok());
    for (const char *name : {"a.rb", "a.rb.gz"}) {
      if (type == STRATA_C128 && std::string_view(name) != "a.rb")
        continue;
      const std::string path = folder.file(name);
      ASSERT_TRUE(writeTensorFile(path, list).ok());
      Result<TensorFileContent> back = readTensorFile(path, {.valueType = type});
      ASSERT_TRUE(back.ok()) << back.error().text();
      ASSERT_EQ(back->list.count(), list.count());
      int64_t wrong = 0;
      for (int64_t e = 0; e < list.count(); ++e)
        wrong += back->list.coordinate(0, e) != list.coordinate(0, e) ||
                 back->list.coordinate(1, e) != list.coordinate(1, e) ||
                 back->list.value(e) != list.value(e);
      EXPECT_EQ(wrong, 0) << name;
    }
    const std::string text = readText(folder.file("a.rb"));
    std::string bad = text;
    const size_t at = bad.rfind('.', bad.size() * 9 / 10);
    bad[at] = 'x';
    const auto line = 1 + std::count(bad.begin(), bad.begin() + static_cast<int64_t>(at), '\n');
    EXPECT_THAT(readBytes("a.rb", bad),
                testing::StartsWith("a.rb:" + std::to_string(line) + ": error: value "));
    // A line whose numbers lie in other columns, as some programs write them.
    bad = text;
    const size_t begin = bad.rfind('\n', bad.size() * 9 / 10) + 1, end = bad.find('\n', begin);
    const size_t blank = bad.find_last_of(" -", end - 1);
    ASSERT_GT(blank, begin);
    bad.insert(bad[blank] == ' ' ? blank : begin, 1, ' ');
    Result<InputFile> file = InputFile::fromText("a.rb", bad);
    Result<TensorFileContent> loose = formatOf(*file).read(*file, {});
    ASSERT_TRUE(loose.ok()) << loose.error().text();
    EXPECT_EQ(loose->list.count(), list.count());
  }
}

} // namespace
