// Files by gzip and zstd, and streams: read piece by piece, written under their endings, refused
// where they are damaged.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Compression.h"
#include "TemporaryFile.h"
#include "strata/runtime/io/FileFormats.h"
#include "strata/runtime/io/OutputFile.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>

using namespace strata::runtime;
using namespace strata::test;
using testing::HasSubstr;

namespace {

const char *small = "%%MatrixMarket matrix coordinate real general\n% c\n30 40 4\n1 1 1.25\n\n"
                    "2 3 -4e-1\r\n% c\n30 40 1234\n5 5 0.5\n";

std::string packed(Compression kind, std::string text) {
  EXPECT_TRUE(compress(kind, text).ok());
  return text;
}

/// The entries as text, or the error.
std::string read(const std::string &name, const std::string &bytes) {
  Result<InputFile> file = InputFile::fromText(name, bytes);
  if (!file)
    return file.error().text();
  Result<TensorFileContent> content = formatOf(*file).read(*file, {});
  if (!content)
    return content.error().text();
  std::string text;
  for (int64_t e = 0; e < content->list.count(); ++e) {
    for (int d = 0; d < content->list.order(); ++d)
      text += std::to_string(content->list.coordinate(d, e)) + " ";
    text += std::to_string(content->list.value(e).real()) + "\n";
  }
  return text;
}

class Compressed : public testing::TestWithParam<Compression> {};

INSTANTIATE_TEST_SUITE_P(Both, Compressed, testing::Values(Compression::gzip, Compression::zstd),
                         [](const auto &info) {
                           return info.param == Compression::gzip ? "Gzip" : "Zstd";
                         });

TEST_P(Compressed, IsKnownByContent) {
  EXPECT_EQ(read("t", packed(GetParam(), small)), read("t", small));
  EXPECT_EQ(read("t.tns", packed(GetParam(), "1 2 3 4\n")), "0 1 2 4.000000\n");
}

TEST_P(Compressed, HasManyMembers) {
  std::string bytes, part;
  for (const char *p = small; *p; ++p) {
    part += *p;
    if (part.size() == 7 || !p[1]) {
      bytes += packed(GetParam(), part);
      part.clear();
    }
  }
  EXPECT_EQ(read("t", bytes), read("t", small));
  if (GetParam() == Compression::gzip) {
    EXPECT_EQ(read("t", bytes + std::string(512, '\0')), read("t", small));
    EXPECT_EQ(read("t", bytes + std::string(5, '\0') + "x"),
              "t:1: error: other bytes follow the compressed data after byte " +
                  std::to_string(bytes.size() + 5) + "; expected its end");
    EXPECT_THAT(read("t", bytes + "rest"), HasSubstr("expected another gzip member, or the end"));
  } else {
    const std::string skippable("\x50\x2a\x4d\x18\x03\x00\x00\x00xyz", 11);
    EXPECT_EQ(read("t", bytes + skippable), read("t", small));
    EXPECT_THAT(read("t", bytes + "rest"), HasSubstr("expected another zstd frame, or the end"));
  }
}

TEST_P(Compressed, IsRefusedWhereverItIsCut) {
  const std::string bytes = packed(GetParam(), small);
  for (size_t size = 4; size < bytes.size(); ++size)
    EXPECT_THAT(read("t", bytes.substr(0, size)),
                HasSubstr(" error: the compressed data is cut off after byte"))
        << size;
}

TEST_P(Compressed, DamageIsFoundOrHarmless) {
  const std::string bytes = packed(GetParam(), small);
  const std::string right = read("t", small);
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int flip : {1, 0x10, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      const std::string result = read("t", changed);
      // gzip checks its data by a sum; zstd without one may hold other text.
      if (GetParam() == Compression::gzip) {
        EXPECT_TRUE(result == right || result.starts_with("t:")) << at << ": " << result;
      }
      EXPECT_FALSE(result.empty()) << at;
    }
}

TEST_P(Compressed, IsWrittenByItsEnding) {
  TemporaryFolder folder;
  Result<Coordinates> list = Coordinates::create({100000, 7}, STRATA_F64, 100000);
  ASSERT_TRUE(list.ok());
  for (int e = 0; e < 100000; ++e) {
    list->column(0).as<int32_t>()[e] = e;
    list->column(1).as<int32_t>()[e] = e % 7;
    list->values().as<double>()[e] = e / 8.0;
  }
  for (std::string ending : {".mtx", ".tns"}) {
    const std::string plain = folder.file("a" + ending);
    const std::string other = plain + (GetParam() == Compression::gzip ? ".gz" : ".zst");
    ASSERT_TRUE(writeTensorFile(plain, *list).ok());
    ASSERT_TRUE(writeTensorFile(other, *list).ok());
    EXPECT_LT(3 * std::filesystem::file_size(other), std::filesystem::file_size(plain));
    Result<InputFile> file = InputFile::open(other);
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(file->compression(), GetParam());
    Result<std::string_view> text = file->whole([](std::string_view) { return true; });
    ASSERT_TRUE(text.ok());
    EXPECT_EQ(*text, readText(plain));
    Result<TensorFileContent> back = readTensorFile(other);
    ASSERT_TRUE(back.ok()) << back.error().text();
    EXPECT_EQ(back->list.count(), 100000);
    EXPECT_EQ(back->list.value(99999).real(), 99999 / 8.0);
  }
  EXPECT_EQ(folder.fileCount(), 4);
}

/// The most memory in use since resetPeak(), in bytes.
int64_t peak() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:"))
      return std::stoll(line.substr(6)) * 1024;
  return 0;
}
void resetPeak() { std::ofstream("/proc/self/clear_refs") << 5; }

