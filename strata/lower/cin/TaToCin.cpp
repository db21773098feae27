// Turns kernels of one statement into the naive nest of loops over index variables, and says how it
// is to be rewritten.
#include "strata/dialect/cin/Cin.h"
#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/InheritablePattern.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/analysis/ScheduledOrder.h"
#include "strata/lower/analysis/WholeResult.h"
#include "strata/lower/cin/DefaultSchedule.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_TATOCIN
#include "strata/lower/Passes.h.inc"

namespace {

// An assignment on its way to loops: `target[place] combine= value`, inside the loops over all that
// it needs but for what sums in `value` bind.
struct Assignment {
  Value target;
  AffineMap place; ///< over the statement's variables
  std::optional<ta::Combine> combine;
  Value value;                    ///< in the ta region
  ta::ReduceOp root{};            ///< whose terms the result accumulates
  DenseMap<Value, Value> temps{}; ///< reductions that have become scalars
};

// Loops over the labels of the left side, those of a sum where the sum stands. The sum that is the
// whole right side is accumulated in the result, if it can be; every other in a scalar before it is
// read. Nothing is decided.
class NestBuilder {
public:
  NestBuilder(const IndexStatement &statement, const IRMapping &storages, OpBuilder &b)
      : statement(statement), storages(storages), b(b), loc(statement.op.getLoc()),
        indices(statement.variables.size()), names(loopNames(statement)) {}

  NaiveNest build(Value target) {
    ta::ComputeOp op = statement.op;
    Assignment whole{target, statement.resultPlace(), op.getCombine(), op.getYielded()};
    loops(op.getVariables(), [&] {
      ta::ReduceOp root = statement.rootReduction();
      if (!root)
        return assign(whole);
      Assignment inPlace{target, whole.place, root.getCombine(), root.getYielded(), root};
      loops(root.getVariables(), [&] { assign(inPlace); });
    });
    return std::move(nest);
  }

private:
  void loops(Block::BlockArgListType variables, llvm::function_ref<void()> body) {
    if (variables.empty())
      return body();
    unsigned variable = statement.numberOf(variables.front());
    const IndexVariable &v = statement.variables[variable];
    // A sum that is read inside another, too, is computed in both places.
    std::string name = names[variable];
    while (!taken.insert(name).second)
      name += "'";
    auto forall = cin::ForallOp::create(b, loc, storages.lookup(v.extent), name);
    nest.variables[forall] = variable;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(&forall.getBlock());
    indices[variable] = forall.getVariable();
    loops(variables.drop_front(), body);
  }

  void assign(const Assignment &s);
  void emit(const Assignment &s);
  Value clone(const Assignment &s, Value value, IRMapping &mapping);
  ta::ReduceOp firstReduction(Value value, const DenseMap<Value, Value> &done) const;
  // place restricted to the variables it uses: a map and its operands.
  std::pair<AffineMap, SmallVector<Value>> placed(AffineMap place) const;

  const IndexStatement &statement;
  const IRMapping &storages;
  OpBuilder &b;
  Location loc;
  SmallVector<Value> indices; ///< of the variables bound, the loops' variables
  NaiveNest nest;
  SmallVector<std::string> names; ///< of loops, by variable
  llvm::StringSet<> taken;
};

// The first reduction that `value` needs and that is not inside another.
ta::ReduceOp NestBuilder::firstReduction(Value value, const DenseMap<Value, Value> &done) const {
  Operation *def = value.getDefiningOp();
  if (!def || done.contains(value) || !ta::ComputeOp(statement.op)->isProperAncestor(def))
    return {};
  if (auto reduce = dyn_cast<ta::ReduceOp>(def))
    return reduce;
  for (Value operand : def->getOperands())
    if (ta::ReduceOp reduce = firstReduction(operand, done))
      return reduce;
  return {};
}

void NestBuilder::assign(const Assignment &s) {
  ta::ReduceOp reduce = firstReduction(s.value, s.temps);
  if (!reduce)
    return emit(s);
  auto type = ta::StorageType::get(b.getContext(), RankedTensorType::get({}, reduce.getType()));
  unsigned first = statement.numberOf(reduce.getVariables().front());
  std::string name = "t_" + names[first];
  auto temp = cin::TempOp::create(b, loc, type, reduce.getCombine(), reduce.getMissing(),
                                  ValueRange(), b.getStringAttr(name));
  nest.reductions[temp] = reduce;
  auto where = cin::WhereOp::create(b, loc);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&where.getProducer());
  Assignment term{temp,
                  AffineMap::get(statement.variables.size(), 0, b.getContext()),
                  reduce.getCombine(),
                  reduce.getYielded(),
                  {},
                  s.temps};
  loops(reduce.getVariables(), [&] { assign(term); });
  b.createBlock(&where.getConsumer());
  Assignment consumer = s;
  consumer.temps[reduce.getResult()] = temp;
  assign(consumer);
}

