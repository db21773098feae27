// One statement on the command line, for other commands than itself.
#ifndef STRATA_TOOLS_ONELINER_H
#define STRATA_TOOLS_ONELINER_H

#include "strata/explain/ProgramStage.h"

#include "llvm/ADT/ArrayRef.h"

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

} // namespace strata::tool

#endif // STRATA_TOOLS_ONELINER_H
