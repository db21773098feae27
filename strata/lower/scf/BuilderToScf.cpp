// Emits the assembly of a result from its levels' build functions.
#include "strata/lower/scf/BuilderToScf.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/level/Emission.h"
#include "strata/lower/scf/FillLoop.h"
#include "strata/lower/scf/LevelWalk.h"
#include "strata/runtime/assembly.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {

ResultBuilder::ResultBuilder(const StorageValues &storage, Value context, OpBuilder &b,
                             Location loc, const ResultPlan &plan)
    : storage(storage), context(context), b(b), loc(loc), updates(plan.updates || plan.refills),
      patternOnly(plan.patternOnly), unfilled(plan.unfilled), covered(plan.covered),
      leavesValues(plan.leavesValues), initial(plan.initial), hashed(plan.hashed),
      shown(plan.shown), cut(plan.cut), mayRun(plan.mayRun) {
  if (plan.refills)
    pattern.emplace(storage, context, plan.gathered, plan.admits, b, loc);
  else
    gatheredLevel = plan.gathered;
  for (unsigned level = 0; plan.counted && !countedLevel; ++level)
    if (appends(level))
      countedLevel = level;
}

Value ResultBuilder::knownCount(int level) const {
  if (level < 0)
    return arith::ConstantIndexOp::create(b, loc, 1);
  const LevelTraits &traits = storage.level(level).traits;
  Value above = knownCount(level - 1);
  bool branchless = ta::levelProperties(storage.format, level).branchless;
  if (!above || (branchless && !traits.appends))
    return above;
  if (!traits.places && !traits.pads)
    return {};
  BuildView v = viewBelow(above, level, {});
  return buildOf(level)->count(v, {}, above);
}

Value ResultBuilder::count(const State &state, int level) const {
  if (level < 0)
    return arith::ConstantIndexOp::create(b, loc, 1);
  if (const CountedBuild *build = counted(level))
    return build->count(fieldsOf(state, level));
  Value above = count(state, level - 1);
  BuildView v = view(level, {});
  return buildOf(level)->count(v, fieldsOf(state, level), above);
}

Value ResultBuilder::fillValue() const {
  return ta::emitConstant(b, loc, initial ? initial : ta::fillOf(storage.type.getTensor()));
}

// Room for what one thread builds, of several pieces: the parts are seldom equal, and where one
// must grow that costs its pages.
Value ResultBuilder::shareOf(Value expected) const {
  Value several = arith::ConstantIndexOp::create(b, loc, STRATA_SHARES_OF_THREAD);
  Value threads = b.createOrFold<arith::CeilDivUIOp>(loc, pieces, several);
  Value share = b.createOrFold<arith::DivUIOp>(loc, expected, threads);
  Value slack = arith::DivUIOp::create(b, loc, share, arith::ConstantIndexOp::create(b, loc, 8));
  Value others = b.createOrFold<arith::SubIOp>(loc, expected, share);
  slack = arith::MinUIOp::create(b, loc, slack, others); // none where there is one piece
  share = arith::AddIOp::create(b, loc, share, slack);
  return b.createOrFold<arith::AddIOp>(loc, share, arith::ConstantIndexOp::create(b, loc, 1));
}

// How many places the levels from `begin` on, before `end`, have together.
Value ResultBuilder::placesOf(unsigned begin, unsigned end) const {
  Value places = arith::ConstantIndexOp::create(b, loc, 1);
  for (unsigned level = begin; level < end; ++level)
    places = b.createOrFold<arith::MulIOp>(loc, places, storage.extents[level].extent);
  return places;
}

// How many coordinates of a level that many values may have: one for each dense block below it.
Value ResultBuilder::parentsOf(Value values, unsigned level) const {
  unsigned rank = storage.format.getLvlRank();
  for (unsigned below = level + 1; below < rank; ++below)
    if (!storage.level(below).buffers().empty())
      return values;
  Value block = placesOf(level + 1, rank), one = arith::ConstantIndexOp::create(b, loc, 1);
  block = b.createOrFold<arith::MaxSIOp>(loc, block, one);
  return b.createOrFold<arith::CeilDivUIOp>(loc, values, block);
}

