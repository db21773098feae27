// What combining operators and element operations do with constants: identities, annihilators,
// and the folding by which absent operands decide what a loop must visit.
#ifndef STRATA_DIALECT_TA_ALGEBRA_H
#define STRATA_DIALECT_TA_ALGEBRA_H

#include "strata/dialect/ta/Ta.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace strata::ta {

/// The value that `combine` leaves others unchanged with, of an element type. `any` has none: zero
/// stands for it.
mlir::TypedAttr identityOf(Combine combine, mlir::Type type);

/// How many bytes an element takes.
int64_t bytesOf(mlir::Type element);

/// Emits `a combine b`.
mlir::Value emitCombine(mlir::OpBuilder &b, mlir::Location loc, Combine combine, mlir::Value a,
                        mlir::Value b2);

/// The same inside a statement, whose operations the reference interpreter and folding know.
mlir::Value emitUpdate(mlir::OpBuilder &b, mlir::Location loc, Combine combine, mlir::Value before,
                       mlir::Value value);

/// Tells whether a constant inside the operation is infinite or no number.
bool hasInfinity(mlir::Operation *op);

/// How a processor combines a value with one in memory, so that several threads can at once.
/// Nothing where that is none of its operations.
std::optional<mlir::arith::AtomicRMWKind> atomicKindOf(Combine combine, mlir::Type type);

/// Tells whether the value may be missing, inside a statement.
bool mayBeMissing(mlir::Value value);

/// Emits what an update makes of a place, inside a statement: `before` reads what is there, as
/// missing where nothing is stored or as the fill. A missing value leaves it. `neutral`: the fill
/// is what the operator leaves others unchanged with. `joins`: what is not stored is no operand.
mlir::Value emitUpdated(mlir::OpBuilder &b, mlir::Location loc, Combine combine, bool joins,
                        bool neutral, llvm::function_ref<mlir::Value(bool missing)> before,
                        mlir::Value value);

/// Emits whether a value is not zero, as an i1.
mlir::Value emitIsTrue(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value);

/// Emits the one or the other: `condition` is an i1.
mlir::Value emitSelect(mlir::OpBuilder &b, mlir::Location loc, mlir::Value condition,
                       mlir::Value yes, mlir::Value no);

/// Emits ta.compare on values: an i1.
mlir::Value emitCompare(mlir::OpBuilder &b, mlir::Location loc, Relation relation, mlir::Value x,
                        mlir::Value y);

/// Emits ta.to_integer on a value.
mlir::Value emitToInteger(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, mlir::Type to,
                          bool isUnsigned);

/// Emits a constant of any element type, complex included.
mlir::Value emitConstant(mlir::OpBuilder &b, mlir::Location loc, mlir::TypedAttr value);

/// Emits the negative of a value of any element type.
mlir::Value emitNegative(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value);
/// Returns what an operation negates (emitNegative makes such); null of other operations, and of
/// null.
mlir::Value negatedBy(mlir::Operation *op);

/// Does an element operation ask which of its operands are there: masks, filters, unions?
bool asksPresence(mlir::Operation *op);

/// A value as far as it is known when a statement is compiled.
struct Known {
  mlir::TypedAttr value = {}; ///< null: only the run knows
  /// It follows from what operands do not store; else from constants alone.
  bool absent = false;

  explicit operator bool() const { return bool(value); }
};

/// Tells whether the value is known to be that of what is not there.
bool isMissing(mlir::TypedAttr value);

/// The number that an operation of arith or complex is written for; null if it is no constant.
mlir::TypedAttr constantOf(mlir::Operation *op);

/// Folds an element operation on operands that may be known: its result, or null, or one of its
/// operands through `same`. What is absent and annihilates wins even over an operand that may be
/// NaN or infinite; a constant of the same value does not. A missing operand makes the result
/// missing, but where the operation says otherwise.
Known foldElement(mlir::Operation *op, llvm::ArrayRef<Known> operands, mlir::Value &same);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_ALGEBRA_H
