// What this thread does: instructions that it retires, or the time that it takes on a processor.
#ifndef STRATA_TEST_GENERATOR_LARGE_WORK_H
#define STRATA_TEST_GENERATOR_LARGE_WORK_H

#include <cstdint>

namespace strata::test {

/// Counts while it is not paused. Where the system lets nobody count instructions, as in many
/// containers, it counts nanoseconds on a processor.
class WorkCounter {
public:
  WorkCounter();
  ~WorkCounter();
  WorkCounter(const WorkCounter &) = delete;
  WorkCounter &operator=(const WorkCounter &) = delete;

  bool countsInstructions() const { return counter >= 0; }
  void begin();
  void pause();
  void resume();
  /// Since begin, without pauses.
  int64_t work() const;
  /// The same in seconds on a processor, however work is counted.
  double seconds() const;

private:
  int counter = -1;
  bool runs = false;
  int64_t doneBefore = 0, doneAtResume = 0, secondsBefore = 0, secondsAtResume = 0;

  int64_t now() const;
};

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_WORK_H
