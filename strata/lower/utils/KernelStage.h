// Which stage a kernel has reached, so that a pass refuses what it cannot take.
#ifndef STRATA_LOWER_UTILS_KERNELSTAGE_H
#define STRATA_LOWER_UTILS_KERNELSTAGE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace strata {

/// What a kernel is written in.
enum class KernelStage {
  Statement, ///< one ta.compute
  Loops,     ///< loops over index variables: cin
  Walks,     ///< walks over coordinate hierarchies: lvl
  Code,      ///< upstream dialects alone
};

/// Fails, with an error at the kernel that says which pass is missing or has run already, unless
/// the kernel is written in `expected`. `pass` is the name of the pass that asks.
mlir::LogicalResult expectStage(mlir::func::FuncOp kernel, KernelStage expected,
                                llvm::StringRef pass);

} // namespace strata

#endif // STRATA_LOWER_UTILS_KERNELSTAGE_H
