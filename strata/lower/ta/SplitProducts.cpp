// Takes out of statements over dense tensors what keeps products from running as they do alone.
//
// before: R[i, j] = sum(k, (A[i, k] + B[i, k]) * C[k, j])
// after:  t[i, k] = A[i, k] + B[i, k]
//         R[i, j] = sum(k, t[i, k] * C[k, j])
//
// before: R[i, j] = sum(k, S[k, i] * S[k, j]) - x[i] * y[j], where S is sparse
// after:  t[i, j] = sum(k, S[k, i] * S[k, j])
//         R[i, j] = t[i, j] - x[i] * y[j]
//
// before: y[i] = z[i] - sum(j, S[j, i] * x[j]), where S is stored by rows
// after:  t[i] = sum(j, S[j, i] * x[j])
//         y[i] = z[i] - t[i]
//
// before: y[i] = b[i] * sum(j, S[j, i] * x[j])
// after:  t[i] = sum(j, S[j, i] * x[j]), dense if b is finite, else with marked places
//         y[i] = b[i] * t[i]
#include "strata/lower/ta/SplitProducts.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/analysis/ContractionShape.h"
#include "strata/lower/analysis/ExpectedSizes.h"
#include "strata/lower/analysis/HeldZeros.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/ta/BothWays.h"
#include "strata/lower/ta/StatementPart.h"
#include "strata/lower/ta/TemporaryLevels.h"
#include "strata/lower/ta/TensorProduct.h"

using namespace mlir;

