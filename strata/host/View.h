// Storages that refer to the buffers of others, and keep these.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_VIEW_H
#define STRATA_HOST_VIEW_H

#include "strata/runtime/storage/Storage.h"

#include <memory>
#include <span>
#include <vector>

namespace strata::host {

/// Makes a storage that keeps those to whose buffers it refers. What is lent of these is given back
/// with it, if anything is.
std::shared_ptr<runtime::Storage> keeping(runtime::Storage view,
                                          std::vector<std::shared_ptr<runtime::Storage>> kept,
                                          std::shared_ptr<void> lent = nullptr);
/// Returns the storages that such a one keeps; none of any other.
std::span<const std::shared_ptr<runtime::Storage>>
keptBy(const std::shared_ptr<runtime::Storage> &storage);

} // namespace strata::host

#endif // STRATA_HOST_VIEW_H
