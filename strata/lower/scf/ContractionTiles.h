// A tile of the result of a blocked contraction: its sums, kept in registers, and how they are
// added to the result.
#ifndef STRATA_LOWER_SCF_CONTRACTIONTILES_H
#define STRATA_LOWER_SCF_CONTRACTIONTILES_H

#include "strata/lower/scf/ContractionEmitter.h"

namespace strata {

class ContractionTiles : protected ContractionEmitter {
protected:
  using ContractionEmitter::ContractionEmitter;

  /// A tile of the result: rows [y, y + high), columns [x, x + wide).
  struct Place {
    mlir::Value y, high, x, wide;
  };
  /// Rows and vectors of columns whose sums one kernel keeps in registers. It serves tiles of at
  /// least `leastRows` rows; the sums of rows that a tile lacks are dropped.
  struct Shape {
    int64_t rows, vectors, leastRows;
  };
  /// Where a kernel reads an operand: a panel, or the operand itself. All are numbers of parts.
  struct Source {
    mlir::Value buffer, begin;
    mlir::Value across; ///< distance of two rows; null of columns, which lie next to each other
    mlir::Value along;  ///< distance of two contracted values
    mlir::Value part;   ///< distance of the parts of a number
    mlir::Value next;   ///< distance of the rows of two tiles; null of columns
  };

  /// A kernel reads packed panels of a whole tile, or operands that may lie where they are. Of
  /// these it reads columns that fill its vectors, or a part of the last vector.
  enum class Reads { panels, vectors, part };

  /// The kernel of a whole tile.
  Shape wholeShape() const { return {tile.rows, tile.vectors, tile.rows}; }
  /// The rows of the kernel for few of them; those of a whole tile where there is none.
  int64_t lowRows() const;
  /// Emits `body` for the shape of the kernel that serves such a tile with the least work.
  void chooseShape(const Place &place, llvm::function_ref<void(const Shape &)> body);
  /// The sums of a tile, row by row: `deep` products of a column of the left operand and a row of
  /// the right one. Only a kernel of panels is unrolled; others ask for the rows of the next tile.
  llvm::SmallVector<Parts> multiplyTile(const Shape &shape, const Source &left, const Source &right,
                                        mlir::Value deep, const Place &place, Reads reads);
  /// Tells whether a kernel may read columns that fill no vectors where they are.
  bool readsUnderMasks() const;
  /// The panel of rows that begins at row `down` of its block, the panel of columns that begins at
  /// `across`.
  Source panelOfRows(mlir::Value down, mlir::Value deep);
  Source panelOfColumns(mlir::Value across, mlir::Value deep);
  /// The operands from a row or a column, and a contracted value, on.
  Source rowsInPlace(mlir::Value y, mlir::Value first);
  Source columnsInPlace(mlir::Value x, mlir::Value first);
  Source chosen(mlir::Value condition, const Source &then, const Source &otherwise);
  /// Asks for the lines of a tile of the result, which are needed when its sums are there: of a
  /// whole one, and of one that lacks rows or columns.
  void askForTile(mlir::Value y, mlir::Value x);
  void askForPart(const Place &place);

  /// Tells whether the columns of a tile of `columns` of them lie next to each other in the result.
  mlir::Value isTogether(mlir::Value x, mlir::Value wide, int64_t columns);
  /// Adds a tile to the result whose columns lie next to each other there and fill the vectors. The
  /// first sums of a result that is overwritten are stored instead; `isFirst` is null of other
  /// results.
  void updateTile(const Shape &shape, llvm::ArrayRef<Parts> sums, const Place &place,
                  mlir::Value isFirst);
  /// Adds a tile whose columns lie next to each other, of which the last vector is not filled.
  void updatePart(const Shape &shape, llvm::ArrayRef<Parts> sums, const Place &place,
                  mlir::Value isFirst);
  /// Adds a tile as far as columns lie next to each other at a time. A vector in which such a run
  /// ends is stored by masks.
  void updateRuns(const Shape &shape, llvm::ArrayRef<Parts> sums, const Place &place,
                  mlir::Value isFirst);
  /// Adds a tile element by element.
  void updateElements(llvm::ArrayRef<Parts> sums, const Place &place, mlir::Value isFirst);

  mlir::Value packedLeft, packedRight, scratch;

private:
  llvm::SmallVector<mlir::Value> startsOfRows(const Shape &shape, const Source &left,
                                              mlir::Value high);
  void askForNext(const Source &left, mlir::Value at);
  Parts vectorOf(const Source &right, mlir::Value at, int64_t v, mlir::Value mask);
  Parts elementOf(const Source &left, mlir::Value at, mlir::Value start);
  mlir::Value rowOfResult(mlir::Value y, int64_t i);
  void forEachRow(const Shape &shape, mlir::Value high, llvm::function_ref<void(int64_t i)> body);
  void addOrStore(mlir::Value isFirst, llvm::function_ref<void(bool adds)> update);
  void forEachRun(mlir::Value x, mlir::Value wide,
                  llvm::function_ref<void(mlir::Value begin, mlir::Value end)> body);
  void updateVector(const Parts &sums, mlir::Value place, bool adds);
  void updateVectors(const Shape &shape, llvm::ArrayRef<Parts> sums, const Place &place, int64_t v,
                     mlir::Value column, mlir::Value begin, mlir::Value end, mlir::Value isFirst);
  void keepSums(llvm::ArrayRef<Parts> sums);
};

} // namespace strata

#endif // STRATA_LOWER_SCF_CONTRACTIONTILES_H
