// How the loops over index variables walk the levels of one access.
//
// An access gives each level of its storage a coordinate: the format's map applied to the access's
// place, an affine function of index variables. Binding the variables one after the other consumes
// the levels from the root down. Binding `v` consumes the levels whose coordinates involve no
// later variable: one that is determined by what is known is located; one that is not is walked,
// and the levels walked must together yield `v`. So, at a fixed i, the columns j of a matrix in
// 4x4 blocks are walked by block column, located at row i mod 4 in the block, and walked by column
// in the block: j = 4 c_1 + c_3. Coordinates that are no dimension (block, diagonal) need no
// variables of their own. Where loops go from part to part of a label, and the parts are the
// blocks, each block is walked as a whole. See docs/rationale/Iteration.md; the walk generalises
// the tensor paths of 004 section 4.1.
#ifndef STRATA_LOWER_ANALYSIS_ACCESSPATH_H
#define STRATA_LOWER_ANALYSIS_ACCESSPATH_H

#include "strata/dialect/ta/Ta.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include <optional>

namespace strata {

/// A coordinate of a dimension that the format sorts. Levels are of its rank.
struct RankedPlace {
  unsigned dim;
  mlir::AffineExpr place; ///< over index variables
};

/// A label whose values are cut into parts of `size`: the variable `first` is the first value of
/// each, `within` goes through one.
struct LabelInParts {
  unsigned first, within;
  int64_t size;
};

/// An access as the analyses see it: dims of the expressions are the statement's index variables,
/// and from `variables` on the ranks.
struct AccessPath {
  ta::FormatAttr format;
  unsigned variables = 0;
  llvm::SmallVector<RankedPlace, 1> ranks;
  llvm::SmallVector<LabelInParts, 0> parts;
  mlir::AffineMap place; ///< sends index variables to a coordinate of the tensor
  /// Per level. That of a slot is not a function of the variables: in its stead stands the sum of
  /// the dimensions that determine it.
  llvm::SmallVector<mlir::AffineExpr> coordinates;

  /// Blocks of a format that are the parts of a label are known where a part begins.
  AccessPath(ta::FormatAttr format, mlir::AffineMap place, llvm::ArrayRef<LabelInParts> parts = {});
  bool involves(unsigned variable) const;
  /// Does the coordinate of a level depend on the variable?
  bool depends(unsigned level, unsigned variable) const;
  /// True if a coordinate is the number of the block that is the part of a label which begins at
  /// `variable`.
  bool numbersPart(mlir::AffineExpr coordinate, unsigned variable) const;
  /// Does `expr` use that rank?
  bool usesRank(mlir::AffineExpr expr, unsigned rank) const {
    return expr && expr.isFunctionOfDim(variables + rank);
  }
};

/// One level, consumed: walked if `at` is null, else located there.
struct PathStep {
  unsigned level;
  mlir::AffineExpr at; ///< dims: index variables; symbols: coordinates walked so far in the piece
};

/// What binding one variable makes of an access.
struct PathPiece {
  llvm::SmallVector<PathStep> steps;
  /// The variable's value; dims: variables bound before, symbols: coordinates walked. Null if the
  /// piece does not yield the variable and must be located.
  mlir::AffineExpr compose;
  bool full = true;      ///< holds every coordinate
  bool locatable = true; ///< all its levels can be located, given the variable
  bool ordered = true;   ///< walking yields ascending values
  bool unique = true;    ///< walking yields a value once
  /// A level that is walked stores some coordinates only; else walking takes all that there are.
  bool restricts = false;

