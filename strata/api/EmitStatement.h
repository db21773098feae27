// Statements from their texts to ta.
#ifndef STRATA_API_EMITSTATEMENT_H
#define STRATA_API_EMITSTATEMENT_H

#include "strata/api/Ranks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace strata::api {

/// A program that computes one statement from operands that its caller gives.
struct EmittedStatement {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::RankedTensorType result;
  std::vector<Handle<strata_machine>> machines; ///< that formats and the schedule name
};

/// Who calls this has the session's turn, and collects reports. The result has the format that the
/// options give, or that which follows from the operands.
strata_error *emitStatement(strata_session &session, const char *text,
                            llvm::ArrayRef<strata_operand> operands,
                            const strata_statement_options &options, EmittedStatement &made);

/// The name of an operand, by the argument that it is.
std::string nameOfArgument(mlir::BlockArgument argument);
/// An error where an operand has another number of dimensions than the statement gives it indices.
strata_error *checkOrders(mlir::func::FuncOp main, llvm::ArrayRef<strata_operand> operands);

} // namespace strata::api

#endif // STRATA_API_EMITSTATEMENT_H
