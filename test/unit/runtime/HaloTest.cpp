// Room around blocks: it is there once somebody has asked for it, and lent to one at a time.
#include "strata/runtime/storage/Halo.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>

using strata::runtime::Halo;
using strata::runtime::HaloMaker;
using strata::runtime::Storage;

namespace {

constexpr int64_t elements = 1000, bytes = 8 * elements;

Storage vectorBy(HaloMaker *maker) {
  const strata_type type = STRATA_F64;
  Storage storage({elements}, {&type, 1}, maker->allocator());
  EXPECT_TRUE(storage.allocate(0, elements).ok());
  return storage;
}

TEST(HaloTest, WhatWasAskedForIsThereTheNextTime) {
  HaloMaker *maker = HaloMaker::make(bytes);
  EXPECT_EQ(maker->nextMaker(), maker);
  Storage first = vectorBy(maker);
  EXPECT_EQ(maker->lend(first.values().data, {8, 0}), nullptr);
  HaloMaker::of(first.allocator())->ask({8, 0});
  HaloMaker::of(first.allocator())->ask({0, 200});
  HaloMaker *next = maker->nextMaker();
  ASSERT_NE(next, maker);
  Storage second = vectorBy(next);
  auto *block = static_cast<char *>(second.values().data);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0U);
  ASSERT_NE(next->lend(block, {8, 200}), nullptr);
  EXPECT_EQ(next->lend(block, {8, 300}), nullptr);
  std::memset(block - 8, 1, bytes + 208);
  EXPECT_EQ(next->nextMaker(), next);
}

TEST(HaloTest, MemoryAroundBlocksIsCounted) {
  HaloMaker *maker = HaloMaker::make(bytes, {8, 200});
  const int64_t around = 64 + 64 + 256; // the mark, and both sides in steps of the alignment
  EXPECT_EQ(HaloMaker::bytesAround(maker->allocator(), bytes), around);
  EXPECT_EQ(HaloMaker::bytesAround(maker->allocator(), bytes / 2), 0);
  EXPECT_EQ(HaloMaker::bytesAround(HaloMaker::make(bytes)->allocator(), bytes), 0);
  EXPECT_EQ(HaloMaker::bytesAround(strata_default_allocator(), bytes), 0);
  Storage storage = vectorBy(maker);
  EXPECT_EQ(storage.bytes(), bytes);
  EXPECT_EQ(strata::runtime::haloBytes(storage), around);
  storage.clear();
  EXPECT_EQ(strata::runtime::haloBytes(storage), 0);
}

TEST(HaloTest, OneReaderAtATimeHasIt) {
  HaloMaker *maker = HaloMaker::make(bytes, {64, 64});
  Storage storage = vectorBy(maker), other = vectorBy(maker);
  std::shared_ptr<void> loan = maker->lend(storage.values().data, {8, 8});
  ASSERT_NE(loan, nullptr);
  EXPECT_EQ(maker->lend(storage.values().data, {8, 8}), nullptr);
  EXPECT_NE(maker->lend(other.values().data, {8, 8}), nullptr);
  std::thread([&] { loan.reset(); }).join();
  EXPECT_NE(maker->lend(storage.values().data, {8, 8}), nullptr);
}

TEST(HaloTest, BlocksKeepTheirContentsThroughAllSizes) {
  HaloMaker *maker = HaloMaker::make(bytes, {4096, 128});
  const strata_allocator allocator = maker->allocator();
  size_t size = 24;
  auto *block = static_cast<char *>(allocator.reallocate(allocator.state, nullptr, 0, size));
  std::memset(block, 7, size);
  for (size_t next : {size_t(bytes), size_t(bytes), size_t(3 * bytes), size_t(bytes), size_t(64)}) {
    block = static_cast<char *>(allocator.reallocate(allocator.state, block, size, next));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0U);
    for (size_t at = 0; at < 24; ++at)
      ASSERT_EQ(block[at], 7);
    size = next;
  }
  EXPECT_EQ(allocator.reallocate(allocator.state, block, size, 0), nullptr);
}

// A copy has a halo of its own; what moves elsewhere is released by its maker.
TEST(HaloTest, CopiesAndBuffersThatMoveKeepTheirMaker) {
  HaloMaker *maker = HaloMaker::make(bytes, {64, 0});
  Storage storage = vectorBy(maker);
  const std::shared_ptr<void> loan = maker->lend(storage.values().data, {64, 0});
  strata::runtime::Result<Storage> copy = storage.copy();
  ASSERT_TRUE(copy);
  EXPECT_EQ(HaloMaker::of(copy->allocator()), maker);
  EXPECT_NE(maker->lend(copy->values().data, {64, 0}), nullptr);
  strata::runtime::Result<strata::runtime::Buffer> taken = copy->take(0);
  ASSERT_TRUE(taken);
  EXPECT_EQ(HaloMaker::of(taken->allocator()), maker);
  EXPECT_EQ(HaloMaker::of(strata_default_allocator()), nullptr);
}

} // namespace
