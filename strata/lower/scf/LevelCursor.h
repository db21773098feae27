// An lvl.iterator as a cursor, where it is merged with others: a stack of cursors, one for each
// loop that it would be if it were alone.
#ifndef STRATA_LOWER_SCF_LEVELCURSOR_H
#define STRATA_LOWER_SCF_LEVELCURSOR_H

#include "strata/lower/scf/LevelWalk.h"

namespace strata {

/// The state is a few SSA values; what does not change stays in here. For the outermost loop it is
/// [cursor], its end being fixed; for each inner one [cursor, end]. A loop over duplicates that are
/// visited together adds the end of the run. Inner ones mean something only while those around them
/// are valid; where these are not, the inner ones are empty.
class LevelCursor {
public:
  explicit LevelCursor(const LevelWalk &walk);

  Values begin();
  mlir::Value valid(mlir::ValueRange state) const;
  WalkPoint at(mlir::ValueRange state) const;
  Values advanced(mlir::ValueRange state) const;
  /// True if a counted loop over the first state value does what advanced() does.
  bool isCounted() const { return frames.size() == 1 && !frames[0].dedup && !filters; }
  mlir::Value end() const { return firstEnd; }

  // By segments: where the innermost loop runs through a span, values follow one another.
  bool stepsThroughSpans() const;
  /// How many values there are from here to the end of the span.
  mlir::Value left(mlir::ValueRange state) const;
  /// The path to the value that is `offset` further.
  PathValues pathAhead(mlir::ValueRange state, mlir::Value offset) const;
  /// Beyond `count` values of the span.
  Values advancedBy(mlir::ValueRange state, mlir::Value count) const;

private:
  /// One loop: over what the level of a step yields, over its spans, or over a span's coordinates.
  struct Frame {
    enum class Over { Level, Spans, Span };
    unsigned step;
    Over over;
    bool dedup;
    unsigned at, size; ///< its part of the state
  };
  mlir::Value validAt(unsigned frame, mlir::ValueRange state) const;
  /// The path down to what `frame` loops over (all frames: to the point); `found` if that can fail.
  PathValues pathTo(unsigned frame, mlir::ValueRange state, Values &walked,
                    mlir::Value &found) const;
  mlir::Value extendWhere(mlir::Value found, unsigned step, PathValues &path,
                          llvm::function_ref<mlir::Value(PathValues &)> extend) const;
  mlir::Value guardOf(unsigned frame) const;
  LevelWalk::Bounds boundsAt(unsigned frame, mlir::ValueRange state) const;
  Values enterFrom(unsigned frame, Values outer, mlir::Value outerValid) const;
  Values withRunEnd(unsigned frame, mlir::ValueRange outer, LevelWalk::Bounds bounds) const;
  Values advancedAt(unsigned frame, mlir::ValueRange state) const;
  Values next(unsigned frame, mlir::ValueRange state) const;
  Values ahead(mlir::ValueRange state, mlir::Value offset) const;
  mlir::Value isMissing(mlir::ValueRange state) const;
  Values settled(Values state) const;

  const LevelWalk &walk;
  mlir::OpBuilder &b;
  mlir::Location loc;
  bool filters;
  llvm::SmallVector<Frame> frames;
  mlir::Value firstEnd;
};

} // namespace strata

#endif // STRATA_LOWER_SCF_LEVELCURSOR_H
