// How a statement's loops build its result, level by level: when a coordinate gets its position.
//
// A level that merely has places (or inserts anywhere) gets a coordinate as soon as its variable
// is bound. A level that appends waits: a row is stored only once it has an entry, so its
// coordinate is appended when the loop below has appended something. Where the level below has
// places for everything, it is appended at once, and taken back if nothing came. A list, and a
// level whose entries are counted first, take each entry when all its coordinates are known. Where
// the entries below one parent are gathered first, so do these; the parent waits until they are
// complete.
#ifndef STRATA_LOWER_LVL_RESULTWALK_H
#define STRATA_LOWER_LVL_RESULTWALK_H

#include "mlir/IR/Builders.h"
#include "strata/lower/analysis/AccessPath.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/SlotNumbering.h"

namespace strata {

/// How far a result has been built at a place in the loops.
struct ResultPosition {
  mlir::Value path;  ///< to the deepest level that has its position
  unsigned next = 0; ///< the first level whose coordinate is not known
  /// Levels whose coordinates are known and wait for their positions; the gathered level and those
  /// below it apart.
  llvm::SmallVector<std::pair<unsigned, mlir::Value>, 2> waiting, gathering;
  /// The level that got its position before it was known whether anything comes below it, and its
  /// coordinate. Who reads it forgets it.
  std::optional<std::pair<unsigned, mlir::Value>> early;
  /// The level that a loop around has begun and will close: of a label in parts it is the loop over
  /// the parts.
  std::optional<unsigned> opened;
};

class ResultWalk {
public:
  /// Of a result that is begun afresh, `phase` is the kernel's.
  ResultWalk(AccessPath path, bool counted, std::optional<unsigned> gathered, Phase phase,
             mlir::OpBuilder &b, mlir::Location loc);

  const AccessPath &getPath() const { return path; }
  /// Is the result a list of entries, in no order and with repetitions?
  bool lists() const { return isList; }
  /// Are its entries counted before they are stored?
  bool counts() const { return counted; }
  /// The level of which they are counted.
  std::optional<unsigned> countedLevel() const;
  /// May pieces of the outermost loop count and store at once? Nothing else than the counts, and
  /// the entries in the places that these give, may be written.
  bool countsInPieces() const;
  /// May pieces of an outermost loop over `variable` build at once, if no two of them reach the
  /// same value? Then none reaches what another writes, or each builds a part of its own.
  bool buildsInPieces(unsigned variable, bool isPart = false) const;
  /// Has every other value of `variable` other places in the result, which are there from the
  /// start? `isPart`: it numbers parts of a label, or goes through one.
  bool writesApart(unsigned variable, bool isPart = false) const;
  std::optional<unsigned> gatheredLevel() const { return gathered; }
  /// Is the pattern there, so that coordinates are found, not stored? Each gets its position as
  /// soon as it is known.
  bool refillsValues() const { return refills; }
  /// Is this the pass over the statement that counts?
  bool counting = false;

  /// Does the result store entries, not places for all coordinates?
  bool storesEntries() const;
  /// The level that a loop over `variable` appends to below one parent, if there is one: it is
  /// marked before the loop and closed after it.
  std::optional<unsigned> opens(const ResultPosition &at, unsigned variable) const;
  /// The level whose entries are gathered, or indexed, if their parent became known since `next`
  /// was `before`.
  std::optional<unsigned> gathers(std::optional<unsigned> before, const ResultPosition &at) const;
  /// Do slots begin anew when `variable` is bound, after those that are?
  bool beginsSlots(unsigned variable, const llvm::SmallBitVector &bound) const;
  /// Takes the coordinates that binding `variable` (or nothing) determines. `slot` is the next one,
  /// where slots are numbered.
  void enter(ResultPosition &at, std::optional<unsigned> variable,
             const llvm::SmallBitVector &bound, mlir::ValueRange indices, mlir::Value &builder,
             mlir::Value *slot = nullptr) const;
  /// The same at the beginning of a block of `variable`, whose first value `indices` has: takes the
  /// coordinate that numbers the block, if that is the next one. The slots that are appended below
  /// it, of this level, are marked before it and closed after it.
  std::optional<unsigned> enterBlock(ResultPosition &at, unsigned variable,
                                     mlir::ValueRange indices, mlir::Value &builder) const;
  /// Takes an early coordinate back unless something came below it.
  void retractUnless(mlir::Value any, std::pair<unsigned, mlir::Value> early,
                     mlir::Value &builder) const;
  /// True if the gathered level's coordinate is known, while levels below it wait for theirs.
  bool waitsBelowGathered(const ResultPosition &at) const;
  /// Gives it its position now, for all entries below it.
  void placeGathered(ResultPosition &at, mlir::Value &builder) const;
  /// Gives an entry its position, when all its coordinates are known.
  void place(ResultPosition &at, mlir::Value &builder) const;
  /// The levels that one loop over several variables appends to: for each variable, as opens().
  llvm::SmallVector<std::optional<unsigned>> opensInTuples(const ResultPosition &at,
                                                           llvm::ArrayRef<unsigned> variables,
                                                           llvm::SmallBitVector bound) const;
  /// After the loop: the children of the parent end here.
  void close(ResultPosition &at, unsigned level, mlir::Value mark, mlir::Value &builder) const;
  /// The same, if there are children, of a parent given by the coordinates `indices` of
  /// `variables`: it is entered only then.
  void closeLate(const ResultPosition &at, unsigned level, llvm::ArrayRef<unsigned> variables,
                 llvm::SmallBitVector bound, mlir::ValueRange indices, mlir::Value mark,
                 mlir::Value &builder) const;

private:
  void take(ResultPosition &at, mlir::ValueRange indices, mlir::Value &builder,
            mlir::Value *slot) const;
  void noteEarly(ResultPosition &at) const;
  void placeWaiting(ResultPosition &at, mlir::Value &builder) const;
  bool isKnown(unsigned level, const llvm::SmallBitVector &bound,
               std::optional<unsigned> variable) const;
  void ifGrown(unsigned level, mlir::Value mark, mlir::Value &builder,
               llvm::function_ref<void(mlir::Value &)> body) const;
  bool appends(unsigned level) const;
  bool branchless(unsigned level) const;

  AccessPath path;
  bool counted, isList, refills, patternOnly;
  std::optional<unsigned> gathered;
  std::optional<VariableNumbering> numbering;
  mlir::OpBuilder &b;
  mlir::Location loc;
};

} // namespace strata

#endif // STRATA_LOWER_LVL_RESULTWALK_H
