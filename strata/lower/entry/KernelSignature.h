// What a kernel that others call was compiled for, as attributes of its function.
#ifndef STRATA_LOWER_ENTRY_KERNELSIGNATURE_H
#define STRATA_LOWER_ENTRY_KERNELSIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace strata {

/// The words and names of runtime/storage/Signature.h. Where a kernel has them, its entry point has
/// the runtime compare the arguments with them.
struct Signature {
  static constexpr llvm::StringLiteral wordsAttribute = "strata.signature";
  static constexpr llvm::StringLiteral namesAttribute = "strata.names";

  llvm::SmallVector<int64_t> words;
  std::string names;
};

void setSignature(mlir::func::FuncOp kernel, const Signature &signature);
std::optional<Signature> signatureOf(mlir::Operation *kernel);

} // namespace strata

#endif // STRATA_LOWER_ENTRY_KERNELSIGNATURE_H
