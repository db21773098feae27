// The singleton level: one child per parent, its coordinate stored at the parent's position.
//
//   3x4 matrix, coordinates:  rows compressed(nonunique), columns singleton     . a . b
//     rows  crd  0 0 2 2                                                        . . . .
//     cols  crd  1 3 0 3                                                        c . . d
//
//   pos_iter(p)       -> [p, p + 1); for parents [p, q): [p, q)
//   pos_access(p)     -> crd[p], always found
//   insert(p, c)      -> crd[p] = c                                  (append_coord)
//
// Source: 004 section 3.1, Tables 3.1 and 3.3.
#include "strata/level/Emission.h"

using namespace mlir;

namespace strata {
namespace {

struct SingletonLevel final : LevelFormat, PositionIteration, Build, Inspect {
  SingletonLevel()
      : LevelFormat({.name = "singleton",
                     .defaults = {.branchless = true, .compact = true},
                     .canBeNonunique = true,
                     .canBeUnordered = true,
                     .iteratesPositions = true,
                     .appends = true,
                     .inFiles = FileLevel::Tuples}) {}

  SmallVector<BufferSpec> buffers() const override { return {{"crd", BufferKind::Coordinate}}; }
  const PositionIteration *positionIteration() const override { return this; }
  const Build *build() const override { return this; }
  const Inspect *inspect() const override { return this; }

  std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const override {
    if (level.buffers[0].count == level.parents)
      return level.parents;
    fault = "crd has " + std::to_string(level.buffers[0].count) + " elements; expected " +
            std::to_string(level.parents);
    return std::nullopt;
  }
  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t pos) const override {
    return level.buffers[0][pos];
  }

  PositionRange posIter(LevelView &view, PositionRange parent) const override {
    if (parent.end)
      return parent;
    return {parent.begin, emit::add(view, parent.begin, emit::constant(view, 1))};
  }
  Found posAccess(LevelView &view, Value pos) const override {
    return {emit::loadCoordinate(view, view.buffers[0], pos)};
  }

  // Fields: crd and its capacity.
  SmallVector<Type> fields(BuildView &view) const override {
    return {emit::bufferType(view.crdType), view.b.getIndexType()};
  }
  BuildState init(BuildView &view) const override {
    emit::Growing crd = emit::allocate(view, view.crdType, view.hint);
    return BuildState{crd.data, crd.capacity};
  }
  Value insert(BuildView &view, BuildState &state, Value parent, Value crd) const override {
    emit::Growing buffer{state[0], state[1]};
    emit::ensure(view, buffer, emit::add(view, parent, emit::constant(view, 1)));
    emit::storeIndex(view, buffer.data, parent, crd);
    state = {buffer.data, buffer.capacity};
    return parent;
  }
  Value count(BuildView &, const BuildState &, Value parentCount) const override {
    return parentCount;
  }
  void seal(BuildView &view, BuildState &state, Value parentCount) const override {
    emit::publish(view, {state[0], state[1]}, view.firstBuffer, parentCount);
  }
};

} // namespace

std::unique_ptr<LevelFormat> createSingletonLevel() { return std::make_unique<SingletonLevel>(); }

} // namespace strata
