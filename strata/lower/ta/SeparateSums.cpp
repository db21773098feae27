// Gives the products that are added up by one sum over the same labels sums of their own.
//
// before: C[i, j] = sum(k, A[i, k] * B[k, j] - A[j, k] * B[k, i])
// after:  C[i, j] = sum(k, A[i, k] * B[k, j]) - sum(k, A[j, k] * B[k, i])
#include "strata/lower/ta/SeparateSums.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/ta/Reindex.h"
#include "strata/lower/ta/StatementPart.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {

namespace {

Value difference(OpBuilder &b, Location loc, Value x, Value y) {
  if (isa<ComplexType>(x.getType()))
    return complex::SubOp::create(b, loc, x, y);
  if (isa<FloatType>(x.getType()))
    return arith::SubFOp::create(b, loc, x, y);
  return arith::SubIOp::create(b, loc, x, y);
}

struct Term {
  Value value;
  bool negative;
};

// The terms of a sum of sums, whose inner ones nothing else uses.
void termsOf(Value value, bool negative, SmallVectorImpl<Term> &terms) {
  Operation *def = value.getDefiningOp();
  if (!def || !value.hasOneUse()) {
    terms.push_back({value, negative});
  } else if (Value positive = ta::negatedBy(def)) {
    termsOf(positive, !negative, terms);
  } else if (isAddition(def) || isDifference(def)) {
    termsOf(def->getOperand(0), negative, terms);
    termsOf(def->getOperand(1), negative != isDifference(def), terms);
  } else {
    terms.push_back({value, negative});
  }
}

class Separation {
public:
  Separation(ta::ComputeOp op, ta::ReduceOp reduce) : statement(op), reduce(reduce) {}

  bool run();

private:
  bool isContraction(const Term &term) const;
  Value sumOf(OpBuilder &b, ArrayRef<Term> terms) const;

  IndexStatement statement;
  mutable ta::ReduceOp reduce;
};

// A product of dense tensors over all labels of the sum, of which loops of its own make a product
// of matrices, or several products: each of two factors has a label that the other lacks.
bool Separation::isContraction(const Term &term) const {
  SmallVector<Value> factors;
  factorsOf(term.value, factors);
  llvm::SmallBitVector summed(statement.variables.size()), all = summed;
  for (Value variable : reduce.getVariables())
    summed.set(statement.numberOf(variable));
  SmallVector<llvm::SmallBitVector> labels;
  for (Value factor : factors) {
    ta::AccessOp access = elementRead(factor);
    llvm::SmallBitVector own = statement.freeVariables(factor);
    if (own.none())
      continue;
    if (!access || access.getMissing() || isSparse(access))
      return false;
    labels.push_back(own);
    all |= own;
  }
  llvm::SmallBitVector lacking = summed;
  lacking.reset(all);
  if (labels.size() < 2 || lacking.any())
    return false;
  return labels.size() > 2 || (labels[0].test(labels[1]) && labels[1].test(labels[0]));
}

// A sum of these terms, the first of which is not negative.
Value Separation::sumOf(OpBuilder &b, ArrayRef<Term> terms) const {
  Location loc = reduce.getLoc();
  auto sum = ta::ReduceOp::create(b, loc, reduce.getType(), ta::Combine::add, reduce.getExtents(),
                                  reduce.getNamesAttr(), /*missing=*/false);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&sum.getBody());
  IRMapping mapping;
  for (Value variable : reduce.getVariables())
    mapping.map(variable, block->addArgument(b.getIndexType(), loc));
  Value value;
  for (const Term &term : terms) {
    Value next = cloneValue(b, term.value, mapping);
    if (!value)
      value = next;
    else if (term.negative == terms.front().negative)
      value = ta::emitCombine(b, loc, ta::Combine::add, value, next);
    else
      value = difference(b, loc, value, next);
  }
  ta::YieldOp::create(b, loc, value);
  return sum.getResult();
}

bool Separation::run() {
  SmallVector<Term> terms, rest;
  termsOf(reduce.getYielded(), false, terms);
  SmallVector<SmallVector<Term>> sums;
  for (const Term &term : terms)
    isContraction(term) ? sums.push_back({term}) : rest.push_back(term);
  if (sums.empty() || terms.size() < 2)
    return false;
  if (!rest.empty())
    sums.push_back(rest);
  // What begins the sum is not subtracted, if anything is not.
  auto first = llvm::find_if(sums, [](ArrayRef<Term> sum) { return !sum.front().negative; });
  if (first != sums.end())
    std::rotate(sums.begin(), first, std::next(first));
  OpBuilder b(reduce);
  Location loc = reduce.getLoc();
  Value whole;
  for (ArrayRef<Term> own : sums) {
    Value sum = sumOf(b, own);
    bool negative = own.front().negative;
    if (!whole && negative)
      whole = ta::emitConstant(b, loc, ta::identityOf(ta::Combine::add, sum.getType()));
    if (!whole)
      whole = sum;
    else if (negative)
      whole = difference(b, loc, whole, sum);
    else
      whole = ta::emitCombine(b, loc, ta::Combine::add, whole, sum);
  }
  reduce.getResult().replaceAllUsesWith(whole);
  reduce.erase();
  return true;
}

} // namespace

bool separateSums(ta::ComputeOp op) {
  if (!ta::formatOf(cast<RankedTensorType>(op.getResult().getType())).isFull())
    return false;
  SmallVector<ta::ReduceOp> sums;
  for (auto reduce : op.getBlock().getOps<ta::ReduceOp>())
    if (reduce.getCombine() == ta::Combine::add && !reduce.getMissing() && !reduce.getWorkspace())
      sums.push_back(reduce);
  bool separated = false;
  for (ta::ReduceOp sum : sums)
    separated |= Separation(op, sum).run();
  return separated;
}

} // namespace strata
