// Turns loops over index variables into walks over coordinate hierarchies.
#include "strata/dialect/cin/Cin.h"
#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/FormatMap.h"
#include "strata/lower/AccessPath.h"
#include "strata/lower/EmitAffine.h"
#include "strata/lower/MergeLattice.h"
#include "strata/lower/OpenPresence.h"
#include "strata/lower/Passes.h"
#include "strata/lower/ResultWalk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_CINTOLVL
#include "strata/lower/Passes.h.inc"

namespace {

// How far the walk of one access has come.
struct Cursor {
  Value path;
  unsigned next = 0;
};

// What is known at a place in the loops; copied where control divides.
struct Scope {
  DenseMap<unsigned, Cursor> cursors; ///< by access number
  Absence absence;
  llvm::MapVector<Value, Value> carried; ///< storage -> scalar, or the result -> its builder
  /// Scalars of which it matters whether anything was assigned: the key in `carried` of that flag.
  llvm::MapVector<Value, Value> touched;
  SmallVector<OpenPresence> open; ///< as far as it matters for the entries of a sparse result
  ResultPosition result;
  llvm::SmallBitVector bound;
  SmallVector<Value> indices;
};

// An access, or several to the same place of the same storage.
struct Access {
  Value storage;
  AffineMap place; ///< over the kernel's variables
  AccessPath path;
  SmallVector<Operation *> ops;
};

// An access at a loop: what binding the loop's variable makes of it.
struct Participant {
  unsigned access;
  PathPiece piece;
  unsigned next; ///< first level after the piece
};

class KernelConverter {
public:
  KernelConverter(func::FuncOp kernel, OpBuilder &b) : kernel(kernel), b(b) {}
  LogicalResult run();

private:
  void numberVariables();
  void collectAccesses();
  AffineMap placeOf(AffineMap map, ValueRange indices) const;
  void begin(Scope &scope);

  LogicalResult emitGathering(std::optional<unsigned> before, Scope &scope,
                              llvm::function_ref<LogicalResult()> body);
  LogicalResult emitWithin(ArrayRef<cin::ForallOp> loops, Scope &scope);
  LogicalResult emitPasses(Block &statements, Scope &scope, bool counted);
  LogicalResult emitBlock(Block &block, Scope &scope);
  LogicalResult emitWhere(cin::WhereOp where, Scope &scope);
  bool decidesEntries(cin::WhereOp where, const Absence &untouched, const Scope &scope);
  LogicalResult emitIf(Value condition, Operation *statement, Scope &scope,
                       llvm::function_ref<LogicalResult(Scope &, bool)> branch);
  LogicalResult emitForall(cin::ForallOp forall, Scope &scope);
  LogicalResult emitJoined(cin::ForallOp outer, Scope &scope);
  LogicalResult emitLoop(cin::ForallOp forall, Scope &scope);
  SmallVector<unsigned> pointsOf(cin::ForallOp forall, ArrayRef<Participant> iterated,
                                 const Absence &absence);
  LogicalResult emitAssign(cin::AssignOp assign, Scope &scope);
  void emitAssigned(cin::AssignOp assign, Scope &scope);
  Value emitValue(Value value, Scope &scope, DenseMap<Value, Value> &done);
  Value emitAccess(cin::AccessOp access, Scope &scope);

  LogicalResult participantsOf(cin::ForallOp forall, const Scope &scope,
                               SmallVectorImpl<Participant> &iterated,
                               SmallVectorImpl<Participant> &located);
  void chooseLocated(ArrayRef<unsigned> points, SmallVectorImpl<Participant> &iterated,
                     SmallVectorImpl<Participant> &guarded, SmallVectorImpl<unsigned> &positions);
  LogicalResult checkMergeable(cin::ForallOp forall, ArrayRef<Participant> iterated, bool merges);
  Value makeIterator(const Participant &participant, const Scope &scope, cin::ForallOp forall,
                     bool dedup);
  bool needsClamp(const Participant &participant, unsigned variable) const;
  Value locate(const Participant &participant, Scope &scope, Value &found);
  void bind(cin::ForallOp forall, Scope &scope, ArrayRef<Participant> located,
            SmallVectorImpl<Participant> &questions);
  LogicalResult emitCase(cin::ForallOp forall, Scope &scope, ArrayRef<Participant> located,
                         ArrayRef<Participant> guarded);
  LogicalResult emitGuarded(cin::ForallOp forall, Scope &scope, ArrayRef<Participant> guarded);
  SmallVector<Value> carriedBy(Operation *statement, const Scope &scope);
  bool isAbsent(unsigned access, const Scope &scope) const {
    return scope.absence.accesses.contains(accesses[access].ops.front());
  }

