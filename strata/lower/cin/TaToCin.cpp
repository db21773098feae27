// Turns kernels of one statement into loops over index variables, reductions into where-statements.
#include "strata/dialect/cin/Cin.h"
#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/MergedLists.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_TATOCIN
#include "strata/lower/Passes.h.inc"

namespace {

// An assignment on its way to loops: `target[place] combine= value`.
struct Assignment {
  Value target;
  AffineMap place; ///< over the statement's variables
  std::optional<ta::Combine> combine;
  Value value;                    ///< in the ta region
  llvm::SmallBitVector summed{};  ///< variables to loop over even if the value does not use them
  DenseMap<Value, Value> temps{}; ///< reductions that have become scalars
};

class StatementBuilder {
public:
  StatementBuilder(const IndexStatement &statement, const LoopPlan &plan, const IRMapping &storages,
                   OpBuilder &b)
      : statement(statement), order(plan.order), joined(plan.joined), blocks(plan.blocks),
        gathers(plan.assembly == Assembly::Gathered), storages(storages), b(b),
        loc(statement.op.getLoc()), bound(statement.variables.size()),
        indices(statement.variables.size()) {}

  void build(Value target) {
    ta::ComputeOp op = statement.op;
    llvm::SmallBitVector left(statement.variables.size());
    for (Value variable : op.getVariables())
      left.set(statement.numberOf(variable));
    generate({target, statement.resultPlace(), op.getCombine(), op.getYielded(), left});
  }

private:
  void generate(Assignment s);
  void generateRoot(Assignment s, ta::ReduceOp root);
  bool hoistScalarSums(Assignment &s);
  void loop(unsigned variable, bool fused, llvm::function_ref<void()> body);
  void joinedLoops(ArrayRef<unsigned> group, llvm::function_ref<void()> body);
  bool hoistRows(Assignment &s, ta::ReduceOp root);
  void where(ta::ReduceOp reduce, const llvm::SmallBitVector &open,
             const DenseMap<Value, Value> &temps, llvm::function_ref<void(Value temp)> consumer);
  void emit(const Assignment &s);
  Value clone(const Assignment &s, Value value, IRMapping &mapping);

  llvm::SmallBitVector freeVariables(const Assignment &s) const;
  llvm::SmallBitVector variablesOf(ta::ReduceOp reduce) const;
  std::optional<unsigned> next(const llvm::SmallBitVector &wanted) const;
  bool canFuse(const Assignment &s, unsigned variable) const;
  SmallVector<unsigned> tuplesOf(const Assignment &s) const;
  bool isIdleWithout(const Assignment &s, ArrayRef<Operation *> absent) const;
  // place restricted to the variables it uses: a map and its operands.
  std::pair<AffineMap, SmallVector<Value>> placed(AffineMap place) const;