ResultBuilder::State ResultBuilder::begin(Value expected, Value steps) {
  State state;
  unsigned rank = storage.format.getLvlRank();
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  pieces = one;
  Value zero = arith::ConstantIndexOp::create(b, loc, 0), room = expected;
  if (cut && countedLevel)
    pieces = emit::pieces(b, loc, context, steps, knownCount(int(*countedLevel) - 1));
  else if (cut)
    pieces = emit::shares(b, loc, context, steps, workspacePlaces());
  if (joins()) {
    partHint = shareOf(expected);
    room = zero; // that of the pieces
  }
  for (unsigned level = 0; level < rank; ++level) {
    BuildView v = view(level, {});
    v.hint =
        joins() ? zero : Value(arith::MaxSIOp::create(b, loc, parentsOf(expected, level), one));
    const CountedBuild *build = counted(level);
    llvm::append_range(state, build ? build->init(v) : buildOf(level)->init(v));
  }
  BuildView v = plainView();
  Value known = knownCount(int(rank) - 1);
  if (patternOnly)
    room = zero; // until their number is known
  else if (known || countedLevel)
    room = arith::MaxSIOp::create(b, loc, known ? known : one, one);
  emit::Growing values = emit::allocate(v, storage.type.getElementType(), room);
  if (known && !patternOnly)
    fillAll(v, values.data, known);
  state.push_back(values.data);
  state.push_back(values.capacity);
  if (joins() || unites())
    rows = emit::allocate(v, b.getI64Type(),
                          b.createOrFold<arith::MulIOp>(
                              loc, pieces, arith::ConstantIndexOp::create(b, loc, wordsOfPart())))
               .data;
  if (joins() || (unites() && mayRun)) // a part has the row of its first piece
    emit::fill(v, rows, zero, memref::DimOp::create(b, loc, rows, 0),
               arith::ConstantIntOp::create(b, loc, 0, 64));
  if (gatheredLevel && joins()) // the pieces have their own
    for (Type type : workspaceTypes(b, storage.type.getElementType(), hashed))
      state.push_back(isa<IndexType>(type)
                          ? zero
                          : emit::allocate(v, cast<MemRefType>(type).getElementType(), zero).data);
  else if (gatheredLevel)
    beginWorkspace(state);
  return countedLevel && !cut ? enter(state, zero, true) : state;
}

// How many places the workspace has.
Value ResultBuilder::workspacePlaces() const {
  if (pattern)
    return pattern->places();
  if (!gatheredLevel)
    return placesOf(0, 0);
  return placesOf(*gatheredLevel, patternOnly ? *gatheredLevel + 1 : storage.format.getLvlRank());
}

void ResultBuilder::beginWorkspace(State &state) {
  BuildView v = view(*gatheredLevel, {});
  Value block = patternOnly ? arith::ConstantIndexOp::create(b, loc, 0).getResult()
                            : placesOf(*gatheredLevel + 1, storage.format.getLvlRank());
  const auto &extent = storage.extents[*gatheredLevel];
  Type element = storage.type.getElementType();
  workspace = hashed ? createHashedWorkspace(element, extent.first, extent.extent, block)
                     : createDenseWorkspace(element, extent.first, extent.extent, block, shown);
  llvm::append_range(state, workspace->begin(v));
}

void ResultBuilder::endWorkspace(const State &state) {
  if (!workspace)
    return;
  BuildView v = view(*gatheredLevel, {});
  workspace->release(v, workspaceOf(state));
  workspace.reset();
}

ResultBuilder::State ResultBuilder::enter(const State &state, Value piece, bool counting) {
  if (pattern && !sharesIndex())
    pattern->begin();
  if (unites())
    return gatherApart(state);
  if (!countedLevel)
    return joins() ? enterPart(state) : state;
  BuildView v = view(*countedLevel, {});
  State inside = state;
  setFields(inside, *countedLevel,
            counted(*countedLevel)->enter(v, fieldsOf(state, *countedLevel), piece, counting));
  return inside;
}

void ResultBuilder::tally(State &state, unsigned level, const PathValues &parent, Value crd) {
  BuildView v = view(level, parent.coordinates);
  BuildState fields = fieldsOf(state, level);
  counted(level)->tally(v, fields, parent.last(b, loc).begin, crd);
  setFields(state, level, fields);
}

void ResultBuilder::reserve(State &state) {
  unsigned level = *countedLevel, rank = storage.format.getLvlRank();
  BuildView v = view(level, {});
  BuildState fields = fieldsOf(state, level);
  counted(level)->reserve(v, fields);
  setFields(state, level, fields);
  Value none = arith::ConstantIndexOp::create(b, loc, 0);
  // Each entry is stored; of the places in between, or of a block below it, perhaps some.
  bool gaps = storage.level(level).traits.fillsGaps;
  bool blocks = llvm::any_of(llvm::seq(level + 1, rank), [&](unsigned at) { return !appends(at); });
  growBelow(state, level, none, counted(level)->count(fields), gaps || blocks);
  // Pieces share the buffers, so that these must not grow.
  auto isChild = [&](unsigned at) {
    return appends(at) && ta::levelProperties(storage.format, at).branchless &&
           buildOf(at)->makesRoom() && !roomy.contains(at);
  };
  for (unsigned below = level + 1; below < rank && isChild(below); ++below) {
    makeRoom(state, below, none);
    roomy.insert(below);
  }
  if (!cut)
    state = enter(state, none, false);
}

