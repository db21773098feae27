// The run-length level: runs of neighbouring coordinates that share one value.
//
//   3x4 matrix, rows dense, columns run_length       . a a .
//     pos    0  1  1  3                              . . . .
//     crd    1  0 2                                  b . c c
//     last   2  0 3
//     vals   a  b c
//
//   span_iter(p)      -> [pos[p], pos[p + 1]); for parents [p, q): [pos[p], pos[q])
//   span_access(s)    -> coordinates [crd[s], last[s]], all at position s
//   insert(p, c)      -> a run of c alone                                    (append_coord)
//   close(p, mark)    -> pos as in compressed                                (append_edges)
//
// The value of a coordinate is known only after its insertion. So the last run stays open: at the
// next insertion, or when the parent is closed, it joins the one before it if it follows it and its
// value has the same bits. Source: run-length encoding; Finch's SparseRunList.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "strata/level/Edges.h"

#include "strata/runtime/Counted.h"

using namespace mlir;

namespace strata {
namespace {

// The state of a level under construction: runs, the first below the parent in the making; crd,
// last and pos with their capacities.
struct Fields {
  Value count, begin;
  emit::Growing crd, last;
  Edges edges;
  explicit Fields(const BuildState &s)
      : count(s[0]), begin(s[1]), crd{s[2], s[3]}, last{s[4], s[5]}, edges{{s[6], s[7]}} {}
  BuildState state() const {
    return {count,     begin,         crd.data,       crd.capacity,
            last.data, last.capacity, edges.pos.data, edges.pos.capacity};
  }
};

// Do two values have the same bits? So NaN equals itself, and 0 is not -0.
Value same(LevelView &view, Value x, Value y) {
  OpBuilder &b = view.b;
  Type type = x.getType();
  if (isa<ComplexType>(type)) {
    Value re =
        same(view, complex::ReOp::create(b, view.loc, x), complex::ReOp::create(b, view.loc, y));
    Value im =
        same(view, complex::ImOp::create(b, view.loc, x), complex::ImOp::create(b, view.loc, y));
    return arith::AndIOp::create(b, view.loc, re, im);
  }
  if (isa<FloatType>(type)) {
    Type bits = b.getIntegerType(type.getIntOrFloatBitWidth());
    x = arith::BitcastOp::create(b, view.loc, bits, x);
    y = arith::BitcastOp::create(b, view.loc, bits, y);
  }
  return arith::CmpIOp::create(b, view.loc, arith::CmpIPredicate::eq, x, y);
}

struct RunLengthLevel final : LevelFormat, SpanIteration, Build, Inspect {
  RunLengthLevel()
      : LevelFormat({.name = "run_length",
                     .defaults = {.compact = true},
                     .iteratesSpans = true,
                     .appends = true,
                     .sharesValues = true}) {}

  SmallVector<BufferSpec> buffers() const override {
    return {{"pos", BufferKind::Position},
            {"crd", BufferKind::Coordinate},
            {"last", BufferKind::Coordinate}};
  }
  const SpanIteration *spanIteration() const override { return this; }
  const Build *build() const override { return this; }
  const Inspect *inspect() const override { return this; }

  // Each run has coordinates, and ends before the next begins.
  std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const override {
    const StoredLevel::Numbers &pos = level.buffers[0], &crd = level.buffers[1],
                               &last = level.buffers[2];
    if (last.count != crd.count) {
      fault =
          "last has " + counted(last.count, "element") + "; expected " + std::to_string(crd.count);
      return std::nullopt;
    }
    if (!Edges::check(pos, "pos", level.parents, crd.count, fault))
      return std::nullopt;
    for (int64_t parent = 0; parent < level.parents; ++parent)
      for (int64_t run = pos[parent]; run < pos[parent + 1]; ++run) {
        bool alone = run + 1 == pos[parent + 1];
        if (last[run] >= crd[run] && (alone || last[run] < crd[run + 1]))
          continue;
        fault = "last[" + std::to_string(run) + "] is " + std::to_string(last[run]) +
                "; expected at least " + std::to_string(crd[run]) +
                (alone ? "" : ", less than " + std::to_string(crd[run + 1]));
        return std::nullopt;
      }
    return crd.count;
  }
  std::pair<int64_t, int64_t> children(const StoredLevel &level, int64_t parent) const override {
    return Edges::children(level.buffers[0], parent);
  }
  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t run) const override {
    return level.buffers[1][run];
  }
  std::optional<int64_t> lastCoordinate(const StoredLevel &level, int64_t run) const override {
    return level.buffers[2][run];
  }
  int64_t entries(const StoredLevel &level, int64_t runs) const override {
    int64_t count = 0;
    for (int64_t run = 0; run < runs; ++run)
      count += level.buffers[2][run] - level.buffers[1][run] + 1;
    return count;
  }

