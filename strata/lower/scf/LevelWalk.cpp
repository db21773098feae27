// Walks levels by their level functions.
#include "strata/lower/scf/LevelWalk.h"

#include "strata/level/Emission.h"
#include "strata/lower/utils/EmitAffine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace strata {

//===------------------------------------------------------------------------------------------===//
// Steps
//===------------------------------------------------------------------------------------------===//

LevelWalk::LevelWalk(lvl::IteratorOp op, PathValues parent, Values fixed, Value extent, Value guard,
                     PositionRange within, SmallVector<DimensionWindow, 1> windows, OpBuilder &b)
    : op(op), parent(std::move(parent)), fixed(std::move(fixed)), extent(extent), guard(guard),
      within(within), windows(std::move(windows)), b(b), loc(op.getLoc()), first(op.getLevel()),
      dedup(op.getDedup()) {
  if (Value there = std::exchange(this->parent.there, nullptr))
    this->guard = guard ? Value(arith::AndIOp::create(b, loc, there, guard)) : there;
  for (Attribute step : op.getSteps()) {
    auto map = dyn_cast<AffineMapAttr>(step);
    steps.push_back(map ? map.getValue() : AffineMap());
  }
}

bool LevelWalk::filters() const {
  if (extent && !keepsInside())
    return true;
  for (unsigned at = 0; at < steps.size(); ++at)
    if (isWalked(at) ? formatOf(at).traits.misses : !propertiesOf(at).full && !computesSame(at))
      return true;
  return false;
}

bool LevelWalk::keepsInside() const {
  return op.getSeek() && steps.size() == 1 && isWalked(0) && !isUnderRun(0) &&
         !propertiesOf(0).branchless;
}

bool LevelWalk::byPosition(unsigned step) const {
  return formatOf(step).positionIteration() != nullptr;
}

bool LevelWalk::hasOneSpan(unsigned step) const {
  if (!bySpans(step) || !formatOf(step).spanIteration()->hasOnePerParent())
    return false;
  return !isUnderRun(step); // below a run of duplicates there are as many as these
}

bool LevelWalk::isUnderRun(unsigned step) const {
  if (step > 0)
    return isWalked(step - 1) && dedups(step - 1);
  return !parent.positions.empty() && parent.positions.back().end;
}

bool LevelWalk::follows(unsigned step) const {
  return isWalked(step) && byPosition(step) && propertiesOf(step).branchless && !isUnderRun(step);
}

unsigned LevelWalk::bitsOf(unsigned variable) const {
  AffineExpr value = op.getCompose().getResult(variable);
  auto stores = [](const BufferSpec &buffer) { return buffer.kind == BufferKind::Coordinate; };
  unsigned walked = 0;
  for (unsigned step = 0; step < steps.size(); ++step)
    if (isWalked(step) && value == getAffineSymbolExpr(walked++, op.getContext()) &&
        llvm::any_of(formatOf(step).buffers(), stores))
      return parent.storage->coordinateType(levelOf(step)).getIntOrFloatBitWidth();
  return 64;
}

bool LevelWalk::isDistinct() const {
  SmallVector<unsigned> walked;
  for (unsigned step = 0; step < steps.size(); ++step)
    if (isWalked(step))
      walked.push_back(step);
  return walked.size() == 1 && propertiesOf(walked.front()).unique && !isUnderRun(walked.front());
}

// Tells whether coordinates ascend from the first entry of all to the last, and repeat. Of those
// that do not repeat there is nothing to know.
bool LevelWalk::ascends(unsigned step) const {
  return levelOf(step) == 0 && propertiesOf(step).ordered && !propertiesOf(step).unique;
}

LevelView LevelWalk::view(unsigned step, const PathValues &path) const {
  return viewLevel(b, loc, *parent.storage, levelOf(step), path.coordinates);
}

