// Zip archives: members that are empty, in pieces, compressed, beyond 4 GB, and those that are
// refused.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Zip.h"
#include "TemporaryFile.h"
#include "strata/runtime/io/TensorFile.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace strata::runtime;
using namespace strata::test;

/// `name=content name=content`, or the error.
std::string contents(const std::string &bytes) {
  Result<std::vector<ZipMember>> members = readZipDirectory(bytes);
  if (!members)
    return members.error().text();
  std::string text;
  for (const ZipMember &member : *members) {
    Result<ZipContent> content = readZipMember(bytes, member);
    if (!content)
      return content.error().text();
    text += (text.empty() ? "" : " ") + member.name + "=" + std::string(content->bytes);
  }
  return text;
}

using Pieces = std::vector<std::string_view>;

void write(const std::string &path, const std::vector<std::pair<std::string, Pieces>> &members) {
  Result<ZipWriter> writer = ZipWriter::create(path);
  ASSERT_TRUE(writer.ok()) << writer.error().text();
  for (const auto &[name, pieces] : members) {
    const Status added = writer->add(name, pieces);
    ASSERT_TRUE(added.ok()) << added.error().text();
  }
  const Status written = writer->commit();
  ASSERT_TRUE(written.ok()) << written.error().text();
}

TEST(ZipTest, EmptyMembersAndPieces) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.zip");
  write(path, {{"none", {}}, {"empty", {"", ""}}, {"one", {"abc"}}, {"two", {"ab", "", "c"}}});
  EXPECT_EQ(contents(readText(path)), "none= empty= one=abc two=abc");
}

TEST(ZipTest, TheSameBytesEachTime) {
  TemporaryFolder folder;
  for (const char *name : {"a.zip", "b.zip"})
    write(folder.file(name), {{"one", {"abc"}}});
  EXPECT_EQ(readText(folder.file("a.zip")), readText(folder.file("b.zip")));
}

TEST(ZipTest, CompressedAsAWhole) {
  TemporaryFolder folder;
  write(folder.file("a.zip.gz"), {{"one", {"abc"}}});
  EXPECT_EQ(folder.fileCount(), 1);
  Result<InputFile> file = InputFile::open(folder.file("a.zip.gz"));
  ASSERT_TRUE(file.ok());
  Result<std::string_view> bytes = file->whole(looksLikeZip);
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(contents(std::string(*bytes)), "one=abc");
}

/// An archive that libarchive writes as `options` say.
void writeOtherwise(const std::string &path, const char *options, const std::string &name,
                    const std::string &content) {
  archive *output = archive_write_new();
  archive_write_set_format_zip(output);
  ASSERT_EQ(archive_write_set_options(output, options), ARCHIVE_OK);
  ASSERT_EQ(archive_write_open_filename(output, path.c_str()), ARCHIVE_OK);
  archive_entry *entry = archive_entry_new();
  archive_entry_set_pathname(entry, name.c_str());
  archive_entry_set_size(entry, int64_t(content.size()));
  archive_entry_set_filetype(entry, AE_IFREG);
  ASSERT_EQ(archive_write_header(output, entry), ARCHIVE_OK);
  ASSERT_EQ(archive_write_data(output, content.data(), content.size()), la_ssize_t(content.size()));
  ASSERT_EQ(archive_write_close(output), ARCHIVE_OK);
  archive_entry_free(entry);
  archive_write_free(output);
}

TEST(ZipTest, CompressedMembers) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.zip"), text(100000, 'x');
  writeOtherwise(path, "zip:compression=deflate", "x", text);
  const std::string bytes = readText(path);
  EXPECT_LT(bytes.size(), 1000U);
  EXPECT_EQ(contents(bytes), "x=" + text);
  Result<std::vector<ZipMember>> members = readZipDirectory(bytes);
  ASSERT_TRUE(members.ok());
  EXPECT_EQ(members->front().bytes, 100000);
  EXPECT_EQ(readZipHead(bytes, members->front(), 3), "xxx");
}

/// As NumPy writes them: sizes of 64 bits before the content, however short it is.
TEST(ZipTest, SizesOf64Bits) {
  TemporaryFolder folder;
  writeOtherwise(folder.file("a.zip"), "zip:compression=store,zip:zip64", "x", "abc");
  EXPECT_EQ(contents(readText(folder.file("a.zip"))), "x=abc");
}

