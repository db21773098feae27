// The functions of compiler-rt that LLVM's code generation calls.
#ifndef STRATA_TARGET_CPU_COMPILERBUILTINS_H
#define STRATA_TARGET_CPU_COMPILERBUILTINS_H

#include "llvm/ADT/ArrayRef.h"

namespace strata {

struct CompilerBuiltin {
  const char *name; ///< "__truncsfbf2"
  void (*address)();
};

/// All of them, as the runtime brings them to kernels in object files, too.
llvm::ArrayRef<CompilerBuiltin> compilerBuiltins();

} // namespace strata

#endif // STRATA_TARGET_CPU_COMPILERBUILTINS_H
