// Which stage a kernel has reached, so that a pass refuses what it cannot take.
#ifndef STRATA_LOWER_UTILS_KERNELSTAGE_H
#define STRATA_LOWER_UTILS_KERNELSTAGE_H

#include "mlir/IR/BuiltinOps.h"

namespace strata {

/// What a kernel is written in.
enum class KernelStage {
  Statement, ///< one ta.compute
  Loops,     ///< loops over index variables: cin
  Walks,     ///< walks over coordinate hierarchies: lvl
  Code,      ///< upstream dialects, and contractions that are not loops yet (lvl.contract)
  Machine,   ///< LLVM's dialect
};

/// Fails, with an error at the first other kernel that says which pass is missing or has run
/// already, unless all kernels of `module` are written in `expected`. `pass` is the name of the
/// pass that asks.
mlir::LogicalResult expectStage(mlir::ModuleOp module, KernelStage expected, llvm::StringRef pass);

} // namespace strata

#endif // STRATA_LOWER_UTILS_KERNELSTAGE_H
