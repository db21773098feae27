// Walks levels by their level functions.
#include "strata/lower/LevelWalk.h"

#include "strata/lower/EmitAffine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace strata {

//===------------------------------------------------------------------------------------------===//
// Control flow with carried values
//===------------------------------------------------------------------------------------------===//

static Location named(OpBuilder &b, StringRef name) { return NameLoc::get(b.getStringAttr(name)); }

Values countedLoop(OpBuilder &b, Location loc, StringRef name, Value begin, Value end,
                   Values carried, llvm::function_ref<Values(Value, Values)> body) {
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, named(b, name), begin, end, one, carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Values results = body(loop.getInductionVar(), Values(loop.getRegionIterArgs()));
  if (!carried.empty())
    scf::YieldOp::create(b, loc, results);
  return Values(loop.getResults());
}

Values whileLoop(OpBuilder &b, Location loc, Values carried, llvm::function_ref<Value(Values)> test,
                 llvm::function_ref<Values(Values)> body) {
  SmallVector<Type> types(ValueRange(carried).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto loop = scf::WhileOp::create(b, loc, types, carried);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, types, locs);
  Value condition = test(Values(before->getArguments()));
  scf::ConditionOp::create(b, loc, condition, before->getArguments());
  Block *after = b.createBlock(&loop.getAfter(), {}, types, locs);
  Values results = body(Values(after->getArguments()));
  scf::YieldOp::create(b, loc, results);
  return Values(loop.getResults());
}

Values choice(OpBuilder &b, Location loc, Value condition, TypeRange types,
              llvm::function_ref<Values()> then, llvm::function_ref<Values()> otherwise) {
  auto op = scf::IfOp::create(b, loc, types, condition, !types.empty());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  Values results = then();
  if (types.empty()) {
    // Without results scf.if has its terminators; an else only where there is something in it.
    Block scratch;
    b.setInsertionPointToStart(&scratch);
    otherwise();
    if (!scratch.empty()) {
      Block *block = b.createBlock(&op.getElseRegion());
      block->getOperations().splice(block->end(), scratch.getOperations());
      b.setInsertionPointToEnd(block);
      scf::YieldOp::create(b, loc);
    }
    return {};
  }
  scf::YieldOp::create(b, loc, results);
  b.setInsertionPointToStart(op.elseBlock());
  results = otherwise();
  scf::YieldOp::create(b, loc, results);
  return Values(op.getResults());
}

static Value less(OpBuilder &b, Location loc, Value x, Value y) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, y);
}
static Value increment(OpBuilder &b, Location loc, Value x) {
  return arith::AddIOp::create(b, loc, x, arith::ConstantIndexOp::create(b, loc, 1));
}

//===------------------------------------------------------------------------------------------===//
// Steps
//===------------------------------------------------------------------------------------------===//

LevelWalk::LevelWalk(lvl::IteratorOp op, PathValues parent, Values fixed, Value extent,
                     OpBuilder &b)
    : op(op), parent(std::move(parent)), fixed(std::move(fixed)), extent(extent), b(b),
      loc(op.getLoc()), first(op.getLevel()), dedup(op.getDedup()), filters(extent != nullptr) {
  for (auto [at, step] : llvm::enumerate(op.getSteps())) {
    auto map = dyn_cast<AffineMapAttr>(step);
    steps.push_back(map ? map.getValue() : AffineMap());
  }
  for (unsigned at = 0; at < steps.size(); ++at) {
    LevelProperties properties = ta::levelProperties(this->parent.storage->format, levelOf(at));
    bool sure = steps[at] ? properties.full || computesSame(at)
                          : !this->parent.storage->level(levelOf(at)).traits.pads;
    filters |= !sure;
    if (!steps[at] && !follows(at))
      walks.push_back(at);
  }
}

bool LevelWalk::follows(unsigned step) const {
  return step > 0 && !steps[step] && !dedup && byPosition(step) &&
         ta::levelProperties(parent.storage->format, levelOf(step)).branchless;
}

bool LevelWalk::byPosition(unsigned step) const {
  return parent.storage->level(levelOf(step)).positionIteration() != nullptr;
}

LevelView LevelWalk::view(unsigned step, const PathValues &path) const {
  return viewLevel(b, loc, *parent.storage, levelOf(step), path.coordinates);
}

