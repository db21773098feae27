// Limits the threads of the process.
#include "Threads.h"
#include "Arguments.h"

#include <tbb/task_arena.h>

namespace strata::tool {

bool ThreadLimit::set(const llvm::opt::Arg *option) {
  if (!option)
    return true;
  std::optional<int64_t> count = parseCount(*option, 1);
  if (count)
    control.emplace(tbb::global_control::max_allowed_parallelism,
                    size_t(std::min<int64_t>(*count, 1024)));
  return count.has_value();
}

int64_t threadsInUse() {
  size_t allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::min<int64_t>(int64_t(allowed), tbb::this_task_arena::max_concurrency());
}

} // namespace strata::tool
