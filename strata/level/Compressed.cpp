// The compressed level: the coordinates that occur, in one array, and where each parent's begin.
//
//   3x4 matrix, rows dense, columns compressed       . a . b
//     pos  0     2  2     4                          . . . .
//     crd  1 3      0 3                              c . . d
//
//   pos_iter(p)        -> [pos[p], pos[p + 1]); for parents [p, q): [pos[p], pos[q])
//   pos_access(p)      -> crd[p], always found
//   insert(p, c)       -> crd[n] = c, n++                         (append_coord)
//   retract()          -> n--
//   close(p, mark)     -> the parent's children are [mark, n)     (append_edges), either
//        pos[p + 1] = n - mark, summed up by seal, where some of the parent's positions may be
//        skipped; reserve keeps the counts of new parents at zero; or
//        pos[p + 1] = n, at once, where the parent itself appends.
//   In crd may also lie the coordinates of singleton levels below it (aos): with d of them, p's own
//   is crd[(1 + d) * p], and theirs follow (004 section 5.2).
//   Or by counting first: tally(p), reserve, and then insert(p, c) for the parents in any order.
//
// Source: 004 section 3.1, Tables 3.1 and 3.3 and the one-shot variant that follows the latter.
#include "strata/level/Edges.h"
#include "strata/level/PieceCounts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

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

// Assembly by counting. The last piece keeps the number of p's children in pos[p + 2]. Summed up,
// pos[p + 1] is where the last piece's children of p begin, and goes on with each that is stored;
// so it ends where those of p + 1 begin, which is what pos[p + 1] means. The other pieces' counts
// become where their children begin, likewise.
struct Counted final : CountedBuild {
  struct State {
    PieceCounts counts;
    emit::Growing crd;
    Value total;
    explicit State(ArrayRef<Value> s)
        : counts(s), crd{s[PieceCounts::fieldCount], s[PieceCounts::fieldCount + 1]},
          total(s.back()) {}
    BuildState state() const {
      BuildState fields = counts.fields();
      fields.append({crd.data, crd.capacity, total});
      return fields;
    }
  };

  SmallVector<Type> fields(BuildView &view) const override {
    SmallVector<Type> types;
    PieceCounts::addFields(view, types);
    Type index = view.b.getIndexType();
    types.append({emit::bufferType(view.crdType), index, index});
    return types;
  }
  BuildState init(BuildView &view) const override {
    BuildState fields = PieceCounts::init(view, 2).fields();
    emit::Growing crd = emit::allocate(view, view.crdType, emit::constant(view, 1));
    fields.append({crd.data, crd.capacity, emit::constant(view, 0)});
    return fields;
  }
  BuildState enter(BuildView &view, const BuildState &state, Value piece,
                   bool counting) const override {
    State s(state);
    s.counts.enter(view, piece, counting, counting ? 2 : 1);
    return s.state();
  }
  void tally(BuildView &view, BuildState &state, Value parent, Value) const override {
    State s(state);
    Value more = emit::add(view, s.counts.load(view, parent), emit::constant(view, 1));
    emit::requirePosition(view, more);
    s.counts.store(view, parent, more);
  }
  void reserve(BuildView &view, BuildState &state) const override {
    State s(state);
    s.total = sumUp(view, s.counts);
    emit::requirePosition(view, s.total);
    emit::ensure(view, s.crd, emit::coordinates(view, s.total));
    state = s.state();
  }
  Value insert(BuildView &view, BuildState &state, Value parent, Value crd) const override {
    State s(state);
    Value at = s.counts.load(view, parent);
    s.counts.store(view, parent, emit::add(view, at, emit::constant(view, 1)));
    emit::storeCoordinate(view, s.crd.data, at, crd);
    return at;
  }
  Value count(const BuildState &state) const override { return State(state).total; }
  void seal(BuildView &view, BuildState &state) const override {
    State s(state);
    emit::release(view, s.counts.more);
    emit::publish(view, s.counts.pos, view.firstBuffer,
                  emit::add(view, view.parentCount, emit::constant(view, 1)));
    emit::publish(view, s.crd, view.firstBuffer + 1, emit::coordinates(view, s.total));
  }
  Value coordinates(const BuildState &state) const override { return State(state).crd.data; }

private:
  // Turns counts into where children begin: parent by parent, of each the pieces in order.
  static Value sumUp(BuildView &view, const PieceCounts &counts) {
    Value zero = emit::constant(view, 0), one = emit::constant(view, 1),
          two = emit::constant(view, 2);
    auto begin = [&](Value buffer, Value count, Value at, Value sum) {
      Value own = emit::loadPosition(view, buffer, count);
      emit::storeIndex(view, buffer, at, sum);
      return emit::add(view, sum, own);
    };
    return PieceCounts::fold(view, view.parentCount, zero, [&](Value parent, Value sum) {
      Value others = PieceCounts::otherPieces(view);
      sum = PieceCounts::fold(view, others, sum, [&](Value piece, Value inner) {
        Value at = PieceCounts::slotOf(view, piece, parent);
        return begin(counts.more.data, at, at, inner);
      });
      return begin(counts.pos.data, emit::add(view, parent, two), emit::add(view, parent, one),
                   sum);
    });
  }
};

