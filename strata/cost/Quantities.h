// Times, amounts of memory and predictions in words.
#ifndef STRATA_COST_QUANTITIES_H
#define STRATA_COST_QUANTITIES_H

#include "strata/cost/Prediction.h"

namespace strata::cost {

/// Milliseconds with about four digits, without the unit.
std::string millisecondsText(double seconds);
/// "31.2 us": what is shorter than a millisecond in microseconds, or nanoseconds.
std::string durationText(double seconds);
/// "1.4 MB".
std::string bytesText(int64_t bytes);
/// "1.2 ms (instructions 1.0 ms, memory 1.2 ms: 12.1 MB in L2; one thread)".
std::string predictionText(const Prediction &prediction, const machine::Machine &machine);

} // namespace strata::cost

#endif // STRATA_COST_QUANTITIES_H
