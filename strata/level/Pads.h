// Marks of places that hold no coordinate, for levels that keep such places.
#ifndef STRATA_LEVEL_PADS_H
#define STRATA_LEVEL_PADS_H

#include "strata/level/Emission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace strata {

/// The mark is the least number of a coordinate's width, as a signed one; no coordinate is that.
struct Pads {
  static llvm::APInt mark(mlir::Type stored) {
    return llvm::APInt::getSignedMinValue(stored.getIntOrFloatBitWidth());
  }
  /// The mark as an element of the level's buffers of coordinates.
  static mlir::Value element(BuildView &view) {
    auto value = view.b.getIntegerAttr(view.crdType, mark(view.crdType));
    return mlir::arith::ConstantOp::create(view.b, view.loc, value);
  }
  /// The coordinate at `pos` of a buffer; found unless it is the mark.
  static Found load(LevelView &view, mlir::Value buffer, mlir::Value pos) {
    mlir::Value crd = emit::loadCoordinate(view, buffer, pos);
    mlir::Type stored = mlir::cast<mlir::MemRefType>(buffer.getType()).getElementType();
    mlir::Value none = emit::constant(view, mark(stored).getSExtValue());
    return {crd, mlir::arith::CmpIOp::create(view.b, view.loc, mlir::arith::CmpIPredicate::ne, crd,
                                             none)};
  }
  /// Nothing if the mark is stored there.
  static std::optional<int64_t> coordinate(const StoredLevel::Numbers &crd, int64_t pos) {
    if (asMarks(crd)[pos] == mark(crd))
      return std::nullopt;
    return crd[pos];
  }
  /// How many elements are no marks.
  static int64_t entries(const StoredLevel::Numbers &crd) {
    return crd.count - asMarks(crd).countOf(mark(crd));
  }

private:
  static int64_t mark(const StoredLevel::Numbers &crd) {
    return llvm::APInt::getSignedMinValue(8 * crd.bytes).getSExtValue();
  }
  static StoredLevel::Numbers asMarks(StoredLevel::Numbers crd) {
    crd.isSigned = true;
    return crd;
  }
};

} // namespace strata

#endif // STRATA_LEVEL_PADS_H
