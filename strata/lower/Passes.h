// Strata's own passes; Passes.td says what each does.
#ifndef STRATA_LOWER_PASSES_H
#define STRATA_LOWER_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace strata {

#define GEN_PASS_DECL
#include "strata/lower/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "strata/lower/Passes.h.inc"

} // namespace strata

#endif // STRATA_LOWER_PASSES_H
