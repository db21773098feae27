// Steps a stack of cursors through the levels of a walk.
#include "strata/lower/scf/LevelCursor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

LevelCursor::LevelCursor(const LevelWalk &walk)
    : walk(walk), b(walk.b), loc(walk.loc), filters(walk.filters()) {
  unsigned at = 0;
  auto add = [&](unsigned step, Frame::Over over) {
    bool dedup = over == Frame::Over::Level && walk.dedups(step);
    unsigned size = (frames.empty() ? 1 : 2) + dedup;
    frames.push_back({step, over, dedup, at, size});
    at += size;
  };
  for (unsigned step = 0; step < walk.steps.size(); ++step) {
    if (!walk.isWalked(step) || (!frames.empty() && walk.follows(step)))
      continue;
    if (!walk.bySpans(step)) {
      add(step, Frame::Over::Level);
      continue;
    }
    if (!walk.hasOneSpan(step))
      add(step, Frame::Over::Spans);
    add(step, Frame::Over::Span);
  }
}

Value LevelCursor::validAt(unsigned frame, ValueRange state) const {
  Value cursor = state[frames[frame].at];
  return less(b, loc, cursor, frame == 0 ? firstEnd : state[frames[frame].at + 1]);
}

Value LevelCursor::valid(ValueRange state) const { return validAt(0, state); }

//===------------------------------------------------------------------------------------------===//
// Where a state stands
//===------------------------------------------------------------------------------------------===//

// Extends `path` by one level, which `extend` does; below what is absent nothing is looked at.
Value LevelCursor::extendWhere(Value found, unsigned step, PathValues &path,
                               llvm::function_ref<Value(PathValues &)> extend) const {
  if (!found || walk.formatOf(step).traits.computed)
    return extend(path);
  Type index = b.getIndexType();
  Values extended = choice(
      b, loc, found, TypeRange{index, b.getI1Type(), index},
      [&]() -> Values {
        PathValues inside = path;
        Value here = extend(inside);
        Value there = here ? here : Value(arith::ConstantIntOp::create(b, loc, 1, 1));
        return {inside.positions.back().begin, there, inside.coordinates.back()};
      },
      [&]() -> Values {
        Value zero = arith::ConstantIndexOp::create(b, loc, 0);
        return {zero, arith::ConstantIntOp::create(b, loc, 0, 1), zero};
      });
  path.push({extended[0]}, extended[2]);
  return extended[1];
}

// The iterator's own guard matters where it begins: what lies inside is reached only if it holds.
Value LevelCursor::guardOf(unsigned frame) const { return frame == 0 ? walk.guard : Value(); }

PathValues LevelCursor::pathTo(unsigned frame, ValueRange state, Values &walked,
                               Value &found) const {
  PathValues path = walk.parent;
  unsigned next = 0;
  for (unsigned step = 0; step < walk.steps.size(); ++step) {
    if (frame < frames.size() && frames[frame].step == step)
      break;
    Value here;
    if (!walk.isWalked(step)) {
      here = extendWhere(found, step, path,
                         [&](PathValues &inside) { return walk.locate(step, inside, walked); });
    } else if (next == frames.size() || frames[next].step != step) {
      here = extendWhere(found, step, path, [&](PathValues &inside) {
        Values own;
        return walk.enter(step, inside, own, inside.last(b, loc).begin, nullptr);
      });
      walked.push_back(path.coordinates.back());
    } else if (frames[next].over == Frame::Over::Level) {
      const Frame &own = frames[next++];
      Value runEnd = own.dedup ? state[own.at + own.size - 1] : Value();
      here = walk.enter(step, path, walked, state[own.at], runEnd);
    } else {
      Value span = path.last(b, loc).begin;
      if (frames[next].over == Frame::Over::Spans)
        span = state[frames[next++].at];
      Span coordinates = walk.spanOf(step, path, span);
      walk.enterSpan(step, coordinates, path, walked, state[frames[next++].at]);
    }
    // A frame inside another is empty where what lies between them is not there.
    bool known = frame > 0 && step < frames[frame - 1].step;
    if (here && !known)
      found = found ? Value(arith::AndIOp::create(b, loc, found, here)) : here;
  }
  return path;
}

