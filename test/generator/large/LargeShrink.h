// Makes a failing statement smaller, and tells how to run it by hand.
#ifndef STRATA_TEST_GENERATOR_LARGE_LARGESHRINK_H
#define STRATA_TEST_GENERATOR_LARGE_LARGESHRINK_H

#include "LargeCase.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace strata::test {

/// The smallest case found for which `fails` still holds, after at most `tries` calls.
LargeCase shrinkLarge(LargeCase failing, llvm::function_ref<bool(const LargeCase &)> fails,
                      int tries);

/// Writes the operands into the folder, and gives the command that computes the statement.
std::string commandFor(const LargeCase &c, const std::string &folder);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_LARGESHRINK_H
