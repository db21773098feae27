// The workspace in which the entries below one parent of a result are gathered before they are
// appended in order.
//
// Gathering takes coordinates in any order and any number of times; afterwards the list of those
// that came is sorted, appended, and everything is reset in time proportional to what was touched.
// Two kinds: a place for every coordinate (DenseWorkspace.cpp), or a table that grows with what is
// touched (HashedWorkspace.cpp). Source: 001 section 4.3 (access-pattern expansion); Kjolstad et
// al., Tensor Algebra Compilation with Workspaces.
#ifndef STRATA_LOWER_SCF_RESULTWORKSPACE_H
#define STRATA_LOWER_SCF_RESULTWORKSPACE_H

#include "strata/level/Emission.h"

namespace strata {

class ResultWorkspace {
public:
  /// What loops carry: the number of coordinates listed, then what a kind needs besides.
  using State = llvm::SmallVector<mlir::Value>;

  /// For a level of `extent` coordinates from `first` on, each with `block` values: none where only
  /// the coordinates are wanted.
  ResultWorkspace(mlir::Type element, mlir::Value first, mlir::Value extent, mlir::Value block)
      : element(element), first(first), extent(extent), block(block) {}
  virtual ~ResultWorkspace() = default;

  virtual State begin(BuildView &view) = 0;
  /// The slot of a coordinate. If it is new, lists it and makes its values `fill`.
  virtual mlir::Value touch(BuildView &view, State &state, mlir::Value crd,
                            mlir::Value fill) const = 0;
  /// Sorts the list by coordinates.
  virtual void sort(BuildView &view, const State &state) const = 0;
  /// The slot listed at `at` and its coordinate; it is then no longer there.
  virtual std::pair<mlir::Value, mlir::Value> take(BuildView &view, const State &state,
                                                   mlir::Value at) const = 0;
  /// The values of all slots.
  virtual mlir::Value values(const State &state) const = 0;
  virtual void release(BuildView &view, const State &state) const = 0;

  /// Workspaces in which only coordinates that were named before are gathered.
  struct Admission {
    virtual ~Admission() = default;
    virtual void admit(BuildView &view, const State &state, mlir::Value crd,
                       mlir::Value fill) const = 0;
    /// Like `touch`, but lists nothing; of a coordinate that was not admitted, a slot for nothing.
    virtual mlir::Value touchAdmitted(BuildView &view, const State &state, mlir::Value crd,
                                      mlir::Value fill) const = 0;
    /// Of the admitted coordinates in order: lists those that came, and forgets it.
    virtual void dismiss(BuildView &view, State &state, mlir::Value crd,
                         mlir::Value fill) const = 0;
  };
  virtual const Admission *admission() const { return nullptr; }

  /// Copies the values of a slot to those of position `pos`.
  void copyTo(BuildView &view, const State &state, mlir::Value slot, mlir::Value values,
              mlir::Value pos) const;

protected:
  /// The values of a slot, if they are `fresh`, become `fill`.
  void beginValues(BuildView &view, mlir::Value values, mlir::Value fresh, mlir::Value slot,
                   mlir::Value fill) const;

  mlir::Type element;
  mlir::Value first, extent, block;
};

/// The types of a state.
llvm::SmallVector<mlir::Type> workspaceTypes(mlir::OpBuilder &b, mlir::Type element, bool hashed);

/// `shown`: all coordinates are admitted first, and a value that came differs from `fill`.
std::unique_ptr<ResultWorkspace> createDenseWorkspace(mlir::Type element, mlir::Value first,
                                                      mlir::Value extent, mlir::Value block,
                                                      bool shown);
std::unique_ptr<ResultWorkspace> createHashedWorkspace(mlir::Type element, mlir::Value first,
                                                       mlir::Value extent, mlir::Value block);

} // namespace strata

#endif // STRATA_LOWER_SCF_RESULTWORKSPACE_H
