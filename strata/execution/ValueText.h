// Stored values as text.
#ifndef STRATA_EXECUTION_VALUETEXT_H
#define STRATA_EXECUTION_VALUETEXT_H

#include "strata/runtime/storage/Storage.h"
#include <string>

namespace strata {

/// Value `at` of a storage, as `print` writes it.
std::string valueText(const runtime::Storage &storage, int64_t at);

} // namespace strata

#endif // STRATA_EXECUTION_VALUETEXT_H
