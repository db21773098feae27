// The parts of a blocked contraction share what is here: arithmetic, loops, and panels of an
// operand.
#ifndef STRATA_LOWER_SCF_CONTRACTIONEMITTER_H
#define STRATA_LOWER_SCF_CONTRACTIONEMITTER_H

#include "strata/lower/analysis/ContractionBlock.h"
#include "strata/lower/scf/ContractionArithmetic.h"
#include "strata/lower/scf/LoopEmitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace strata {

/// The processor, and the ways, that blocks are made for.
struct ContractionTarget {
  int64_t vectorBytes;     ///< of the processor's vectors
  int64_t vectorRegisters; ///< that it has for them
  CacheSizes caches;
  bool inRegisters =
      true; ///< a tile of the result has as many rows as registers can hold; else one
};

class ContractionEmitter : protected LoopEmitter {
public:
  ContractionEmitter(lvl::ContractOp op, const ContractionTarget &target);

protected:
  using Tensor = Contraction::Tensor;
  static constexpr Tensor tensors[] = {Tensor::left, Tensor::right, Tensor::result};

  /// Of the registers most hold the tile; the others take a row of B and an element of A.
  struct Tile {
    int64_t rows, vectors, lanes;
    int64_t columns() const { return vectors * lanes; }
  };

  /// The labels of one kind as one dimension: how many values it has, and where each lies.
  struct Dimension {
    llvm::SmallVector<unsigned> labels; ///< from the outside in
    mlir::Value size;
    mlir::Value begin, end; ///< of the values that a thread takes
    struct Offsets {
      mlir::Value stride;  ///< of one label
      emit::Growing table; ///< of several
    } offsets[3] = {};
    bool unit[3] = {}; ///< neighbours lie next to each other, but where an outer label moves on
    /// Of several labels: so many values lie next to each other at a time, from each multiple on.
    mlir::Value neighbours[3] = {};
    /// Tells whether each panel has values of one run alone, the values of the last label, which
    /// are neighbours in the result; null where panels never do. Then `inTurn` values of the label
    /// before take turns: of each of them comes one panel of the same values of the last label.
    mlir::Value inRuns;
    int64_t inTurn = 1;
    /// Tells whether the values are in the order of the result, of which the labels then are
    /// `byResult`; null where that is the order of `labels`.
    mlir::Value followsResult;
    llvm::SmallVector<unsigned> byResult;
    /// The dimension in that order, in which nothing takes turns.
    Dimension asInResult() const {
      Dimension ordered = *this;
      ordered.labels = byResult, ordered.inTurn = 1;
      return ordered;
    }
    emit::Growing widths; ///< how many values each panel has, where `inRuns` is not null
  };

  mlir::Value extentOf(unsigned label) const { return contraction.extents[label]; }
  mlir::Value strideOf(Tensor tensor, unsigned label) const {
    return contraction.accesses[tensor].strides[label];
  }
  /// Decides whether panels of columns have one run each, which changes how many columns there are.
  void cutIntoRuns();
  /// Decides whether the values of a dimension are in the order of the result.
  void order(Dimension &dimension, const Dimension &other);
  /// Where the values of a dimension of several labels lie in a tensor.
  emit::Growing emitTable(const Dimension &dimension, Tensor tensor);
  /// How many values of a dimension of several labels are neighbours in a tensor.
  mlir::Value neighboursOf(const Dimension &dimension, Tensor tensor);
  /// Tells whether `count` values from `at` on lie next to each other.
  mlir::Value areNeighbours(const Dimension &dimension, Tensor tensor, mlir::Value at,
                            mlir::Value count);
  /// How many values the panels of columns have.
  void emitWidths();
  /// How many values the panel that begins at value `at` has, of `left` that are there.
  mlir::Value widthOf(const Dimension &dimension, mlir::Value at, mlir::Value left, int64_t width);
  /// Where value `at` of a dimension lies in a tensor, counted from where the dimension begins.
  mlir::Value offset(const Dimension &dimension, Tensor tensor, mlir::Value at);

  /// Copies `count` values of a dimension from `from` on, for `deep` contracted ones from `first`
  /// on: panels of `width`, in each of which the values of one contracted one lie together, and of
  /// these the real parts and then the imaginary ones. What a panel lacks is filled with any
  /// number.
  struct Panels {
    mlir::Value target;
    const Dimension &dimension;
    mlir::Value from, count;
    int64_t width;
    mlir::Value first, deep;
    Tensor tensor;
    mlir::Value next = {}; ///< where the panel after the one that is packed begins
  };
  void pack(const Panels &panels);

  /// For the parts of so many numbers.
  emit::Growing allocate(mlir::Value count);
  using LoopEmitter::allocate;

