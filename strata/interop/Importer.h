// What the parts of the importer share: values so far, and where the program goes.
#ifndef STRATA_INTEROP_IMPORTER_H
#define STRATA_INTEROP_IMPORTER_H

#include "strata/interop/ElementBody.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace strata::interop {

/// Imports functions, operation by operation.
class Importer {
public:
  explicit Importer(mlir::MLIRContext *context) : b(context) {}

  /// A function `main`, detached, which does what `entry` does; null after errors.
  mlir::OwningOpRef<mlir::func::FuncOp> run(mlir::func::FuncOp entry);

  //===----------------------------------------------------------------------------------------===//
  // Values
  //===----------------------------------------------------------------------------------------===//

  mlir::OpBuilder b;

  /// What a tensor, a scalar or a size has become; null if it was not imported.
  mlir::Value find(mlir::Value value) const { return values.lookup(value); }
  /// The type of a tensor here, or an error at the operation.
  mlir::FailureOr<mlir::RankedTensorType> typeOf(mlir::Operation *at, mlir::Type type);
  /// The number that an integer or a size is, if the text says it.
  std::optional<int64_t> numberOf(mlir::Value value) const;
  /// The element that all of a tensor is known to be: of what is only allocated, null, with
  /// `isEmpty`.
  struct Start {
    bool isEmpty = false;
    mlir::TypedAttr splat = {};
  };
  Start startOf(mlir::Value tensor) const { return starts.lookup(tensor); }
  /// A scalar as a tensor without dimensions.
  mlir::FailureOr<mlir::Value> scalarOf(mlir::Operation *at, mlir::Value value);
  /// A size.
  mlir::FailureOr<mlir::Value> indexOf(mlir::Operation *at, mlir::Value index);
  /// The size of a dimension of a tensor here.
  mlir::Value sizeOf(mlir::Location loc, mlir::Value tensor, unsigned dim);
  /// The sizes of a type's dynamic dimensions, from all sizes.
  mlir::SmallVector<mlir::Value> dynamicSizes(mlir::RankedTensorType type, mlir::ValueRange all);
  /// One statement `result[map(v)] = source[access(v)]`, `v` in extents.
  mlir::Value copy(mlir::Location loc, mlir::RankedTensorType result, mlir::ValueRange sizes,
                   mlir::Value init, mlir::AffineMap out, mlir::ValueRange extents,
                   mlir::Value from, mlir::AffineMap access);
  mlir::ArrayAttr namesOf(unsigned count);

private:
  mlir::Value reshaped(mlir::Location loc, mlir::RankedTensorType type, mlir::ValueRange sizes,
                       mlir::Value tensor, llvm::ArrayRef<mlir::AffineExpr> place);
  mlir::LogicalResult importBody(mlir::func::FuncOp function,
                                 mlir::SmallVectorImpl<mlir::Value> &results);
  mlir::LogicalResult import(mlir::Operation *op);
  mlir::LogicalResult importCall(mlir::func::CallOp op);
  mlir::LogicalResult importConstant(mlir::arith::ConstantOp op);
  mlir::LogicalResult importEmpty(mlir::Operation *op, mlir::ValueRange sizes);
  mlir::LogicalResult importAlloc(mlir::bufferization::AllocTensorOp op);
  mlir::LogicalResult importSize(mlir::Operation *op);
  mlir::LogicalResult importDim(mlir::tensor::DimOp op);
  mlir::LogicalResult importLevelSize(mlir::sparse_tensor::LvlOp op);
  mlir::LogicalResult importConversion(mlir::Operation *op);
  mlir::LogicalResult importConcatenation(mlir::sparse_tensor::ConcatenateOp op);
  mlir::LogicalResult importCount(mlir::sparse_tensor::NumberOfEntriesOp op);
  mlir::LogicalResult importNew(mlir::sparse_tensor::NewOp op);
  mlir::LogicalResult importOut(mlir::sparse_tensor::OutOp op);
  mlir::LogicalResult importGenerate(mlir::tensor::GenerateOp op);
  mlir::LogicalResult importTransferRead(mlir::vector::TransferReadOp op);
  mlir::LogicalResult importPrint(mlir::Operation *op);
  mlir::LogicalResult importSlicePlace(mlir::Operation *op);
  mlir::LogicalResult importExtract(mlir::tensor::ExtractOp op);
  mlir::LogicalResult importInsert(mlir::tensor::InsertOp op);
  mlir::LogicalResult importFromElements(mlir::tensor::FromElementsOp op);
  mlir::LogicalResult importExtractSlice(mlir::tensor::ExtractSliceOp op);
  mlir::LogicalResult importInsertSlice(mlir::tensor::InsertSliceOp op);
  mlir::LogicalResult importPad(mlir::tensor::PadOp op);
  mlir::LogicalResult importCollapse(mlir::tensor::CollapseShapeOp op);
  mlir::LogicalResult importExpand(mlir::tensor::ExpandShapeOp op);
  mlir::LogicalResult importScalars(mlir::Operation *op);
  /// ImportStructured.cpp
  mlir::LogicalResult importStructured(mlir::linalg::LinalgOp op);
  mlir::LogicalResult importAggregate(mlir::linalg::AggregatedOpInterface op);
  /// The file that an upstream program names by getTensorFilename.
  mlir::FailureOr<std::string> fileOf(mlir::Operation *op, mlir::Value name);
  /// The affine map to the coordinates that operations name by constants.
  mlir::FailureOr<mlir::AffineMap> constantPlace(mlir::Operation *op, mlir::ValueRange indices);
  mlir::LogicalResult define(mlir::Value from, mlir::Value to);

  mlir::func::FuncOp main;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  llvm::DenseMap<mlir::Value, Start> starts;
  llvm::DenseMap<mlir::Value, int64_t> numbers;
  llvm::DenseMap<mlir::Value, std::string> files;
  mlir::SmallVector<mlir::func::FuncOp> calls; ///< that are being imported

  friend class StructuredImport;
};

} // namespace strata::interop

#endif // STRATA_INTEROP_IMPORTER_H
