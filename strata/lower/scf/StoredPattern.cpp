// Emits the search for coordinates in a result whose pattern is there.
#include "strata/lower/scf/StoredPattern.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/level/Emission.h"
#include "strata/runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace strata {

BuildView StoredPattern::view(unsigned level, ArrayRef<Value> ancestors) const {
  SmallVector<Value> known(ancestors);
  known.resize(level, arith::ConstantIndexOp::create(b, loc, 0));
  BuildView result{viewLevel(b, loc, storage, level, known)};
  result.context = context;
  return result;
}

bool StoredPattern::isSearched(unsigned level) const {
  return level != indexed && !storage.level(level).locate() &&
         ta::levelProperties(storage.format, level).unique;
}

unsigned StoredPattern::hintCount() const {
  return llvm::count_if(llvm::seq(storage.format.getLvlRank()),
                        [&](unsigned level) { return isSearched(level); });
}

SmallVector<Value> StoredPattern::firstHints() const {
  return SmallVector<Value>(hintCount(), arith::ConstantIndexOp::create(b, loc, 0));
}

// Whatever begins with positions, or with words, has some even where nothing is stored.
void StoredPattern::check() const {
  if (storage.format.getLvlRank() == 0)
    return;
  for (unsigned level = 0; level < storage.format.getLvlRank(); ++level) {
    if (storage.buffers[level].empty())
      continue;
    BufferKind kind = storage.level(level).buffers().front().kind;
    if (kind != BufferKind::Position && kind != BufferKind::Word)
      return;
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value count = memref::DimOp::create(b, loc, storage.buffers[level].front(), zero);
    Value none = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, count, zero);
    emit::failIf(b, loc, context, none, STRATA_NOT_ASSEMBLED);
    return;
  }
}

//===------------------------------------------------------------------------------------------===//
// The index
//===------------------------------------------------------------------------------------------===//

Value StoredPattern::places() const {
  return indexed ? storage.extents[*indexed].extent : arith::ConstantIndexOp::create(b, loc, 1);
}

void StoredPattern::begin() {
  if (!indexed)
    return;
  BuildView v = view(*indexed, {});
  table = emit::allocate(v, b.getI64Type(), places());
  Value zero = emit::constant(v, 0);
  emit::fill(v, table.data, zero, places(), arith::ConstantIntOp::create(b, loc, -1, 64));
  if (!admits)
    return;
  Type element = storage.type.getElementType();
  dropped = emit::allocate(v, element, places());
  emit::fill(v, dropped.data, zero, places(),
             ta::emitConstant(b, loc, ta::fillOf(storage.type.getTensor())));
}

std::pair<Value, Value> StoredPattern::placeOf(const PathValues &path) const {
  Value pos = path.last(b, loc).begin;
  if (!path.dropped)
    return {storage.values, pos};
  Value slot = slotOf(path.coordinates[*indexed]);
  return {arith::SelectOp::create(b, loc, path.found, storage.values, dropped.data),
          arith::SelectOp::create(b, loc, path.found, pos, slot)};
}

void StoredPattern::end() {
  if (!indexed)
    return;
  BuildView v = view(*indexed, {});
  emit::release(v, table);
  if (admits)
    emit::release(v, dropped);
}

// Each parent has a mark of its own, so that nothing needs to be taken out of the index.
void StoredPattern::index(const PathValues &parent) {
  BuildView v = view(*indexed, parent.coordinates);
  children = childrenOf(v, *indexed, parent);
  absent = emit::sub(v, emit::constant(v, -2), parent.last(b, loc).begin);
  countedLoop(b, loc, "p", children.begin, children.end, {}, [&](Value pos, Values) -> Values {
    emit::storeIndex(v, table.data, slotOf(coordinate(v, *indexed, pos)), pos);
    return {};
  });
}

Value StoredPattern::slotOf(Value crd) const {
  return b.createOrFold<arith::SubIOp>(loc, crd, storage.extents[*indexed].first);
}

// What other parents left in the index is none of this one's children.
Value StoredPattern::isChild(Value pos) const {
  Value from = arith::SubIOp::create(b, loc, pos, children.begin);
  Value count = b.createOrFold<arith::SubIOp>(loc, children.end, children.begin);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, from, count);
}

void StoredPattern::admit(Value crd) {
  BuildView v = view(*indexed, {});
  Value slot = slotOf(crd), pos = emit::loadPosition(v, table.data, slot);
  Value mark = arith::SelectOp::create(b, loc, isChild(pos), pos, absent);
  emit::storeIndex(v, table.data, slot, mark);
}

//===------------------------------------------------------------------------------------------===//
// The search
//===------------------------------------------------------------------------------------------===//

Value StoredPattern::coordinate(BuildView &v, unsigned level, Value pos) const {
  return storage.level(level).positionIteration()->posAccess(v, pos).value;
}

