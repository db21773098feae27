// The inside of a statement: element expressions as operations of arith, complex and ta.
#ifndef STRATA_FRONTEND_ELEMENTEMITTER_H
#define STRATA_FRONTEND_ELEMENTEMITTER_H

#include "strata/dialect/ta/Ta.h"
#include "strata/frontend/Program.h"

#include "mlir/IR/Builders.h"

namespace strata::frontend {

/// `value` as an element of another type, which holds at least as much unless it is narrower of
/// the same kind.
mlir::Value convertElement(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                           mlir::Type to);

/// -value.
mlir::Value negateElement(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value);

/// An operator or a function of elements of one type.
mlir::Value applyOperator(mlir::OpBuilder &b, mlir::Location loc, Operator op,
                          llvm::ArrayRef<mlir::Value> operands);

/// How an operator that reduces combines; `Plus` for others.
ta::Combine combineOf(Operator op);

/// A constant of an element type. `integer` is exact where it is given.
mlir::TypedAttr elementConstant(mlir::Type type, double value, std::optional<int64_t> integer);

/// The map from variables to coordinates of an access or a left side.
mlir::AffineMap accessMap(mlir::MLIRContext *context, llvm::ArrayRef<Index> indices,
                          unsigned numDims, llvm::function_ref<unsigned(unsigned)> dimOf);

struct ElementEmitter {
  mlir::OpBuilder &b;
  /// Computed in this type.
  mlir::Type type;
  llvm::function_ref<mlir::Location(llvm::SMRange)> locate;
  llvm::function_ref<mlir::Value(TensorId)> tensor;
  /// Of each variable of the statement: its extent, and its name for readers.
  llvm::ArrayRef<mlir::Value> extents;
  llvm::ArrayRef<IndexVar> vars;
  /// The block arguments of the variables in scope.
  llvm::SmallVector<mlir::Value> values;

  mlir::Value emit(const Element &element);

private:
  mlir::Value access(const Element &element);
  mlir::Value read(const Element &element);
  mlir::Value join(const Element &element);
  mlir::Value mask(const Element &element);
  mlir::Value chain(const Element &element);
  mlir::Value sum(const Element &element);
};

} // namespace strata::frontend

#endif // STRATA_FRONTEND_ELEMENTEMITTER_H