WalkPoint LevelCursor::at(ValueRange state) const {
  Values walked;
  WalkPoint point;
  point.found = guardOf(frames.size()); // of a valid state it holds
  point.path = pathTo(frames.size(), state, walked, point.found);
  point.coordinates = walk.composed(walked);
  if (Value inside = walk.inExtent(point.coordinates[0]))
    point.found = point.found ? Value(arith::AndIOp::create(b, loc, point.found, inside)) : inside;
  return point;
}

//===------------------------------------------------------------------------------------------===//
// Entering and leaving
//===------------------------------------------------------------------------------------------===//

LevelWalk::Bounds LevelCursor::boundsAt(unsigned frame, ValueRange state) const {
  Values walked;
  Value found = guardOf(frame);
  PathValues path = pathTo(frame, state, walked, found);
  const Frame &own = frames[frame];
  auto bounds = [&]() -> Values {
    if (own.over != Frame::Over::Span) {
      LevelWalk::Bounds all = walk.boundsOf(own.step, path);
      return {all.begin, all.end};
    }
    bool chosen = frame > 0 && frames[frame - 1].step == own.step;
    Value span = chosen ? state[frames[frame - 1].at] : path.last(b, loc).begin;
    LevelWalk::Bounds all = walk.boundsIn(own.step, walk.spanOf(own.step, path, span), path);
    return {all.begin, all.end};
  };
  Values result;
  if (!found) {
    result = bounds();
  } else {
    Type index = b.getIndexType();
    result = choice(b, loc, found, TypeRange{index, index}, bounds, [&]() -> Values {
      Value zero = arith::ConstantIndexOp::create(b, loc, 0);
      return {zero, zero};
    });
  }
  return {result[0], result[1]};
}

// The state of a frame that begins at bounds.begin.
Values LevelCursor::withRunEnd(unsigned frame, ValueRange outer, LevelWalk::Bounds bounds) const {
  Values state{bounds.begin};
  if (frame > 0)
    state.push_back(bounds.end);
  if (frames[frame].dedup) {
    Values walked;
    Value found = guardOf(frame);
    PathValues path = pathTo(frame, outer, walked, found);
    state.push_back(walk.runEnd(frames[frame].step, path, bounds.begin, bounds.end));
  }
  return state;
}

// The states of `frame` and those inside it, given those around it.
Values LevelCursor::enterFrom(unsigned frame, Values outer, Value outerValid) const {
  if (frame == frames.size())
    return {};
  unsigned count = 0;
  for (unsigned at = frame; at < frames.size(); ++at)
    count += frames[at].size;
  SmallVector<Type> types(count, b.getIndexType());
  return choice(
      b, loc, outerValid, types,
      [&]() -> Values {
        LevelWalk::Bounds bounds = boundsAt(frame, outer);
        Values own = withRunEnd(frame, outer, bounds);
        if (frame + 1 == frames.size())
          return own;
        Values around = outer;
        llvm::append_range(around, own);
        llvm::append_range(own,
                           enterFrom(frame + 1, around, less(b, loc, bounds.begin, bounds.end)));
        return own;
      },
      [&]() -> Values { return Values(count, arith::ConstantIndexOp::create(b, loc, 0)); });
}

Values LevelCursor::begin() {
  LevelWalk::Bounds bounds = boundsAt(0, {});
  firstEnd = bounds.end;
  Values state = withRunEnd(0, {}, bounds);
  if (frames.size() > 1)
    llvm::append_range(state, enterFrom(1, state, less(b, loc, bounds.begin, bounds.end)));
  return settled(state);
}

