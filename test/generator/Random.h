// Draws that are the same for a seed on every machine.
#ifndef STRATA_TEST_GENERATOR_RANDOM_H
#define STRATA_TEST_GENERATOR_RANDOM_H

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace strata::test {

class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}

  /// An integer in [0, count).
  int64_t below(int64_t count) {
    return static_cast<int64_t>(engine() % static_cast<uint64_t>(count));
  }
  /// An integer in [low, high].
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool chance(int64_t percent) { return below(100) < percent; }
  template <typename T> const T &pick(const std::vector<T> &list) {
    return list[static_cast<size_t>(below(static_cast<int64_t>(list.size())))];
  }
  template <typename T> T pick(std::initializer_list<T> list) {
    return list.begin()[below(static_cast<int64_t>(list.size()))];
  }
  /// An index of `weights`, each as likely as it weighs.
  size_t weighted(std::initializer_list<int> weights) {
    int64_t total = 0;
    for (int weight : weights)
      total += weight;
    int64_t at = below(total);
    size_t index = 0;
    for (int weight : weights) {
      if (at < weight)
        break;
      at -= weight;
      ++index;
    }
    return index;
  }
  template <typename T> void shuffle(std::vector<T> &list) {
    for (size_t at = list.size(); at > 1; --at)
      std::swap(list[at - 1], list[static_cast<size_t>(below(static_cast<int64_t>(at)))]);
  }

private:
  std::mt19937_64 engine;
};

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_RANDOM_H
