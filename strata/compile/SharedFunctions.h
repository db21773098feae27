// Functions that kernels share: taken out of the modules of kernels, and found again by the names
// that their object files call.
#ifndef STRATA_COMPILE_SHAREDFUNCTIONS_H
#define STRATA_COMPILE_SHAREDFUNCTIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <string>
#include <vector>

namespace strata {

/// A function, as a module.
struct SharedCode {
  std::string digest; ///< of all that its machine code depends on
  std::string title;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Moves the functions that are marked so (markShared) to modules of their own. What is left calls
/// them by sharedName(). `options` are what the rest of the road depends on, `target` is the
/// processor.
std::vector<SharedCode> takeSharedFunctions(mlir::ModuleOp kernels, llvm::StringRef options,
                                            llvm::StringRef target);

std::string sharedName(llvm::StringRef digest);

/// The digests of the shared functions that an object file calls and does not have.
std::vector<std::string> sharedFunctionsOf(const llvm::MemoryBuffer &object);

} // namespace strata

#endif // STRATA_COMPILE_SHAREDFUNCTIONS_H
