// The provider of a run in one process, which needs no MPI.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_SELF_H
#define STRATA_RUNTIME_DIST_SELF_H

#include "strata/runtime/dist/Provider.h"

namespace strata::runtime::dist {

/// A group of one process, whose messages to itself are copied when they are started.
const strata_provider &selfProvider();

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_SELF_H