  func::FuncOp kernel;
  OpBuilder &b;
  Location loc = kernel.getLoc();
  DenseMap<Value, unsigned> variables; ///< forall arguments
  SmallVector<Access> accesses;
  DenseMap<Operation *, unsigned> numbers; ///< cin.access -> access
  DenseMap<unsigned, Value> guards; ///< access -> whether what it locates before all loops is there
  TypedValue<ta::StorageType> resultStorage;
  std::optional<ResultWalk> resultWalk;
};

//===------------------------------------------------------------------------------------------===//
// Preparation
//===------------------------------------------------------------------------------------------===//

void KernelConverter::numberVariables() {
  kernel.walk<WalkOrder::PreOrder>(
      [&](cin::ForallOp forall) { variables.insert({forall.getVariable(), variables.size()}); });
}

AffineMap KernelConverter::placeOf(AffineMap map, ValueRange indices) const {
  SmallVector<AffineExpr> positions;
  for (Value index : indices)
    positions.push_back(getAffineDimExpr(variables.lookup(index), b.getContext()));
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : map.getResults())
    results.push_back(expr.replaceDims(positions));
  return AffineMap::get(variables.size(), 0, results, b.getContext());
}

void KernelConverter::collectAccesses() {
  kernel.walk([&](cin::AccessOp op) {
    if (op.getStorage().getDefiningOp<cin::TempOp>())
      return;
    AffineMap place = placeOf(op.getMap(), op.getIndices());
    AccessPath path(op.getStorage().getType().getFormat(), place);
    auto *same = llvm::find_if(accesses, [&](const Access &access) {
      return access.storage == op.getStorage() && access.place == place;
    });
    if (same == accesses.end())
      same = &accesses.emplace_back(Access{op.getStorage(), place, path, {}});
    same->ops.push_back(op);
    numbers[op] = same - accesses.begin();
  });
}

void KernelConverter::begin(Scope &scope) {
  scope.bound.resize(variables.size());
  scope.indices.resize(variables.size());
  cin::AssignOp assign;
  kernel.walk([&](cin::AssignOp op) {
    if (!op.getTarget().getDefiningOp<cin::TempOp>())
      assign = op;
  });
  resultStorage = assign.getTarget();
  AccessPath path(resultStorage.getType().getFormat(),
                  placeOf(assign.getMap(), assign.getIndices()));
  bool counted = false;
  std::optional<unsigned> gathered;
  kernel.walk([&](cin::BuildOp build) {
    counted |= build.getCounted();
    if (build.getGathered())
      gathered = gatherableLevel(path.format);
  });
  resultWalk.emplace(std::move(path), counted, gathered, b, loc);
}

LogicalResult KernelConverter::run() {
  numberVariables();
  collectAccesses();
  Scope scope;
  begin(scope);
  Block &body = kernel.getBody().front();
  SmallVector<Operation *> old;
  for (Operation &op : body.without_terminator())
    old.push_back(&op);
  b.setInsertionPoint(body.getTerminator());

  Value builder;
  bool counted = false;
  for (Operation *op : old)
    if (auto build = dyn_cast<cin::BuildOp>(op)) {
      counted = build.getCounted();
      std::optional<int64_t> gathered;
      if (build.getGathered())
        gathered = gatherableLevel(resultStorage.getType().getFormat());
      builder =
          lvl::BuildOp::create(b, loc, build.getStorage(), build.getLike(), counted, gathered);
      scope.absence.built.insert(build.getStorage());
    }
  if (!builder)
    builder = lvl::UpdateOp::create(b, loc, resultStorage);
  scope.carried[resultStorage] = builder;
  scope.result.path = lvl::RootOp::create(b, loc, resultStorage);
  for (auto [at, access] : llvm::enumerate(accesses)) {
    Value root = lvl::RootOp::create(b, loc, access.storage);
    scope.cursors[at] = {root, 0};
    std::string why;
    unsigned next = 0;
    std::optional<PathPiece> piece =
        bindVariable(access.path, next, scope.bound, std::nullopt, why);
    if (!piece)
      return access.ops.front()->emitOpError("cannot be walked: ") << why;
    Value found;
    if (!piece->empty())
      locate({unsigned(at), *piece, next}, scope, found);
    if (!found)
      continue;
    guards[at] = found;
    if (resultWalk->storesEntries())
      scope.open.push_back({.flag = found, .accesses = {access.ops.begin(), access.ops.end()}});
  }
  Value &carried = scope.carried[resultStorage];
  resultWalk->enter(scope.result, std::nullopt, scope.bound, scope.indices, carried);
  Block statements; // outlives all that is emitted: temporaries are used by what follows them
  for (Operation *op : old)
    if (isa<cin::ForallOp, cin::WhereOp, cin::AssignOp, cin::TempOp>(op))
      op->moveBefore(&statements, statements.end());
    else if (isa<cin::BuildOp>(op))
      op->erase();
  return emitPasses(statements, scope, counted);
}

