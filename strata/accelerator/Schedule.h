// The schedule of an accelerator's operations under the limits of its units and ports.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_ACCELERATOR_SCHEDULE_H
#define STRATA_ACCELERATOR_SCHEDULE_H

#include "strata/accelerator/Accelerator.h"

#include <algorithm>
#include <vector>

namespace strata::accelerator {

/// Units of one kind, of which `capacity` operations can begin in a cycle.
class UnitPool {
public:
  explicit UnitPool(int64_t capacity) : capacity(uint32_t(capacity)) {}
  /// The first cycle from `earliest` on in which a unit is free; it is taken. Amortised, this takes
  /// almost constant time: cycles without free units are skipped by union-find.
  uint32_t take(uint32_t earliest);

private:
  uint32_t firstFree(uint32_t cycle);

  uint32_t capacity;
  std::vector<uint32_t> used; ///< in each cycle
  std::vector<uint32_t> next; ///< itself, or a cycle to look at instead
};

/// The operations of a micro-kernel, counted.
struct Activity {
  int64_t cycles = 0; ///< until the last operation has ended
  int64_t multiplications = 0, additions = 0;
  std::array<int64_t, 3> loads{}, stores{}; ///< of each matrix
  int64_t registers = 0;                    ///< for sums
};

/// A list schedule of the dynamic data-dependence graph, made while it is traced: a graph for
/// TracedFunction::trace(). Each operation begins in the first cycle in which its operands are
/// there and a unit (of loads and stores: a port of the bank) is free.
///
/// Operations have the priority of their place in the trace. So this is the schedule that is found
/// cycle by cycle from lists of ready operations, as Aladdin does: each operation takes a unit for
/// one cycle, and those that come later in the trace neither feed it nor are served before it. No
/// operation need be kept: the schedule of 256 x 256 x 256, of 35 million operations, takes a
/// second and the memory of its matrices.
class Schedule {
public:
  explicit Schedule(const Accelerator &accelerator);

  /// An operation, by the cycles in which it begins and in which its result is there.
  struct Node {
    uint32_t begin = 0, end = 0;
  };
  Node load(Matrix matrix, uint32_t element, Node stored, Node read) {
    ++activity.loads[matrix];
    return place(reads[matrix][bankOf(matrix, element)], std::max(stored.end, read.begin),
                 loadLatency);
  }
  Node multiply(Node left, Node right, Node read) {
    ++activity.multiplications;
    return place(multipliers, std::max({left.end, right.end, read.begin}), multiplyLatency);
  }
  Node add(Node left, Node right, Node read) {
    ++activity.additions;
    return place(adders, std::max({left.end, right.end, read.begin}), addLatency);
  }
  Node store(Matrix matrix, uint32_t element, Node value, Node read) {
    ++activity.stores[matrix];
    return place(writes[matrix][bankOf(matrix, element)], std::max(value.end, read.begin),
                 storeLatency);
  }

  const Activity &result() const { return activity; }

private:
  size_t bankOf(Matrix matrix, uint32_t element) const { return element % banks[matrix]; }
  Node place(UnitPool &pool, uint32_t earliest, uint32_t latency) {
    const uint32_t begin = pool.take(earliest);
    activity.cycles = std::max<int64_t>(activity.cycles, begin + latency);
    return {begin, begin + latency};
  }

  uint32_t loadLatency, multiplyLatency, addLatency, storeLatency;
  std::array<uint32_t, 3> banks;
  UnitPool multipliers, adders;
  std::array<std::vector<UnitPool>, 3> reads, writes;
  Activity activity;
};

/// Builds the accelerator's micro-kernel, traces it and schedules its operations.
runtime::Result<Activity> scheduleMicroKernel(const Accelerator &accelerator);

} // namespace strata::accelerator

#endif // STRATA_ACCELERATOR_SCHEDULE_H
