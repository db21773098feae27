// Makes the loops of one lvl.coiterate: the algorithm of 004 Figure 4-5, for any lattice.
#include "strata/lower/scf/CoiterateToScf.h"

#include "strata/dialect/lvl/Gallop.h"
#include "strata/lower/analysis/MergeLoops.h"
#include "strata/lower/scf/CoordinateKey.h"
#include "strata/lower/scf/GallopSearch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {
namespace {

// Returns how many positions an iterator that counts them goes through.
Value lengthOf(LevelCursor &walk, OpBuilder &b, Location loc) {
  Value begin = walk.begin()[0];
  return b.createOrFold<arith::SubIOp>(loc, walk.end(), begin);
}

// What the coordinates of an iteration need to be compared: of each variable, the widest.
CoordinateKey keyOf(lvl::CoiterateOp op, ArrayRef<LevelWalk> walks) {
  SmallVector<unsigned> bits(op.getVariableCount());
  for (const LevelWalk &walk : walks)
    for (auto [at, width] : llvm::enumerate(bits))
      width = std::max(width, walk.bitsOf(at));
  return CoordinateKey(bits);
}

// Sets of iterators are bit masks; bit `walks.size()` stands for the universe.
class Merge {
public:
  Merge(lvl::CoiterateOp op, ArrayRef<LevelWalk> alone, Value universe, CaseBody body, OpBuilder &b)
      : op(op), alone(alone), universe(universe), body(body), b(b), loc(op.getLoc()),
        name(op.getName().str()), key(keyOf(op, alone)) {
    for (const LevelWalk &walk : alone)
      walks.emplace_back(walk);
    for (unsigned at = 0; at < op.getCases().size(); ++at) {
      unsigned mask = 0;
      for (int64_t iterator : op.getCase(at))
        mask |= 1u << iterator;
      cases.push_back(mask);
    }
  }

  Values run(Values carried, const LoopPiece *piece) {
    if (op.getPredicates())
      return mergePredicated(carried);
    if (walks.empty()) {
      if (!piece)
        return countUniverse(constant(0), carried);
      auto [begin, end] = piece->of(b, loc, constant(0), universe);
      universe = end;
      return countUniverse(begin, carried);
    }
    if (walks.size() == 1 && !universe)
      return alone[0].forEach(
          carried,
          [&](const WalkPoint &point, Values inner) {
            return body(0, point.coordinates, {point.path}, inner, std::nullopt);
          },
          piece);
    if (op.getAdmitting())
      return walkAdmitted(*op.getAdmitting(), carried);
    return merged(carried);
  }

private:
  Values merged(Values carried) {
    for (LevelCursor &walk : walks)
      states.push_back(walk.begin());
    position = universe ? constant(0) : Value();
    for (unsigned set : loopSets(cases))
      carried = set == 0 ? countUniverse(position, carried) : mergeLoop(set, carried);
    return carried;
  }

  // Two iterators, of which what is not in one is dropped: the other is walked alone, unless it is
  // so long that it is better searched.
  Values walkAdmitted(unsigned admitting, Values carried) {
    auto walkOther = [&] {
      return alone[1 - admitting].forEach(carried, [&](const WalkPoint &point, Values inner) {
        SmallVector<PathValues> paths(2);
        paths[1 - admitting] = point.path;
        return body(0, point.coordinates, paths, inner, std::nullopt);
      });
    };
    if (!walks[0].isCounted() || !walks[1].isCounted())
      return walkOther();
    SmallVector<Value> lengths;
    for (LevelCursor &walk : walks)
      lengths.push_back(lengthOf(walk, b, loc));
    Value limit = arith::MulIOp::create(b, loc, lengths[admitting], constant(lvl::lengthsToGallop));
    Value longer =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, lengths[1 - admitting], limit);
    SmallVector<Type> types(ValueRange(carried).getTypes());
    return choice(b, loc, longer, types, [&] { return merged(carried); }, walkOther);
  }

