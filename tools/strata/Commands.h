// The commands, each in a file of its own.
#ifndef STRATA_TOOLS_COMMANDS_H
#define STRATA_TOOLS_COMMANDS_H

#include "Arguments.h"

namespace strata::tool {

extern const Command runDescription, benchDescription, exploreDescription, explainDescription,
    emitDescription, compileDescription, infoDescription, checkDescription, convertDescription,
    reorderDescription, spyDescription, dumpDescription, cacheDescription, machineDescription,
    formatDescription, lspDescription, serveDescription, configDescription, ranksDescription,
    statementDescription, completionDescription, manualDescription;

/// All of them, in the order of --help.
llvm::ArrayRef<const Command *> allCommands();

/// Each takes what follows its name and gives the process's exit code.
int runCommand(llvm::ArrayRef<const char *> arguments);
int benchCommand(llvm::ArrayRef<const char *> arguments);
int exploreCommand(llvm::ArrayRef<const char *> arguments);
int explainCommand(llvm::ArrayRef<const char *> arguments);
int emitCommand(llvm::ArrayRef<const char *> arguments);
int compileCommand(llvm::ArrayRef<const char *> arguments);
int checkCommand(llvm::ArrayRef<const char *> arguments);
int infoCommand(llvm::ArrayRef<const char *> arguments);
int convertCommand(llvm::ArrayRef<const char *> arguments);
int reorderCommand(llvm::ArrayRef<const char *> arguments);
int spyCommand(llvm::ArrayRef<const char *> arguments);
int dumpCommand(llvm::ArrayRef<const char *> arguments);
int cacheCommand(llvm::ArrayRef<const char *> arguments);
int configCommand(llvm::ArrayRef<const char *> arguments);
int machineCommand(llvm::ArrayRef<const char *> arguments);
int ranksCommand(llvm::ArrayRef<const char *> arguments);
int formatCommand(llvm::ArrayRef<const char *> arguments);
int lspCommand(llvm::ArrayRef<const char *> arguments);
int serveCommand(llvm::ArrayRef<const char *> arguments);
int completionCommand(llvm::ArrayRef<const char *> arguments);
int manualCommand(llvm::ArrayRef<const char *> arguments);
/// `strata 'y(i) = ...' -f=...`.
int statementCommand(llvm::ArrayRef<const char *> arguments);
/// Is the first argument that is no option (nor the value of one) a statement?
bool hasStatement(llvm::ArrayRef<const char *> arguments);

} // namespace strata::tool

#endif // STRATA_TOOLS_COMMANDS_H