LevelWalk::Bounds LevelWalk::boundsOf(unsigned step, const PathValues &path) const {
  LevelView v = view(step, path);
  bool narrowed = narrowToWindows(v, *parent.storage, levelOf(step), path.coordinates, windows);
  const LevelFormat &format = formatOf(step);
  PositionRange range = byPosition(step) ? format.positionIteration()->posIter(v, path.last(b, loc))
                        : bySpans(step)  ? format.spanIteration()->spanIter(v, path.last(b, loc))
                                         : format.coordinateIteration()->coordIter(v);
  if (within.begin) {
    PositionRange all = range;
    range = {arith::MaxUIOp::create(b, loc, range.begin, within.begin),
             arith::MinUIOp::create(b, loc, range.end, within.end)};
    if (op.getWhole()) {
      Bounds whole = wholeRuns(step, path, {range.begin, range.end}, all.begin, all.end);
      range = {whole.begin, whole.end};
    }
  }
  if (op.getSeek() && !isUnderRun(step))
    range = insideOf(step, path, range);
  if (narrowed && (byPosition(step) || bySpans(step)) && propertiesOf(step).ordered &&
      !format.traits.misses && !isUnderRun(step))
    range = insideOf(step, path, range, v);
  constexpr int64_t most = 32;
  std::optional<int64_t> count = getConstantIntValue(v.extent);
  bool clamped =
      format.coordinateIteration() && count && *count <= most && !getConstantIntValue(range.end);
  return clamped ? Bounds{range.begin, range.end, v.first, *count} : Bounds{range.begin, range.end};
}

PositionRange LevelWalk::insideOf(unsigned step, const PathValues &path, PositionRange range,
                                  const LevelView &narrowed) const {
  auto isLess = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, y);
  };
  auto lastOf = [&](Value at) -> Value { // the coordinate of a position, or a span's last
    if (bySpans(step))
      return arith::SubIOp::create(b, loc, spanOf(step, path, at).end,
                                   arith::ConstantIndexOp::create(b, loc, 1));
    LevelView v = view(step, path);
    return formatOf(step).positionIteration()->posAccess(v, at).value;
  };
  auto firstOf = [&](Value at) {
    return bySpans(step) ? spanOf(step, path, at).first : lastOf(at);
  };
  Value first =
      emit::bisect(b, loc, range, [&](Value at) { return isLess(lastOf(at), narrowed.lo); });
  return {first, emit::bisect(b, loc, {first, range.end},
                              [&](Value at) { return isLess(firstOf(at), narrowed.hi); })};
}

PositionRange LevelWalk::insideOf(unsigned step, const PathValues &path,
                                  PositionRange range) const {
  if (!byPosition(step) && !bySpans(step))
    return coordinatesInside(range);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  auto valueOf = [&](Value coordinate) { return composed({coordinate})[0]; };
  if (bySpans(step)) {
    Value first = emit::bisect(b, loc, range, [&](Value span) -> Value {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle,
                                   valueOf(spanOf(step, path, span).end), zero);
    });
    return {first, emit::bisect(b, loc, {first, range.end}, [&](Value span) {
              return less(b, loc, valueOf(spanOf(step, path, span).first), extent);
            })};
  }
  const PositionIteration &level = *formatOf(step).positionIteration();
  auto isBelow = [&](Value limit) {
    return [&, limit](Value position) {
      LevelView v = view(step, path);
      return less(b, loc, valueOf(level.posAccess(v, position).value), limit);
    };
  };
  // Coordinates of a level that are values of the variable are not below 0.
  bool fromFirst = isa<AffineSymbolExpr>(op.getCompose().getResult(0)) &&
                   parent.storage->format.getWindows().empty();
  Value first = fromFirst ? range.begin : emit::bisect(b, loc, range, isBelow(zero));
  return {first, emit::bisect(b, loc, {first, range.end}, isBelow(extent))};
}

PositionRange LevelWalk::coordinatesInside(PositionRange range) const {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value offset = composed({zero})[0]; // of the values
  Value begin = arith::SubIOp::create(b, loc, zero, offset);
  Value end = arith::SubIOp::create(b, loc, extent, offset);
  return {arith::MaxSIOp::create(b, loc, range.begin, begin),
          arith::MinSIOp::create(b, loc, range.end, end)};
}

