// Writes contractions as transposes and a product of matrices (TTGT, 002 section 6).
//
// before: C[a, b, c] = sum(d, A[a, d, c] * B[d, b])
// after:  A_t[a, c, d] = A[a, d, c]
//         C_t[a, c, b] = sum(d, A_t[a, c, d] * B[d, b])
//         C[a, b, c] = C_t[a, c, b]
#include "strata/dialect/ta/Notation.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/analysis/TransposePlan.h"
#include "strata/lower/ta/Reindex.h"
#include "strata/lower/ta/StatementPart.h"
#include "strata/lower/ta/TensorProduct.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_TRANSPOSECONTRACTIONS
#include "strata/lower/Passes.h.inc"

namespace {

/// A product of two dense tensors in a statement.
class MatrixProduct {
public:
  MatrixProduct(ta::ComputeOp op, const IndexStatement &statement, TensorProduct dense)
      : op(op), statement(statement), dense(std::move(dense)) {}

  /// Fails where the product is not one of matrices, whatever the order of its labels.
  LogicalResult choosePlan();
  /// Makes the transposes statements of their own.
  void transpose();

private:
  std::string textOf(ArrayRef<unsigned> labels) const;
  void transposeOperand(ta::AccessOp factor, ArrayRef<unsigned> order);
  void transposeResult();

  ta::ComputeOp op;
  const IndexStatement &statement;
  TensorProduct dense;
  PairContraction contraction;
  TransposePlan plan;
};

LogicalResult MatrixProduct::choosePlan() {
  std::optional<PairContraction> pair = dense.ofTwo(statement);
  if (!pair)
    return failure();
  contraction = *pair;
  bool isFree = !forbiddenFor(op).contains(Resolution::Permutation);
  std::optional<TransposePlan> found =
      isFree ? transposesOfLeastCost(contraction) : transposesAsWritten(contraction);
  if (!found)
    return failure();
  plan = *found;
  return success();
}

std::string MatrixProduct::textOf(ArrayRef<unsigned> labels) const {
  std::string text;
  for (unsigned label : labels)
    text += (text.empty() ? "" : ", ") + statement.variables[label].name;
  return "[" + text + "]";
}

void MatrixProduct::transposeOperand(ta::AccessOp factor, ArrayRef<unsigned> order) {
  std::string reason =
      ta::nameOf(factor.getTensor()) + textOf(order) + ", a transpose for a product of matrices; " +
      llvm::formatv("{0:F0}", plan.moved).str() + " elements are moved by all of its transposes";
  if (contraction.assumesSizes)
    reason += ", if labels of unknown size have 64 values";
  StatementPart part{factor.getResult(), llvm::to_vector(order), reason};
  Value temporary = computeFirst(
      statement, part, ta::nameOf(factor.getTensor()) + "_t", {factor},
      [&](OpBuilder &b, IRMapping &mapping) { return cloneValue(b, factor, mapping); });
  replaceBy(statement, part, temporary);
}

void MatrixProduct::transposeResult() {
  StatementPart part{dense.whole, llvm::to_vector(plan.result),
                     "a product of matrices, of which the result is the transpose"};
  Value temporary = computeFirst(
      statement, part, ta::nameOf(op.getResult()) + "_t", accessesIn(op, dense.whole),
      [&](OpBuilder &b, IRMapping &mapping) { return cloneValue(b, dense.whole, mapping); });
  replaceBy(statement, part, temporary);
}

void MatrixProduct::transpose() {
  if (plan.left != contraction.left)
    transposeOperand(dense.factors[0], plan.left);
  if (plan.right != contraction.right)
    transposeOperand(dense.factors[1], plan.right);
  if (plan.result != contraction.result)
    transposeResult();
}

// Takes the command `ttgt` out of a schedule. Returns where it stands.
std::optional<Location> takeCommand(ta::ComputeOp op) {
  std::optional<Location> found;
  SmallVector<ta::CommandAttr> others;
  SmallVector<Location> places;
  if (!op.getScheduleAttr())
    return found;
  for (auto [at, command] : llvm::enumerate(op.getSchedule()->getCommands())) {
    if (command.getName() == "ttgt") {
      found = ta::placeOfCommand(op, at);
      continue;
    }
    others.push_back(command);
    places.push_back(ta::placeOfCommand(op, at));
  }
  if (found)
    ta::setSchedule(op, ta::ScheduleAttr::get(op.getContext(), others), places);
  return found;
}

struct TransposeContractions : impl::TransposeContractionsBase<TransposeContractions> {
  void runOnOperation() override {
    SmallVector<ta::ComputeOp> work;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!isKernel(function))
        function.walk([&](ta::ComputeOp op) { work.push_back(op); });
    for (ta::ComputeOp op : work) {
      std::optional<Location> command = takeCommand(op);
      if (!command && !isForbidden(op, Resolution::Packing))
        continue;
      if (!transposeIn(op) && command) {
        emitError(*command)
            << "'ttgt()' is not possible: nothing that this statement computes is a "
               "product of two dense tensors that is summed over labels of both";
        return signalPassFailure();
      }
    }
  }

  static bool transposeIn(ta::ComputeOp op) {
    bool found = false;
    for (Value whole : productsAroundSums(op)) {
      IndexStatement statement(op);
      std::optional<TensorProduct> dense = TensorProduct::match(statement, whole);
      if (!dense)
        continue;
      MatrixProduct product(op, statement, std::move(*dense));
      if (failed(product.choosePlan()))
        continue;
      product.transpose();
      found = true;
    }
    return found;
  }
};

} // namespace
} // namespace strata