LevelWalk::Bounds LevelWalk::boundsOf(unsigned step, const PathValues &path) const {
  LevelView v = view(step, path);
  const LevelFormat &format = parent.storage->level(levelOf(step));
  PositionRange range = byPosition(step) ? format.positionIteration()->posIter(v, path.last(b, loc))
                                         : format.coordinateIteration()->coordIter(v);
  constexpr int64_t most = 32;
  std::optional<int64_t> count = getConstantIntValue(v.extent);
  bool clamped = !byPosition(step) && count && *count <= most && !getConstantIntValue(range.end);
  return clamped ? Bounds{range.begin, range.end, v.first, *count} : Bounds{range.begin, range.end};
}

Value LevelWalk::enter(unsigned step, PathValues &path, Values &walked, Value cursor,
                       Value runEnd) const {
  LevelView v = view(step, path);
  const LevelFormat &format = parent.storage->level(levelOf(step));
  if (byPosition(step)) {
    Found crd = format.positionIteration()->posAccess(v, cursor);
    path.push({cursor, runEnd}, crd.value);
    walked.push_back(crd.value);
    return crd.found;
  }
  Found pos = format.coordinateIteration()->coordAccess(v, path.last(b, loc).begin, cursor);
  path.push({pos.value}, cursor);
  walked.push_back(cursor);
  return pos.found;
}

// Is the coordinate at which a computed level is located the very one that it computes?
bool LevelWalk::computesSame(unsigned step) const {
  AffineExpr implied = parent.storage->map.implied[levelOf(step)];
  if (!implied || !parent.storage->level(levelOf(step)).traits.computed)
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
  const LevelFormat &format = parent.storage->level(levelOf(step));
  Value crd =
      computesSame(step) ? v.implied : emitAffine(b, loc, steps[step].getResult(0), fixed, walked);
  Found found = format.locate()->locate(v, path.last(b, loc).begin, crd);
  path.push({found.value}, crd);
  bool always = ta::levelProperties(parent.storage->format, levelOf(step)).full;
  return always ? Value() : found.found;
}

Value LevelWalk::runEnd(unsigned step, const PathValues &path, Value pos, Value end) const {
  const PositionIteration *iteration = parent.storage->level(levelOf(step)).positionIteration();
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

Values LevelWalk::loopOver(unsigned step, Bounds bounds, const PathValues &path,
                           const Values &walked, Values carried, Body body) const {
  auto visit = [&](Value cursor, Value runEnd, Values inner) {
    PathValues here = path;
    Values more = walked;
    Value found = enter(step, here, more, cursor, runEnd);
    return guarded(found, inner, [&](Values v) { return nest(step + 1, here, more, v, body); });
  };
  LevelProperties properties = ta::levelProperties(parent.storage->format, levelOf(step));
  if (dedup && !properties.unique) {
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
  std::string name =
      (byPosition(step) ? "p" : "c") + parent.storage->name + std::to_string(levelOf(step) + 1);
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
    Values coordinates = compose(walked);
    return guarded(inExtent(coordinates[0]), carried,
                   [&](Values v) { return body({coordinates, path, Value()}, v); });
  }
  if (steps[step]) {
    Value found = locate(step, path, walked);
    return guarded(found, carried, [&](Values v) { return nest(step + 1, path, walked, v, body); });
  }
  LevelProperties properties = ta::levelProperties(parent.storage->format, levelOf(step));
  PositionRange above = path.last(b, loc);
  if (properties.branchless && !above.end && byPosition(step)) {
    // One child per parent: no loop (fused iteration, 004 section 4.5).
    Value found = enter(step, path, walked, above.begin, nullptr);
    return guarded(found, carried, [&](Values v) { return nest(step + 1, path, walked, v, body); });
  }
  return loopOver(step, boundsOf(step, path), path, walked, carried, body);
}

Values LevelWalk::forEach(Values carried, Body body) const {
  return nest(0, parent, {}, carried, body);
}

//===------------------------------------------------------------------------------------------===//
// Merged: a cursor
//
// State for one walked level: [cursor], and the end of the run of duplicates if they are visited
// together. For two: [outer cursor, inner cursor, inner end]; the inner ones mean something only
// while the outer is valid.
//===------------------------------------------------------------------------------------------===//

// Path and coordinates up to, not including, `step`, for the cursors in `state`.
PathValues LevelWalk::pathTo(unsigned step, ValueRange state, Values &walked, Value &found) const {
  PathValues path = parent;
  for (unsigned at = 0; at < step; ++at) {
    Value here;
    if (steps[at])
      here = locate(at, path, walked);
    else if (follows(at))
      here = enter(at, path, walked, path.last(b, loc).begin, nullptr);
    else if (at == walks.front())
      here = enter(at, path, walked, state[0], dedup ? state[1] : Value());
    else
      here = enter(at, path, walked, state[1], nullptr);
    if (here)
      found = found ? Value(arith::AndIOp::create(b, loc, found, here)) : here;
  }
  return path;
}

WalkPoint LevelWalk::at(ValueRange state) const {
  Values walked;
  WalkPoint point;
  point.path = pathTo(steps.size(), state, walked, point.found);
  point.coordinates = compose(walked);
  if (Value inside = inExtent(point.coordinates[0]))
    point.found = point.found ? Value(arith::AndIOp::create(b, loc, point.found, inside)) : inside;
  return point;
}

Values LevelWalk::compose(ValueRange walked) const {
  Values values;
  for (AffineExpr expr : op.getCompose().getResults())
    values.push_back(emitAffine(b, loc, expr, fixed, walked));
  return values;
}

Value LevelWalk::inExtent(Value coordinate) const {
  if (!extent)
    return {};
  // As unsigned numbers, negative ones are large.
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, coordinate, extent);
}

