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
#include "strata/level/OneEach.h"

using namespace mlir;

namespace strata {
namespace {

struct SingletonLevel final : OneEachLevel, JoinedBuild {
  SingletonLevel()
      : OneEachLevel({.name = "singleton",
                      .defaults = {.branchless = true, .compact = true},
                      .canBeNonunique = true,
                      .canBeUnordered = true,
                      .iteratesPositions = true,
                      .appends = true,
                      .interleaves = true,
                      .inFiles = FileLevel::Tuples}) {}

  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t pos) const override {
    return level.buffers[0][pos];
  }
  Found posAccess(LevelView &view, Value pos) const override {
    return {emit::loadCoordinate(view, view.buffers[0], pos)};
  }

  const JoinedBuild *joinedBuild() const override { return this; }

  BuildState init(BuildView &view) const override {
    emit::Growing crd = emit::allocate(view, view.crdType, view.hint);
    return BuildState{crd.data, crd.capacity};
  }
  Value insert(BuildView &view, BuildState &state, Value parent, Value crd) const override {
    emit::Growing buffer{state[0], state[1]};
    if (!view.hasRoom)
      emit::ensure(view, buffer, emit::add(view, parent, emit::constant(view, 1)));
    emit::storeIndex(view, buffer.data, parent, crd);
    state = {buffer.data, buffer.capacity};
    return parent;
  }

  bool makesRoom() const override { return true; }
  void makeRoom(BuildView &view, BuildState &state, Value parentCount, Value more) const override {
    emit::Growing buffer{state[0], state[1]};
    emit::ensure(view, buffer, emit::add(view, parentCount, more));
    state = {buffer.data, buffer.capacity};
  }

  BuildState fork(BuildView &view, const BuildState &) const override { return init(view); }
  BuildState join(BuildView &view, const BuildState &state, const JoinView &parts) const override {
    emit::release(view, {state[0], state[1]});
    emit::Growing crd = emit::join(view, parts, view.crdType, parts.fields, parts.count);
    return BuildState{crd.data, crd.capacity};
  }
};

} // namespace

std::unique_ptr<LevelFormat> createSingletonLevel() { return std::make_unique<SingletonLevel>(); }

} // namespace strata
