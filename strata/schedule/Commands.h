// Scheduling commands: each rewrites the loops of a kernel, keeping what they compute.
//
// A command takes a kernel in cin and either rewrites it or says why it does not, and leaves it as
// it was. Whether every access can be walked and the result assembled is no command's concern: that
// is checked once, of the nest that all of them have made.
#ifndef STRATA_SCHEDULE_COMMANDS_H
#define STRATA_SCHEDULE_COMMANDS_H

#include "strata/dialect/cin/Cin.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace strata::schedule {

/// A place where an error is emitted; what the command was is said there.
using Refuse = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// A command as the table has it.
struct Command {
  llvm::StringLiteral name;
  llvm::StringLiteral usage;   ///< its arguments: `reorder(i, j, ...)`
  llvm::StringLiteral summary; ///< one line for help
  /// Null of a command about the tensors of a program (lower/ta/ScheduleTensors).
  mlir::LogicalResult (*apply)(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
};

/// All commands, in the order in which help shows them.
llvm::ArrayRef<Command> commands();

/// Applies the commands in turn. The first that is refused ends it, with an error.
mlir::LogicalResult apply(mlir::func::FuncOp kernel, ta::ScheduleAttr schedule);

/// Marks all contractions that no command has marked, where `contract` is legal and sizes that are
/// known do not speak against it, and adds these commands to the kernel's schedule.
void contractAll(mlir::func::FuncOp kernel);

// One file each.
mlir::LogicalResult reorder(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult collapse(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult precompute(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult assemble(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult split(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult fuse(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult pos(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult divide(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult tile(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult parallelize(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult assume(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult bound(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult locate(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult mergeby(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult vectorize(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult contract(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);
mlir::LogicalResult unroll(mlir::func::FuncOp kernel, ta::CommandAttr command, Refuse refuse);

} // namespace strata::schedule

#endif // STRATA_SCHEDULE_COMMANDS_H