std::pair<AffineMap, SmallVector<Value>> NestBuilder::placed(AffineMap place) const {
  SmallVector<AffineExpr> renumbered(statement.variables.size(),
                                     getAffineConstantExpr(0, b.getContext()));
  SmallVector<Value> operands;
  for (unsigned variable = 0; variable < statement.variables.size(); ++variable)
    if (llvm::any_of(place.getResults(),
                     [&](AffineExpr e) { return e.isFunctionOfDim(variable); })) {
      renumbered[variable] = getAffineDimExpr(operands.size(), b.getContext());
      operands.push_back(indices[variable]);
    }
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : place.getResults())
    results.push_back(expr.replaceDims(renumbered));
  return {AffineMap::get(operands.size(), 0, results, b.getContext()), operands};
}

Value NestBuilder::clone(const Assignment &s, Value value, IRMapping &mapping) {
  if (Value done = mapping.lookupOrNull(value))
    return done;
  Value result;
  Operation *def = value.getDefiningOp();
  if (Value temp = s.temps.lookup(value)) {
    result = cin::AccessOp::create(b, loc, value.getType(), temp, ValueRange(),
                                   AffineMap::get(b.getContext()), /*missing=*/false);
  } else if (auto access = dyn_cast<ta::AccessOp>(def)) {
    auto [map, operands] = placed(statement.placeOf(access.getMap(), access.getIndices()));
    result = cin::AccessOp::create(b, access.getLoc(), value.getType(),
                                   storages.lookup(access.getTensor()), operands, map,
                                   access.getMissing());
  } else {
    for (Value operand : def->getOperands())
      clone(s, operand, mapping);
    result = b.clone(*def, mapping)->getResult(cast<OpResult>(value).getResultNumber());
  }
  mapping.map(value, result);
  return result;
}

void NestBuilder::emit(const Assignment &s) {
  auto [map, operands] = placed(s.place);
  ta::CombineAttr combine;
  if (s.combine)
    combine = ta::CombineAttr::get(b.getContext(), *s.combine);
  auto assign = cin::AssignOp::create(b, loc, s.target, operands, AffineMapAttr::get(map), combine);
  assign.setReduces(s.root != nullptr);
  assign.setMissing(s.root && ta::ReduceOp(s.root).getMissing());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&assign.getBody());
  IRMapping mapping;
  Value value = clone(s, s.value, mapping);
  cin::YieldOp::create(b, loc, value);
}

//===------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------===//

// Operands whose stored entries bound those of the result: the sparse ones.
static SmallVector<Value> boundsOf(const IndexStatement &statement, const IRMapping &storages) {
  SmallVector<Value> like;
  for (const auto &[op, path] : statement.accesses) {
    Value storage = storages.lookup(cast<ta::AccessOp>(op).getTensor());
    if (!path.format.isFull() && !llvm::is_contained(like, storage))
      like.push_back(storage);
  }
  return like;
}

// What an entry holds before the first value is combined with it, unless that is the fill.
static TypedAttr initialEntry(const IndexStatement &statement) {
  ta::ReduceOp root = statement.rootReduction();
  if (!root || statement.beginsAs(root.getCombine()))
    return {};
  return ta::identityOf(root.getCombine(), root.getType());
}