  // One loop, in which an iterator that has ended stands behind all coordinates, and one body.
  Values mergePredicated(Values carried) {
    for (LevelCursor &walk : walks)
      states.push_back(walk.begin());
    Values state;
    for (const Values &cursor : states)
      llvm::append_range(state, cursor);
    llvm::append_range(state, carried);
    Values results;
    if (universe)
      results = countedLoop(b, loc, name, constant(0), universe, state, [&](Value i, Values inner) {
        return predicatedStep(i, std::move(inner));
      });
    else
      results = whileLoop(
          b, loc, state,
          [&](Values inner) {
            SmallVector<Values> cursors = takeCursors(inner);
            return anyPredicate(validIn(cursors));
          },
          [&](Values inner) { return predicatedStep(Value(), std::move(inner)); });
    takeCursors(results);
    return results;
  }

  // Splits the state of such a loop: what it carries besides the cursors is left.
  SmallVector<Values> takeCursors(Values &state) const {
    SmallVector<Values> cursors;
    unsigned next = 0;
    for (const Values &begin : states) {
      cursors.push_back(Values(ArrayRef(state).slice(next, begin.size())));
      next += begin.size();
    }
    state.erase(state.begin(), state.begin() + next);
    return cursors;
  }

  SmallVector<Value> validIn(ArrayRef<Values> cursors) {
    SmallVector<Value> valid;
    for (auto [walk, cursor] : llvm::zip(walks, cursors))
      valid.push_back(walk.valid(cursor));
    return valid;
  }

  // Whether all of a predicate's iterators are in `flags`, for one of the predicates; null: always.
  Value anyPredicate(ArrayRef<Value> flags) {
    Value any;
    for (unsigned at = 0; at < op.getPredicates()->size(); ++at) {
      Value all;
      for (int64_t iterator : op.getPredicate(at))
        all = all ? Value(arith::AndIOp::create(b, loc, all, flags[iterator])) : flags[iterator];
      if (!all)
        return {};
      any = any ? Value(arith::OrIOp::create(b, loc, any, all)) : all;
    }
    return any;
  }

  // Where a cursor stands, and its key: nothing is read where it has ended.
  std::pair<PathValues, Value> pathWhere(Value valid, LevelCursor &walk, const Values &cursor) {
    PathValues path;
    Values flat = valuesWhere(b, loc, valid, [&]() -> Values {
      WalkPoint point = walk.at(cursor);
      path = point.path;
      Values values{key.pack(b, loc, point.coordinates)};
      for (const PositionRange &position : path.positions)
        values.push_back(position.begin);
      for (const PositionRange &position : path.positions)
        if (position.end)
          values.push_back(position.end);
      llvm::append_range(values, path.coordinates);
      return values;
    });
    unsigned next = 1;
    for (PositionRange &position : path.positions)
      position.begin = flat[next++];
    for (PositionRange &position : path.positions)
      if (position.end)
        position.end = flat[next++];
    for (Value &coordinate : path.coordinates)
      coordinate = flat[next++];
    Value own = arith::SelectOp::create(b, loc, valid, flat[0], key.behindAll(b, loc));
    return {path, own};
  }

