// The compressed level: the coordinates that occur, in one array, and where each parent's begin.
//
//   3x4 matrix, rows dense, columns compressed       . a . b
//     pos  0     2  2     4                          . . . .
//     crd  1 3      0 3                              c . . d
//
//   pos_iter(p)        -> [pos[p], pos[p + 1]); for parents [p, q): [pos[p], pos[q])
//   pos_access(p)      -> crd[p], always found
//   insert(p, c)       -> crd[n] = c, n++                         (append_coord)
//   close(p, mark)     -> the parent's children are [mark, n)     (append_edges), either
//        pos[p + 1] = n - mark, summed up by seal, where some of the parent's positions may be
//        skipped; reserve keeps the counts of new parents at zero; or
//        pos[p + 1] = n, at once, where the parent itself appends.
//   Or by counting first: tally(p), reserve, and then insert(p, c) for the parents in any order.
//
// Source: 004 section 3.1, Tables 3.1 and 3.3 and the one-shot variant that follows the latter.
#include "strata/level/Edges.h"

using namespace mlir;

namespace strata {
namespace {

// The state of a level under construction: n, crd and pos with their capacities.
struct Fields {
  Value count;
  emit::Growing crd;
  Edges edges;
  explicit Fields(const BuildState &s) : count(s[0]), crd{s[1], s[2]}, edges{{s[3], s[4]}} {}
  BuildState state() const {
    return {count, crd.data, crd.capacity, edges.pos.data, edges.pos.capacity};
  }
};

// Assembly by counting: the number of p's children is kept in pos[p + 2]. Summed up, pos[p + 1] is
// where p's children begin, and goes on with each that is stored; so it ends where those of p + 1
// begin, which is what pos[p + 1] means.
struct Counted final : CountedBuild {
  struct State {
    emit::Growing pos, crd;
    Value total;
    explicit State(const BuildState &s) : pos{s[0], s[1]}, crd{s[2], s[3]}, total(s[4]) {}
    BuildState state() const { return {pos.data, pos.capacity, crd.data, crd.capacity, total}; }
  };

  SmallVector<Type> fields(BuildView &view) const override {
    Type index = view.b.getIndexType();
    return {emit::bufferType(view.posType), index, emit::bufferType(view.crdType), index, index};
  }
  BuildState init(BuildView &view) const override {
    Value zero = emit::constant(view, 0);
    Value slots = emit::add(view, view.parentCount, emit::constant(view, 2));
    emit::Growing pos = emit::allocate(view, view.posType, slots);
    emit::fill(view, pos.data, zero, slots, Edges::none(view));
    emit::Growing crd = emit::allocate(view, view.crdType, emit::constant(view, 1));
    return BuildState{pos.data, pos.capacity, crd.data, crd.capacity, zero};
  }
  void tally(BuildView &view, BuildState &state, Value parent) const override {
    Value pos = State(state).pos.data;
    Value slot = emit::add(view, parent, emit::constant(view, 2));
    Value more = emit::add(view, emit::loadPosition(view, pos, slot), emit::constant(view, 1));
    emit::requirePosition(view, more);
    emit::storeIndex(view, pos, slot, more);
  }
  void reserve(BuildView &view, BuildState &state) const override {
    State s(state);
    Value slots = emit::add(view, view.parentCount, emit::constant(view, 2));
    s.total = Edges::sumUp(view, s.pos.data, slots);
    emit::requirePosition(view, s.total);
    emit::ensure(view, s.crd, s.total);
    state = s.state();
  }
  Value insert(BuildView &view, BuildState &state, Value parent, Value crd) const override {
    State s(state);
    Value one = emit::constant(view, 1), slot = emit::add(view, parent, one);
    Value at = emit::loadPosition(view, s.pos.data, slot);
    emit::storeIndex(view, s.pos.data, slot, emit::add(view, at, one));
    emit::storeIndex(view, s.crd.data, at, crd);
    return at;
  }
  Value count(const BuildState &state) const override { return State(state).total; }
  void seal(BuildView &view, BuildState &state) const override {
    State s(state);
    emit::publish(view, s.pos, view.firstBuffer,
                  emit::add(view, view.parentCount, emit::constant(view, 1)));
    emit::publish(view, s.crd, view.firstBuffer + 1, s.total);
  }
};

struct CompressedLevel final : LevelFormat, PositionIteration, Build, Inspect {
  CompressedLevel()
      : LevelFormat({.name = "compressed",
                     .defaults = {.compact = true},
                     .canBeNonunique = true,
                     .canBeUnordered = true,
                     .iteratesPositions = true,
                     .appends = true,
                     .counts = true,
                     .inFiles = FileLevel::Lists}) {}

