// Whole programs, compiled ahead: data for the interpreter (host/Program.h), and their kernels.
#ifndef STRATA_TRANSLATE_COMPILEDPROGRAM_H
#define STRATA_TRANSLATE_COMPILEDPROGRAM_H

#include "strata/host/Program.h"
#include "strata/target/cpu/Processor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace strata {

/// The caller gives a program its arguments, and gets what it returns.
enum class Caller {
  Process, ///< nobody, or a test, as lists of entries
  Code     ///< a function of C, as storages: one for each tensor, or for each part of a hybrid one
};

struct CompiledProgram {
  host::Program program;
  Caller caller = Caller::Process;
  std::string comment = {}; ///< of arguments and results that are storages, for its declaration
  mlir::OwningOpRef<mlir::ModuleOp> kernels; ///< one function for each number of a kernel
  std::vector<std::string> names;            ///< of these functions
  std::vector<mlir::Operation *> operations; ///< of each of the program's places
};

/// Decides all that depends on formats alone. Widths that formats leave open are 64 bits for
/// positions, since nobody knows how many entries come, and `width` for coordinates. What cannot be
/// done without the compiler is an error at its operation; nothing is returned then.
std::optional<CompiledProgram> compileProgram(mlir::func::FuncOp main, llvm::StringRef name,
                                              unsigned width, Caller caller = Caller::Process);

/// Adds a program as data to a module in the LLVM dialect that has its kernels.
void embedProgram(mlir::ModuleOp module, const CompiledProgram &compiled);

/// What functions of the runtime take of a program in a module.
struct EmbeddedProgram {
  mlir::Value bytes, size, kernels;
};
EmbeddedProgram embeddedProgram(mlir::ModuleOp module, mlir::OpBuilder &b, llvm::StringRef name);

/// An object file with a function NAME_run (strata_program_run without its first arguments) for
/// each program that a process runs, and NAME (likewise, of strata_program_call) for each that code
/// calls; and, if it is to be linked as a program of its own, `main`, which runs the first.
runtime::Result<std::string> objectOf(std::vector<CompiledProgram> programs,
                                      const Processor &processor, bool withMain);

/// The declarations of these functions, for C, which the program `name` defines.
std::string headerOf(llvm::StringRef name, llvm::ArrayRef<CompiledProgram> programs);

} // namespace strata

#endif // STRATA_TRANSLATE_COMPILEDPROGRAM_H
