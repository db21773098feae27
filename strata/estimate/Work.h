// How much a statement has to do, estimated from numbers of stored entries, as if these were spread
// evenly over their tensors.
#ifndef STRATA_ESTIMATE_WORK_H
#define STRATA_ESTIMATE_WORK_H

#include "strata/lower/analysis/IndexStatement.h"
#include "strata/tensor/TensorValue.h"

namespace strata {

/// How much of a tensor is stored. A tensor that is there, and outlives this, says it itself.
struct Occupancy {
  Occupancy(ta::FormatAttr format, llvm::ArrayRef<int64_t> sizes, double stored)
      : format(format), sizes(sizes), stored(stored) {}
  Occupancy(const TensorValue &tensor)
      : Occupancy(tensor.format(), tensor.sizes(), double(tensor.storedCount())) {
    whole = &tensor;
  }

  ta::FormatAttr format;
  llvm::ArrayRef<int64_t> sizes;
  double stored;                      ///< values, padding included
  const TensorValue *whole = nullptr; ///< the tensor, where there is one
};
inline Occupancy occupancyOf(const TensorValue &tensor) { return tensor; }

class WorkEstimate {
public:
  /// Tensors of a statement, and the values of its extents. Both must outlive the estimate.
  WorkEstimate(llvm::function_ref<Occupancy(mlir::Value)> occupancyOf,
               llvm::function_ref<int64_t(mlir::Value)> extentOf)
      : occupancyOf(occupancyOf), extentOf(extentOf) {}

  /// The share of places at which a value of the statement is something else than the fill.
  double density(mlir::Value value) const;

  /// Operations on elements: those with two operands, and one for each term of a reduction or of an
  /// update. Each counts as often as its own value is computed: where its operands, and what it is
  /// multiplied by, have entries.
  double operations(ta::ComputeOp op) const;

  /// The most terms that the statement's sum, of products, can have, wherever the entries lie: all
  /// may lie in one row.
  double mostTerms(ta::ComputeOp op) const;

  /// How often the loops of the plan run their bodies, all together.
  double iterations(const IndexStatement &statement, const LoopPlan &plan) const;

  /// How many steps these loops take: those that run a body, and of merged operands those that go
  /// through one of them alone.
  double steps(const IndexStatement &statement, const LoopPlan &plan) const;
  /// The same in the order that is chosen for the statement; 0 if there is none.
  double steps(ta::ComputeOp op) const;

  /// Entries that the sparse operands store, each operand once.
  double stored(ta::ComputeOp op) const;

private:
  static double densityOf(const Occupancy &tensor);
  double densityOf(mlir::Operation *op) const;
  double product(mlir::ValueRange extents) const;
  double stepsOfWalk(const IndexStatement &statement, mlir::Operation *access,
                     unsigned variable) const;
  double walked(const IndexStatement &statement, const LoopPlan &plan, bool merges) const;
  double shareStored(mlir::Value value, llvm::SmallVectorImpl<mlir::Operation *> &sparse,
                     llvm::SmallDenseMap<mlir::Value, double> &known) const;
  double visited(mlir::Value value, mlir::TypedAttr passedOver) const;
  double visitedBy(ta::ReduceOp reduce) const;
  double operationsIn(mlir::Value value, double places, double wanted, double visited,
                      llvm::SmallPtrSetImpl<mlir::Operation *> &seen) const;

  llvm::function_ref<Occupancy(mlir::Value)> occupancyOf;
  llvm::function_ref<int64_t(mlir::Value)> extentOf;
  mutable llvm::DenseMap<mlir::Value, double> densities;
};

/// " in 4.2 billion steps of loops" where these are many more than the operations, else nothing.
std::string stepsText(double operations, double steps);

} // namespace strata

#endif // STRATA_ESTIMATE_WORK_H
