// An lvl.iterator's levels, step by step, and as nested loops where it is walked alone.
#ifndef STRATA_LOWER_SCF_LEVELWALK_H
#define STRATA_LOWER_SCF_LEVELWALK_H

#include "strata/dialect/lvl/Lvl.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/lower/scf/LevelWindow.h"
#include "strata/lower/utils/ControlFlow.h"

namespace strata {

/// What a walk yields at one step.
struct WalkPoint {
  Values coordinates; ///< of the index variables
  PathValues path;
  mlir::Value found; ///< null: always there
};

/// A piece of a loop's range, or of that of one step of a walk.
struct LoopPiece {
  mlir::Value number, count;
  unsigned step = 0;
  mlir::Value begin = {}, end = {}; ///< of a later step than the first: its coordinates
  bool wholeRuns = false;           ///< entries of one coordinate are in one piece

  /// This piece of [begin, end), all about equally long.
  std::pair<mlir::Value, mlir::Value> of(mlir::OpBuilder &b, mlir::Location loc, mlir::Value begin,
                                         mlir::Value end) const;
};

class LevelWalk {
public:
  /// The attribute of an operation that gives a coordinate: in the steps of its loop it ascends,
  /// and may stay the same.
  static constexpr llvm::StringLiteral ascendsName = "strata.ascends";
  /// ... in a loop that a schedule takes by vectors: each step has another one.
  static constexpr llvm::StringLiteral distinctName = "strata.distinct";

  /// `extent` is null where all that is walked lies in the loop's range, `guard` where the parent
  /// is there in any case, `within` where all positions of the level are walked.
  LevelWalk(lvl::IteratorOp op, PathValues parent, Values fixed, mlir::Value extent,
            mlir::Value guard, PositionRange within, llvm::SmallVector<DimensionWindow, 1> windows,
            mlir::OpBuilder &b);

  /// Runs `body` for every point: loops as deep as levels are walked. Carries values through.
  using Body = llvm::function_ref<Values(const WalkPoint &, Values carried)>;
  Values forEach(Values carried, Body body, const LoopPiece *piece = nullptr) const;

  /// How many coordinates the level of a step has, and how many of them there are at most below
  /// one parent.
  std::pair<mlir::Value, mlir::Value> extentOf(unsigned step) const;
  /// Tells whether each step of the walk has another coordinate of one level below one parent.
  bool isDistinct() const;
  /// How many bits the coordinates of the walk's variable number `variable` need.
  unsigned bitsOf(unsigned variable) const;

private:
  friend class LevelCursor;

  struct Bounds {
    mlir::Value begin, end;
    /// Of a level with few coordinates, a number known to the compiler: the first, and how many.
    mlir::Value first = nullptr;
    int64_t count = 0;
  };
  unsigned levelOf(unsigned step) const { return first + step; }
  const LevelFormat &formatOf(unsigned step) const { return parent.storage->level(levelOf(step)); }
  LevelProperties propertiesOf(unsigned step) const {
    return ta::levelProperties(parent.storage->format, levelOf(step));
  }
  bool isWalked(unsigned step) const { return !steps[step]; }
  bool byPosition(unsigned step) const;
  bool bySpans(unsigned step) const { return formatOf(step).spanIteration() != nullptr; }
  /// Below the first step a piece is a range of coordinates, to which each span is cut.
  bool cutsSpans(unsigned step) const {
    return piece && step > 0 && step == piece->step && bySpans(step);
  }
  /// Are duplicates of this walked step visited together?
  bool dedups(unsigned step) const { return dedup && !propertiesOf(step).unique; }
  /// Does this step have exactly one span, which has its parent's position?
  bool hasOneSpan(unsigned step) const;
  /// Is the step below positions of which several have the same coordinate?
  bool isUnderRun(unsigned step) const;
  /// Is the level walked without a loop: one child below the one position of the step before?
  bool follows(unsigned step) const;
  bool ascends(unsigned step) const;
  /// Tells whether the walk begins and ends where the loop's range does: then all that it gives is
  /// inside.
  bool keepsInside() const;
  /// May the walk stand where nothing is stored, or outside the loop's range?
  bool filters() const;