  PositionRange spanIter(LevelView &view, PositionRange parent) const override {
    return Edges::children(view, view.buffers[0], parent);
  }
  Span spanAccess(LevelView &view, Value span) const override {
    return {
        emit::loadCoordinate(view, view.buffers[1], span),
        emit::add(view, emit::loadCoordinate(view, view.buffers[2], span), emit::constant(view, 1)),
        span};
  }
  int64_t positionStep() const override { return 0; }

  SmallVector<Type> fields(BuildView &view) const override {
    Type index = view.b.getIndexType(), crd = emit::bufferType(view.crdType);
    SmallVector<Type> types = {index, index, crd, index, crd, index};
    Edges::addFields(view, types);
    return types;
  }
  BuildState init(BuildView &view) const override {
    Value zero = emit::constant(view, 0), one = emit::constant(view, 1);
    emit::Growing crd = emit::allocate(view, view.crdType, one);
    emit::Growing last = emit::allocate(view, view.crdType, one);
    Edges edges = Edges::init(view);
    return BuildState{zero,      zero,          crd.data,       crd.capacity,
                      last.data, last.capacity, edges.pos.data, edges.pos.capacity};
  }
  Value insert(BuildView &view, BuildState &state, Value, Value crd) const override {
    Fields f(state);
    Value one = emit::constant(view, 1), pos = joined(view, f);
    f.count = emit::add(view, pos, one);
    emit::ensure(view, f.crd, f.count);
    emit::ensure(view, f.last, f.count);
    emit::storeIndex(view, f.crd.data, pos, crd);
    emit::storeIndex(view, f.last.data, pos, crd);
    state = f.state();
    return pos;
  }
  Value count(BuildView &, const BuildState &state, Value) const override { return state[0]; }
  void reserve(BuildView &view, BuildState &state, Value before, Value after) const override {
    Fields f(state);
    f.edges.reserve(view, before, after);
    state = f.state();
  }
  void close(BuildView &view, BuildState &state, Value parent, Value) const override {
    Fields f(state);
    f.count = joined(view, f);
    f.edges.close(view, parent, f.begin, f.count);
    f.begin = f.count;
    state = f.state();
  }
  void seal(BuildView &view, BuildState &state, Value parentCount) const override {
    Fields f(state);
    f.edges.seal(view, parentCount, f.count, 0);
    emit::publish(view, f.crd, view.firstBuffer + 1, f.count);
    emit::publish(view, f.last, view.firstBuffer + 2, f.count);
  }

private:
  static Value joined(BuildView &view, const Fields &f);
};

// The number of runs once the last two, if they are alike, are one.
Value RunLengthLevel::joined(BuildView &view, const Fields &f) {
  OpBuilder &b = view.b;
  Value one = emit::constant(view, 1), two = emit::constant(view, 2);
  Value several = arith::CmpIOp::create(b, view.loc, arith::CmpIPredicate::sge, f.count,
                                        emit::add(view, f.begin, two));
  auto choice = scf::IfOp::create(b, view.loc, TypeRange{b.getIndexType()}, several, true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  {
    Value newest = emit::sub(view, f.count, one), before = emit::sub(view, f.count, two);
    Value crd = emit::loadCoordinate(view, f.crd.data, newest);
    Value next = emit::add(view, emit::loadCoordinate(view, f.last.data, before), one);
    Value follows = emit::equal(view, crd, next);
    Value x = memref::LoadOp::create(b, view.loc, view.values, ValueRange{before});
    Value y = memref::LoadOp::create(b, view.loc, view.values, ValueRange{newest});
    Value alike = arith::AndIOp::create(b, view.loc, follows, same(view, x, y));
    auto join = scf::IfOp::create(b, view.loc, TypeRange{b.getIndexType()}, alike, true);
    scf::YieldOp::create(b, view.loc, ValueRange{join.getResult(0)});
    b.setInsertionPointToStart(join.thenBlock());
    emit::storeIndex(view, f.last.data, before, crd);
    scf::YieldOp::create(b, view.loc, ValueRange{newest});
    b.setInsertionPointToStart(join.elseBlock());
    scf::YieldOp::create(b, view.loc, ValueRange{f.count});
  }
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, view.loc, ValueRange{f.count});
  return choice.getResult(0);
}

} // namespace

std::unique_ptr<LevelFormat> createRunLengthLevel() { return std::make_unique<RunLengthLevel>(); }

} // namespace strata
