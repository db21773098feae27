// Adds up what instructions and bytes take. docs/rationale/Costs.md says where the numbers come
// from and how far they are off.
#include "strata/cost/Prediction.h"

#include "strata/cost/Reuse.h"
#include "strata/machine/Choices.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <map>
#include <tuple>

namespace strata::cost {

namespace {

// In clock cycles: what is not limited by the units that operate, load and store.
constexpr double cyclesOfWalkedEntry = 1;      // the end of the loop is tested
constexpr double cyclesOfIntersectionStep = 9; // coordinates are compared, and iterators moved
constexpr double cyclesOfUnionStep = 20;       // ... and values chosen
constexpr double cyclesOfOuterStep = 3;        // an iteration around another loop
constexpr double cyclesOfBegin = 6;            // where a loop begins is read, registers are set
constexpr double cyclesOfVectorBegin = 15;     // ... and vectors added up, the rest done
constexpr double cyclesOfAppend = 2;           // capacity is tested, a coordinate stored
constexpr double cyclesOfGathered = 8;         // a mark is tested and set, a coordinate listed
constexpr double cyclesOfSearchStep = 5;       // of a bisection
constexpr double cyclesOfLookup = 12;          // in a hash table
constexpr double cyclesOfFunction = 20;        // exp, sin, ..., element by element
constexpr double cyclesOfSortedRow = 40;       // what was gathered is sorted and appended,
constexpr double cyclesOfComparison = 6;       // which takes n log n comparisons
// In one cycle.
constexpr double operationsPerCycle = 2, loadsPerCycle = 2, storesPerCycle = 1;
constexpr double lineBytes = 64;
/// A loop that ends after fewer iterations is foreseen, if it always ends after as many.
constexpr double longestForeseen = 32;
constexpr double peakOfContractions = 0.9;

class Predictor {
public:
  Predictor(const KernelCounts &counts, llvm::ArrayRef<TensorStatistics> tensors,
            const machine::Machine &machine)
      : counts(counts), tensors(tensors), machine(machine), sizeOfAll(addUpSizes()) {}

  Prediction on(bool allThreads) {
    Prediction result;
    result.allThreads = allThreads;
    result.bytes.assign(machine.levels.size(), 0);
    double share = allThreads ? double(machine.threads) : 1;
    for (unsigned loop = 0; loop < counts.loops.size(); ++loop)
      result.instructions += secondsOf(loop) / share;
    for (unsigned number = 0; number < counts.accesses.size(); ++number)
      move(number, result);
    result.waking = allThreads ? machine.wakingThread : 0;
    result.seconds = std::max(result.instructions, result.memory) + result.waking;
    return result;
  }

private:
  //===----------------------------------------------------------------------------------------===//
  // Instructions
  //===----------------------------------------------------------------------------------------===//

  static bool moves(const AccessCounts &access, unsigned loop) {
    return loop < access.loops.size() && access.loops.test(loop);
  }

  unsigned lanesOf(double bytes) const {
    unsigned widest = 0;
    for (auto [width, rate] : llvm::enumerate(machine.multiplyAdd))
      if (rate > 0)
        widest = unsigned(16 << width);
    return std::max(1U, widest / std::max(unsigned(bytes), 1U));
  }

  // Loads and stores of the first cache in a loop, all together.
  struct Traffic {
    double loads = 0, stores = 0;
    bool inTurn = true; ///< everything lies one after the other
    double widest = 1;  ///< bytes of an element
  };

  Traffic trafficOf(unsigned loop) const {
    Traffic traffic;
    std::optional<unsigned> around = counts.loops[loop].around;
    for (const AccessCounts &access : counts.accesses) {
      if (access.loop != loop)
        continue;
      traffic.widest = std::max(traffic.widest, access.bytes);
      traffic.inTurn &= access.stride <= access.bytes && !drives(access, loop);
      // A row to which the loop around adds stays in registers.
      if (access.combines && !drives(access, loop) && around && !moves(access, *around))
        continue;
      if (!access.writes || access.combines)
        traffic.loads += access.count;
      if (access.writes)
        traffic.stores += access.count;
    }
    return traffic;
  }

