// The caches of the processors that this process may use.
#ifndef STRATA_RUNTIME_CACHES_H
#define STRATA_RUNTIME_CACHES_H

#include <cstdint>
#include <set>
#include <vector>

namespace strata::runtime {

/// One cache of data.
struct Cache {
  int level = 0;
  int64_t bytes = 0;
  int64_t sharing = 0; ///< how many of the processors have it together
};

std::set<int> visibleProcessors();

/// Those of one processor, the nearest first: what the system knows of them. (sysconf adds up the
/// last caches of a package, of which a core may use one.)
std::vector<Cache> findCaches(const std::set<int> &visible);

} // namespace strata::runtime

#endif // STRATA_RUNTIME_CACHES_H
