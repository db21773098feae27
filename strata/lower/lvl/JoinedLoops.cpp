// Loops over several variables that are one: an operand walked as it is stored, or lists of
// coordinates that are merged entry by entry.
#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/analysis/EntryOrder.h"
#include "strata/lower/analysis/MergedLists.h"
#include "strata/lower/lvl/KernelConverter.h"
#include "strata/lower/lvl/LateClosing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace strata {

// The operands that give all of the loops' variables: lists, or the only one that is not full, or
// in which coordinates are not found.
SmallVector<KernelConverter::Participant> KernelConverter::tupleWalks(ArrayRef<cin::ForallOp> loops,
                                                                      const Scope &scope) {
  SmallVector<unsigned> tuple;
  for (cin::ForallOp loop : loops)
    tuple.push_back(nest.numberOf(loop.getVariable()));
  llvm::SmallSetVector<unsigned, 8> lists, sparse, sought;
  cin::ForallOp(loops.front()).walk([&](cin::AccessOp op) {
    std::optional<unsigned> number = nest.numberOfAccess(op);
    if (!number || scope.cursors.lookup(*number).next > 0 ||
        nest.accesses[*number].path.format.isFull())
      return;
    sparse.insert(*number);
    if (!findsAnywhere(nest.accesses[*number].path.format))
      sought.insert(*number);
    if (listsTuples(nest.accesses[*number].path, tuple))
      lists.insert(*number);
  });
  const auto &drivers = sparse.size() == 1 ? sparse : sought;
  SmallVector<Participant> walks;
  for (unsigned at : lists.empty() && drivers.size() == 1 ? drivers : lists)
    if (!isAbsent(at, scope))
      walks.push_back({at, PathPiece(), unsigned(nest.accesses[at].path.coordinates.size())});
  return walks;
}

// Tells whether the loop takes the values of a part of a label, which a loop around has chosen.
static bool isOverPart(cin::ForallOp loop) { return loop.getPart() && !loop.isInChunk(); }

// The access, as if loops over the values of parts took all of their labels.
AccessPath KernelConverter::inWholeLabels(unsigned access, ArrayRef<cin::ForallOp> loops) const {
  const AccessPath &path = nest.accesses[access].path;
  if (llvm::none_of(loops, isOverPart))
    return path;
  SmallVector<AffineExpr> values;
  for (unsigned variable = 0; variable < path.variables; ++variable)
    values.push_back(b.getAffineDimExpr(variable));
  for (cin::ForallOp loop : loops)
    if (isOverPart(loop))
      values[nest.numberOf(loop.getPart())] = b.getAffineConstantExpr(0);
  AffineMap place = path.place.replaceDimsAndSymbols(values, {}, path.variables, 0);
  return AccessPath(path.format, simplifyAffineMap(place));
}

// The dimensions of an access at which a variable stands alone.
static SmallVector<unsigned> dimsOf(const AccessPath &path, unsigned variable) {
  SmallVector<unsigned> dims;
  for (auto [dim, place] : llvm::enumerate(path.place.getResults()))
    if (place == getAffineDimExpr(variable, path.place.getContext()))
      dims.push_back(dim);
  return dims;
}

// Why a walk cannot keep to the parts of labels; empty if it can.
std::string KernelConverter::whyNotWindowed(unsigned access, ArrayRef<cin::ForallOp> loops) const {
  if (llvm::none_of(loops, isOverPart))
    return "";
  if (resultWalk->storesEntries() && !resultWalk->lists())
    return "is walked part by part, and the result takes what it stores in order";
  AccessPath path = inWholeLabels(access, loops);
  std::optional<StorageWalk> walk = walkStorage(path);
  for (cin::ForallOp loop : loops)
    if (isOverPart(loop) && (!walk || !windowStep(path, *walk, nest.numberOf(loop.getVariable()))))
      return "stores few values of a label that is split: the loop over '" + loop.getName().str() +
             "' would search for those of each part";
  return "";
}