  // One coordinate: `place` of the universe, or the least at which an iterator stands.
  Values predicatedStep(Value place, Values carried) {
    SmallVector<Values> cursors = takeCursors(carried);
    SmallVector<Value> valid = validIn(cursors), present;
    SmallVector<PathValues> paths(walks.size());
    keys.assign(walks.size(), Value());
    Value coordinate = place;
    for (unsigned at = 0; at < walks.size(); ++at) {
      std::tie(paths[at], keys[at]) = pathWhere(valid[at], walks[at], cursors[at]);
      if (!place)
        coordinate = coordinate ? key.least(b, loc, coordinate, keys[at]) : keys[at];
    }
    for (unsigned at = 0; at < walks.size(); ++at) {
      Value here = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, keys[at], coordinate);
      present.push_back(arith::AndIOp::create(b, loc, valid[at], here));
      paths[at].there = present.back();
    }
    auto visit = [&] { return body(0, key.unpack(b, loc, coordinate), paths, carried, present); };
    SmallVector<Type> types(ValueRange(carried).getTypes());
    Value holds = anyPredicate(present);
    carried = holds ? choice(b, loc, holds, types, visit, [&] { return carried; }) : visit();
    Values state;
    for (unsigned at = 0; at < walks.size(); ++at)
      llvm::append_range(state, advanceIf(present[at], walks[at], cursors[at], constant(1)));
    llvm::append_range(state, carried);
    return state;
  }

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  int caseOf(unsigned mask) const {
    const unsigned *found = llvm::find(cases, mask);
    return found == cases.end() ? -1 : found - cases.begin();
  }

  Values countUniverse(Value begin, Values carried) {
    int at = caseOf(0);
    return countedLoop(b, loc, name, begin, universe, carried,
                       [&](Value i, Values inner) { return body(at, i, {}, inner, std::nullopt); });
  }

  SmallVector<unsigned> members(unsigned set) const {
    SmallVector<unsigned> result;
    for (unsigned at = 0; at < walks.size(); ++at)
      if (set >> at & 1)
        result.push_back(at);
    return result;
  }

  // The state of a loop over `set`: the universe's coordinate, the cursors, the carried values.
  Values pack(unsigned set, Value place, ArrayRef<Values> cursors, ValueRange carried) const {
    Values state;
    if (universe)
      state.push_back(place);
    for (unsigned at : members(set))
      llvm::append_range(state, cursors[at]);
    llvm::append_range(state, carried);
    return state;
  }
  Values unpack(unsigned set, ValueRange state, Value &place, SmallVector<Values> &cursors) const {
    unsigned next = 0;
    if (universe)
      place = state[next++];
    cursors = states;
    for (unsigned at : members(set)) {
      unsigned count = states[at].size();
      cursors[at] = Values(state.slice(next, count));
      next += count;
    }
    return Values(state.drop_front(next));
  }

  Values mergeLoop(unsigned set, Values carried) {
    SmallVector<unsigned> all = members(set);
    if (all.size() == 1 && !universe && walks[all[0]].isCounted())
      return tailLoop(all[0], carried);
    gallops = whichGallop(set);
    Values state = pack(set, position, states, carried);
    if (op.getNeutrals() && caseOf(set) >= 0 && all.size() == walks.size())
      for (const SmallVector<unsigned> &same : likelyTogether())
        state = runTogether(same, set, state);
    Values results = whileLoop(
        b, loc, state, [&](Values state) { return allValid(set, state); },
        [&](Values state) { return mergeStep(set, state); });
    Value place;
    SmallVector<Values> cursors;
    carried = unpack(set, results, place, cursors);
    states = cursors;
    position = place;
    return carried;
  }

  // Which iterators are tried as one, the most first.
  SmallVector<SmallVector<unsigned>> likelyTogether() {
    SmallVector<unsigned> all = llvm::to_vector(llvm::seq<unsigned>(0, walks.size()));
    SmallVector<SmallVector<unsigned>> groups{all};
    // Pairs of more would be more loops than they are worth.
    if (walks.size() == 3 &&
        llvm::all_of(walks, [](LevelCursor &walk) { return walk.isCounted(); }))
      for (unsigned rest : llvm::reverse(all))
        groups.push_back({rest == 0 ? 1u : 0u, rest == 2 ? 1u : 2u});
    return groups;
  }

  Value keyAt(unsigned at, ValueRange cursor) {
    return key.pack(b, loc, walks[at].at(cursor).coordinates);
  }

  // As long as these iterators stand at the same coordinate: operands often have the same pattern,
  // and then a processor foresees that and need not wait for the comparison to go on. Where they
  // are all there are, they go on without any; else they are merged with the rest as if they were
  // one.
  Values runTogether(ArrayRef<unsigned> same, unsigned set, const Values &begin) {
    return whileLoop(
        b, loc, begin,
        [&](Values state) {
          return choice(
              b, loc, allValid(set, state), b.getI1Type(),
              [&]() -> Values { return {standTogether(same, set, state)}; },
              [&]() -> Values { return {arith::ConstantIntOp::create(b, loc, 0, 1)}; })[0];
        },
        [&](Values state) {
          return same.size() == walks.size() ? stepTogether(set, state)
                                             : mergeStep(set, state, same);
        });
  }

  // All there are: none is compared.
  Values stepTogether(unsigned set, ValueRange state) {
    Value place;
    SmallVector<Values> cursors;
    Values carried = unpack(set, state, place, cursors);
    SmallVector<PathValues> paths;
    Values coordinates;
    for (unsigned at : members(set)) {
      WalkPoint point = walks[at].at(cursors[at]);
      paths.push_back(point.path);
      coordinates = point.coordinates;
      cursors[at] = walks[at].advanced(cursors[at]);
    }
    carried = body(caseOf(set), coordinates, paths, carried, std::nullopt);
    return pack(set, place, cursors, carried);
  }

  Value standTogether(ArrayRef<unsigned> same, unsigned set, ValueRange state) {
    Value place, equal;
    SmallVector<Values> cursors;
    unpack(set, state, place, cursors);
    Value first = keyAt(same.front(), cursors[same.front()]);
    for (unsigned at : same.drop_front()) {
      Value one =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, first, keyAt(at, cursors[at]));
      equal = equal ? Value(arith::AndIOp::create(b, loc, equal, one)) : one;
    }
    return equal;
  }

  // One iterator is left.
  Values tailLoop(unsigned at, Values carried) {
    LevelCursor &walk = walks[at];
    return countedLoop(
        b, loc, "p", states[at][0], walk.end(), carried, [&](Value cursor, Values inner) {
          WalkPoint point = walk.at(ValueRange{cursor});
          return body(caseOf(1u << at), point.coordinates, {point.path}, inner, std::nullopt);
        });
  }

  Value allValid(unsigned set, ValueRange state) {
    Value place, valid;
    SmallVector<Values> cursors;
    unpack(set, state, place, cursors);
    for (unsigned at : members(set)) {
      Value here = walks[at].valid(cursors[at]);
      valid = valid ? Value(arith::AndIOp::create(b, loc, valid, here)) : here;
    }
    // An iterator's coordinates lie in the universe: while one is left, so is the universe.
    return valid;
  }

  // Those in `same` are known to stand at the same coordinate.
  Values mergeStep(unsigned set, ValueRange state, ArrayRef<unsigned> same = {}) {
    Value place;
    SmallVector<Values> cursors;
    Values carried = unpack(set, state, place, cursors);
    SmallVector<unsigned> all = members(set);
    SmallVector<WalkPoint> points(walks.size());
    SmallVector<Value> present(walks.size());
    keys.assign(walks.size(), Value());
    Value coordinate = place;
    for (unsigned at : all) {
      points[at] = walks[at].at(cursors[at]);
      keys[at] = key.pack(b, loc, points[at].coordinates);
    }
    if (!universe)
      for (unsigned at : all)
        if (!llvm::is_contained(same, at) || at == same.front())
          coordinate = coordinate ? key.least(b, loc, coordinate, keys[at]) : keys[at];
    for (unsigned at : same)
      keys[at] = keys[same.front()];
    for (unsigned at : all)
      present[at] = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, keys[at], coordinate);
    tuple = key.unpack(b, loc, coordinate);
    here = cursors;
    segmentEnd = endOfSegment(all, coordinate, present);
    Value length =
        segmentEnd ? Value(arith::SubIOp::create(b, loc, segmentEnd, coordinate)) : constant(1);
    carried = op.getNeutrals() && !segmentEnd
                  ? blendedCase(points, present, carried)
                  : chooseCase(casesIn(set, cases), presentIn(set, bool(universe)), coordinate,
                               points, present, carried);
    SmallVector<Values> next = cursors;
    for (unsigned at : all)
      next[at] = advanceIf(present[at], walks[at], cursors[at], length);
    gallop(next);
    if (universe)
      place = arith::AddIOp::create(b, loc, place, length);
    return pack(set, place, next, carried);
  }

  // Where some iterators stand in spans: up to where is present what is present here, and nothing
  // else? A point ends after itself, a span where it ends, what is absent lasts until it begins.
  Value endOfSegment(ArrayRef<unsigned> all, Value coordinate, ArrayRef<Value> present) {
    if (llvm::none_of(all, [&](unsigned at) { return walks[at].stepsThroughSpans(); }))
      return {};
    Value end;
    for (unsigned at : all) {
      Value left = walks[at].stepsThroughSpans() ? walks[at].left(here[at]) : constant(1);
      Value own = arith::AddIOp::create(b, loc, coordinate, left);
      own = arith::SelectOp::create(b, loc, present[at], own, keys[at]);
      end = end ? Value(arith::MinSIOp::create(b, loc, end, own)) : own;
    }
    return end;
  }

  // A case at one coordinate; or, where all its iterators stand in spans, up to the segment's end.
  Values runCase(unsigned mask, Value coordinate, ArrayRef<WalkPoint> points, Values carried) {
    SmallVector<unsigned> inside = members(mask);
    bool spans = segmentEnd &&
                 llvm::all_of(inside, [&](unsigned k) { return walks[k].stepsThroughSpans(); });
    SmallVector<PathValues> paths;
    if (!spans) {
      for (unsigned k : inside)
        paths.push_back(points[k].path);
      return body(caseOf(mask), tuple, paths, carried, std::nullopt);
    }
    return countedLoop(b, loc, name, coordinate, segmentEnd, carried, [&](Value i, Values inner) {
      Value offset = arith::SubIOp::create(b, loc, i, coordinate);
      for (unsigned k : inside)
        paths.push_back(walks[k].pathAhead(here[k], offset));
      return body(caseOf(mask), i, paths, inner, std::nullopt);
    });
  }

  // The fullest case stands for all: which one holds is hard to foresee for a processor.
  Values blendedCase(ArrayRef<WalkPoint> points, ArrayRef<Value> present, Values carried) {
    SmallVector<PathValues> paths;
    for (const WalkPoint &point : points)
      paths.push_back(point.path);
    return body(caseOf((1u << walks.size()) - 1), tuple, paths, carried, present);
  }

  Values advanceIf(Value present, LevelCursor &walk, const Values &cursor, Value length) {
    if (walk.stepsThroughSpans()) {
      SmallVector<Type> types(ValueRange(cursor).getTypes());
      return choice(
          b, loc, present, types, [&] { return walk.advancedBy(cursor, length); },
          [&] { return cursor; });
    }
    if (walk.isCounted()) {
      Value step = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), present);
      return {arith::AddIOp::create(b, loc, cursor[0], step)};
    }
    SmallVector<Type> types(ValueRange(cursor).getTypes());
    return choice(
        b, loc, present, types, [&] { return walk.advanced(cursor); }, [&] { return cursor; });
  }

  // For each iterator of a loop in which only what all have matters, whether it has far more left
  // than the shortest, or is to gallop: then it is searched for the others' coordinates, instead of
  // merged. Empty where none is.
  SmallVector<Value> whichGallop(unsigned set) {
    SmallVector<unsigned> all = members(set);
    auto counts = [&](unsigned at) { return walks[at].isCounted(); };
    if (op.getGallop() == false || universe || all.size() < 2 || casesIn(set, cases).size() != 1 ||
        caseOf(set) < 0 || !llvm::all_of(all, counts))
      return {};
    SmallVector<Value> longer(walks.size());
    if (op.getGallop()) {
      for (unsigned at : all)
        longer[at] = arith::ConstantIntOp::create(b, loc, true, 1);
      return longer;
    }
    SmallVector<Value> lengths;
    Value least;
    for (unsigned at : all) {
      lengths.push_back(arith::SubIOp::create(b, loc, walks[at].end(), states[at][0]));
      least = least ? Value(arith::MinSIOp::create(b, loc, least, lengths.back())) : lengths.back();
    }
    Value limit = arith::MulIOp::create(b, loc, least, constant(lvl::lengthsToGallop));
    for (auto [at, length] : llvm::zip(all, lengths))
      longer[at] = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, length, limit);
    return longer;
  }

  // Brings the cursors that gallop to the greatest of the coordinates: none before is in all.
  void gallop(MutableArrayRef<Values> cursors) {
    Value greatest;
    for (auto [own, longer] : llvm::zip(keys, gallops))
      if (longer)
        greatest = greatest ? key.greatest(b, loc, greatest, own) : own;
    for (unsigned at = 0; at < gallops.size(); ++at)
      if (gallops[at])
        cursors[at] = choice(
            b, loc, gallops[at], b.getIndexType(),
            [&]() -> Values {
              return {firstNotBelow(greatest, walks[at], cursors[at][0], key, b, loc)};
            },
            [&] { return cursors[at]; });
  }

  // `left`: what can be present where no case before the first of `asked` held.
  Values chooseCase(ArrayRef<unsigned> asked, SmallVector<unsigned> left, Value coordinate,
                    ArrayRef<WalkPoint> points, ArrayRef<Value> present, Values carried) {
    if (asked.empty() || left.empty())
      return carried;
    unsigned mask = asked.front();
    auto then = [&] { return runCase(mask, coordinate, points, carried); };
    unsigned certain = ~0u;
    for (unsigned subset : left)
      certain &= subset;
    Value condition;
    for (unsigned k : members(mask & ~certain))
      condition =
          condition ? Value(arith::AndIOp::create(b, loc, condition, present[k])) : present[k];
    if (!condition)
      return then();
    llvm::erase_if(left, [&](unsigned subset) { return (subset & mask) == mask; });
    SmallVector<Type> types(ValueRange(carried).getTypes());
    return choice(b, loc, condition, types, then, [&] {
      return chooseCase(asked.drop_front(), left, coordinate, points, present, carried);
    });
  }

  lvl::CoiterateOp op;
  ArrayRef<LevelWalk> alone;
  SmallVector<LevelCursor, 0> walks;
  Value universe;
  CaseBody body;
  OpBuilder &b;
  Location loc;
  std::string name;
  CoordinateKey key;
  SmallVector<unsigned> cases;
  SmallVector<Values> states; ///< of each walk, after the loops emitted so far
  Value position;             ///< of the universe, likewise
  SmallVector<Value> gallops; ///< of each iterator: whether it is searched; see whichGallop()
  SmallVector<Values> here;   ///< the cursors of the step in the making
  SmallVector<Value> keys;    ///< the keys of their coordinates
  Values tuple;               ///< the coordinates that it visits
  Value segmentEnd;           ///< where its segment ends; null: after one coordinate
};

} // namespace