ResultBuilder::State ResultBuilder::update(Value steps) {
  if (cut)
    pieces = emit::shares(b, loc, context, steps, workspacePlaces());
  return {storage.values, arith::ConstantIndexOp::create(b, loc, 0)};
}

ResultBuilder::State ResultBuilder::refill(Value steps) {
  pattern->check();
  BuildView v = plainView();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  fillAll(v, storage.values, storage.entries);
  // Of a format that stores every element, those to which nothing came are reductions of nothing.
  if (initial && !ta::formatOf(storage.type.getTensor()).isFull()) {
    reached = emit::allocate(v, b.getI8Type(), storage.entries);
    emit::fill(v, reached.data, zero, storage.entries, arith::ConstantIntOp::create(b, loc, 0, 8));
  }
  if (sharesIndex())
    pattern->begin();
  State state = pattern->firstHints();
  llvm::append_range(state, update(steps));
  return state;
}

// Entries to which nothing came are not worth what the first value would have been combined with.
void ResultBuilder::fillUnreached() {
  if (!reached.data)
    return;
  BuildView v = plainView();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value fill = ta::emitConstant(b, loc, ta::fillOf(storage.type.getTensor()));
  countedLoop(b, loc, "p", zero, storage.entries, {}, [&](Value pos, Values) -> Values {
    Value came = memref::LoadOp::create(b, loc, reached.data, ValueRange{pos});
    Value none = arith::ConstantIntOp::create(b, loc, 0, 8);
    Value is = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, came, none);
    Value value = emit::loadValue(b, loc, storage.values, pos, fill.getType());
    emit::storeValue(b, loc, arith::SelectOp::create(b, loc, is, value, fill), storage.values, pos);
    return {};
  });
  emit::release(v, reached);
}

// The positions of `level` have grown: makes room in the levels below and in the values.
void ResultBuilder::growBelow(State &state, unsigned level, Value before, Value after,
                              bool fillValues) {
  unsigned rank = storage.format.getLvlRank();
  for (unsigned below = level + 1; below < rank; ++below) {
    BuildView v = view(below, {});
    const Build *build = buildOf(below);
    BuildState fields = fieldsOf(state, below);
    build->reserve(v, fields, before, after);
    setFields(state, below, fields);
    if (appends(below) && !ta::levelProperties(storage.format, below).branchless)
      return;
    before = build->count(v, fields, before);
    after = build->count(v, fields, after);
  }
  if (patternOnly)
    return;
  BuildView v = view(rank - 1, {});
  emit::Growing values = valuesOf(state);
  emit::ensure(v, values, after);
  if (fillValues)
    emit::fill(v, values.data, before, after, fillValue());
  setValues(state, values);
}

PathValues ResultBuilder::insert(State &state, unsigned level, const PathValues *parent, Value crd,
                                 bool admitted) {
  PathValues path;
  path.storage = &storage;
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  if (parent)
    path = *parent;
  path.positions.resize(level, PositionRange{zero});
  path.coordinates.resize(level, zero);
  if (pattern) {
    pattern->find(path, level, crd, MutableArrayRef<Value>(state).drop_back(2), admitted);
    return path;
  }
  return gatheredLevel == level ? touch(state, path, crd, admitted)
                                : append(state, level, path, crd);
}

// In advance, unless places get the fill later, or none.
void ResultBuilder::fillAll(BuildView &v, Value values, Value count) {
  if (covered)
    emitFillOfAll(b, loc, values, count, fillValue());
  else if (!unfilled)
    emit::fill(v, values, arith::ConstantIndexOp::create(b, loc, 0), count, fillValue());
}

Value ResultBuilder::valueBuffer(const State &state) const {
  return workspace ? workspace->values(workspaceOf(state)) : valuesOf(state).data;
}

void ResultBuilder::fillBeforeLoops(const State &state) {
  Value count = placesOf(0, storage.format.getLvlRank());
  emitFillOfAll(b, loc, valuesOf(state).data, count, fillValue());
}