  // Tells whether each iteration jumps.
  static bool drives(const AccessCounts &access, unsigned loop) {
    return access.driver && access.jumps == access.count && access.loop == loop;
  }

  double secondsOf(unsigned number) const {
    const LoopCounts &loop = counts.loops[number];
    if (std::optional<double> blocked = secondsOfContraction(number))
      return *blocked;
    Traffic traffic = trafficOf(number);
    const BodyCounts &body = loop.body;
    bool vectors =
        loop.kind == LoopCounts::Kind::Counts && loop.innermost && traffic.inTurn &&
        body.appends + body.gathered + body.searches + body.lookups + body.functions == 0;
    // A multiplication and an addition are one operation of the processor.
    double units = std::max({body.operations / 2 / operationsPerCycle,
                             traffic.loads / loadsPerCycle, traffic.stores / storesPerCycle});
    double cycles = vectors ? units / lanesOf(traffic.widest)
                            : std::max(units, loop.iterations * cyclesOfStep(loop));
    cycles += body.appends * cyclesOfAppend + body.gathered * cyclesOfGathered +
              body.searches * cyclesOfSearchStep + body.lookups * cyclesOfLookup +
              body.functions * cyclesOfFunction +
              loop.begins * (vectors ? cyclesOfVectorBegin : cyclesOfBegin) + cyclesOfSorting(loop);
    return cycles * machine.cycle + loop.begins * unforeseen(loop) * machine.mispredictedBranch;
  }

  static double cyclesOfStep(const LoopCounts &loop) {
    if (loop.kind == LoopCounts::Kind::Merges)
      return loop.unites ? cyclesOfUnionStep : cyclesOfIntersectionStep;
    if (loop.gathers)
      return cyclesOfIntersectionStep; // the next coordinate is compared
    return loop.innermost ? cyclesOfWalkedEntry : cyclesOfOuterStep;
  }

  // The share of times at which the end of a loop comes unforeseen.
  static double unforeseen(const LoopCounts &loop) {
    double length = loop.iterations / std::max(loop.begins, 1.0);
    return length > longestForeseen ? 1 : loop.uneven;
  }

  static double cyclesOfSorting(const LoopCounts &loop) {
    if (loop.sortedRows == 0)
      return 0;
    double length = loop.sortedCoordinates / loop.sortedRows;
    return loop.sortedRows * cyclesOfSortedRow +
           loop.sortedCoordinates * cyclesOfComparison * std::log2(length + 2);
  }

  //===----------------------------------------------------------------------------------------===//
  // Dense contractions, which are computed in blocks
  //===----------------------------------------------------------------------------------------===//

  // The loops over consecutive values around an innermost one, itself included.
  llvm::SmallVector<unsigned> nestOf(unsigned innermost) const {
    llvm::SmallVector<unsigned> nest;
    for (std::optional<unsigned> at = innermost;
         at && counts.loops[*at].kind == LoopCounts::Kind::Counts; at = counts.loops[*at].around)
      nest.push_back(*at);
    return nest;
  }

  bool isContraction(unsigned innermost) const {
    if (!counts.contracts || !counts.loops[innermost].innermost ||
        counts.loops[innermost].kind != LoopCounts::Kind::Counts)
      return false;
    llvm::SmallVector<unsigned> nest = nestOf(innermost);
    if (llvm::any_of(nest, [&](unsigned loop) { return counts.loops[loop].marked; }))
      return false;
    const AccessCounts *sum = nullptr;
    for (const AccessCounts &access : counts.accesses)
      if (access.writes && movesInNest(access, nest)) {
        if (sum)
          return false;
        sum = &access;
      }
    if (nest.size() < 3 || !sum || sum->driver)
      return false;
    // What is read beside the sum, where it is complete, is no factor.
    unsigned factors = 0;
    for (const AccessCounts &access : counts.accesses) {
      if (access.writes || !movesInNest(access, nest))
        continue;
      bool isFactor = llvm::any_of(
          nest, [&](unsigned loop) { return moves(access, loop) && !moves(*sum, loop); });
      bool staysSomewhere = llvm::any_of(nest, [&](unsigned loop) { return !moves(access, loop); });
      if (access.driver || (isFactor && !staysSomewhere))
        return false;
      factors += isFactor;
    }
    return factors == 2;
  }

