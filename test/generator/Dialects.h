// The dialects of the contexts in which statements are drawn and run.
#ifndef STRATA_TEST_GENERATOR_DIALECTS_H
#define STRATA_TEST_GENERATOR_DIALECTS_H

#include "strata/lower/Pipeline.h"

namespace strata::test {

/// Returns all dialects that a program passes through.
inline mlir::DialectRegistry allDialects() {
  mlir::DialectRegistry all;
  registerDialects(all);
  return all;
}

} // namespace strata::test

#endif // STRATA_TEST_GENERATOR_DIALECTS_H
