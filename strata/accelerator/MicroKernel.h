// The micro-kernel of an accelerator as LLVM IR.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_ACCELERATOR_MICROKERNEL_H
#define STRATA_ACCELERATOR_MICROKERNEL_H

#include "strata/accelerator/Accelerator.h"

#include "llvm/IR/Function.h"

namespace strata::accelerator {

/// Adds to a module the function `micro_kernel(C, A, B)`: for each tile of the result that is as
/// large as the array, its sums are loaded into registers, products are added to them, and they are
/// stored.
///
///   for each tile
///     sum[half][i][j] = C[i, j]                for i, j in the tile
///     for k
///       sum[half][i][j] += A[k, i] * B[k, j]   for i, j in the tile
///     C[i, j] = sum[half][i][j]                for i, j in the tile
///
/// `half` alternates, so that the sums of one tile can be stored and those of the next be loaded
/// while products are added. A comes transposed, as packing leaves it, so that neighbours among
/// rows lie in different banks. Loops over places of the array have the metadata
/// `llvm.loop.unroll.full`: their iterations are places, not steps.
llvm::Function *buildMicroKernel(llvm::Module &module, const Accelerator &accelerator);

} // namespace strata::accelerator

#endif // STRATA_ACCELERATOR_MICROKERNEL_H
