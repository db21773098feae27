// The process's allocator: what is released serves the next, with its pages.
#include "strata/runtime/Allocator.h"
#include "strata/runtime/abi.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <thread>
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
  const size_t sizes[] = {12 * megabyte, 24 * megabyte};
  for (int round : {0, 1, 2}) {
    char *blocks[2];
    for (int k : {0, 1}) {
      blocks[k] = make(sizes[k]);
      ASSERT_NE(blocks[k], nullptr);
      if (round == 2) {
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
    char *block = make(4 * megabyte);
    ASSERT_NE(block, nullptr);
    for (size_t size = 4 * megabyte; size < 32 * megabyte; size *= 2) {
      block = resized(block, size, 2 * size);
      ASSERT_NE(block, nullptr);
    }
    if (again) {
      EXPECT_EQ(residentBytes(block, 24 * megabyte), 24 * megabyte);
    }
    std::memset(block, 1, 24 * megabyte);
    block = resized(block, 32 * megabyte, 24 * megabyte);
    EXPECT_EQ(block[24 * megabyte - 1], 1);
    resized(block, 24 * megabyte, 0);
  }
}

// Smaller ones keep their sizes.
TEST_F(AllocatorTest, MappedBlocksServeTheirSuccessors) {
  for (bool again : {false, true}) {
    char *block = make(megabyte);
    ASSERT_NE(block, nullptr);
    if (again) {
      EXPECT_EQ(residentBytes(block, megabyte / 2), megabyte / 2);
    }
    std::memset(block, 1, megabyte / 2);
    block = resized(block, megabyte, megabyte / 2);
    resized(block, megabyte / 2, 0);
  }
}

TEST_F(AllocatorTest, WhatWasNeverWrittenIsNotKept) {
  char *block = make(64 * megabyte);
  ASSERT_NE(block, nullptr);
  std::memset(block, 1, 3 * megabyte);
  resized(block, 64 * megabyte, 0);
  block = make(64 * megabyte);
  EXPECT_GE(residentBytes(block, 64 * megabyte), 3 * megabyte);
  EXPECT_LE(residentBytes(block, 64 * megabyte), 4 * megabyte);
  resized(block, 64 * megabyte, 0);
}

// A block that grows among others, in pages of theirs.
TEST_F(AllocatorTest, PagesOfSeveralBlocksMakeOne) {
  std::vector<char *> parts;
  for (int k = 0; k < 8; ++k) {
    parts.push_back(make(4 * megabyte));
    ASSERT_NE(parts.back(), nullptr);
    std::memset(parts.back(), k, 4 * megabyte);
  }
  char *block = parts.back();
  parts.pop_back();
  for (char *part : parts)
    resized(part, 4 * megabyte, 0);
  block = resized(block, 4 * megabyte, 32 * megabyte);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(residentBytes(block, 32 * megabyte), 32 * megabyte);
  for (size_t at = 0; at < 4 * megabyte; ++at)
    ASSERT_EQ(block[at], 7) << at;
  resized(block, 32 * megabyte, 0);
}

TEST_F(AllocatorTest, ContentsStayWhereSizesChange) {
  const size_t sizes[] = {megabyte / 8,  megabyte,      5 * megabyte, 40 * megabyte,
                          41 * megabyte, 90 * megabyte, 9 * megabyte, 3 * megabyte / 2,
                          megabyte / 2,  megabyte / 8};
  size_t size = sizes[0], filled = 0;
  char *block = make(size);
  for (size_t next : sizes) {
    block = resized(block, size, next);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
    filled = std::min(filled, next);
    for (size_t at = 0; at < filled; ++at)
      ASSERT_EQ(block[at], char(at * 7 + at / 251)) << at << " of " << next;
    for (; filled < next; ++filled)
      block[filled] = char(filled * 7 + filled / 251);
    size = next;
  }
  resized(block, size, 0);
}

TEST_F(AllocatorTest, ThreadsDoNotShareBlocks) {
  auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    struct Block {
      char *data = nullptr;
      size_t size = 0;
    } blocks[4];
    for (int step = 0; step < 400; ++step) {
      Block &one = blocks[random() % 4];
      const size_t next = random() % 4 == 0 ? 0 : (size_t{1} << 15) << random() % 10;
      char *data = one.data || next ? resized(one.data, one.size, next) : nullptr;
      const size_t kept = std::min(one.size, next);
      for (size_t at = 0; at < kept; at += page)
        ASSERT_EQ(data[at], char(seed)) << "thread " << seed;
      if (next)
        std::memset(data, int(seed), next);
      one = {data, next};
    }
    for (Block &one : blocks)
      if (one.data)
        resized(one.data, one.size, 0);
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 3; ++seed)
    threads.emplace_back(work, seed);
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(AllocatorTest, BlocksOfTheHeapAreFreed) {
  const strata_reallocate_fn usual = strata_default_allocator().reallocate;
  void *block = nullptr;
  {
    const strata::runtime::AllocatorScope scope(strata::runtime::heapAllocator());
    const strata_allocator heap = strata_default_allocator();
    EXPECT_NE(heap.reallocate, usual);
    size_t before = 0;
    for (size_t after : {size_t{100}, megabyte, 5 * megabyte, 3 * megabyte, size_t{8}}) {
      block = heap.reallocate(heap.state, block, before, after);
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0U) << after;
      for (size_t at = 0; at < std::min(before, after); ++at)
        ASSERT_EQ(static_cast<char *>(block)[at], char(at)) << "of " << after;
      for (size_t at = 0; at < after; ++at)
        static_cast<char *>(block)[at] = char(at);
      before = after;
    }
    EXPECT_EQ(heap.reallocate(heap.state, nullptr, 0, size_t{1} << 60), nullptr);
    std::thread([&] { EXPECT_EQ(strata_default_allocator().reallocate, usual); }).join();
  }
  EXPECT_EQ(strata_default_allocator().reallocate, usual);
  std::free(block);
}

} // namespace