  const IndexStatement &statement;
  ArrayRef<unsigned> order;
  unsigned joined; ///< the first so many are bound together, by one operand
  std::optional<VariableBlocks> blocks;
  bool gathers; ///< entries of the result, below one parent
  const IRMapping &storages;
  OpBuilder &b;
  Location loc;
  llvm::SmallBitVector bound;
  SmallVector<Value> indices;      ///< of the variables bound, the loops' variables
  DenseMap<Value, AffineMap> rows; ///< temporaries that are no scalars: their places
};

llvm::SmallBitVector StatementBuilder::freeVariables(const Assignment &s) const {
  llvm::SmallBitVector free = statement.freeVariables(s.value);
  free |= s.summed;
  for (unsigned variable = 0; variable < free.size(); ++variable)
    for (AffineExpr expr : s.place.getResults())
      if (expr.isFunctionOfDim(variable))
        free.set(variable);
  return free;
}

llvm::SmallBitVector StatementBuilder::variablesOf(ta::ReduceOp reduce) const {
  llvm::SmallBitVector variables(statement.variables.size());
  for (Value variable : reduce.getVariables())
    variables.set(statement.numberOf(variable));
  return variables;
}

std::optional<unsigned> StatementBuilder::next(const llvm::SmallBitVector &wanted) const {
  for (unsigned variable : order)
    if (wanted.test(variable) && !bound.test(variable))
      return variable;
  return std::nullopt;
}

// The reductions that `value` needs and that are not inside another.
static void outerReductions(const IndexStatement &statement, Value value,
                            const DenseMap<Value, Value> &done,
                            SmallVectorImpl<ta::ReduceOp> &found) {
  Operation *def = value.getDefiningOp();
  if (!def || done.contains(value) || !statement.op->isProperAncestor(def))
    return;
  if (auto reduce = dyn_cast<ta::ReduceOp>(def)) {
    if (!llvm::is_contained(found, reduce))
      found.push_back(reduce);
    return;
  }
  for (Value operand : def->getOperands())
    outerReductions(statement, operand, done, found);
}

// The body may run once per stored entry instead of once per value if one operand alone drives the
// loop, each of its entries is another coordinate, the result takes values in any order, and no sum
// below needs several entries at once.
bool StatementBuilder::canFuse(const Assignment &s, unsigned variable) const {
  if (s.target.getDefiningOp<cin::TempOp>() ||
      (statement.appendsResult() && !statement.listsResult()) || statement.numbering())
    return false;
  SmallVector<ta::ReduceOp> sums;
  outerReductions(statement, s.value, s.temps, sums);
  if (!sums.empty())
    return false;
  unsigned drivers = 0;
  bool repeats = false, leafUnique = true;
  for (const auto &[op, path] : statement.accesses) {
    if (!path.involves(variable))
      continue;
    unsigned level = 0;
    std::string why;
    llvm::SmallBitVector before(bound.size());
    for (unsigned earlier : order) {
      if (earlier == variable)
        break;
      if (path.involves(earlier) && !bindVariable(path, level, before, earlier, why))
        return false;
      before.set(earlier);
    }
    std::optional<PathPiece> piece = bindVariable(path, level, before, variable, why);
    if (!piece || piece->empty() || piece->full)
      continue;
    ++drivers;
    repeats |= !piece->unique;
    leafUnique = ta::levelProperties(path.format, path.coordinates.size() - 1).unique;
  }
  return drivers == 1 && repeats && leafUnique;
}

// The accesses that `value` reads, but for those inside sums that have been computed.
static void readAccesses(const IndexStatement &statement, Value value,
                         const DenseMap<Value, Value> &done, SmallVectorImpl<Operation *> &found) {
  Operation *def = value.getDefiningOp();
  if (!def || done.contains(value) || !statement.op->isProperAncestor(def))
    return;
  if (isa<ta::AccessOp>(def)) {
    if (!llvm::is_contained(found, def))
      found.push_back(def);
    return;
  }
  if (auto reduce = dyn_cast<ta::ReduceOp>(def))
    readAccesses(statement, reduce.getYielded(), done, found);
  for (Value operand : def->getOperands())
    readAccesses(statement, operand, done, found);
}

bool StatementBuilder::isIdleWithout(const Assignment &s, ArrayRef<Operation *> absent) const {
  TypedAttr value = IndexStatement::knownWithout(s.value, absent).value;
  if (!value)
    return false;
  if (isa<ta::MissingAttr>(Attribute(value)))
    return true;
  if (s.combine)
    return Attribute(value) == Attribute(ta::identityOf(*s.combine, value.getType()));
  ta::ComputeOp op = statement.op;
  return !s.target.getDefiningOp<cin::TempOp>() && !op.getInit() &&
         Attribute(value) ==
             Attribute(ta::fillOf(cast<RankedTensorType>(op.getResult().getType())));
}

// Would the result be told a coordinate again for each of `tuple` that has it? Parents wait for
// their first entry, but not those whose children have places for everything.
static bool repeatsParents(const IndexStatement &statement, ArrayRef<unsigned> tuple) {
  const AccessPath &result = statement.result;
  auto traits = [&](unsigned level) -> const LevelTraits & {
    return *findLevelTraits(result.format.getLevels()[level].getName());
  };
  for (unsigned level = 0; level + 1 < result.coordinates.size(); ++level)
    if (traits(level).appends && !traits(level + 1).appends &&
        !result.depends(level, tuple.back()) &&
        llvm::any_of(tuple, [&](unsigned variable) { return result.depends(level, variable); }))
      return true;
  return false;
}

// The variables of the next loops, where these can be one loop over tuples: all that is merged in
// them are lists of these tuples, nothing is to be done where no list has an entry, no sum belongs
// between the loops, and entries of the result are not gathered from several tuples.
SmallVector<unsigned> StatementBuilder::tuplesOf(const Assignment &s) const {
  bool isTemp = s.target.getDefiningOp<cin::TempOp>() != nullptr;
  if (assumes(statement.op->getParentOp(), Assumptions::Windowed) || (gathers && !isTemp))
    return {};
  llvm::SmallBitVector wanted = freeVariables(s);
  SmallVector<unsigned> outer, open;
  for (unsigned variable : order)
    if (bound.test(variable))
      outer.push_back(variable);
    else if (wanted.test(variable))
      open.push_back(variable);
  SmallVector<Operation *> accesses;
  readAccesses(statement, s.value, s.temps, accesses);
  std::optional<MergedLists> merged = findMergedLists(statement, accesses, outer, open);
  if (!merged || !isIdleWithout(s, merged->lists))
    return {};
  if (merged->asks &&
      llvm::none_of(merged->lists, [&](Operation *list) { return isIdleWithout(s, list); }))
    return {};
  open.resize(merged->variables);
  if (!isTemp && repeatsParents(statement, open))
    return {};
  SmallVector<ta::ReduceOp> sums;
  outerReductions(statement, s.value, s.temps, sums);
  for (ta::ReduceOp sum : sums) {
    llvm::SmallBitVector needed = statement.freeVariables(sum.getResult());
    bool some = llvm::any_of(open, [&](unsigned variable) { return needed.test(variable); });
    if ((some && !needed.test(open.back())) || statement.gatheredVariables(sum).any())
      return {};
  }
  return open;
}

void StatementBuilder::loop(unsigned variable, bool fused, llvm::function_ref<void()> body) {
  const IndexVariable &v = statement.variables[variable];
  auto forall = cin::ForallOp::create(b, loc, storages.lookup(v.extent), v.name);
  forall.setFused(fused);
  if (blocks && blocks->variable == variable)
    forall.setBlocks(blocks->size);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&forall.getBlock());
  bound.set(variable);
  indices[variable] = forall.getVariable();
  body();
  bound.reset(variable);
}

