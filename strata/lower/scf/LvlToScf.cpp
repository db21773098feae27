// Asks each level's format for its functions and makes the loops.
#include "strata/dialect/ta/Algebra.h"
#include "strata/level/Emission.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/scf/KernelLowering.h"
#include "strata/lower/scf/PositionsToScf.h"
#include "strata/lower/scf/WorkEstimate.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/lower/utils/Precision.h"
#include "strata/runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_LVLTOSCF
#include "strata/lower/Passes.h.inc"

// Reads what the operations that begin the result say.
static ResultPlan planOf(func::FuncOp kernel) {
  ResultPlan plan;
  kernel.walk([&](lvl::UpdateOp) { plan.updates = true; });
  kernel.walk([&](lvl::BuildOp build) {
    plan.counted |= build.getCounted();
    plan.gathered = build.getGathered();
    plan.hashed = build.getWorkspace() == ta::Workspace::Table;
    plan.initial = build.getInitialAttr();
    plan.unfilled = build.getUnfilled();
    plan.covered = build.getCovered();
  });
  kernel.walk([&](lvl::RefillOp refill) {
    plan.refills = true;
    plan.gathered = refill.getIndexed();
    plan.initial = refill.getInitialAttr();
    plan.unfilled = refill.getUnfilled();
    plan.covered = refill.getCovered();
  });
  kernel.walk([&](lvl::AdmitOp admit) {
    plan.admits = true;
    plan.shown = admit.getShown();
  });
  plan.patternOnly = makesPattern(phaseOf(kernel));
  plan.leavesValues = phaseOf(kernel) == Phase::Pattern;
  return plan;
}

LogicalResult KernelLowering::run() {
  Block *old = &kernel.getBody().front();
  ResultPlan plan = planOf(kernel);
  // All outermost loops, or none, but for sums that are scalars.
  bool some = false, cut = true;
  kernel.walk([&](lvl::CoiterateOp loop) {
    if (loop->getParentOfType<lvl::CoiterateOp>() || loop.getCollects() ||
        (!loop.getPieces() && loop.carriesScalars()))
      return;
    some = true;
    cut &= loop.getPieces() && loop.getInits().size() <= 1;
    plan.mayRun |= !isa<func::FuncOp>(loop->getParentOp());
  });
  // What a mask admits below the root, all pieces would have to know.
  plan.cut = cut && some && !serial && !(plan.admits && plan.gathered == 0);
  SmallVector<Value> others;
  layOutArguments(kernel, b, plan.updates || plan.refills, storages, others, context);
  unsigned storage = 0, other = 0;
  for (BlockArgument argument : old->getArguments()) {
    if (isa<ta::StorageType>(argument.getType()))
      storageOf[argument] = storages[storage++].get();
    else
      mapping.map(argument, others[other++]);
  }
  result.emplace(*storages.front(), context, b, kernel.getLoc(), plan);
  emitBlock(*old);
  if (!plan.cut)
    releaseWorkspaces(workspaces);
  releaseWorkspaces(sharedWorkspaces);
  func::ReturnOp::create(b, kernel.getLoc());
  old->dropAllDefinedValueUses();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*old))) {
    op.dropAllUses();
    op.erase();
  }
  old->erase();
  return failure(refused);
}

Values KernelLowering::flat(ValueRange values) {
  Values result;
  for (Value value : values) {
    if (isa<lvl::BuilderType>(value.getType()))
      llvm::append_range(result, builders[value]);
    else
      result.push_back(mapping.lookupOrDefault(value));
  }
  return result;
}

SmallVector<Type> KernelLowering::flatTypes(TypeRange types) {
  SmallVector<Type> result;
  for (Type type : types) {
    if (isa<lvl::BuilderType>(type))
      llvm::append_range(result, this->result->types());
    else
      result.push_back(type);
  }
  return result;
}

void KernelLowering::define(ValueRange values, ValueRange flat) {
  unsigned at = 0;
  for (Value value : values) {
    unsigned count = isa<lvl::BuilderType>(value.getType()) ? result->types().size() : 1;
    if (isa<lvl::BuilderType>(value.getType()))
      builders[value] = Values(flat.slice(at, count));
    else
      mapping.map(value, flat[at]);
    at += count;
  }
}

