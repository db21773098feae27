// Adds sparse terms to a dense result, each in the order in which it is stored.
//
// before: R[i, j] = A[i, j] + B[j, i], where R is dense, A and B are stored by rows
// after:  t[i, j] = A[i, j]
//         R[i, j] = t[i, j], R[i, j] += B[j, i]
#include "strata/lower/ta/SplitAddends.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/ta/StatementPart.h"

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
  auto plan = chooseLoopOrder(IndexStatement(op));
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

static void setYielded(ta::ComputeOp op, Value value, bool negative) {
  Operation *end = op.getBlock().getTerminator();
  OpBuilder b(end);
  end->setOperand(0, negative ? ta::emitNegative(b, value.getLoc(), value) : value);
  dropUnused(op);
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
         !(real && real.getWidth() < 32) && op.getOutMap().isPermutation() &&
         op.getBlock().getOps<ta::ReduceOp>().empty();
}

static void addTo(ta::ComputeOp update, Value sum) {
  update.getInitMutable().assign(sum);
  update.setCombine(ta::Combine::add);
}

bool splitAddends(ta::ComputeOp op, unsigned &made) {
  // In a loop of the program what does not change is converted once, before it.
  if (op->getParentOfType<ta::ForOp>() || op->getParentOfType<ta::LoopOp>() || !addsInPlace(op) ||
      needsNoConversion(op))
    return false;
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

} // namespace strata
