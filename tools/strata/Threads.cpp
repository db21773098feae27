// Limits the threads of the process.
#include "Threads.h"
#include "Arguments.h"
#include "InRanks.h"

#include <tbb/task_arena.h>

namespace strata::tool {

bool ThreadLimit::set(const llvm::opt::Arg *option) {
  std::optional<int64_t> count;
  if (option)
    count = parseCount(*option, 1);
  else if (const runtime::dist::World *world = worldHere(); world && world->size() > 1)
    count = world->processors();
  if (count)
    control.emplace(tbb::global_control::max_allowed_parallelism,
                    size_t(std::min<int64_t>(*count, 1024)));
  return count || !option;
}

int64_t threadsInUse() {
  size_t allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::min<int64_t>(int64_t(allowed), tbb::this_task_arena::max_concurrency());
}

} // namespace strata::tool
