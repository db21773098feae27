// The functions of the runtime behind those that kernels call.
#ifndef STRATA_LOWER_ENTRY_RUNTIMECALLS_H
#define STRATA_LOWER_ENTRY_RUNTIMECALLS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace strata {

/// Level functions call one function for each element type ("strata_grow_f64"); the runtime has one
/// for all ("strata_kernel_grow"). What is of the runtime already stays as it is.
std::string runtimeFunction(llvm::StringRef name);

} // namespace strata

#endif // STRATA_LOWER_ENTRY_RUNTIMECALLS_H
