// Adds sparse terms to a dense result, each in the order in which it is stored.
//
// before: R[i, j] = A[i, j] + B[j, i], where R is dense, A and B are stored by rows
// after:  t[i, j] = A[i, j]
//         R[i, j] = t[i, j], R[i, j] += B[j, i]
//
// before: y[i] = sum(j, A[i, j] * x[j] + B[j, i] * x[j])
// after:  y[i] = sum(j, A[i, j] * x[j])
//         y[i] += sum(j, B[j, i] * x[j])
#include "strata/lower/ta/SplitAddends.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/ta/StatementPart.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {

namespace {

/// A term, and the sum of all others.
struct Addend {
  Value term, rest;
  bool negative;
};

} // namespace

static bool needsNoConversion(ta::ComputeOp op) {
  auto plan = planOf(IndexStatement(op));
  return plan && plan->rewalks.empty() && plan->sweeps.empty();
}

// Tells whether the value is nothing but where one sparse operand, that has all labels, stores
// something.
static bool isSparseTerm(const IndexStatement &statement, Value value) {
  SmallVector<Operation *> sparse;
  for (ta::AccessOp access : accessesIn(statement.op, value)) {
    if (access.getMissing() || access->getParentOp() != statement.op.getOperation())
      return false;
    if (isSparse(access))
      sparse.push_back(access);
  }
  if (sparse.size() != 1 || !cast<ta::AccessOp>(sparse[0]).getMap().isPermutation())
    return false;
  const AccessPath &path = statement.accesses.find(sparse[0])->second;
  bool hasAll = llvm::all_of(llvm::seq<unsigned>(0, statement.variables.size()),
                             [&](unsigned variable) { return path.involves(variable); });
  Attribute without = IndexStatement::knownWithout(value, sparse).value;
  return hasAll && without &&
         without == Attribute(ta::identityOf(ta::Combine::add, value.getType()));
}

// A term that is added last, or first. Between others it would change how these are rounded.
static std::optional<Addend> addendOf(ta::ComputeOp op) {
  IndexStatement statement(op);
  Operation *sum = op.getYielded().getDefiningOp();
  if (!sum || !(isAddition(sum) || isDifference(sum)) || !sum->hasOneUse())
    return std::nullopt;
  Value left = sum->getOperand(0), right = sum->getOperand(1);
  if (isSparseTerm(statement, right))
    return Addend{right, left, isDifference(sum)};
  if (isAddition(sum) && isSparseTerm(statement, left))
    return Addend{left, right, false};
  return std::nullopt;
}

static Value negativeOf(OpBuilder &b, Value value) {
  Value positive = ta::negatedBy(value.getDefiningOp());
  return positive ? positive : ta::emitNegative(b, value.getLoc(), value);
}

// Takes sums of sums apart, for each operand is walked as it is stored. Sums add up their terms in
// any order.
static bool distributeSums(ta::ComputeOp op) {
  SmallVector<ta::ReduceOp> open(op.getBlock().getOps<ta::ReduceOp>());
  bool found = false;
  while (!open.empty()) {
    ta::ReduceOp reduce = open.pop_back_val();
    Operation *sum = reduce.getYielded().getDefiningOp();
    if (reduce.getCombine() != ta::Combine::add || reduce.getMissing() || reduce.getWorkspace() ||
        !sum || !(isAddition(sum) || isDifference(sum)) || ta::negatedBy(sum))
      continue;
    OpBuilder b(reduce);
    SmallVector<Value> parts;
    for (Value addend : sum->getOperands()) {
      IRMapping mapping;
      auto part = cast<ta::ReduceOp>(b.clone(*reduce, mapping));
      Operation *end = part.getBlock().getTerminator();
      OpBuilder inside(end);
      Value own = mapping.lookup(addend);
      bool negative = !parts.empty() && isDifference(sum);
      end->setOperand(0, negative ? negativeOf(inside, own) : own);
      parts.push_back(part.getResult());
      open.push_back(part);
    }
    reduce.replaceAllUsesWith(
        ta::emitCombine(b, reduce.getLoc(), ta::Combine::add, parts[0], parts[1]));
    reduce.erase();
    found = true;
  }
  dropUnused(op);
  return found;
}

// Tells whether the value is a sum over what a sparse operand stores.
static bool isSparseSum(const IndexStatement &statement, Value value) {
  auto reduce = value.getDefiningOp<ta::ReduceOp>();
  if (!reduce || reduce->getBlock() != &statement.op.getBlock() || reduce.getMissing() ||
      reduce.getCombine() != ta::Combine::add)
    return false;
  SmallVector<Operation *> sparse;
  for (ta::AccessOp access : accessesIn(statement.op, value))
    if (isSparse(access))
      sparse.push_back(access);
  return !sparse.empty() &&
         IndexStatement::addsNothingWithout(reduce.getYielded(), ta::Combine::add, sparse);
}

