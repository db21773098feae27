// A result whose pattern is there: coordinates are found in it, not stored.
//
// A level that locates is asked. Elsewhere positions are searched: first that behind the one found
// last, so that loops that follow the storage never look further. Below one parent of a level that
// is reached in any order, repeatedly, the children are indexed first: a place for every coordinate
// says which position has it.
#ifndef STRATA_LOWER_SCF_STOREDPATTERN_H
#define STRATA_LOWER_SCF_STOREDPATTERN_H

#include "strata/level/Emission.h"
#include "strata/lower/entry/StorageLayout.h"
#include "strata/lower/utils/ControlFlow.h"

namespace strata {

class StoredPattern {
public:
  /// `indexed` names the level whose children are indexed.
  /// With `admits` some of the coordinates found there may be dropped.
  StoredPattern(const StorageValues &storage, mlir::Value context, std::optional<unsigned> indexed,
                bool admits, mlir::OpBuilder &b, mlir::Location loc)
      : storage(storage), context(context), indexed(indexed), admits(admits), b(b), loc(loc) {}

  /// Ends the kernel where nothing was assembled.
  void check() const;
  /// What loops carry: a position for each level that is searched.
  unsigned hintCount() const;
  llvm::SmallVector<mlir::Value> firstHints() const;

  /// Room for the index, and the end of that; each piece of a loop has its own, but where there is
  /// one parent.
  void begin();
  void end();
  bool hasOneIndex() const { return indexed == 0u; }
  /// How many places it has.
  mlir::Value places() const;
  /// Indexes the children of a path.
  void index(const PathValues &parent);
  /// Of the indexed children's parent: a coordinate that counts.
  void admit(mlir::Value crd);

  /// Extends `path` by the coordinate of a level. What is not there makes `path.found` false; with
  /// `admitted` the kernel ends if it counts.
  void find(PathValues &path, unsigned level, mlir::Value crd,
            llvm::MutableArrayRef<mlir::Value> hints, bool admitted);
  /// Where the value of a path is: a buffer, and the place in it. Whether it is dropped is hard to
  /// foresee, so that it is no branch: it then has a place in scratch memory.
  std::pair<mlir::Value, mlir::Value> placeOf(const PathValues &path) const;

private:
  // Positions, and whether they are there.
  struct Place {
    PositionRange at;
    mlir::Value found;
  };
  bool isSearched(unsigned level) const;
  BuildView view(unsigned level, llvm::ArrayRef<mlir::Value> ancestors) const;
  PositionRange childrenOf(BuildView &v, unsigned level, const PathValues &parent) const;
  Place locate(BuildView &v, unsigned level, const PathValues &parent, mlir::Value crd) const;
  Place search(BuildView &v, unsigned level, PositionRange among, mlir::Value crd,
               mlir::Value &hint) const;
  Place searchRun(BuildView &v, unsigned level, PositionRange among, mlir::Value crd) const;
  mlir::Value firstAtLeast(BuildView &v, unsigned level, PositionRange among,
                           mlir::Value crd) const;
  mlir::Value scan(BuildView &v, unsigned level, PositionRange among, mlir::Value crd) const;
  mlir::Value coordinate(BuildView &v, unsigned level, mlir::Value pos) const;
  mlir::Value slotOf(mlir::Value crd) const;
  mlir::Value isChild(mlir::Value pos) const;

  const StorageValues &storage;
  mlir::Value context;
  std::optional<unsigned> indexed;
  bool admits;
  mlir::OpBuilder &b;
  mlir::Location loc;
  emit::Growing table;    ///< the index: positions, below 0 where there is none
  emit::Growing dropped;  ///< values that are dropped, by coordinate
  PositionRange children; ///< that are indexed now
  mlir::Value absent;     ///< the index's mark, in this parent, of what counts but is not there
};

} // namespace strata

#endif // STRATA_LOWER_SCF_STOREDPATTERN_H