/// What is not compressed is not copied either.
TEST(ZipTest, PlainMembersStayWhereTheyAre) {
  TemporaryFolder folder;
  write(folder.file("a.zip"), {{"one", {"abc"}}, {"two", {"defg"}}});
  const std::string bytes = readText(folder.file("a.zip"));
  Result<std::vector<ZipMember>> members = readZipDirectory(bytes);
  ASSERT_TRUE(members.ok());
  for (const ZipMember &member : *members) {
    Result<ZipContent> content = readZipMember(bytes, member);
    ASSERT_TRUE(content.ok()) << content.error().text();
    EXPECT_EQ(content->bytes.data() - bytes.data(),
              std::ptrdiff_t(bytes.find(member.number == 0 ? "abc" : "defg")));
  }
}

TEST(ZipTest, Damaged) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.zip");
  write(path, {{"one", {"abc"}}});
  const std::string whole = readText(path);
  // The facts of a member stand before its content and in the directory.
  const size_t directory = whole.find("PK\x01\x02");
  auto changed = [&](std::initializer_list<size_t> places, char to) {
    std::string bytes = whole;
    for (size_t at : places)
      bytes[at] = to;
    return contents(bytes);
  };
  EXPECT_EQ(contents(whole.substr(0, whole.size() - 5)),
            "error: the archive is damaged: it has no directory; was it cut off?");
  EXPECT_THAT(changed({whole.find("abc")}, 'x'),
              testing::StartsWith("error: the member 'one' cannot be read: ZIP bad CRC: 0x"));
  EXPECT_EQ(changed({6, directory + 8}, 1), "error: the member 'one' is encrypted");
  EXPECT_THAT(
      changed({8, directory + 10}, 1),
      testing::StartsWith("error: the member 'one' cannot be read: Unsupported ZIP compression"));
  EXPECT_EQ(changed({directory}, 'x'),
            "error: the archive is damaged: its directory lists no members");
  EXPECT_EQ(changed({0}, 'x'), "error: the archive is damaged: Damaged Zip archive");
}

/// An archive that says that a member has 2 GB costs no memory.
TEST(ZipTest, MoreThanThereIs) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.zip"), text(1000, 'x');
  for (const char *method : {"zip:compression=deflate", "zip:compression=store"}) {
    writeOtherwise(path, method, "x", text);
    std::string bytes = readText(path);
    const size_t directory = bytes.find("PK\x01\x02");
    for (size_t at : {size_t{18}, size_t{22}, directory + 20, directory + 24})
      bytes.replace(at, 4, "\xff\xff\xff\x7f");
    EXPECT_THAT(contents(bytes), testing::StartsWith("error: the member 'x' cannot be read: "));
  }
}

TEST(ZipTest, MembersOfMoreThan4GB) {
  const char *isLong = std::getenv("STRATA_LONG");
  if (!isLong || std::string(isLong) != "1")
    GTEST_SKIP() << "skipped: writes 4 GB (set STRATA_LONG=1)";
  TemporaryFolder folder;
  const std::string path = folder.file("a.zip"), part(size_t{1} << 26, 'x');
  write(path, {{"large", Pieces(65, part)}, {"behind", {"abc"}}});
  Result<InputFile> file = InputFile::open(path);
  ASSERT_TRUE(file.ok());
  Result<std::vector<ZipMember>> members = readZipDirectory(file->raw());
  ASSERT_TRUE(members.ok()) << members.error().text();
  ASSERT_EQ(members->size(), 2U);
  Result<ZipContent> large = readZipMember(file->raw(), members->front()),
                     behind = readZipMember(file->raw(), members->back());
  ASSERT_TRUE(large.ok()) << large.error().text();
  ASSERT_TRUE(behind.ok()) << behind.error().text();
  EXPECT_EQ(large->bytes.size(), 65 * part.size());
  EXPECT_EQ(behind->bytes, "abc");
}

/// What has no entries comes back with its sizes.
TEST(ZipTest, TensorsWithoutEntries) {
  TemporaryFolder folder;
  for (const std::vector<int64_t> &sizes :
       std::vector<std::vector<int64_t>>{{5}, {5, 4}, {0, 4}, {5, 4, 3}}) {
    for (strata_type type : {STRATA_F64, STRATA_F32, STRATA_C128, STRATA_I8, STRATA_BOOL}) {
      Result<Coordinates> list = Coordinates::create(sizes, type, 0);
      ASSERT_TRUE(list.ok());
      const std::string path = folder.file("a.npz");
      ASSERT_TRUE(writeTensorFile(path, *list).ok());
      Result<TensorFileContent> back = readTensorFile(path, {.valueType = type});
      ASSERT_TRUE(back.ok()) << back.error().text();
      EXPECT_EQ(back->list.sizes(), sizes);
      EXPECT_EQ(back->list.count(), 0);
    }
  }
}

} // namespace
