// Loops on several threads: oneTBB's algorithms, with the help of a program's pool.
//
// No other file that works on tensors calls these algorithms, so that all work of a call is done by
// the threads that it may use. Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_PARALLEL_H
#define STRATA_RUNTIME_PARALLEL_H

#include "strata/runtime/Team.h"

#include <concepts>
#include <functional>
#include <limits>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>

namespace strata::runtime {

/// Returns how many threads beside the calling one can have a part of the range.
template <typename Index> int64_t partsToShare(const tbb::blocked_range<Index> &range) {
  return range.is_divisible() ? static_cast<int64_t>((range.size() - 1) / range.grainsize()) : 0;
}

/// Calls the body with the ends of parts of the range. oneTBB's algorithm is a long template, which
/// is compiled here for all bodies.
void inParts(const tbb::blocked_range<int64_t> &range,
             const std::function<void(int64_t begin, int64_t end)> &body);

/// Calls the body with each number from `first` to before `end`.
template <std::integral Index, typename Body>
void parallelFor(Index first, Index end, const Body &body) {
  inParts({static_cast<int64_t>(first), static_cast<int64_t>(end)},
          [&body](int64_t from, int64_t to) {
            for (int64_t number = from; number < to; ++number)
              body(static_cast<Index>(number));
          });
}

/// Calls the body with parts of the range, which oneTBB chooses.
template <typename Index, typename Body>
void parallelFor(const tbb::blocked_range<Index> &range, const Body &body) {
  inParts(
      {static_cast<int64_t>(range.begin()), static_cast<int64_t>(range.end()), range.grainsize()},
      [&body, grain = range.grainsize()](int64_t from, int64_t to) {
        body(tbb::blocked_range<Index>(static_cast<Index>(from), static_cast<Index>(to), grain));
      });
}

/// The same with parts that the partitioner chooses.
template <typename Index, typename Body, typename Partitioner>
void parallelFor(const tbb::blocked_range<Index> &range, const Body &body,
                 const Partitioner &partitioner) {
  withHelp(partsToShare(range), [&] { tbb::parallel_for(range, body, partitioner); });
}

/// Reduces parts of the range by the body, and their results by `join`.
template <typename Index, typename Value, typename Body, typename Join>
Value parallelReduce(const tbb::blocked_range<Index> &range, const Value &identity,
                     const Body &body, const Join &join) {
  return withHelp(partsToShare(range),
                  [&] { return tbb::parallel_reduce(range, identity, body, join); });
}

/// Sorts elements, not stably.
template <typename Iterator, typename... Less>
void parallelSort(Iterator begin, Iterator end, const Less &...less) {
  constexpr int64_t sortedByOne = 500; // by oneTBB
  withHelp((end - begin) / sortedByOne, [&] { tbb::parallel_sort(begin, end, less...); });
}

/// Calls both, which may have loops in them.
template <typename First, typename Second>
void parallelInvoke(const First &first, const Second &second) {
  withHelp(std::numeric_limits<int64_t>::max(), [&] { tbb::parallel_invoke(first, second); });
}

} // namespace strata::runtime

#endif // STRATA_RUNTIME_PARALLEL_H
