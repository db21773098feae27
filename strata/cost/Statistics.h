// What the costs of a kernel depend on besides its loops: statistics of its tensors.
#ifndef STRATA_COST_STATISTICS_H
#define STRATA_COST_STATISTICS_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace strata::cost {

struct LevelStatistics {
  double positions = 1; ///< of the level, below all parents together
  double extent = 1;    ///< the coordinates that it can have
  /// The share of parents that have another number of children than the parent before them.
  double uneven = 0;
  double bytesPerParent = 0;   ///< of the level's buffers: read once for each parent
  double bytesPerPosition = 0; ///< read once for each position
};

struct TensorStatistics {
  std::string name;
  std::vector<LevelStatistics> levels = {};
  double values = 1;     ///< stored, padding included
  double valueBytes = 8; ///< of one
  /// The coordinate at a position of a level, if that is known; empty if there is nothing to look
  /// at. Positions lie below LevelStatistics::positions.
  std::function<std::optional<int64_t>(unsigned level, int64_t position)> coordinate = {};

  /// Of all buffers.
  double bytes() const {
    double sum = values * valueBytes, parents = 1;
    for (const LevelStatistics &level : levels) {
      sum += parents * level.bytesPerParent + level.positions * level.bytesPerPosition;
      parents = level.positions;
    }
    return sum;
  }
  /// The positions of the level above one.
  double parentsOf(unsigned level) const { return level == 0 ? 1 : levels[level - 1].positions; }
};

} // namespace strata::cost

#endif // STRATA_COST_STATISTICS_H