// The statements: once, or to count the result's entries and then to store them.
LogicalResult KernelConverter::emitPasses(Block &statements, Scope &scope, bool counted) {
  Value &builder = scope.carried[resultStorage];
  if (counted) {
    Scope first = scope;
    resultWalk->counting = true;
    if (failed(emitBlock(statements, first)))
      return failure();
    resultWalk->counting = false;
    builder = lvl::ReserveOp::create(b, loc, first.carried[resultStorage]);
  }
  Value root = lvl::RootOp::create(b, loc, resultStorage), mark;
  if (resultWalk->lists())
    mark = lvl::MarkOp::create(b, loc, builder, 0);
  if (failed(emitGathering(std::nullopt, scope, [&] { return emitBlock(statements, scope); })))
    return failure();
  Value &filled = scope.carried[resultStorage];
  if (mark)
    filled = lvl::CloseOp::create(b, loc, filled, 0, root, mark);
  lvl::SealOp::create(b, loc, filled);
  return success();
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
  bool matters = false;
  where.getConsumer().walk([&](cin::AssignOp op) {
    matters |= op.getTarget() == resultStorage || scope.touched.contains(op.getTarget());
  });
  if (!matters || !resultWalk->storesEntries())
    return false;
  Absence least = untouched;
  for (const OpenPresence &other : scope.open)
    other.deny(least);
  where.getConsumer().walk([&](cin::AccessOp op) {
    auto number = numbers.find(op);
    if (number != numbers.end() && scope.cursors.lookup(number->second).next <
                                       accesses[number->second].path.coordinates.size())
      least.accesses.insert(op);
  });
  return hasNoEffect(where.getConsumer().front(), least);
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
    Type element = temp.getStorage().getType().getElementType();
    sums.push_back(
        {.temp = temp.getStorage(), .identity = ta::identityOf(temp.getCombine(), element)});
    sums.back().deny(untouched);
  });
  if (hasNoEffect(producer, scope.absence)) {
    scope.absence = untouched;
    return emitBlock(consumer, scope);
  }
  // A sparse result stores a sum only if it has terms.
  bool decides = decidesEntries(where, untouched, scope);
  for (const OpenPresence &sum : sums)
    if (decides) {
      Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
      scope.touched[sum.temp] = no;
      scope.carried[no] = no;
    }
  if (failed(emitBlock(producer, scope)))
    return failure();
  if (!decides)
    return emitBlock(consumer, scope);
  unsigned before = scope.open.size();
  for (OpenPresence &sum : sums) {
    Value key = scope.touched.lookup(sum.temp);
    sum.flag = scope.carried.lookup(key);
    scope.touched.erase(sum.temp);
    scope.carried.erase(key);
    scope.open.push_back(sum);
  }
  LogicalResult result = emitBlock(consumer, scope);
  scope.open.truncate(before);
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
    scf::YieldOp::create(b, loc, results);
  }
  for (auto [storage, value] : llvm::zip(storages, choice.getResults()))
    scope.carried[storage] = value;
  return success();
}

