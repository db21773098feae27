// Whether what the compiler chooses is right, and does not take far more than what it could choose.
#ifndef STRATA_TEST_GENERATOR_LARGE_LARGEJUDGE_H
#define STRATA_TEST_GENERATOR_LARGE_LARGEJUDGE_H

#include "LargeCase.h"

namespace strata::test {

struct LargeLimits {
  double factor = 3;   ///< how much more than the least may be taken
  double seconds = 10; ///< for one run of kernels, where no other was faster
  size_t schedules = 5;
};

struct LargeVerdict {
  enum class Kind {
    agrees,
    light,   ///< right, and too little to be measured
    heavy,   ///< nothing that was tried ends in time
    allowed, ///< refused by a rule that is documented
    refused, ///< by none
    wrong,
    broken,
    slow,  ///< more work than the least of parts and schedules, by the factor
    large, ///< more memory
    unfit, ///< a mistake of the draw
  };
  Kind kind = Kind::broken;
  std::string text = {}; ///< what was refused, wrong or less
  double seconds = 0;    ///< of the compiler's choice
  double ratio = 0;      ///< of its work to the least; 0 where that was not measured
  double memoryRatio = 0;
  std::string least = {}; ///< what took the least: the parts, or the schedule

  bool failed() const {
    return kind == Kind::refused || kind == Kind::wrong || kind == Kind::broken ||
           kind == Kind::slow || kind == Kind::large || kind == Kind::unfit;
  }
};

/// "slow"
std::string wordOf(LargeVerdict::Kind kind);

/// Runs the statement in a child, as the compiler chooses, as its parts and with drawn schedules.
LargeVerdict judge(const LargeCase &c, uint64_t seed, const LargeLimits &limits);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_LARGEJUDGE_H
