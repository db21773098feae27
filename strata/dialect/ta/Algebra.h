// What combining operators and element operations do with constants: identities, annihilators,
// and the folding by which absent operands decide what a loop must visit.
#ifndef STRATA_DIALECT_TA_ALGEBRA_H
#define STRATA_DIALECT_TA_ALGEBRA_H

#include "strata/dialect/ta/Ta.h"

namespace strata::ta {

/// The value that `combine` leaves others unchanged with, of an element type. `any` has none: zero
/// stands for it.
mlir::TypedAttr identityOf(Combine combine, mlir::Type type);

/// Emits `a combine b`.
mlir::Value emitCombine(mlir::OpBuilder &b, mlir::Location loc, Combine combine, mlir::Value a,
                        mlir::Value b2);

/// The same inside a statement, whose operations the reference interpreter and folding know.
mlir::Value emitUpdate(mlir::OpBuilder &b, mlir::Location loc, Combine combine, mlir::Value before,
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

/// Does an element operation ask which of its operands are there: masks, filters, unions?
bool asksPresence(mlir::Operation *op);

/// Folds an element operation whose operands are constants or null (unknown): its constant
/// result, or null, or one of its operands through `same`. An annihilator wins even over an
/// operand that may be NaN (DESIGN: what is absent annihilates). A missing operand makes the result
/// missing, but where the operation says otherwise.
mlir::TypedAttr foldElement(mlir::Operation *op, llvm::ArrayRef<mlir::TypedAttr> operands,
                            mlir::Value &same);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_ALGEBRA_H
