// Levels of a result that one loop over several variables appends to, below values of the outer
// ones.
#ifndef STRATA_LOWER_LVL_LATECLOSING_H
#define STRATA_LOWER_LVL_LATECLOSING_H

#include "strata/lower/lvl/ResultWalk.h"
#include "strata/lower/utils/ControlFlow.h"

#include "llvm/ADT/MapVector.h"

namespace strata {

/// No loop ends where the value of an outer variable changes. So the loop carries the values of the
/// tuple before, and how far each level was when they came; at the first tuple with others it
/// closes what lies below them. Tuples come in lexicographic order.
class LateClosing {
public:
  /// What loops carry, by a key.
  using Carried = llvm::MapVector<mlir::Value, mlir::Value>;

  /// `storage` is the key of the result's builder, `base` how far it has been built.
  LateClosing(const ResultWalk &result, mlir::Value storage, llvm::ArrayRef<unsigned> variables,
              ResultPosition base, llvm::SmallBitVector bound, mlir::OpBuilder &b,
              mlir::Location loc);

  /// Before the loop: adds what it carries, and the keys of that.
  void begin(Carried &carried, llvm::SmallVectorImpl<mlir::Value> &keys);
  /// At a tuple, before its entry is appended. `indices`: by variable.
  void meet(llvm::ArrayRef<mlir::Value> indices, Carried &carried) const;
  /// After the loop: closes what is left.
  void end(Carried &carried) const;

private:
  struct Level {
    unsigned level;
    unsigned depth;        ///< its parents are given by so many variables
    mlir::Value mark = {}; ///< the key of how far it was
  };

  /// Do the first `depth` variables have other values than before?
  mlir::Value changed(unsigned depth, llvm::ArrayRef<mlir::Value> indices,
                      const Carried &carried) const;
  /// Closes levels from number `at` on, below the values before.
  void closeChanged(unsigned at, llvm::ArrayRef<mlir::Value> indices, Carried &carried) const;
  void close(const Level &level, Carried &carried) const;

  const ResultWalk &result;
  mlir::Value storage;
  llvm::SmallVector<unsigned> variables;
  ResultPosition base;
  llvm::SmallBitVector bound;
  mlir::OpBuilder &b;
  mlir::Location loc;
  llvm::SmallVector<Level> levels;           ///< the deepest first
  llvm::SmallVector<mlir::Value> lastValues; ///< the keys of the variables' values before
};

} // namespace strata

#endif // STRATA_LOWER_LVL_LATECLOSING_H
