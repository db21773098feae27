// Zip archives: members that are empty, in pieces, deflated, beyond 4 GB, and those that are
// refused.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Zip.h"
#include "TemporaryFile.h"
#include "strata/runtime/io/TensorFile.h"

#include <gtest/gtest.h>
#include <minizip/zip.h>

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
    Result<ZipContent> content = readZipMember(member);
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

TEST(ZipTest, DeflatedMembers) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.zip"), text(100000, 'x');
  zipFile archive = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  ASSERT_EQ(zipOpenNewFileInZip64(archive, "x", nullptr, nullptr, 0, nullptr, 0, nullptr, 8, 6, 0),
            ZIP_OK);
  ASSERT_EQ(zipWriteInFileInZip(archive, text.data(), unsigned(text.size())), ZIP_OK);
  ASSERT_EQ(zipCloseFileInZip(archive), ZIP_OK);
  ASSERT_EQ(zipClose(archive, nullptr), ZIP_OK);
  std::string bytes = readText(path);
  EXPECT_LT(bytes.size(), 1000U);
  EXPECT_EQ(contents(bytes), "x=" + text);
  Result<std::vector<ZipMember>> members = readZipDirectory(bytes);
  ASSERT_TRUE(members.ok());
  EXPECT_EQ(readZipHead(members->front(), 3), "xxx");
}

TEST(ZipTest, Damaged) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.zip");
  write(path, {{"one", {"abc"}}});
  const std::string whole = readText(path);
  auto changed = [&](size_t at, char to) {
    std::string bytes = whole;
    bytes[at] = to;
    return contents(bytes);
  };
  const size_t directory = whole.find("PK\x01\x02");
  EXPECT_EQ(contents(whole.substr(0, whole.size() - 5)),
            "error: the archive is damaged: it has no directory; was it cut off?");
  EXPECT_EQ(changed(whole.find("abc"), 'x'),
            "error: the archive is damaged: a member's checksum is wrong");
  EXPECT_EQ(changed(directory + 8, 1), "error: the member 'one' is encrypted");
  EXPECT_EQ(changed(directory + 10, 12),
            "error: the member 'one' is compressed by method 12; expected none or deflation");
  EXPECT_EQ(changed(directory, 'x'), "error: the archive is damaged: its directory ends too early");
  EXPECT_EQ(changed(0, 'x'),
            "error: the archive is damaged: a member is not where the directory says");
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
  Result<ZipContent> large = readZipMember(members->front()),
                     behind = readZipMember(members->back());
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
