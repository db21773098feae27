// The workspace in which the entries below one parent of a result are gathered before they are
// appended in order.
//
//   marks   . x . x x        one byte for each coordinate of the level: has it an entry?
//   list    3 1 4            the marked ones, in the order of their arrival
//   values  . 7 . 2 5        a value for each coordinate (a block, where levels lie below)
//
// Gathering takes coordinates in any order and any number of times; afterwards the list is sorted,
// appended, and everything is reset in time proportional to what was touched. Source: 001 section
// 4.3 (access-pattern expansion); Kjolstad et al., Tensor Algebra Compilation with Workspaces.
#ifndef STRATA_LOWER_RESULTWORKSPACE_H
#define STRATA_LOWER_RESULTWORKSPACE_H

#include "strata/level/Emission.h"

namespace strata {

class ResultWorkspace {
public:
  /// For a level of `extent` coordinates from `first` on, each with `block` values.
  ResultWorkspace(BuildView &view, mlir::Type element, mlir::Value first, mlir::Value extent,
                  mlir::Value block);

  /// The slot of a coordinate; marks it if it is new, lists it and makes its values `fill`. Updates
  /// the number of those listed.
  mlir::Value touch(BuildView &view, mlir::Value &count, mlir::Value crd, mlir::Value fill) const;
  /// Sorts the list.
  void sort(BuildView &view, mlir::Value count) const;
  /// The slot listed at `at`, whose mark is taken away.
  mlir::Value take(BuildView &view, mlir::Value at) const;
  mlir::Value coordinate(BuildView &view, mlir::Value slot) const {
    return emit::add(view, slot, first);
  }
  /// Copies the values of a slot to those of position `pos`.
  void copyTo(BuildView &view, mlir::Value slot, mlir::Value values, mlir::Value pos) const;
  void release(BuildView &view) const;

  mlir::Value valuesBuffer() const { return values.data; }

private:
  mlir::Value first, extent, block;
  emit::Growing marks, list, values;
};

} // namespace strata

#endif // STRATA_LOWER_RESULTWORKSPACE_H
