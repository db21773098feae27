// Turns loops over index variables into walks over coordinate hierarchies: preparation, statements.
#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/EmittedErrors.h"
#include "strata/dialect/ta/LabelValues.h"
#include "strata/lower/Passes.h"
#include "strata/lower/lvl/EmitValues.h"
#include "strata/lower/lvl/KernelConverter.h"
#include "strata/lower/utils/EmitAffine.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OwningOpRef.h"

#include <limits>

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_CINTOLVL
#include "strata/lower/Passes.h.inc"

//===------------------------------------------------------------------------------------------===//
// Preparation
//===------------------------------------------------------------------------------------------===//

// Gives the op that begins the result afresh, if one does.
cin::BuildOp KernelConverter::begin(Scope &scope) {
  scope.bound.resize(nest.loops.size());
  scope.indices.resize(nest.loops.size());
  resultStorage = nest.result.getTarget();
  AccessPath path = nest.resultPath();
  cin::BuildOp build = nest.build;
  std::optional<unsigned> gathered;
  Phase phase = build ? phaseOf(kernel) : Phase::All;
  if (build && build.getGathered())
    gathered = gatherableLevel(path.format, phase != Phase::All);
  // An index has a place for every coordinate, which a hash table is to avoid; a level that locates
  // needs none.
  if (gathered && phase == Phase::Compute) {
    StringRef level = path.format.getLevels()[*gathered].getName();
    if (build.getGathered() == ta::Workspace::Table || findLevelTraits(level)->locates)
      gathered.reset();
  }
  resultWalk.emplace(std::move(path), build && build.getCounted(), gathered, phase, b, loc);
  if (build && !resultWalk->refillsValues())
    resultOrder.emplace(kernel, nest, resultWalk->getPath());
  return build;
}

LogicalResult KernelConverter::run() {
  Scope scope;
  cin::BuildOp build = begin(scope);
  Block &body = kernel.getBody().front();
  SmallVector<Operation *> old;
  for (Operation &op : body.without_terminator())
    old.push_back(&op);
  b.setInsertionPoint(body.getTerminator());

  if (build)
    scope.absence.built.insert(resultStorage);
  if (resultWalk->refillsValues())
    scope.carried[resultStorage] =
        lvl::RefillOp::create(b, loc, resultStorage, resultWalk->gatheredLevel(),
                              build.getInitialAttr(), build.getPartial());
  else if (build)
    scope.carried[resultStorage] = lvl::BuildOp::create(
        b, loc, resultStorage, build.getLike(), build.getCounted(), resultWalk->gatheredLevel(),
        build.getGatheredAttr(), build.getInitialAttr(), build.getPartial());
  else
    scope.carried[resultStorage] = lvl::UpdateOp::create(b, loc, resultStorage);
  scope.result.path = lvl::RootOp::create(b, loc, resultStorage);
  for (auto [at, access] : llvm::enumerate(nest.accesses)) {
    Value root = lvl::RootOp::create(b, loc, access.storage);
    scope.cursors[at] = {root, 0};
    std::string why;
    unsigned next = 0;
    std::optional<PathPiece> piece =
        bindVariable(access.path, next, scope.bound, std::nullopt, why);
    if (!piece)
      return refuse(at) << "cannot be walked: " << why;
    Value found;
    if (!piece->empty())
      locate({unsigned(at), *piece, next}, scope, found);
    if (found)
      setPresence(at, found, scope);
  }
  kernel.walk([&](cin::TempOp temp) {
    if (!temp.getExtents().empty())
      rows.try_emplace(temp.getStorage(), b, temp);
  });
  Value &carried = scope.carried[resultStorage];
  resultWalk->enter(scope.result, std::nullopt, scope.bound, scope.indices, carried);
  scope.result.early.reset(); // outside all loops
  Block statements; // outlives all that is emitted: temporaries are used by what follows them
  for (Operation *op : old)
    if (isa<cin::ForallOp, cin::WhereOp, cin::AssignOp, cin::TempOp>(op))
      op->moveBefore(&statements, statements.end());
    else if (auto require = dyn_cast<cin::RequireOp>(op))
      emitRequire(require);
    else if (isa<cin::BuildOp>(op))
      op->erase();
  return emitPasses(statements, scope);
}

