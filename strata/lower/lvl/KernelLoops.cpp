// The loops of a kernel: what is merged, and what is done in each case.
#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/lvl/RunningSum.h"
#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/LabelValues.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/analysis/MergeLoops.h"
#include "strata/lower/lvl/EmitValues.h"
#include "strata/lower/lvl/KernelConverter.h"
#include "strata/lower/lvl/Neutrals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace strata {

Value KernelConverter::partSizeOf(cin::ForallOp forall, Value extent) {
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
  if (std::optional<int64_t> size = forall.getPartSize())
    return constant(*size);
  Value count = constant(*forall.getPartCount());
  Value size = arith::CeilDivUIOp::create(b, loc, extent, count);
  return arith::MaxUIOp::create(b, loc, size, constant(1));
}

Value KernelConverter::extentOf(cin::ForallOp forall, const Scope &scope) {
  Value extent = forall.getExtent();
  if (!forall.isOfParts())
    return extent;
  Value size = partSizeOf(forall, extent);
  if (!forall.getPart())
    return arith::CeilDivUIOp::create(b, loc, extent, size);
  Value first = scope.indices[nest.numberOf(forall.getPart())];
  return arith::MinUIOp::create(b, loc, size, arith::SubIOp::create(b, loc, extent, first));
}

KernelConverter::LoopRange KernelConverter::rangeOf(cin::ForallOp forall,
                                                    ArrayRef<Participant> iterated,
                                                    ArrayRef<Participant> located,
                                                    const Scope &scope) {
  if (forall.isInChunk())
    return rangeInChunk(forall, scope.chunks.find(forall.getPart())->second, iterated, located,
                        scope);
  return {Value(), extentOf(forall, scope)};
}

LogicalResult KernelConverter::spend(double operations, const Scope &scope) {
  code += operations * scope.copies;
  return failure(isTooLarge());
}

// The scalars and the builder that a statement changes and that live outside it.
SmallVector<Value> KernelConverter::carriedBy(Operation *statement, const Scope &scope) {
  llvm::SmallSetVector<Value, 4> assigned;
  statement->walk([&](cin::AssignOp assign) { assigned.insert(assign.getTarget()); });
  SmallVector<Value> storages;
  for (const auto &[storage, value] : scope.carried)
    if (assigned.contains(storage) || (storage == scope.slot && assigned.contains(resultStorage)))
      storages.push_back(storage);
  for (const auto &[temp, flag] : scope.touched)
    if (assigned.contains(temp))
      storages.push_back(flag);
  for (const RunningSum &running : scope.running)
    if (statement->isProperAncestor(running.loop))
      storages.append({running.total, running.touched, running.next});
  return storages;
}

LogicalResult KernelConverter::emitGuarded(cin::ForallOp forall, Scope &scope,
                                           ArrayRef<Participant> guarded) {
  if (hasNoEffect(forall.getBlock(), scope.absence))
    return success();
  if (guarded.empty())
    return emitPastPadding(forall, scope);
  Scope outer = scope;
  Value found;
  locate(guarded.front(), scope, found);
  unsigned access = guarded.front().access;
  if (found && scope.bound.count() <= sharedLoops(scope)) { // of which the loop around this is one
    setPresence(access, found, scope);
    found = nullptr;
  }
  if (!found)
    return emitGuarded(forall, scope, guarded.drop_front());
  return emitIf(found, forall, scope, [&](Scope &inner, bool present) {
    if (!present) {
      inner = outer;
      inner.absence.accesses.insert(nest.accesses[access].ops.begin(),
                                    nest.accesses[access].ops.end());
    }
    setPresence(access, nullptr, inner);
    return emitGuarded(forall, inner, guarded.drop_front());
  });
}

// The variable has a value: locates what is there in any case, and takes the result along. What may
// be absent there is added to `questions`.
void KernelConverter::bind(cin::ForallOp forall, Scope &scope, ArrayRef<Participant> located,
                           SmallVectorImpl<Participant> &questions) {
  unsigned variable = nest.numberOf(forall.getVariable());
  for (const Participant &participant : located) {
    if (!participant.piece.full) {
      questions.push_back(participant);
      continue;
    }
    Value found;
    locate(participant, scope, found);
  }
  if (llvm::is_contained(carriedBy(forall, scope), resultStorage)) {
    if (resultWalk->beginsSlots(variable, scope.bound)) {
      scope.slot = arith::ConstantIndexOp::create(b, loc, 0);
      scope.carried[scope.slot] = scope.slot;
    }
    Value *slot = scope.slot ? &scope.carried[scope.slot] : nullptr;
    resultWalk->enter(scope.result, variable, scope.bound, scope.indices,
                      scope.carried[resultStorage], slot);
  }
  scope.bound.set(variable);
}

