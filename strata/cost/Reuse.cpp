// A few stretches of a level are looked at; visits that lie farther apart count as random.
#include "strata/cost/Reuse.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

namespace strata::cost {

// The smallest stretch of 2^log visits that holds so many.
static unsigned logOf(int64_t visits) {
  return static_cast<unsigned>(std::bit_width(static_cast<uint64_t>(visits - 1)));
}

ReuseProfile ReuseProfile::sample(const TensorStatistics &tensor, unsigned level,
                                  double blockSize) {
  const LevelStatistics &statistics = tensor.levels[level];
  const double size = std::max(blockSize, 1.0);
  ReuseProfile profile(std::max(std::ceil(statistics.extent / size), 1.0), statistics.positions);
  const auto positions = static_cast<int64_t>(statistics.positions);
  if (!tensor.coordinate || positions == 0)
    return profile;
  const int64_t length = std::min(positions, int64_t(1) << logLongest);
  const int64_t stretches = length < positions ? 4 : 1;
  const unsigned logs = logOf(length) + 1;
  profile.again.assign(logs, 0);
  profile.distinct.assign(logs, 0);
  double found = 0;
  for (int64_t stretch = 0; stretch < stretches; ++stretch) {
    const int64_t begin = (positions - length) * stretch / stretches;
    std::unordered_map<int64_t, int64_t> lastVisit;
    for (int64_t at = 0; at < length; ++at) {
      if (const std::optional<int64_t> coordinate = tensor.coordinate(level, begin + at)) {
        const auto block = static_cast<int64_t>(static_cast<double>(*coordinate) / size);
        const auto [last, isFirst] = lastVisit.try_emplace(block, at);
        if (!isFirst)
          ++profile.again[logOf(at - last->second)];
        last->second = at;
        ++found;
      }
      if (std::has_single_bit(static_cast<uint64_t>(at + 1)) || at + 1 == length)
        profile.distinct[logOf(at + 1)] +=
            static_cast<double>(lastVisit.size()) / static_cast<double>(stretches);
    }
  }
  double sum = 0;
  for (double &share : profile.again)
    share = sum += found > 0 ? share / found : 0;
  return profile;
}

// Gives what is known of a stretch of so many visits, between those that were sampled; nothing of
// one that is longer.
static std::optional<double> sampledAt(const std::vector<double> &byLog, double visits) {
  const double log = std::log2(std::max(visits, 1.0)), below = std::floor(log);
  if (below + 1 >= static_cast<double>(byLog.size()))
    return std::nullopt;
  const auto at = static_cast<size_t>(below);
  return std::lerp(byLog[at], byLog[at + 1], log - below);
}

// How many of the visits come again within so many.
double ReuseProfile::shareWithin(double within) const {
  if (const std::optional<double> known = sampledAt(again, within))
    return *known;
  const double atRandom = -std::expm1(-within / blocks);
  return again.empty() ? atRandom : again.back() + (1 - again.back()) * atRandom;
}

double ReuseProfile::footprint(double stretch) const {
  if (const std::optional<double> known = sampledAt(distinct, stretch))
    return *known;
  if (distinct.empty())
    return -blocks * std::expm1(-stretch / blocks);
  // Beyond, each further stretch visits as many others, until all are visited.
  const auto longest = std::exp2(static_cast<double>(distinct.size() - 1));
  return std::min(blocks, distinct.back() * stretch / longest);
}

double ReuseProfile::hits(double cacheBytes, double blockBytes, double streamBytes) const {
  const auto bytesOf = [&](double stretch) {
    return footprint(stretch) * blockBytes + stretch * streamBytes;
  };
  if (bytesOf(visits) <= cacheBytes)
    return 1;
  double least = 0, most = visits; // the longest stretch whose bytes the cache holds
  for (int step = 0; step < 40; ++step) {
    const double middle = (least + most) / 2;
    (bytesOf(middle) <= cacheBytes ? least : most) = middle;
  }
  return least < 1 ? 0 : shareWithin(least);
}

} // namespace strata::cost
