// What a kernel allocates, read off its loops.
#ifndef STRATA_TOOLS_ALLOCATIONS_H
#define STRATA_TOOLS_ALLOCATIONS_H

#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <string>

namespace strata::tool {

/// One line for each array that the kernel allocates: element type and count, in terms of the
/// sizes and entry counts of its storages; then how many of them are scratch. Nothing if the kernel
/// could not be compiled.
std::optional<std::string> allocationsOf(mlir::ModuleOp kernel);

} // namespace strata::tool

#endif // STRATA_TOOLS_ALLOCATIONS_H
