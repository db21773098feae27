// Computes a tensor that one statement makes and another reads where it is read, instead of storing
// it, where that costs no more work.
#include "strata/lower/ta/FuseStatements.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/ContractionShape.h"
#include "strata/lower/analysis/ExpectedSizes.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/analysis/ProductOrder.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/ta/ProgramNotes.h"
#include "strata/lower/ta/Reindex.h"
#include "strata/lower/ta/TensorProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_FUSESTATEMENTS
#include "strata/lower/Passes.h.inc"

namespace {

using Variables = llvm::SmallBitVector;

SmallVector<ta::AccessOp> accessesOf(ta::ComputeOp op) {
  SmallVector<ta::AccessOp> accesses;
  op.getBody().walk([&](ta::AccessOp access) { accesses.push_back(access); });
  return accesses;
}

// Do operations of the statement tell what is there from what is not?
bool tellsPresence(ta::ComputeOp op) {
  WalkResult walk = op.getBody().walk([](Operation *inner) {
    auto access = dyn_cast<ta::AccessOp>(inner);
    auto reduce = dyn_cast<ta::ReduceOp>(inner);
    bool tells = ta::asksPresence(inner) || (access && access.getMissing()) ||
                 (reduce && reduce.getMissing());
    return tells ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

// The sizes of a statement's result, as attributes or values.
SmallVector<OpFoldResult> sizesOf(ta::ComputeOp op) {
  SmallVector<OpFoldResult> sizes;
  Builder b(op.getContext());
  unsigned next = 0;
  for (int64_t size : cast<RankedTensorType>(op.getResult().getType()).getShape())
    sizes.push_back(ShapedType::isDynamic(size) ? OpFoldResult(op.getSizes()[next++])
                                                : OpFoldResult(b.getIndexAttr(size)));
  return sizes;
}

// Does the statement give its result all its values, one for each value of its variables?
bool makesAll(ta::ComputeOp op) {
  if (op.getInit() || op.getMask() || !op.getOutMap().isPermutation())
    return false;
  SmallVector<OpFoldResult> sizes = sizesOf(op);
  for (auto [dim, expr] : llvm::enumerate(op.getOutMap().getResults())) {
    Value extent = op.getExtents()[cast<AffineDimExpr>(expr).getPosition()];
    std::optional<int64_t> known = getConstantIntValue(sizes[dim]);
    if (known ? getConstantIntValue(extent) != known : cast<Value>(sizes[dim]) != extent)
      return false;
  }
  return true;
}

// A copy to another format is a conversion that the user asks for.
bool isRequestedConversion(ta::ComputeOp op) {
  if (op.getDropsFills())
    return true;
  auto access = op.getYielded().getDefiningOp<ta::AccessOp>();
  return access && access.getTensor().getType() != op.getResult().getType();
}

// One producer and the consumer that it may become a part of.
class Fusion {
public:
  Fusion(ta::ComputeOp producer, ta::ComputeOp consumer)
      : producer(producer), consumer(consumer), made(producer), reads(consumer) {}

  /// Replaces the consumer by the two together and gives it, or null if that is not possible or
  /// does not pay.
  ta::ComputeOp run();
  /// The same whether it pays or not; null, and the reason, if it is not possible.
  ta::ComputeOp runAsAsked(std::string &why);

private:
  struct Plan {
    std::string reason;
    bool workspace = false; ///< rows of the producer are computed before they are read
  };

  std::string whyNot();
  bool findRead();
  bool canMove() const;
  std::optional<Plan> choose() const;
  bool isSampled() const;
  bool sumsLast() const;
  bool isCheap() const;
  bool readsRows() const;
  bool keepsOrder(ta::ComputeOp fused, const Plan &plan) const;
  bool keepsBlocks(ta::ComputeOp fused) const;
  ta::ComputeOp fuse(const Plan &plan) const;
  ta::ComputeOp replaceBy(ta::ComputeOp fused, StringRef reason) const;
  void inlineAt(ta::AccessOp access, const Plan &plan) const;
  unsigned sparseOperands() const { return llvm::count_if(accessesOf(producer), isSparse); }
  bool sums() const { return !producer.getBody().getOps<ta::ReduceOp>().empty(); }

  Variables variablesOf(ta::AccessOp access) const {
    Variables used(reads.variables.size());
    for (Value index : access.getIndices())
      used.set(reads.numberOf(index));
    return used;
  }

  mutable ta::ComputeOp producer, consumer;
  IndexStatement made, reads;
  mutable ta::AccessOp read; ///< in the consumer, of the producer's result
  Variables used, scope;     ///< its variables, and all that have a value where it stands
};

// The place at which the consumer reads the producer's result, if it is one place.
bool Fusion::findRead() {
  SmallVector<ta::AccessOp> all;
  for (ta::AccessOp access : accessesOf(consumer))
    if (access.getTensor() == producer.getResult())
      all.push_back(access);
  if (all.empty() || all.front().getMissing() || !all.front().getMap().isPermutation())
    return false;
  read = all.front();
  llvm::SmallDenseSet<Value> distinct(read.getIndices().begin(), read.getIndices().end());
  bool onePlace =
      distinct.size() == read.getIndices().size() && llvm::all_of(all, [&](ta::AccessOp other) {
        return other->getBlock() == read->getBlock() && !other.getMissing() &&
               other.getMap() == read.getMap() && other.getIndices() == read.getIndices();
      });
  if (!onePlace)
    return false;
  used = variablesOf(read);
  scope = reads.variablesAround(read);
  return true;
}

// Is the producer's result read by the consumer alone, with nothing in between that depends on its
// having been computed: a clock, or an update in place of what it reads?
bool Fusion::canMove() const {
  for (Operation *user : producer->getUsers())
    if (user != consumer && !isa<ta::DimOp, ta::CheckpointOp>(user) &&
        !consumer->isProperAncestor(user))
      return false;
  // What is made of several storages is a conversion, and nothing else.
  if (producer->getBlock() != consumer->getBlock() || consumer.getInit() == producer.getResult() ||
      convertsSum(consumer))
    return false;
  for (Operation *op = producer->getNextNode(); op != consumer; op = op->getNextNode()) {
    WalkResult walk = op->walk([&](Operation *inner) {
      auto compute = dyn_cast<ta::ComputeOp>(inner);
      bool updates = compute && compute.getInit() &&
                     llvm::is_contained(producer.getInputs(), compute.getInit());
      return updates || isa<ta::TimeOp>(inner) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return false;
  }
  return !consumer.getInit() || !llvm::is_contained(producer.getInputs(), consumer.getInit());
}

// Is the producer's result wanted only where a sparse operand of the consumer stores something?
bool Fusion::isSampled() const {
  return llvm::any_of(reads.accesses, [&](const auto &entry) {
    auto access = cast<ta::AccessOp>(entry.first);
    Variables open = used;
    open.reset(variablesOf(access));
    return access.getTensor() != producer.getResult() && isSparse(access) && open.none() &&
           reads.isEssential(entry.first);
  });
}

// Does the producer compute its values one by one anyway, each sum on its own?
bool Fusion::sumsLast() const {
  std::optional<LoopPlan> plan = planOf(made);
  if (!plan || plan->joined || !plan->sweeps.empty() || plan->assembly != Assembly::InOrder)
    return false;
  bool summing = false;
  for (unsigned variable : plan->order) {
    bool reduces = bool(made.variables[variable].reduction);
    if (summing && !reduces)
      return false;
    summing |= reduces;
  }
  return true;
}

// Costs computing a value no more than loading it?
bool Fusion::isCheap() const {
  unsigned operations = 0;
  for (Operation &op : producer.getBlock().without_terminator()) {
    if (isa<ta::AccessOp>(op) || op.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (!isa<arith::MulFOp, arith::MulIOp, complex::MulOp, arith::NegFOp, complex::NegOp>(op))
      return false;
    ++operations;
  }
  return operations <= 1 && sparseOperands() <= 1 && !used.none();
}

// Are the producer's values wanted row by row, each row for one or more variables of the left side,
// by the sum that makes the consumer's values? Rows of what is stored dense are as long as what the
// consumer goes through anyway.
bool Fusion::readsRows() const {
  ta::ReduceOp root = reads.rootReduction();
  auto sum = producer.getYielded().getDefiningOp<ta::ReduceOp>();
  if (!root || !sum || sum.getMissing() || !root->isProperAncestor(read) ||
      read->getParentOp() != root || !made.result.format.isFull() || !reads.result.format.isFull())
    return false;
  bool outer = false, inner = false;
  for (int variable : used.set_bits())
    (reads.variables[variable].reduction ? inner : outer) = true;
  return outer && inner;
}

std::optional<Fusion::Plan> Fusion::choose() const {
  if (!sums()) {
    if (used == scope)
      return Plan{"each of its values is used once"};
    if (isCheap())
      return Plan{"its values cost no more than reading them"};
    return std::nullopt;
  }
  if (used == scope && isSampled() && sparseOperands() <= 1)
    return Plan{"its values are wanted only where a sparse operand stores something"};
  if (used == scope && sumsLast())
    return Plan{"each of its values is used once"};
  // Of dense operands alone the products run in blocks, which rows have none of.
  if (used != scope && sparseOperands() > 0 && readsRows() &&
      !isForbidden(consumer, Resolution::Workspace))
    return Plan{"each of its rows is used once, and kept in a workspace until then",
                /*workspace=*/true};
  return std::nullopt;
}

// Puts the producer's expression in the place of an access to its result.
void Fusion::inlineAt(ta::AccessOp access, const Plan &plan) const {
  OpBuilder b(access);
  IRMapping mapping;
  AffineMap out = producer.getOutMap();
  for (unsigned dim = 0; dim < out.getNumResults(); ++dim) {
    unsigned variable = cast<AffineDimExpr>(out.getResult(dim)).getPosition();
    unsigned index = cast<AffineDimExpr>(access.getMap().getResult(dim)).getPosition();
    mapping.map(producer.getVariables()[variable], access.getIndices()[index]);
  }
  for (Operation &op : producer.getBlock().without_terminator())
    b.clone(op, mapping);
  Value value = mapping.lookupOrDefault(producer.getYielded());
  if (plan.workspace)
    value.getDefiningOp<ta::ReduceOp>().setWorkspace(true);
  access.getResult().replaceAllUsesWith(value);
  access.erase();
}

// Variables that reductions bind get names of their own.
void renameReductions(ta::ComputeOp op) {
  llvm::StringSet<> taken;
  if (auto names = op.getNames())
    for (Attribute name : *names)
      taken.insert(cast<StringAttr>(name).getValue());
  op.getBody().walk<WalkOrder::PreOrder>([&](ta::ReduceOp reduce) {
    auto names = reduce.getNames();
    if (!names)
      return;
    SmallVector<Attribute> fresh;
    for (Attribute attribute : *names) {
      std::string base = cast<StringAttr>(attribute).getValue().str(), name = base;
      for (unsigned number = 2; !taken.insert(name).second; ++number)
        name = base + std::to_string(number);
      fresh.push_back(StringAttr::get(op.getContext(), name));
    }
    reduce.setNamesAttr(ArrayAttr::get(op.getContext(), fresh));
  });
}

// The consumer with the producer inside, after the consumer.
ta::ComputeOp Fusion::fuse(const Plan &plan) const {
  OpBuilder b(consumer);
  b.setInsertionPointAfter(consumer);
  auto fused = cast<ta::ComputeOp>(b.clone(*consumer));
  for (Value input : producer.getInputs())
    if (!llvm::is_contained(fused.getInputs(), input))
      fused.getInputsMutable().append(input);
  SmallVector<ta::AccessOp> places;
  for (ta::AccessOp access : accessesOf(fused))
    if (access.getTensor() == producer.getResult())
      places.push_back(access);
  for (ta::AccessOp other : llvm::drop_begin(places)) {
    other.getResult().replaceAllUsesWith(places.front().getResult());
    other.erase();
  }
  inlineAt(places.front(), plan);
  renameReductions(fused);
  dropUnusedInputs(fused);
  return fused;
}

// Can the two together be computed without more conversions, workspaces and passes than apart? Rows
// are made once each if the loops around them come first.
bool Fusion::keepsOrder(ta::ComputeOp fused, const Plan &plan) const {
  IndexStatement both(fused);
  std::optional<LoopPlan> apart = planOf(reads);
  std::optional<LoopPlan> first = planOf(made);
  std::optional<LoopPlan> together = planOf(both);
  if (!apart || !first || !together || together->sweeps.size() > apart->sweeps.size() ||
      together->rewalks.size() > apart->rewalks.size() + first->rewalks.size() ||
      together->assembly != apart->assembly ||
      together->joined != std::max(apart->joined, first->joined))
    return false;
  if (!plan.workspace)
    return true;
  unsigned rows = 0;
  for (int variable : used.set_bits())
    rows += !reads.variables[variable].reduction;
  // The left side's variables keep their numbers.
  return llvm::all_of(ArrayRef(together->order).take_front(rows), [&](unsigned variable) {
    return variable < used.size() && used.test(variable) && !both.variables[variable].reduction;
  });
}

// Tells whether fusion costs the producer no blocks: it runs in none, which its sum would lose
// inside another statement, or the products of the two together can be ordered such that fewer are
// left than it has alone.
bool Fusion::keepsBlocks(ta::ComputeOp fused) const {
  auto extentOf = [](Value extent) { return expectedExtent(extent).value_or(unknownExtent); };
  SmallVector<ContractionShape> shapes = contractionShapes(producer, extentOf);
  if (shapes.empty() || isSampled())
    return true;
  IndexStatement both(fused);
  for (Value whole : productsAroundSums(fused))
    if (std::optional<TensorProduct> product = TensorProduct::match(both, whole);
        product && product->isFull())
      if (std::optional<ProductOrder> least = orderOfLeastOperations(product->labeled(both)))
        return 2 * least->operations < shapes.front().operations();
  return false;
}

// Returns why the two cannot be one statement; nothing if they can.
std::string Fusion::whyNot() {
  if (producer.getScheduleAttr())
    return "the statement that makes it has a schedule of its own";
  if (!makesAll(producer))
    return "the statement that makes it does not give it all its values";
  if (producer.getDropsFills())
    return "the statement that makes it leaves out what is worth the fill";
  if (tellsPresence(producer))
    return "the statement that makes it tells what is stored from what is not";
  if (!findRead())
    return "it is not read at one place by different labels";
  if (!canMove())
    return "others read it, it is made in another block of the program, or what it is made of "
           "changes before it is read";
  return "";
}

// The consumer's place is taken by the two together.
ta::ComputeOp Fusion::replaceBy(ta::ComputeOp fused, StringRef reason) const {
  SmallVector<Attribute> reasons;
  for (ta::ComputeOp op : {producer, consumer})
    if (ArrayAttr before = op.getFusedAttr())
      llvm::append_range(reasons, before);
  Builder b(consumer.getContext());
  reasons.push_back(
      b.getStringAttr("'" + ProgramNotes::nameOf(producer.getResult()) + "': " + reason));
  fused.setFusedAttr(b.getArrayAttr(reasons));
  consumer.getResult().replaceAllUsesWith(fused.getResult());
  consumer.erase();
  return fused;
}

ta::ComputeOp Fusion::run() {
  if (isForbidden(consumer, Resolution::Fusion) || isRequestedConversion(producer) ||
      !whyNot().empty())
    return {};
  std::optional<Plan> plan = choose();
  if (!plan)
    return {};
  ta::ComputeOp fused = fuse(*plan);
  if (!keepsOrder(fused, *plan) || !keepsBlocks(fused)) {
    fused.erase();
    return {};
  }
  return replaceBy(fused, plan->reason);
}

ta::ComputeOp Fusion::runAsAsked(std::string &why) {
  why = whyNot();
  if (!why.empty())
    return {};
  const bool workspace = sums() && used != scope && readsRows();
  return replaceBy(fuse({"", workspace}), "its schedule says so");
}

// What asks for the sizes of a statement's result gets them from where the statement has them.
void replaceSize(ta::DimOp dim, ArrayRef<OpFoldResult> sizes) {
  OpFoldResult size = sizes[dim.getDim()];
  OpBuilder b(dim);
  auto known = getConstantIntValue(size);
  dim.getSize().replaceAllUsesWith(
      known ? Value(arith::ConstantIndexOp::create(b, dim.getLoc(), *known)) : cast<Value>(size));
  dim.erase();
}

// Erases a statement whose result is not stored any more.
void erase(ta::ComputeOp op) {
  SmallVector<OpFoldResult> sizes = sizesOf(op);
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    if (auto dim = dyn_cast<ta::DimOp>(user))
      replaceSize(dim, sizes);
    else if (isa<ta::CheckpointOp>(user))
      user->erase();
  op.erase();
}

unsigned operationsIn(ta::ComputeOp op) {
  unsigned count = 0;
  op.getBody().walk([&](Operation *) { ++count; });
  return count;
}

// Fuses what can be into one statement; gives what it has become. Statements stay of a size, so
// that a chain of them takes time for each one, and not for all before it.
ta::ComputeOp fuseInto(ta::ComputeOp consumer) {
  constexpr unsigned mostOperands = 12; // more sparse ones cannot be merged
  constexpr unsigned mostOperations = 60;
  for (bool changed = true; changed;) {
    changed = false;
    for (Value input : consumer.getInputs()) {
      auto producer = input.getDefiningOp<ta::ComputeOp>();
      if (!producer || consumer.getInputs().size() + producer.getInputs().size() > mostOperands ||
          operationsIn(consumer) + operationsIn(producer) > mostOperations)
        continue;
      ta::ComputeOp fused = Fusion(producer, consumer).run();
      if (!fused)
        continue;
      erase(producer);
      consumer = fused;
      changed = true;
      break;
    }
  }
  return consumer;
}

struct FuseStatements : impl::FuseStatementsBase<FuseStatements> {
  void runOnOperation() override {
    SmallVector<ta::ComputeOp> statements;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!isKernel(function))
        function.walk([&](ta::ComputeOp op) { statements.push_back(op); });
    // A statement's producers come before it: they are fused already, and gone afterwards.
    for (ta::ComputeOp op : statements)
      fuseInto(op);
  }
};

} // namespace

ta::ComputeOp fuseAsAsked(ta::ComputeOp producer, ta::ComputeOp consumer, std::string &why) {
  ta::ComputeOp fused = Fusion(producer, consumer).runAsAsked(why);
  if (fused)
    erase(producer);
  return fused;
}

} // namespace strata