LogicalResult KernelConverter::emitCase(cin::ForallOp forall, Scope &scope,
                                        ArrayRef<Participant> located,
                                        ArrayRef<Participant> guarded) {
  SmallVector<Participant> questions(guarded);
  unsigned before = scope.result.next;
  bind(forall, scope, located, questions);
  Block &body = forall.getBlock();
  auto inner = dyn_cast<cin::ForallOp>(body.front());
  if (scope.result.early && inner && llvm::hasSingleElement(body) && questions.empty() &&
      storesInAnyCase(inner, scope))
    scope.result.early.reset(); // there will be something below it
  return emitRetracting(scope, [&] {
    return emitGathering(before, scope, [&] { return emitLookUps(forall, scope, questions); });
  });
}

// What was appended early is taken back if `body` has put nothing below it.
LogicalResult KernelConverter::emitRetracting(Scope &scope,
                                              llvm::function_ref<LogicalResult()> body) {
  if (!scope.result.early)
    return body();
  std::pair<unsigned, Value> early = *std::exchange(scope.result.early, std::nullopt);
  Value outer = scope.touched.lookup(resultStorage);
  Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
  scope.touched[resultStorage] = no;
  scope.carried[no] = no;
  if (failed(body()))
    return failure();
  Value any = scope.carried.lookup(no);
  scope.carried.erase(no);
  scope.touched.erase(resultStorage);
  if (outer) {
    scope.touched[resultStorage] = outer;
    scope.carried[outer] = arith::OrIOp::create(b, loc, scope.carried[outer], any);
  }
  resultWalk->retractUnless(any, early, scope.carried[resultStorage]);
  return success();
}

// Where the parent of gathered entries became known since `before`, they are appended after `body`.
LogicalResult KernelConverter::emitGathering(std::optional<unsigned> before, Scope &scope,
                                             llvm::function_ref<LogicalResult()> body) {
  std::optional<unsigned> level = resultWalk->gathers(before, scope.result);
  if (!level)
    return body();
  ResultPosition parent = scope.result;
  if (resultWalk->refillsValues()) {
    Value &builder = scope.carried[resultStorage];
    builder = lvl::IndexOp::create(b, loc, builder, *level, parent.path);
    return body();
  }
  Value mark = lvl::MarkOp::create(b, loc, scope.carried[resultStorage], *level);
  if (failed(body()))
    return failure();
  resultWalk->close(parent, *level, mark, scope.carried[resultStorage]);
  return success();
}

LogicalResult KernelConverter::emitForall(cin::ForallOp forall, Scope &scope) {
  if (forall.getCollapsed())
    return emitJoined(forall, scope);
  if (forall.getChunks())
    return emitChunks(forall, scope);
  if (forall.getContracted() && !leftOut && vectorBytes > 0)
    if (auto around = forall->getParentOfType<cin::ForallOp>(); !around || !around.getContracted())
      return emitContracted(forall, scope);
  return emitPlain(forall, scope);
}

// Where a loop would visit less if sums had no terms, that is asked before it.
LogicalResult KernelConverter::emitPlain(cin::ForallOp forall, Scope &scope) {
  if (sharedLoops(scope) > 0)
    return emitLoop(forall, scope);
  SmallVector<OpenPresence> open;
  Absence none = scope.absence;
  for (const OpenPresence &one : scope.open)
    if (!one.asked && one.isUsedBy(forall)) {
      open.push_back(one);
      one.deny(none);
    }
  if (open.empty())
    return emitLoop(forall, scope);
  SmallVector<Participant> iterated, located;
  if (failed(participantsOf(forall, scope, iterated, located)))
    return failure();
  if (pointsOf(forall, iterated, none) == pointsOf(forall, iterated, scope.absence))
    return emitLoop(forall, scope);
  return emitIf(emitAny(b, loc, open), forall, scope, [&](Scope &inner, bool holds) {
    auto concerned = [&](const OpenPresence &one) {
      return llvm::any_of(open, [&](const OpenPresence &o) { return o.flag == one.flag; });
    };
    if (!holds)
      inner.absence = none;
    if (!holds || open.size() == 1)
      llvm::erase_if(inner.open, concerned);
    for (OpenPresence &one : inner.open)
      one.asked |= concerned(one);
    return emitLoop(forall, inner);
  });
}