  static bool movesInNest(const AccessCounts &access, llvm::ArrayRef<unsigned> nest) {
    return llvm::any_of(nest, [&](unsigned loop) { return moves(access, loop); });
  }

  // Operations in a second on elements as large as those of the loop.
  double rateOfContraction(unsigned loop) const {
    double bytes = 0;
    for (const AccessCounts &access : counts.accesses)
      if (!access.writes && moves(access, loop))
        bytes = std::max(bytes, access.bytes);
    constexpr double ofDouble = 8, least = 4;
    double lanes = bytes > 0 && bytes < ofDouble ? ofDouble / std::max(bytes, least) : 1;
    return *llvm::max_element(machine.multiplyAdd) * peakOfContractions * lanes;
  }

  // Of a loop that is part of one; the innermost one stands for all.
  std::optional<double> secondsOfContraction(unsigned loop) const {
    if (isContraction(loop)) {
      double rate = rateOfContraction(loop);
      return rate > 0 ? counts.loops[loop].body.operations / rate : 0;
    }
    for (unsigned inner = loop + 1; inner < counts.loops.size(); ++inner)
      if (isContraction(inner) && llvm::is_contained(nestOf(inner), loop))
        return 0;
    return std::nullopt;
  }

  bool isBlocked(const AccessCounts &access) const {
    for (unsigned loop = 0; loop < counts.loops.size(); ++loop)
      if (isContraction(loop) &&
          llvm::any_of(nestOf(loop), [&](unsigned one) { return moves(access, one); }))
        return true;
    return false;
  }

  //===----------------------------------------------------------------------------------------===//
  // Memory
  //===----------------------------------------------------------------------------------------===//

  // Bytes that are moved for one element of an access in turn.
  static double moved(const AccessCounts &access) { return std::min(access.stride, lineBytes); }

  double addUpSizes() const {
    std::map<std::string, double> sizes;
    for (const AccessCounts &access : counts.accesses)
      sizes[access.array] = std::max(sizes[access.array], access.size);
    double sum = 0;
    for (const auto &[array, size] : sizes)
      sum += size;
    return sum;
  }

  // The distinct bytes that an access meets in one iteration of a loop around it.
  double bytesWithin(const AccessCounts &access, unsigned loop) const {
    double share = std::max(counts.loops[loop].iterations, 1.0);
    return std::min(access.size, std::max(access.count / share, 1.0) * moved(access));
  }

  bool isAround(unsigned outer, unsigned inner) const {
    for (std::optional<unsigned> at = inner; at; at = counts.loops[*at].around)
      if (*at == outer)
        return true;
    return false;
  }

  // What is met between two visits to the same element: in one iteration of the innermost loop
  // around that does not move the access.
  double bytesUntilAgain(const AccessCounts &access) const {
    std::optional<unsigned> repeats;
    for (std::optional<unsigned> at = access.loop; at && !repeats; at = counts.loops[*at].around)
      if (!moves(access, *at) && counts.loops[*at].iterations > counts.loops[*at].begins)
        repeats = at;
    if (!repeats)
      return sizeOfAll;
    double sum = 0;
    for (const AccessCounts &other : counts.accesses)
      if (isAround(*repeats, other.loop))
        sum += bytesWithin(other, *repeats);
    return sum;
  }

