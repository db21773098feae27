// Where each parent's children begin, in the making: what levels that append keep for each parent.
#ifndef STRATA_LEVEL_EDGES_H
#define STRATA_LEVEL_EDGES_H

#include "strata/level/Emission.h"

namespace strata {

/// A buffer pos with pos[p] <= pos[p + 1] for every parent p (004 Table 3.3, append_edges, and the
/// one-shot variant that follows it). Where some of the parent's positions may be skipped, it holds
/// counts until it is sealed, and new parents begin with 0; where the parent appends, ends at once.
struct Edges {
  emit::Growing pos;

  /// The fields of a level's state that hold it.
  static void addFields(BuildView &view, llvm::SmallVectorImpl<mlir::Type> &types);
  static Edges init(BuildView &view);
  void reserve(BuildView &view, mlir::Value before, mlir::Value after);
  /// The children of `parent` are [begin, end).
  void close(BuildView &view, mlir::Value parent, mlir::Value begin, mlir::Value end);
  /// Finishes, and hands the buffer over as number `index` of the level's.
  void seal(BuildView &view, mlir::Value parentCount, mlir::Value childCount, int64_t index);

  /// [pos[p], pos[p + 1]); of a range of parents [p, q), all of theirs: [pos[p], pos[q]).
  static PositionRange children(LevelView &view, mlir::Value pos, PositionRange parent);
  static std::pair<int64_t, int64_t> children(const StoredLevel::Numbers &pos, int64_t parent) {
    return {pos[parent], pos[parent + 1]};
  }
  /// The parents themselves, of levels that have something of which each parent has one.
  static PositionRange parents(LevelView &view, PositionRange parent);

  /// Is `pos` such a buffer, of `parents` parents and up to `end`? If not, `fault` says why.
  static bool check(const StoredLevel::Numbers &pos, llvm::StringRef name, int64_t parents,
                    int64_t end, std::string &fault);
  /// The parent p with pos[p] <= at < pos[p + 1].
  static int64_t parentOf(const StoredLevel::Numbers &pos, int64_t at);

  /// The position 0, as an element of pos.
  static mlir::Value none(BuildView &view);
  /// Turns counts into sums: pos[p] += pos[p - 1] for p in [1, edges). Gives the last.
  static mlir::Value sumUp(BuildView &view, mlir::Value pos, mlir::Value edges);
};

} // namespace strata

#endif // STRATA_LEVEL_EDGES_H
