// Statements as kernels: outlining a ta.compute for the types that its operands have at run time.
#ifndef STRATA_EXECUTION_KERNEL_H
#define STRATA_EXECUTION_KERNEL_H

#include "strata/dialect/ta/Ta.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace strata {

/// Where the arguments of an outlined kernel come from: operands of the statement, by number.
struct KernelArguments {
  llvm::SmallVector<mlir::Value> tensors; ///< in order, without the result
  llvm::SmallVector<mlir::Value> extents;
};

/// A module with one function marked strata.kernel that computes `op`. `typeOf` gives the run-time
/// type of each operand, `resultType` that of the result. `nameOf` names operands for readers.
mlir::OwningOpRef<mlir::ModuleOp>
outlineKernel(ta::ComputeOp op, llvm::StringRef name,
              llvm::function_ref<mlir::RankedTensorType(mlir::Value)> typeOf,
              llvm::function_ref<std::string(mlir::Value)> nameOf,
              mlir::RankedTensorType resultType, KernelArguments &arguments);

/// A module with one kernel that copies a tensor, entry by entry, to another format of the same
/// dimensions.
mlir::OwningOpRef<mlir::ModuleOp> copyKernel(mlir::RankedTensorType from, mlir::RankedTensorType to,
                                             llvm::StringRef name);

/// Has the kernel of such a copy count before it stores, so that several threads can share the
/// work, where there are several and enough to do.
void preferPieces(mlir::ModuleOp copy, llvm::ArrayRef<int64_t> sizes, int64_t entries);

/// Can loops follow both formats of such a copy, without a workspace?
bool canBeFollowed(mlir::ModuleOp copy);

} // namespace strata

#endif // STRATA_EXECUTION_KERNEL_H
