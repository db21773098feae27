// The merge lattices of a kernel's loops.
#ifndef STRATA_EXPLAIN_MERGELATTICES_H
#define STRATA_EXPLAIN_MERGELATTICES_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace strata {

/// The lattice of a loop (004 section 4.1, Figure 4-2): which sets of what it merges call for code
/// of their own.
struct MergeLattice {
  struct Point {
    std::vector<unsigned> present;     ///< of `merged`, ascending
    std::vector<std::string> computes; ///< "D = A + B * C", "t_j += A * x", "for j"; a line each
  };
  std::string kernel, loop; ///< the loop by its index variable
  unsigned depth = 0;       ///< how many loops are around it
  std::string merges;   ///< "union", "intersection", "mixed merge"; empty where nothing is merged
  bool oneBody = false; ///< one code asks what is there, instead of a code for each point
  std::vector<std::string> merged; ///< "all i" of all its values, "A2", "B2-3"
  std::vector<Point> points;       ///< the fullest first

  /// The pairs of a point and one that it contains, without a third between them: the edges.
  std::vector<std::pair<unsigned, unsigned>> covers() const;
  /// "{A2, B2}".
  std::string setText(const Point &point) const;
};

/// Those of all loops of all kernels of a module that is still in ta, from the outermost in; where
/// a loop has several cases, inner loops are those of the fullest. Nothing, after an error, if the
/// module could not be lowered.
std::optional<std::vector<MergeLattice>> mergeLattices(mlir::ModuleOp kernels);

/// A line for each loop, and for each point below it.
std::string latticesText(const std::vector<MergeLattice> &lattices);

} // namespace strata

#endif // STRATA_EXPLAIN_MERGELATTICES_H
