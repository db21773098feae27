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
/// The named formats.
int printFormatHelp();
/// The processors that --cpu takes.
int printProcessors();
/// Of a topic on which there is no help.
int refuseTopic(llvm::StringRef topic);
int printGeneralHelp();

} // namespace strata::tool

#endif // STRATA_TOOLS_HELP_H