// Names coordinates as the variables of a loop ("i, j"); its own are called so already.
void KernelLowering::nameCoordinates(StringRef names, ValueRange coordinates) {
  SmallVector<StringRef> words;
  names.split(words, ", ");
  for (auto [word, coordinate] : llvm::zip(words, coordinates))
    if (Operation *definition = coordinate.getDefiningOp())
      if (!definition->hasTrait<OpTrait::ConstantLike>())
        definition->setLoc(NameLoc::get(b.getStringAttr(word)));
}

void KernelLowering::emitBlock(Block &block) {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>())
      emit(op);
}

void KernelLowering::emitIf(scf::IfOp op) {
  Value condition = mapping.lookupOrDefault(op.getCondition());
  auto branch = [&](Block *block) -> Values {
    if (!block)
      return {};
    emitBlock(*block);
    return flat(block->getTerminator()->getOperands());
  };
  Values results = choice(
      b, op.getLoc(), condition, flatTypes(op.getResultTypes()),
      [&] { return branch(op.thenBlock()); }, [&] { return branch(op.elseBlock()); });
  define(op.getResults(), results);
}

LevelWalk KernelLowering::walkOf(Value iterator) {
  auto definition = iterator.getDefiningOp<lvl::IteratorOp>();
  auto mapped = [&](Value value) { return value ? mapping.lookupOrDefault(value) : Value(); };
  SmallVector<DimensionWindow, 1> windows;
  if (definition.getWindows())
    for (auto [dim, begin, end] : llvm::zip(*definition.getWindows(), definition.getWindowBegins(),
                                            definition.getWindowEnds()))
      windows.push_back({unsigned(dim), mapped(begin), mapped(end)});
  return {definition,
          paths[definition.getParent()],
          flat(definition.getFixed()),
          mapped(definition.getExtent()),
          mapped(definition.getGuard()),
          {mapped(definition.getFirstPosition()), mapped(definition.getLastPosition())},
          windows,
          b};
}

void KernelLowering::allocate(lvl::WorkspaceOp op) {
  BuildView view{{b, op.getLoc()}, context};
  Type element = op.getValues().getType().getElementType();
  SmallVector<emit::Growing> &own = op.getShared() ? sharedWorkspaces : workspaces;
  own.push_back(emit::allocate(view, element, mapping.lookupOrDefault(op.getCount())));
  mapping.map(op.getValues(), own.back().data);
}

void KernelLowering::releaseWorkspaces(SmallVectorImpl<emit::Growing> &some) {
  BuildView view{{b, kernel.getLoc()}, context};
  for (const emit::Growing &workspace : some)
    emit::release(view, workspace);
  some.clear();
}

Value KernelLowering::emitValue(lvl::ValueOp op) {
  auto [present, neutral] = blended.lookup(op.getPath());
  if (!neutral)
    return emitStored(op);
  Value otherwise = ta::emitConstant(b, op.getLoc(), neutral);
  return present ? ta::emitSelect(b, op.getLoc(), present, emitStored(op), otherwise) : otherwise;
}

// Loads the value of a path; one that stands for duplicates is worth their sum (deduplication at
// the leaf, 004 section 4.4).
Value KernelLowering::emitStored(lvl::ValueOp op) {
  const PathValues &path = paths[op.getPath()];
  PositionRange at = path.last(b, op.getLoc());
  if (!at.end)
    return stored(*path.storage, at.begin, op.getLoc());
  // Sums of 16 bits are made in 32, of 32 in 64; those of booleans are true if one is.
  Type element = op.getValue().getType(), wide = element;
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 64)
    wide = element.isF32() ? b.getF64Type() : b.getF32Type();
  if (auto complex = dyn_cast<ComplexType>(element); complex && complex.getElementType().isF32())
    wide = ComplexType::get(b.getF64Type());
  ta::Combine add = element.isInteger(1) ? ta::Combine::lor : ta::Combine::add;
  Value zero = ta::emitConstant(b, op.getLoc(), ta::identityOf(add, wide));
  Value sum = countedLoop(b, op.getLoc(), "p", at.begin, at.end, {zero},
                          [&](Value pos, Values sum) -> Values {
                            Value value = stored(*path.storage, pos, op.getLoc());
                            if (wide != element)
                              value = emitPrecision(b, op.getLoc(), value, wide);
                            return {ta::emitCombine(b, op.getLoc(), add, sum[0], value)};
                          })[0];
  return wide != element ? emitPrecision(b, op.getLoc(), sum, element) : sum;
}

