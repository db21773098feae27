// What the pieces of a loop count for each parent of a level, before anything is stored.
#ifndef STRATA_LEVEL_PIECECOUNTS_H
#define STRATA_LEVEL_PIECECOUNTS_H

#include "strata/level/Emission.h"

namespace strata {

/// The last piece counts in what becomes the level's pos, `shift` places behind the parent's own,
/// the others in `more`, piece after piece. With one piece there is nothing but pos.
struct PieceCounts {
  emit::Growing pos, more;
  mlir::Value counters, first; ///< of the piece at work: those of p are counters[first + p]

  /// The fields of a level's state that hold it, and of them.
  static constexpr unsigned fieldCount = 6;
  static void addFields(BuildView &view, llvm::SmallVectorImpl<mlir::Type> &types);
  explicit PieceCounts(llvm::ArrayRef<mlir::Value> fields)
      : pos{fields[0], fields[1]}, more{fields[2], fields[3]}, counters(fields[4]),
        first(fields[5]) {}
  BuildState fields() const {
    return {pos.data, pos.capacity, more.data, more.capacity, counters, first};
  }

  /// Room for counts, and for `shift` more in pos, all zero there.
  static PieceCounts init(BuildView &view, int64_t shift);
  /// Turns to what `piece` counts, from zero on; `shift` is 1 where nothing is counted any more.
  void enter(BuildView &view, mlir::Value piece, bool counting, int64_t shift);

  mlir::Value load(BuildView &view, mlir::Value parent) const;
  void store(BuildView &view, mlir::Value parent, mlir::Value count) const;

  /// Of a parent, what a piece but the last has counted: where in `more`.
  static mlir::Value slotOf(BuildView &view, mlir::Value piece, mlir::Value parent);
  /// A value that begins as `begin` and is carried through a loop up to `count`.
  using Step = llvm::function_ref<mlir::Value(mlir::Value at, mlir::Value carried)>;
  static mlir::Value fold(BuildView &view, mlir::Value count, mlir::Value begin, Step step);
  static mlir::Value otherPieces(BuildView &view);

private:
  PieceCounts(emit::Growing pos, emit::Growing more, mlir::Value first)
      : pos(pos), more(more), counters(pos.data), first(first) {}
};

} // namespace strata

#endif // STRATA_LEVEL_PIECECOUNTS_H
