// Holds what lvl.contract says of a dense contraction, for the passes that emit its blocks.
#ifndef STRATA_LOWER_SCF_CONTRACTION_H
#define STRATA_LOWER_SCF_CONTRACTION_H

#include "strata/dialect/lvl/Lvl.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace strata {

struct Contraction {
  explicit Contraction(lvl::ContractOp op)
      : roles(llvm::map_to_vector(op.getRoles(), [](int32_t role) { return lvl::Role(role); })),
        accesses{{op.getLeft(), op.getLeftBegin(), op.getLeftStrides()},
                 {op.getRight(), op.getRightBegin(), op.getRightStrides()},
                 {op.getResult(), op.getResultBegin(), op.getResultStrides()}},
        extents(op.getExtents()), scales(op.getScales()), nesting(op.getNesting()),
        negates(op.getNegates()), overwrites(op.getOverwrites()),
        element(op.getResult().getType().getElementType()), sums(op.getSums()),
        products(op.getProducts()) {}

  enum Tensor { left, right, result };
  struct Access {
    mlir::Value buffer, begin;
    llvm::SmallVector<mlir::Value> strides; ///< by label
  };

  llvm::SmallVector<lvl::Role> roles; ///< by label
  Access accesses[3];
  llvm::SmallVector<mlir::Value> extents; ///< by label
  llvm::SmallVector<mlir::Value> scales;
  llvm::SmallVector<int64_t> nesting; ///< by label
  bool negates, overwrites;
  mlir::Type element;
  ta::Combine sums, products;

  bool moves(Tensor tensor, unsigned label) const {
    switch (roles[label]) {
    case lvl::Role::batched:
      return true;
    case lvl::Role::row:
      return tensor != right;
    case lvl::Role::column:
      return tensor != left;
    case lvl::Role::summed:
      break;
    }
    return tensor != result;
  }
  /// Tells whether a step moves to the next element.
  bool isUnit(Tensor tensor, unsigned label) const {
    return mlir::getConstantIntValue(accesses[tensor].strides[label]) == 1;
  }
};

} // namespace strata

#endif // STRATA_LOWER_SCF_CONTRACTION_H
