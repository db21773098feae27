// Failures of Strata itself, as statuses: whoever embeds it goes on, and can report where it
// failed.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_INTERNALERROR_H
#define STRATA_RUNTIME_INTERNALERROR_H

#include "strata/runtime/Status.h"

#include <source_location>
#include <string_view>

namespace strata::runtime {

/// `internal error, at strata/conversion/Conversion.cpp:120: …`: something that the code takes for
/// granted does not hold. What was asked for is not done; nothing else is wrong.
Error internalError(std::string_view what,
                    std::source_location where = std::source_location::current());

} // namespace strata::runtime
#endif // STRATA_RUNTIME_INTERNALERROR_H
