// Damaged files of every format: whatever their bytes are, there is an answer, in memory in
// proportion to the bytes and not to a number among them.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "BoundedMemory.h"
#include "FileKinds.h"
#include "TemporaryFile.h"
#include "strata/runtime/io/Compression.h"
#include "strata/runtime/io/Npy.h"
#include "strata/runtime/io/NumberText.h"
#include "strata/runtime/io/Zip.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace strata::runtime;
using namespace strata::test;

namespace {

constexpr bool isText(unsigned char c) { return c >= ' ' && c < 127; }

/// The entries, or an error that names the file; never one about memory, of which there is enough
/// for what the file holds.
void expectAnswer(const std::string &name, const std::string &bytes, const std::string &where) {
  Result<InputFile> file = InputFile::fromText(name, bytes);
  if (!file) {
    EXPECT_NE(file.error().message, "") << where;
    return;
  }
  const bool packed = file->compression() != Compression::none;
  Result<TensorFileContent> content = formatOf(*file).read(*file, {});
  if (!content) {
    const std::string text = content.error().text();
    EXPECT_TRUE(text.starts_with(name + ":")) << where << ": " << text;
    EXPECT_NE(content.error().message, "") << where;
    EXPECT_EQ(text.find("cannot allocate"), std::string::npos) << where << ": " << text;
    return;
  }
  const Coordinates &list = content->list;
  EXPECT_LE(list.bytes(), static_cast<int64_t>((packed ? 300000 : 300) * bytes.size() + 4096))
      << where;
  for (int d = 0; d < list.order(); ++d)
    for (int64_t e = 0; e < list.count(); ++e) {
      ASSERT_GE(list.coordinate(d, e), 0) << where;
      ASSERT_LT(list.coordinate(d, e), list.sizes()[static_cast<size_t>(d)]) << where;
    }
}

/// Cut at every byte if it is short, else at some.
void cutAnywhere(const std::string &name, const std::string &bytes, size_t most = 4096) {
  const size_t step = bytes.size() <= most ? 1 : bytes.size() / most + 1;
  for (size_t size = 0; size < bytes.size(); size += step)
    expectAnswer(name, bytes.substr(0, size), "cut at " + std::to_string(size));
}

void changeByte(const std::string &name, const std::string &bytes, size_t at, char to) {
  std::string changed = bytes;
  changed[at] = to;
  expectAnswer(name, changed, "byte " + std::to_string(at) + " is " + std::to_string(int{to}));
}

TEST(BoundedMemoryTest, Bounds) {
  const BoundedMemory bounded;
  EXPECT_EQ(Buffer::allocate(STRATA_I8, int64_t{256} << 20).ok(), !BoundedMemory::effective);
}

//===------------------------------------------------------------------------------------------===//
// Text
//===------------------------------------------------------------------------------------------===//

class DamagedText : public testing::TestWithParam<FileKind> {
protected:
  const FileKind &kind = GetParam();
  const std::string name = kind.file, text = kind.text;
  const BoundedMemory bounded;
};

INSTANTIATE_TEST_SUITE_P(Files, DamagedText, testing::ValuesIn(fileKinds),
                         [](const auto &info) { return info.param.name; });

TEST_P(DamagedText, CutAnywhere) { cutAnywhere(name, text); }

TEST_P(DamagedText, ChangedAnywhere) {
  for (size_t at = 0; at < text.size(); ++at)
    for (char c : std::string("0 9-+.,eDx(/%&\n\r\xff\0", 19))
      changeByte(name, text, at, c);
}

/// Every number becomes huge, negative, fractional or empty.
TEST_P(DamagedText, EveryNumberReplaced) {
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && isDigit(text[end]))
      ++end;
    if (end == at) {
      ++at;
      continue;
    }
    for (const char *number :
         {"0", "1", "9", "2147483647", "2147483648", "4294967296", "1000000000000",
          "9223372036854775806", "9223372036854775807", "9223372036854775808",
          "99999999999999999999", "-1", "1.5", "1e9", "1e999", "nan", "inf", "", "x"})
      expectAnswer(name, text.substr(0, at) + number + text.substr(end),
                   "number at " + std::to_string(at) + " is " + number);
    at = end;
  }
}

TEST_P(DamagedText, LinesMissingTwiceAndSwapped) {
  std::vector<std::string> lines;
  std::istringstream parts(text);
  for (std::string line; std::getline(parts, line);)
    lines.push_back(line + "\n");
  auto joined = [](const std::vector<std::string> &parts) {
    std::string all;
    for (const std::string &part : parts)
      all += part;
    return all;
  };
  for (size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> changed = lines;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
    expectAnswer(name, joined(changed), "without line " + std::to_string(i + 1));
    changed = lines;
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
    expectAnswer(name, joined(changed), "line twice: " + std::to_string(i + 1));
    changed = lines;
    std::swap(changed[i], changed[lines.size() - 1 - i]);
    expectAnswer(name, joined(changed), "swapped: " + std::to_string(i + 1));
  }
}