// Null if the operand does not give all the loops' variables.
Value KernelConverter::makeTupleIterator(unsigned access, ArrayRef<cin::ForallOp> loops,
                                         const Scope &scope) {
  AccessPath path = inWholeLabels(access, loops);
  std::optional<StorageWalk> walk = walkStorage(path);
  if (!walk)
    return {};
  SmallVector<Value> fixed, begins, ends;
  SmallVector<int64_t> windows;
  for (cin::ForallOp loop : llvm::make_filter_range(loops, isOverPart)) {
    Value first = scope.indices[nest.numberOf(loop.getPart())];
    fixed.push_back(first);
    for (unsigned dim : dimsOf(path, nest.numberOf(loop.getVariable()))) {
      windows.push_back(dim);
      begins.push_back(first);
      ends.push_back(arith::AddIOp::create(b, loc, first, extentOf(loop, scope)));
    }
  }
  unsigned walked = 0, known = fixed.size();
  SmallVector<Attribute> steps;
  for (const PathStep &step : walk->steps) {
    steps.push_back(step.at ? Attribute(AffineMapAttr::get(AffineMap::get(known, walked, step.at)))
                            : b.getUnitAttr());
    walked += !step.at;
  }
  SmallVector<AffineExpr> values;
  SmallVector<int64_t> ranks;
  unsigned parts = 0;
  for (cin::ForallOp loop : loops) {
    AffineExpr first = isOverPart(loop) ? b.getAffineDimExpr(parts++) : b.getAffineConstantExpr(0);
    for (const WalkedVariable &one : walk->variables)
      if (one.variable == nest.numberOf(loop.getVariable())) {
        values.push_back(one.value - first);
        ranks.push_back(one.rankOf);
      }
  }
  if (values.size() != loops.size())
    return {};
  auto compose = AffineMapAttr::get(AffineMap::get(known, walked, values, b.getContext()));
  auto iterator = lvl::IteratorOp::create(b, loc, scope.cursors.lookup(access).path, 0, fixed,
                                          Value(), b.getArrayAttr(steps), compose,
                                          /*dedup=*/false);
  if (!windows.empty()) {
    iterator.setWindows(windows);
    iterator.getWindowBeginsMutable().assign(begins);
    iterator.getWindowEndsMutable().assign(ends);
  }
  if (llvm::any_of(ranks, [](int64_t rankOf) { return rankOf >= 0; }))
    iterator.setRanks(ranks);
  return iterator;
}

// The body of joined loops, for values inside all of them; of a window on the operand not all are.
LogicalResult KernelConverter::emitWithin(ArrayRef<cin::ForallOp> loops, Scope &scope) {
  if (!assumes(kernel, Assumptions::Windowed))
    return emitTuple(loops, scope);
  Value inside;
  for (cin::ForallOp loop : loops) {
    // As unsigned numbers, negative ones are large.
    Value one =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                              scope.indices[nest.numberOf(loop.getVariable())], loop.getExtent());
    inside = inside ? Value(arith::AndIOp::create(b, loc, inside, one)) : one;
  }
  return emitIf(inside, loops.front(), scope, [&](Scope &inner, bool holds) {
    return holds ? emitTuple(loops, inner) : success();
  });
}

// All variables have a value: what is not walked is located.
LogicalResult KernelConverter::emitTuple(ArrayRef<cin::ForallOp> loops, Scope &scope) {
  SmallVector<Participant> walked, located, guarded;
  for (cin::ForallOp loop : loops.drop_back())
    bind(loop, scope, {}, guarded);
  if (failed(participantsOf(loops.back(), scope, walked, located)))
    return failure();
  for (const Participant &participant : walked) {
    if (!participant.piece.locatable)
      return refuse(participant.access) << "cannot be located in joined loops";
    guarded.push_back(participant);
  }
  return emitCase(loops.back(), scope, located, guarded);
}

