// The entry points that compiled kernels call.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/assembly.h"
#include "strata/runtime/storage/Storage.h"

#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

using namespace strata::runtime;

/// Resident bytes of this process.
int64_t residentBytes() {
  int64_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

class EntryTest : public testing::Test {
protected:
  EntryTest() { strata_context_initialize(&context); }
  strata_context context;
};

TEST_F(EntryTest, GrowsKeepsAndCounts) {
  auto *block = static_cast<int64_t *>(strata_grow(&context, nullptr, 0, 4, 8));
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
  EXPECT_EQ(context.bytes_now, 32);
  for (int64_t i = 0; i < 4; ++i)
    block[i] = i;
  int64_t count = 4;
  // Across the change from small blocks to mapped ones, and beyond.
  for (int64_t next : {100, 100000, 131071, 131072, 131073, 5000000}) {
    block = static_cast<int64_t *>(strata_grow(&context, block, count, next, 8));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
    for (int64_t i = 0; i < count; ++i)
      ASSERT_EQ(block[i], i);
    for (int64_t i = count; i < next; ++i)
      block[i] = i;
    count = next;
    EXPECT_EQ(context.bytes_now, count * 8);
  }
  EXPECT_EQ(context.bytes_peak, 40000000);
  strata_release(&context, block, count, 8);
  EXPECT_EQ(context.bytes_now, 0);
  EXPECT_EQ(context.bytes_peak, 40000000);
  EXPECT_EQ(context.status, STRATA_OK);
}

TEST_F(EntryTest, BlocksOfNoElementsAreNotNull) {
  void *block = strata_grow(&context, nullptr, 0, 0, 8);
  EXPECT_NE(block, nullptr);
  block = strata_grow(&context, block, 0, 3, 8);
  ASSERT_NE(block, nullptr);
  std::memset(block, 0, 24);
  block = strata_grow(&context, block, 3, 0, 8);
  EXPECT_NE(block, nullptr);
  strata_release(&context, block, 0, 8);
  EXPECT_EQ(context.bytes_now, 0);
}

TEST_F(EntryTest, RefusesWhatDoesNotExist) {
  EXPECT_EQ(strata_grow(&context, nullptr, 0, INT64_MAX / 4, 8), nullptr);
  EXPECT_EQ(context.status, STRATA_OVERFLOW);
  strata_context_initialize(&context);
  EXPECT_EQ(strata_grow(&context, nullptr, 0, -1, 8), nullptr);
  EXPECT_EQ(context.status, STRATA_OVERFLOW);
  strata_context_initialize(&context);
  EXPECT_EQ(strata_grow(&context, nullptr, 0, int64_t{1} << 58, 16), nullptr);
  EXPECT_EQ(context.status, STRATA_OUT_OF_MEMORY);
  EXPECT_STREQ(context.message, "out of memory");
  EXPECT_EQ(context.bytes_now, 0);
}

TEST_F(EntryTest, FailureToGrowLeavesTheBlock) {
  auto *block = static_cast<double *>(strata_grow(&context, nullptr, 0, 10, 8));
  ASSERT_NE(block, nullptr);
  block[9] = 7;
  EXPECT_EQ(strata_grow(&context, block, 10, int64_t{1} << 55, 8), nullptr);
  EXPECT_EQ(block[9], 7);
  strata_release(&context, block, 10, 8);
  EXPECT_EQ(context.bytes_now, 0);
}

TEST_F(EntryTest, TheFirstErrorStays) {
  strata_fail(&context, STRATA_INTERRUPTED);
  strata_fail(&context, STRATA_OUT_OF_MEMORY);
  strata_fail(&context, STRATA_OK);
  EXPECT_EQ(context.status, STRATA_INTERRUPTED);
  EXPECT_STREQ(context.message, "interrupted");
}

TEST_F(EntryTest, CountsOverThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([this] {
      for (int i = 0; i < 1000; ++i) {
        void *block = strata_grow(&context, nullptr, 0, 10, 8);
        strata_release(&context, block, 10, 8);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(context.bytes_now, 0);
  EXPECT_GE(context.bytes_peak, 80);
  EXPECT_LE(context.bytes_peak, 320);
}

TEST_F(EntryTest, PublishesTrimmedBlocks) {
  Storage storage({3, 4}, std::array{STRATA_I64, STRATA_I32, STRATA_F64});
  for (int64_t count : {int64_t{5}, int64_t{200000}, int64_t{0}, int64_t{1000000}}) {
    const int64_t capacity = count * 3 + 1;
    auto *block = static_cast<double *>(strata_grow(&context, nullptr, 0, capacity, 8));
    ASSERT_NE(block, nullptr);
    for (int64_t i = 0; i < count; ++i)
      block[i] = static_cast<double>(i);
    strata_publish(&context, storage.abi(), 2, block, count, capacity, 8);
    const strata_buffer &values = storage.values();
    EXPECT_EQ(values.count, count);
    EXPECT_EQ(values.capacity, count);
    EXPECT_EQ(values.owned, 1);
    for (int64_t i = 0; i < count; ++i)
      ASSERT_EQ(static_cast<double *>(values.data)[i], static_cast<double>(i));
    EXPECT_EQ(context.bytes_now, 0);
  }
  EXPECT_EQ(context.status, STRATA_OK);
}

TEST_F(EntryTest, RefusesToPublishNonsense) {
  Storage storage({3}, std::array{STRATA_F64});
  for (auto [index, count, bytes] : {std::array<int64_t, 3>{1, 2, 8}, {-1, 2, 8}, {0, 9, 8}}) {
    strata_context_initialize(&context);
    void *block = strata_grow(&context, nullptr, 0, 4, bytes);
    strata_publish(&context, storage.abi(), index, block, count, 4, bytes);
    EXPECT_EQ(context.status, STRATA_BAD_ARGUMENT);
    EXPECT_EQ(context.bytes_now, 0);
    EXPECT_EQ(storage.values().count, 0);
  }
  strata_context_initialize(&context);
  void *block = strata_grow(&context, nullptr, 0, 4, 4);
  strata_publish(&context, storage.abi(), 0, block, 4, 4, 4); // f64 has 8 bytes
  EXPECT_EQ(context.status, STRATA_BAD_ARGUMENT);
}

TEST_F(EntryTest, CapacityThatIsNotTouchedIsNotResident) {
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
  GTEST_SKIP() << "resident memory is not ours under AddressSanitizer";
#endif
  constexpr int64_t large = int64_t{1} << 30;
  const int64_t before = residentBytes();
  auto *block = static_cast<char *>(strata_grow(&context, nullptr, 0, large / 4, 1));
  ASSERT_NE(block, nullptr);
  std::memset(block, 1, large / 8);
  block = static_cast<char *>(strata_grow(&context, block, large / 4, large, 1));
  ASSERT_NE(block, nullptr);
  EXPECT_LT(residentBytes() - before, large / 8 + (int64_t{16} << 20));
  block = static_cast<char *>(strata_grow(&context, block, large, large / 64, 1));
  EXPECT_LT(residentBytes() - before, large / 8 + (int64_t{16} << 20)); // the rest may be kept
  EXPECT_EQ(block[large / 64 - 1], 1);
  strata_release(&context, block, large / 64, 1);
}

// Pieces that write what they are, and fail where they are told to.
struct PieceLog {
  std::vector<int> ran = std::vector<int>(8);
  int64_t failing = -1;
};

void logPiece(strata_context *context, int64_t piece, void *captured) {
  auto *log = static_cast<PieceLog *>(captured);
  (void)strata_kernel_allocate(context, 100 + piece, 8); // released, whatever happens
  log->ran[static_cast<size_t>(piece)] = 1;
  if (log->failing >= 0 && piece >= log->failing)
    strata_kernel_fail(context, piece == log->failing ? STRATA_OVERFLOW : STRATA_INTERRUPTED);
}

PieceLog *theLog = nullptr;

void runAll(strata_context *context, strata_storage *const *, const int64_t *pieces) {
  strata_kernel_parallel(context, *pieces, logPiece, theLog);
}

TEST_F(EntryTest, PiecesAllRunAndTheFirstThatFailsEndsTheKernel) {
  for (int64_t pieces : {0, 1, 2, 8})
    for (int64_t failing : {-1, 0, 1}) {
      if (failing >= pieces)
        continue;
      PieceLog log{.failing = failing};
      theLog = &log;
      int32_t status = strata_invoke(&context, nullptr, &pieces, runAll);
      EXPECT_EQ(status, failing < 0 ? STRATA_OK : STRATA_OVERFLOW);
      EXPECT_EQ(std::count(log.ran.begin(), log.ran.end(), 1), pieces);
      EXPECT_EQ(context.bytes_now, 0);
      EXPECT_GE(context.bytes_peak, pieces > 0 ? 800 : 0);
    }
}

// Of each piece, how often it ran, and the first one of those that its thread ran one by one.
struct RunLog {
  std::vector<int> ran;
  std::vector<int64_t> first;
} theRuns;

void goOn(strata_context *context, int64_t piece, void *) {
  for (int64_t now = piece; now >= 0; now = strata_kernel_go_on(context, now)) {
    ++theRuns.ran[static_cast<size_t>(now)];
    theRuns.first[static_cast<size_t>(now)] = piece;
    std::this_thread::sleep_for(std::chrono::microseconds(now % 7 * 20));
  }
}

TEST_F(EntryTest, ThreadsGoOnWithThePieceThatFollows) {
  for (int64_t pieces : {2, 3, 16, 101})
    for (int round = 0; round < 20; ++round) {
      const auto count = static_cast<size_t>(pieces);
      theRuns = {std::vector<int>(count), std::vector<int64_t>(count)};
      auto all = [](strata_context *own, strata_storage *const *, const int64_t *extents) {
        strata_kernel_parallel(own, *extents, goOn, nullptr);
      };
      EXPECT_EQ(strata_invoke(&context, nullptr, &pieces, all), STRATA_OK);
      EXPECT_EQ(theRuns.ran, std::vector<int>(count, 1));
      for (size_t piece = 0; piece < count; ++piece) {
        const auto own = static_cast<int64_t>(piece);
        EXPECT_TRUE(theRuns.first[piece] == own ||
                    theRuns.first[piece] == theRuns.first[piece - 1]);
      }
    }
}

TEST_F(EntryTest, LittleWorkIsNotCut) {
  EXPECT_EQ(strata_kernel_pieces(&context, 100, 10), 1);
  EXPECT_EQ(strata_kernel_pieces(&context, int64_t{1} << 20, int64_t{1} << 40), 1);
  EXPECT_GE(strata_kernel_pieces(&context, int64_t{1} << 20, 1), 1);
}

// Each piece leaves a block of as many pairs as its own number, and where one more parent's
// children begin; rows say so: a count, the block and its capacity, the edges and their capacity.
constexpr int64_t wordsOfPart = 5;

void leavePart(strata_context *context, int64_t piece, void *captured) {
  auto *row = static_cast<int64_t *>(captured) + piece * wordsOfPart;
  auto *block = static_cast<int64_t *>(strata_kernel_allocate(context, 2 * piece + 3, 8));
  for (int64_t at = 0; at < 2 * piece; ++at)
    block[at] = 100 * piece + at;
  auto *edges = static_cast<uint16_t *>(strata_kernel_allocate(context, 2, 2));
  edges[0] = 0;
  edges[1] = static_cast<uint16_t>(piece);
  row[0] = piece;
  std::memcpy(&row[1], &block, sizeof block);
  row[2] = 2 * piece + 3;
  std::memcpy(&row[3], &edges, sizeof edges);
  row[4] = 2;
}

struct Joined {
  std::vector<int64_t> values;
  std::vector<uint16_t> edges;
} theJoined;

void joinParts(strata_context *context, strata_storage *const *, const int64_t *) {
  constexpr int64_t pieces = 6;
  int64_t rows[pieces * (wordsOfPart + 1)];
  strata_kernel_parallel(context, pieces, leavePart, rows);
  const auto *values =
      static_cast<int64_t *>(strata_kernel_join(context, rows, pieces, wordsOfPart, 1, 0, 2, 8));
  theJoined.values.assign(values, values + 30);
  EXPECT_GE(rows[2], 30);
  // Each piece has one parent, which is what its number of edges less one says.
  int64_t described[pieces * (wordsOfPart + 1)];
  for (int64_t piece = 0; piece < pieces; ++piece) {
    std::memcpy(described + piece * (wordsOfPart + 1), rows + piece * wordsOfPart,
                wordsOfPart * sizeof(int64_t));
    described[piece * (wordsOfPart + 1) + wordsOfPart] = 1;
  }
  const auto *edges = static_cast<uint16_t *>(
      strata_kernel_join_edges(context, described, pieces, wordsOfPart + 1, 3, wordsOfPart, 0, 2));
  theJoined.edges.assign(edges, edges + pieces + 1);
}

TEST_F(EntryTest, PartsAreJoinedInOrder) {
  EXPECT_EQ(strata_invoke(&context, nullptr, nullptr, joinParts), STRATA_OK);
  std::vector<int64_t> expected;
  for (int64_t piece = 0; piece < 6; ++piece)
    for (int64_t at = 0; at < 2 * piece; ++at)
      expected.push_back(100 * piece + at);
  EXPECT_EQ(theJoined.values, expected);
  EXPECT_EQ(theJoined.edges, (std::vector<uint16_t>{0, 0, 1, 3, 6, 10, 15}));
  EXPECT_EQ(context.bytes_now, 0);
}

/// Different numbers below `extent`, in so many runs, each in order; 0: in no order.
std::vector<int64_t> drawRuns(std::mt19937 &random, int64_t count, int64_t extent, int64_t runs) {
  std::set<int64_t> seen;
  std::vector<int64_t> list;
  while (static_cast<int64_t>(list.size()) < count) {
    auto slot = static_cast<int64_t>(random() % static_cast<uint64_t>(extent));
    if (seen.insert(slot).second)
      list.push_back(slot);
  }
  for (int64_t run = 0; run < runs; ++run)
    std::sort(list.begin() + run * count / runs, list.begin() + (run + 1) * count / runs);
  return list;
}

TEST_F(EntryTest, WhatWasTouchedIsSorted) {
  std::mt19937 random(5);
  for (int64_t extent : {1, 63, 64, 65, 1000, 300000, 20000000})
    for (int64_t count : {0, 1, 2, 9, 40, 1000, 40000})
      for (int64_t runs : {0, 1, 2, 3, 7, 8}) {
        if (count > extent)
          continue;
        std::vector<int64_t> list = drawRuns(random, count, extent, runs), expected(list);
        std::vector<uint8_t> marks(static_cast<size_t>(extent));
        for (int64_t slot : list)
          marks[static_cast<size_t>(slot)] = 1;
        std::sort(expected.begin(), expected.end());
        strata_kernel_sort(list.data(), count, marks.data(), extent);
        EXPECT_EQ(list, expected) << count << " of " << extent << " in " << runs << " runs";
      }
}

TEST_F(EntryTest, SlotsAreSortedByTheirKeys) {
  std::mt19937 random(6);
  for (int64_t count : {0, 1, 2, 9, 40, 1000, 40000})
    for (int64_t runs : {0, 1, 2, 3, 7, 8}) {
      std::vector<int64_t> keys = drawRuns(random, count, int64_t(1) << 40, runs);
      std::vector<int64_t> list(static_cast<size_t>(count));
      std::iota(list.begin(), list.end(), 0);
      std::vector<int64_t> expected(list);
      auto before = [&](int64_t a, int64_t b) { return keys[size_t(a)] < keys[size_t(b)]; };
      std::sort(expected.begin(), expected.end(), before);
      strata_kernel_sort_slots(list.data(), count, keys.data());
      EXPECT_EQ(list, expected) << count << " in " << runs << " runs";
    }
}

TEST(StatusTest, ErrorsReadLikeACompilers) {
  EXPECT_EQ((Error{Error::Entry, "no", "yes", "a.mtx", 3}).text(),
            "a.mtx:3: error: no; expected yes");
  EXPECT_EQ((Error{Error::Entry, "no", "", "a.mtx", 0}).text(), "a.mtx: error: no");
  EXPECT_EQ((Error{Error::Entry, "no"}).text(), "error: no");
}

TEST(StatusTest, SentencesEndWithTheCode) {
  const Error error{Error::Entry, "no", "yes", "a.mtx", 3};
  EXPECT_EQ(error.sentence(), "a.mtx:3: no; expected yes [SE1304]");
  EXPECT_EQ(within("part 2", error).sentence(), "a.mtx:3: part 2: no; expected yes [SE1304]");
  EXPECT_EQ((Error{Error::Parameter, "no"}).sentence(), "no [SE0205]");
  EXPECT_EQ((Error{Error::NoCode, "no"}).sentence(), "no");
  EXPECT_EQ(Error::alreadyShown("no").sentence(), "no");
  EXPECT_TRUE(Error::alreadyShown().shown);
}

TEST(StatusTest, StatusesOfKernelsHaveCodes) {
  for (int32_t status = STRATA_OUT_OF_MEMORY; status <= STRATA_NOT_IN_PATTERN; ++status)
    EXPECT_NE(codeOf(strata_status(status)), Error::NoCode) << status;
  EXPECT_EQ(codeOf(STRATA_DIVISION_BY_ZERO), Error::Arithmetic);
  EXPECT_EQ(codeOf(STRATA_OK), Error::NoCode);
}

} // namespace
