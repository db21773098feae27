// Measures the machine: each figure is the best of a few short runs, for others only disturb.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/machine/Loops.h"
#include "strata/machine/Machine.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <pthread.h>
#include <random>
#include <tbb/parallel_for.h>
#include <thread>

namespace strata::machine {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto turn = std::chrono::milliseconds(4); ///< one run of what is measured
constexpr int turns = 4;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What `work`, which tells how much it has done, does in a second, over one turn.
double rateOf(const std::function<double()> &work) {
  const auto begin = Clock::now();
  double done = 0;
  do
    done += work();
  while (Clock::now() - begin < turn);
  return done / secondsSince(begin);
}

/// The greatest of a few such rates, after one to warm up.
double bestRate(const std::function<double()> &work) {
  rateOf(work);
  double best = 0;
  for (int at = 0; at < turns; ++at)
    best = std::max(best, rateOf(work));
  return best;
}

/// Runs a task in so many threads of its own, and gives the sum of what each says; without threads
/// where the system gives none.
class Team {
public:
  explicit Team(int64_t size) : members(static_cast<size_t>(size)) {}

  double sum(const std::function<double(int64_t)> &task) {
    std::atomic<int64_t> missing = static_cast<int64_t>(members.size());
    size_t begun = 0;
    for (size_t at = 0; at < members.size(); ++at) {
      members[at] = {&task, &missing, static_cast<int64_t>(at), 0};
      if (pthread_create(&members[at].thread, nullptr, run, &members[at]) != 0)
        break;
      ++begun;
    }
    missing -= static_cast<int64_t>(members.size() - begun); // the others do not wait for them
    double total = 0;
    for (size_t at = 0; at < begun; ++at) {
      pthread_join(members[at].thread, nullptr);
      total += members[at].result;
    }
    return total;
  }

private:
  struct Member {
    const std::function<double(int64_t)> *task = nullptr;
    std::atomic<int64_t> *missing = nullptr; ///< those that have not begun
    int64_t number = 0;
    double result = 0;
    pthread_t thread = {};
  };

  static void *run(void *member) {
    auto &self = *static_cast<Member *>(member);
    --*self.missing;
    while (self.missing->load() > 0)
      std::this_thread::yield();
    self.result = (*self.task)(self.number);
    return nullptr;
  }

  std::vector<Member> members;
};

double bestSum(int64_t threads, const std::function<double(int64_t)> &task) {
  Team team(threads);
  double best = 0;
  for (int at = 0; at < turns; ++at)
    best = std::max(best, team.sum(task));
  return best;
}

//===------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------===//

/// So much of a level is read again and again that it stays in there: half of what can be used of
/// it; of memory, more than the caches hold.
int64_t bytesToRead(const Machine &machine, size_t level) {
  constexpr int64_t most = int64_t(256) << 20;
  const bool isMemory = level + 1 == machine.levels.size();
  if (!isMemory)
    return std::min(machine.levels[level].usable / 2, most / 2);
  const MemoryLevel *last = level > 0 ? &machine.levels[level - 1] : nullptr;
  const int64_t wanted = last ? 4 * last->bytes * machine.copies(*last) : most;
  return std::clamp(wanted, int64_t(64) << 20, std::min(most, machine.levels[level].bytes / 4));
}

/// Reads so many bytes one after the other, again and again; tells how many.
std::function<double()> readInTurn(const double *from, int64_t bytes) {
  constexpr int64_t enough = 1 << 18; // that looking at the clock takes no time
  const int64_t doubles = bytes / static_cast<int64_t>(sizeof(double));
  const int64_t times = std::max<int64_t>(enough / std::max<int64_t>(doubles, 1), 1);
  return [=] {
    for (int64_t time = 0; time < times; ++time)
      readDoubles(from, doubles);
    return static_cast<double>(times * doubles) * sizeof(double);
  };
}

double secondsOfJump(const double *from, int64_t bytes) {
  constexpr int64_t jumps = 1 << 12;
  const uint64_t lines = std::bit_floor(static_cast<uint64_t>(std::max<int64_t>(bytes, 64)) / 64);
  uint64_t seed = 1;
  return 1 / bestRate([&] {
           seed = jumpAmongLines(from, lines, seed, jumps);
           return static_cast<double>(jumps);
         });
}

/// What can be used of a cache that others use, too: jumps among more than that take longer.
int64_t findUsable(const MemoryLevel &cache, int64_t before, const double *buffer) {
  constexpr double noticeable = 1.5;
  std::vector<std::pair<int64_t, double>> jumps; // by the bytes among which they are
  for (int64_t bytes = cache.bytes / 2; bytes > 2 * before && jumps.size() < 4; bytes /= 2)
    jumps.emplace_back(bytes, secondsOfJump(buffer, bytes));
  double least = std::numeric_limits<double>::infinity();
  for (const auto &[bytes, seconds] : jumps)
    least = std::min(least, seconds);
  for (const auto &[bytes, seconds] : jumps)
    if (seconds <= noticeable * least)
      return 2 * bytes;
  return cache.bytes;
}

void measureReading(Machine &machine) {
  size_t largest = 0;
  for (size_t level = 0; level < machine.levels.size(); ++level)
    largest = std::max(largest, static_cast<size_t>(bytesToRead(machine, level)) *
                                    static_cast<size_t>(machine.copies(machine.levels[level])));
  const size_t count = largest / sizeof(double);
  const auto buffer = std::make_unique<double[]>(count);
  std::fill_n(buffer.get(), count, 1.0);
  for (size_t at = 0; at < machine.levels.size(); ++at) {
    MemoryLevel &level = machine.levels[at];
    if (at > 0 && at + 1 < machine.levels.size())
      level.usable = findUsable(level, machine.levels[at - 1].usable, buffer.get());
    const int64_t bytes = bytesToRead(machine, at);
    level.readOne = bestRate(readInTurn(buffer.get(), bytes));
    level.jump = secondsOfJump(buffer.get(), bytes);
    // Each thread reads its own part of what it shares with others.
    const int64_t part = bytes * machine.copies(level) / machine.threads;
    const double *begin = buffer.get();
    level.readAll = bestSum(machine.threads, [&](int64_t thread) {
      const int64_t doubles = part / static_cast<int64_t>(sizeof(double));
      return rateOf(readInTurn(begin + thread * doubles, part));
    });
  }
}

/// Steps from line to line through memory, in an order that nothing foresees.
double secondsOfMissedLine(const Machine &machine) {
  constexpr size_t line = 64 / sizeof(uint32_t);
  const size_t lines = static_cast<size_t>(bytesToRead(machine, machine.levels.size() - 1)) / 64;
  const auto next = std::make_unique<uint32_t[]>(lines * line);
  std::vector<uint32_t> order(lines);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), std::minstd_rand(1));
  for (size_t at = 0; at < lines; ++at)
    next[order[at] * line] = order[at + 1 < lines ? at + 1 : 0];
  constexpr int64_t steps = 1 << 12;
  uint32_t at = order[0];
  return 1 / bestRate([&] {
           at = followLinks(next.get(), line, at, steps);
           return static_cast<double>(steps);
         });
}