// Does an operand that is not walked have to be asked whether it is there?
bool KernelConverter::asksInTuples(cin::ForallOp outer, ArrayRef<Participant> walks) {
  bool asks = false;
  outer.walk([&](cin::AccessOp op) {
    std::optional<unsigned> number = nest.numberOfAccess(op);
    asks |= number && !nest.accesses[*number].path.format.isFull() &&
            llvm::none_of(walks, [&](const Participant &walk) { return walk.access == *number; });
  });
  return asks;
}

static LogicalResult refuseJoined(ArrayRef<cin::ForallOp> loops, const Twine &why) {
  SmallVector<StringRef> names;
  for (cin::ForallOp loop : loops)
    names.push_back(loop.getName());
  return emitError(cin::ForallOp(loops.front()).getLoc())
         << "the loops over " << llvm::join(names, ", ") << " cannot be walked as one: " << why;
}

// Why a result cannot take what the walk of an operand gives; empty if it can.
std::string KernelConverter::whyNotTaken(const AccessPath &walked) const {
  AccessPath result = nest.resultPath();
  if (resultWalk->lists())
    return "";
  if (ta::repeatsEntries(walked.format))
    return "may store an entry again";
  if (!resultWalk->storesEntries() || takesAnywhere(result.format))
    return "";
  std::optional<unsigned> gathered = resultWalk->gatheredLevel();
  if (cin::AssignOp(nest.result).getCombine() && !gathered)
    return "has several entries for one of the result's, which takes each once";
  // Entries are found in the pattern that is there, in any order.
  if (resultWalk->refillsValues() && !gathered)
    return "";
  bool takes = gathered               ? parentsComeInOrder(walked, result, *gathered)
               : resultWalk->counts() ? comeInOrder(walked, result, *resultWalk->countedLevel())
                                      : comeInOrder(walked, result, 0);
  return takes ? "" : "stores its entries in another order than the result takes them";
}

// Is each row of the result gathered inside one tuple of the loops? They have no loop over rows.
bool KernelConverter::gathersInTuples(ArrayRef<cin::ForallOp> loops) const {
  unsigned gathered = resultWalk->gatheredLevel().value_or(0);
  if (gathered == 0)
    return true;
  AccessPath result = nest.resultPath();
  auto rows = ArrayRef(result.coordinates).take_front(gathered);
  return llvm::all_of(loops, [&](cin::ForallOp loop) {
    unsigned variable = nest.numberOf(loop.getVariable());
    return llvm::any_of(rows, [&](AffineExpr row) { return row.isFunctionOfDim(variable); });
  });
}

// Does each walk give all variables of the loops and no other, in an order that the result takes?
LogicalResult KernelConverter::checkJoined(ArrayRef<cin::ForallOp> loops,
                                           ArrayRef<Participant> walks) const {
  for (const Participant &walk : walks) {
    const NestAccess &access = nest.accesses[walk.access];
    auto refuse = [&](const Twine &why) {
      return refuseJoined(loops, ta::quotedNameOf(access.storage) + " " + why);
    };
    const AccessPath path = inWholeLabels(walk.access, loops);
    std::optional<StorageWalk> stored = walkStorage(path);
    if (!stored)
      return refuse("cannot be walked as it is stored");
    SmallVector<StringRef> names;
    bool same = stored->variables.size() == loops.size();
    for (auto [at, variable] : llvm::enumerate(stored->variables)) {
      cin::ForallOp loop = nest.loops[variable.variable];
      names.push_back(loop.getName());
      same &= at < loops.size() && loop == loops[at];
    }
    auto isLabel = [](AffineExpr place) { return isa<AffineDimExpr>(place); };
    if (!llvm::all_of(path.place.getResults(), isLabel))
      return refuse("is read at other places than the labels");
    if (!same)
      return refuse("is stored over " + llvm::join(names, ", ") + ", in this order");
    if (std::string why = whyNotWindowed(walk.access, loops); !why.empty())
      return refuse(why);
    if (std::string why = whyNotTaken(path); !why.empty())
      return refuse(why);
  }
  return success();
}