  bool empty() const { return steps.empty(); }
  /// Of one level the same coordinates are found together; of several they need not repeat.
  bool mergesRepeated() const {
    return unique || llvm::count_if(steps, [](const PathStep &step) { return !step.at; }) <= 1;
  }
};

/// True of a piece that walks one level which stores one entry after the other, by position.
bool walksPositions(const AccessPath &path, const PathPiece &piece);

/// True of a piece of which the loop over a part of the variable's values finds the beginning and
/// the end: it walks one level, in order, whose coordinates are the values but for what is known
/// before.
bool canSeek(const AccessPath &path, const PathPiece &piece);

/// True of a piece that walks one level by positions that are a range below one parent, in any
/// order, some of which may hold nothing. Its coordinates are the variable's values.
bool walksRange(const AccessPath &path, const PathPiece &piece);

/// A variable as a walk gives it.
struct WalkedVariable {
  unsigned variable;
  mlir::AffineExpr value; ///< symbols: coordinates walked
  int64_t rankOf = -1;    ///< the dimension of which the value is the rank; none below 0
};

/// An access walked alone, from the root to the leaves: all its variables at once.
struct StorageWalk {
  llvm::SmallVector<PathStep> steps; ///< symbols: coordinates walked so far
  /// In the order in which the levels determine them.
  llvm::SmallVector<WalkedVariable> variables;
};

/// How to walk an access in the order of its storage; nothing where a level that those above it
/// determine cannot be located. The coordinates of blocks, diagonals and slots become loops.
std::optional<StorageWalk> walkStorage(const AccessPath &path);

/// The step of a walk at which an interval of a variable's values begins and ends: that of the
/// level which determines it, walked by its coordinates, or searched for the first and the last of
/// them. Nothing where no level does, or its coordinates come in no order.
std::optional<unsigned> windowStep(const AccessPath &path, const StorageWalk &walk,
                                   unsigned variable);

/// Consumes the levels from `next` on that binding `variable` (after those in `bound`) makes
/// determined; pass no variable for what is constant. Fails where a level that must be located
/// cannot be; `why` then says which.
std::optional<PathPiece> bindVariable(const AccessPath &path, unsigned &next,
                                      const llvm::SmallBitVector &bound,
                                      std::optional<unsigned> variable, std::string &why);

/// Which of the pieces that a loop could walk it locates instead, because others are walked in
/// every case (iterate-and-locate, 004 section 4.3): `accompanied` tells whether at least one of
/// the pieces given is there wherever anything is to be done. What takes all coordinates, only to
/// look each of them up below, is located first, then what comes in no order. Those `asked` for
/// come before all; they are located wherever they can be searched.
llvm::SmallBitVector
chooseLocated(llvm::ArrayRef<const PathPiece *> pieces,
              llvm::function_ref<bool(const llvm::SmallBitVector &others)> accompanied,
              const llvm::SmallBitVector &asked = {});

/// The last level of a result that appends, if what lies below one of its parents can be gathered
/// in a workspace first: below it are only levels with a place for everything. Where the pattern is
/// made alone, these may also have places for some (range), or follow from others (offset).
std::optional<unsigned> gatherableLevel(ta::FormatAttr format, bool patternOnly = false);

/// Must the pattern be there before values are computed, since a workspace with values would be
/// larger than the result? Of diagonals: as many as there might be, each with a place for all. The
/// first level alone then stores coordinates, and has a position for each of them.
bool isGatheredInPhases(ta::FormatAttr format);

/// The values of an index variable in blocks of so many: what is the same for all of a block is
/// known where the block begins.
struct VariableBlocks {
  unsigned variable;
  int64_t size;
};

/// The blocks that a coordinate numbers, if it is `variable floordiv size`.
std::optional<VariableBlocks> blocksIn(mlir::AffineExpr coordinate);

/// Those that `level` of a result numbers.
std::optional<VariableBlocks> blocksAt(const AccessPath &result, unsigned level);

/// Tells whether a result in that format takes its values in any order, into places that are there.
bool takesAnywhere(ta::FormatAttr format);

/// Tells whether each level of the format finds a coordinate that is given, and stores it once.
bool findsAnywhere(ta::FormatAttr format);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_ACCESSPATH_H
