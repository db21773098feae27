// The inside of a statement: element expressions as operations of arith, complex and ta.
#ifndef STRATA_FRONTEND_ELEMENTEMITTER_H
#define STRATA_FRONTEND_ELEMENTEMITTER_H

#include "strata/dialect/ta/Ta.h"
#include "strata/frontend/ElementConversion.h"
#include "strata/frontend/Program.h"

#include "mlir/IR/Builders.h"

namespace strata::frontend {

/// An operator or a function of elements of one type.
mlir::Value applyOperator(mlir::OpBuilder &b, mlir::Location loc, Operator op, ElementType type,
                          llvm::ArrayRef<mlir::Value> operands);

/// How an operator that reduces combines values of a type; `Plus` for others. Booleans add up to
/// whether one is true.
ta::Combine combineOf(Operator op, ElementType type);

/// The map from variables to coordinates of an access or a left side.
mlir::AffineMap accessMap(mlir::MLIRContext *context, llvm::ArrayRef<Index> indices,
                          unsigned numDims, llvm::function_ref<unsigned(unsigned)> dimOf);

struct ElementEmitter {
  mlir::OpBuilder &b;
  /// Computed in this type.
  ElementType type;
  llvm::function_ref<mlir::Location(llvm::SMRange)> locate;
  /// Emits what an access, a parameter, a label or a selector reads.
  llvm::function_ref<mlir::Value(const Element &)> tensor;
  llvm::function_ref<ElementType(const Element &)> typeOf;
  /// Of each variable of the statement: its extent, and its name for readers.
  llvm::ArrayRef<mlir::Value> extents;
  llvm::ArrayRef<IndexVar> vars;
  /// The block arguments of the variables in scope.
  llvm::SmallVector<mlir::Value> values;

  mlir::Value emit(const Element &element);

private:
  mlir::Value emitIn(ElementType other, const Element &element);
  mlir::Value apply(const Element &element);
  mlir::Value access(const Element &element);
  mlir::Value read(const Element &element);
  mlir::Value join(const Element &element);
  mlir::Value mask(const Element &element);
  mlir::Value chain(const Element &element);
  mlir::Value sum(const Element &element);
};

} // namespace strata::frontend

#endif // STRATA_FRONTEND_ELEMENTEMITTER_H
