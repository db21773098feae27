// The values that storages hold, without their levels.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_STOREDVALUES_H
#define STRATA_HOST_STOREDVALUES_H

#include "strata/runtime/storage/Storage.h"

#include <memory>

namespace strata::host {

/// Makes a vector of a storage's values, where they lie; it keeps the storage.
std::shared_ptr<runtime::Storage> valuesOf(std::shared_ptr<runtime::Storage> storage);

/// Makes a storage with the levels of `pattern` and the values of a vector, of which there are as
/// many. What nobody else has is taken over, all other buffers are copied.
runtime::Result<std::shared_ptr<runtime::Storage>>
withValues(std::shared_ptr<runtime::Storage> pattern, std::shared_ptr<runtime::Storage> values);

} // namespace strata::host

#endif // STRATA_HOST_STOREDVALUES_H
