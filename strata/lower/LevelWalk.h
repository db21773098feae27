// An lvl.iterator as code: nested loops where it is alone, a cursor where it is merged.
#ifndef STRATA_LOWER_LEVELWALK_H
#define STRATA_LOWER_LEVELWALK_H

#include "strata/dialect/lvl/Lvl.h"
#include "strata/lower/StorageLayout.h"

namespace strata {

using Values = llvm::SmallVector<mlir::Value>;

/// What a walk yields at one step.
struct WalkPoint {
  Values coordinates; ///< of the index variables: one, unless the walk is alone
  PathValues path;
  mlir::Value found; ///< null: always there
};

class LevelWalk {
public:
  /// `extent` is null where all that is walked lies in the loop's range.
  LevelWalk(lvl::IteratorOp op, PathValues parent, Values fixed, mlir::Value extent,
            mlir::OpBuilder &b);

  /// Runs `body` for every point: loops as deep as levels are walked. Carries values through.
  using Body = llvm::function_ref<Values(const WalkPoint &, Values carried)>;
  Values forEach(Values carried, Body body) const;

  // As a cursor: its state is a few SSA values; what does not change stays in the walk.
  Values begin();
  mlir::Value valid(mlir::ValueRange state) const;
  WalkPoint at(mlir::ValueRange state) const;
  Values advanced(mlir::ValueRange state) const;
  /// True if a counted loop over the first state value does what advanced() does.
  bool isCounted() const { return walks.size() == 1 && !dedup && !filters; }
  mlir::Value end() const { return firstEnd; }

private:
  struct Bounds {
    mlir::Value begin, end;
    /// Of a level with few coordinates, a number known to the compiler: the first, and how many.
    mlir::Value first = nullptr;
    int64_t count = 0;
  };
  bool byPosition(unsigned step) const;
  /// Is the level walked without a cursor: one child below the one position of the step before?
  bool follows(unsigned step) const;
  unsigned levelOf(unsigned step) const { return first + step; }
  LevelView view(unsigned step, const PathValues &path) const;
  /// Where the level of a walked step begins and ends below `path`.
  Bounds boundsOf(unsigned step, const PathValues &path) const;
  /// Extends `path` by a walked step at `cursor`, up to `runEnd` for a run of duplicates.
  mlir::Value enter(unsigned step, PathValues &path, Values &walked, mlir::Value cursor,
                    mlir::Value runEnd) const;
  /// Extends `path` by a located step.
  mlir::Value locate(unsigned step, PathValues &path, mlir::ValueRange walked) const;
  bool computesSame(unsigned step) const;
  /// A loop over [begin, end), twice if that is usually all of a small block: where it is, with a
  /// constant number of steps.
  Values countedOrWhole(unsigned step, const Bounds &bounds, Values carried,
                        llvm::function_ref<Values(mlir::Value, Values)> body) const;
  Values nest(unsigned step, PathValues path, Values walked, Values carried, Body body) const;
  Values loopOver(unsigned step, Bounds bounds, const PathValues &path, const Values &walked,
                  Values carried, Body body) const;
  Values guarded(mlir::Value found, Values carried, llvm::function_ref<Values(Values)> body) const;
  /// The first position after `pos` with another coordinate.
  mlir::Value runEnd(unsigned step, const PathValues &path, mlir::Value pos, mlir::Value end) const;
  /// The variables' values where these coordinates have been walked.
  Values compose(mlir::ValueRange walked) const;
  /// Is the value in [0, extent)? Null if there is no extent.
  mlir::Value inExtent(mlir::Value coordinate) const;
  mlir::Value isMissing(mlir::ValueRange state) const;
  Values enterInner(mlir::Value outer, mlir::Value outerValid) const;
  Values stepped(mlir::ValueRange state) const;
  Values settled(Values state) const;
  PathValues pathTo(unsigned step, mlir::ValueRange state, Values &walked,
                    mlir::Value &found) const;

  mutable lvl::IteratorOp op; // accessors of ops are not const
  PathValues parent;
  Values fixed;
  mlir::Value extent;
  mlir::OpBuilder &b;
  mlir::Location loc;
  unsigned first;
  bool dedup, filters = false;
  mutable bool partial = false;             ///< inside a block that is not all there
  llvm::SmallVector<mlir::AffineMap> steps; ///< null map: walked
  llvm::SmallVector<unsigned> walks;        ///< the walked steps that need a cursor
  mlir::Value firstEnd;
};

/// A counted loop with carried values; its induction variable is called `name`.
Values countedLoop(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef name, mlir::Value begin,
                   mlir::Value end, Values carried,
                   llvm::function_ref<Values(mlir::Value, Values)> body);

/// A loop while `test` holds of its carried values.
Values whileLoop(mlir::OpBuilder &b, mlir::Location loc, Values carried,
                 llvm::function_ref<mlir::Value(Values)> test,
                 llvm::function_ref<Values(Values)> body);

/// A choice; without `otherwise` the carried values stay. All branches give the same types.
Values choice(mlir::OpBuilder &b, mlir::Location loc, mlir::Value condition, mlir::TypeRange types,
              llvm::function_ref<Values()> then, llvm::function_ref<Values()> otherwise);

} // namespace strata

#endif // STRATA_LOWER_LEVELWALK_H
