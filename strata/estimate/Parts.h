// The outermost loop of a sum may be divided into parts with sums of their own.
#ifndef STRATA_ESTIMATE_PARTS_H
#define STRATA_ESTIMATE_PARTS_H

#include "strata/estimate/Work.h"

#include <string>

namespace strata {

/// Tells whether the values of the outermost loop add to the same places of a dense result (a
/// matrix by columns times a vector), with so many entries for each place that a copy of the result
/// costs little beside them; or whether one value of a sparse operand's first label has most of its
/// entries, so that loops are cut by entries: not of an operand of which the loops read a part
/// (`windowed`). It depends on data alone, not on threads: results do
/// not either.
bool wantsParts(ta::ComputeOp op, bool windowed, llvm::ArrayRef<int64_t> sizes,
                llvm::function_ref<Occupancy(mlir::Value)> occupancyOf);
/// Why a statement whose kernel prefers parts is cut by entries; empty if it is not.
std::string reasonToCut(ta::ComputeOp op);
/// For tests: sums of so many entries are divided.
void divideSumsFrom(double entries);
/// Of the copies of such a result.
double bytesOfParts(ta::ComputeOp op, llvm::ArrayRef<int64_t> sizes);

} // namespace strata

#endif // STRATA_ESTIMATE_PARTS_H