SmallVector<unsigned> KernelConverter::pointsOf(cin::ForallOp forall,
                                                ArrayRef<Participant> iterated,
                                                const Absence &absence) {
  SmallVector<SmallVector<Operation *>> groups;
  for (const Participant &participant : iterated)
    groups.push_back(nest.accesses[participant.access].ops);
  return latticePoints(forall.getBlock(), absence, groups);
}

// Where what is done at a coordinate is one assignment to the result, which does the same in every
// case if some constants stand for what is absent: these constants.
ArrayAttr KernelConverter::neutralsFor(cin::ForallOp forall, const Scope &scope,
                                       ArrayRef<Participant> iterated) {
  auto assign = dyn_cast<cin::AssignOp>(forall.getBlock().front());
  bool sole =
      llvm::hasSingleElement(forall.getBlock()) && assign && assign.getTarget() == resultStorage;
  auto decides = [&](const OpenPresence &one) {
    // Where the loop walks an access, that was asked of levels above.
    return one.isUsedBy(assign) && llvm::none_of(iterated, [&](const Participant &participant) {
             return llvm::is_contained(one.accesses, nest.accesses[participant.access].ops.front());
           });
  };
  // Padding that is passed over is no entry with a neutral value.
  auto skips = [&](const Participant &participant) { return entriesSkip(participant.access); };
  if (!sole || llvm::any_of(scope.open, decides) || llvm::any_of(iterated, skips))
    return {};
  SmallVector<SmallVector<Operation *>> groups;
  for (const Participant &participant : iterated)
    groups.push_back(nest.accesses[participant.access].ops);
  std::optional<SmallVector<TypedAttr>> neutrals = findNeutrals(assign, scope.absence, groups);
  if (!neutrals)
    return {};
  return b.getArrayAttr(SmallVector<Attribute>(neutrals->begin(), neutrals->end()));
}

// The cases of lvl.coiterate, from bit masks.
ArrayAttr KernelConverter::caseSets(ArrayRef<unsigned> cases) {
  SmallVector<Attribute> sets;
  for (unsigned mask : cases) {
    SmallVector<int64_t> present;
    for (unsigned at = 0; mask >> at; ++at)
      if (mask >> at & 1)
        present.push_back(at);
    sets.push_back(b.getDenseI64ArrayAttr(present));
  }
  return b.getArrayAttr(sets);
}

// The sets of those iterated where a loop does anything at all; what has no say there is taken for
// absent, and iterated no more.
SmallVector<unsigned> KernelConverter::visitedSets(cin::ForallOp forall,
                                                   SmallVectorImpl<Participant> &iterated,
                                                   Scope &scope) {
  SmallVector<SmallVector<Operation *>> groups;
  for (const Participant &participant : iterated)
    groups.push_back(nest.accesses[participant.access].ops);
  unsigned deciding = decidingGroups(forall.getBlock(), scope.absence, groups);
  SmallVector<Participant> kept;
  SmallVector<SmallVector<Operation *>> left;
  for (auto [at, participant] : llvm::enumerate(iterated)) {
    if (deciding >> at & 1) {
      kept.push_back(participant);
      left.push_back(groups[at]);
    } else {
      scope.absence.accesses.insert(groups[at].begin(), groups[at].end());
    }
  }
  iterated = std::move(kept);
  return leastPresences(forall.getBlock(), scope.absence, left);
}

