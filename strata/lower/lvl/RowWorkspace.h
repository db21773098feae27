// A dense workspace inside the loops: a temporary of one value for all values of some index
// variables, such as a row of a product that the next product reads.
//
// It is allocated once, before all loops, and filled with the reduction's identity at the place
// where its `cin.temp` stands. Rows are read densely, so that the fill costs no more than reading.
#ifndef STRATA_LOWER_LVL_ROWWORKSPACE_H
#define STRATA_LOWER_LVL_ROWWORKSPACE_H

#include "strata/dialect/cin/Cin.h"

namespace strata {

class RowWorkspace {
public:
  RowWorkspace() = default;
  /// Allocates room for what `temp`, which is no scalar, will hold.
  RowWorkspace(mlir::OpBuilder &b, cin::TempOp temp);
  /// Room for values over these extents that all pieces of a loop share; at first of any value.
  RowWorkspace(mlir::OpBuilder &b, mlir::Location loc, mlir::TypedAttr identity,
               llvm::ArrayRef<mlir::Value> extents);

  /// Makes every value the identity of the temporary's operator.
  void reset(mlir::OpBuilder &b, mlir::Location loc) const;
  /// The same of the values with that first coordinate.
  void resetRow(mlir::OpBuilder &b, mlir::Location loc, mlir::Value row) const;
  mlir::Value load(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange coordinates) const;
  void store(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange coordinates,
             mlir::Value value) const;
  /// Where the value with these coordinates lies in the buffer.
  mlir::Value place(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange coordinates) const;
  mlir::Value buffer() const { return values; }
  /// How many values the row has in a dimension.
  mlir::Value extent(unsigned dim) const { return extents[dim]; }

private:
  void fill(mlir::OpBuilder &b, mlir::Location loc, mlir::Value begin, mlir::Value end) const;

  mlir::SmallVector<mlir::Value> extents;
  mlir::Value count, values;
  mlir::TypedAttr identity;
};

} // namespace strata

#endif // STRATA_LOWER_LVL_ROWWORKSPACE_H
