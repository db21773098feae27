// Kernels as C99, to be read, and to be compiled with any compiler.
#ifndef STRATA_TARGET_C_CSOURCE_H
#define STRATA_TARGET_C_CSOURCE_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace strata::c {

struct KernelText {
  std::string name;                 ///< of the kernel's function
  std::string comment;              ///< what it computes, on what; empty for none
  std::vector<std::string> buffers; ///< what the result's buffers are called
};

/// A C file with the kernels of a module at Stage::Scf, made without pieces
/// (serial). It needs the runtime's headers and library, as object files do.
/// Nothing after an error, which was reported: C99 has no 16-bit floating-point
/// numbers and no integers of more than 64 bits.
std::optional<std::string> cSource(mlir::ModuleOp kernels, llvm::ArrayRef<KernelText> texts);

} // namespace strata::c

#endif // STRATA_TARGET_C_CSOURCE_H