LogicalResult KernelConverter::emitJoined(cin::ForallOp outer, Scope &scope) {
  SmallVector<cin::ForallOp> loops{outer};
  while (loops.back().getCollapsed())
    loops.push_back(cast<cin::ForallOp>(loops.back().getBlock().front()));
  SmallVector<Participant> walks = tupleWalks(loops, scope);
  Absence outside = scope.absence; // what has no say here may have one after the loop
  llvm::scope_exit leave([&] { scope.absence = outside; });
  SmallVector<unsigned> cases = sharesCases(scope) ? visitedSets(loops.back(), walks, scope)
                                                   : pointsOf(loops.back(), walks, scope.absence);
  if (cases.empty())
    return success();
  if (llvm::is_contained(cases, 0u))
    return refuseJoined(loops, walks.empty()
                                   ? "no operand alone stores entries over all of them"
                                   : "the result has values where nothing is stored, too");
  if (failed(checkJoined(loops, walks)))
    return failure();
  if (!gathersInTuples(loops))
    return refuseJoined(loops, "each row of the result is gathered in a loop of its own");
  SmallVector<Value> iterators;
  for (const Participant &walk : walks) {
    iterators.push_back(makeTupleIterator(walk.access, loops, scope));
    if (!iterators.back())
      return refuseJoined(loops, "no operand stores entries over all of them");
  }
  SmallVector<unsigned> tuple;
  for (cin::ForallOp loop : loops)
    tuple.push_back(nest.numberOf(loop.getVariable()));
  SmallVector<Value> storages = carriedBy(outer, scope);
  if (!llvm::is_contained(storages, resultStorage))
    return emitTuples(loops, walks, cases, iterators, storages, nullptr, scope);

  std::optional<unsigned> opened = resultWalk->opens(scope.result, tuple.front());
  Value mark;
  if (opened)
    mark = lvl::MarkOp::create(b, loc, scope.carried[resultStorage], *opened);
  LateClosing late(*resultWalk, resultStorage, tuple, scope.result, scope.bound, b, loc);
  late.begin(scope.carried, storages);
  auto around = std::exchange(scope.result.opened, opened ? opened : scope.result.opened);
  if (failed(emitTuples(loops, walks, cases, iterators, storages, &late, scope)))
    return failure();
  scope.result.opened = around;
  late.end(scope.carried);
  if (opened)
    resultWalk->close(scope.result, *opened, mark, scope.carried[resultStorage]);
  return success();
}

// The variable of which no value is below two coordinates of a level; nothing if there is none. In
// a sorted dimension each value has a rank of its own.
static std::optional<unsigned> dividedBy(const AccessPath &path, unsigned level) {
  AffineExpr coordinate = path.coordinates[level];
  if (path.format.isSlot(level))
    return std::nullopt;
  if (std::optional<VariableBlocks> blocks = blocksIn(coordinate))
    coordinate = getAffineDimExpr(blocks->variable, coordinate.getContext());
  auto dim = dyn_cast<AffineDimExpr>(coordinate);
  if (dim && dim.getPosition() >= path.variables)
    dim = dyn_cast<AffineDimExpr>(path.ranks[dim.getPosition() - path.variables].place);
  return dim ? std::optional(dim.getPosition()) : std::nullopt;
}

// Do the levels above it leave most of a level's coordinates in the tensor? Not blocks of them.
static bool isLong(const AccessPath &path, unsigned level) {
  if (ta::levelProperties(path.format, level).full)
    return true;
  unsigned variable = cast<AffineDimExpr>(path.coordinates[level]).getPosition();
  return llvm::all_of(llvm::seq(level), [&](unsigned above) {
    int64_t coefficient;
    AffineExpr rest;
    return path.format.isSlot(above) ||
           ta::splitLinear(path.coordinates[above], variable, coefficient, rest);
  });
}