LevelWalk::Bounds LevelWalk::boundsIn(unsigned step, const Span &span,
                                      const PathValues &path) const {
  PositionRange range{span.first, span.end};
  LevelView v = view(step, path);
  if (narrowToWindows(v, *parent.storage, levelOf(step), path.coordinates, windows))
    range = {arith::MaxSIOp::create(b, loc, range.begin, v.lo),
             arith::MinSIOp::create(b, loc, range.end, v.hi)};
  if (op.getSeek() && !isUnderRun(step))
    range = coordinatesInside(range);
  return {range.begin, range.end};
}

Span LevelWalk::spanOf(unsigned step, const PathValues &path, Value span) const {
  LevelView v = view(step, path);
  return formatOf(step).spanIteration()->spanAccess(v, span);
}

Value LevelWalk::enter(unsigned step, PathValues &path, Values &walked, Value cursor,
                       Value runEnd) const {
  LevelView v = view(step, path);
  const LevelFormat &format = formatOf(step);
  if (byPosition(step)) {
    Found crd = format.positionIteration()->posAccess(v, cursor);
    path.push({format.positionIteration()->position(v, cursor), runEnd}, crd.value);
    walked.push_back(crd.value);
    return crd.found;
  }
  Found pos = format.coordinateIteration()->coordAccess(v, path.last(b, loc).begin, cursor);
  path.push({pos.value}, cursor);
  walked.push_back(cursor);
  return pos.found;
}

void LevelWalk::enterSpan(unsigned step, const Span &span, PathValues &path, Values &walked,
                          Value crd) const {
  Value pos = span.pos;
  if (formatOf(step).spanIteration()->positionStep() == 1) {
    Value offset = arith::SubIOp::create(b, loc, crd, span.first);
    pos = arith::AddIOp::create(b, loc, pos, offset);
  }
  path.push({pos}, crd);
  walked.push_back(crd);
}

// Is the coordinate at which a computed level is located the very one that it computes?
bool LevelWalk::computesSame(unsigned step) const {
  AffineExpr implied = parent.storage->map.implied[levelOf(step)];
  if (!implied || !formatOf(step).traits.computed)
    return false;
  SmallVector<AffineExpr> known(parent.storage->format.getLvlRank());
  unsigned walked = 0;
  for (unsigned at = 0; at < step; ++at)
    known[levelOf(at)] =
        steps[at] ? steps[at].getResult(0) : getAffineSymbolExpr(walked++, op.getContext());
  for (unsigned level = 0; level < known.size(); ++level)
    if (implied.isFunctionOfDim(level) && !known[level])
      return false;
  for (AffineExpr &expr : known)
    if (!expr)
      expr = getAffineConstantExpr(0, op.getContext());
  AffineExpr computed = implied.replaceDims(known);
  return simplifyAffineExpr(computed - steps[step].getResult(0), fixed.size(), walked) ==
         getAffineConstantExpr(0, op.getContext());
}

Value LevelWalk::locate(unsigned step, PathValues &path, ValueRange walked) const {
  LevelView v = view(step, path);
  Value crd =
      computesSame(step) ? v.implied : emitAffine(b, loc, steps[step].getResult(0), fixed, walked);
  Found found = formatOf(step).locate()->locate(v, path.last(b, loc).begin, crd);
  path.push({found.value}, crd);
  return propertiesOf(step).full ? Value() : found.found;
}

Value LevelWalk::runEnd(unsigned step, const PathValues &path, Value pos, Value end) const {
  const PositionIteration *iteration = formatOf(step).positionIteration();
  Values result = whileLoop(
      b, loc, {increment(b, loc, pos)},
      [&](Values state) {
        return choice(
            b, loc, less(b, loc, state[0], end), TypeRange{b.getI1Type()},
            [&]() -> Values {
              LevelView v = view(step, path);
              Value here = iteration->posAccess(v, pos).value;
              Value next = iteration->posAccess(v, state[0]).value;
              return {arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, here, next)};
            },
            [&]() -> Values { return {arith::ConstantIntOp::create(b, loc, 0, 1)}; })[0];
      },
      [&](Values state) -> Values { return {increment(b, loc, state[0])}; });
  return result[0];
}

Values LevelWalk::composed(ValueRange walked) const {
  Values values;
  for (auto [at, expr] : llvm::enumerate(op.getCompose().getResults())) {
    values.push_back(emitAffine(b, loc, expr, fixed, walked));
    if (std::optional<ArrayRef<int64_t>> ranks = op.getRanks(); ranks && (*ranks)[at] >= 0)
      values.back() =
          parent.storage->sorted.lookup((*ranks)[at]).coordinateOf(b, loc, values.back());
  }
  return values;
}

