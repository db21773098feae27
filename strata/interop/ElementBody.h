// Bodies of structured operations: scalars of arith, math and complex, and the operations of
// sparse_tensor that tell what is stored from what is not.
#ifndef STRATA_INTEROP_ELEMENTBODY_H
#define STRATA_INTEROP_ELEMENTBODY_H

#include "strata/dialect/ta/Ta.h"

#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace strata::interop {

/// Reports that an operation cannot be imported, and why.
mlir::InFlightDiagnostic refuse(mlir::Operation *op);

/// What a body asks of the statement around it.
class ElementSource {
public:
  virtual ~ElementSource();
  /// Tells whether an operation is part of the body.
  virtual bool isInside(mlir::Operation *op) = 0;
  /// The value of an operand of the structured operation, by its argument of the body: as missing
  /// where the tensor stores nothing, if `missing`.
  virtual mlir::FailureOr<mlir::Value> read(mlir::BlockArgument argument, bool missing) = 0;
  /// Tells whether the operand's encoding gives all that it stores one value.
  virtual bool hasExplicitValue(mlir::BlockArgument argument) = 0;
  /// The coordinate of a loop, as an i64.
  virtual mlir::FailureOr<mlir::Value> coordinate(mlir::Operation *at, unsigned loop) = 0;
  /// A scalar from around the structured operation.
  virtual mlir::FailureOr<mlir::Value> scalar(mlir::Operation *at, mlir::Value outside) = 0;
};

/// The operator by which a reduction's body, or one of its operations, combines two values; nothing
/// if it is none of ta's.
std::optional<ta::Combine> combineOf(mlir::Operation *op);
/// The same of a region of two arguments that yields what it makes of them.
std::optional<ta::Combine> combineOf(mlir::Region &region);

/// Says what a minimum or maximum does with terms that are no number: they are its result, it
/// passes over them as maxnumf does, or what it gives depends on the order of the terms.
enum class NanRule { taken, passedOver, unordered };
/// The rule of an operation that combines what was there, its operand `before`, with a term.
NanRule nanRuleOf(mlir::Operation *op, mlir::Value before);

/// Translates one value of a body and what it is made of, at the builder's place.
///
/// An operation on values of sparse tensors reads what they do not store as the fill. Where an
/// operation of sparse_tensor is part of an expression, a value can be missing: products of it are
/// missing, too, sums are those of the terms that are there.
class ElementBody {
public:
  ElementBody(mlir::OpBuilder &builder, ElementSource &source) : b(builder), source(source) {}

  mlir::FailureOr<mlir::Value> emit(mlir::Value value) { return emit(value, asks(value)); }
  /// As missing where what it reads stores nothing.
  mlir::FailureOr<mlir::Value> emitStored(mlir::Value value) { return emit(value, true); }

private:
  using Result = mlir::FailureOr<mlir::Value>;

  bool asks(mlir::Value value);
  Result emit(mlir::Value value, bool missing);
  Result emitArgument(mlir::BlockArgument argument, bool missing);
  Result emitOperation(mlir::Operation *op, bool missing);
  mlir::LogicalResult emitOperands(mlir::Operation *op, bool missing,
                                   llvm::SmallVectorImpl<mlir::Value> &operands);
  Result emitSum(mlir::Operation *op);
  Result emitPlain(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands);
  Result emitComparison(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands);
  Result emitComposed(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands);
  Result emitConstant(mlir::Operation *op);
  Result emitUnary(mlir::sparse_tensor::UnaryOp op);
  Result emitBinary(mlir::sparse_tensor::BinaryOp op);
  Result emitSelect(mlir::sparse_tensor::SelectOp op);
  /// What a region yields for these arguments; missing where one of them is.
  Result emitRegion(mlir::Region &region, mlir::ValueRange arguments);
  /// The union of parts, of which no two are there together.
  mlir::Value join(mlir::Location loc, llvm::ArrayRef<mlir::Value> parts);

  mlir::OpBuilder &b;
  ElementSource &source;
  llvm::DenseMap<mlir::Value, mlir::Value> bound;   ///< arguments of regions inside
  llvm::DenseMap<mlir::Value, mlir::Value> made[2]; ///< so far; as missing, the second
};

} // namespace strata::interop

#endif // STRATA_INTEROP_ELEMENTBODY_H