// The regions of a loop over `bound`, one for each case; takes what it carries back into the scope.
LogicalResult KernelConverter::emitRegions(lvl::CoiterateOp loop, ArrayRef<unsigned> bound,
                                           ArrayRef<Participant> iterated, ArrayRef<unsigned> cases,
                                           ArrayRef<Value> storages, Scope &scope,
                                           llvm::function_ref<LogicalResult(Scope &)> body) {
  bool shared = loop.getPredicates().has_value();
  SmallVector<unsigned> loops = loopSets(cases);
  // A step of a loop compares, and goes on in, each of its iterators.
  constexpr double codeOfStep = 10;
  if (failed(spend(codeOfStep * loops.size() * (iterated.size() + 1), scope)))
    return failure();
  for (auto [at, mask] : llvm::enumerate(cases)) {
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&loop.getBodies()[at]);
    Scope inner = scope;
    inner.copies *= llvm::count_if(loops, [&](unsigned set) { return (set & mask) == mask; });
    for (unsigned variable : bound)
      inner.indices[variable] = block->addArgument(b.getIndexType(), loc);
    for (unsigned k = 0; k < iterated.size(); ++k) {
      if (mask >> k & 1)
        inner.cursors[iterated[k].access] = {
            block->addArgument(lvl::PathType::get(b.getContext()), loc), iterated[k].next};
      else
        for (Operation *op : nest.accesses[iterated[k].access].ops)
          inner.absence.accesses.insert(op);
      setPresence(iterated[k].access, nullptr, inner);
    }
    for (unsigned k = 0; shared && k < iterated.size(); ++k)
      setPresence(iterated[k].access, block->addArgument(b.getI1Type(), loc), inner);
    for (Value storage : storages)
      inner.carried[storage] = block->addArgument(scope.carried[storage].getType(), loc);
    if (fillsRegion(loop, at, scope) && failed(body(inner)))
      return failure();
    SmallVector<Value> results;
    for (Value storage : storages)
      results.push_back(inner.carried[storage]);
    lvl::YieldOp::create(b, loc, results);
  }
  for (auto [storage, value] : llvm::zip(storages, loop.getResults()))
    scope.carried[storage] = value;
  return success();
}

// A loop over all of [0, extent), whose value becomes that of the variable.
LogicalResult KernelConverter::emitUniverse(cin::ForallOp forall, Value extent, const Twine &name,
                                            IntegerAttr pieces, Scope &scope,
                                            llvm::function_ref<LogicalResult(Scope &)> body,
                                            bool collects) {
  SmallVector<Value> storages = carriedBy(forall, scope), inits;
  for (Value storage : storages)
    inits.push_back(scope.carried[storage]);
  const unsigned all = 0; // the one case: nothing is walked
  auto loop = lvl::CoiterateOp::create(
      b, loc, ValueRange(inits).getTypes(), extent, ValueRange(), inits, caseSets(all),
      b.getStringAttr(name), pieces, ArrayAttr(), IntegerAttr(), ArrayAttr(),
      collects ? b.getUnitAttr() : UnitAttr(), BoolAttr(), markBelow(forall), 1);
  return emitRegions(loop, nest.numberOf(forall.getVariable()), {}, all, storages, scope, body);
}

// A loop over the blocks of a variable, and one over the values of each. Nothing is walked at it.
LogicalResult KernelConverter::emitBlocks(cin::ForallOp forall, Scope &scope,
                                          ArrayRef<Participant> located,
                                          ArrayRef<Participant> guarded) {
  unsigned variable = nest.numberOf(forall.getVariable());
  Value extent = extentOf(forall, scope);
  Value size = arith::ConstantIndexOp::create(b, loc, *forall.getBlocks());
  Value blocks = arith::CeilDivUIOp::create(b, loc, extent, size);
  auto inBlock = [&](Scope &block) {
    Value first = arith::MulIOp::create(b, loc, block.indices[variable], size);
    Value rest = arith::SubIOp::create(b, loc, extent, first);
    Value values = arith::MinUIOp::create(b, loc, rest, size);
    block.indices[variable] = first;
    unsigned before = block.result.next;
    Value &builder = block.carried[resultStorage];
    std::optional<unsigned> opened =
        resultWalk->enterBlock(block.result, variable, block.indices, builder);
    Value mark = opened ? Value(lvl::MarkOp::create(b, loc, builder, *opened)) : Value();
    auto inside = [&](Scope &inner) {
      Value &value = inner.indices[variable];
      value = arith::AddIOp::create(b, loc, first, value);
      return emitCase(forall, inner, located, guarded);
    };
    return emitRetracting(block, [&] {
      LogicalResult emitted = emitGathering(before, block, [&] {
        return emitUniverse(forall, values, forall.getName(), {}, block, inside);
      });
      if (opened)
        resultWalk->close(block.result, *opened, mark, block.carried[resultStorage]);
      return emitted;
    });
  };
  std::optional<unsigned> opened = resultWalk->opens(scope.result, variable);
  Value mark;
  if (opened)
    mark = lvl::MarkOp::create(b, loc, scope.carried[resultStorage], *opened);
  IntegerAttr pieces = cutInPieces(forall, {}, variable, scope);
  pieces = piecesFor(forall, pieces, scope);
  auto around = std::exchange(scope.result.opened, opened ? opened : scope.result.opened);
  if (failed(emitUniverse(forall, blocks, forall.getName() + "_block", pieces, scope, inBlock)))
    return failure();
  scope.result.opened = around;
  if (opened)
    resultWalk->close(scope.result, *opened, mark, scope.carried[resultStorage]);
  return success();
}

