// Functions for which the code generator knows no instruction and no exact expansion.
#ifndef STRATA_LOWER_ENTRY_CALLMATHLIBRARY_H
#define STRATA_LOWER_ENTRY_CALLMATHLIBRARY_H

#include "mlir/Pass/Pass.h"

namespace strata {

/// A pass that makes calls of the C library of `asinh acosh atanh cbrt erf erfc expm1 log1p`:
/// expanded into exponentials and logarithms, as upstream does, the last two lose all digits near
/// 0.
std::unique_ptr<mlir::Pass> createCallMathLibrary();

} // namespace strata

#endif // STRATA_LOWER_ENTRY_CALLMATHLIBRARY_H
