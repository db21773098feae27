// What the runtime takes for granted, broken: each time a status that says where, and the process
// goes on.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/InternalError.h"
#include "TemporaryFile.h"
#include "strata/runtime/io/Binsparse.h"
#include "strata/runtime/io/Compression.h"
#include "strata/runtime/io/EntryReader.h"
#include "strata/runtime/io/FileArray.h"
#include "strata/runtime/io/Hdf5.h"
#include "strata/runtime/io/MatrixMarket.h"
#include "strata/runtime/io/Npz.h"
#include "strata/runtime/io/TensorFile.h"
#include "strata/runtime/storage/Coordinates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace strata::runtime;
using namespace strata::test;
using testing::MatchesRegex;

auto internalErrorIn(const std::string &file, const std::string &what) {
  return MatchesRegex("error: internal error, at " + file + ":[0-9]+: " + what);
}

Coordinates smallList() {
  Result<Coordinates> list = Coordinates::create({2, 3}, STRATA_F64, 1);
  list->column(0).as<int32_t>()[0] = 1;
  list->column(1).as<int32_t>()[0] = 2;
  list->values().as<double>()[0] = 5;
  return std::move(*list);
}

TEST(InternalErrorTest, StatusesAndResults) {
  const Status fine;
  EXPECT_THAT(fine.error().text(),
              internalErrorIn("strata/runtime/Status.cpp", "the error of a status that is ok"));
  const Result<int> neither = Status();
  ASSERT_FALSE(neither.ok());
  EXPECT_THAT(neither.error().text(), MatchesRegex("error: internal error, at .*InternalErrorTest"
                                                   ".cpp:[0-9]+: success without a value"));
  Result<int> moved = Error{Error::Order, "first"};
  (void)moved.takeStatus();
  EXPECT_FALSE(moved.ok());
}

TEST(InternalErrorTest, Dimensions) {
  Coordinates list = smallList();
  const char *file = "strata/runtime/storage/Coordinates.cpp";
  for (const std::vector<int> &source : {std::vector{0}, {0, 0}, {1, 2}, {0, 1, 2}})
    EXPECT_THAT(list.permute(source).error().text(),
                internalErrorIn(file, "dimensions are permuted by what is no permutation of them"));
  for (int dimension : {-1, 0, 2})
    EXPECT_THAT(list.dropDimension(dimension).error().text(),
                internalErrorIn(file, "a dimension is dropped that is none of size 1"));
  EXPECT_EQ(list.sizes(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(list.value(0), 5.0);
  // An order that names too few dimensions, or some that are none, is completed.
  EXPECT_TRUE(list.sort(std::array{1}).ok());
  EXPECT_TRUE(list.isSorted(std::array{7, 1, 1, -3}));
}

TEST(InternalErrorTest, Buffers) {
  Coordinates list = smallList();
  EXPECT_EQ(list.values().as<float>(), nullptr);
  int64_t foreign[] = {1};
  EXPECT_THAT(
      Buffer::take({foreign, 1, 1, STRATA_I64, 0}, strata_default_allocator()).error().text(),
      internalErrorIn("strata/runtime/storage/Buffer.cpp",
                      "a buffer of somebody else is taken over"));
  strata_allocator other = strata_default_allocator();
  other.state = foreign;
  Storage storage({1}, std::array{STRATA_F64});
  EXPECT_THAT(storage.put(0, std::move(*Buffer::allocate(STRATA_F64, 0, other))).error().text(),
              internalErrorIn("strata/runtime/storage/Storage.cpp",
                              "a buffer of another allocator is put into a storage"));
}

TEST(InternalErrorTest, Texts) {
  EXPECT_THAT(Decompressor::create(Compression::none).error().text(),
              internalErrorIn("strata/runtime/io/Compression.cpp",
                              "what is not compressed is decompressed"));
  TemporaryFolder folder;
  writeText(folder.file("a.txt"), "1 2\n");
  Result<InputFile> file = InputFile::open(folder.file("a.txt"));
  ASSERT_TRUE(file.ok());
  TextReader reader(*file);
  EXPECT_THAT(
      readEntries(reader, {.order = 2, .sizes = {1}, .value = {}, .comment = '#'}, {})
          .error()
          .text(),
      internalErrorIn("strata/runtime/io/EntryReader.cpp", "entries of order 2 with 1 sizes"));
  const double value = 1;
  EXPECT_THAT(writeMatrixMarketArray(folder.file("a.mtx"), {{1, 1}, {1}, STRATA_F64, &value}, {})
                  .error()
                  .text(),
              internalErrorIn("strata/runtime/io/MatrixMarketWriter.cpp",
                              "an array of order 2 with 1 strides"));
}

TEST(InternalErrorTest, ElementsThatNoFileHas) {
  EXPECT_EQ(fileTypeOf(STRATA_BF16).error().text(),
            "error: values of type bfloat16, which no such file has; expected another type, such "
            "as float");
  Result<Coordinates> list = Coordinates::create({2, 3}, STRATA_BF16, 1);
  ASSERT_TRUE(list.ok());
  TemporaryFolder folder;
  EXPECT_FALSE(writeNpz(folder.file("a.npz"), *list).ok());
  EXPECT_FALSE(writeBinsparse(folder.file("a.h5"), *list, 0, writeHdf5Group).ok());
  EXPECT_FALSE(writeBinsparse(folder.file("a.npz"), *list, 0, writeNpzGroup).ok());
  EXPECT_EQ(folder.fileCount(), 0);
  const FileArray text{.type = FileType::text, .elementBytes = 1, .sizes = {1}, .count = 1};
  const Result<int> none =
      withIntegerType(text.type, []<typename T>(T *) { return Result<int>(1); });
  EXPECT_THAT(none.error().text(), internalErrorIn("strata/runtime/io/FileArray.h",
                                                   "elements are read as integers that are none"));
}

} // namespace
