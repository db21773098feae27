// Lowers kernels, and says which command of a schedule stands in the way.
#ifndef STRATA_LOWER_LOWERKERNELS_H
#define STRATA_LOWER_LOWERKERNELS_H

#include "strata/lower/Pipeline.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace strata {

/// Runs `addKernelPasses` on a module of kernels, in place. Where a pass fails, a note at its error
/// names the command of a schedule to leave out, if leaving one out helps.
mlir::LogicalResult lowerKernels(mlir::ModuleOp kernels, Stage stage,
                                 const KernelOptions &options = {});

/// The two halves of lowerKernels() to Stage::Llvm, between which functions that kernels share can
/// be taken out.
mlir::LogicalResult lowerToShared(mlir::ModuleOp kernels, const KernelOptions &options);
mlir::LogicalResult lowerFromShared(mlir::ModuleOp kernels, const KernelOptions &options);

/// The same for `lower`, which lowers a copy of these kernels in ta.
mlir::LogicalResult notingCommandToLeaveOut(mlir::ModuleOp kernels,
                                            llvm::function_ref<mlir::LogicalResult()> lower);

} // namespace strata

#endif // STRATA_LOWER_LOWERKERNELS_H
