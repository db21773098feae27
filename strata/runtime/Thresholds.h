// The numbers by which kernels choose how to run.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_THRESHOLDS_H
#define STRATA_RUNTIME_THRESHOLDS_H

#include <cstdint>

namespace strata::runtime {

/// When it begins, a kernel compares its operands with these numbers and chooses between ways that
/// give the same result. They belong to the process; a machine that is known has its own
/// (strata/machine/Choices.h).
struct Thresholds {
  /// With fewer steps than this, of a quarter of a nanosecond, a loop is over before other threads
  /// have begun; of those that need no workspace, with fewer than twice as many. (Threads that are
  /// awake would pay from half as many on; those that sleep come too late for several times as
  /// many, and waking them takes as long as these steps do.)
  int64_t leastSteps = int64_t{1} << 15;
  /// Bytes of the cache nearest to memory that one thread can use: what is larger comes from
  /// memory. 0: what the system says of it.
  int64_t lastCache = 0;
  /// Likewise of the largest cache that a core has for itself.
  int64_t ownCache = 0;
  /// Processors remember where so many rows end if they come again and again: of no more rows
  /// lengths are uneven.
  int64_t rememberedRows = int64_t{1} << 14;
  /// Of a hundred rows more must have another length than the one before, for lengths to be uneven:
  /// so many guessed wrongly take as long as all of them under masks.
  int64_t unevenRows = 40;
  /// Uneven rows of more entries in the mean are added up one after the other, not several at once.
  int64_t longestMaskedRows = 7;
  /// Looking up an element that the core's own cache does not have, far from the one before, takes
  /// as long as so many entries of a row whose elements follow each other.
  int64_t entriesOfJump = 4;
  /// Where threads take entries instead of rows, each row takes as much longer as so many entries.
  int64_t entriesOfCutRow = 4;
};

/// Those of this process, with caches that are not 0.
Thresholds thresholds();
/// The first of them: for this alone the system is not asked for its caches.
int64_t leastSteps();
void setThresholds(const Thresholds &wanted);

} // namespace strata::runtime

#endif // STRATA_RUNTIME_THRESHOLDS_H
