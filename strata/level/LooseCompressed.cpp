// The loose compressed level: the coordinates that occur, and where each parent's begin and end.
//
//   3x4 matrix, rows dense, columns loose_compressed       . a . b
//     pos  0 2  2 2  2 4                                   . . . .
//     crd  1 3       0 3                                   c . . d
//
//   pos_iter(p)        -> [pos[2p], pos[2p + 1])
//   pos_access(p)      -> crd[p], always found
//   insert(p, c)       -> crd[n] = c, n++                         (append_coord)
//   retract()          -> n--
//   close(p, mark)     -> pos[2p] = mark, pos[2p + 1] = n; a parent that is skipped has [0, 0)
//
// Between the children of two parents there may be room, and the parents' children may lie in any
// order, in storages that others have made; those that are built here are as tight as compressed
// ones. So the children of several parents are no range, and no level above may repeat coordinates.
//
// Source: MLIR's sparse_tensor, whose format of that name it is.
#include "strata/level/BufferCounts.h"
#include "strata/level/Emission.h"

#include "strata/runtime/Counted.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {
namespace {

enum Buffer { Pos, Crd };

// The state of a level under construction: n, crd and pos with their capacities.
struct Fields {
  Value count;
  emit::Growing crd, pos;
  explicit Fields(const BuildState &s) : count(s[0]), crd{s[1], s[2]}, pos{s[3], s[4]} {}
  BuildState state() const { return {count, crd.data, crd.capacity, pos.data, pos.capacity}; }
};

struct LooseCompressedLevel final : LevelFormat, PositionIteration, Build, Inspect, OwnCounts {
  LooseCompressedLevel()
      : LevelFormat({.name = "loose_compressed",
                     .defaults = {},
                     .canBeNonunique = true,
                     .canBeUnordered = true,
                     .iteratesPositions = true,
                     .appends = true,
                     .retracts = true,
                     .interleaves = true}) {}

  SmallVector<BufferSpec> buffers() const override {
    return {{"pos", BufferKind::Position}, {"crd", BufferKind::Coordinate}};
  }
  double elements(unsigned buffer, const LevelCounts &counts) const override {
    return buffer == Pos ? 2 * counts.parents : counts.positions;
  }
  SmallVector<CountRule> counts(bool) const override {
    return {{CountRule::ParentPairs}, {CountRule::Each}};
  }
  const PositionIteration *positionIteration() const override { return this; }
  const Build *build() const override { return this; }
  const Inspect *inspect() const override { return this; }

  //===----------------------------------------------------------------------------------------===//
  // Reading
  //===----------------------------------------------------------------------------------------===//

  std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const override {
    const StoredLevel::Numbers &pos = level.buffers[Pos];
    const int64_t count = level.buffers[Crd].count;
    if (pos.count != 2 * level.parents) {
      fault = "pos has " + counted(pos.count, "element") + "; expected " +
              std::to_string(2 * level.parents);
      return std::nullopt;
    }
    for (int64_t at = 0; at < pos.count; ++at) {
      const int64_t least = at % 2 ? pos[at - 1] : 0;
      if (pos[at] >= least && pos[at] <= count)
        continue;
      fault = "pos[" + std::to_string(at) + "] is " + std::to_string(pos[at]) + "; expected from " +
              std::to_string(least) + " to " + std::to_string(count);
      return std::nullopt;
    }
    return count;
  }
  std::pair<int64_t, int64_t> children(const StoredLevel &level, int64_t parent) const override {
    return {level.buffers[Pos][2 * parent], level.buffers[Pos][2 * parent + 1]};
  }
  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t pos) const override {
    return level.buffers[Crd][pos];
  }
  int64_t entries(const StoredLevel &level, int64_t) const override {
    int64_t sum = 0;
    for (int64_t parent = 0; parent < level.buffers[Pos].count / 2; ++parent)
      sum += children(level, parent).second - children(level, parent).first;
    return sum;
  }

