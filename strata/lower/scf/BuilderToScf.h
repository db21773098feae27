// Storages in the making: a builder's state as SSA values, and what each lvl operation does to it.
#ifndef STRATA_LOWER_SCF_BUILDERTOSCF_H
#define STRATA_LOWER_SCF_BUILDERTOSCF_H

#include "strata/dialect/lvl/Lvl.h"
#include "strata/lower/scf/ResultWorkspace.h"
#include "strata/lower/scf/StoredPattern.h"

#include "llvm/ADT/DenseSet.h"

namespace strata {

/// How a kernel makes its result, as its operations say.
struct ResultPlan {
  bool updates = false;              ///< lvl.update: it is there, with a place for everything
  bool refills = false;              ///< lvl.refill: its pattern is there
  bool counted = false;              ///< entries are counted before they are stored
  std::optional<int64_t> gathered;   ///< the level whose entries are gathered, or indexed
  bool hashed = false;               ///< is the workspace a hash table?
  bool patternOnly = false;          ///< its values are the fill
  bool unfilled = false;             ///< places get the fill later, or none
  bool covered = false;              ///< the loops reach every place
  bool leavesValues = false;         ///< ... or are none yet
  bool admits = false;               ///< lvl.admit: a mask says what counts
  bool shown = false;                ///< ... and values which of that came
  bool cut = false;                  ///< the outermost loops, into pieces
  bool mayRun = false;               ///< ... which may not run at all
  mlir::TypedAttr initial = nullptr; ///< what entries hold at first; null: the fill
};

/// Emits the assembly of one result. A builder's state is the concatenation of its levels' fields,
/// of the values with their capacity, and of the number of entries gathered, where they are.
class ResultBuilder {
public:
  ResultBuilder(const StorageValues &storage, mlir::Value context, mlir::OpBuilder &b,
                mlir::Location loc, const ResultPlan &plan);

  using State = llvm::SmallVector<mlir::Value>;