// True if each of the loops has at least one value, wherever it is reached, unless the result has
// no elements at all.
static bool haveValues(ArrayRef<cin::ForallOp> loops, cin::AssignOp assign) {
  SmallVector<Value> sizes; // of the result
  for (cin::ForallOp loop : loops)
    if (llvm::is_contained(assign.getIndices(), loop.getVariable()))
      sizes.push_back(loop.getExtent());
  return llvm::all_of(loops, [&](cin::ForallOp loop) {
    std::optional<int64_t> extent = getConstantIntValue(loop.getExtent());
    return loop.isOfParts()
               ? loop.getPart() != nullptr
               : (extent && *extent > 0) || llvm::is_contained(sizes, loop.getExtent());
  });
}

// True if the loops from here on are all inside each other, over all values, and store a value at
// each, as those of a product of dense blocks do.
bool KernelConverter::storesInAnyCase(cin::ForallOp forall, const Scope &scope) const {
  SmallVector<cin::ForallOp> chain = chainFrom(forall);
  Block &innermost = chain.back().getBlock();
  auto assign = dyn_cast<cin::AssignOp>(innermost.front());
  if (!llvm::hasSingleElement(innermost) || !assign || assign.getTarget() != resultStorage ||
      mayBeMissing(assign) || replacementIn(assign) || !haveValues(chain, assign) ||
      !openComparisons(assign, scope).empty() ||
      llvm::any_of(scope.open, [&](const OpenPresence &one) { return one.isUsedBy(assign); }))
    return false;
  auto isDenseBelow = [&](unsigned access) {
    const AccessPath &path = nest.accesses[access].path;
    unsigned next = scope.cursors.lookup(access).next;
    return llvm::all_of(llvm::seq<unsigned>(next, path.coordinates.size()), [&](unsigned level) {
      return ta::levelProperties(path.format, level).full && !path.format.isSlot(level);
    });
  };
  return llvm::all_of(nest.accessesIn(forall), [&](unsigned access) {
    return isAbsent(access, scope) ||
           (!scope.flags.contains(access) && isDenseBelow(access) && !entriesSkip(access));
  });
}

