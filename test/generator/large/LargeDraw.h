// The draw at size: strata-generator-tests --large.
#ifndef STRATA_TEST_GENERATOR_LARGE_LARGEDRAW_H
#define STRATA_TEST_GENERATOR_LARGE_LARGEDRAW_H

#include "llvm/ADT/ArrayRef.h"

namespace strata::test {

/// Draws, judges and reports, as the arguments behind --large say; gives the process's exit code.
int runLarge(llvm::ArrayRef<const char *> arguments);

/// What --help says of it.
extern const char *const largeHelp;

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_LARGE_LARGEDRAW_H