// Rounding aside, a sum may be added last wherever it stands.
static std::optional<Addend> sumAmongAddends(ta::ComputeOp op) {
  IndexStatement statement(op);
  Value value = op.getYielded(), found;
  bool negative = false;
  SmallVector<std::pair<Value, bool>> open{{value, false}}, others;
  while (!open.empty()) {
    auto [one, isNegative] = open.pop_back_val();
    Operation *sum = one.getDefiningOp();
    if (!found && isSparseSum(statement, one)) {
      found = one;
      negative = isNegative;
    } else if (Value positive = ta::negatedBy(sum); positive && one.hasOneUse()) {
      open.push_back({positive, !isNegative});
    } else if (sum && one.hasOneUse() && (isAddition(sum) || isDifference(sum))) {
      open.push_back({sum->getOperand(0), isNegative});
      open.push_back({sum->getOperand(1), isNegative != isDifference(sum)});
    } else {
      others.push_back({one, isNegative});
    }
  }
  if (!found || others.empty())
    return std::nullopt;
  OpBuilder b(op.getBlock().getTerminator());
  Value rest;
  for (auto [one, isNegative] : llvm::reverse(others)) {
    Value term = isNegative ? negativeOf(b, one) : one;
    rest = rest ? ta::emitCombine(b, one.getLoc(), ta::Combine::add, rest, term) : term;
  }
  return Addend{found, rest, negative};
}

static void setYielded(ta::ComputeOp op, Value value, bool negative) {
  op.getBlock().getTerminator()->setOperand(0, value);
  dropUnused(op);
  if (!negative)
    return;
  // Of a sum the terms, so that the result takes them as they come.
  auto reduce = value.getDefiningOp<ta::ReduceOp>();
  Operation *end = (reduce ? reduce.getBlock() : op.getBlock()).getTerminator();
  Value own = end->getOperand(0);
  OpBuilder b(end);
  end->setOperand(0, negativeOf(b, own));
}

// A copy of the statement, before it, of another value.
static ta::ComputeOp copyBefore(ta::ComputeOp op, Value value, bool negative) {
  OpBuilder b(op);
  IRMapping mapping;
  auto copy = cast<ta::ComputeOp>(b.clone(*op, mapping));
  setYielded(copy, mapping.lookup(value), negative);
  return copy;
}

static bool addsInPlace(ta::ComputeOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  auto real = dyn_cast<FloatType>(type.getElementType());
  return ta::formatOf(type).isFull() && !op.getInit() && !op.getCombine() &&
         !op.getScheduleAttr() &&
         ta::valueTypeOf(type.getElementType()) == op.getYielded().getType() &&
         !(real && real.getWidth() < 32) && op.getOutMap().isPermutation();
}

static void addTo(ta::ComputeOp update, Value sum) {
  update.getInitMutable().assign(sum);
  update.setCombine(ta::Combine::add);
}

// Makes statements that each add terms to the result of the one before: the last one is `op`.
// Nothing is changed if one of them could not be computed without converting operands.
static bool splitIntoUpdates(ta::ComputeOp op, unsigned &made,
                             llvm::function_ref<std::optional<Addend>(ta::ComputeOp)> addendOf) {
  // The statements to come, from the last one to the first.
  std::optional<Addend> last = addendOf(op);
  if (!last)
    return false;
  SmallVector<ta::ComputeOp> updates{copyBefore(op, last->term, last->negative)};
  ta::ComputeOp rest = copyBefore(op, last->rest, false);
  auto fits = [&] {
    addTo(updates.back(), rest.getResult());
    return needsNoConversion(updates.back());
  };
  bool possible = fits();
  while (possible && !needsNoConversion(rest)) {
    std::optional<Addend> next = addendOf(rest);
    possible = next.has_value();
    if (!possible)
      break;
    updates.push_back(copyBefore(rest, next->term, next->negative));
    setYielded(rest, next->rest, false);
    possible = fits();
  }
  if (!possible) {
    for (ta::ComputeOp update : updates)
      update.erase();
    rest.erase();
    return false;
  }
  auto name = [&](ta::ComputeOp first) {
    OpBuilder b(first);
    first->setLoc(NameLoc::get(b.getStringAttr("t" + std::to_string(made++)), op.getLoc()));
    first.setReason("terms that could not be merged with others as they are stored");
  };
  rest->moveBefore(updates.back());
  name(rest);
  Value sum = rest.getResult();
  for (ta::ComputeOp update : llvm::reverse(llvm::drop_begin(updates))) {
    update->moveBefore(op);
    addTo(update, sum);
    name(update);
    sum = update.getResult();
  }
  updates.front().erase();
  setYielded(op, last->term, last->negative);
  addTo(op, sum);
  return true;
}

// The same of a statement with sums, of which a copy is taken apart first.
static bool splitSums(ta::ComputeOp op, unsigned &made) {
  auto copy = cast<ta::ComputeOp>(OpBuilder(op).clone(*op));
  distributeSums(copy);
  bool possible = splitIntoUpdates(copy, made, sumAmongAddends);
  if (possible) {
    op.getInputsMutable().assign(copy.getInputs());
    addTo(op, copy.getInit());
    op.getBody().takeBody(copy.getBody());
  }
  copy.erase();
  return possible;
}

bool splitAddends(ta::ComputeOp op, unsigned &made) {
  // In a loop of the program what does not change is converted once, before it.
  if (op->getParentOfType<ta::ForOp>() || op->getParentOfType<ta::LoopOp>() || !addsInPlace(op) ||
      needsNoConversion(op))
    return false;
  return op.getBlock().getOps<ta::ReduceOp>().empty() ? splitIntoUpdates(op, made, addendOf)
                                                      : splitSums(op, made);
}

} // namespace strata
