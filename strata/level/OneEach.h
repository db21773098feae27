// What levels have in common that store one coordinate for each position of their parent.
#ifndef STRATA_LEVEL_ONEEACH_H
#define STRATA_LEVEL_ONEEACH_H

#include "strata/level/Emission.h"

#include "strata/runtime/Counted.h"

namespace strata {

/// The child of a parent p is at p, its coordinate in crd[p]. What stands there before it is stored
/// is the format's own affair.
struct OneEachLevel : LevelFormat, PositionIteration, Build, Inspect {
  using LevelFormat::LevelFormat;

  llvm::SmallVector<BufferSpec> buffers() const override {
    return {{"crd", BufferKind::Coordinate}};
  }
  const PositionIteration *positionIteration() const override { return this; }
  const Build *build() const override { return this; }
  const Inspect *inspect() const override { return this; }

  std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const override {
    if (level.buffers[0].count == level.parents)
      return level.parents;
    fault = "crd has " + counted(level.buffers[0].count, "element") + "; expected " +
            std::to_string(level.parents);
    return std::nullopt;
  }

  PositionRange posIter(LevelView &view, PositionRange parent) const override {
    if (parent.end)
      return parent;
    return {parent.begin, emit::add(view, parent.begin, emit::constant(view, 1))};
  }

  // Fields: crd and its capacity.
  llvm::SmallVector<mlir::Type> fields(BuildView &view) const override {
    return {emit::bufferType(view.crdType), view.b.getIndexType()};
  }
  mlir::Value count(BuildView &, const BuildState &, mlir::Value parentCount) const override {
    return parentCount;
  }
  void seal(BuildView &view, BuildState &state, mlir::Value parentCount) const override {
    emit::publish(view, {state[0], state[1]}, view.firstBuffer, parentCount);
  }
};

} // namespace strata

#endif // STRATA_LEVEL_ONEEACH_H
