// A machine has speeds: of its caches and its memory, its arithmetic, its branches, its threads.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_MACHINE_MACHINE_H
#define STRATA_MACHINE_MACHINE_H

#include "strata/runtime/Status.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace strata::machine {

/// A cache, or, as the last one, the memory.
struct MemoryLevel {
  std::string name;    ///< "L1", "memory"
  int64_t bytes = 0;   ///< of one such cache; of memory: all that there is
  int64_t threads = 1; ///< how many of the machine's share one
  /// So much of it keeps what one thread works on; the rest may be in use by others, such as other
  /// virtual machines.
  int64_t usable = 0;
  double readOne = 0; ///< bytes that one thread reads in a second
  double readAll = 0; ///< bytes that all threads together do
  /// Seconds in which one thread gets a line from anywhere in it, waiting for several at once.
  double jump = 0;
};

/// Speeds are 0 where they have not been measured, or the processor has no such instructions.
struct Machine {
  std::string processor = {};           ///< its name, and what tells it from others
  std::string measured = {};            ///< the date; empty if nothing has been
  int64_t threads = 1;                  ///< that may run at once
  std::vector<MemoryLevel> levels = {}; ///< from the fastest to the largest
  /// Operations on doubles in a second, a fused multiply-add being two, of one thread with vectors
  /// of 128, 256 and 512 bits; and with the fastest of these of all threads.
  std::array<double, 3> multiplyAdd{};
  double multiplyAddAll = 0;
  // Seconds.
  double cycle = 0;        ///< of the clock: an addition to the one before
  double gatheredLoad = 0; ///< an element of a gather, from the first cache
  double scalarLoad = 0;   ///< an element that is loaded into a vector by itself
  double mispredictedBranch = 0;
  double rememberedBranches = 0; ///< so many that come again and again are foreseen: a number
  double missedLine = 0;         ///< from memory, where the next address depends on it
  double wakingThread = 0;       ///< until another thread that slept has begun

  bool isMeasured() const { return !measured.empty(); }
  /// The first level that can keep so many bytes, for one thread or, in all its copies together,
  /// for all: the memory, if none does.
  const MemoryLevel &levelFor(double bytes, bool allThreads) const;
  /// How many of a level there are.
  int64_t copies(const MemoryLevel &level) const {
    return (threads + level.threads - 1) / level.threads;
  }
};

/// The least time that so much takes, by the roofline model (Williams, Waterman, Patterson:
/// Roofline, CACM 2009).
struct Roofline {
  double seconds = 0;
  const MemoryLevel *level = nullptr; ///< where the bytes come from
  bool computes = false;              ///< the arithmetic takes longer than the bytes do
};

/// Of one thread, or of all. The machine has been measured.
Roofline roofline(const Machine &machine, double bytes, double operations, bool allThreads);

/// Asks the system about this machine; nothing is measured.
Machine describeMachine();

/// Measures this machine, in about a second in which nothing else should run.
Machine measureMachine();

/// The date: 2026-02-28.
std::string today();

/// The better of each figure of two measurements of one machine, on the day of the first: others
/// that compute can only make it slower.
Machine betterOf(const Machine &machine, const Machine &before);

/// Where what was measured of this machine is kept: STRATA_MACHINE, or a file in the user's folder
/// of caches, whose name depends on the processor and on how many threads may run. Empty where the
/// variable is, and where there is no such folder.
std::string machineFile();

/// Reads what writeMachine() has written; an error if it is nothing of the kind.
runtime::Result<Machine> readMachine(const std::string &file);
runtime::Status writeMachine(const Machine &machine, const std::string &file);

} // namespace strata::machine

#endif // STRATA_MACHINE_MACHINE_H
