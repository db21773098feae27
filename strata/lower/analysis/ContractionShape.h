// The sizes of dense contractions, seen as products of matrices.
#ifndef STRATA_LOWER_ANALYSIS_CONTRACTIONSHAPE_H
#define STRATA_LOWER_ANALYSIS_CONTRACTIONSHAPE_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

/// A sum of products of two dense tensors: `batch` times, a matrix of rows x depth times one of
/// depth x columns.
struct ContractionShape {
  /// All labels of one kind, as one dimension.
  struct Labels {
    double size = 1;
    unsigned count = 0;

    void add(int64_t extent) {
      size *= double(extent);
      ++count;
    }
    bool operator==(const Labels &) const = default;
  };
  Labels batch, rows, columns, depth;
  double elementBytes = 0;

  /// Operations: a product and a sum for each term.
  double operations() const { return 2 * batch.size * rows.size * columns.size * depth.size; }
  bool operator==(const ContractionShape &) const = default;
};

/// That of a sum; nothing if its terms are no products of two dense tensors, if no label is free in
/// one of the two (a product of a matrix and a vector), or if there are so few products that they
/// are computed in loops as they are.
std::optional<ContractionShape> contractionShape(const IndexStatement &statement,
                                                 ta::ReduceOp reduce,
                                                 llvm::function_ref<int64_t(mlir::Value)> extentOf);
/// Tells whether the sum is a contraction, if each label has many values.
bool isDenseContraction(const IndexStatement &statement, ta::ReduceOp reduce);

/// Those of all sums of a statement.
llvm::SmallVector<ContractionShape>
contractionShapes(ta::ComputeOp op, llvm::function_ref<int64_t(mlir::Value)> extentOf);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_CONTRACTIONSHAPE_H
