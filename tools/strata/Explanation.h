// What a program does, in words.
#ifndef STRATA_TOOLS_EXPLANATION_H
#define STRATA_TOOLS_EXPLANATION_H

#include "mlir/IR/BuiltinOps.h"

namespace strata::tool {

/// Prints it, statement by statement, with storages whose widths are left open at `width` bits.
/// False if a kernel could not be compiled, which was reported.
bool explainProgram(mlir::ModuleOp program, unsigned width);

} // namespace strata::tool

#endif // STRATA_TOOLS_EXPLANATION_H