  llvm::SmallVector<mlir::Type> types() const;
  /// Does the number of entries matter for what is reserved?
  bool wantsEstimate() const { return !knownCount(int(storage.format.getLvlRank()) - 1); }
  /// `expected` bounds the number of stored entries, `steps` is how much the loops do: indices.
  State begin(mlir::Value expected, mlir::Value steps);
  /// Of a result that is updated.
  State update(mlir::Value steps);
  /// Of a result whose pattern is there: its values become what entries hold at first.
  State refill(mlir::Value steps);
  /// From here on the children of `parent` are looked for.
  void index(const PathValues &parent) { pattern->index(parent); }
  /// The first pass of an assembly that counts, and the room between the passes.
  void tally(State &state, unsigned level, const PathValues &parent, mlir::Value crd);
  void reserve(State &state);
  /// The state with which a piece of a pass begins.
  State enter(const State &state, mlir::Value piece, bool counting);
  /// At a piece's end: keeps what it has built. Behind all pieces: the state of the whole.
  void leave(const State &state, mlir::Value piece);
  State joined(const State &state);
  /// Do the outermost loops consist of pieces, and of how many?
  bool isCut() const { return cut; }
  /// Do the pieces build parts of their own?
  bool joins() const { return cut && !updates && !countedLevel && !unites() && wantsEstimate(); }
  bool isCounted() const { return countedLevel.has_value(); }
  mlir::Value pieceCount() const { return pieces; }
  PathValues insert(State &state, unsigned level, const PathValues *parent, mlir::Value crd,
                    bool admitted = false);
  /// Gives `count` places, which are all below a position, the fill.
  void fillAll(BuildView &v, mlir::Value values, mlir::Value count);
  /// Gives all places the fill, before loops that reach each of them.
  void fillBeforeLoops(const State &state);
  /// The buffer of values: of a result that does not grow, or of what is gathered.
  mlir::Value valueBuffer(const State &state) const;
  void fillBelow(const State &state, unsigned level, const PathValues &path, mlir::Value count);
  /// Of the gathered level: names a coordinate that counts; says whether it came.
  void admit(State &state, mlir::Value crd);
  void dismiss(State &state, mlir::Value crd);
  /// Makes room for that many more entries of a level to which they are appended, so that what
  /// `body` emits need not ask for it at each of them.
  void withRoom(State &state, llvm::ArrayRef<unsigned> levels, mlir::Value more,
                llvm::function_ref<void()> body);
  /// Can withRoom do that?
  bool canMakeRoom(unsigned level) const;
  mlir::Value mark(const State &state, unsigned level);
  void close(State &state, unsigned level, const PathValues &parent, mlir::Value mark);
  void retract(State &state, unsigned level, mlir::Value crd);
  void put(const State &state, const PathValues &path, mlir::Value value,
           std::optional<ta::Combine> combine, bool atomic);
  void seal(State &state);

private:
  BuildView view(unsigned level, llvm::ArrayRef<mlir::Value> ancestors) const;
  /// The same, of a level of which it is known how many parents its positions have.
  BuildView viewBelow(mlir::Value parentCount, unsigned level,
                      llvm::ArrayRef<mlir::Value> ancestors) const;
  BuildView plainView() const; ///< of no level
  const CountedBuild *counted(unsigned level) const {
    return countedLevel == level ? storage.level(level).countedBuild() : nullptr;
  }
  /// Do the level's coordinates lie in the buffer of a level above? Then it is built otherwise.
  bool isInterleaved(unsigned level) const;
  const Build *buildOf(unsigned level) const;
  const JoinedBuild *joinedBuildOf(unsigned level) const;
  bool appends(unsigned level) const { return storage.level(level).traits.appends; }
  BuildState fieldsOf(const State &state, unsigned level) const;
  void setFields(State &state, unsigned level, const BuildState &fields) const;
  llvm::SmallVector<mlir::Type> fieldTypes(unsigned level) const;
  unsigned fieldCount(unsigned level) const;
  mlir::Value sharedBuffer(const State &state, unsigned level) const;
  /// Positions of `level` so far; of the root for level -1.
  mlir::Value count(const State &state, int level) const;
  /// The number of a level's positions where it does not depend on entries; else null.
  mlir::Value knownCount(int level) const;
  mlir::Value shareOf(mlir::Value expected) const;
  mlir::Value parentsOf(mlir::Value values, unsigned level) const;
  mlir::Value placesOf(unsigned begin, unsigned end) const;
  void growBelow(State &state, unsigned level, mlir::Value before, mlir::Value after,
                 bool fillValues);
  /// What an entry holds before a value is put there.
  mlir::Value fillValue() const;
  emit::Growing valuesOf(const State &state) const;
  void setValues(State &state, const emit::Growing &values) const;
  unsigned valuesAt(const State &state) const { return state.size() - workspaceFields() - 2; }
  unsigned workspaceFields() const;
  ResultWorkspace::State workspaceOf(const State &state) const;
  void setWorkspace(State &state, const ResultWorkspace::State &fields) const;
  int64_t wordsOfPart() const;
  State enterPart(const State &state);
  /// Do they gather coordinates of the root's children, each some of them?
  bool unites() const { return cut && patternOnly && gatheredLevel == 0u; }
  State gatherApart(const State &state);
  void keepGathered(State state, mlir::Value piece);
  State united(const State &state);
  /// Is there one index of the result's coordinates, not one for each piece?
  bool sharesIndex() const { return !cut || pattern->hasOneIndex(); }
  void beginWorkspace(State &state);
  void endWorkspace(const State &state);
  mlir::Value workspacePlaces() const;
  void storeReached(const PathValues &path);
  void fillUnreached();
  PathValues touch(State &state, PathValues path, mlir::Value crd, bool admitted);
  void drain(State &state, const PathValues &parent);
  // `overwritten`: all values below the new position are stored next.
  PathValues append(State &state, unsigned level, PathValues path, mlir::Value crd,
                    bool overwritten = false);
  void makeRoom(State &state, unsigned level, mlir::Value more);

  const StorageValues &storage;
  mlir::Value context;
  mlir::OpBuilder &b;
  mlir::Location loc;
  bool updates;                          ///< nothing is assembled
  bool patternOnly;                      ///< no values are computed
  bool unfilled;                         ///< nor do places get the fill in advance
  bool covered;                          ///< the loops reach every place
  bool leavesValues;                     ///< there is no room for them either
  std::optional<StoredPattern> pattern;  ///< that is there
  emit::Growing reached;                 ///< of it, a byte for each entry that a value came to
  std::optional<unsigned> gatheredLevel; ///< whose entries are gathered before they are appended
  mlir::TypedAttr initial;               ///< what entries hold at first; null: the fill
  bool inOrder = false;                  ///< are they listed in order?
  bool hashed;                           ///< is their workspace a hash table?
  bool shown;                            ///< do their values tell whether they came?
  std::unique_ptr<ResultWorkspace> workspace;
  std::unique_ptr<ResultWorkspace> unitedWorkspace; ///< while `workspace` is a piece's
  llvm::SmallDenseSet<unsigned, 2> roomy;           ///< levels with room for what is appended now
  std::optional<unsigned> countedLevel; ///< whose entries are counted before they are stored
  bool cut;                             ///< the outermost loops, into pieces
  bool mayRun;                          ///< ... which may not run at all
  mlir::Value pieces;                   ///< how many
  mlir::Value partHint;                 ///< how many values to expect of one
  mlir::Value rows;                     ///< what they have built, or gathered (JoinView)
};

} // namespace strata

#endif // STRATA_LOWER_SCF_BUILDERTOSCF_H