Values lowerCoiterate(lvl::CoiterateOp op, ArrayRef<LevelWalk> walks, Value universe,
                      Values carried, CaseBody body, OpBuilder &b, const LoopPiece *piece) {
  return Merge(op, walks, universe, body, b).run(carried, piece);
}

Value mostVisited(lvl::CoiterateOp op, ArrayRef<LevelWalk> walks, OpBuilder &b) {
  Location loc = op.getLoc();
  SmallVector<Value> lengths;
  for (const LevelWalk &walk : walks) {
    LevelCursor cursor(walk);
    if (!cursor.isCounted())
      return {};
    lengths.push_back(lengthOf(cursor, b, loc));
  }
  Value most, all;
  for (auto [at, length] : llvm::enumerate(lengths)) {
    bool always = true;
    if (op.getPredicates())
      for (unsigned one = 0; one < op.getPredicates()->size(); ++one)
        always &= llvm::is_contained(op.getPredicate(one), int64_t(at));
    else
      for (unsigned one = 0; one < op.getCases().size(); ++one)
        always &= llvm::is_contained(op.getCase(one), int64_t(at));
    if (always)
      most = most ? b.createOrFold<arith::MinSIOp>(loc, most, length) : length;
    all = all ? b.createOrFold<arith::AddIOp>(loc, all, length) : length;
  }
  return most ? most : all;
}

} // namespace strata