namespace strata {

namespace {

using Labels = llvm::SmallBitVector;

// Tells whether one set has labels that the other lacks, and the other such that this one lacks.
bool areApart(const Labels &one, const Labels &other) { return one.test(other) && other.test(one); }

// Of a product of two factors that is a contraction, one that is more than a tensor's element.
Value factorToSplit(const IndexStatement &statement, ta::ReduceOp reduce, Value product) {
  SmallVector<Value> factors, own;
  factorsOf(product, factors);
  for (Value factor : factors)
    if (statement.freeVariables(factor).any())
      own.push_back(factor);
  if (own.size() != 2)
    return {};
  Labels left = statement.freeVariables(own[0]), right = statement.freeVariables(own[1]);
  Labels shared = left;
  shared &= right;
  bool sums = llvm::any_of(reduce.getVariables(), [&](Value variable) {
    return shared.test(statement.numberOf(variable));
  });
  if (!sums || !areApart(left, right))
    return {};
  constexpr double leastProducts = 4096; // fewer run in loops as they are
  double products = 1;
  const Labels free = left | right;
  for (int label : free.set_bits())
    products *= double(expectedExtent(statement.variables[label].extent).value_or(unknownExtent));
  if (products < leastProducts)
    return {};
  Value found;
  for (Value factor : own) {
    if (!elementRead(factor)) {
      if (!widestElement(statement, factor))
        return {};
      found = factor;
    } else if (isSparse(elementRead(factor))) {
      return {};
    }
  }
  return found;
}

// Tells whether two sparse factors of the sum have free labels that the other lacks: loops through
// the one, and inside of them through the other, reach only what has terms.
bool multipliesSparse(const IndexStatement &statement, ta::ReduceOp reduce) {
  Labels free = statement.freeVariables(reduce.getResult());
  SmallVector<Labels> labels;
  for (ta::AccessOp access : accessesIn(statement.op, reduce.getResult()))
    if (isSparse(access))
      labels.push_back(labelsIn(statement, access) &= free);
  for (size_t at = 0; at < labels.size(); ++at)
    for (size_t other = 0; other < at; ++other)
      if (areApart(labels[at], labels[other]))
        return true;
  return false;
}

// Tells whether an operand beside the sum, without which there is nothing to do, stores few of the
// places at which the sum is wanted.
bool isSampled(const IndexStatement &statement, ta::ReduceOp reduce) {
  Labels free = statement.freeVariables(reduce.getResult());
  SmallVector<Operation *> others;
  for (const auto &[access, path] : statement.accesses)
    if (!reduce->isProperAncestor(access) && isSparse(cast<ta::AccessOp>(access)) &&
        labelsIn(statement, cast<ta::AccessOp>(access)).anyCommon(free))
      others.push_back(access);
  return !others.empty() && statement.isEssential(others);
}

bool readsSparse(const IndexStatement &statement, ta::ReduceOp reduce) {
  return llvm::any_of(accessesIn(statement.op, reduce.getResult()),
                      [](ta::AccessOp access) { return isSparse(access); });
}

// The loops for the statement that need no conversion, and walk nothing in vain, if there are any.
std::optional<LoopPlan> plainLoops(const IndexStatement &statement) {
  auto plan = planOf(statement);
  return plan && plan->rewalks.empty() ? plan : std::nullopt;
}

// Tells whether a sum needs no conversion if its terms are added to the result in the order of its
// operands, or as these are stored: inside of loops over labels of the result it would.
bool scatters(ta::ComputeOp op) {
  IndexStatement statement(op);
  std::optional<LoopPlan> plan = plainLoops(statement);
  return plan && (plan->joined > 1 || statement.variables[plan->order.front()].reduction);
}

// Tells whether the loops go across rows that an operand stores dense: by the label of a row's
// elements outside, and those of the rows inside.
bool goesAcrossRows(const IndexStatement &statement, const LoopPlan &plan) {
  return llvm::any_of(statement.accesses, [&](const auto &entry) {
    const AccessPath &path = entry.second;
    if (path.format.isFull() || path.coordinates.empty())
      return false;
    auto last = dyn_cast<AffineDimExpr>(path.coordinates.back());
    if (!last || !ta::levelProperties(path.format, path.coordinates.size() - 1).full)
      return false;
    auto inside = llvm::make_range(llvm::find(plan.order, last.getPosition()), plan.order.end());
    return llvm::any_of(llvm::drop_begin(inside),
                        [&](unsigned variable) { return path.involves(variable); });
  });
}

bool isInLoop(ta::ComputeOp op) {
  return op->getParentOfType<ta::ForOp>() || op->getParentOfType<ta::LoopOp>();
}

// Tells whether loops for the whole statement go across dense rows, or need conversions in each run
// of it: in a loop of the program what does not change is converted once, before it.
bool readsOtherwiseThanStored(const IndexStatement &statement) {
  if (std::optional<LoopPlan> plan = plainLoops(statement))
    return goesAcrossRows(statement, *plan);
  return !isInLoop(statement.op);
}

bool canStandAlone(ta::ReduceOp reduce) {
  return !reduce
              .walk([](Operation *inner) {
                auto access = dyn_cast<ta::AccessOp>(inner);
                auto sum = dyn_cast<ta::ReduceOp>(inner);
                bool tells = ta::asksPresence(inner) || (access && access.getMissing()) ||
                             (sum && (sum.getMissing() || sum.getWorkspace()));
                return tells ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

// How the temporary of a sum tells a sum without terms from one that is zero.
enum class Terms {
  Untold,  ///< not: it is dense
  Kept,    ///< it has marked places
  Decided, ///< the run decides between the two, as operands are
  Lost,    ///< in no way, though it makes a difference
};

// A scalar has no mark. Where the run has decided the statement is one of the two ways; in a loop
// of the program it would decide in each round, and what is converted would not stay before the
// loop.
Terms termsOf(const IndexStatement &statement, const StatementPart &part) {
  ta::ComputeOp op = statement.op;
  const HeldZeros zeros = heldZerosOf(op, part.value);
  auto branch = dyn_cast<ta::IfOp>(op->getParentOp());
  const bool isDecided = branch && branch->hasAttr(heldZerosAttribute);
  const bool keeps = isDecided && branch.getBody().isAncestor(op->getParentRegion());
  if (zeros.makeNoDifference() || (isDecided && !keeps && !zeros.isTold))
    return Terms::Untold;
  if (!isDecided && !zeros.isTold && !isInLoop(op))
    return Terms::Decided;
  return part.variables.empty() ? Terms::Lost : Terms::Kept;
}

std::string nextName(unsigned &made) { return "t" + std::to_string(made++); }

// Takes the part out, with what tells where it has terms.
void takeOutMarked(const IndexStatement &statement, StatementPart part, unsigned &made) {
  part.format = markedPlaces(statement.op.getContext(), part.variables.size());
  replaceBy(statement, part, computeMasked(statement, part, nextName(made)));
}

// Keeps both ways: `dense` in the statement, and in a copy of it, which is returned, marked places;
// a scalar stays a part of that.
ta::ComputeOp takeOutInBothWays(const IndexStatement &statement, const StatementPart &part,
                                Value dense, unsigned &made) {
  ta::ComputeOp op = statement.op, copy = copyOf(op);
  Operation *sum = part.value.getDefiningOp();
  auto number = std::distance(sum->getBlock()->begin(), sum->getIterator());
  replaceBy(statement, part, dense);
  if (!part.variables.empty()) {
    IndexStatement own(copy);
    StatementPart same = part;
    same.value = std::next(copy.getBlock().begin(), number)->getResult(0);
    takeOutMarked(own, same, made);
  }
  keepBoth(op, copy, op.getResult().getType(), heldZerosAttribute, /*unknown=*/true);
  return copy;
}

} // namespace

bool splitFactor(ta::ComputeOp op, unsigned &made) {
  IndexStatement statement(op);
  Value found;
  op.getBody().walk([&](ta::ReduceOp reduce) {
    if (reduce.getCombine() != ta::Combine::add || reduce.getMissing() || reduce.getWorkspace())
      return;
    for (Operation &inner : reduce.getBlock().without_terminator()) {
      bool isWhole = llvm::none_of(inner.getUsers(), isProduct);
      if (!found && isProduct(&inner) && isWhole)
        found = factorToSplit(statement, reduce, inner.getResult(0));
    }
  });
  if (!found)
    return false;
  const AccessPath &path = statement.accesses.find(widestElement(statement, found))->second;
  StatementPart part{found, storedOrder(path, statement.freeVariables(found)),
                     "a factor of a product of dense tensors, which then runs in blocks"};
  replaceBy(statement, part, computeMasked(statement, part, "t" + std::to_string(made++)));
  return true;
}

bool splitSparseSum(ta::ComputeOp op, unsigned &made, SmallVectorImpl<ta::ComputeOp> &ways) {
  IndexStatement statement(op);
  if (!statement.result.format.isFull())
    return false;
  for (auto reduce : op.getBlock().getOps<ta::ReduceOp>()) {
    Labels free = statement.freeVariables(reduce.getResult());
    if (reduce == statement.rootReduction() || reduce.getCombine() != ta::Combine::add ||
        !canStandAlone(reduce) || isSampled(statement, reduce))
      continue;
    // An update combines values of labels that the result does not have: a place for each would
    // take more memory than the result.
    const bool isOfResult = llvm::all_of(
        free.set_bits(), [&](int label) { return statement.result.involves(unsigned(label)); });
    if (!isOfResult)
      continue;
    const bool multiplies = multipliesSparse(statement, reduce);
    if (!multiplies && !(readsSparse(statement, reduce) && readsOtherwiseThanStored(statement)))
      continue;
    StatementPart part{
        reduce.getResult(), storedOrder(statement.result, free),
        multiplies
            ? "a sum of products of sparse tensors, to avoid recomputation"
            : "a sum whose operands the loops of other terms would not reach as they are stored"};
    Value dense = computeMasked(statement, part, "t" + std::to_string(made));
    auto first = dense.getDefiningOp<ta::ComputeOp>();
    const Terms terms = termsOf(statement, part);
    if (terms == Terms::Lost || (!multiplies && !scatters(first))) {
      first.erase();
      continue;
    }
    if (terms == Terms::Kept) {
      first.erase();
      takeOutMarked(statement, part, made);
      return true;
    }
    ++made;
    if (terms == Terms::Decided)
      ways.push_back(takeOutInBothWays(statement, part, dense, made));
    else
      replaceBy(statement, part, dense);
    return true;
  }
  return false;
}

} // namespace strata
