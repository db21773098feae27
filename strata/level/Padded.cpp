// The padded level: at most one child per parent, its coordinate stored at the parent's position.
//
//   3x4 matrix, ELL: (i, j) -> (slot(i) : dense, i : dense, j : padded)      . a . b
//     slots  0        1                                                      . . . .
//     rows   0  1  2  0  1  2                                                c . d .
//     crd    1  -  0  3  -  2                    -: the least number, no coordinate
//
//   pos_iter(p)       -> [p, p + 1)
//   pos_access(p)     -> crd[p], found unless it is the mark of a pad
//   insert(p, c)      -> crd[p] = c
//
// The places are there in any case, as many as the parent has positions: what is not filled is
// marked, so that a stored fill can be told from a pad. With rows numbered from left to right, as
// slots do it, the coordinates of ascending slots ascend and the pads come last.
// Source: the levels of ELL in 004 section 3.2, where pads cannot be told from zeros.
#include "strata/level/OneEach.h"
#include "strata/level/Pads.h"

using namespace mlir;

namespace strata {
namespace {

struct PaddedLevel final : OneEachLevel {
  PaddedLevel()
      : OneEachLevel({.name = "padded",
                      .defaults = {.branchless = true, .compact = true},
                      .iteratesPositions = true,
                      .misses = true,
                      .pads = true}) {}

  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t pos) const override {
    return Pads::coordinate(level.buffers[0], pos);
  }
  int64_t entries(const StoredLevel &level, int64_t) const override {
    return Pads::entries(level.buffers[0]);
  }
  Found posAccess(LevelView &view, Value pos) const override {
    return Pads::load(view, view.buffers[0], pos);
  }

  BuildState init(BuildView &view) const override {
    Value zero = emit::constant(view, 0);
    emit::Growing crd =
        emit::allocate(view, view.crdType, view.parentCount ? view.parentCount : view.hint);
    if (view.parentCount)
      emit::fill(view, crd.data, zero, view.parentCount, Pads::element(view));
    return BuildState{crd.data, crd.capacity};
  }
  void reserve(BuildView &view, BuildState &state, Value before, Value after) const override {
    emit::Growing crd{state[0], state[1]};
    emit::ensure(view, crd, after);
    emit::fill(view, crd.data, before, after, Pads::element(view));
    state = {crd.data, crd.capacity};
  }
  Value insert(BuildView &view, BuildState &state, Value parent, Value crd) const override {
    emit::storeIndex(view, state[0], parent, crd);
    return parent;
  }
};

} // namespace

std::unique_ptr<LevelFormat> createPaddedLevel() { return std::make_unique<PaddedLevel>(); }

} // namespace strata