// The stored value; the fill where a fixed place is not there.
Value KernelConverter::emitAccess(cin::AccessOp access, Scope &scope) {
  Value path = scope.cursors[numbers[access]].path;
  Value guard = guards.lookup(numbers[access]);
  if (!guard)
    return lvl::ValueOp::create(b, access.getLoc(), access.getType(), path);
  auto choice = scf::IfOp::create(b, loc, TypeRange{access.getType()}, guard, true);
  OpBuilder::InsertionGuard insertion(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Value stored = lvl::ValueOp::create(b, access.getLoc(), access.getType(), path);
  scf::YieldOp::create(b, loc, stored);
  b.setInsertionPointToStart(choice.elseBlock());
  Value fill = ta::emitConstant(b, loc, ta::fillOf(access.getStorage().getType().getTensor()));
  scf::YieldOp::create(b, loc, fill);
  return choice.getResult(0);
}

Value KernelConverter::emitValue(Value value, Scope &scope, DenseMap<Value, Value> &done) {
  if (Value emitted = done.lookup(value))
    return emitted;
  Operation *def = value.getDefiningOp();
  if (!def || !def->getParentOfType<cin::AssignOp>())
    return value;
  Value same, result;
  if (TypedAttr constant = foldedValue(value, scope.absence, &same)) {
    result = ta::emitConstant(b, loc, constant);
  } else if (same) {
    result = emitValue(same, scope, done);
  } else if (auto access = dyn_cast<cin::AccessOp>(def)) {
    if (Value scalar = scope.carried.lookup(access.getStorage());
        scalar && access.getStorage() != resultStorage)
      result = scalar;
    else
      result = emitAccess(access, scope);
  } else {
    SmallVector<Value> operands;
    for (Value operand : def->getOperands())
      operands.push_back(emitValue(operand, scope, done));
    Operation *clone = b.clone(*def);
    clone->setOperands(operands);
    result = clone->getResult(cast<OpResult>(value).getResultNumber());
  }
  done[value] = result;
  return result;
}

LogicalResult KernelConverter::emitAssign(cin::AssignOp assign, Scope &scope) {
  SmallVector<OpenPresence> open;
  llvm::copy_if(scope.open, std::back_inserter(open),
                [&](const OpenPresence &one) { return one.isUsedBy(assign); });
  Value target = assign.getTarget();
  bool matters = target == resultStorage || scope.touched.contains(target);
  if (open.size() > mostOpenPresences)
    return assign.emitOpError("depends on ")
           << open.size() << " sums that may have no terms; 12 are possible";
  Value condition =
      matters && !open.empty() ? emitHasEffect(b, loc, assign, scope.absence, open) : Value();
  if (!condition) {
    emitAssigned(assign, scope);
    return success();
  }
  return emitIf(condition, assign, scope, [&](Scope &inner, bool holds) {
    if (holds)
      emitAssigned(assign, inner);
    return success();
  });
}

void KernelConverter::emitAssigned(cin::AssignOp assign, Scope &scope) {
  DenseMap<Value, Value> done;
  Value target = assign.getTarget();
  if (target == resultStorage && resultWalk->counting) {
    resultWalk->place(scope.result, scope.carried[target]);
    return;
  }
  Value value = emitValue(assign.getYielded(), scope, done);
  if (target != resultStorage) {
    Value &scalar = scope.carried[target];
    auto combine = assign.getCombine();
    scalar = combine ? ta::emitCombine(b, loc, *combine, scalar, value) : value;
    if (Value flag = scope.touched.lookup(target))
      scope.carried[flag] = arith::ConstantIntOp::create(b, loc, 1, 1);
    return;
  }
  Value &builder = scope.carried[target];
  resultWalk->place(scope.result, builder);
  // What a list repeats it means to add up.
  auto combine = resultWalk->lists() ? ta::CombineAttr() : assign.getCombineAttr();
  lvl::PutOp::create(b, loc, builder, scope.result.path, value, combine);
}

//===------------------------------------------------------------------------------------------===//
// Loops
//===------------------------------------------------------------------------------------------===//

LogicalResult KernelConverter::participantsOf(cin::ForallOp forall, const Scope &scope,
                                              SmallVectorImpl<Participant> &iterated,
                                              SmallVectorImpl<Participant> &located) {
  unsigned variable = variables.lookup(forall.getVariable());
  llvm::SmallSetVector<unsigned, 8> inside;
  forall.walk([&](cin::AccessOp op) {
    if (numbers.contains(op))
      inside.insert(numbers[op]);
  });
  for (unsigned at : inside) {
    if (isAbsent(at, scope))
      continue;
    unsigned next = scope.cursors.lookup(at).next;
    std::string why;
    std::optional<PathPiece> piece =
        bindVariable(accesses[at].path, next, scope.bound, variable, why);
    if (!piece)
      return accesses[at].ops.front()->emitOpError("cannot be walked: ") << why;
    if (piece->empty())
      continue;
    bool walks = piece->compose && !piece->full;
    (walks ? iterated : located).push_back({at, *piece, next});
  }
  if (iterated.size() > 12)
    return forall.emitOpError("merges ") << iterated.size() << " sparse operands; 12 are possible";
  return success();
}

// Operands that can be located need not be walked where another is walked in every case
// (iterate-and-locate, 004 section 4.3).
void KernelConverter::chooseLocated(ArrayRef<unsigned> points,
                                    SmallVectorImpl<Participant> &iterated,
                                    SmallVectorImpl<Participant> &guarded,
                                    SmallVectorImpl<unsigned> &positions) {
  llvm::SmallBitVector chosen(iterated.size());
  for (bool unorderedFirst : {true, false})
    for (unsigned at = 0; at < iterated.size(); ++at) {
      if (chosen.test(at) || !iterated[at].piece.locatable ||
          iterated[at].piece.ordered == unorderedFirst)
        continue;
      bool accompanied = llvm::all_of(points, [&](unsigned point) {
        for (unsigned other = 0; other < iterated.size(); ++other)
          if (other != at && !chosen.test(other) && (point >> other & 1))
            return true;
        return point == 0;
      });
      if (accompanied)
        chosen.set(at);
    }
  SmallVector<Participant> walked;
  for (unsigned at = 0; at < iterated.size(); ++at) {
    if (chosen.test(at)) {
      guarded.push_back(iterated[at]);
    } else {
      walked.push_back(iterated[at]);
      positions.push_back(at);
    }
  }
  iterated = std::move(walked);
}

LogicalResult KernelConverter::checkMergeable(cin::ForallOp forall, ArrayRef<Participant> iterated,
                                              bool merges) {
  for (const Participant &participant : iterated) {
    const ta::FormatAttr &format = accesses[participant.access].path.format;
    ArrayRef<PathStep> below(participant.piece.steps);
    unsigned walks = !below.front().at;
    for (const PathStep &step : below.drop_front())
      walks += !step.at &&
               !(participant.piece.unique && ta::levelProperties(format, step.level).branchless);
    if (merges && !participant.piece.ordered)
      return accesses[participant.access].ops.front()->emitOpError("cannot be merged over '")
             << forall.getName() << "': its coordinates are not in order there";
    if (merges && walks > 1 && !participant.piece.unique)
      return accesses[participant.access].ops.front()->emitOpError("cannot be walked over '")
             << forall.getName() << "': too many levels at once";
  }
  return success();
}

// May walking the access yield values beyond the loop's? Not where it reaches each of the
// dimension's coordinates once, and the levels so far keep it inside. Those of several diagonals do so
// only together; a level with everything that is located may, below these ancestors, reach beyond the
// tensor (a diagonal of which the format stores all rows).
bool KernelConverter::needsClamp(const Participant &participant, unsigned variable) const {
  if (kernel->hasAttr("strata.windowed"))
    return true;
  const Access &access = accesses[participant.access];
  ta::FormatMap map(access.path.format.getDimToLvl());
  auto beyond = [&](unsigned level, const ta::SolvedDim &solved) {
    if (level >= participant.next)
      return true;
    bool located = llvm::any_of(participant.piece.steps, [&](const PathStep &step) {
      return step.at && step.level == level;
    });
    return located && ta::levelProperties(access.path.format, level).full &&
           !isa<AffineDimExpr>(solved.value);
  };
  for (auto [dim, expr] : llvm::enumerate(access.place.getResults())) {
    if (!expr.isFunctionOfDim(variable))
      continue;
    if (!isa<AffineDimExpr>(expr))
      return true;
    for (auto [level, solved] : llvm::enumerate(map.solvedAt))
      for (const ta::SolvedDim &one : solved)
        if (one.dim == dim && beyond(level, one))
          return true;
  }
  return false;
}

Value KernelConverter::makeIterator(const Participant &participant, const Scope &scope,
                                    cin::ForallOp forall, bool dedup) {
  const PathPiece &piece = participant.piece;
  // Only the variables in use become operands.
  SmallVector<Value> fixed;
  SmallVector<AffineExpr> renumbered(variables.size(), getAffineConstantExpr(0, b.getContext()));
  auto uses = [&](AffineExpr expr, unsigned at) { return expr && expr.isFunctionOfDim(at); };
  for (unsigned at = 0; at < variables.size(); ++at)
    if (uses(piece.compose, at) ||
        llvm::any_of(piece.steps, [&](const PathStep &step) { return uses(step.at, at); })) {
      renumbered[at] = getAffineDimExpr(fixed.size(), b.getContext());
      fixed.push_back(scope.indices[at]);
    }
  unsigned walked = 0;
  SmallVector<Attribute> steps;
  for (const PathStep &step : piece.steps) {
    if (step.at)
      steps.push_back(AffineMapAttr::get(
          AffineMap::get(fixed.size(), walked, step.at.replaceDims(renumbered))));
    else
      steps.push_back(b.getUnitAttr()), ++walked;
  }
  auto compose = AffineMapAttr::get(
      AffineMap::get(fixed.size(), walked, piece.compose.replaceDims(renumbered)));
  return lvl::IteratorOp::create(
      b, loc, scope.cursors.lookup(participant.access).path, piece.steps.front().level, fixed,
      needsClamp(participant, variables.lookup(forall.getVariable()))
          ? forall.getExtent()
          : Value(),
      b.getArrayAttr(steps), compose, dedup);
}

// Locates all levels of a piece; `found` becomes null where they are always there.
Value KernelConverter::locate(const Participant &participant, Scope &scope, Value &found) {
  Cursor &cursor = scope.cursors[participant.access];
  const AccessPath &path = accesses[participant.access].path;
  found = nullptr;
  for (const PathStep &step : participant.piece.steps) {
    Value crd = emitAffine(b, loc, path.coordinates[step.level], scope.indices);
    auto op = lvl::LocateOp::create(b, loc, cursor.path, step.level, crd);
    cursor.path = op.getPath();
    if (ta::levelProperties(path.format, step.level).full)
      continue;
    found =
        found ? Value(arith::AndIOp::create(b, loc, found, op.getFound())) : Value(op.getFound());
  }
  cursor.next = participant.next;
  return cursor.path;
}

// The scalars and the builder that a statement changes and that live outside it.
SmallVector<Value> KernelConverter::carriedBy(Operation *statement, const Scope &scope) {
  llvm::SmallSetVector<Value, 4> assigned;
  statement->walk([&](cin::AssignOp assign) { assigned.insert(assign.getTarget()); });
  SmallVector<Value> storages;
  for (const auto &[storage, value] : scope.carried)
    if (assigned.contains(storage))
      storages.push_back(storage);
  for (const auto &[temp, flag] : scope.touched)
    if (assigned.contains(temp))
      storages.push_back(flag);
  return storages;
}

LogicalResult KernelConverter::emitGuarded(cin::ForallOp forall, Scope &scope,
                                           ArrayRef<Participant> guarded) {
  if (hasNoEffect(forall.getBlock(), scope.absence))
    return success();
  if (guarded.empty())
    return emitBlock(forall.getBlock(), scope);
  Scope outer = scope;
  Value found;
  locate(guarded.front(), scope, found);
  if (!found)
    return emitGuarded(forall, scope, guarded.drop_front());
  return emitIf(found, forall, scope, [&](Scope &inner, bool present) {
    if (!present) {
      inner = outer;
      for (Operation *op : accesses[guarded.front().access].ops)
        inner.absence.accesses.insert(op);
    }
    return emitGuarded(forall, inner, guarded.drop_front());
  });
}

// The variable has a value: locates what is there in any case, and takes the result along. What may
// be absent there is added to `questions`.
void KernelConverter::bind(cin::ForallOp forall, Scope &scope, ArrayRef<Participant> located,
                           SmallVectorImpl<Participant> &questions) {
  unsigned variable = variables.lookup(forall.getVariable());
  for (const Participant &participant : located) {
    if (!participant.piece.full) {
      questions.push_back(participant);
      continue;
    }
    Value found;
    locate(participant, scope, found);
  }
  if (llvm::is_contained(carriedBy(forall, scope), resultStorage))
    resultWalk->enter(scope.result, variable, scope.bound, scope.indices,
                      scope.carried[resultStorage]);
  scope.bound.set(variable);
}

LogicalResult KernelConverter::emitCase(cin::ForallOp forall, Scope &scope,
                                        ArrayRef<Participant> located,
                                        ArrayRef<Participant> guarded) {
  SmallVector<Participant> questions(guarded);
  unsigned before = scope.result.next;
  bind(forall, scope, located, questions);
  return emitGathering(before, scope, [&] { return emitGuarded(forall, scope, questions); });
}

// Where the parent of gathered entries became known since `before`, they are appended after `body`.
LogicalResult KernelConverter::emitGathering(std::optional<unsigned> before, Scope &scope,
                                             llvm::function_ref<LogicalResult()> body) {
  std::optional<unsigned> level = resultWalk->gathers(before, scope.result);
  if (!level)
    return body();
  ResultPosition parent = scope.result;
  Value mark = lvl::MarkOp::create(b, loc, scope.carried[resultStorage], *level);
  if (failed(body()))
    return failure();
  resultWalk->close(parent, *level, mark, scope.carried[resultStorage]);
  return success();
}

// The body of joined loops, for values inside all of them; of a window on the operand not all are.
LogicalResult KernelConverter::emitWithin(ArrayRef<cin::ForallOp> loops, Scope &scope) {
  Block &body = cin::ForallOp(loops.back()).getBlock();
  if (!kernel->hasAttr("strata.windowed"))
    return emitBlock(body, scope);
  Value inside;
  for (cin::ForallOp loop : loops) {
    // As unsigned numbers, negative ones are large.
    Value one = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                      scope.indices[variables.lookup(loop.getVariable())],
                                      loop.getExtent());
    inside = inside ? Value(arith::AndIOp::create(b, loc, inside, one)) : one;
  }
  return emitIf(inside, loops.front(), scope, [&](Scope &inner, bool holds) {
    return holds ? emitBlock(body, inner) : success();
  });
}

