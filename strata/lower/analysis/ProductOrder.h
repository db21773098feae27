// In which order to multiply several factors whose product is summed over labels.
#ifndef STRATA_LOWER_ANALYSIS_PRODUCTORDER_H
#define STRATA_LOWER_ANALYSIS_PRODUCTORDER_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace strata {

/// sum over all labels but those of the result of factor 0 * factor 1 * ...; sets of labels are the
/// bits of words.
struct LabeledProduct {
  llvm::SmallVector<uint64_t> factors; ///< the labels of each
  uint64_t result = 0;                 ///< the labels that are kept
  llvm::SmallVector<double> extents;   ///< of each label: how many values it has

  /// How many values all these labels have together.
  double sizeOf(uint64_t labels) const;
  /// The multiplications of loops over all labels that multiply all factors inside.
  double operationsAtOnce() const;
};

/// A binary tree of products.
struct ProductOrder {
  /// A factor (left and right are -1), a sum of one operand over labels that no other has (right is
  /// -1), or a product of two, summed over what no other factor nor the result has.
  struct Node {
    int left = -1, right = -1;
    unsigned factor = 0;
    uint64_t labels = 0; ///< of its value
  };
  llvm::SmallVector<Node> nodes; ///< operands before what uses them; the last one is the whole
  double operations = 0;         ///< multiplications, and additions of sums of one operand
  bool exhaustive = true;        ///< no order takes fewer

  const Node &root() const { return nodes.back(); }
};

/// From the first factor to the last.
ProductOrder orderAsWritten(const LabeledProduct &product);

/// The order that takes the fewest operations, and among such the one with the smallest
/// temporaries: of up to 12 factors, of which all are compared (3^n steps). Of more, pair after
/// pair: that which takes the fewest operations then.
ProductOrder orderOfLeastOperations(const LabeledProduct &product);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_PRODUCTORDER_H
