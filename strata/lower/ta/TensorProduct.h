// Sums of products of tensors, as parts of a statement.
#ifndef STRATA_LOWER_TA_TENSORPRODUCT_H
#define STRATA_LOWER_TA_TENSORPRODUCT_H

#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/ProductOrder.h"
#include "strata/lower/analysis/TransposePlan.h"

#include "mlir/IR/IRMapping.h"

namespace strata {

/// Labels whose size is not known are taken to have so many values.
inline constexpr int64_t unknownExtent = 64;
/// Products of fewer operations are left alone.
inline constexpr double leastOperations = 4096;

/// The labels of an access in the order in which its storage has them; nothing of blocks and the
/// like.
std::optional<LabelOrder> storedLabels(const AccessPath &path);

/// How many entries a list is taken to have: a few, or as many as rows of entries.
enum class Lists { Short, Long };

/// A product of tensors, of what is the same everywhere, and of sums of such products. Sparse
/// tensors have no other value than zero where they store nothing.
struct TensorProduct {
  /// Nothing where `whole` is anything else, or all factors are dense and the statement's result is
  /// not.
  static std::optional<TensorProduct> match(const IndexStatement &statement, mlir::Value whole);

  mlir::Value whole;
  mlir::Operation *times = nullptr; ///< one of the multiplications
  llvm::SmallVector<ta::AccessOp> factors;
  llvm::SmallVector<mlir::Value> scales; ///< factors that are the same everywhere
  llvm::SmallVector<LabelSet> labels;    ///< of each factor
  LabelSet summed;

  /// The labels of all factors, and those of them that are not summed.
  LabelSet used() const;
  LabelSet kept() const { return used() - summed; }
  /// No factor is sparse.
  bool isFull() const;
  /// Tells whether a factor has labels that are summed, and that no other has.
  bool hasOwnLabels() const;
  /// The labels of the factors with their sizes, all factors as if they were dense.
  LabeledProduct labeled(const IndexStatement &statement) const;
  /// Of each sparse factor the share of its elements that it is taken to store.
  std::map<unsigned, double> guessedDensities(const IndexStatement &statement,
                                              Lists lists = Lists::Short) const;
  /// A product of two dense factors, with the labels of each tensor as they are stored; of the
  /// result's those that the product has. Labels of unknown size have 64 values. Nothing of more
  /// factors, or of formats with blocks and the like.
  std::optional<PairContraction> ofTwo(const IndexStatement &statement) const;
  /// The sum over `labels` of what `terms` makes, or that alone if there are none. `mapping` gives
  /// the variables of the statement their places in the sum.
  mlir::Value sumOver(const IndexStatement &statement, const LabelSet &labels, mlir::OpBuilder &b,
                      mlir::IRMapping &mapping, llvm::function_ref<mlir::Value()> terms) const;

private:
  bool take(const IndexStatement &statement, mlir::Value value);
};

/// The values of a statement that may be sums of products: each of its sums, with the products of
/// which it is a factor.
llvm::SetVector<mlir::Value> productsAroundSums(ta::ComputeOp op);

} // namespace strata

#endif // STRATA_LOWER_TA_TENSORPRODUCT_H
