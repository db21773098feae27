// Statements in index notation, as a person could have typed them.
#ifndef STRATA_DIALECT_TA_NOTATION_H
#define STRATA_DIALECT_TA_NOTATION_H

#include "strata/dialect/ta/Ta.h"

#include <string>

namespace strata::ta {

/// What the program calls a tensor, `otherwise` if it has no name.
std::string nameOf(mlir::Value tensor, llvm::StringRef otherwise = "?");

/// The same in quotes, as messages name it: 'A', or "an operand".
std::string quotedNameOf(mlir::Value tensor);

/// "spmv.ta:4:3" of an operation in a program's text, or "strata".
std::string placeOf(mlir::Operation *op);
std::string placeOf(mlir::Location location);

/// What the program calls an operand of a statement, or A, B, ... where it has no name. The parts
/// of a tensor in a hybrid format are told apart by their formats: A_ELL, A_COO.
std::string operandName(ComputeOp op, mlir::Value operand);

/// The statement as the user wrote it, with its schedule if it has one. What the compiler has split
/// off, fused or divided into parts is shown by `notation`, as is a statement that has no source
/// text.
std::string statementText(ComputeOp op);
std::string statementText(ConcatOp op);
/// The same of an operation that is one of the two.
std::string statementText(mlir::Operation *op);

/// What the operation computes, in the notation of a statement on the command line:
/// "y(i) = sum(j, A(i,j) * x(j))", "C(i,j)<!M, replace> += A(i,j)". Index variables run from 0. A
/// schedule stands behind it.
std::string notation(ComputeOp op);

/// A value inside a statement, in the same notation: "A(i,k) * B(k,j)".
std::string valueText(ComputeOp op, mlir::Value value);

/// A schedule as it stands behind a statement: "schedule { reorder(i, k, j); }".
std::string scheduleText(ScheduleAttr schedule);

/// Its commands alone, as they stand between the braces: "reorder(i, k, j); assemble(C, Insert)".
std::string commandsText(ScheduleAttr schedule);

/// A command as it stands in a schedule: "reorder(i, k, j)".
std::string commandText(CommandAttr command);

/// A number as it is written: 0.5, -3, (1 + 2i).
std::string constantText(mlir::Attribute value);

/// A location that carries the source text of the statement that stands there.
mlir::Location withSourceText(mlir::Location place, llvm::StringRef text);

/// Gives a statement a schedule, whose commands stand at these places.
void setSchedule(ComputeOp op, ScheduleAttr schedule, llvm::ArrayRef<mlir::Location> places);

/// The place of a command of an operation's schedule; that of the operation if it carries none.
mlir::Location placeOfCommand(mlir::Operation *op, unsigned command);

/// The source text that the location of a statement carries; empty if there is none.
llvm::StringRef sourceTextOf(mlir::Operation *op);

/// A location that says which function, operator or cast of the language an element operation
/// belongs to: `mod` takes ten operations, and is shown as mod(a, b).
mlir::Location inFunction(mlir::Location place, llvm::StringRef name);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_NOTATION_H
