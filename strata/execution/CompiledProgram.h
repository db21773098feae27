// Whole programs, compiled ahead: data for the interpreter (host/Program.h), and the kernels.
#ifndef STRATA_EXECUTION_COMPILEDPROGRAM_H
#define STRATA_EXECUTION_COMPILEDPROGRAM_H

#include "strata/execution/Processor.h"
#include "strata/host/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace strata {

struct CompiledProgram {
  host::Program program;
  mlir::OwningOpRef<mlir::ModuleOp> kernels; ///< one function for each number of a kernel
  std::vector<std::string> names;            ///< of these functions
};

/// Decides all that depends on formats alone. Widths that formats leave open are 64 bits for
/// positions, since nobody knows how many entries come, and `width` for coordinates. What cannot be
/// done without the compiler is an error at its operation; nothing is returned then.
std::optional<CompiledProgram> compileProgram(mlir::func::FuncOp main, llvm::StringRef name,
                                              unsigned width);

/// An object file with a function NAME_run (strata_program_run without its first arguments) and, if
/// it is to be linked as a program of its own, `main`.
runtime::Result<std::string> objectOf(CompiledProgram compiled, const Processor &processor,
                                      bool withMain);

/// The declaration of NAME_run, for C.
std::string headerOf(const host::Program &program);

} // namespace strata

#endif // STRATA_EXECUTION_COMPILEDPROGRAM_H
