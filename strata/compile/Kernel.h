// Statements as kernels: outlining a ta.compute for the types that its operands have at run time.
#ifndef STRATA_COMPILE_KERNEL_H
#define STRATA_COMPILE_KERNEL_H

#include "strata/lower/analysis/IndexStatement.h"

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

/// What becomes of stored values that equal the fill: of a format that cannot tell them from places
/// that hold nothing they are dropped (of elements that are no complex numbers).
enum class Fills { Kept, Dropped };

/// A module with one kernel that copies a tensor, entry by entry, to another format of the same
/// dimensions. To a format with slots that loops number (slotNumbering) it takes how many there are
/// as its last argument.
mlir::OwningOpRef<mlir::ModuleOp> copyKernel(mlir::RankedTensorType from, mlir::RankedTensorType to,
                                             llvm::StringRef name, Fills fills = Fills::Kept);

/// A module with one kernel that adds two tensors, entry by entry.
mlir::OwningOpRef<mlir::ModuleOp>
additionKernel(mlir::RankedTensorType one, mlir::RankedTensorType other, mlir::RankedTensorType to);

/// How many entries there are for each place in `dims`, dimensions of `from`: a kernel with a dense
/// result.
mlir::OwningOpRef<mlir::ModuleOp> countingKernel(mlir::RankedTensorType from,
                                                 llvm::ArrayRef<unsigned> dims);

/// Has the kernel of such a copy count before it stores, so that several threads can share the
/// work, where there are several and enough to do.
void preferPieces(mlir::ModuleOp copy, llvm::ArrayRef<int64_t> sizes, int64_t entries);

/// The loops of such a copy, if there are such as follow both formats: row after row gathered in a
/// workspace only where the result's rows are of blocks.
std::optional<LoopPlan> planOfCopy(mlir::ModuleOp copy);

} // namespace strata

#endif // STRATA_COMPILE_KERNEL_H