  LevelView view(unsigned step, const PathValues &path) const;
  /// Where the level of a walked step begins and ends below `path`: positions, coordinates, spans.
  Bounds boundsOf(unsigned step, const PathValues &path) const;
  /// The positions in this range, coordinates, or spans, with values in [0, extent).
  PositionRange insideOf(unsigned step, const PathValues &path, PositionRange range) const;
  /// The positions in this range, or spans, with coordinates in [lo, hi) of the view.
  PositionRange insideOf(unsigned step, const PathValues &path, PositionRange range,
                         const LevelView &view) const;
  /// The coordinates in this range, which the values follow, whose values are in [0, extent).
  PositionRange coordinatesInside(PositionRange range) const;
  /// From which coordinate of a span to which it is walked.
  Bounds boundsIn(unsigned step, const Span &span, const PathValues &path) const;
  Span spanOf(unsigned step, const PathValues &path, mlir::Value span) const;
  /// Extends `path` by a walked step at `cursor`, up to `runEnd` for a run of duplicates.
  mlir::Value enter(unsigned step, PathValues &path, Values &walked, mlir::Value cursor,
                    mlir::Value runEnd) const;
  /// Extends `path` by a coordinate of a span.
  void enterSpan(unsigned step, const Span &span, PathValues &path, Values &walked,
                 mlir::Value crd) const;
  /// Extends `path` by a located step.
  mlir::Value locate(unsigned step, PathValues &path, mlir::ValueRange walked) const;
  bool computesSame(unsigned step) const;
  /// The first position after `pos` with another coordinate.
  mlir::Value runEnd(unsigned step, const PathValues &path, mlir::Value pos, mlir::Value end) const;
  /// The variables' values where these coordinates have been walked.
  Values composed(mlir::ValueRange walked) const;
  /// Is the value in [0, extent)? Null if there is no extent.
  mlir::Value inExtent(mlir::Value coordinate) const;

  Values nest(unsigned step, PathValues path, Values walked, Values carried, Body body) const;
  Values loopOver(unsigned step, Bounds bounds, const PathValues &path, const Values &walked,
                  Values carried, Body body) const;
  /// The part of a step's range that belongs to the piece.
  Bounds pieceOf(unsigned step, const PathValues &path, Bounds bounds) const;
  /// The runs of duplicates that begin in this part of [begin, end).
  Bounds wholeRuns(unsigned step, const PathValues &path, Bounds part, mlir::Value begin,
                   mlir::Value end) const;
  /// A loop over [begin, end), twice if that is usually all of a small block: where it is, with a
  /// constant number of steps.
  Values countedOrWhole(unsigned step, const Bounds &bounds, Values carried,
                        llvm::function_ref<Values(mlir::Value, Values)> body) const;
  Values loopOverSpan(unsigned step, mlir::Value span, const PathValues &path, const Values &walked,
                      Values carried, Body body) const;
  Values guarded(mlir::Value found, Values carried, llvm::function_ref<Values(Values)> body) const;

  mutable lvl::IteratorOp op; // accessors of ops are not const
  PathValues parent;
  Values fixed;
  mlir::Value extent, guard;
  PositionRange within;
  llvm::SmallVector<DimensionWindow, 1> windows;
  mlir::OpBuilder &b;
  mlir::Location loc;
  unsigned first;
  bool dedup;
  mutable bool partial = false;             ///< inside a block that is not all there
  mutable const LoopPiece *piece = nullptr; ///< of one step
  llvm::SmallVector<mlir::AffineMap> steps; ///< null map: walked
};

} // namespace strata

#endif // STRATA_LOWER_SCF_LEVELWALK_H
