// The band level: one contiguous run of coordinates below each parent.
//
//   3x4 matrix, rows dense, columns band             . a . b
//     first  1  0  0                                 . . . .
//     pos    0  3  3  7                              c . . d
//     vals   a 0 b  c 0 0 d                          0: the fill, in the gaps of a band
//
//   span_iter(p)      -> [p, p + 1)
//   span_access(p)    -> coordinates [first[p], first[p] + pos[p + 1] - pos[p]), from pos[p] on
//   locate(p, c)      -> pos[p] + c - first[p], found if c lies in the band
//   insert(p, c)      -> the place of c; the gap since the last coordinate is filled (append_coord)
//   close(p, mark)    -> first[p], and pos as in compressed (append_edges)
//
// For banded and triangular matrices, skylines, and what has one dense stretch in each row: two
// numbers a row, and loops without indices. A fill inside a band cannot be told from a gap.
// Source: after 004 section 3.1 (range, with stored bounds); Finch's SparseBand.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "strata/level/BufferCounts.h"
#include "strata/level/OneSpan.h"

#include "strata/runtime/Counted.h"

using namespace mlir;

namespace strata {
namespace {

// The state of a level under construction: n, the position and the coordinate where the band in
// the making begins; first and pos with their capacities.
struct Fields {
  Value count, begin, start;
  emit::Growing first;
  Edges edges;
  explicit Fields(const BuildState &s)
      : count(s[0]), begin(s[1]), start(s[2]), first{s[3], s[4]}, edges{{s[5], s[6]}} {}
  BuildState state() const {
    return {count, begin, start, first.data, first.capacity, edges.pos.data, edges.pos.capacity};
  }
};

struct BandLevel final : OneSpanLevel, OwnCounts {
  BandLevel()
      : OneSpanLevel({.name = "band",
                      .defaults = {.compact = true},
                      .iteratesSpans = true,
                      .locates = true,
                      .appends = true,
                      .fillsGaps = true}) {}

  SmallVector<BufferSpec> buffers() const override {
    return {{"pos", BufferKind::Position}, {"first", BufferKind::Coordinate}};
  }
  double elements(unsigned buffer, const LevelCounts &counts) const override {
    return buffer == 0 ? counts.parents + 1 : counts.parents;
  }
  llvm::SmallVector<CountRule> counts(bool) const override {
    return {{CountRule::Edges}, {CountRule::Parents}};
  }

  std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const override {
    const StoredLevel::Numbers &pos = level.buffers[0], &first = level.buffers[1];
    if (first.count != level.parents) {
      fault = "first has " + counted(first.count, "element") + "; expected " +
              std::to_string(level.parents);
      return std::nullopt;
    }
    int64_t end = pos.count > 0 ? pos[pos.count - 1] : 0;
    return Edges::check(pos, "pos", level.parents, end, fault) ? std::optional(end) : std::nullopt;
  }
  std::optional<int64_t> coordinate(const StoredLevel &level, int64_t at) const override {
    int64_t parent = Edges::parentOf(level.buffers[0], at);
    return level.buffers[1][parent] + at - level.buffers[0][parent];
  }

  Span spanAccess(LevelView &view, Value span) const override {
    return spanFrom(view, span, emit::loadCoordinate(view, view.buffers[1], span));
  }

  SmallVector<Type> fields(BuildView &view) const override {
    Type index = view.b.getIndexType();
    SmallVector<Type> types = {index, index, index, emit::bufferType(view.crdType), index};
    Edges::addFields(view, types);
    return types;
  }
  BuildState init(BuildView &view) const override {
    Value zero = emit::constant(view, 0);
    Value parents = view.parentCount ? view.parentCount : view.hint;
    Value room = arith::MaxSIOp::create(view.b, view.loc, parents, emit::constant(view, 1));
    emit::Growing first = emit::allocate(view, view.crdType, room);
    if (view.parentCount)
      emit::fill(view, first.data, zero, view.parentCount, nowhere(view));
    Edges edges = Edges::init(view);
    return BuildState{
        zero, zero, zero, first.data, first.capacity, edges.pos.data, edges.pos.capacity};
  }
  Value insert(BuildView &view, BuildState &state, Value, Value crd) const override {
    Fields f(state);
    Value fresh = emit::equal(view, f.count, f.begin);
    f.start = arith::SelectOp::create(view.b, view.loc, fresh, crd, f.start);
    Value pos = emit::add(view, f.begin, emit::sub(view, crd, f.start));
    f.count = emit::add(view, pos, emit::constant(view, 1));
    state = f.state();
    return pos;
  }
  Value count(BuildView &, const BuildState &state, Value) const override { return state[0]; }
  void reserve(BuildView &view, BuildState &state, Value before, Value after) const override {
    Fields f(state);
    f.edges.reserve(view, before, after);
    emit::ensure(view, f.first, after);
    emit::fill(view, f.first.data, before, after, nowhere(view));
    state = f.state();
  }
  void close(BuildView &view, BuildState &state, Value parent, Value mark) const override {
    Fields f(state);
    emit::ensure(view, f.first, emit::add(view, parent, emit::constant(view, 1)));
    emit::storeIndex(view, f.first.data, parent, f.start);
    f.edges.close(view, parent, mark, f.count);
    f.begin = f.count;
    state = f.state();
  }
  void seal(BuildView &view, BuildState &state, Value parentCount) const override {
    Fields f(state);
    f.edges.seal(view, parentCount, f.count, 0);
    emit::publish(view, f.first, view.firstBuffer + 1, parentCount);
  }

private:
  // Where a band without coordinates begins.
  static Value nowhere(BuildView &view) {
    return arith::ConstantOp::create(view.b, view.loc, view.b.getIntegerAttr(view.crdType, 0));
  }
};

} // namespace

std::unique_ptr<LevelFormat> createBandLevel() { return std::make_unique<BandLevel>(); }

} // namespace strata
