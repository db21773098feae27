// Rows in vectors, and vectors in tiles.
#ifndef STRATA_LOWER_SCF_ROWTILES_H
#define STRATA_LOWER_SCF_ROWTILES_H

#include "strata/lower/scf/VectorElements.h"

namespace strata {

/// Places of one vector in a row, from `first` on: all of it or, with a mask, a part.
struct Lanes {
  mlir::Value first, mask;
};

/// A row of `size` elements in vectors of 64 bytes, or in one of its own size if that is known, a
/// power of two, and less. A tile is four of them, which leave room for
/// operands in the sixteen registers of AVX2 where each takes two.
class RowTiles {
public:
  /// Puts what is done to the vectors of a tile in front of `before`.
  using Emit = llvm::function_ref<void(mlir::Operation *before, mlir::ArrayRef<Lanes> tile)>;

  RowTiles(mlir::Location loc, mlir::Value size, mlir::Type element)
      : loc(loc), size(size), element(element) {}

  int64_t lanes() const;
  mlir::VectorType type() const { return typeOf(element); }
  /// As many elements of another type.
  mlir::VectorType typeOf(mlir::Type other) const { return vectorOf(other, lanes()); }

  /// Emits a loop over whole tiles; the value is where the last one ends.
  mlir::Value emitWhole(mlir::OpBuilder &b, Emit emit) const;
  /// Of what is left two vectors, one, and a part of one: a mask costs more than another tile.
  void emitParts(mlir::OpBuilder &b, Emit emit) const;
  /// Two vectors from `first` on, where as many are left behind whole tiles; the value is where
  /// they end.
  mlir::Value emitHalf(mlir::OpBuilder &b, mlir::Value first, Emit emit) const;
  /// Vector by vector from `first` on, each under a mask.
  void emitMasked(mlir::OpBuilder &b, mlir::Value first, Emit emit) const;

  /// The vector at a place of the row that begins at `base` of a buffer, at its begin if that is
  /// null, of the buffer's elements. What the mask leaves out is zero.
  mlir::Value load(mlir::OpBuilder &b, mlir::Value buffer, mlir::Value base,
                   const Lanes &place) const;
  void store(mlir::OpBuilder &b, mlir::Value values, mlir::Value buffer, mlir::Value base,
             const Lanes &place) const;

private:
  VectorWindow windowAt(mlir::OpBuilder &b, mlir::Value buffer, mlir::Value base,
                        const Lanes &place) const;
  mlir::Value constant(mlir::OpBuilder &b, int64_t value) const;
  mlir::Value rounded(mlir::OpBuilder &b, int64_t unit) const;
  void emitTile(mlir::Operation *before, mlir::Value first, int64_t count, mlir::Value rest,
                Emit emit) const;

  mlir::Location loc;
  mlir::Value size;
  mlir::Type element;
};

} // namespace strata

#endif // STRATA_LOWER_SCF_ROWTILES_H