//===------------------------------------------------------------------------------------------===//
// Instructions
//===------------------------------------------------------------------------------------------===//

void measureMultiplyAdd(Machine &machine) {
  constexpr int64_t steps = 1 << 12;
  for (size_t width = 0; width < machine.multiplyAdd.size(); ++width)
    if (hasVectors(width))
      machine.multiplyAdd[width] = bestRate([&] { return multiplyAdd(width, steps); });
  const auto best = static_cast<size_t>(std::ranges::max_element(machine.multiplyAdd) -
                                        machine.multiplyAdd.begin());
  machine.multiplyAddAll = bestSum(
      machine.threads, [&](int64_t) { return rateOf([&] { return multiplyAdd(best, steps); }); });
}

double secondsOfCycle() {
  constexpr int64_t steps = 1 << 14;
  return 1 / bestRate([] {
           rotateInTurn(steps);
           return 2.0 * steps;
         });
}

void measureLookups(Machine &machine) {
  constexpr int64_t count = 1 << 11; // 16 KB of values, 8 KB of places
  std::vector<double> values(count, 1.0);
  std::vector<int32_t> places(count);
  std::minstd_rand random(1);
  for (int32_t &place : places)
    place = static_cast<int32_t>(random() % count);
  machine.scalarLoad = 1 / bestRate([&] {
                         sumLoaded(values.data(), places.data(), count);
                         return static_cast<double>(count);
                       });
  if (hasGathers())
    machine.gatheredLoad = 1 / bestRate([&] {
                             sumGathered(values.data(), places.data(), count);
                             return static_cast<double>(count);
                           });
}

/// Half of the branches on random bits are mispredicted, if there are more of them than the
/// processor remembers from one round to the next.
void measureBranches(Machine &machine) {
  constexpr int64_t fewest = 1 << 10, most = 1 << 18, tooMany = 1 << 20;
  std::vector<uint8_t> random(tooMany), regular(fewest);
  std::minstd_rand bits(1);
  for (uint8_t &bit : random)
    bit = static_cast<uint8_t>(bits() >> 16 & 1);
  const auto secondsOf = [](const std::vector<uint8_t> &choices, int64_t count) {
    return 1 / bestRate([&] {
             countChoices(choices.data(), count);
             return static_cast<double>(count);
           });
  };
  const double foreseen = secondsOf(regular, fewest);
  const double wrong = std::max(0.0, secondsOf(random, tooMany) - foreseen);
  machine.mispredictedBranch = 2 * wrong;
  for (int64_t count = fewest; count <= most; count *= 2)
    if (secondsOf(random, count) - foreseen < wrong / 2)
      machine.rememberedBranches = static_cast<double>(count);
}

/// The median time until a second thread of the pool, which sleeps, begins with its half.
double secondsOfWakingThread() {
  constexpr int rounds = 15;
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    std::atomic<int> begun = 0;
    const auto begin = Clock::now();
    tbb::parallel_for(
        tbb::blocked_range<int>(0, 2, 1),
        [&](const tbb::blocked_range<int> &) {
          ++begun;
          while (begun < 2 && Clock::now() - begin < turn)
            ;
        },
        tbb::simple_partitioner());
    times.push_back(secondsSince(begin));
  }
  std::ranges::nth_element(times, times.begin() + rounds / 2);
  return times[rounds / 2];
}

} // namespace

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  localtime_r(&now, &parts);
  char text[16];
  const size_t length = std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return {text, length};
}

Machine measureMachine() {
  Machine machine = describeMachine();
  machine.measured = today();
  if (machine.threads > 1)
    machine.wakingThread = secondsOfWakingThread();
  measureReading(machine);
  machine.missedLine = secondsOfMissedLine(machine);
  machine.cycle = secondsOfCycle();
  measureMultiplyAdd(machine);
  measureLookups(machine);
  measureBranches(machine);
  return machine;
}

} // namespace strata::machine
