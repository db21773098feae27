// Runs the pieces of a kernel's loop at once.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Frame.h"
#include "strata/runtime/Parallel.h"
#include "strata/runtime/Thresholds.h"

#include <algorithm>
#include <vector>

using strata::runtime::Claims;
using strata::runtime::frameOf;
using strata::runtime::leastSteps;
using strata::runtime::parallelFor;
using strata::runtime::threadCount;
using strata::runtime::thresholds;

namespace {

/// What the pieces that one thread runs have in common: the caller's context, but for what it
/// counts and for failures.
struct Worker {
  explicit Worker(const strata_context &whole) : context(whole) {
    context.bytes_now = context.bytes_peak = 0;
  }

  void work(Claims &claims, strata_piece body, void *captured) {
    for (int64_t piece = claims.begin(); piece >= 0;) {
      const int32_t outcome = invokePiece(&context, claims, piece, body, captured);
      if (outcome != STRATA_OK && piece < failed) {
        failed = piece;
        status = outcome;
      }
      const int64_t next = claims.goOn(piece); // if its code has not done so
      piece = next >= 0 ? next : claims.begin();
    }
  }

  strata_context context;
  int64_t failed = INT64_MAX; ///< the first piece that did
  int32_t status = STRATA_OK; ///< its
};

int32_t runPieces(strata_context *context, int64_t pieces, strata_piece body, void *captured) {
  const int64_t threads = std::min(pieces, threadCount());
  std::vector<Worker> workers(static_cast<size_t>(threads), Worker(*context));
  Claims claims(pieces);
  parallelFor(
      tbb::blocked_range<size_t>(0, workers.size(), 1),
      [&](const tbb::blocked_range<size_t> &range) {
        for (size_t at = range.begin(); at < range.end(); ++at)
          workers[at].work(claims, body, captured);
      },
      tbb::simple_partitioner());
  int64_t peak = context->bytes_now;
  for (const Worker &worker : workers) {
    peak += worker.context.bytes_peak;
    context->bytes_now += worker.context.bytes_now; // of what the kernel now holds
  }
  context->bytes_peak = std::max(context->bytes_peak, peak);
  return std::ranges::min_element(workers, {}, &Worker::failed)->status;
}

} // namespace

int64_t Claims::begin() {
  const std::lock_guard lock(mutex);
  const auto pieces = static_cast<int64_t>(states.size());
  int64_t best = 0, longest = 0;
  for (int64_t from = 0, to; from < pieces; from = to) {
    for (to = from + 1;
         to < pieces && states[size_t(from)] == State::left && states[size_t(to)] == State::left;)
      ++to;
    if (states[size_t(from)] == State::left && to - from > longest) {
      best = from;
      longest = to - from;
    }
  }
  if (longest == 0)
    return -1;
  // Who runs the piece before the gap comes to its beginning.
  const bool follows = best > 0 && states[size_t(best - 1)] == State::running;
  const int64_t piece = follows ? best + longest / 2 : best;
  states[size_t(piece)] = State::running;
  return piece;
}

int64_t Claims::goOn(int64_t ended) {
  const std::lock_guard lock(mutex);
  states[size_t(ended)] = State::ended;
  const auto next = static_cast<size_t>(ended + 1);
  if (next >= states.size() || states[next] != State::left)
    return -1;
  states[next] = State::running;
  return ended + 1;
}

int64_t strata_kernel_go_on(strata_context *context, int64_t piece) {
  Claims *claims = frameOf(context)->claims;
  return claims ? claims->goOn(piece) : -1;
}

int64_t strata_kernel_pieces(strata_context *, int64_t steps, int64_t places) {
  if (steps < leastSteps())
    return 1;
  // Each piece but one keeps a count for every place: no more of these than there are steps.
  return std::min(threadCount(), 1 + steps / std::max<int64_t>(places, 1));
}

int64_t strata_kernel_shares(strata_context *, int64_t steps, int64_t places) {
  constexpr int64_t sharesOfThread = STRATA_SHARES_OF_THREAD;
  const int64_t threads = threadCount(), least = leastSteps() * (places > 1 ? 1 : 2);
  if (threads == 1 || steps < least)
    return 1;
  const int64_t worth = std::max(places, std::max<int64_t>(least / sharesOfThread, 1));
  return std::min(sharesOfThread * threads, 1 + steps / worth);
}

int64_t strata_kernel_block(strata_context *, int64_t extent, int64_t longest) {
  constexpr int64_t bytesOfTwo = 16;                // values of two vectors, which stay in cache
  constexpr int64_t few = 2048, piecesOfThread = 2; // so that threads end together
  constexpr int64_t worth = 64;                     // a step above costs as much as so many
  const int64_t repeated = extent / std::max<int64_t>(longest, 1) * worth;
  const int64_t threads = threadCount(), cuts = threads > 1 ? piecesOfThread * threads : 1;
  const int64_t fewest = std::clamp<int64_t>(leastSteps(), 1, few);
  const int64_t nearby = std::max(thresholds().ownCache / bytesOfTwo, fewest);
  const int64_t wanted = std::clamp((extent + cuts - 1) / cuts, fewest, nearby);
  return longest < extent ? std::max(wanted, repeated) : wanted;
}

void strata_kernel_parallel(strata_context *context, int64_t pieces, strata_piece body,
                            void *captured) {
  if (pieces == 0)
    return;
  if (pieces == 1)
    return body(context, 0, captured);
  // Nothing that must be destroyed is alive here when the kernel is left.
  if (const int32_t status = runPieces(context, pieces, body, captured); status != STRATA_OK)
    strata_kernel_fail(context, status);
}