// `frame` one further, those inside it entered anew.
Values LevelCursor::advancedAt(unsigned frame, ValueRange state) const {
  const Frame &own = frames[frame];
  Values result(state.take_front(own.at + own.size));
  Value &cursor = result[own.at];
  if (own.dedup) {
    Values walked;
    Value found, end = frame == 0 ? firstEnd : result[own.at + 1];
    PathValues path = pathTo(frame, state, walked, found);
    cursor = result.back();
    result.back() = walk.runEnd(own.step, path, cursor, end);
  } else {
    cursor = increment(b, loc, cursor);
  }
  if (frame + 1 < frames.size())
    llvm::append_range(result, enterFrom(frame + 1, result, validAt(frame, result)));
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Standing on something only
//===------------------------------------------------------------------------------------------===//

// Whether a state whose outermost frame is valid stands on nothing.
Value LevelCursor::isMissing(ValueRange state) const {
  auto absent = [&]() -> Values {
    Value found = at(state).found;
    if (!found)
      return {arith::ConstantIntOp::create(b, loc, 0, 1)};
    Value truth = arith::ConstantIntOp::create(b, loc, 1, 1);
    return {arith::XOrIOp::create(b, loc, found, truth)};
  };
  if (frames.size() == 1)
    return absent()[0];
  const Frame &deepest = frames.back();
  Value ended = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, state[deepest.at],
                                      state[deepest.at + 1]);
  if (!filters)
    return ended;
  return choice(
      b, loc, ended, TypeRange{b.getI1Type()}, [&]() -> Values { return {ended}; }, absent)[0];
}

// The next state after one that stands on nothing and whose frames up to `frame` are valid: the
// frame around the outermost one that has ended goes on, else the innermost.
Values LevelCursor::next(unsigned frame, ValueRange state) const {
  unsigned last = frames.size() - 1;
  if (frame == last || (frame + 1 == last && !filters))
    return advancedAt(frame, state);
  SmallVector<Type> types(state.getTypes());
  return choice(
      b, loc, validAt(frame + 1, state), types, [&] { return next(frame + 1, state); },
      [&] { return advancedAt(frame, state); });
}

Values LevelCursor::settled(Values state) const {
  if (!filters && frames.size() == 1)
    return state;
  return whileLoop(
      b, loc, state,
      [&](Values s) {
        return choice(
            b, loc, valid(s), TypeRange{b.getI1Type()}, [&]() -> Values { return {isMissing(s)}; },
            [&]() -> Values { return {arith::ConstantIntOp::create(b, loc, 0, 1)}; })[0];
      },
      [&](Values s) { return next(0, s); });
}

Values LevelCursor::advanced(ValueRange state) const {
  return settled(advancedAt(frames.size() - 1, state));
}

//===------------------------------------------------------------------------------------------===//
// By segments
//===------------------------------------------------------------------------------------------===//

bool LevelCursor::stepsThroughSpans() const {
  if (filters || frames.back().over != Frame::Over::Span ||
      frames.back().step + 1 != walk.steps.size())
    return false;
  // The variable's value grows by one with the coordinate in the span.
  AffineMap compose = walk.op.getCompose();
  AffineExpr last = getAffineSymbolExpr(compose.getNumSymbols() - 1, compose.getContext());
  AffineExpr rest = simplifyAffineExpr(compose.getResult(0) - last, compose.getNumDims(),
                                       compose.getNumSymbols());
  return !rest.isFunctionOfSymbol(compose.getNumSymbols() - 1);
}

Value LevelCursor::left(ValueRange state) const {
  unsigned at = frames.back().at;
  return arith::SubIOp::create(b, loc, frames.size() == 1 ? firstEnd : state[at + 1], state[at]);
}

Values LevelCursor::ahead(ValueRange state, Value offset) const {
  Values result(state);
  Value &cursor = result[frames.back().at];
  cursor = arith::AddIOp::create(b, loc, cursor, offset);
  return result;
}

PathValues LevelCursor::pathAhead(ValueRange state, Value offset) const {
  return at(ahead(state, offset)).path;
}

Values LevelCursor::advancedBy(ValueRange state, Value count) const {
  return settled(ahead(state, count));
}

} // namespace strata
