// How many threads a command may use.
#ifndef STRATA_TOOLS_THREADS_H
#define STRATA_TOOLS_THREADS_H

#include <cstdint>
#include <optional>
#include <tbb/global_control.h>

namespace llvm::opt {
class Arg;
}

namespace strata::tool {

/// As long as it lives, no more threads than an option's value work at once; without the option, as
/// many as there are cores, of several ranks on a node its share of them.
class ThreadLimit {
public:
  /// False after a mistake, which was reported.
  bool set(const llvm::opt::Arg *option);

private:
  std::optional<tbb::global_control> control;
};

/// How many threads may work at once now.
int64_t threadsInUse();

} // namespace strata::tool

#endif // STRATA_TOOLS_THREADS_H