void KernelLowering::emitLocate(lvl::LocateOp op) {
  PathValues path = paths[op.getParent()];
  Value crd = mapping.lookupOrDefault(op.getCoordinate());
  auto locate = [&]() -> Found {
    LevelView view = viewLevel(b, op.getLoc(), *path.storage, op.getLevel(), path.coordinates);
    const LevelFormat &level = path.storage->level(op.getLevel());
    return positionOf(level, view, crd, path.last(b, op.getLoc()));
  };
  Value above = path.there;
  if (Value guard = op.getGuard()) {
    guard = mapping.lookupOrDefault(guard);
    above = above ? Value(arith::AndIOp::create(b, op.getLoc(), above, guard)) : guard;
  }
  Found found;
  if (above)
    found.found = locateWhere(above, op.getLoc(), locate, found.value);
  else
    found = locate();
  if (path.there)
    path.there = found.found;
  path.push({found.value}, crd);
  paths[op.getPath()] = path;
  if (!op.getFound().use_empty())
    mapping.map(op.getFound(), found.found
                                   ? found.found
                                   : Value(arith::ConstantIntOp::create(b, op.getLoc(), 1, 1)));
}

// Looks for a coordinate where the path above leads to something. Gives whether anything was found,
// and its position.
Value KernelLowering::locateWhere(Value there, Location loc, llvm::function_ref<Found()> locate,
                                  Value &position) {
  Values located = valuesWhere(b, loc, there, [&]() -> Values {
    Found inside = locate();
    Value yes = inside.found ? inside.found : arith::ConstantIntOp::create(b, loc, 1, 1);
    return {yes, inside.value};
  });
  position = located[1];
  return located[0];
}

// Estimates how many entries to expect: what the named operands store, added up; where entries
// alone are stored, only a part of what may be padding.
void KernelLowering::emitBuild(lvl::BuildOp op) {
  Location loc = op.getLoc();
  Value expected = arith::ConstantIndexOp::create(b, loc, 16);
  constexpr int64_t placesOfEntry = 8;
  bool passesPadding = !storageOf[op.getStorage()]->format.hasPadding();
  for (Value like : op.getLike()) {
    if (!result->wantsEstimate())
      break;
    const auto &operand = *storageOf[like];
    Value entries = operand.entries;
    if (passesPadding && !operand.format.isFull() && operand.format.hasPadding())
      entries = b.createOrFold<arith::DivUIOp>(
          loc, entries, arith::ConstantIndexOp::create(b, loc, placesOfEntry));
    expected = b.createOrFold<arith::AddIOp>(loc, expected, entries);
  }
  builders[op.getBuilding()] = result->begin(expected, steps(op));
}

// Estimates how much there is to do; if that cannot be told, by what the sparse operands store.
Value KernelLowering::steps(Operation *begins) {
  if (!result->isCut())
    return {};
  if (Value steps = emitSteps(*begins->getBlock(), storageOf, mapping, b))
    return steps;
  Location loc = begins->getLoc();
  Value entries = arith::ConstantIndexOp::create(b, loc, 0);
  for (const auto &storage : ArrayRef(storages).drop_front())
    if (!storage->format.isFull())
      entries = b.createOrFold<arith::AddIOp>(loc, entries, storage->entries);
  return entries;
}

