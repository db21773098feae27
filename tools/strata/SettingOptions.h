// Settings as options of commands.
#ifndef STRATA_TOOLS_SETTINGOPTIONS_H
#define STRATA_TOOLS_SETTINGOPTIONS_H

#include "Arguments.h"

namespace strata::tool {

/// Takes --config and --isolated of the command line, checks the environment and reads the files.
/// Returns the exit code after a mistake, which was reported. Nothing is read where help or the
/// version is asked for.
std::optional<int> readSettings(llvm::ArrayRef<const char *> arguments);

/// The arguments that settings stand for: of each that has a value, that is an option of the
/// command, and that is not among those given. They live as long as the process.
std::vector<const char *> settingArguments(const Command &command,
                                           const llvm::opt::InputArgList &given);

/// After a mistake in the command line: tells which settings of files took part in it.
void noteSettings();

} // namespace strata::tool

#endif // STRATA_TOOLS_SETTINGOPTIONS_H