  PositionRange posIter(LevelView &view, PositionRange parent) const override {
    Value begin = emit::mul(view, parent.begin, emit::constant(view, 2));
    Value end = emit::add(view, begin, emit::constant(view, 1));
    return {emit::loadPosition(view, view.buffers[Pos], begin),
            emit::loadPosition(view, view.buffers[Pos], end)};
  }
  Found posAccess(LevelView &view, Value pos) const override {
    return {emit::loadCoordinate(view, view.buffers[Crd], pos)};
  }

  //===----------------------------------------------------------------------------------------===//
  // Assembly
  //===----------------------------------------------------------------------------------------===//

  SmallVector<Type> fields(BuildView &view) const override {
    Type index = view.b.getIndexType();
    return {index, emit::bufferType(view.crdType), index, emit::bufferType(view.posType), index};
  }

  BuildState init(BuildView &view) const override {
    Value zero = emit::constant(view, 0), two = emit::constant(view, 2);
    emit::Growing crd = emit::allocate(view, view.crdType, emit::coordinates(view, view.hint));
    Value parents = view.parentCount ? view.parentCount : view.hint;
    emit::Growing pos = emit::allocate(view, view.posType, emit::mul(view, parents, two));
    if (view.parentCount && !view.parentAppends)
      emit::fill(view, pos.data, zero, emit::mul(view, parents, two), none(view));
    return {zero, crd.data, crd.capacity, pos.data, pos.capacity};
  }

  Value insert(BuildView &view, BuildState &state, Value, Value crd) const override {
    Fields f(state);
    Value at = f.count, next = emit::add(view, at, emit::constant(view, 1));
    if (!view.hasRoom)
      emit::ensure(view, f.crd, emit::coordinates(view, next));
    emit::storeCoordinate(view, f.crd.data, at, crd);
    f.count = next;
    state = f.state();
    return at;
  }

  void retract(BuildView &view, BuildState &state, Value) const override {
    state[0] = emit::sub(view, state[0], emit::constant(view, 1));
  }

  bool makesRoom() const override { return true; }
  void makeRoom(BuildView &view, BuildState &state, Value, Value more) const override {
    Fields f(state);
    emit::ensure(view, f.crd, emit::coordinates(view, emit::add(view, f.count, more)));
    state = f.state();
  }

  Value count(BuildView &, const BuildState &state, Value) const override { return state[0]; }

  void reserve(BuildView &view, BuildState &state, Value before, Value after) const override {
    if (view.parentAppends)
      return; // each of the parent's positions is closed
    Fields f(state);
    Value two = emit::constant(view, 2);
    Value begin = emit::mul(view, before, two), end = emit::mul(view, after, two);
    emit::ensure(view, f.pos, end);
    emit::fill(view, f.pos.data, begin, end, none(view));
    state = f.state();
  }

  void close(BuildView &view, BuildState &state, Value parent, Value mark) const override {
    Fields f(state);
    Value one = emit::constant(view, 1);
    Value begin = emit::mul(view, parent, emit::constant(view, 2));
    Value end = emit::add(view, begin, one);
    if (view.parentAppends)
      emit::ensure(view, f.pos, emit::add(view, end, one));
    emit::storeIndex(view, f.pos.data, begin, mark);
    emit::storeIndex(view, f.pos.data, end, f.count);
    state = f.state();
  }

  void seal(BuildView &view, BuildState &state, Value parentCount) const override {
    Fields f(state);
    emit::requirePosition(view, f.count);
    emit::publish(view, f.pos, view.firstBuffer + Pos,
                  emit::mul(view, parentCount, emit::constant(view, 2)));
    emit::publish(view, f.crd, view.firstBuffer + Crd, emit::coordinates(view, f.count));
  }

  Value coordinates(const BuildState &state) const override { return Fields(state).crd.data; }

private:
  static Value none(BuildView &view) {
    return arith::ConstantOp::create(view.b, view.loc, view.b.getIntegerAttr(view.posType, 0));
  }
};

} // namespace

std::unique_ptr<LevelFormat> createLooseCompressedLevel() {
  return std::make_unique<LooseCompressedLevel>();
}

} // namespace strata