void ResultBuilder::fillBelow(const State &state, unsigned level, const PathValues &path,
                              Value count) {
  Value begin = path.last(b, loc).begin;
  for (unsigned below = level + 1; below < storage.format.getLvlRank(); ++below)
    begin = b.createOrFold<arith::MulIOp>(loc, begin, storage.extents[below].extent);
  emitFill(b, loc, valuesOf(state).data, begin, count, fillValue());
}

// Gives an entry a slot of the workspace, which is then its position.
PathValues ResultBuilder::touch(State &state, PathValues path, Value crd, bool admitted) {
  BuildView v = view(*gatheredLevel, path.coordinates);
  ResultWorkspace::State gathered = workspaceOf(state);
  Value slot = admitted ? workspace->admission()->touchAdmitted(v, gathered, crd, fillValue())
                        : workspace->touch(v, gathered, crd, fillValue());
  path.push({slot}, crd);
  setWorkspace(state, gathered);
  return path;
}

void ResultBuilder::admit(State &state, Value crd) {
  if (pattern)
    return pattern->admit(crd);
  BuildView v = view(*gatheredLevel, {});
  workspace->admission()->admit(v, workspaceOf(state), crd, fillValue());
}

void ResultBuilder::dismiss(State &state, Value crd) {
  BuildView v = view(*gatheredLevel, {});
  ResultWorkspace::State gathered = workspaceOf(state);
  workspace->admission()->dismiss(v, gathered, crd, fillValue());
  setWorkspace(state, gathered);
  inOrder = true;
}

// Appends what was gathered below `parent`.
void ResultBuilder::drain(State &state, const PathValues &parent) {
  BuildView v = view(*gatheredLevel, parent.coordinates);
  ResultWorkspace::State gathered = workspaceOf(state);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  if (!inOrder && ta::levelProperties(storage.format, *gatheredLevel).ordered)
    workspace->sort(v, gathered);
  State whole = state;
  State appended;
  auto one = [&](Value at, Values inner) {
    State s(inner);
    llvm::append_range(s, gathered);
    auto [slot, crd] = workspace->take(v, gathered, at);
    PathValues path = append(s, *gatheredLevel, parent, crd, /*overwritten=*/true);
    workspace->copyTo(v, gathered, slot, valuesOf(s).data, path.last(b, loc).begin);
    return Values(ArrayRef<Value>(s).drop_back(gathered.size()));
  };
  withRoom(whole, *gatheredLevel, gathered[0], [&] {
    whole.truncate(whole.size() - gathered.size());
    appended = countedLoop(b, loc, "g", zero, gathered[0], whole, one);
  });
  state.assign(appended.begin(), appended.end());
  gathered[0] = zero;
  llvm::append_range(state, gathered);
}

// Nothing is kept below for each entry but its value and, of levels with one child each, that.
bool ResultBuilder::canMakeRoom(unsigned level) const {
  if (updates || counted(level) || roomy.contains(level))
    return false;
  for (unsigned at = level; at < storage.format.getLvlRank(); ++at) {
    const LevelTraits &traits = storage.level(at).traits;
    if (!traits.appends || traits.inserts || traits.fillsGaps || !buildOf(at)->makesRoom())
      return false;
    if (at > level && !ta::levelProperties(storage.format, at).branchless)
      return false;
  }
  return true;
}

void ResultBuilder::makeRoom(State &state, unsigned level, Value more) {
  BuildView v = view(level, {});
  BuildState fields = fieldsOf(state, level);
  Value parents = count(state, int(level) - 1);
  buildOf(level)->makeRoom(v, fields, parents, more);
  setFields(state, level, fields);
  if (level + 1 < storage.format.getLvlRank() || patternOnly)
    return;
  emit::Growing values = valuesOf(state);
  emit::ensure(v, values, b.createOrFold<arith::AddIOp>(loc, count(state, level), more));
  setValues(state, values);
}

void ResultBuilder::withRoom(State &state, ArrayRef<unsigned> levels, Value more,
                             llvm::function_ref<void()> body) {
  auto before = roomy;
  for (unsigned level : levels)
    if (canMakeRoom(level)) {
      makeRoom(state, level, more);
      roomy.insert(level);
    }
  body();
  roomy = before;
}