// The processor traps on integer division by zero, and on the least integer by -1 where they have
// signs.
void KernelLowering::emitDivision(Operation &op) {
  Location loc = op.getLoc();
  Value x = mapping.lookupOrDefault(op.getOperand(0)),
        y = mapping.lookupOrDefault(op.getOperand(1));
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(x.getType(), value));
  };
  auto equals = [&](int64_t value) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, y, constant(value));
  };
  Value zero = equals(0);
  if (isa<arith::DivUIOp>(op)) {
    emit::failIf(b, loc, context, zero, STRATA_DIVISION_BY_ZERO);
    Value divisor = arith::SelectOp::create(b, loc, zero, constant(1), y);
    mapping.map(op.getResult(0), Value(arith::DivUIOp::create(b, loc, x, divisor)));
    return;
  }
  Value minusOne = equals(-1);
  emit::failIf(b, loc, context, zero, STRATA_DIVISION_BY_ZERO);
  Value special = arith::OrIOp::create(b, loc, zero, minusOne);
  Value divisor = arith::SelectOp::create(b, loc, special, constant(1), y);
  Value quotient = arith::DivSIOp::create(b, loc, x, divisor);
  Value negated = arith::SubIOp::create(b, loc, constant(0), x);
  mapping.map(op.getResult(0), Value(arith::SelectOp::create(b, loc, minusOne, negated, quotient)));
}

void KernelLowering::emitRequire(lvl::RequireOp require) {
  Location loc = require.getLoc();
  Value extent = mapping.lookupOrDefault(require.getExtent());
  auto isBeyond = [&](arith::CmpIPredicate predicate, int64_t limit) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, extent,
                                 arith::ConstantIndexOp::create(b, loc, limit));
  };
  Value wrong = isBeyond(arith::CmpIPredicate::sgt, require.getMost());
  if (int64_t least = require.getLeast(); least > 0)
    wrong = arith::OrIOp::create(b, loc, wrong, isBeyond(arith::CmpIPredicate::slt, least));
  emit::failIf(b, loc, context, wrong, STRATA_BAD_ARGUMENT);
}

