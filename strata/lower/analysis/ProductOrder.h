// In which order to multiply several factors whose product is summed over labels.
#ifndef STRATA_LOWER_ANALYSIS_PRODUCTORDER_H
#define STRATA_LOWER_ANALYSIS_PRODUCTORDER_H

#include "strata/lower/analysis/LabelSet.h"

#include "llvm/ADT/SmallVector.h"

#include <limits>
#include <map>
#include <optional>

namespace strata {

/// sum over all labels but those of the result of factor 0 * factor 1 * ...
struct LabeledProduct {
  llvm::SmallVector<LabelSet> factors; ///< the labels of each
  LabelSet result;                     ///< the labels that are kept
  llvm::SmallVector<double> extents;   ///< of each label: how many values it has
  /// Of each sparse factor: which share of its elements it stores.
  std::map<unsigned, double> densities = {};
  /// Temporaries have no more elements together.
  double mostStored = std::numeric_limits<double>::infinity();

  /// How many values all these labels have together.
  double sizeOf(const LabelSet &labels) const;
  bool isSparse(unsigned factor) const { return densities.contains(factor); }
  /// The share of all coordinates at which every sparse factor stores an element, if these are
  /// independent of each other.
  double density() const;
  /// How many elements a sparse factor stores.
  double stored(unsigned factor) const;
  /// The multiplications of loops over all labels that multiply all factors inside.
  double operationsAtOnce() const;
};

/// A tree of products.
struct ProductOrder {
  /// A factor (without operands), a sum of one operand over labels that no other has, or a product,
  /// summed over what no other factor nor the result has: of two, or of more if some are sparse.
  struct Node {
    llvm::SmallVector<int, 2> operands;
    unsigned factor = 0;
    LabelSet labels; ///< of its value
  };
  llvm::SmallVector<Node> nodes; ///< operands before what uses them; the last one is the whole
  double operations = 0;         ///< multiplications, and additions of sums of one operand

  /// Appends a node that takes so many operations, and returns its number.
  int add(Node node, double more) {
    nodes.push_back(std::move(node));
    operations += more;
    return static_cast<int>(nodes.size()) - 1;
  }
  const Node &root() const { return nodes.back(); }
  /// Tells whether anything but the whole has operands.
  bool makesTemporaries() const;
};

/// From the first factor to the last.
ProductOrder orderAsWritten(const LabeledProduct &product);

/// The order that takes the fewest operations, and among such the one with the smallest
/// temporaries; nothing if no order is found whose temporaries may be stored. Of up to 12 factors
/// all orders are compared (3^n steps); of more, the best is taken that is found in a number of
/// steps that grows with that of factors (NetworkOrder.h).
///
/// Sparse factors are multiplied last, all at once with the products of others: these are dense,
/// and have no sparse factors. Of these others, up to 8, all groups are compared; more are left as
/// they are. A label that a sparse factor alone has is summed first where that saves most of the
/// work.
std::optional<ProductOrder> orderOfLeastOperations(const LabeledProduct &product);

/// The same of products of two alone, of which a sparse factor may be one: it takes as many
/// operations as it stores, and what becomes of it is dense. Of orders that cost the same, that in
/// which all factors are multiplied as `listed` lists them. Nothing of more than 12 factors.
std::optional<ProductOrder> orderThroughDense(const LabeledProduct &product,
                                              llvm::ArrayRef<unsigned> listed);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_PRODUCTORDER_H