/// A file far larger than what is kept of it: the text must not lie in memory.
TEST_P(Compressed, IsReadPieceByPiece) {
  std::string bytes = packed(GetParam(), "%%MatrixMarket matrix coordinate real general\n");
  std::string comments;
  while (comments.size() < 4000000)
    comments += "% the quick brown fox jumps over the lazy dog\n";
  const std::string filler = packed(GetParam(), comments);
  for (int i = 0; i < 30; ++i)
    bytes += filler;
  bytes += packed(GetParam(), "2 2 2\n1 1 1\n");
  for (int i = 0; i < 30; ++i)
    bytes += filler;
  const std::string whole = bytes + packed(GetParam(), "2 2 5\n");
  resetPeak();
  const int64_t before = peak();
  EXPECT_EQ(read("t", whole), "0 0 1.000000\n1 1 5.000000\n");
  EXPECT_LT(peak() - before, 64 << 20);
  const int64_t lines = 60 * std::count(comments.begin(), comments.end(), '\n') + 3;
  EXPECT_EQ(read("t", bytes + packed(GetParam(), "2 3 5\n")),
            "t:" + std::to_string(lines + 1) +
                ": error: the column is 3; expected an integer from 1 to 2");
  EXPECT_EQ(read("t", bytes), "t:" + std::to_string(lines) +
                                  ": error: the file ends after 1 entry; expected 2 entries, as "
                                  "the sizes in line " +
                                  std::to_string(lines / 2 + 1) + " say");
}

/// One text that is far larger than what is compressed of it at once, as the elements of an array.
TEST_P(Compressed, IsWrittenPieceByPiece) {
  constexpr size_t size = (size_t{256} << 20) + 5;
  void *const zeros = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(zeros, MAP_FAILED);
  TemporaryFolder folder;
  const std::string path = folder.file(GetParam() == Compression::gzip ? "a.npy.gz" : "a.npy.zst");
  resetPeak();
  const int64_t before = peak();
  Result<OutputFile> file = OutputFile::create(path);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(file->write("begin ").ok());
  ASSERT_TRUE(file->write({static_cast<const char *>(zeros), size}).ok());
  ASSERT_TRUE(file->write("").ok() && file->write("end").ok() && file->commit().ok());
  EXPECT_LT(peak() - before, 64 << 20);
  munmap(zeros, size);
  Result<InputFile> input = InputFile::open(path);
  ASSERT_TRUE(input.ok());
  ByteReader reader(*input);
  std::string all, piece(1 << 20, ' ');
  int64_t count = 0, others = 0;
  for (;;) {
    Result<int64_t> got = reader.fill(piece.data(), static_cast<int64_t>(piece.size()));
    ASSERT_TRUE(got.ok()) << got.error().text();
    if (*got == 0)
      break;
    count += *got;
    for (int64_t at = 0; at < *got; ++at)
      if (const char c = piece[static_cast<size_t>(at)]; c != 0 && ++others <= 100)
        all += c;
  }
  EXPECT_EQ(count, static_cast<int64_t>(size) + 9);
  EXPECT_EQ(all, "begin end");
}

