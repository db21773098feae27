// The texts of --help and --version.
#ifndef STRATA_TOOLS_HELP_H
#define STRATA_TOOLS_HELP_H

#include "Arguments.h"

namespace strata::tool {

/// What `strata --help` says, after an empty line.
extern const char generalHelp[];

/// Both print on standard output and give the code to return.
int printHelp(const Command &command);
int printVersion();
/// The processors that --cpu takes.
int printProcessors();
/// What 'help TOPIC' says of formats and of scheduling; refuses other topics.
int printTopic(llvm::StringRef topic);
int printGeneralHelp();

} // namespace strata::tool

#endif // STRATA_TOOLS_HELP_H