// The loops over variables that are bound together.
void StatementBuilder::joinedLoops(ArrayRef<unsigned> group, llvm::function_ref<void()> body) {
  if (group.empty())
    return body();
  loop(group.front(), /*fused=*/true, [&] {
    if (group.size() > 1)
      cast<cin::ForallOp>(b.getInsertionBlock()->getParentOp()).setJoined(true);
    joinedLoops(group.drop_front(), body);
  });
}

// Computes a reduction, for all values of the variables that are `open`, before its consumer.
void StatementBuilder::where(ta::ReduceOp reduce, const llvm::SmallBitVector &open,
                             const DenseMap<Value, Value> &temps,
                             llvm::function_ref<void(Value)> consumer) {
  Type element = reduce.getResult().getType();
  SmallVector<int64_t> shape(open.count(), ShapedType::kDynamic);
  SmallVector<Value> extents;
  SmallVector<AffineExpr> exprs;
  for (int variable : open.set_bits()) {
    extents.push_back(storages.lookup(statement.variables[variable].extent));
    exprs.push_back(b.getAffineDimExpr(variable));
  }
  AffineMap place = AffineMap::get(statement.variables.size(), 0, exprs, b.getContext());
  auto type = ta::StorageType::get(b.getContext(), RankedTensorType::get(shape, element));
  Value temp = cin::TempOp::create(b, loc, type, reduce.getCombine(), reduce.getMissing(), extents);
  rows[temp] = place;
  auto op = cin::WhereOp::create(b, loc);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&op.getProducer());
  generate({temp, place, reduce.getCombine(), reduce.getYielded(), variablesOf(reduce), temps});
  b.createBlock(&op.getConsumer());
  consumer(temp);
}

// Turns the first sum whose surroundings are fixed into a scalar before the assignment.
bool StatementBuilder::hoistScalarSums(Assignment &s) {
  SmallVector<ta::ReduceOp> reductions;
  outerReductions(statement, s.value, s.temps, reductions);
  for (ta::ReduceOp reduce : reductions) {
    llvm::SmallBitVector needed = statement.freeVariables(reduce.getResult());
    needed.reset(bound);
    llvm::SmallBitVector open = statement.gatheredVariables(reduce);
    open &= needed;
    if (open != needed)
      continue;
    where(reduce, open, s.temps, [&](Value temp) {
      s.temps[reduce.getResult()] = temp;
      generate(std::move(s));
    });
    return true;
  }
  return false;
}

// Turns the first sum below `root` that asks for a workspace into one, before any loop over what
// need not surround it.
bool StatementBuilder::hoistRows(Assignment &s, ta::ReduceOp root) {
  SmallVector<ta::ReduceOp> reductions;
  outerReductions(statement, root.getYielded(), s.temps, reductions);
  for (ta::ReduceOp reduce : reductions) {
    llvm::SmallBitVector needed = statement.freeVariables(reduce.getResult());
    needed.reset(bound);
    llvm::SmallBitVector open = statement.gatheredVariables(reduce);
    open &= needed;
    if (open != needed || open.none())
      continue;
    where(reduce, open, s.temps, [&](Value temp) {
      s.temps[reduce.getResult()] = temp;
      generateRoot(std::move(s), root);
    });
    return true;
  }
  return false;
}

