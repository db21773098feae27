// From an analyzed program to the ta dialect.
#ifndef STRATA_FRONTEND_EMITTA_H
#define STRATA_FRONTEND_EMITTA_H

#include "strata/frontend/Diagnostics.h"
#include "strata/frontend/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace strata::frontend {

/// A module with one function `main` of ta operations on values. Locations are lines and columns
/// of the program's text; what defines a tensor carries its name (a NameLoc around the place).
/// Null, with messages in `diagnostics`, where the program asks for what ta cannot say yet.
mlir::OwningOpRef<mlir::ModuleOp> emitTa(const Program &program, mlir::MLIRContext *context,
                                         Diagnostics &diagnostics);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_EMITTA_H
