// The process's allocator: what is released serves the next, with its pages.
#include "strata/runtime/Allocator.h"
#include "strata/runtime/abi.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <vector>

namespace {

constexpr size_t megabyte = size_t{1} << 20;
constexpr size_t page = 4096;

class AllocatorTest : public testing::Test {
protected:
  void SetUp() override { strata::runtime::releaseSpareMemory(); }

  char *resized(void *block, size_t before, size_t after) {
    return static_cast<char *>(allocator.reallocate(allocator.state, block, before, after));
  }
  char *make(size_t bytes) { return resized(nullptr, 0, bytes); }

  strata_allocator allocator = strata_default_allocator();
};

size_t residentBytes(void *block, size_t bytes) {
  std::vector<unsigned char> pages((bytes + page - 1) / page);
  EXPECT_EQ(mincore(block, bytes, pages.data()), 0);
  size_t resident = 0;
  for (unsigned char one : pages)
    resident += (one & 1) * page;
  return resident;
}

// What a kernel does that makes room for the most that there can be, and gives back the rest.
TEST_F(AllocatorTest, BlocksWhoseEndsWereCutServeTheirSuccessors) {
  const size_t sizes[] = {3 * megabyte, 6 * megabyte};
  for (bool again : {false, true}) {
    char *blocks[2];
    for (int k : {0, 1}) {
      blocks[k] = make(sizes[k]);
      ASSERT_NE(blocks[k], nullptr);
      if (again) {
        EXPECT_EQ(residentBytes(blocks[k], sizes[k] / 2), sizes[k] / 2) << "block " << k;
      }
    }
    for (int k : {0, 1}) {
      std::memset(blocks[k], 1, sizes[k] / 2);
      blocks[k] = resized(blocks[k], sizes[k], sizes[k] / 2);
    }
    for (int k : {0, 1})
      resized(blocks[k], sizes[k] / 2, 0);
  }
}

// What a kernel does that cannot know how much there will be, in every call.
TEST_F(AllocatorTest, BlocksThatGrewServeTheirSuccessors) {
  for (bool again : {false, true}) {
    char *block = make(megabyte);
    ASSERT_NE(block, nullptr);
    for (size_t size = megabyte; size < 8 * megabyte; size *= 2) {
      block = resized(block, size, 2 * size);
      ASSERT_NE(block, nullptr);
    }
    if (again) {
      EXPECT_EQ(residentBytes(block, 6 * megabyte), 6 * megabyte);
    }
    std::memset(block, 1, 6 * megabyte);
    block = resized(block, 8 * megabyte, 6 * megabyte);
    EXPECT_EQ(block[6 * megabyte - 1], 1);
    resized(block, 6 * megabyte, 0);
  }
  // Who does not grow gives the rest back with the block.
  char *small = make(megabyte);
  small = resized(small, megabyte, megabyte / 2);
  ASSERT_NE(small, nullptr);
  EXPECT_EQ(small[megabyte / 2 - 1], 1);
  resized(small, megabyte / 2, 0);
}

TEST_F(AllocatorTest, ContentsStayWhereSizesChange) {
  char *block = make(megabyte);
  for (size_t at = 0; at < megabyte; ++at)
    block[at] = char(at * 7);
  block = resized(block, megabyte, 5 * megabyte);
  block = resized(block, 5 * megabyte, megabyte / 2);
  block = resized(block, megabyte / 2, megabyte / 8); // no longer mapped
  ASSERT_NE(block, nullptr);
  for (size_t at = 0; at < megabyte / 8; ++at)
    ASSERT_EQ(block[at], char(at * 7)) << at;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
  resized(block, megabyte / 8, 0);
}

} // namespace
