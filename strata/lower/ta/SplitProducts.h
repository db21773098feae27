// Parts of statements over dense tensors that are computed first, so that products run as fast as
// they do alone.
#ifndef STRATA_LOWER_TA_SPLITPRODUCTS_H
#define STRATA_LOWER_TA_SPLITPRODUCTS_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

/// Makes a statement of a factor of a dense contraction that is more than a tensor's element, such
/// as a sum of two: the contraction then runs in blocks. `made` numbers the temporaries of the
/// program.
bool splitFactor(ta::ComputeOp op, unsigned &made);

/// Makes a statement of a sum of products of sparse tensors that a dense result has as a part:
/// alone it goes through rows of one for entries of the other, with other terms around it each of
/// its values is a sum by itself. So does a sum whose terms are added up in the order in which an
/// operand stores them, where the loops of other terms would need that operand converted.
///
/// The tensor is dense. Where it makes a difference which sums have terms (HeldZeros), it keeps
/// that: its places are marked. Where what operands hold decides, both ways are kept, and the
/// statement of the marked one is appended to `ways`.
bool splitSparseSum(ta::ComputeOp op, unsigned &made, llvm::SmallVectorImpl<ta::ComputeOp> &ways);

} // namespace strata

#endif // STRATA_LOWER_TA_SPLITPRODUCTS_H