TEST_P(DamagedText, CompressedCutAndChanged) {
  for (Compression packing : {Compression::gzip, Compression::zstd}) {
    std::string bytes = text;
    ASSERT_TRUE(compress(packing, bytes).ok());
    cutAnywhere(name, bytes);
    for (size_t at = 0; at < bytes.size(); ++at)
      for (int flip : {1, 0x80, 0xff})
        changeByte(name, bytes, at, static_cast<char>(bytes[at] ^ flip));
  }
}

//===------------------------------------------------------------------------------------------===//
// Binary
//===------------------------------------------------------------------------------------------===//

/// One array of an archive: integers, or as many numbers 1, 2, ….
struct Member {
  std::string name;
  std::vector<int64_t> sizes;
  std::vector<int64_t> integers = {};
  std::string text = {};
};

std::string contentOf(const Member &member) {
  if (!member.text.empty())
    return npyText(member.text);
  const bool real = member.integers.empty();
  std::string bytes = npyHeader(real ? FileType::float64 : FileType::int64, member.sizes);
  const auto count = static_cast<size_t>(productOf(member.sizes).value_or(0));
  for (size_t e = 0; e < (real ? std::min<size_t>(count, 64) : member.integers.size()); ++e) {
    char number[8];
    const auto value = static_cast<double>(e + 1);
    std::memcpy(number, real ? static_cast<const void *>(&value) : &member.integers[e], 8);
    bytes.append(number, 8);
  }
  return bytes;
}

std::string archiveOf(const std::vector<Member> &members) {
  TemporaryFolder folder;
  Result<ZipWriter> writer = ZipWriter::create(folder.file("a.npz"));
  EXPECT_TRUE(writer.ok());
  for (const Member &member : members) {
    const std::string content = contentOf(member);
    const std::string_view pieces[] = {content};
    EXPECT_TRUE(writer->add(member.name + ".npy", pieces).ok());
  }
  EXPECT_TRUE(writer->commit().ok());
  return readText(folder.file("a.npz"));
}

struct Archive {
  const char *name;
  std::vector<Member> members;
};

/// All kinds of matrices and tensors that archives hold.
const std::vector<Archive> &archives() {
  static const std::vector<Archive> all = {
      {"csr",
       {{"format", {}, {}, "csr"},
        {"shape", {2}, {3, 4}},
        {"indptr", {4}, {0, 2, 2, 4}},
        {"indices", {4}, {0, 3, 1, 2}},
        {"data", {4}}}},
      {"csc",
       {{"format", {}, {}, "csc"},
        {"shape", {2}, {4, 3}},
        {"indptr", {4}, {0, 2, 2, 4}},
        {"indices", {4}, {0, 3, 1, 2}},
        {"data", {4}}}},
      {"coo",
       {{"format", {}, {}, "coo"},
        {"shape", {2}, {3, 4}},
        {"row", {3}, {0, 2, 2}},
        {"col", {3}, {3, 0, 1}},
        {"data", {3}}}},
      {"bsr",
       {{"format", {}, {}, "bsr"},
        {"shape", {2}, {4, 6}},
        {"indptr", {3}, {0, 1, 2}},
        {"indices", {2}, {1, 0}},
        {"data", {2, 2, 3}}}},
      {"dia",
       {{"format", {}, {}, "dia"},
        {"shape", {2}, {3, 4}},
        {"offsets", {2}, {-1, 1}},
        {"data", {2, 4}}}},
      {"PyDataCoo",
       {{"shape", {3}, {3, 4, 5}}, {"coords", {3, 2}, {0, 2, 3, 1, 4, 0}}, {"data", {2}}}},
      {"PyDataGcxs",
       {{"shape", {3}, {2, 3, 4}},
        {"compressed_axes", {1}, {1}},
        {"indptr", {4}, {0, 1, 1, 2}},
        {"indices", {2}, {7, 2}},
        {"data", {2}}}},
      {"PyDataGcxsWithFormat",
       {{"format", {}, {}, "gcxs"},
        {"shape", {3}, {2, 3, 4}},
        {"compressed_axes", {1}, {0}},
        {"indptr", {3}, {0, 1, 2}},
        {"indices", {2}, {7, 2}},
        {"fill_value", {}, {3}},
        {"data", {2}}}},
      {"Binsparse",
       {{"binsparse",
         {},
         {},
         R"({"binsparse":{"version":"0.1.0","format":"CSR","shape":[3,4],)"
         R"("number_of_stored_values":3,"data_types":{"pointers_to_1":"int64",)"
         R"("indices_1":"int64","values":"float64"}}})"},
        {"pointers_to_1", {4}, {0, 2, 2, 3}},
        {"indices_1", {3}, {0, 3, 1}},
        {"values", {3}}}},
      {"Dense", {{"array", {3, 4}}}},
  };
  return all;
}