// Tells whether an operand has the pattern that a schedule wants the result to take.
static LogicalResult checkInheritance(const IndexStatement &statement) {
  ta::ComputeOp op = statement.op;
  ta::ScheduleAttr schedule = op.getScheduleAttr();
  std::optional<unsigned> command = commandToInherit(schedule);
  std::string why = "the loops over values are none of those that 'assume' and 'bound' are about";
  if (!command || (!assumesExtents(schedule) && inheritablePattern(statement, why)))
    return success();
  return emitError(ta::placeOfCommand(op, *command))
         << "'" << ta::commandText(schedule.getCommands()[*command])
         << "' is not possible: " << why;
}

// (tensors and extents) -> tensor becomes (result storage, storages and extents).
LogicalResult convertKernel(func::FuncOp kernel, int64_t firstCache) {
  auto ret = dyn_cast<func::ReturnOp>(kernel.getBody().back().getTerminator());
  auto compute = ret && ret.getNumOperands() == 1 ? ret.getOperand(0).getDefiningOp<ta::ComputeOp>()
                                                  : ta::ComputeOp();
  if (!compute)
    return kernel.emitOpError("is no kernel: it must return one ta.compute");
  if (compute.getMask())
    return compute.emitOpError("has a mask, which --ta-lower-masks turns into operations first");
  if (compute.getInit() &&
      !ta::formatOf(cast<RankedTensorType>(compute.getResult().getType())).isFull())
    return compute.emitOpError("cannot update a storage without a place for every coordinate");
  IndexStatement statement(compute);
  std::string why;
  std::optional<LoopPlan> plan =
      planOf(statement, llvm::SmallPtrSet<Operation *, 1>(), why, preferredAssembly(kernel));
  if (!plan)
    return compute.emitOpError("has no order of loops: ") << why;
  if (failed(checkInheritance(statement)))
    return failure();

  OpBuilder b(kernel.getContext());
  Location loc = kernel.getLoc();
  auto storage = [&](Type type) -> Type {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? ta::StorageType::get(b.getContext(), tensor) : type;
  };
  SmallVector<Type> types{storage(compute.getResult().getType())};
  auto name = dyn_cast<NameLoc>(ret.getLoc());
  SmallVector<Location> locs{NameLoc::get(name ? name.getName() : b.getStringAttr("out"))};
  for (BlockArgument argument : kernel.getArguments()) {
    types.push_back(storage(argument.getType()));
    locs.push_back(argument.getLoc());
  }
  Block *old = &kernel.getBody().front();
  Block *fresh = b.createBlock(&kernel.getBody(), kernel.getBody().end(), types, locs);
  IRMapping storages;
  for (auto [from, to] : llvm::zip(old->getArguments(), fresh->getArguments().drop_front()))
    storages.map(from, to);
  for (Operation &op : *old)
    if (!isa<ta::ComputeOp, func::ReturnOp>(op))
      b.clone(op, storages);
  Value result = fresh->getArgument(0);
  if (!compute.getInit())
    cin::BuildOp::create(b, loc, result, boundsOf(statement, storages), /*counted=*/false,
                         ta::WorkspaceAttr(), initialEntry(statement),
                         !reachesWholeResult(compute));
  NaiveNest nest = NestBuilder(statement, storages, b).build(result);
  setSchedule(kernel, kernelSchedule(kernel, statement, *plan, nest, firstCache));
  if (!compute.getScheduleAttr())
    prefer(kernel, Policy::Threads);
  setForbidden(kernel, forbiddenFor(compute).ofDenseTensors());
  if (assumes(compute, Assumptions::Deterministic))
    assume(kernel, Assumptions::Deterministic);
  func::ReturnOp::create(b, loc);
  ret.erase();
  compute.erase();
  while (!old->empty())
    old->back().erase();
  old->dropAllUses();
  old->erase();
  SmallVector<DictionaryAttr> attributes{b.getDictionaryAttr({})};
  kernel.getAllArgAttrs(attributes);
  kernel.setFunctionType(b.getFunctionType(types, {}));
  kernel.setAllArgAttrs(attributes);
  return success();
}

struct TaToCin : impl::TaToCinBase<TaToCin> {
  using TaToCinBase::TaToCinBase;

  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Statement, getArgument())))
      return signalPassFailure();
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (isKernel(kernel) &&
          (failed(verifyKernelAttributes(kernel)) || failed(convertKernel(kernel, firstCache))))
        return signalPassFailure();
  }
};

} // namespace
} // namespace strata
