// Modules of linalg and sparse_tensor as programs of ta.
#ifndef STRATA_INTEROP_IMPORTLINALG_H
#define STRATA_INTEROP_IMPORTLINALG_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

#include <string>

namespace strata::interop {

/// The dialects that such modules are written in.
void registerDialects(mlir::DialectRegistry &registry);

/// Tells whether a function is written in other operations than those of programs.
bool needsImport(mlir::func::FuncOp function);

/// The function of this name; without a name `main`, or the only function that has a body. Null if
/// there is none.
mlir::func::FuncOp findEntry(mlir::ModuleOp module, llvm::StringRef name);

/// What a message says of a module in which that finds nothing: "the module has no function 'f'; it
/// has g, h".
std::string entryMissing(mlir::ModuleOp module, llvm::StringRef name);

/// Makes the module a program whose function `main` does what `entry` does: it takes and returns
/// tensors in the formats that the encodings say; scalars are tensors without dimensions. Calls of
/// other functions of the module become part of it. Errors stand at the operations that have no
/// counterpart, and leave the module as it was.
mlir::LogicalResult importLinalg(mlir::ModuleOp module, mlir::func::FuncOp entry);

/// Makes the module a program whose `main` is `entry`: imports it where it needs that, and else
/// leaves it alone with the machines that its tensors are placed on.
mlir::LogicalResult makeProgram(mlir::ModuleOp module, mlir::func::FuncOp entry);

/// Registers the pass strata-import-linalg.
void registerPasses();

} // namespace strata::interop

#endif // STRATA_INTEROP_IMPORTLINALG_H
