// Storages that refer to the buffers of others, and keep these.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_VIEW_H
#define STRATA_HOST_VIEW_H

#include "strata/runtime/storage/Storage.h"

#include <memory>

namespace strata::host {

/// Makes a storage that keeps the one to whose buffers it refers. What is lent of that is given
/// back with it, if anything is.
std::shared_ptr<runtime::Storage> keeping(runtime::Storage view,
                                          std::shared_ptr<runtime::Storage> kept,
                                          std::shared_ptr<void> lent = nullptr);
/// Returns the storage that such a one keeps; null of any other.
std::shared_ptr<runtime::Storage> keptBy(const std::shared_ptr<runtime::Storage> &storage);

} // namespace strata::host

#endif // STRATA_HOST_VIEW_H
