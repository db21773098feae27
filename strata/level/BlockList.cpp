// The block-list level: blocks of neighbouring coordinates, of any length.
//
//   3x4 matrix, rows dense, columns block_list       . a b .
//     pos    0  1  1  3                              . . . .
//     crd    1  0 3                                  c . . d
//     off    0  2 3 4
//     vals   a b  c d
//
//   span_iter(p)      -> [pos[p], pos[p + 1]); for parents [p, q): [pos[p], pos[q])
//   span_access(s)    -> coordinates [crd[s], crd[s] + off[s + 1] - off[s]), from off[s] on
//   insert(p, c)      -> n, n++; a new block unless c follows the last coordinate   (append_coord)
//   retract(c)        -> n--, and without its block if that is empty
//   close(p, mark)    -> pos as in compressed, of blocks                            (append_edges)
//
// Nothing is padded: a block ends where a coordinate is missing. Two numbers a block instead of one
// a coordinate, and inner loops without indices: for matrices with dense stretches in their rows.
// Source: variable block length (VBL, one-dimensional VBR); Finch's SparseVBL.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "strata/level/Edges.h"

using namespace mlir;

namespace strata {
namespace {

// The state of a level under construction: positions, blocks, the first block below the parent in
// the making, the coordinate after the last; crd, off and pos with their capacities.
struct Fields {
  Value count, blocks, begin, next;
  emit::Growing crd, off;
  Edges edges;
  explicit Fields(const BuildState &s)
      : count(s[0]), blocks(s[1]), begin(s[2]), next(s[3]), crd{s[4], s[5]}, off{s[6], s[7]},
        edges{{s[8], s[9]}} {}
  BuildState state() const {
    return {count,        blocks,   begin,        next,           crd.data,
            crd.capacity, off.data, off.capacity, edges.pos.data, edges.pos.capacity};
  }
};

struct BlockListLevel final : LevelFormat, SpanIteration, Build, Inspect {
  BlockListLevel()
      : LevelFormat({.name = "block_list",
                     .defaults = {.compact = true},
                     .iteratesSpans = true,
                     .appends = true,
                     .retracts = true}) {}

  SmallVector<BufferSpec> buffers() const override {
    return {{"pos", BufferKind::Position},
            {"crd", BufferKind::Coordinate},
            {"off", BufferKind::Position}};
  }
  // A block holds one coordinate at least.
  double elements(unsigned buffer, const LevelCounts &counts) const override {
    return buffer == 0 ? counts.parents + 1 : buffer == 1 ? counts.positions : counts.positions + 1;
  }
  const SpanIteration *spanIteration() const override { return this; }
  const Build *build() const override { return this; }
  const Inspect *inspect() const override { return this; }

  std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const override {
    const StoredLevel::Numbers &crd = level.buffers[1], &off = level.buffers[2];
    int64_t end = off.count > 0 ? off[off.count - 1] : 0;
    bool fine = Edges::check(level.buffers[0], "pos", level.parents, crd.count, fault) &&
                Edges::check(off, "off", crd.count, end, fault);
    return fine ? std::optional(end) : std::nullopt;
  }
  std::pair<int64_t, int64_t> children(const StoredLevel &level, int64_t parent) const override {
    const StoredLevel::Numbers &pos = level.buffers[0], &off = level.buffers[2];
    return {off[pos[parent]], off[pos[parent + 1]]};
  }
  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t at) const override {
    int64_t block = Edges::parentOf(level.buffers[2], at);
    return level.buffers[1][block] + at - level.buffers[2][block];
  }

  PositionRange spanIter(LevelView &view, PositionRange parent) const override {
    return Edges::children(view, view.buffers[0], parent);
  }
  Span spanAccess(LevelView &view, Value span) const override {
    Value begin = emit::loadPosition(view, view.buffers[2], span);
    Value end =
        emit::loadPosition(view, view.buffers[2], emit::add(view, span, emit::constant(view, 1)));
    Value first = emit::loadCoordinate(view, view.buffers[1], span);
    return {first, emit::add(view, first, emit::sub(view, end, begin)), begin};
  }