// Before anything is computed.
void KernelConverter::emitRequire(cin::RequireOp require) {
  OpBuilder before(require);
  lvl::RequireOp::create(before, require.getLoc(), require.getExtent(), require.getLeastAttr(),
                         require.getMostAttr());
  require.erase();
}

// The statements: once, or to count the result's entries and then to store them.
LogicalResult KernelConverter::emitPasses(Block &statements, Scope &scope) {
  if (failed(checkResult()) || failed(checkAtomic()))
    return failure();
  Value &builder = scope.carried[resultStorage];
  singleLoop = llvm::hasSingleElement(statements) && isa<cin::ForallOp>(statements.front());
  if (resultWalk->counts()) {
    Scope first = scope;
    resultWalk->counting = true;
    if (failed(emitBlock(statements, first)))
      return failure();
    resultWalk->counting = false;
    builder = lvl::ReserveOp::create(b, loc, first.carried[resultStorage]);
  }
  Value root = lvl::RootOp::create(b, loc, resultStorage), mark;
  if (resultWalk->lists() && !resultWalk->counts())
    mark = lvl::MarkOp::create(b, loc, builder, 0);
  if (failed(emitGathering(std::nullopt, scope, [&] { return emitBlock(statements, scope); })))
    return failure();
  Value &filled = scope.carried[resultStorage];
  if (mark)
    filled = lvl::CloseOp::create(b, loc, filled, 0, root, mark);
  lvl::FinalizeOp::create(b, loc, filled);
  return checkThreads();
}

//===------------------------------------------------------------------------------------------===//
// Statements
//===------------------------------------------------------------------------------------------===//

LogicalResult KernelConverter::emitBlock(Block &block, Scope &scope) {
  for (Operation &op : block) {
    if (auto forall = dyn_cast<cin::ForallOp>(op)) {
      if (failed(emitForall(forall, scope)))
        return failure();
    } else if (auto assign = dyn_cast<cin::AssignOp>(op)) {
      if (failed(emitAssign(assign, scope)))
        return failure();
    } else if (auto temp = dyn_cast<cin::TempOp>(op)) {
      Type element = temp.getStorage().getType().getElementType();
      if (auto row = rows.find(temp.getStorage()); row != rows.end()) {
        row->second.reset(b, loc);
        continue;
      }
      scope.carried[temp.getStorage()] =
          ta::emitConstant(b, loc, ta::identityOf(temp.getCombine(), element));
    } else if (auto where = dyn_cast<cin::WhereOp>(op)) {
      if (failed(emitWhere(where, scope)))
        return failure();
    }
  }
  return success();
}

// Does it depend on the sum's having terms what a sparse result stores? Only if all else that the
// consumer uses may be absent.
bool KernelConverter::decidesEntries(cin::WhereOp where, const Absence &untouched,
                                     const Scope &scope) {
  // Nor is there a value at all where it may be missing.
  for (const auto &[temp, before] : untouched.temps)
    if (ta::isMissing(before) && !scope.absence.temps.contains(temp))
      return true;
  bool matters = false, replaces = false;
  where.getConsumer().walk([&](cin::AssignOp op) {
    Value other = replacementIn(op);
    replaces |= other && isBehindMasks(fillOfResult(), other, untouched);
  });
  if (replaces)
    return true;
  where.getConsumer().walk([&](cin::AssignOp op) {
    matters |= op.getTarget() == resultStorage ? resultWalk->storesEntries()
                                               : scope.touched.contains(op.getTarget());
  });
  if (!matters)
    return false;
  Absence least = untouched;
  for (const OpenPresence &other : scope.open)
    other.deny(least);
  where.getConsumer().walk([&](cin::AccessOp op) {
    std::optional<unsigned> number = nest.numberOfAccess(op);
    if (number &&
        scope.cursors.lookup(*number).next < nest.accesses[*number].path.coordinates.size())
      least.accesses.insert(op);
  });
  return hasNoEffect(where.getConsumer().front(), least);
}