  lvl::ContractOp op;
  Contraction contraction;
  ContractionArithmetic numbers;
  using Parts = ContractionArithmetic::Parts;
  Tile tile;
  ContractionBlock block;
  Dimension rows, columns, depth;
  mlir::Value base[3]; ///< where the values of a batch begin in each tensor
  /// Tells whether neighbours of the last label but one, and of no other, lie next to each other.
  bool hasLines(const Dimension &dimension, Tensor tensor);
  /// The buffer of a tensor, as parts of numbers.
  mlir::Value partsOf(Tensor tensor) {
    return numbers.partsIn(contraction.accesses[tensor].buffer);
  }
  /// Where part `part` of number `at` lies among parts.
  mlir::Value placeOf(mlir::Value at, int64_t part = 0);
  /// A mask of the first `count` numbers of a vector.
  mlir::Value firstOnes(mlir::Value count);
  /// The numbers of a vector that a mask admits, and zeros.
  mlir::VectorType vectorOf(mlir::Value buffer, int64_t lanes);
  mlir::Value loadUnder(mlir::Value mask, mlir::Value buffer, mlir::Value at);

private:
  /// The last two labels of columns in runs: how many values each has, and how many times as many
  /// of the other one take turns, and panels a run has.
  struct Runs {
    mlir::Value turning, run, turns, panels;
  };
  Runs runsOf(const Dimension &dimension);
  mlir::Value isOneRun(llvm::ArrayRef<unsigned> labels);
  mlir::Value placesOf(const Dimension &dimension);
  void fillWidths(const Dimension &dimension);
  void forEachValue(llvm::ArrayRef<unsigned> labels, Tensor tensor,
                    llvm::function_ref<void(mlir::Value place, mlir::Value offset)> body);
  void fillTable(llvm::ArrayRef<unsigned> labels, Tensor tensor, const emit::Growing &table);
  void fillRuns(const Dimension &dimension, Tensor tensor, const emit::Growing &table);
  void fillTurns(const Dimension &dimension, Tensor tensor, const emit::Growing &table,
                 mlir::Value place, mlir::Value start);
  void packTurns(const Panels &panels);
  void packSquares(const Panels &panels, mlir::Value panel, int64_t place);
  void askForTurns(const Panels &panels, mlir::Value at);
  void askForNextPanel(const Panels &panels, mlir::Value inner, int64_t place);
  void askFor(Tensor tensor, mlir::Value at);
  int64_t numbersInLine() const;
  void packLines(const Panels &panels);
  void packOneByOne(const Panels &panels);
  void packTogether(const Panels &panels);
  void packPanel(const Panels &panels, mlir::Value panel);
  llvm::SmallVector<mlir::Value> offsetsOf(const Panels &panels, mlir::Value panel,
                                           mlir::Value left);
  bool hasVectors(const Panels &panels);
  void packWhole(const Panels &panels, mlir::Value panel, llvm::ArrayRef<mlir::Value> outer);
  void packPart(const Panels &panels, mlir::Value begin, llvm::ArrayRef<mlir::Value> outer,
                mlir::Value left);
  void copyElements(const Panels &panels, mlir::Value begin, int64_t place,
                    llvm::ArrayRef<mlir::Value> outer);
  void copyRow(const Panels &panels, mlir::Value begin, int64_t place,
               llvm::ArrayRef<mlir::Value> outer, mlir::Value at);
  void copyTransposed(const Panels &panels, mlir::Value begin, llvm::ArrayRef<mlir::Value> outer);
  void transposeBlocks(const Panels &panels, mlir::Value begin, llvm::ArrayRef<mlir::Value> outer,
                       mlir::Value at, mlir::Value inner, int64_t step);
  void transposeBlock(const Panels &panels, mlir::Value begin, int64_t place,
                      llvm::ArrayRef<mlir::Value> outer, mlir::Value at, mlir::Value inner);
  void copyVectors(const Panels &panels, mlir::Value begin, int64_t place,
                   llvm::ArrayRef<mlir::Value> outer, mlir::Value left);
  mlir::Value loadFirst(mlir::Value buffer, mlir::Value at, mlir::Value count);
  void askForLines(Tensor tensor, mlir::Value outer, mlir::Value inner, mlir::Value count);
  void clearRest(const Panels &panels);
  Parts load(Tensor tensor, mlir::Value outer, mlir::Value inner);
  mlir::Value placeIn(const Panels &panels, mlir::Value begin, mlir::Value at, mlir::Value place,
                      int64_t part);
  void store(const Panels &panels, mlir::Value begin, mlir::Value at, mlir::Value place,
             const Parts &number);
  Parts scaled(Parts number, Tensor tensor);
};

} // namespace strata

#endif // STRATA_LOWER_SCF_CONTRACTIONEMITTER_H
