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
  int64_t vectorBytes; ///< of the processor's vectors
  CacheSizes caches;
  bool inRegisters =
      true;             ///< a tile of the result has as many rows as registers can hold; else one
  bool isQuick = false; ///< little will be done: code that is compiled fast, with one kernel
};

class ContractionEmitter : protected LoopEmitter {
public:
  /// `context` is the kernel's.
  ContractionEmitter(ContractionNest nest, mlir::Value context, const ContractionTarget &target);

protected:
  using Tensor = ContractionNest::Tensor;
  static constexpr Tensor tensors[] = {Tensor::left, Tensor::right, Tensor::result};

  /// Of the registers most hold the tile; the others take a row of B and an element of A.
  struct Tile {
    int64_t rows, vectors, lanes;
    int64_t columns() const { return vectors * lanes; }
  };

  /// The labels of one kind as one dimension: how many values it has, and where each lies.
  struct Dimension {
    llvm::SmallVector<unsigned> loops; ///< from the outside in
    mlir::Value size;
    mlir::Value begin, end; ///< of the values that a thread takes
    struct Offsets {
      mlir::Value stride;  ///< of one label
      emit::Growing table; ///< of several
    } offsets[3] = {};
    bool unit[3] = {}; ///< neighbours lie next to each other, but where an outer label moves on
  };

  mlir::Value extentOf(unsigned loop);
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
  };
  void pack(const Panels &panels);

  /// For the parts of so many numbers.
  emit::Growing allocate(mlir::Value count);
  using LoopEmitter::allocate;

  ContractionNest nest;
  ContractionArithmetic numbers;
  bool isQuick;
  using Parts = ContractionArithmetic::Parts;
  Tile tile;
  ContractionBlock block;
  Dimension rows, columns, depth;
  mlir::Value base[3]; ///< where the dimensions begin in each tensor
  /// The buffer of a tensor, as parts of numbers.
  mlir::Value partsOf(Tensor tensor) { return numbers.partsIn(nest.accesses[tensor].buffer); }
  /// Where part `part` of number `at` lies among parts.
  mlir::Value placeOf(mlir::Value at, int64_t part = 0);
  /// A mask of the first `count` numbers of a vector.
  mlir::Value firstOnes(mlir::Value count);

private:
  bool hasLines(const Panels &panels);
  void packLines(const Panels &panels);
  void packOneByOne(const Panels &panels);
  void packPanel(const Panels &panels, mlir::Value panel);
  llvm::SmallVector<mlir::Value> offsetsOf(const Panels &panels, mlir::Value panel,
                                           mlir::Value left);
  bool hasVectors(const Panels &panels);
  void packWhole(const Panels &panels, mlir::Value begin, llvm::ArrayRef<mlir::Value> outer);
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
