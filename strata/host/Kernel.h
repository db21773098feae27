// A compiled kernel, wherever it comes from.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_KERNEL_H
#define STRATA_HOST_KERNEL_H

#include "strata/runtime/storage/Storage.h"

#include <functional>

namespace strata::host {

/// Computes `result` from the operands; `extents` are those of its index variables.
using Kernel = std::function<runtime::Status(runtime::Storage &result,
                                             std::span<runtime::Storage *const> operands,
                                             std::span<const int64_t> extents)>;

} // namespace strata::host

#endif // STRATA_HOST_KERNEL_H