// Loops that one operand drives together: it is walked from its root to its leaves, and every leaf
// gives all their variables.
LogicalResult KernelConverter::emitJoined(cin::ForallOp outer, Scope &scope) {
  SmallVector<cin::ForallOp> loops{outer};
  while (loops.back().getJoined())
    loops.push_back(cast<cin::ForallOp>(loops.back().getBlock().front()));
  std::optional<unsigned> driver;
  outer.walk([&](cin::AccessOp op) {
    if (numbers.contains(op) && !accesses[numbers[op]].path.format.isFull())
      driver = numbers[op];
  });
  std::optional<StorageWalk> walk;
  if (driver && scope.cursors.lookup(*driver).next == 0)
    walk = walkStorage(accesses[*driver].path);
  if (!walk)
    return outer.emitOpError("is joined with the loop inside, but nothing can be walked over both");
  if (isAbsent(*driver, scope))
    return success();

  unsigned walked = 0;
  SmallVector<Attribute> steps;
  for (const PathStep &step : walk->steps) {
    steps.push_back(step.at ? Attribute(AffineMapAttr::get(AffineMap::get(0, walked, step.at)))
                            : b.getUnitAttr());
    walked += !step.at;
  }
  SmallVector<AffineExpr> values;
  for (cin::ForallOp loop : loops)
    for (auto [variable, value] : walk->variables)
      if (variable == variables.lookup(loop.getVariable()))
        values.push_back(value);
  auto compose = AffineMapAttr::get(AffineMap::get(0, walked, values, b.getContext()));
  Value iterator = lvl::IteratorOp::create(b, loc, scope.cursors.lookup(*driver).path, 0,
                                           ValueRange{}, Value(), b.getArrayAttr(steps), compose,
                                           /*dedup=*/false);
  SmallVector<Value> storages = carriedBy(outer, scope), inits;
  for (Value storage : storages)
    inits.push_back(scope.carried[storage]);
  auto loop =
      lvl::CoiterateOp::create(b, loc, ValueRange(inits).getTypes(), Value(), iterator, inits,
                               b.getArrayAttr(b.getDenseI64ArrayAttr({0})), outer.getNameAttr(), 1);
  {
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&loop.getBodies()[0]);
    Scope inner = scope;
    for (cin::ForallOp forall : loops)
      inner.indices[variables.lookup(forall.getVariable())] =
          block->addArgument(b.getIndexType(), loc);
    inner.cursors[*driver] = {block->addArgument(lvl::PathType::get(b.getContext()), loc),
                              unsigned(walk->steps.size())};
    for (Value storage : storages)
      inner.carried[storage] = block->addArgument(scope.carried[storage].getType(), loc);
    SmallVector<Participant> iterated, questions;
    for (cin::ForallOp forall : loops) {
      SmallVector<Participant> located;
      if (failed(participantsOf(forall, inner, iterated, located)))
        return failure();
      bind(forall, inner, located, questions);
    }
    if (!iterated.empty() || !questions.empty())
      return outer.emitOpError("is joined with the loop inside, but not driven by one operand");
    if (failed(emitWithin(loops, inner)))
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

// Where a loop would visit less if sums had no terms, that is asked before it.
LogicalResult KernelConverter::emitForall(cin::ForallOp forall, Scope &scope) {
  if (forall.getJoined())
    return emitJoined(forall, scope);
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
    groups.push_back(accesses[participant.access].ops);
  return latticePoints(forall.getBlock(), absence, groups);
}

LogicalResult KernelConverter::emitLoop(cin::ForallOp forall, Scope &scope) {
  unsigned variable = variables.lookup(forall.getVariable());
  SmallVector<Participant> iterated, located, guarded;
  if (failed(participantsOf(forall, scope, iterated, located)))
    return failure();
  SmallVector<unsigned> points = pointsOf(forall, iterated, scope.absence);
  if (points.empty())
    return success();
  SmallVector<Participant> all = iterated;
  SmallVector<unsigned> positions;
  chooseLocated(points, iterated, guarded, positions);

  // The cases as sets of the iterators that are left.
  llvm::SmallSetVector<unsigned, 8> cases;
  for (unsigned point : points) {
    unsigned walked = 0;
    for (auto [at, position] : llvm::enumerate(positions))
      walked |= (point >> position & 1) << at;
    cases.insert(walked);
  }
  bool universe = cases.contains(0);
  bool merges = iterated.size() + universe > 1;
  if (failed(checkMergeable(forall, iterated, merges)))
    return failure();

  SmallVector<Value> iterators;
  for (const Participant &participant : iterated) {
    bool dedup = !participant.piece.unique && (merges || !forall.getFused());
    iterators.push_back(makeIterator(participant, scope, forall, dedup));
  }
  SmallVector<Value> storages = carriedBy(forall, scope), inits;
  bool writes = llvm::is_contained(storages, resultStorage);
  std::optional<unsigned> opened;
  Value mark;
  if (writes) {
    opened = resultWalk->opens(scope.result, variable);
    if (opened)
      mark = lvl::MarkOp::create(b, loc, scope.carried[resultStorage], *opened);
  }
  for (Value storage : storages)
    inits.push_back(scope.carried[storage]);
  SmallVector<Attribute> caseAttrs;
  for (unsigned mask : cases) {
    SmallVector<int64_t> present;
    for (unsigned at = 0; at < iterated.size(); ++at)
      if (mask >> at & 1)
        present.push_back(at);
    caseAttrs.push_back(b.getDenseI64ArrayAttr(present));
  }
  auto loop = lvl::CoiterateOp::create(
      b, loc, ValueRange(inits).getTypes(), universe ? forall.getExtent() : Value(), iterators,
      inits, b.getArrayAttr(caseAttrs), forall.getNameAttr(), cases.size());
  for (auto [at, mask] : llvm::enumerate(cases)) {
    OpBuilder::InsertionGuard guard(b);
    Region &region = loop.getBodies()[at];
    Block *block = b.createBlock(&region);
    Scope inner = scope;
    inner.indices[variable] = block->addArgument(b.getIndexType(), loc);
    for (unsigned k = 0; k < iterated.size(); ++k) {
      if (mask >> k & 1)
        inner.cursors[iterated[k].access] = {
            block->addArgument(lvl::PathType::get(b.getContext()), loc), iterated[k].next};
      else
        for (Operation *op : accesses[iterated[k].access].ops)
          inner.absence.accesses.insert(op);
    }
    for (Value storage : storages)
      inner.carried[storage] = block->addArgument(scope.carried[storage].getType(), loc);
    if (failed(emitCase(forall, inner, located, guarded)))
      return failure();
    SmallVector<Value> results;
    for (Value storage : storages)
      results.push_back(inner.carried[storage]);
    lvl::YieldOp::create(b, loc, results);
  }
  for (auto [storage, value] : llvm::zip(storages, loop.getResults()))
    scope.carried[storage] = value;
  if (opened)
    resultWalk->close(scope.result, *opened, mark, scope.carried[resultStorage]);
  return success();
}

struct CinToLvl : impl::CinToLvlBase<CinToLvl> {
  void runOnOperation() override {
    OpBuilder b(&getContext());
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (kernel->hasAttr("strata.kernel") && failed(KernelConverter(kernel, b).run()))
        return signalPassFailure();
  }
};

} // namespace
} // namespace strata
