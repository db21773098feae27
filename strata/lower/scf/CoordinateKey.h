// Coordinates of one or several variables as one number, which is compared at once.
#ifndef STRATA_LOWER_SCF_COORDINATEKEY_H
#define STRATA_LOWER_SCF_COORDINATEKEY_H

#include "strata/lower/utils/ControlFlow.h"

namespace strata {

/// Of one variable the key is the coordinate, an index. Of several, the coordinates lie side by
/// side in an unsigned integer, the first variable's in the highest bits, so that keys have the
/// lexicographic order of the tuples: two coordinates of 32 bits make one word. What is wider
/// than a word, LLVM compares word by word.
class CoordinateKey {
public:
  /// How many bits each coordinate needs. Where there are several, none is negative.
  explicit CoordinateKey(llvm::SmallVector<unsigned> bits) : bits(std::move(bits)) {}

  mlir::Value pack(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange coordinates) const;
  Values unpack(mlir::OpBuilder &b, mlir::Location loc, mlir::Value key) const;
  /// A key that no coordinates have: behind all others.
  mlir::Value behindAll(mlir::OpBuilder &b, mlir::Location loc) const;
  mlir::Value less(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value y) const;
  mlir::Value least(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value y) const;
  mlir::Value greatest(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x, mlir::Value y) const;

private:
  bool isTuple() const { return bits.size() > 1; }
  mlir::IntegerType type(mlir::OpBuilder &b) const;

  llvm::SmallVector<unsigned> bits;
};

} // namespace strata

#endif // STRATA_LOWER_SCF_COORDINATEKEY_H
