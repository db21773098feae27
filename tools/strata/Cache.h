// Where this user's compiled kernels are kept.
#ifndef STRATA_TOOLS_CACHE_H
#define STRATA_TOOLS_CACHE_H

#include "strata/compile/KernelCompiler.h"

namespace strata::tool {

/// Kernels are looked for in the cache, if there is one. A warning says why one that was chosen, or
/// exists, cannot be used.
void useCache(KernelCompiler &compiler);

} // namespace strata::tool

#endif // STRATA_TOOLS_CACHE_H
