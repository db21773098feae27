// How often a statement is computed, as far as that is known before.
#ifndef STRATA_RUN_WORKOFROUNDS_H
#define STRATA_RUN_WORKOFROUNDS_H

#include "strata/dialect/ta/Ta.h"
#include "strata/tensor/TensorValue.h"

namespace strata {

/// The rounds of all loops around the statement: those of a counted loop, and of one that ends by a
/// condition its limit, or 100 if that is more.
double roundsAround(ta::ComputeOp op,
                    llvm::function_ref<std::optional<TensorValue>(mlir::Value)> valueOf);

/// Takes the blocks from dense contractions of a statement in a loop where all rounds together have
/// less to do than compiling blocks: so many operations take less than a tenth of a second in
/// loops, and their blocks a second or two to compile. `operations`: those of a round. Outside of
/// loops nobody knows how often a program is run again.
void forbidIdleBlocks(ta::ComputeOp op, ta::ComputeOp inKernel, double operations,
                      llvm::function_ref<std::optional<TensorValue>(mlir::Value)> valueOf);

} // namespace strata

#endif // STRATA_RUN_WORKOFROUNDS_H
