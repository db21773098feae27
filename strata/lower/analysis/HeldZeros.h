// Zeros that a dense temporary holds where a sum has no terms, and what tells them from absent
// ones.
#ifndef STRATA_LOWER_ANALYSIS_HELDZEROS_H
#define STRATA_LOWER_ANALYSIS_HELDZEROS_H

#include "strata/dialect/ta/Ta.h"

#include "llvm/ADT/SetVector.h"

namespace strata {

/// On a branch of the program (ta.if) whose second region has dense temporaries for sums, and whose
/// first has temporaries in their place that keep which sums have terms. Who knows the operands
/// takes the second where they make no difference between the two (HeldZeros); who does not takes
/// the first, as the branch's condition says.
inline constexpr llvm::StringLiteral heldZerosAttribute = "strata.held_zeros";

/// What a statement makes of a value differs between an absent zero and one that is held if the
/// former annihilates something: an infinite factor or NaN, or a zero by which it is divided.
struct HeldZeros {
  /// There is a difference whatever the operands hold, as far as is known.
  bool isTold = false;
  /// Else there is none if all of these dense tensors are finite,
  llvm::SmallSetVector<mlir::Value, 4> factors = {};
  /// and none of these has a zero, infinity or NaN.
  llvm::SmallSetVector<mlir::Value, 4> divisors = {};

  bool makeNoDifference() const { return !isTold && factors.empty() && divisors.empty(); }
};

/// Tells it of a value of the statement that may be an absent zero.
HeldZeros heldZerosOf(ta::ComputeOp op, mlir::Value value);
/// The same of all sums that the second way of such a branch computes first. There is a difference,
/// too, if it computes a factor, of which nobody knows before what it holds.
HeldZeros heldZerosIn(ta::IfOp branch);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_HELDZEROS_H
