// Takes the addresses of compiler-rt's functions, whose true types only LLVM needs to know.
#include "strata/target/cpu/CompilerBuiltins.h"

#define BUILTIN(name) extern "C" void name();
#include "strata/target/cpu/CompilerBuiltins.inc"
#undef BUILTIN

namespace strata {

llvm::ArrayRef<CompilerBuiltin> compilerBuiltins() {
#define BUILTIN(name) {#name, &name},
  static constexpr CompilerBuiltin all[] = {
#include "strata/target/cpu/CompilerBuiltins.inc"
  };
#undef BUILTIN
  return all;
}

} // namespace strata