// The step at which a walk over several variables is cut in pieces: one whose coordinates go with
// places of the result, so that pieces of them reach others. Below the first one all pieces make
// the steps before: worth it where most of the work comes after these, and what a piece adds to
// again and again then stays in cache.
IntegerAttr KernelConverter::cutTuples(cin::ForallOp forall, unsigned access,
                                       lvl::IteratorOp iterator, const Scope &scope) {
  if (resultWalk->counts())
    return cutInPieces(forall, iterator, std::nullopt, scope);
  if (!forall.isInThreads())
    return {};
  const AccessPath &path = nest.accesses[access].path;
  for (auto [number, step] : llvm::enumerate(iterator.getSteps().getValue())) {
    unsigned level = iterator.getLevel() + number;
    std::optional<unsigned> variable = dividedBy(path, level);
    if (!isa<UnitAttr>(step) || !variable || !resultWalk->writesApart(*variable))
      continue;
    if (number == 0) {
      if (ta::levelProperties(path.format, level).ordered &&
          cutInPieces(forall, iterator, variable, scope))
        return b.getI64IntegerAttr(0);
      continue;
    }
    const LevelFormat &format = *findLevelFormat(path.format.getLevels()[level].getName());
    bool takesRange = format.spanIteration() ? format.spanIteration()->hasOnePerParent()
                                             : !format.positionIteration();
    if (takesRange && isa<AffineDimExpr>(path.coordinates[level]) &&
        isa<AffineDimExpr>(path.format.getDimToLvl().getResult(level)) && isLong(path, level))
      return b.getI64IntegerAttr(int64_t(number));
  }
  return {};
}

LogicalResult KernelConverter::emitTuples(ArrayRef<cin::ForallOp> loops,
                                          ArrayRef<Participant> walks, ArrayRef<unsigned> cases,
                                          ArrayRef<Value> iterators, ArrayRef<Value> storages,
                                          const LateClosing *late, Scope &scope) {
  cin::ForallOp outer = loops.front();
  SmallVector<unsigned> tuple;
  std::string names;
  for (cin::ForallOp loop : loops) {
    tuple.push_back(nest.numberOf(loop.getVariable()));
    names += (names.empty() ? "" : ", ") + loop.getName().str();
  }
  SmallVector<Value> inits;
  for (Value storage : storages)
    inits.push_back(scope.carried[storage]);
  bool merges = walks.size() > 1, everySet = cases.size() + 1 == 1u << walks.size();
  const unsigned all = (1u << walks.size()) - 1;
  ArrayAttr predicates;
  if (sharesCases(scope) && (cases.size() > 1 || cases[0] != all)) {
    predicates = caseSets(cases);
    everySet = false;
    cases = all;
  }
  IntegerAttr pieces;
  if (!merges)
    pieces = cutTuples(outer, walks.front().access,
                       iterators.front().getDefiningOp<lvl::IteratorOp>(), scope);
  pieces = piecesFor(outer, pieces, scope);
  auto neutrals = merges && everySet && !asksInTuples(outer, walks)
                      ? neutralsFor(loops.back(), scope, walks)
                      : ArrayAttr();
  cin::ForallOp last = loops.back();
  BoolAttr gallop;
  for (cin::ForallOp one : loops)
    if (one.getGallopAttr())
      gallop = one.getGallopAttr();
  const bool intersects = merges && !predicates && cases.size() == 1;
  if (gallop && gallop.getValue() && failed(checkSearchable(last, walks, intersects)))
    return failure();
  auto loop = lvl::CoiterateOp::create(b, loc, ValueRange(inits).getTypes(), Value(), iterators,
                                       inits, caseSets(cases), b.getStringAttr(names), pieces,
                                       neutrals, IntegerAttr(), predicates, UnitAttr(), gallop,
                                       markBelow(last), cases.size());
  return emitRegions(loop, tuple, walks, cases, storages, scope, [&](Scope &inner) {
    if (late)
      late->meet(inner.indices, inner.carried);
    return emitWithin(loops, inner);
  });
}

} // namespace strata