  SmallVector<Type> fields(BuildView &view) const override {
    Type index = view.b.getIndexType();
    SmallVector<Type> types = {index,
                               index,
                               index,
                               index,
                               emit::bufferType(view.crdType),
                               index,
                               emit::bufferType(view.posType),
                               index};
    Edges::addFields(view, types);
    return types;
  }
  BuildState init(BuildView &view) const override {
    Value zero = emit::constant(view, 0), one = emit::constant(view, 1);
    emit::Growing crd = emit::allocate(view, view.crdType, one);
    emit::Growing off = emit::allocate(view, view.posType, one);
    Edges edges = Edges::init(view);
    return BuildState{zero,         zero,     zero,         zero,           crd.data,
                      crd.capacity, off.data, off.capacity, edges.pos.data, edges.pos.capacity};
  }
  Value insert(BuildView &view, BuildState &state, Value parent, Value crd) const override;
  void retract(BuildView &view, BuildState &state, Value crd) const override;
  Value count(BuildView &, const BuildState &state, Value) const override { return state[0]; }
  void reserve(BuildView &view, BuildState &state, Value before, Value after) const override {
    Fields f(state);
    f.edges.reserve(view, before, after);
    state = f.state();
  }
  void close(BuildView &view, BuildState &state, Value parent, Value) const override {
    Fields f(state);
    f.edges.close(view, parent, f.begin, f.blocks);
    f.begin = f.blocks;
    state = f.state();
  }
  void seal(BuildView &view, BuildState &state, Value parentCount) const override {
    Fields f(state);
    Value ends = emit::add(view, f.blocks, emit::constant(view, 1));
    emit::requirePosition(view, f.count);
    emit::ensure(view, f.off, ends);
    emit::storeIndex(view, f.off.data, f.blocks, f.count);
    f.edges.seal(view, parentCount, f.blocks, 0);
    emit::publish(view, f.crd, view.firstBuffer + 1, f.blocks);
    emit::publish(view, f.off, view.firstBuffer + 2, ends);
  }
};

Value BlockListLevel::insert(BuildView &view, BuildState &state, Value, Value crd) const {
  OpBuilder &b = view.b;
  Fields f(state);
  Value pos = f.count, one = emit::constant(view, 1);
  Value none = emit::equal(view, f.blocks, f.begin);
  Value apart = arith::CmpIOp::create(b, view.loc, arith::CmpIPredicate::ne, crd, f.next);
  Value opens = arith::OrIOp::create(b, view.loc, none, apart);
  SmallVector<Type> types = fields(view);
  auto choice = scf::IfOp::create(b, view.loc, types, opens, true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    Fields g = f;
    g.blocks = emit::add(view, f.blocks, one);
    emit::ensure(view, g.crd, g.blocks);
    emit::ensure(view, g.off, g.blocks);
    emit::storeIndex(view, g.crd.data, f.blocks, crd);
    emit::storeIndex(view, g.off.data, f.blocks, f.count);
    scf::YieldOp::create(b, view.loc, g.state());
    b.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(b, view.loc, f.state());
  }
  Fields after(BuildState(choice.getResults()));
  after.count = emit::add(view, pos, one);
  after.next = emit::add(view, crd, one);
  state = after.state();
  return pos;
}

// No later coordinate follows the one taken back, so that the next one opens a block.
void BlockListLevel::retract(BuildView &view, BuildState &state, Value crd) const {
  Fields f(state);
  Value one = emit::constant(view, 1), last = emit::sub(view, f.blocks, one);
  f.count = emit::sub(view, f.count, one);
  Value alone = emit::equal(view, emit::loadPosition(view, f.off.data, last), f.count);
  f.blocks = arith::SelectOp::create(view.b, view.loc, alone, last, f.blocks);
  f.next = crd;
  state = f.state();
}

} // namespace

std::unique_ptr<LevelFormat> createBlockListLevel() { return std::make_unique<BlockListLevel>(); }

} // namespace strata