class DamagedArchive : public testing::TestWithParam<Archive> {
protected:
  const std::vector<Member> &members = GetParam().members;
  const std::string whole = archiveOf(members);
  const BoundedMemory bounded;
};

INSTANTIATE_TEST_SUITE_P(Files, DamagedArchive, testing::ValuesIn(archives()),
                         [](const auto &info) { return info.param.name; });

TEST_P(DamagedArchive, WholeCutAndChanged) {
  EXPECT_EQ(readBytes("a.npz", whole).find("error"), std::string::npos)
      << readBytes("a.npz", whole);
  cutAnywhere("a.npz", whole);
  for (size_t at = 0; at < whole.size(); ++at)
    for (char c : {'\0', '\x01', '\x7f', '\xff'})
      changeByte("a.npz", whole, at, c);
}

constexpr int64_t oddNumbers[] = {0,  1,        -1,        9,         INT32_MAX, int64_t{1} << 31,
                                  -2, 1L << 40, INT64_MAX, INT64_MIN, 1000000007};

/// The archive is in order, the numbers in its arrays are not.
TEST_P(DamagedArchive, EveryNumberReplaced) {
  for (size_t m = 0; m < members.size(); ++m) {
    for (size_t e = 0; e < members[m].integers.size(); ++e)
      for (int64_t number : oddNumbers) {
        std::vector<Member> changed = members;
        changed[m].integers[e] = number;
        expectAnswer("a.npz", archiveOf(changed),
                     members[m].name + "[" + std::to_string(e) + "] is " + std::to_string(number));
      }
    for (size_t d = 0; d < members[m].sizes.size(); ++d)
      for (int64_t number : oddNumbers) {
        std::vector<Member> changed = members;
        changed[m].sizes[d] = number;
        expectAnswer("a.npz", archiveOf(changed),
                     "size of " + members[m].name + " is " + std::to_string(number));
      }
    std::vector<Member> changed = members;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(m));
    expectAnswer("a.npz", archiveOf(changed), "without " + members[m].name);
  }
}

TEST(DamagedArray, CutChangedAndResized) {
  const BoundedMemory bounded;
  for (FileType type :
       {FileType::float64, FileType::complex64, FileType::boolean, FileType::int16}) {
    std::string whole = npyHeader(type, std::array<int64_t, 2>{3, 4}, type == FileType::int16);
    whole += std::string(static_cast<size_t>(12 * fileTypeBytes(type)), '\1');
    EXPECT_EQ(readBytes("a.npy", whole).find("error"), std::string::npos);
    cutAnywhere("a.npy", whole);
    for (size_t at = 0; at < whole.size(); ++at)
      for (char c : std::string("0 9-,()x'\n\0\xff", 12))
        changeByte("a.npy", whole, at, c);
    for (int64_t number : oddNumbers)
      expectAnswer("a.npy", npyHeader(type, std::array<int64_t, 2>{number, 4}) + whole.substr(128),
                   "size " + std::to_string(number));
  }
}

/// HDF5's library reads these in a process of its own, which takes some milliseconds.
TEST(DamagedBinsparse, CutAndChanged) {
  TemporaryFolder folder;
  for (int order : {1, 2, 3}) {
    Result<Coordinates> list =
        Coordinates::create(std::vector<int64_t>(static_cast<size_t>(order), 5), STRATA_F64, 3);
    ASSERT_TRUE(list.ok());
    for (int64_t e = 0; e < 3; ++e) {
      for (int d = 0; d < order; ++d)
        list->column(d).as<int32_t>()[e] = static_cast<int32_t>(e + 1);
      list->values().as<double>()[e] = static_cast<double>(e) + 0.5;
    }
    const std::string path = folder.file("a.bsp.h5");
    ASSERT_TRUE(writeTensorFile(path, *list).ok());
    const std::string whole = readText(path);
    EXPECT_EQ(readBytes("a.bsp.h5", whole), entriesOf(*list));
    const BoundedMemory bounded;
    cutAnywhere("a.bsp.h5", whole, 25);
    std::mt19937 random(static_cast<unsigned>(order));
    // Digits of the description, whatever they count, and bytes anywhere.
    std::vector<size_t> digits;
    for (size_t at = 1; at + 1 < whole.size(); ++at)
      if (isDigit(whole[at]) && isText(static_cast<unsigned char>(whole[at - 1])) &&
          isText(static_cast<unsigned char>(whole[at + 1])))
        digits.push_back(at);
    for (size_t at : digits)
      changeByte("a.bsp.h5", whole, at, "0-9x."[random() % 5]);
    for (int i = 0; i < 50; ++i)
      changeByte("a.bsp.h5", whole, random() % whole.size(), "\0\1\x7f\xff"[random() % 4]);
  }
}