  SmallVector<BufferSpec> buffers() const override {
    return {{"pos", BufferKind::Position}, {"crd", BufferKind::Coordinate}};
  }
  const PositionIteration *positionIteration() const override { return this; }
  const Build *build() const override { return this; }
  const CountedBuild *countedBuild() const override { return &counted; }
  const Inspect *inspect() const override { return this; }

  std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const override {
    const StoredLevel::Numbers &pos = level.buffers[0], &crd = level.buffers[1];
    if (pos.count != level.parents + 1) {
      fault = "pos has " + std::to_string(pos.count) + " elements; expected " +
              std::to_string(level.parents + 1);
      return std::nullopt;
    }
    for (int64_t parent = 0; parent <= level.parents; ++parent) {
      int64_t least = parent == 0 ? 0 : pos[parent - 1], end = crd.count;
      bool last = parent == level.parents;
      if (pos[parent] >= least && pos[parent] <= end && (parent > 0 || pos[0] == 0) &&
          (!last || pos[parent] == end))
        continue;
      fault = "pos[" + std::to_string(parent) + "] is " + std::to_string(pos[parent]) +
              "; expected " +
              (parent == 0 ? "0"
               : last      ? std::to_string(end) + ", the number of coordinates"
                           : "from " + std::to_string(least) + " to " + std::to_string(end));
      return std::nullopt;
    }
    return crd.count;
  }
  std::pair<int64_t, int64_t> children(const StoredLevel &level, int64_t parent) const override {
    return {level.buffers[0][parent], level.buffers[0][parent + 1]};
  }
  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t pos) const override {
    return level.buffers[1][pos];
  }

  PositionRange posIter(LevelView &view, PositionRange parent) const override {
    Value end = parent.end ? parent.end : emit::add(view, parent.begin, emit::constant(view, 1));
    return {emit::loadPosition(view, view.buffers[0], parent.begin),
            emit::loadPosition(view, view.buffers[0], end)};
  }
  Found posAccess(LevelView &view, Value pos) const override {
    return {emit::loadCoordinate(view, view.buffers[1], pos)};
  }

  SmallVector<Type> fields(BuildView &view) const override {
    Type index = view.b.getIndexType();
    SmallVector<Type> types = {index, emit::bufferType(view.crdType), index};
    Edges::addFields(view, types);
    return types;
  }

  BuildState init(BuildView &view) const override {
    emit::Growing crd = emit::allocate(view, view.crdType, view.hint);
    Edges edges = Edges::init(view);
    return BuildState{emit::constant(view, 0), crd.data, crd.capacity, edges.pos.data,
                      edges.pos.capacity};
  }

  Value insert(BuildView &view, BuildState &state, Value, Value crd) const override {
    Fields f(state);
    Value at = f.count, next = emit::add(view, at, emit::constant(view, 1));
    emit::ensure(view, f.crd, next);
    emit::storeIndex(view, f.crd.data, at, crd);
    f.count = next;
    state = f.state();
    return at;
  }

  Value count(BuildView &, const BuildState &state, Value) const override { return state[0]; }

  void reserve(BuildView &view, BuildState &state, Value before, Value after) const override {
    Fields f(state);
    f.edges.reserve(view, before, after);
    state = f.state();
  }

  void close(BuildView &view, BuildState &state, Value parent, Value mark) const override {
    Fields f(state);
    f.edges.close(view, parent, mark, f.count);
    state = f.state();
  }

  void seal(BuildView &view, BuildState &state, Value parentCount) const override {
    Fields f(state);
    f.edges.seal(view, parentCount, f.count, 0);
    emit::publish(view, f.crd, view.firstBuffer + 1, f.count);
  }

private:
  Counted counted;
};

} // namespace

std::unique_ptr<LevelFormat> createCompressedLevel() { return std::make_unique<CompressedLevel>(); }

} // namespace strata
