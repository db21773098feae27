// Compiled kernels on disk: found again by others, and never trusted without looking.
#include "generator/Workbench.h"

#include "strata/compile/KernelCache.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace {

using namespace strata;
using namespace strata::test;
namespace fs = llvm::sys::fs;

class KernelCacheTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> made;
    ASSERT_FALSE(fs::createUniqueDirectory("strata-cache", made));
    folder = std::string(made);
  }
  void TearDown() override { fs::remove_directories(folder); }

  KernelCache open(int64_t limit = KernelCache::defaultLimit) {
    auto opened = KernelCache::open(folder, limit);
    EXPECT_TRUE(opened.ok()) << opened.error().text();
    return std::move(*opened);
  }

  std::string folder;
};

std::string bytesOf(const std::unique_ptr<llvm::MemoryBuffer> &buffer) {
  return buffer ? buffer->getBuffer().str() : "nothing";
}

TEST_F(KernelCacheTest, GivesBackWhatItWasGiven) {
  std::string object("\x7f"
                     "ELF\0with\nlines and zeros",
                     24);
  open().keep("a", "y(i) = x(i)", object);
  EXPECT_EQ(bytesOf(open().find("a")), object);
  EXPECT_EQ(bytesOf(open().find("b")), "nothing");
  std::vector<KernelCache::Entry> entries = open().entries();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].title, "y(i) = x(i)");
  EXPECT_TRUE(entries[0].whole);
}

TEST_F(KernelCacheTest, RemovesWhatIsNotWhole) {
  KernelCache cache = open();
  cache.keep("a", "title", "the object file");
  std::string file = cache.entries()[0].path;
  int64_t bytes = cache.entries()[0].bytes;
  for (int64_t at = 0; at < bytes; ++at) {
    cache.keep("a", "title", "the object file");
    std::fstream(file, std::ios::in | std::ios::out).seekp(at).put('\1');
    EXPECT_FALSE(cache.entries()[0].whole) << "byte " << at;
    EXPECT_EQ(bytesOf(cache.find("a")), "nothing") << "byte " << at;
    EXPECT_FALSE(fs::exists(file)) << "byte " << at;
    cache.keep("a", "title", "the object file");
    ASSERT_EQ(truncate(file.c_str(), at), 0);
    EXPECT_EQ(bytesOf(cache.find("a")), "nothing") << "cut to " << at << " bytes";
  }
}

TEST_F(KernelCacheTest, MakesRoom) {
  std::string object(1000, 'x');
  for (int number = 0; number < 50; ++number)
    open(10000).keep(std::to_string(number), "title", object);
  EXPECT_LE(open().entries().size(), 10u);
  EXPECT_GE(open().entries().size(), 5u);
}

TEST_F(KernelCacheTest, NeverHoldsMoreThanItMay) {
  for (int64_t limit : {int64_t(0), int64_t(500), int64_t(8) << 10, int64_t(100) << 10}) {
    KernelCache cache = open(limit);
    int64_t most = 0;
    for (int number = 0; number < 60; ++number) {
      std::string object(size_t(300 + 100 * (number % 50)), 'x');
      cache.keep(std::to_string(number), "title", object);
      int64_t bytes = 0;
      for (const KernelCache::Entry &entry : cache.entries())
        bytes += entry.bytes;
      ASSERT_LE(bytes, limit);
      most = std::max(most, bytes);
    }
    EXPECT_GE(most, limit > 8000 ? limit / 2 : 0); // it is also used
  }
}

TEST_F(KernelCacheTest, RefusesAFolderThatOthersWriteTo) {
  ASSERT_FALSE(fs::setPermissions(folder, fs::perms(0777)));
  auto opened = KernelCache::open(folder);
  ASSERT_FALSE(opened.ok());
  EXPECT_THAT(opened.error().message, testing::HasSubstr("others can write"));
}

TEST_F(KernelCacheTest, DigestsTellTextsAndTargetsApart) {
  EXPECT_EQ(KernelCache::digest("a", "b"), KernelCache::digest("a", "b"));
  EXPECT_NE(KernelCache::digest("a", "b"), KernelCache::digest("b", "a"));
  EXPECT_NE(KernelCache::digest("ab", ""), KernelCache::digest("a", "b"));
}

TEST_F(KernelCacheTest, HasOneClaimToADigest) {
  KernelCache cache = open();
  std::atomic<bool> released = false, sawRelease = false;
  std::optional<KernelCache::Claim> claim(cache.claim("one"));
  KernelCache::Claim other = cache.claim("another"); // which does not wait
  std::thread waiter([&] {
    KernelCache::Claim second = cache.claim("one");
    sawRelease = released.load();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  released = true;
  claim.reset();
  waiter.join();
  EXPECT_TRUE(sawRelease);
  EXPECT_TRUE(cache.entries().empty());
}

// One compiler after the other, as in two processes.
TEST_F(KernelCacheTest, ServesOtherCompilers) {
  Workbench &bench = Workbench::instance();
  TensorData data{{3, 4}, STRATA_F64, {{{0, 3}, 1}, {{2, 1}, 2}}};
  mlir::RankedTensorType type =
      bench.type({"", "#ta.format<(i, j) -> (i : compressed, j : compressed)>"}, 2, STRATA_F64);
  for (bool kept : {false, true}) {
    KernelCompiler compiler(bench.compiler.getContext());
    compiler.use(open());
    PackTimes times;
    auto packed = pack(compiler, toCoordinates(data), type, &times);
    ASSERT_TRUE(packed.ok()) << packed.error().text();
    EXPECT_EQ(times.parts.kernels, 1);
    EXPECT_EQ(times.parts.kept, kept);
    auto unpacked = unpack(compiler, *packed);
    ASSERT_TRUE(unpacked.ok()) << unpacked.error().text();
    EXPECT_EQ(text(contentOf(*unpacked)), text(expectedContent(data, type)));
  }
}

// Kernels that were not used for long are dropped, and compiled again where they are needed.
TEST(KernelCompilerTest, KeepsNoMoreThanItMay) {
  Workbench &bench = Workbench::instance();
  KernelCompiler compiler(bench.compiler.getContext());
  compiler.keepAtMost(4);
  for (bool again : {false, true})
    for (unsigned order = 1; order <= 6; ++order) {
      std::string dims, levels;
      for (unsigned dim = 0; dim < order; ++dim) {
        std::string name = "d" + std::to_string(dim), end = dim + 1 < order ? ", " : "";
        dims += name + end;
        levels += name + " : compressed" + end;
      }
      std::string format = "#ta.format<(" + dims + ") -> (" + levels + ")>";
      mlir::RankedTensorType type = bench.type({"", format}, order, STRATA_F64);
      TensorData data{std::vector<int64_t>(order, 2), STRATA_F64, {}};
      data.entries.push_back({Coordinate(order, 1), 3});
      auto packed = pack(compiler, toCoordinates(data), type);
      ASSERT_TRUE(packed.ok()) << packed.error().text();
      auto unpacked = unpack(compiler, *packed);
      ASSERT_TRUE(unpacked.ok()) << unpacked.error().text();
      EXPECT_EQ(text(contentOf(*unpacked)), text(expectedContent(data, type)))
          << "order " << order << (again ? ", again" : "");
      EXPECT_LE(compiler.keptCount(), 4);
    }
  EXPECT_GT(compiler.compiledCount(), 12);
}

} // namespace
