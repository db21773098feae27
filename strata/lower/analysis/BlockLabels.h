// Labels whose values sparse tensors store in blocks, so that loops can go from block to block.
//
// `C[i, k] = A[i, j] * B[j, k]` of matrices in 8x8 blocks runs over the blocks of A and B, and for
// each pair of them over a dense product of order 8; by rows and columns it would find each block
// anew in each of its rows.
#ifndef STRATA_LOWER_ANALYSIS_BLOCKLABELS_H
#define STRATA_LOWER_ANALYSIS_BLOCKLABELS_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

/// The labels that loops take from block to block, in the order of `plan`, where several operands
/// store blocks: each label of these has blocks of one size in all sparse tensors that have it.
/// None where the plan's loops cannot be divided so.
llvm::SmallVector<VariableBlocks> labelsInBlocks(const IndexStatement &statement,
                                                 const LoopPlan &plan);

/// The same of one operand in blocks that is multiplied by a dense one, if a block times the rows
/// of that is a contraction for which blocks that stay in the caches are worthwhile where it has
/// many columns. Sizes have no say: the run asks for them.
llvm::SmallVector<VariableBlocks> labelsToContract(const IndexStatement &statement,
                                                   const LoopPlan &plan);

/// The label of which a coordinate is the number of a block, or the place in one.
struct BlockDigit {
  VariableBlocks label;
  bool isPlace;
};

/// Nothing where a coordinate is no such digit of one of `labels`.
std::optional<BlockDigit> asBlockDigit(mlir::AffineExpr coordinate,
                                       llvm::ArrayRef<VariableBlocks> labels);

/// True if each level of a sparse result stores the number of such a block, or a place in it.
bool storesBlocks(const AccessPath &result, llvm::ArrayRef<VariableBlocks> labels);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_BLOCKLABELS_H