Value LevelWalk::inExtent(Value coordinate) const {
  if (!extent || keepsInside())
    return {};
  // As unsigned numbers, negative ones are large.
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, coordinate, extent);
}

//===------------------------------------------------------------------------------------------===//
// Alone: nested loops
//===------------------------------------------------------------------------------------------===//

Values LevelWalk::guarded(Value found, Values carried,
                          llvm::function_ref<Values(Values)> body) const {
  if (!found)
    return body(carried);
  SmallVector<Type> types(ValueRange(carried).getTypes());
  return choice(b, loc, found, types, [&] { return body(carried); }, [&] { return carried; });
}

Values LevelWalk::loopOverSpan(unsigned step, Value span, const PathValues &path,
                               const Values &walked, Values carried, Body body) const {
  Span here = spanOf(step, path, span);
  Bounds bounds = boundsIn(step, here, path);
  if (cutsSpans(step))
    bounds = pieceOf(step, path, bounds);
  std::string name = "c" + parent.storage->name + std::to_string(levelOf(step) + 1);
  return countedLoop(b, loc, name, bounds.begin, bounds.end, carried, [&](Value crd, Values inner) {
    PathValues below = path;
    Values more = walked;
    enterSpan(step, here, below, more, crd);
    return nest(step + 1, below, more, inner, body);
  });
}

std::pair<Value, Value> LoopPiece::of(OpBuilder &b, Location loc, Value begin, Value end) const {
  Value length = arith::SubIOp::create(b, loc, end, begin);
  auto at = [&](Value before) -> Value {
    Value steps = arith::MulIOp::create(b, loc, length, before);
    Value share = arith::DivUIOp::create(b, loc, steps, count);
    return arith::AddIOp::create(b, loc, begin, share);
  };
  return {at(number), at(increment(b, loc, number))};
}

std::pair<Value, Value> LevelWalk::extentOf(unsigned step) const {
  const StorageValues &storage = *parent.storage;
  Value extent = storage.extents[levelOf(step)].extent, longest = extent;
  AffineMap map = storage.format.getDimToLvl();
  auto own = cast<AffineDimExpr>(map.getResult(levelOf(step)));
  if (propertiesOf(step).full)
    return {extent, longest};
  // Of a diagonal no more is inside the tensor than its smaller side has.
  for (unsigned level = 0; level < levelOf(step); ++level)
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (AffineExpr above = map.getResult(level);
          above.isFunctionOfDim(own.getPosition()) && above.isFunctionOfDim(dim))
        longest = b.createOrFold<arith::MinUIOp>(loc, longest, storage.sizes[dim]);
  return {extent, longest};
}

LevelWalk::Bounds LevelWalk::pieceOf(unsigned step, const PathValues &path, Bounds bounds) const {
  if (step > 0)
    return {b.createOrFold<arith::MaxSIOp>(loc, bounds.begin, piece->begin),
            arith::MinSIOp::create(b, loc, bounds.end, piece->end)};
  auto [begin, end] = piece->of(b, loc, bounds.begin, bounds.end);
  if (dedups(step) || (piece->wholeRuns && !propertiesOf(step).unique))
    return wholeRuns(step, path, {begin, end}, bounds.begin, bounds.end);
  return {begin, end};
}

LevelWalk::Bounds LevelWalk::wholeRuns(unsigned step, const PathValues &path, Bounds part,
                                       Value begin, Value end) const {
  auto behindRun = [&](Value at, Value limit) -> Values {
    Value before = arith::SubIOp::create(b, loc, at, arith::ConstantIndexOp::create(b, loc, 1));
    return {runEnd(step, path, before, limit)};
  };
  auto ifLess = [&](Value x, Value y, llvm::function_ref<Values()> then, Value otherwise) {
    return choice(b, loc, less(b, loc, x, y), TypeRange{b.getIndexType()}, then,
                  [&]() -> Values { return {otherwise}; })[0];
  };
  // Where one run goes on through the whole part, only the part in which it begins looks for its
  // end: parts together look at every entry twice at most.
  Value first =
      ifLess(begin, part.begin, [&] { return behindRun(part.begin, part.end); }, part.begin);
  Value last = ifLess(first, part.end, [&] { return behindRun(part.end, end); }, first);
  return {first, last};
}