LogicalResult KernelConverter::emitLoop(cin::ForallOp forall, Scope &scope) {
  if (resultWalk->waitsBelowGathered(scope.result) && !scope.partial &&
      storesInAnyCase(forall, scope))
    resultWalk->placeGathered(scope.result, scope.carried[resultStorage]);
  unsigned variable = nest.numberOf(forall.getVariable());
  SmallVector<Participant> iterated, located, guarded;
  if (failed(participantsOf(forall, scope, iterated, located)))
    return failure();
  Absence outside = scope.absence; // what has no say here may have one after the loop
  llvm::scope_exit leave([&] { scope.absence = outside; });
  LinearConditions conditions = decideComparisons(forall, scope);
  bool shares = sharesCases(scope);
  SmallVector<unsigned> points =
      shares ? visitedSets(forall, iterated, scope) : pointsOf(forall, iterated, scope.absence);
  if (points.empty())
    return success();
  if (std::optional<unsigned> leader = leaderOf(forall, scope);
      leader && failed(checkLed(forall, *leader, iterated, points)))
    return failure();
  SmallVector<unsigned> positions;
  if (failed(chooseLocated(forall, points, iterated, guarded, positions)))
    return failure();

  // The cases as sets of the iterators that are left.
  llvm::SmallSetVector<unsigned, 8> cases;
  for (unsigned point : points) {
    unsigned walked = 0;
    for (auto [at, position] : llvm::enumerate(positions))
      walked |= (point >> position & 1) << at;
    cases.insert(walked);
  }
  bool universe = cases.contains(0);
  ArrayAttr predicates;
  if (unsigned all = (1u << iterated.size()) - 1; shares && (cases.size() > 1 || cases[0] != all)) {
    predicates = caseSets(cases.getArrayRef());
    cases.clear();
    cases.insert(all);
  }
  bool merges = iterated.size() + universe > 1;
  if (forall.getBlocks() && llvm::is_contained(carriedBy(forall, scope), resultStorage)) {
    if (iterated.empty() && !forall.isInChunk())
      return emitBlocks(forall, scope, located, guarded);
    if (forall.isInChunk() || resultWalk->gatheredLevel())
      return emitError(forall.getLoc())
             << "the loop over '" << forall.getName() << "' "
             << (forall.isInChunk() ? "cannot be cut by entries" : "walks operands")
             << ", but it must run in blocks of " << *forall.getBlocks()
             << ", as the result is stored";
  }
  bool intersects = !universe && !predicates && iterated.size() > 1 && cases.size() == 1;
  if (failed(checkParts(forall, iterated, scope)) ||
      failed(checkMergeable(forall, iterated, merges, scope)) ||
      (forall.getGallop() == true && failed(checkSearchable(forall, iterated, intersects))))
    return failure();

  LoopRange range = within(forall, rangeOf(forall, iterated, located, scope), conditions, scope);
  Value next = goOn(forall, conditions, range, scope);
  beginRunningSums(forall, iterated, scope);
  SmallVector<Value> iterators;
  for (const Participant &participant : iterated) {
    bool dedup = !participant.piece.unique && (merges || !forall.getAccumulates());
    if (dedup && failed(checkRuns(forall, participant.access, scope)))
      return failure();
    iterators.push_back(makeIterator(participant, scope, forall, range, dedup));
  }
  SmallVector<Value> storages = carriedBy(forall, scope), inits;
  bool writes = llvm::is_contained(storages, resultStorage);
  std::optional<unsigned> opened;
  Value mark;
  if (writes) {
    if (range.bounded)
      leavePlaces();
    opened = resultWalk->opens(scope.result, variable);
    if (opened)
      mark = lvl::MarkOp::create(b, loc, scope.carried[resultStorage], *opened);
  }
  for (Value storage : storages)
    inits.push_back(scope.carried[storage]);
  Value first = iterators.empty() ? Value() : iterators.front();
  bool everySet =
      !predicates && iterated.size() > 1 && cases.size() + 1 == 1u << iterated.size() && !universe;
  bool once = !first || iterated.front().piece.unique || !forall.getAccumulates() ||
              (iterated.front().piece.ordered && resultWalk->writesApart(variable));
  IntegerAttr pieces;
  if (!merges)
    pieces = cutInPieces(forall, first, once ? std::optional(variable) : std::nullopt, scope);
  bool partial = hasPartialSums(forall, pieces, scope);
  if (partial) {
    if (merges || first)
      return emitError(forall.getLoc()) << "the loop over '" << forall.getName()
                                        << "' walks operands: only one over parts has sums apart";
    if (failed(beginPartial(forall, nullptr, range.extent, scope)))
      return failure();
    pieces = b.getI64IntegerAttr(0);
  }
  pieces = piecesFor(forall, pieces, scope);
  auto loop = lvl::CoiterateOp::create(
      b, loc, ValueRange(inits).getTypes(), universe ? range.extent : Value(), iterators, inits,
      caseSets(cases.getArrayRef()), forall.getNameAttr(), pieces,
      everySet && guarded.empty() ? neutralsFor(forall, scope, iterated) : ArrayAttr(),
      IntegerAttr(), predicates, UnitAttr(), forall.getGallopAttr(), markBelow(forall),
      cases.size());
  if (range.bounded)
    loop->setAttr(ta::boundedAttribute, b.getUnitAttr());
  if (next)
    loop->setAttr(lvl::goesOnAttribute, b.getUnitAttr());
  auto inside = [&](Scope &inner) {
    Value &value = inner.indices[variable];
    if (range.first)
      value = arith::AddIOp::create(b, loc, range.first, value);
    if (forall.isOfParts() && !forall.getPart()) { // the number of a part becomes its first value
      if (inner.partial)
        enterPart(forall, nullptr, inner);
      value = arith::MulIOp::create(b, loc, value, partSizeOf(forall, forall.getExtent()));
      fillPart(forall, inner);
    }
    return emitCase(forall, inner, located, guarded);
  };
  auto around = std::exchange(scope.result.opened, opened ? opened : scope.result.opened);
  if (failed(emitRegions(loop, variable, iterated, cases.getArrayRef(), storages, scope, inside)))
    return failure();
  endRunningSums(forall, scope);
  keepTotal(forall, next, scope);
  scope.result.opened = around;
  if (opened)
    resultWalk->close(scope.result, *opened, mark, scope.carried[resultStorage]);
  return partial ? addPartial(forall, nullptr, range.extent, Value(), scope) : success();
}

} // namespace strata