//===------------------------------------------------------------------------------------------===//
// Published mistakes, and streams without an end
//===------------------------------------------------------------------------------------------===//

TEST(DamagedFiles, PublishedOnesCutAndChanged) {
  const char *data = std::getenv("STRATA_DATA");
  if (!data)
    GTEST_SKIP() << "skipped: no data (set STRATA_DATA)";
  const BoundedMemory bounded;
  std::mt19937 random(1);
  int64_t files = 0;
  for (auto &entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(data) / "malformed")) {
    if (!entry.is_regular_file() || entry.file_size() == 0)
      continue;
    ++files;
    const std::string name = entry.path().filename().string(),
                      bytes = readText(entry.path().string());
    SCOPED_TRACE(entry.path().string());
    expectAnswer(name, bytes, "as it is");
    for (int i = 0; i < 10; ++i)
      expectAnswer(name, bytes.substr(0, random() % bytes.size()), "cut");
    for (int i = 0; i < 20; ++i) {
      const size_t at = bytes.find_first_of("0123456789", random() % bytes.size());
      if (at != std::string::npos)
        changeByte(name, bytes, at, "09-.x "[random() % 6]);
    }
  }
  EXPECT_GE(files, 250);
}

/// Values that nest so deep that what copies or shows them would need more stack than there is.
TEST(DamagedFiles, NestedJson) {
  const std::string nested = std::string(1000000, '[') + std::string(1000000, ']');
  const std::string root = R"({"binsparse":{"version":)" + nested + "}}";
  EXPECT_NE(readBytes("a.npz", archiveOf({{"binsparse", {}, {}, root}, {"values", {3}}}))
                .find("the attribute 'binsparse' is not a JSON object"),
            std::string::npos);
  TemporaryFolder folder;
  for (const char *metadata :
       {R"({"zarr_format":3,"node_type":"group","attributes":{"x":)",
        R"({"zarr_format":3,"node_type":)", R"({"zarr_format":2,"x":{"y":)"}) {
    std::string text = metadata + nested;
    text.append(static_cast<size_t>(std::ranges::count(text, '{')), '}');
    writeText(folder.file("zarr.json"), text);
    Result<TensorFileContent> content = readTensorFile(folder.path().string());
    ASSERT_FALSE(content.ok());
    EXPECT_NE(content.error().text().find("this is not a JSON object"), std::string::npos)
        << content.error().text();
  }
  // What is nested as deep as people nest it is read.
  const std::string some = std::string(100, '[') + std::string(100, ']');
  writeText(folder.file("zarr.json"),
            R"({"zarr_format":3,"node_type":"group","attributes":{"x":)" + some + "}}");
  Result<TensorFileContent> content = readTensorFile(folder.path().string());
  ASSERT_FALSE(content.ok()); // there is no array
  EXPECT_EQ(content.error().text().find("JSON"), std::string::npos) << content.error().text();
  const std::string header = R"({"a":)" + nested + "}";
  std::string length(8, '\0');
  for (size_t byte = 0; byte < 8; ++byte)
    length[byte] = static_cast<char>(header.size() >> (8 * byte));
  EXPECT_NE(readBytes("a.safetensors", length + header).find("the header is no object of JSON"),
            std::string::npos);
}

/// Whatever format is asked for, zeros without end are refused soon.
TEST(DamagedFiles, StreamsWithoutAnEnd) {
  const BoundedMemory bounded;
  for (const FileFormat &format : fileFormats()) {
    if (!format.reader)
      continue;
    Result<InputFile> file = InputFile::open("/dev/zero");
    ASSERT_TRUE(file.ok());
    Result<TensorFileContent> content = format.read(*file, {});
    ASSERT_FALSE(content.ok()) << format.name;
    EXPECT_TRUE(content.error().text().starts_with("/dev/zero:")) << content.error().text();
    EXPECT_EQ(content.error().message.find("allocate"), std::string::npos)
        << content.error().text();
  }
}

} // namespace
