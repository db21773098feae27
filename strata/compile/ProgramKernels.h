// The kernels of a program, made before it runs: for `emit` and `explain`, which read no files.
#ifndef STRATA_COMPILE_PROGRAMKERNELS_H
#define STRATA_COMPILE_PROGRAMKERNELS_H

#include "strata/compile/Kernel.h"
#include "strata/lower/analysis/KernelAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <vector>

namespace strata {

/// The function that runs.
mlir::func::FuncOp mainOf(mlir::ModuleOp module);

struct ProgramKernel {
  ta::ComputeOp statement;
  std::string name; ///< "kernel_C", "kernel_C_compute": of the function, and in object files
  Phase phase = Phase::All;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  KernelArguments arguments;
};

/// The widths, in bits, of positions and coordinates where a format leaves them open.
struct OpenWidths {
  unsigned bits = 32;
  /// ... but for the positions of results that are not dense: nobody knows how many entries come.
  unsigned resultPositions = 64;

  /// So many bits for all; those above if it is 0, where nobody asked for any.
  static OpenWidths asked(unsigned bits) { return bits ? OpenWidths{bits, bits} : OpenWidths(); }
};

/// A kernel for each statement of `main`, in order, whose formats may have been resolved; none for
/// what is left to conversions, whose kernels depend on what they are given.
///
/// With `phases`, each statement that makes its result afresh also has kernels for the phases.
/// Where a result cannot be made in phases, that is an error at the statement; nothing is returned.
std::optional<std::vector<ProgramKernel>> kernelsOf(mlir::func::FuncOp main, OpenWidths widths,
                                                    bool phases = false);

/// All kernels in one module.
mlir::OwningOpRef<mlir::ModuleOp> mergeKernels(llvm::ArrayRef<ProgramKernel> kernels,
                                               mlir::MLIRContext *context);

} // namespace strata

#endif // STRATA_COMPILE_PROGRAMKERNELS_H
