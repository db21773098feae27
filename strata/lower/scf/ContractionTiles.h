// A tile of the result of a blocked contraction: its sums, kept in registers, and how they are
// added to the result.
#ifndef STRATA_LOWER_SCF_CONTRACTIONTILES_H
#define STRATA_LOWER_SCF_CONTRACTIONTILES_H

#include "strata/lower/scf/ContractionEmitter.h"

namespace strata {

class ContractionTiles : protected ContractionEmitter {
protected:
  using ContractionEmitter::ContractionEmitter;

  /// The sums of a tile, row by row: `deep` products of a column of the panel of rows that begins
  /// at row `down` of its block and a row of the panel of columns that begins at `across`.
  llvm::SmallVector<Parts> multiplyPanels(mlir::Value down, mlir::Value across, mlir::Value deep);
  /// Asks for the lines of the tile at row `y` and column `x` of the result, which is needed when
  /// its sums are there.
  void askForTile(mlir::Value y, mlir::Value x);

  /// Do the columns of a tile from `x` on lie next to each other in the result? Those of one that
  /// is not whole do not.
  mlir::Value isTogether(mlir::Value x, mlir::Value whole);
  /// Adds a whole tile to the result, whose columns lie next to each other there. The first sums of
  /// a result that is overwritten are stored instead; `isFirst` is null of other results.
  void updateTile(llvm::ArrayRef<Parts> sums, mlir::Value y, mlir::Value x, mlir::Value isFirst);
  /// Adds `wide` columns of all rows of a tile, as far as columns lie next to each other at a time.
  /// A vector in which such a run ends is stored by masks.
  void updateRuns(llvm::ArrayRef<Parts> sums, mlir::Value y, mlir::Value x, mlir::Value wide,
                  mlir::Value isFirst);
  /// Adds `high` rows and `wide` columns of a tile.
  void updateEdge(llvm::ArrayRef<Parts> sums, mlir::Value y, mlir::Value high, mlir::Value x,
                  mlir::Value wide, mlir::Value isFirst);

  mlir::Value packedLeft, packedRight, scratch;

private:
  Parts rowOfPanel(mlir::Value from, int64_t column);
  Parts elementOfPanel(mlir::Value from, int64_t row);
  mlir::Value rowOfResult(mlir::Value y, int64_t i);
  void addOrStore(mlir::Value isFirst, llvm::function_ref<void(bool adds)> update);
  void forEachRun(mlir::Value x, mlir::Value wide,
                  llvm::function_ref<void(mlir::Value begin, mlir::Value end)> body);
  void updateVectors(llvm::ArrayRef<Parts> sums, mlir::Value y, int64_t v, mlir::Value column,
                     mlir::Value begin, mlir::Value end, mlir::Value isFirst);
  mlir::Value firstOnes(mlir::Value count);
  void updateByRows(mlir::Value y, mlir::Value high, mlir::Value x, mlir::Value wide,
                    mlir::Value isFirst);
  void updateRun(mlir::Value y, mlir::Value i, mlir::Value j, mlir::Value column, mlir::Value mask,
                 mlir::Value isFirst);
  void updateElements(mlir::Value y, mlir::Value high, mlir::Value x, mlir::Value wide,
                      mlir::Value isFirst);
};

} // namespace strata

#endif // STRATA_LOWER_SCF_CONTRACTIONTILES_H
