// How soon the places that a list of coordinates leads to are visited again.
#ifndef STRATA_COST_REUSE_H
#define STRATA_COST_REUSE_H

#include "strata/cost/Statistics.h"

#include <vector>

namespace strata::cost {

/// Sampled from the coordinates of a level, in the order in which they are stored. Blocks are runs
/// of coordinates whose places share a cache line. The share of visits that find their block in a
/// cache follows from the times between visits and from the footprint, the number of distinct
/// blocks in a stretch of visits (Xiang, Ding, Luo, Bao: HOTL, ASPLOS 2013).
class ReuseProfile {
public:
  /// Of a level whose `blockSize` consecutive coordinates share a block.
  static ReuseProfile sample(const TensorStatistics &tensor, unsigned level, double blockSize);
  /// Of so many visits that are spread evenly and at random over so many blocks.
  static ReuseProfile random(double blocks, double visits) { return {blocks, visits}; }

  /// The share of visits whose block is still in a cache of so many bytes, if a block has
  /// `blockBytes` and something else moves `streamBytes` through the cache with each visit.
  double hits(double cacheBytes, double blockBytes, double streamBytes) const;

private:
  ReuseProfile(double blocks, double visits) : blocks(blocks), visits(visits) {}
  double shareWithin(double visits) const;
  double footprint(double visits) const;

  static constexpr unsigned logLongest = 16; ///< of a stretch that is sampled
  double blocks;                             ///< that there are
  double visits;                             ///< of the whole list
  /// Of stretches of 1, 2, 4, ... visits: the share of visits that come again within one, and how
  /// many blocks one visits. Empty where nothing was sampled.
  std::vector<double> again, distinct;
};

} // namespace strata::cost

#endif // STRATA_COST_REUSE_H
