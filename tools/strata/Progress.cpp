// Shows how much of a file was read.
#include "Progress.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

namespace strata::tool {

static bool lineIsShown = false;

void clearProgress() {
  if (lineIsShown)
    llvm::errs() << "\r\033[K";
  lineIsShown = false;
}

runtime::Progress progressOf(const std::string &file) {
  using Clock = std::chrono::steady_clock;
  using namespace std::chrono_literals;
  if (!llvm::sys::Process::StandardErrIsDisplayed())
    return {};
  Clock::time_point next = Clock::now() + 1s;
  return [file, next](double share) mutable {
    if (share >= 1)
      return clearProgress();
    if (Clock::now() < next)
      return;
    next = Clock::now() + 100ms;
    lineIsShown = true;
    llvm::errs() << "\rstrata: reading " << file << llvm::format(" %3.0f %%", 100 * share)
                 << "\033[K";
  };
}

} // namespace strata::tool