Value LevelWalk::valid(ValueRange state) const { return less(b, loc, state[0], firstEnd); }

Values LevelWalk::enterInner(Value outer, Value outerValid) const {
  Type index = b.getIndexType();
  return choice(
      b, loc, outerValid, TypeRange{index, index},
      [&]() -> Values {
        Values walked;
        Value found;
        PathValues path = pathTo(walks[1], ValueRange{outer}, walked, found);
        Bounds inner = boundsOf(walks[1], path);
        return {inner.begin, inner.end};
      },
      [&]() -> Values {
        Value zero = arith::ConstantIndexOp::create(b, loc, 0);
        return {zero, zero};
      });
}

Values LevelWalk::begin() {
  Values walked;
  Value found;
  PathValues path = pathTo(walks[0], {}, walked, found);
  Bounds bounds = boundsOf(walks[0], path);
  firstEnd = bounds.end;
  // Where what comes before the first walk is not there, nothing is.
  if (found)
    firstEnd = arith::SelectOp::create(b, loc, found, bounds.end, bounds.begin);
  if (dedup)
    return settled({bounds.begin, runEnd(walks[0], path, bounds.begin, firstEnd)});
  if (walks.size() == 1)
    return settled({bounds.begin});
  Values state{bounds.begin};
  llvm::append_range(state, enterInner(bounds.begin, less(b, loc, bounds.begin, firstEnd)));
  return settled(state);
}

Values LevelWalk::stepped(ValueRange state) const {
  if (dedup) {
    Values walked;
    Value found;
    PathValues path = pathTo(walks[0], {}, walked, found);
    return {state[1], runEnd(walks[0], path, state[1], firstEnd)};
  }
  if (walks.size() == 1)
    return {increment(b, loc, state[0])};
  // The inner level alone; where it ends, settled() enters the next.
  return {state[0], increment(b, loc, state[1]), state[2]};
}

// Whether a cursor with a valid outer level stands on nothing.
Value LevelWalk::isMissing(ValueRange state) const {
  auto absent = [&]() -> Values {
    Value found = at(state).found;
    if (!found)
      return {arith::ConstantIntOp::create(b, loc, 0, 1)};
    Value truth = arith::ConstantIntOp::create(b, loc, 1, 1);
    return {arith::XOrIOp::create(b, loc, found, truth)};
  };
  if (walks.size() == 1)
    return absent()[0];
  Value ended = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, state[1], state[2]);
  if (!filters)
    return ended;
  return choice(
      b, loc, ended, TypeRange{b.getI1Type()}, [&]() -> Values { return {ended}; }, absent)[0];
}

// Steps on until the cursor stands on something that is there.
Values LevelWalk::settled(Values state) const {
  if (!filters && walks.size() == 1)
    return state;
  auto enterNext = [&](ValueRange s) {
    Value outer = increment(b, loc, s[0]);
    Values next{outer};
    llvm::append_range(next, enterInner(outer, less(b, loc, outer, firstEnd)));
    return next;
  };
  return whileLoop(
      b, loc, state,
      [&](Values s) {
        return choice(
            b, loc, valid(s), TypeRange{b.getI1Type()}, [&]() -> Values { return {isMissing(s)}; },
            [&]() -> Values { return {arith::ConstantIntOp::create(b, loc, 0, 1)}; })[0];
      },
      [&](Values s) {
        if (walks.size() == 1)
          return stepped(s);
        if (!filters)
          return enterNext(s);
        SmallVector<Type> types(ValueRange(s).getTypes());
        return choice(
            b, loc, less(b, loc, s[1], s[2]), types, [&] { return stepped(s); },
            [&] { return enterNext(s); });
      });
}

Values LevelWalk::advanced(ValueRange state) const { return settled(stepped(state)); }

} // namespace strata