void StatementBuilder::generateRoot(Assignment s, ta::ReduceOp root) {
  if (hoistRows(s, root))
    return;
  llvm::SmallBitVector free = freeVariables(s);
  llvm::SmallBitVector wanted = free, summed = variablesOf(root);
  wanted |= summed;
  summed |= s.summed;
  Assignment inPlace{s.target, s.place, root.getCombine(), root.getYielded(), summed, s.temps};
  if (joined && bound.none() && free.any())
    return generate(std::move(inPlace));
  std::optional<unsigned> variable = next(wanted);
  bool fused = variable && canFuse(inPlace, *variable);
  bool isTemp = s.target.getDefiningOp<cin::TempOp>() != nullptr;
  if (SmallVector<unsigned> tuples = tuplesOf(inPlace); !tuples.empty()) {
    if (llvm::none_of(tuples, [&](unsigned v) { return variablesOf(root).test(v); }))
      return joinedLoops(tuples, [&] { generateRoot(s, root); });
    llvm::SmallBitVector places = free;
    fused |= isTemp || (places.reset(bound).any() && !statement.appendsResult());
  }
  bool accumulates = isTemp || !statement.listsOnlyWhole(root);
  if (accumulates && variable && (fused || !free.test(*variable))) {
    llvm::SmallBitVector open = free;
    open.reset(bound);
    if (fused || open.any())
      return generate(std::move(inPlace));
  }
  if (!variable || !free.test(*variable)) {
    where(root, llvm::SmallBitVector(bound.size()), s.temps, [&](Value temp) {
      s.temps[root.getResult()] = temp;
      emit(s);
    });
    return;
  }
  loop(*variable, false, [&] { generateRoot(s, root); });
}

void StatementBuilder::generate(Assignment s) {
  if (auto root = s.value.getDefiningOp<ta::ReduceOp>(); root && !s.temps.contains(s.value)) {
    bool temp = s.target.getDefiningOp<cin::TempOp>() != nullptr;
    bool inPlace = temp ? s.combine == root.getCombine() : statement.rootReduction() == root;
    if (inPlace)
      return generateRoot(std::move(s), root);
  }
  if (hoistScalarSums(s))
    return;
  std::optional<unsigned> variable = next(freeVariables(s));
  if (!variable)
    return emit(s);
  if (joined && bound.none())
    return joinedLoops(order.take_front(joined), [&] { generate(s); });
  if (SmallVector<unsigned> tuples = tuplesOf(s); !tuples.empty())
    return joinedLoops(tuples, [&] { generate(s); });
  loop(*variable, canFuse(s, *variable), [&] { generate(s); });
}

std::pair<AffineMap, SmallVector<Value>> StatementBuilder::placed(AffineMap place) const {
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

Value StatementBuilder::clone(const Assignment &s, Value value, IRMapping &mapping) {
  if (Value done = mapping.lookupOrNull(value))
    return done;
  Value result;
  Operation *def = value.getDefiningOp();
  if (Value temp = s.temps.lookup(value)) {
    auto [map, operands] = placed(rows.lookup(temp));
    result = cin::AccessOp::create(b, loc, value.getType(), temp, operands, map, /*missing=*/false);
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

void StatementBuilder::emit(const Assignment &s) {
  auto [map, operands] = placed(s.place);
  ta::CombineAttr combine;
  if (s.combine)
    combine = ta::CombineAttr::get(b.getContext(), *s.combine);
  auto assign = cin::AssignOp::create(b, loc, s.target, operands, AffineMapAttr::get(map), combine);
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

// (tensors and extents) -> tensor becomes (result storage, storages and extents).
LogicalResult convertKernel(func::FuncOp kernel) {
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
  std::optional<LoopPlan> plan = chooseLoopOrder(statement, llvm::SmallPtrSet<Operation *, 1>(),
                                                 why, preferredAssembly(kernel));
  if (!plan)
    return compute.emitOpError("has no order of loops: ") << why;

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
  ta::WorkspaceAttr gathered;
  if (plan->assembly == Assembly::Gathered)
    gathered = ta::WorkspaceAttr::get(b.getContext(), prefers(kernel, Policy::Table)
                                                          ? ta::Workspace::Table
                                                          : ta::Workspace::Array);
  if (!compute.getInit())
    cin::BuildOp::create(b, loc, result, boundsOf(statement, storages),
                         plan->assembly == Assembly::Counted, gathered, initialEntry(statement));
  StatementBuilder(statement, *plan, storages, b).build(result);
  func::ReturnOp::create(b, loc);
  ret.erase();
  compute.erase();
  while (!old->empty())
    old->back().erase();
  old->dropAllUses();
  old->erase();
  kernel.setFunctionType(b.getFunctionType(types, {}));
  return success();
}

struct TaToCin : impl::TaToCinBase<TaToCin> {
  void runOnOperation() override {
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (isKernel(kernel) &&
          (failed(verifyKernelAttributes(kernel)) || failed(convertKernel(kernel))))
        return signalPassFailure();
  }
};

} // namespace
} // namespace strata
