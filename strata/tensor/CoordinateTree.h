// The tree of coordinates that a storage holds (004 section 3.1).
#ifndef STRATA_TENSOR_COORDINATETREE_H
#define STRATA_TENSOR_COORDINATETREE_H

#include "strata/tensor/TensorValue.h"

#include <string>
#include <vector>

namespace strata {

/// A row for each level from the root, then one for the values.
struct CoordinateTree {
  /// A coordinate and what is below it; at the leaf a value. "-" is a place that holds no
  /// coordinate, "..." what is left out.
  struct Node {
    std::string text;
    std::vector<Node> children = {};
    /// Where it is in the tensor: a coordinate for each dimension, -1 where levels below tell it.
    std::vector<int64_t> place = {};
  };
  std::vector<std::string> rows; ///< what the coordinates of a level are of: "i", "j - i"; "value"
  std::vector<Node> roots;
};

/// The tree of a tensor that is in one part and has dimensions: its beginning, with so many leaves.
/// The storage is valid.
CoordinateTree coordinateTree(const TensorValue &tensor, int64_t mostLeaves = 24);

} // namespace strata

#endif // STRATA_TENSOR_COORDINATETREE_H