  // So many bytes come from a level, or go there, in so many jumps.
  void charge(Prediction &result, size_t number, double bytes, double jumps, bool writes) const {
    const machine::MemoryLevel &level = machine.levels[number];
    double rate = result.allThreads ? level.readAll : level.readOne;
    if (number == 0 || rate <= 0)
      return;
    double jump = level.jump / (result.allThreads ? double(machine.threads) : 1);
    double inTurn = std::max(bytes - jumps * lineBytes, 0.0);
    // What is written was read before.
    double times = writes ? 2 : 1;
    result.bytes[number] += times * bytes;
    result.memory += times * (jumps * std::max(jump, lineBytes / rate) + inTurn / rate);
  }

  size_t levelOf(double bytes, bool allThreads) const {
    return size_t(&machine.levelFor(bytes, allThreads) - machine.levels.data());
  }

  void move(unsigned number, Prediction &result) {
    const AccessCounts &access = counts.accesses[number];
    size_t home = levelOf(sizeOfAll, result.allThreads);
    if (access.driver) {
      moveByJumps(access, home, result);
      return;
    }
    double all = access.count * moved(access), once = std::min(all, access.size);
    charge(result, home, once, 0, access.writes);
    if (all > once && !isBlocked(access))
      charge(result, std::min(home, levelOf(bytesUntilAgain(access), result.allThreads)),
             all - once, 0, access.writes);
  }

  void moveByJumps(const AccessCounts &access, size_t home, Prediction &result) {
    double perJump = access.count / std::max(access.jumps, 1.0) *
                     (access.count > access.jumps ? moved(access) : access.bytes);
    double block = std::max(std::ceil(perJump / lineBytes) * lineBytes, lineBytes);
    double others = 0; // what else passes by with each jump
    for (const AccessCounts &other : counts.accesses)
      if (!other.driver)
        others += std::min(other.size, other.count * moved(other));
    others /= std::max(access.jumps, 1.0);
    double blockSize = lineBytes / std::max(access.bytesPerCoordinate, 1.0);
    const ReuseProfile &profile = profileOf(*access.driver, std::max(blockSize, 1.0));
    double before = 0;
    for (size_t level = 0; level <= home; ++level) {
      const machine::MemoryLevel &cache = machine.levels[level];
      double hits = level == home ? 1 : profile.hits(double(cache.usable), block, others);
      double jumps = std::max(hits - before, 0.0) * access.jumps;
      charge(result, level, jumps * block, jumps, access.writes);
      before = std::max(before, hits);
    }
  }

  // Sampled once for all accesses that share it.
  const ReuseProfile &profileOf(Driver driver, double blockSize) {
    auto key = std::tuple(driver.tensor, driver.level, blockSize);
    auto known = profiles.find(key);
    if (known == profiles.end())
      known =
          profiles
              .emplace(key, ReuseProfile::sample(tensors[driver.tensor], driver.level, blockSize))
              .first;
    return known->second;
  }

  const KernelCounts &counts;
  llvm::ArrayRef<TensorStatistics> tensors;
  const machine::Machine &machine;
  double sizeOfAll; // bytes of all arrays, each once
  std::map<std::tuple<unsigned, unsigned, double>, ReuseProfile> profiles;
};

} // namespace

Prediction predict(const KernelCounts &counts, llvm::ArrayRef<TensorStatistics> tensors,
                   const machine::Machine &machine, int64_t threads) {
  Predictor predictor(counts, tensors, machine);
  Prediction alone = predictor.on(false);
  double leastShared =
      double(machine::choicesFor(machine).thresholds.leastSteps) * machine::secondsOfStep;
  bool divided = llvm::any_of(counts.loops, [](const LoopCounts &loop) { return loop.parallel; });
  if (!divided || threads <= 1 || machine.threads <= 1 || alone.seconds < leastShared)
    return alone;
  return predictor.on(true);
}

} // namespace strata::cost
