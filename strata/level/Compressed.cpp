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
//   In crd may also lie the coordinates of singleton levels below it (aos): with d of them, p's own
//   is crd[(1 + d) * p], and theirs follow (004 section 5.2).
//   Or by counting first: tally(p), reserve, and then insert(p, c) for the parents in any order.
//
// Source: 004 section 3.1, Tables 3.1 and 3.3 and the one-shot variant that follows the latter.
#include "strata/level/Edges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

// Assembly by counting. The last piece keeps the number of p's children in pos[p + 2], the others
// theirs in `more`, piece after piece. Summed up, pos[p + 1] is where the last piece's children of
// p begin, and goes on with each that is stored; so it ends where those of p + 1 begin, which is
// what pos[p + 1] means. With one piece there is nothing but pos.
struct Counted final : CountedBuild {
  struct State {
    emit::Growing pos, more, crd;
    Value total;
    Value counters, first; ///< of the piece at work: p's is counters[first + p]
    explicit State(const BuildState &s)
        : pos{s[0], s[1]}, more{s[2], s[3]}, crd{s[4], s[5]}, total(s[6]), counters(s[7]),
          first(s[8]) {}
    BuildState state() const {
      return {pos.data,     pos.capacity, more.data, more.capacity, crd.data,
              crd.capacity, total,        counters,  first};
    }
  };

  SmallVector<Type> fields(BuildView &view) const override {
    Type index = view.b.getIndexType(), pos = emit::bufferType(view.posType);
    return {pos, index, pos, index, emit::bufferType(view.crdType), index, index, pos, index};
  }
  BuildState init(BuildView &view) const override {
    Value zero = emit::constant(view, 0), one = emit::constant(view, 1);
    Value slots = emit::add(view, view.parentCount, emit::constant(view, 2));
    emit::Growing pos = emit::allocate(view, view.posType, slots);
    emit::fill(view, pos.data, zero, slots, Edges::none(view));
    Value others = emit::mul(view, emit::sub(view, view.pieces, one), view.parentCount);
    emit::Growing more = emit::allocate(view, view.posType, others);
    emit::Growing crd = emit::allocate(view, view.crdType, one);
    return BuildState{pos.data,     pos.capacity, more.data, more.capacity, crd.data,
                      crd.capacity, zero,         pos.data,  zero};
  }
  BuildState enter(BuildView &view, const BuildState &state, Value piece,
                   bool counting) const override {
    State s(state);
    auto select = [&](Value condition, Value yes, Value no) -> Value {
      return view.b.createOrFold<arith::SelectOp>(view.loc, condition, yes, no);
    };
    Value others = emit::sub(view, view.pieces, emit::constant(view, 1));
    Value isLast =
        view.b.createOrFold<arith::CmpIOp>(view.loc, arith::CmpIPredicate::eq, piece, others);
    Value begin = emit::mul(view, piece, view.parentCount);
    if (counting) {
      Value end = select(isLast, begin, emit::add(view, begin, view.parentCount));
      emit::fill(view, s.more.data, begin, end, Edges::none(view));
    }
    s.counters = select(isLast, s.pos.data, s.more.data);
    s.first = select(isLast, emit::constant(view, counting ? 2 : 1), begin);
    return s.state();
  }
  void tally(BuildView &view, BuildState &state, Value parent) const override {
    State s(state);
    Value slot = emit::add(view, s.first, parent);
    Value more =
        emit::add(view, emit::loadPosition(view, s.counters, slot), emit::constant(view, 1));
    emit::requirePosition(view, more);
    emit::storeIndex(view, s.counters, slot, more);
  }
  void reserve(BuildView &view, BuildState &state) const override {
    State s(state);
    s.total = sumUp(view, s);
    emit::requirePosition(view, s.total);
    emit::ensure(view, s.crd, emit::coordinates(view, s.total));
    state = s.state();
  }
  Value insert(BuildView &view, BuildState &state, Value parent, Value crd) const override {
    State s(state);
    Value one = emit::constant(view, 1), slot = emit::add(view, s.first, parent);
    Value at = emit::loadPosition(view, s.counters, slot);
    emit::storeIndex(view, s.counters, slot, emit::add(view, at, one));
    emit::storeCoordinate(view, s.crd.data, at, crd);
    return at;
  }
  Value count(const BuildState &state) const override { return State(state).total; }
  void seal(BuildView &view, BuildState &state) const override {
    State s(state);
    emit::release(view, s.more);
    emit::publish(view, s.pos, view.firstBuffer,
                  emit::add(view, view.parentCount, emit::constant(view, 1)));
    emit::publish(view, s.crd, view.firstBuffer + 1, emit::coordinates(view, s.total));
  }
  Value coordinates(const BuildState &state) const override { return State(state).crd.data; }

private:
  using Step = llvm::function_ref<Value(Value at, Value sum)>;
  static Value summed(BuildView &view, Value count, Value sum, Step step) {
    Value zero = emit::constant(view, 0), one = emit::constant(view, 1);
    auto loop = scf::ForOp::create(view.b, view.loc, zero, count, one, ValueRange{sum});
    OpBuilder::InsertionGuard guard(view.b);
    view.b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(view.b, view.loc, step(loop.getInductionVar(), loop.getRegionIterArg(0)));
    return loop.getResult(0);
  }
  // Turns counts into where children begin: parent by parent, of each the pieces in order.
  static Value sumUp(BuildView &view, const State &s) {
    Value one = emit::constant(view, 1), two = emit::constant(view, 2);
    Value others = emit::sub(view, view.pieces, one);
    auto begin = [&](Value buffer, Value count, Value at, Value sum) {
      Value own = emit::loadPosition(view, buffer, count);
      emit::storeIndex(view, buffer, at, sum);
      return emit::add(view, sum, own);
    };
    return summed(view, view.parentCount, emit::constant(view, 0), [&](Value parent, Value sum) {
      sum = summed(view, others, sum, [&](Value piece, Value inner) {
        Value at = emit::add(view, emit::mul(view, piece, view.parentCount), parent);
        return begin(s.more.data, at, at, inner);
      });
      return begin(s.pos.data, emit::add(view, parent, two), emit::add(view, parent, one), sum);
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
