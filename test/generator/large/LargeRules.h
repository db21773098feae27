// Which statements may be refused, and the page that says so.
#ifndef STRATA_TEST_GENERATOR_LARGE_LARGERULES_H
#define STRATA_TEST_GENERATOR_LARGE_LARGERULES_H

#include "llvm/ADT/StringRef.h"

namespace strata::test {

/// The page, with its section, that documents why a statement is refused with this message; empty
/// if none does.
llvm::StringRef ruleOf(llvm::StringRef message);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_LARGERULES_H
