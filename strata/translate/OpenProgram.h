// Programs as data, whose kernels are made as a run needs them.
#ifndef STRATA_TRANSLATE_OPENPROGRAM_H
#define STRATA_TRANSLATE_OPENPROGRAM_H

#include "strata/translate/ProgramTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace strata {

struct OpenProgram {
  host::Program program;       ///< without kernels; its types are those of the operations
  ProgramTypes types{program}; ///< to which a run adds those that it decides
  std::vector<mlir::Operation *> operations; ///< of each of the program's places
  llvm::DenseMap<mlir::Value, host::TensorId> tensors;
  llvm::DenseMap<mlir::Value, host::SizeId> sizes;

  OpenProgram() = default;
  OpenProgram(const OpenProgram &) = delete;
};

/// The function as data; null after an error, which was reported at its operation.
std::unique_ptr<OpenProgram> translateProgram(mlir::func::FuncOp main);

} // namespace strata

#endif // STRATA_TRANSLATE_OPENPROGRAM_H