PositionRange StoredPattern::childrenOf(BuildView &v, unsigned level,
                                        const PathValues &parent) const {
  auto among = [&] {
    PositionRange range = storage.level(level).positionIteration()->posIter(v, parent.last(b, loc));
    return Values{range.begin, range.end};
  };
  Values range;
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  if (!parent.found)
    range = among();
  else
    range = choice(b, loc, parent.found, {b.getIndexType(), b.getIndexType()}, among,
                   [&] { return Values{zero, zero}; });
  return {range[0], range[1]};
}

StoredPattern::Place StoredPattern::locate(BuildView &v, unsigned level, const PathValues &parent,
                                           Value crd) const {
  const Locate *function = storage.level(level).locate();
  if (!parent.found) {
    Found place = function->locate(v, parent.last(b, loc).begin, crd);
    return {{place.value}, place.found};
  }
  Values place = choice(
      b, loc, parent.found, {b.getIndexType(), b.getI1Type()},
      [&] {
        Found inside = function->locate(v, parent.last(b, loc).begin, crd);
        Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
        return Values{inside.value, inside.found ? inside.found : yes};
      },
      [&] {
        return Values{arith::ConstantIndexOp::create(b, loc, 0),
                      arith::ConstantIntOp::create(b, loc, 0, 1)};
      });
  return {{place[0]}, place[1]};
}

// The first position whose coordinate is not less, by halves.
Value StoredPattern::firstAtLeast(BuildView &v, unsigned level, PositionRange among,
                                  Value crd) const {
  return emit::bisect(b, loc, among, [&](Value position) {
    return emit::less(v, coordinate(v, level, position), crd);
  });
}

// The first position with the coordinate, one after the other.
Value StoredPattern::scan(BuildView &v, unsigned level, PositionRange among, Value crd) const {
  Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
  return whileLoop(
      b, loc, {among.begin},
      [&](Values s) {
        return choice(
            b, loc, emit::less(v, s[0], among.end), {b.getI1Type()},
            [&] {
              return Values{arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                                  coordinate(v, level, s[0]), crd)};
            },
            [&] { return Values{no}; })[0];
      },
      [&](Values s) { return Values{emit::add(v, s[0], emit::constant(v, 1))}; })[0];
}

StoredPattern::Place StoredPattern::search(BuildView &v, unsigned level, PositionRange among,
                                           Value crd, Value &hint) const {
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
  auto hasIt = [&](Value pos) {
    Value from = emit::sub(v, pos, among.begin), count = emit::sub(v, among.end, among.begin);
    Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, from, count);
    return choice(
        b, loc, inside, {b.getI1Type()},
        [&] { return Values{emit::equal(v, coordinate(v, level, pos), crd)}; },
        [&] { return Values{no}; })[0];
  };
  Values place = choice(
      b, loc, hasIt(hint), {b.getIndexType(), b.getI1Type()}, [&] { return Values{hint, yes}; },
      [&] {
        bool ordered = ta::levelProperties(storage.format, level).ordered;
        Value pos = ordered ? firstAtLeast(v, level, among, crd) : scan(v, level, among, crd);
        return Values{pos, hasIt(pos)};
      });
  hint = emit::add(v, place[0], emit::constant(v, 1));
  return {{place[0]}, place[1]};
}

// All positions with the coordinate, which are neighbours.
StoredPattern::Place StoredPattern::searchRun(BuildView &v, unsigned level, PositionRange among,
                                              Value crd) const {
  Value begin = firstAtLeast(v, level, among, crd);
  Value next = emit::add(v, crd, emit::constant(v, 1));
  Value end = firstAtLeast(v, level, {begin, among.end}, next);
  return {{begin, end}, emit::less(v, begin, end)};
}

void StoredPattern::find(PathValues &path, unsigned level, Value crd, MutableArrayRef<Value> hints,
                         bool admitted) {
  BuildView v = view(level, path.coordinates);
  Place place;
  if (level == indexed) {
    Value pos = emit::loadPosition(v, table.data, slotOf(crd));
    place = {{pos}, isChild(pos)};
    if (admitted) {
      Value missing = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, pos, absent);
      emit::failIf(b, loc, context, missing, STRATA_NOT_IN_PATTERN);
      path.dropped = true;
    }
  } else if (storage.level(level).locate()) {
    place = locate(v, level, path, crd);
  } else if (isSearched(level)) {
    unsigned at = llvm::count_if(llvm::seq(level), [&](unsigned l) { return isSearched(l); });
    place = search(v, level, childrenOf(v, level, path), crd, hints[at]);
  } else {
    place = searchRun(v, level, childrenOf(v, level, path), crd);
  }
  if (place.found)
    path.found = path.found && level != indexed
                     ? Value(arith::AndIOp::create(b, loc, path.found, place.found))
                     : place.found;
  path.push(place.at, crd);
}

} // namespace strata
