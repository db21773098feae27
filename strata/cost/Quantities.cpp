// Numbers get three to five digits.
#include "strata/cost/Quantities.h"

#include "strata/machine/Machine.h"
#include "strata/runtime/Counted.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace strata::cost {

static std::string fixed(double number, int digits) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*f", digits, number);
  return text;
}

std::string millisecondsText(double seconds) {
  double ms = seconds * 1e3;
  return fixed(ms, ms < 1 ? 3 : ms < 100 ? 2 : 1);
}

std::string durationText(double seconds) {
  if (seconds >= 1e-3)
    return millisecondsText(seconds) + " ms";
  double us = seconds * 1e6;
  return us < 1 ? fixed(us * 1e3, 0) + " ns" : fixed(us, us < 100 ? 2 : 1) + " us";
}

std::string bytesText(int64_t bytes) {
  if (bytes < 1000)
    return counted(bytes, "byte");
  double scaled = double(bytes);
  llvm::StringRef unit;
  for (llvm::StringRef next : {"kB", "MB", "GB", "TB"}) {
    if (scaled < 1000)
      break;
    scaled /= 1000;
    unit = next;
  }
  return fixed(scaled, scaled < 10 ? 2 : 1) + " " + unit.str();
}

std::string predictionText(const Prediction &prediction, const machine::Machine &machine) {
  std::string text = durationText(prediction.seconds) + " (instructions " +
                     durationText(prediction.instructions) + ", memory " +
                     durationText(prediction.memory);
  const char *separator = ": ";
  for (auto [level, bytes] : llvm::zip(machine.levels, prediction.bytes))
    if (bytes >= 1) {
      text += separator + bytesText(int64_t(bytes)) + " in " + level.name;
      separator = ", ";
    }
  return text + (prediction.allThreads ? "; all threads)" : "; one thread)");
}

} // namespace strata::cost
