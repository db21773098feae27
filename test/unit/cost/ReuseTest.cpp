// Shares of hits against those of caches that are simulated.
#include "Kernels.h"

#include "strata/cost/Reuse.h"

#include <gmock/gmock.h>
#include <list>
#include <random>
#include <unordered_map>

namespace {

using namespace strata::cost;

TensorStatistics listOf(std::vector<int64_t> coordinates, double extent) {
  TensorStatistics tensor{.name = "A"};
  tensor.levels = {{.positions = double(coordinates.size()), .extent = extent}};
  tensor.coordinate = [list = std::move(coordinates)](unsigned, int64_t at) {
    return std::optional(list[size_t(at)]);
  };
  return tensor;
}

// The share of visits that a cache of so many blocks has, if it drops the block that was not used
// for longest. The list is visited twice; the second time counts.
double simulated(const std::vector<int64_t> &coordinates, int64_t blockSize, size_t cacheBlocks) {
  std::list<int64_t> recent;
  std::unordered_map<int64_t, std::list<int64_t>::iterator> cached;
  double hits = 0;
  for (int round = 0; round < 2; ++round)
    for (int64_t coordinate : coordinates) {
      int64_t block = coordinate / blockSize;
      auto found = cached.find(block);
      hits += round == 1 && found != cached.end();
      if (found != cached.end())
        recent.erase(found->second);
      recent.push_front(block);
      cached[block] = recent.begin();
      if (recent.size() > cacheBlocks) {
        cached.erase(recent.back());
        recent.pop_back();
      }
    }
  return hits / double(coordinates.size());
}

TEST(Reuse, RandomVisitsHitAsOftenAsTheCacheHoldsTheirBlock) {
  ReuseProfile profile = ReuseProfile::random(1000, 1e9);
  EXPECT_NEAR(profile.hits(500 * 64, 64, 0), 0.5, 0.01);
  EXPECT_NEAR(profile.hits(100 * 64, 64, 0), 0.1, 0.01);
  EXPECT_EQ(profile.hits(1000 * 64, 64, 0), 1);
}

TEST(Reuse, AStreamTakesRoomInTheCache) {
  ReuseProfile profile = ReuseProfile::random(1000, 1e9);
  EXPECT_LT(profile.hits(500 * 64, 64, 64), profile.hits(500 * 64, 64, 0) - 0.1);
}

TEST(Reuse, SampledListsHitAsOftenAsSimulated) {
  std::mt19937_64 random(1);
  constexpr int64_t columns = 100000, count = 200000;
  std::vector<int64_t> band, even, skewed;
  for (int64_t at = 0; at < count; ++at) {
    band.push_back(std::clamp<int64_t>(at / 2 + int64_t(random() % 200) - 100, 0, columns - 1));
    even.push_back(int64_t(random() % columns));
    // A tenth of the columns gets nine tenths of the visits.
    skewed.push_back(random() % 10 ? int64_t(random() % (columns / 10))
                                   : int64_t(random() % columns));
  }
  for (const std::vector<int64_t> &list : {band, even, skewed})
    for (size_t blocks : {16, 256, 4096}) {
      ReuseProfile profile = ReuseProfile::sample(listOf(list, columns), 0, 8);
      EXPECT_NEAR(profile.hits(double(blocks) * 64, 64, 0), simulated(list, 8, blocks), 0.1)
          << blocks << " blocks of " << (&list == &band ? "a band" : "a list");
    }
}

TEST(Reuse, AnEmptyListHitsAlways) {
  EXPECT_EQ(ReuseProfile::sample(listOf({}, 10), 0, 8).hits(64, 64, 0), 1);
}

} // namespace