void KernelLowering::emit(Operation &op) {
  if (lowerPositions(op, paths, mapping, b))
    return;
  if (auto root = dyn_cast<lvl::RootOp>(op)) {
    paths[root.getPath()].storage = storageOf[root.getStorage()];
  } else if (auto rank = dyn_cast<lvl::RankOp>(op)) {
    const StorageValues &storage = *paths[rank.getRoot()].storage;
    Value crd = mapping.lookupOrDefault(rank.getCoordinate());
    mapping.map(rank.getRank(), storage.sorted.lookup(rank.getDim()).rankOf(b, op.getLoc(), crd));
  } else if (auto locate = dyn_cast<lvl::LocateOp>(op)) {
    emitLocate(locate);
  } else if (auto coiterate = dyn_cast<lvl::CoiterateOp>(op)) {
    emitCoiterate(coiterate);
  } else if (auto value = dyn_cast<lvl::ValueOp>(op)) {
    mapping.map(value.getValue(), emitValue(value));
  } else if (auto build = dyn_cast<lvl::BuildOp>(op)) {
    emitBuild(build);
  } else if (auto update = dyn_cast<lvl::UpdateOp>(op)) {
    builders[update.getBuilding()] = result->update(steps(update));
  } else if (auto refill = dyn_cast<lvl::RefillOp>(op)) {
    builders[refill.getBuilding()] = result->refill(steps(refill));
  } else if (auto index = dyn_cast<lvl::IndexOp>(op)) {
    result->index(paths[index.getParent()]);
    Values state = builders[index.getBuilding()]; // a copy: the map may grow
    builders[index.getResult()] = state;
  } else if (auto insert = dyn_cast<lvl::InsertOp>(op)) {
    Values state = builders[insert.getBuilding()];
    PathValues *parent = insert.getParent() ? &paths[insert.getParent()] : nullptr;
    PathValues path =
        result->insert(state, insert.getLevel(), parent,
                       mapping.lookupOrDefault(insert.getCoordinate()), insert.getAdmitted());
    if (Value count = insert.getFilling())
      result->fillBelow(state, insert.getLevel(), path, mapping.lookupOrDefault(count));
    paths[insert.getPath()] = path;
    builders[insert.getResult()] = state;
  } else if (auto workspace = dyn_cast<lvl::WorkspaceOp>(op)) {
    if (result->isCut() && !workspace.getShared())
      workspacesOfPieces.push_back(workspace);
    else
      allocate(workspace);
  } else if (auto admit = dyn_cast<lvl::AdmitOp>(op)) {
    emitOver(admit.getIterator(), admit.getBuilding(), admit.getResult(),
             [&](Values &state, Value crd) { result->admit(state, crd); });
  } else if (auto dismiss = dyn_cast<lvl::DismissOp>(op)) {
    emitOver(dismiss.getIterator(), dismiss.getBuilding(), dismiss.getResult(),
             [&](Values &state, Value crd) { result->dismiss(state, crd); });
  } else if (auto tally = dyn_cast<lvl::CountOp>(op)) {
    Values state = builders[tally.getBuilding()];
    result->tally(state, tally.getLevel(), paths[tally.getParent()],
                  mapping.lookupOrDefault(tally.getCoordinate()));
    builders[tally.getResult()] = state;
  } else if (auto reserve = dyn_cast<lvl::ReserveOp>(op)) {
    Values state = builders[reserve.getBuilding()];
    result->reserve(state);
    counting = false;
    builders[reserve.getResult()] = state;
  } else if (auto mark = dyn_cast<lvl::MarkOp>(op)) {
    mapping.map(mark.getCount(), result->mark(builders[mark.getBuilding()], mark.getLevel()));
  } else if (auto close = dyn_cast<lvl::CloseOp>(op)) {
    Values state = builders[close.getBuilding()];
    result->close(state, close.getLevel(), paths[close.getParent()],
                  mapping.lookupOrDefault(close.getMark()));
    builders[close.getResult()] = state;
  } else if (auto retract = dyn_cast<lvl::RetractOp>(op)) {
    Values state = builders[retract.getBuilding()];
    result->retract(state, retract.getLevel(), mapping.lookupOrDefault(retract.getCoordinate()));
    builders[retract.getResult()] = state;
  } else if (auto put = dyn_cast<lvl::StoreOp>(op)) {
    result->put(builders[put.getBuilding()], paths[put.getPath()],
                mapping.lookupOrDefault(put.getValue()), put.getCombine(), put.getAtomic());
  } else if (auto seal = dyn_cast<lvl::FinalizeOp>(op)) {
    Values state = builders[seal.getBuilding()];
    result->seal(state);
  } else if (auto values = dyn_cast<lvl::ValuesOp>(op)) {
    Value of = values.getStorage();
    mapping.map(values.getBuffer(), isa<ta::StorageType>(of.getType())
                                        ? storageOf[of]->values
                                        : result->valueBuffer(builders[of]));
  } else if (auto pieces = dyn_cast<lvl::PiecesOp>(op)) {
    mapping.map(pieces.getCount(), result->isCut()
                                       ? result->pieceCount()
                                       : Value(arith::ConstantIndexOp::create(b, op.getLoc(), 1)));
  } else if (auto fill = dyn_cast<lvl::FillOp>(op)) {
    result->fillBeforeLoops(builders[fill.getBuilding()]);
  } else if (auto require = dyn_cast<lvl::RequireOp>(op)) {
    emitRequire(require);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    emitIf(branch);
  } else if (isa<arith::DivSIOp, arith::DivUIOp>(op) && !op.getResult(0).getType().isIndex()) {
    emitDivision(op);
  } else if (op.getNumRegions() > 0) {
    // Where a case is emitted again, so are the arguments of the blocks in it.
    IRMapping own = mapping;
    mapping.map(op.getResults(), b.clone(op, own)->getResults());
  } else if (!isa<lvl::IteratorOp>(op)) {
    b.clone(op, mapping);
  }
}

namespace {

struct LvlToScf : impl::LvlToScfBase<LvlToScf> {
  using LvlToScfBase::LvlToScfBase;
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Walks, getArgument())))
      return signalPassFailure();
    OpBuilder b(&getContext());
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (isKernel(kernel))
        if (failed(KernelLowering(kernel, serial, b).run()))
          return signalPassFailure();
  }
};

} // namespace
} // namespace strata
