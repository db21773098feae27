// How the blocks of a transpose read A, keep a block, and store runs of B.
#ifndef STRATA_LOWER_SCF_TRANSPOSEEMITTER_H
#define STRATA_LOWER_SCF_TRANSPOSEEMITTER_H

#include "strata/lower/scf/LoopEmitter.h"
#include "strata/lower/scf/TransposeNest.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace strata {

/// Places and lengths count elements. A complex number is one element of two parts.
class TransposeEmitter : protected LoopEmitter {
public:
  /// Tells whether a vector has several elements.
  static bool servesWith(TransposeNest &nest, int64_t vectorBytes);

protected:
  TransposeEmitter(TransposeNest nest, mlir::Value context, int64_t vectorBytes);

  mlir::Value loadVector(mlir::Value from, mlir::Value at);
  /// Puts a vector, or the element at place `from` of A, at a place of the buffer.
  void keepVector(mlir::Value vector, mlir::Value place);
  void keepElement(mlir::Value from, mlir::Value place);
  /// Reads what will be needed at a place of A: into the first cache (3), the second one (2).
  void askFor(mlir::Value at, unsigned localityHint);
  /// The place that entry `at` of `offsets` tells.
  mlir::Value placeAt(mlir::Value at);

  /// A part of a row of B that lies at `place` of the buffer, the first or the last one of its row,
  /// or another.
  struct RowPart {
    mlir::Value at, place, length, isFirst, isLast;
  };
  /// Stores it. Whole lines are stored past the caches: what a part has of a line that it ends in
  /// is kept before the buffer's row, where the next part finds it. `meanwhile` is emitted for each
  /// vector that is stored past the caches.
  void storePart(const RowPart &part, LoopBody meanwhile);

  /// What is read of A while a run is stored past the caches, as that is otherwise idle: runs of
  /// `length`, at `base` and the places of `offsets`, from element `first` of all of them on.
  struct Reading {
    mlir::Value base, length, first;
  };
  /// B[at...] = f(from[place...]), `length` elements; `reading` may be empty.
  void storeRun(mlir::Value at, mlir::Value from, mlir::Value place, mlir::Value length,
                const Reading &reading);

  TransposeNest nest;
  mlir::Type real;             ///< of a part
  int64_t parts;               ///< of an element
  int64_t bytes, lanes;        ///< of an element; elements of a vector
  int64_t line;                ///< elements of a line
  mlir::Value source;          ///< A, as parts
  mlir::Value streams;         ///< whether the result is stored past the caches
  mlir::Value buffer;          ///< a block of B, as parts
  mlir::Value offsets, filled; ///< where runs of A begin, and how many entries are valid

private:
  mlir::VectorType vectorOf(int64_t elements);
  mlir::Value partOf(mlir::Value at);
  mlir::Value elementsToLine(mlir::Value at);
  mlir::Value wholeFrom(mlir::Value begin, mlir::Value length, int64_t multiple);
  void storeLines(const RowPart &part, LoopBody meanwhile);
  void keepEnd(const RowPart &part);
  void storeReading(mlir::Value begin, mlir::Value end, LoopBody store, const Reading &reading);
  void storeElement(mlir::Value at, mlir::Value from, mlir::Value place);
  void storeElements(mlir::Value begin, mlir::Value end, mlir::Value at, mlir::Value from,
                     mlir::Value place);
  void storeVector(mlir::Value at, mlir::Value from, mlir::Value place, bool past);

  mlir::Value target; ///< B, as parts
};

} // namespace strata

#endif // STRATA_LOWER_SCF_TRANSPOSEEMITTER_H
