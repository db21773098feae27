// How long a kernel is expected to take on a machine.
#ifndef STRATA_COST_PREDICTION_H
#define STRATA_COST_PREDICTION_H

#include "strata/cost/CountKernel.h"

namespace strata::machine {
struct Machine;
}

namespace strata::cost {

/// Seconds. Instructions and memory are used at the same time, so that the longer of the two
/// decides (the roofline of Williams, Waterman, Patterson, CACM 2009, with the ceilings that the
/// loops themselves set).
struct Prediction {
  double seconds = 0;
  double instructions = 0; ///< what the instructions take when everything is in the first cache
  double memory = 0;       ///< what the bytes take that come from further away
  double waking = 0;       ///< until all threads work; 0 on one thread
  bool allThreads = false;
  /// Bytes that are moved from and to each of the machine's levels but the first.
  std::vector<double> bytes;
};

/// Of a kernel on a machine that has been measured, whose data was used before. `threads`: on how
/// many the kernel may run.
Prediction predict(const KernelCounts &counts, llvm::ArrayRef<TensorStatistics> tensors,
                   const machine::Machine &machine, int64_t threads);

} // namespace strata::cost

#endif // STRATA_COST_PREDICTION_H