PathValues ResultBuilder::append(State &state, unsigned level, PathValues path, Value crd,
                                 bool overwritten) {
  BuildView v = view(level, path.coordinates);
  v.hasRoom = roomy.contains(level);
  v.values = state[valuesAt(state)];
  v.shared = sharedBuffer(state, level);
  const LevelFormat &format = storage.level(level);
  BuildState fields = fieldsOf(state, level);
  if (const CountedBuild *build = counted(level)) {
    path.push({build->insert(v, fields, path.last(b, loc).begin, crd)}, crd);
    setFields(state, level, fields);
    return path;
  }
  bool mayGrow =
      !updates && (format.traits.appends || (format.traits.inserts && !format.traits.places));
  bool branchless = ta::levelProperties(storage.format, level).branchless;
  Value before = mayGrow && !branchless ? count(state, level) : Value();
  Value pos = buildOf(level)->insert(v, fields, path.last(b, loc).begin, crd);
  setFields(state, level, fields);
  path.push({pos}, crd);
  if (!mayGrow || v.hasRoom)
    return path;
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value after = b.createOrFold<arith::AddIOp>(loc, pos, one);
  // An insertion may find the coordinate there; then nothing has grown.
  if (format.traits.inserts || storage.format.isSlot(level))
    after = count(state, level);
  bool leaf = level + 1 == storage.format.getLvlRank();
  if (leaf || !appends(level + 1))
    growBelow(state, level, branchless ? pos : before, after,
              !(leaf || overwritten) || format.traits.inserts || format.traits.fillsGaps);
  else
    growBelow(state, level, branchless ? pos : before, after, false);
  return path;
}

Value ResultBuilder::mark(const State &state, unsigned level) {
  return gatheredLevel == level ? workspaceOf(state)[0] : count(state, level);
}

void ResultBuilder::close(State &state, unsigned level, const PathValues &parent, Value mark) {
  if (gatheredLevel == level) {
    mark = count(state, level);
    drain(state, parent);
  }
  BuildView v = view(level, parent.coordinates);
  v.values = state[valuesAt(state)];
  BuildState fields = fieldsOf(state, level);
  buildOf(level)->close(v, fields, parent.last(b, loc).begin, mark);
  setFields(state, level, fields);
}

void ResultBuilder::retract(State &state, unsigned level, Value crd) {
  BuildView v = view(level, {});
  BuildState fields = fieldsOf(state, level);
  buildOf(level)->retract(v, fields, crd);
  setFields(state, level, fields);
}

void ResultBuilder::put(const State &state, const PathValues &path, Value value,
                        std::optional<ta::Combine> combine, bool atomic) {
  Value values = valueBuffer(state);
  Value pos = path.last(b, loc).begin;
  if (path.found && !path.dropped) {
    Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
    Value missing = arith::XOrIOp::create(b, loc, path.found, yes);
    emit::failIf(b, loc, context, missing, STRATA_NOT_IN_PATTERN);
  }
  if (pattern)
    std::tie(values, pos) = pattern->placeOf(path);
  if (atomic) {
    memref::AtomicRMWOp::create(b, loc, *ta::atomicKindOf(*combine, value.getType()), value, values,
                                ValueRange{pos});
  } else {
    if (combine) {
      Value there = emit::loadValue(b, loc, values, pos, value.getType());
      value = ta::emitCombine(b, loc, *combine, there, value);
    }
    emit::storeValue(b, loc, value, values, pos);
  }
  if (reached.data)
    storeReached(path);
}

void ResultBuilder::storeReached(const PathValues &path) {
  auto store = [&]() -> Values {
    memref::StoreOp::create(b, loc, arith::ConstantIntOp::create(b, loc, 1, 8), reached.data,
                            ValueRange{path.last(b, loc).begin});
    return {};
  };
  if (path.dropped)
    choice(b, loc, path.found, {}, store, [] { return Values{}; });
  else
    store();
}

void ResultBuilder::seal(State &state) {
  if (pattern && sharesIndex())
    pattern->end();
  if (pattern)
    fillUnreached();
  if (updates)
    return;
  unsigned rank = storage.format.getLvlRank();
  for (unsigned level = 0; level < rank; ++level) {
    BuildView v = view(level, {});
    BuildState fields = fieldsOf(state, level);
    if (const CountedBuild *build = counted(level))
      build->seal(v, fields);
    else
      buildOf(level)->seal(v, fields, count(state, int(level) - 1));
  }
  BuildView v = plainView();
  Value entries =
      leavesValues ? Value(arith::ConstantIndexOp::create(b, loc, 0)) : count(state, int(rank) - 1);
  if (patternOnly && !leavesValues) {
    emit::Growing values = emit::allocate(v, storage.type.getElementType(), entries);
    Value fill = ta::emitConstant(b, loc, ta::fillOf(storage.type.getTensor()));
    emit::fill(v, values.data, arith::ConstantIndexOp::create(b, loc, 0), entries, fill);
    setValues(state, values);
  }
  emit::publish(v, valuesOf(state), storage.firstBuffer(rank), entries);
  endWorkspace(state);
}

} // namespace strata
