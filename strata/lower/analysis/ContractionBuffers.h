// What the blocks of a dense contraction take besides its tensors.
#ifndef STRATA_LOWER_ANALYSIS_CONTRACTIONBUFFERS_H
#define STRATA_LOWER_ANALYSIS_CONTRACTIONBUFFERS_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

/// The bytes into which a statement's products of two dense tensors may be packed, on `threads`
/// threads that each pack their own, with the tables of offsets of several labels: of the product
/// that takes most, for they are computed one after the other.
double contractionBufferBytes(ta::ComputeOp op, int64_t threads,
                              llvm::function_ref<int64_t(mlir::Value)> extentOf);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_CONTRACTIONBUFFERS_H