TEST_P(Compressed, ComesThroughPipes) {
  TemporaryFolder folder;
  const std::string path = folder.file("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string text = "%%MatrixMarket matrix coordinate real general\n1000000 1 1000000\n";
  for (int i = 1; i <= 1000000; ++i)
    text += std::to_string(i) + " 1 " + std::to_string(i) + "\n";
  const std::string bytes = packed(GetParam(), text);
  for (const std::string &content : {text, bytes}) {
    std::thread writer([&] { writeText(path, content); });
    Result<TensorFileContent> read = readTensorFile(path);
    writer.join();
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(read->list.count(), 1000000);
    EXPECT_EQ(read->list.value(999999).real(), 1000000);
  }
}

TEST(StreamTest, EndlessFilesAreRefusedAtOnce) {
  resetPeak();
  const int64_t before = peak();
  EXPECT_EQ(readTensorFile("/dev/zero").error().text(),
            "/dev/zero:1: error: a byte of zero in a line without an end; expected text");
  EXPECT_LT(peak() - before, 64 << 20);
}

TEST(StreamTest, LongLinesOfAStreamAreRefused) {
  const std::string line = "1 1 1 " + std::string(70 << 20, ' ') + "\n";
  EXPECT_THAT(read("t", packed(Compression::zstd, line)),
              HasSubstr("a line of more than 67108864 bytes; expected text"));
  EXPECT_EQ(read("t", line), "0 0 1.000000\n");
}

TEST(StreamTest, LineEndsOfEveryKind) {
  const std::string right = read("t", "1 1 5\n2 2 6\n");
  EXPECT_EQ(read("t", "1 1 5\r\n2 2 6\r\n"), right);
  EXPECT_EQ(read("t", "1 1 5\r2 2 6\r"), right);
  EXPECT_EQ(read("t", packed(Compression::zstd, "1 1 5\r2 2 6")), right);
}

/// Blocks end anywhere in a stream: lines that lie across them are whole.
TEST(StreamTest, BlocksOfALargeFile) {
  std::string text;
  int64_t sum = 0;
  for (int i = 1; text.size() < 20000000; ++i) {
    text += std::to_string(i) + " 7 " + std::to_string(i % 1000) + "\n" +
            (i % 5000 ? "" : "# comment\n\n");
    sum += i % 1000;
  }
  TemporaryFolder folder;
  writeText(folder.file("a.tns"), text);
  writeText(folder.file("a.tns.gz"), packed(Compression::gzip, text));
  for (const char *name : {"a.tns", "a.tns.gz"}) {
    Result<TensorFileContent> content = readTensorFile(folder.file(name));
    ASSERT_TRUE(content.ok()) << content.error().text();
    const Coordinates &list = content->list;
    int64_t found = 0, misplaced = 0;
    for (int64_t e = 0; e < list.count(); ++e) {
      misplaced += list.column(0).as<int32_t>()[e] != e;
      found += static_cast<int64_t>(list.values().as<double>()[e]);
    }
    EXPECT_EQ(misplaced, 0);
    EXPECT_EQ(found, sum);
    EXPECT_EQ(list.sizes(), (std::vector<int64_t>{list.count(), 7}));
  }
}

/// Indices beyond 32 bits, met late in a file.
TEST(StreamTest, WidensCoordinatesOnTheWay) {
  std::string text;
  while (text.size() < 18000000)
    text += "1 2 3.5\n";
  text += "5000000000 2 4\n";
  const std::string result = read("t", text);
  EXPECT_TRUE(result.ends_with("\n0 1 3.500000\n4999999999 1 4.000000\n"));
  EXPECT_TRUE(result.starts_with("0 1 3.500000\n"));
}

} // namespace