struct CompressedLevel final : LevelFormat, PositionIteration, Build, JoinedBuild, Inspect {
  CompressedLevel()
      : LevelFormat({.name = "compressed",
                     .defaults = {.compact = true},
                     .canBeNonunique = true,
                     .canBeUnordered = true,
                     .iteratesPositions = true,
                     .appends = true,
                     .counts = true,
                     .retracts = true,
                     .interleaves = true,
                     .inFiles = FileLevel::Lists}) {}

  SmallVector<BufferSpec> buffers() const override {
    return {{"pos", BufferKind::Position}, {"crd", BufferKind::Coordinate}};
  }
  const PositionIteration *positionIteration() const override { return this; }
  const Build *build() const override { return this; }
  const CountedBuild *countedBuild() const override { return &counted; }
  const JoinedBuild *joinedBuild() const override { return this; }
  const Inspect *inspect() const override { return this; }

  std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const override {
    int64_t count = level.buffers[1].count;
    bool fine = Edges::check(level.buffers[0], "pos", level.parents, count, fault);
    return fine ? std::optional(count) : std::nullopt;
  }
  std::pair<int64_t, int64_t> children(const StoredLevel &level, int64_t parent) const override {
    return Edges::children(level.buffers[0], parent);
  }
  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t pos) const override {
    return level.buffers[1][pos];
  }

  PositionRange posIter(LevelView &view, PositionRange parent) const override {
    return Edges::children(view, view.buffers[0], parent);
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
    emit::Growing crd = emit::allocate(view, view.crdType, emit::coordinates(view, view.hint));
    Edges edges = Edges::init(view);
    return BuildState{emit::constant(view, 0), crd.data, crd.capacity, edges.pos.data,
                      edges.pos.capacity};
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
    emit::publish(view, f.crd, view.firstBuffer + 1, emit::coordinates(view, f.count));
  }

  Value coordinates(const BuildState &state) const override { return Fields(state).crd.data; }

  BuildState fork(BuildView &view, const BuildState &state) const override {
    Fields f(state);
    f.count = emit::constant(view, 0);
    f.crd = emit::allocate(view, view.crdType, emit::coordinates(view, view.hint));
    if (view.parentAppends)
      f.edges = Edges::init(view);
    return f.state();
  }

  BuildState join(BuildView &view, const BuildState &state, const JoinView &parts) const override {
    Fields f(state);
    emit::release(view, f.crd);
    f.crd = emit::join(view, parts, view.crdType, parts.fields + 1, parts.count, view.stride);
    if (view.parentAppends) {
      emit::release(view, f.edges.pos);
      f.edges.pos = emit::joinEdges(view, parts, view.posType, parts.fields + 3);
    }
    f.count = emit::sumOfRows(view, parts, parts.count);
    return f.state();
  }

private:
  Counted counted;
};

} // namespace

std::unique_ptr<LevelFormat> createCompressedLevel() { return std::make_unique<CompressedLevel>(); }

} // namespace strata