Values LevelWalk::loopOver(unsigned step, Bounds bounds, const PathValues &path,
                           const Values &walked, Values carried, Body body) const {
  if (piece && step == piece->step && !cutsSpans(step))
    bounds = pieceOf(step, path, bounds);
  auto visit = [&](Value cursor, Value runEnd, Values inner) {
    if (bySpans(step))
      return loopOverSpan(step, cursor, path, walked, inner, body);
    PathValues here = path;
    Values more = walked;
    Value found = enter(step, here, more, cursor, runEnd);
    if (Operation *op = more.back().getDefiningOp(); op && !runEnd && ascends(step))
      op->setAttr(ascendsName, b.getUnitAttr());
    return guarded(found, inner, [&](Values v) { return nest(step + 1, here, more, v, body); });
  };
  if (dedups(step)) {
    Values state{bounds.begin};
    llvm::append_range(state, carried);
    Values results = whileLoop(
        b, loc, state, [&](Values s) { return less(b, loc, s[0], bounds.end); },
        [&](Values s) {
          Value next = runEnd(step, path, s[0], bounds.end);
          Values out{next};
          llvm::append_range(out, visit(s[0], next, Values(llvm::drop_begin(s))));
          return out;
        });
    return Values(llvm::drop_begin(results));
  }
  return countedOrWhole(step, bounds, carried,
                        [&](Value cursor, Values inner) { return visit(cursor, nullptr, inner); });
}

Values LevelWalk::countedOrWhole(unsigned step, const Bounds &bounds, Values carried,
                                 llvm::function_ref<Values(Value, Values)> body) const {
  std::string name = (byPosition(step) ? "p"
                      : bySpans(step)  ? "s"
                                       : "c") +
                     parent.storage->name + std::to_string(levelOf(step) + 1);
  if (!bounds.first || partial)
    return countedLoop(b, loc, name, bounds.begin, bounds.end, carried, body);
  Value count = arith::ConstantIndexOp::create(b, loc, bounds.count);
  Value there = b.createOrFold<arith::SubIOp>(loc, bounds.end, bounds.begin);
  Value whole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, there, count);
  SmallVector<Type> types(ValueRange(carried).getTypes());
  return choice(
      b, loc, whole, types,
      [&] {
        Value end = b.createOrFold<arith::AddIOp>(loc, bounds.first, count);
        return countedLoop(b, loc, name, bounds.first, end, carried, body);
      },
      [&] {
        partial = true;
        Values results = countedLoop(b, loc, name, bounds.begin, bounds.end, carried, body);
        partial = false;
        return results;
      });
}

Values LevelWalk::nest(unsigned step, PathValues path, Values walked, Values carried,
                       Body body) const {
  if (step == steps.size()) {
    Values coordinates = composed(walked);
    return guarded(inExtent(coordinates[0]), carried,
                   [&](Values v) { return body({coordinates, path, Value()}, v); });
  }
  if (!isWalked(step)) {
    Value found = locate(step, path, walked);
    return guarded(found, carried, [&](Values v) { return nest(step + 1, path, walked, v, body); });
  }
  PositionRange above = path.last(b, loc);
  if (follows(step)) {
    // One child per parent: no loop (fused iteration, 004 section 4.5).
    Value found = enter(step, path, walked, above.begin, nullptr);
    return guarded(found, carried, [&](Values v) { return nest(step + 1, path, walked, v, body); });
  }
  if (hasOneSpan(step))
    return loopOverSpan(step, above.begin, path, walked, carried, body);
  return loopOver(step, boundsOf(step, path), path, walked, carried, body);
}

Values LevelWalk::forEach(Values carried, Body body, const LoopPiece *part) const {
  piece = part;
  Values results =
      guarded(guard, carried, [&](Values inner) { return nest(0, parent, {}, inner, body); });
  piece = nullptr;
  return results;
}

} // namespace strata
