// One statement on the command line, for other commands than itself.
#ifndef STRATA_TOOLS_ONELINER_H
#define STRATA_TOOLS_ONELINER_H

#include "strata/explain/ProgramStage.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace strata::tool {

/// What `strata emit` writes of a statement.
struct StatementFile {
  std::optional<ProgramStage> stage; ///< none: the syntax tree
  bool phases = false;
  bool svg = false;   ///< as a picture
  std::string output; ///< a file's name, or "-"
};

/// Compiles the statement with its options as far as is asked, and gives the process's exit code.
int emitStatement(llvm::ArrayRef<const char *> arguments, const StatementFile &wanted);

/// Compiles the statement with its options, but for what a run needs, and calls `use` with the
/// prepared program. Gives the process's exit code: that of `use`, or of a mistake, which was
/// reported.
int withStatement(llvm::ArrayRef<const char *> arguments,
                  llvm::function_ref<int(mlir::ModuleOp, const Processor &)> use);

} // namespace strata::tool

#endif // STRATA_TOOLS_ONELINER_H