// Would the sum, if it has no terms, annihilate what the consumer combines it with? Alone, or with
// others: rather too often than too seldom, if these are many.
bool KernelConverter::mayAnnihilate(cin::WhereOp where, const Absence &untouched,
                                    const Scope &scope) {
  SmallVector<OpenPresence> others(scope.annihilators);
  where.getConsumer().walk([&](cin::TempOp temp) {
    others.push_back({.temp = temp.getStorage(), .before = valueBefore(temp)});
  });
  if (others.size() > 6)
    return true;
  for (unsigned absent = 0; absent < 1u << others.size(); ++absent) {
    Absence without = untouched, with = scope.absence;
    for (auto [at, other] : llvm::enumerate(others))
      if (absent >> at & 1) {
        other.deny(without);
        other.deny(with);
      }
    WalkResult found = where.getConsumer().walk([&](Operation *op) {
      return annihilates(op, with, without) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (found.wasInterrupted())
      return true;
  }
  return false;
}

// Are the terms of all values in a row there together, where sparse operands have them? Asked of
// rows whose values go to places of their own, not of those that are summed up in turn.
bool KernelConverter::hasTermsAlike(cin::WhereOp where, Value row) {
  bool apart = true;
  where.getConsumer().walk([&](cin::AccessOp op) {
    auto reader = op->getParentOfType<cin::AssignOp>();
    apart &= op.getStorage() != row || llvm::all_of(op.getIndices(), [&](Value label) {
               return llvm::is_contained(reader.getIndices(), label);
             });
  });
  if (!apart)
    return false;
  llvm::SmallSetVector<unsigned, 4> labels;
  where.getProducer().walk([&](cin::AssignOp assign) {
    if (assign.getTarget() == row)
      for (Value index : assign.getIndices())
        labels.insert(nest.numberOf(index));
  });
  bool sparse = false, alike = true;
  where.getProducer().walk([&](cin::AccessOp op) {
    std::optional<unsigned> number = nest.numberOfAccess(op);
    if (!number || nest.accesses[*number].path.format.isFull())
      return;
    sparse = true;
    alike &= llvm::none_of(
        labels, [&](unsigned label) { return nest.accesses[*number].path.involves(label); });
  });
  return sparse && alike;
}

LogicalResult KernelConverter::emitWhere(cin::WhereOp where, Scope &scope) {
  Block &producer = where.getProducer().front(), &consumer = where.getConsumer().front();
  Absence untouched = scope.absence;
  SmallVector<OpenPresence> sums;
  where.getProducer().walk([&](cin::AssignOp inner) {
    auto temp = inner.getTarget().getDefiningOp<cin::TempOp>();
    if (!temp || where->isAncestor(temp) ||
        llvm::any_of(sums, [&](auto &sum) { return sum.temp == temp.getStorage(); }))
      return;
    sums.push_back({.temp = temp.getStorage(), .before = valueBefore(temp)});
    sums.back().deny(untouched);
  });
  const bool isLeftOut =
      leftOut && llvm::any_of(leftOut->terms, [&](const DenseContraction::Term &term) {
        return term.where == where;
      });
  if (isLeftOut || hasNoEffect(producer, scope.absence)) {
    scope.absence = untouched;
    return emitBlock(consumer, scope);
  }
  // A row has values that are there and others that are not, unless all have the same terms.
  llvm::erase_if(sums, [&](const OpenPresence &sum) {
    return rows.contains(sum.temp) && !hasTermsAlike(where, sum.temp);
  });
  // A sparse result stores a sum only if it has terms.
  bool decides = decidesEntries(where, untouched, scope);
  bool annihilates = mayAnnihilate(where, untouched, scope);
  for (const OpenPresence &sum : sums)
    if (decides || annihilates) {
      Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
      scope.touched[sum.temp] = no;
      scope.carried[no] = no;
    }
  if (failed(emitBlock(producer, scope)))
    return failure();
  if (!decides && !annihilates)
    return emitBlock(consumer, scope);
  unsigned open = scope.open.size(), annihilators = scope.annihilators.size();
  for (OpenPresence &sum : sums) {
    Value key = scope.touched.lookup(sum.temp);
    sum.flag = scope.carried.lookup(key);
    scope.touched.erase(sum.temp);
    scope.carried.erase(key);
    if (decides)
      scope.open.push_back(sum);
    if (annihilates)
      scope.annihilators.push_back(sum);
  }
  LogicalResult result = emitBlock(consumer, scope);
  scope.open.truncate(open);
  scope.annihilators.truncate(annihilators);
  return result;
}

// A choice that changes what `statement` changes: `branch` emits either side in a scope of its own.
LogicalResult KernelConverter::emitIf(Value condition, Operation *statement, Scope &scope,
                                      llvm::function_ref<LogicalResult(Scope &, bool)> branch) {
  SmallVector<Value> storages = carriedBy(statement, scope), current;
  for (Value storage : storages)
    current.push_back(scope.carried[storage]);
  auto choice = scf::IfOp::create(b, loc, ValueRange(current).getTypes(), condition, true);
  for (bool holds : {true, false}) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(holds ? choice.thenBlock() : choice.elseBlock());
    Scope inner = scope;
    if (failed(branch(inner, holds)))
      return failure();
    SmallVector<Value> results;
    for (Value storage : storages)
      results.push_back(inner.carried[storage]);
    if (!results.empty()) // else it ends by itself
      scf::YieldOp::create(b, loc, results);
  }
  for (auto [storage, value] : llvm::zip(storages, choice.getResults()))
    scope.carried[storage] = value;
  return success();
}

// Where a comparison of labels decides whether a sparse result stores anything, or a sum has a
// term, it is asked before.
LogicalResult KernelConverter::emitAssign(cin::AssignOp assign, Scope &scope) {
  bool matters = assign.getTarget() == resultStorage ? resultWalk->storesEntries()
                                                     : scope.touched.contains(assign.getTarget());
  if (!matters)
    return emitWhereThere(assign, scope);
  FailureOr<const LabelComparison *> deciding = decidingComparison(assign, scope);
  if (failed(deciding))
    return failure();
  if (!*deciding)
    return emitWhereThere(assign, scope);
  const LabelComparison &one = **deciding;
  DenseMap<Value, Emitted> done;
  Operation *own = *llvm::find_if(one.ops, [&](Operation *op) { return assign->isAncestor(op); });
  Value holds = emitValue(own->getResult(0), scope, done).value;
  return emitIf(holds, assign, scope, [&](Scope &inner, bool truth) {
    decide(one, truth, inner.absence);
    return hasNoEffect(assign, inner.absence) ? success() : emitAssign(assign, inner);
  });
}

LogicalResult KernelConverter::emitWhereThere(cin::AssignOp assign, Scope &scope) {
  if (failed(spend(double(assign.getBody().front().getOperations().size()), scope)))
    return failure();
  SmallVector<OpenPresence> used, open;
  auto isUsed = [&](const OpenPresence &one) { return one.isUsedBy(assign); };
  llvm::copy_if(scope.open, std::back_inserter(open), isUsed);
  llvm::append_range(used, open);
  for (const OpenPresence &one : scope.annihilators)
    if (isUsed(one) && llvm::none_of(open, [&](auto &other) { return other.flag == one.flag; }))
      used.push_back(one);
  if (used.size() > mostOpenPresences)
    return emitError(assign.getLoc())
           << "cannot tell of " << used.size() << " sums at once whether they have terms; "
           << mostOpenPresences << " are possible";
  Value target = assign.getTarget();
  bool isSum = target != resultStorage && scope.touched.contains(target);
  bool matters = isSum || target == resultStorage;
  if (isSum)
    open = used;
  Value condition =
      matters && !open.empty() ? emitHasEffect(b, loc, assign, scope.absence, open) : Value();
  if (!condition)
    return emitAssigned(assign, scope);
  return emitIf(condition, assign, scope, [&](Scope &inner, bool holds) {
    return holds ? emitAssigned(assign, inner) : success();
  });
}

TypedAttr KernelConverter::fillOfResult() const {
  return ta::fillOf(resultStorage.getType().getTensor());
}

// What an assignment to a sparse result stores, where it is there, instead of what was.
Value KernelConverter::replacementIn(cin::AssignOp assign) const {
  auto choice = assign.getYielded().getDefiningOp<ta::UnionOp>();
  bool replaces = choice && choice.getBoth() == choice.getSecond() && !assign.getCombine() &&
                  assign.getTarget() == resultStorage && resultWalk->storesEntries();
  return replaces ? choice.getSecond() : Value();
}

// Where `value` is the fill behind its masks because of what the run finds absent, one by one or
// all together; nothing if it never is, null if it is in any case.
std::optional<Value> KernelConverter::isNothing(Value value, TypedAttr fill, const Scope &scope,
                                                cin::AssignOp assign) {
  if (isBehindMasks(fill, value, scope.absence))
    return Value();
  SmallVector<OpenPresence> open;
  for (const auto *known : {&scope.open, &scope.annihilators})
    for (const OpenPresence &one : *known)
      if (one.isUsedBy(assign) && llvm::none_of(open, [&](auto &o) { return o.flag == one.flag; }))
        open.push_back(one);
  Absence all = scope.absence;
  Value absent;
  for (const OpenPresence &one : open) {
    Absence here = scope.absence;
    one.deny(here);
    one.deny(all);
    if (!isBehindMasks(fill, value, here))
      continue;
    Value missing = opposite(b, loc, one.flag);
    absent = absent ? Value(arith::OrIOp::create(b, loc, absent, missing)) : missing;
  }
  if (absent)
    return absent;
  if (open.empty() || !isBehindMasks(fill, value, all))
    return std::nullopt;
  return opposite(b, loc, emitAny(b, loc, open));
}

// `C<M> = e`: where the mask lets e pass, and e is what is absent anyhow, nothing is stored instead
// of what was there. Says where; null: in any case.
std::optional<Value> KernelConverter::replacedByNothing(cin::AssignOp assign, Scope &scope,
                                                        DenseMap<Value, Emitted> &done) {
  Value other = replacementIn(assign);
  std::optional<Value> nothing =
      other ? isNothing(other, fillOfResult(), scope, assign) : std::nullopt;
  if (!nothing)
    return std::nullopt;
  return both(b, loc, emitValue(other, scope, done).there, *nothing);
}

LogicalResult KernelConverter::emitAssigned(cin::AssignOp assign, Scope &scope) {
  if (TypedAttr known = foldedValue(assign.getYielded(), scope.absence);
      known && ta::isMissing(known))
    return success(); // the place stays as it is
  bool counts = assign.getTarget() == resultStorage && !storesValues();
  Emitted emitted;
  DenseMap<Value, Emitted> done;
  if (!counts || mayBeMissing(assign))
    emitted = emitValue(assign.getYielded(), scope, done);
  if (std::optional<Value> nothing = replacedByNothing(assign, scope, done)) {
    if (!*nothing)
      return success();
    emitted.there = both(b, loc, emitted.there, opposite(b, loc, *nothing));
  }
  if (!emitted.there)
    return emitStore(assign, emitted.value, scope);
  return emitIf(emitted.there, assign, scope, [&](Scope &inner, bool holds) {
    return holds ? emitStore(assign, emitted.value, inner) : success();
  });
}

SmallVector<Value> KernelConverter::coordinatesOf(AffineMap map, ValueRange indices,
                                                  const Scope &scope) {
  return llvm::map_to_vector(nest.placeOf(map, indices).getResults(), [&](AffineExpr expr) {
    return emitAffine(b, loc, expr, scope.indices);
  });
}

void KernelConverter::emitRow(const RowWorkspace &row, cin::AssignOp assign, Value value,
                              const Scope &scope) {
  SmallVector<Value> at = coordinatesOf(assign.getMap(), assign.getIndices(), scope);
  if (auto combine = assign.getCombine())
    value = ta::emitCombine(b, loc, *combine, row.load(b, loc, at), value);
  row.store(b, loc, at, value);
}

// Do several threads combine values with the same ones of the result?
static bool isAtomic(cin::AssignOp assign) {
  cin::ForallOp outermost;
  for (auto loop = assign->getParentOfType<cin::ForallOp>(); loop;
       loop = loop->getParentOfType<cin::ForallOp>())
    outermost = loop;
  return outermost && outermost.hasStrategy(ta::Strategy::atomic);
}

void KernelConverter::emitResult(cin::AssignOp assign, Value value, Scope &scope) {
  Value &builder = scope.carried[resultStorage];
  resultWalk->place(scope.result, builder);
  // Entries that a list repeats are meant to be added up.
  if (storesValues())
    lvl::StoreOp::create(b, loc, builder, scope.result.path, value,
                         resultWalk->lists() ? ta::CombineAttr() : assign.getCombineAttr(),
                         isAtomic(assign));
  noteTouched(resultStorage, scope);
}

// Assigns the value, which is there.
LogicalResult KernelConverter::emitStore(cin::AssignOp assign, Value value, Scope &scope) {
  Value target = assign.getTarget();
  auto combine = assign.getCombineAttr();
  if (target == resultStorage && scope.partial)
    return storePartial(assign, value, scope);
  if (target == resultStorage) {
    emitResult(assign, value, scope);
  } else if (auto row = rows.find(target); row != rows.end()) {
    emitRow(row->second, assign, value, scope);
    noteTouched(target, scope);
  } else {
    Value &scalar = scope.carried[target];
    scalar = combine ? ta::emitCombine(b, loc, combine.getValue(), scalar, value) : value;
    noteTouched(target, scope);
  }
  return success();
}

void KernelConverter::noteTouched(Value target, Scope &scope) {
  if (Value flag = scope.touched.lookup(target))
    scope.carried[flag] = arith::ConstantIntOp::create(b, loc, 1, 1);
}

namespace {

struct CinToLvl : impl::CinToLvlBase<CinToLvl> {
  using CinToLvlBase::CinToLvlBase;

  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Loops, getArgument())))
      return signalPassFailure();
    OpBuilder b(&getContext());
    ta::EmittedErrors errors(&getContext());
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (isKernel(kernel) && (failed(convert(kernel, b)) || errors.any()))
        return signalPassFailure();
  }

private:
  // The outer loops share what they do in all cases before the inner ones do, in which a kernel
  // spends its time.
  LogicalResult convert(func::FuncOp kernel, OpBuilder &b) {
    unsigned loops = 0;
    kernel.walk([&](cin::ForallOp) { ++loops; });
    setSchedule(kernel, ta::ScheduleAttr::get(&getContext(), {})); // it has been applied
    for (KernelConverter::Sharing sharing{.loops = 0, .mostCode = double(mostCode)};;
         ++sharing.loops) {
      OwningOpRef<func::FuncOp> untouched = kernel.clone();
      if (sharing.loops > loops)
        sharing.mostCode = std::numeric_limits<double>::infinity();
      KernelConverter converter(kernel, b, sharing, contractions ? vectorBytes : 0);
      if (succeeded(converter.run())) {
        for (BlockArgument argument : kernel.getArguments())
          kernel.removeArgAttr(argument.getArgNumber(), ta::iotaAttribute);
        return success();
      }
      if (!converter.isTooLarge())
        return failure();
      kernel.getBody().takeBody(untouched->getBody());
    }
  }
};

} // namespace
} // namespace strata
