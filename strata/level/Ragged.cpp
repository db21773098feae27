// The ragged level: a place for each coordinate from the least one to the last that is stored.
//
//   3x4 matrix, rows dense, columns ragged           a . . .
//     pos    0  1  1  4                              . . . .
//     vals   a  b 0 c                                b . c .       0: the fill, in the gaps
//
//   4x4 matrix, SELL:2, rows by pairs, each pair as wide as its longest row      a b . .
//     (i, j) -> (i floordiv 2 : dense, slot(i) : ragged,                         . c . .
//                i mod 2 : dense, j : padded)                                    . . d .
//     slices  0        1            pos  0   2   3                               . . . .
//     slots   0   1    0
//     rows    0 1 0 1  0 1
//     j       0 1 1 -  2 -          -: a pad
//
//   span_iter(p)      -> [p, p + 1)
//   span_access(p)    -> coordinates [first, first + pos[p + 1] - pos[p]), from pos[p] on
//                        (those before lo, where there are any, are left out)
//   locate(p, c)      -> pos[p] + c - first, found if that is less than pos[p + 1]
//   insert(p, c)      -> the place of c; it and those before it that are not there yet come into
//                        being
//   close(p, mark)    -> pos as in compressed (append_edges)
//
// A band that begins at the least coordinate (`first`, mostly 0): for triangular matrices, batches
// of sequences, and slots, which have no gaps.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "strata/level/OneSpan.h"
#include "strata/level/PieceCounts.h"

using namespace mlir;

namespace strata {
namespace {

// The state of a level under construction: n, the position where the parent in the making begins;
// pos with its capacity.
struct Fields {
  Value count, begin;
  Edges edges;
  explicit Fields(const BuildState &s) : count(s[0]), begin(s[1]), edges{{s[2], s[3]}} {}
  BuildState state() const { return {count, begin, edges.pos.data, edges.pos.capacity}; }
};

// Assembly by counting. The largest number of places that a piece needs for p: the last piece's in
// pos[p + 1]. Summed up, pos is final, and says where each coordinate belongs.
struct Counted final : CountedBuild {
  SmallVector<Type> fields(BuildView &view) const override {
    SmallVector<Type> types;
    PieceCounts::addFields(view, types);
    types.push_back(view.b.getIndexType());
    return types;
  }
  BuildState init(BuildView &view) const override {
    BuildState fields = PieceCounts::init(view, 1).fields();
    fields.push_back(emit::constant(view, 0));
    return fields;
  }
  BuildState enter(BuildView &view, const BuildState &state, Value piece,
                   bool counting) const override {
    PieceCounts counts(state);
    counts.enter(view, piece, counting, 1);
    BuildState fields = counts.fields();
    fields.push_back(state.back());
    return fields;
  }
  void tally(BuildView &view, BuildState &state, Value parent, Value crd) const override {
    PieceCounts counts(state);
    Value places = emit::add(view, emit::sub(view, crd, view.first), emit::constant(view, 1));
    emit::requirePosition(view, places);
    places = arith::MaxSIOp::create(view.b, view.loc, counts.load(view, parent), places);
    counts.store(view, parent, places);
  }
  void reserve(BuildView &view, BuildState &state) const override {
    state.back() = sumUp(view, PieceCounts(state));
    emit::requirePosition(view, state.back());
  }
  Value insert(BuildView &view, BuildState &state, Value parent, Value crd) const override {
    Value begin = emit::loadPosition(view, PieceCounts(state).pos.data, parent);
    return emit::add(view, begin, emit::sub(view, crd, view.first));
  }
  Value count(const BuildState &state) const override { return state.back(); }
  void seal(BuildView &view, BuildState &state) const override {
    PieceCounts counts(state);
    emit::release(view, counts.more);
    emit::publish(view, counts.pos, view.firstBuffer,
                  emit::add(view, view.parentCount, emit::constant(view, 1)));
  }

private:
  static Value sumUp(BuildView &view, const PieceCounts &counts) {
    Value zero = emit::constant(view, 0), one = emit::constant(view, 1);
    return PieceCounts::fold(view, view.parentCount, zero, [&](Value parent, Value sum) {
      Value next = emit::add(view, parent, one);
      Value last = emit::loadPosition(view, counts.pos.data, next);
      Value others = PieceCounts::otherPieces(view);
      Value most = PieceCounts::fold(view, others, last, [&](Value piece, Value inner) -> Value {
        Value at = PieceCounts::slotOf(view, piece, parent);
        Value own = emit::loadPosition(view, counts.more.data, at);
        return arith::MaxSIOp::create(view.b, view.loc, inner, own);
      });
      sum = emit::add(view, sum, most);
      emit::storeIndex(view, counts.pos.data, next, sum);
      return sum;
    });
  }
};

struct RaggedLevel final : OneSpanLevel {
  RaggedLevel()
      : OneSpanLevel({.name = "ragged",
                      .defaults = {.compact = true},
                      .iteratesSpans = true,
                      .locates = true,
                      .appends = true,
                      .counts = true,
                      .fillsGaps = true,
                      .fillsFront = true}) {}

  SmallVector<BufferSpec> buffers() const override { return {{"pos", BufferKind::Position}}; }
  const CountedBuild *countedBuild() const override { return &counted; }

  std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const override {
    const StoredLevel::Numbers &pos = level.buffers[0];
    int64_t end = pos.count > 0 ? pos[pos.count - 1] : 0;
    return Edges::check(pos, "pos", level.parents, end, fault) ? std::optional(end) : std::nullopt;
  }
  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t at) const override {
    return level.first + at - level.buffers[0][Edges::parentOf(level.buffers[0], at)];
  }

  Span spanAccess(LevelView &view, Value span) const override {
    Span all = spanFrom(view, span, view.first);
    if (view.lo == view.first)
      return all;
    // The places before `lo` lie outside the tensor.
    return {view.lo, arith::MaxSIOp::create(view.b, view.loc, all.end, view.lo),
            emit::add(view, all.pos, emit::sub(view, view.lo, view.first))};
  }

  SmallVector<Type> fields(BuildView &view) const override {
    SmallVector<Type> types(2, view.b.getIndexType());
    Edges::addFields(view, types);
    return types;
  }
  BuildState init(BuildView &view) const override {
    Value zero = emit::constant(view, 0);
    Edges edges = Edges::init(view);
    return BuildState{zero, zero, edges.pos.data, edges.pos.capacity};
  }
  Value insert(BuildView &view, BuildState &state, Value, Value crd) const override {
    Fields f(state);
    Value pos = emit::add(view, f.begin, emit::sub(view, crd, view.first));
    Value end = emit::add(view, pos, emit::constant(view, 1));
    f.count = arith::MaxSIOp::create(view.b, view.loc, f.count, end);
    state = f.state();
    return pos;
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
    f.begin = f.count;
    state = f.state();
  }
  void seal(BuildView &view, BuildState &state, Value parentCount) const override {
    Fields f(state);
    f.edges.seal(view, parentCount, f.count, 0);
  }

private:
  Counted counted;
};

} // namespace

std::unique_ptr<LevelFormat> createRaggedLevel() { return std::make_unique<RaggedLevel>(); }

} // namespace strata
