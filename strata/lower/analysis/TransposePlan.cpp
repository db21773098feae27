// Compares the ways to group the labels of a contraction.
#include "strata/lower/analysis/TransposePlan.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

namespace strata {

double PairContraction::sizeOf(llvm::ArrayRef<unsigned> labels) const {
  double size = 1;
  for (unsigned label : labels)
    size *= extents[label];
  return size;
}

bool TransposePlan::isCheaperThan(const TransposePlan &other) const {
  return std::tie(moved, scattered) < std::tie(other.moved, other.scattered);
}

namespace {

bool has(llvm::ArrayRef<unsigned> labels, unsigned label) {
  return llvm::is_contained(labels, label);
}

// Labels of the same kind, in one order.
struct Groups {
  LabelOrder batch, rows, columns, depth;
};

class Plans {
public:
  explicit Plans(const PairContraction &contraction) : contraction(contraction) {}

  bool isMatrixProduct() const {
    const auto &[left, right, result, extents, assumes] = contraction;
    for (const LabelOrder *labels : {&left, &right, &result})
      for (unsigned label : *labels)
        if (llvm::count(*labels, label) > 1 ||
            has(left, label) + has(right, label) + has(result, label) < 2)
          return false;
    return llvm::any_of(left, [&](unsigned label) { return !has(result, label); });
  }

  Groups asWritten() const {
    const auto &[left, right, result, extents, assumes] = contraction;
    return {batchAs(left), sharedAs(left, result), sharedAs(right, result), sharedAs(left, right)};
  }

  TransposePlan best() const {
    const auto &[left, right, result, extents, assumes] = contraction;
    std::optional<TransposePlan> best;
    for (const LabelOrder *batch : {&left, &right, &result})
      for (const LabelOrder *rows : {&left, &result})
        for (const LabelOrder *columns : {&right, &result})
          for (const LabelOrder *depth : {&left, &right})
            compare(best, {batchAs(*batch), sharedAs(*rows, rows == &left ? result : left),
                           sharedAs(*columns, columns == &right ? result : right),
                           sharedAs(*depth, depth == &left ? right : left)});
    return *best;
  }

  // The matrices of the groups: `transposed` has a bit for each that is stored by columns.
  TransposePlan grouped(const Groups &groups, unsigned transposed = 0) const {
    TransposePlan plan;
    plan.swapped = transposed & 4;
    plan.left = joined(groups.batch, groups.rows, groups.depth, transposed & 1);
    plan.right = joined(groups.batch, groups.depth, groups.columns, transposed & 2);
    plan.result = joined(groups.batch, groups.rows, groups.columns, plan.swapped);
    charge(plan, contraction.left, plan.left);
    charge(plan, contraction.right, plan.right);
    charge(plan, contraction.result, plan.result);
    return plan;
  }

private:
  LabelOrder batchAs(llvm::ArrayRef<unsigned> order) const {
    const auto &[left, right, result, extents, assumes] = contraction;
    return chosen(order, [&](unsigned label) {
      return has(left, label) && has(right, label) && has(result, label);
    });
  }

  // The labels of `order` that the other tensor has, and the third one has not.
  LabelOrder sharedAs(llvm::ArrayRef<unsigned> order, llvm::ArrayRef<unsigned> other) const {
    LabelOrder batch = batchAs(order);
    return chosen(order, [&](unsigned label) { return has(other, label) && !has(batch, label); });
  }

  static LabelOrder chosen(llvm::ArrayRef<unsigned> order, llvm::function_ref<bool(unsigned)> is) {
    LabelOrder labels;
    llvm::copy_if(order, std::back_inserter(labels), is);
    return labels;
  }

  static LabelOrder joined(const LabelOrder &batch, const LabelOrder &first,
                           const LabelOrder &second, bool isTransposed) {
    LabelOrder labels = batch;
    llvm::append_range(labels, isTransposed ? second : first);
    llvm::append_range(labels, isTransposed ? first : second);
    return labels;
  }

  void charge(TransposePlan &plan, const LabelOrder &stored, const LabelOrder &wanted) const {
    if (stored == wanted)
      return;
    plan.moved += contraction.sizeOf(stored);
    if (stored.back() != wanted.back())
      plan.scattered += contraction.sizeOf(stored);
  }

  void compare(std::optional<TransposePlan> &best, const Groups &groups) const {
    for (unsigned transposed = 0; transposed < 8; ++transposed)
      if (TransposePlan plan = grouped(groups, transposed); !best || plan.isCheaperThan(*best))
        best = std::move(plan);
  }

  const PairContraction &contraction;
};

} // namespace

std::optional<TransposePlan> transposesOfLeastCost(const PairContraction &contraction) {
  Plans plans(contraction);
  if (!plans.isMatrixProduct())
    return std::nullopt;
  return plans.best();
}

std::optional<TransposePlan> transposesAsWritten(const PairContraction &contraction) {
  Plans plans(contraction);
  if (!plans.isMatrixProduct())
    return std::nullopt;
  return plans.grouped(plans.asWritten());
}

} // namespace strata
