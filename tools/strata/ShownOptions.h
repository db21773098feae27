// The options of a command that help, completion and the manual page show.
#ifndef STRATA_TOOLS_SHOWNOPTIONS_H
#define STRATA_TOOLS_SHOWNOPTIONS_H

#include "Arguments.h"

namespace strata::tool {

struct ShownOption {
  std::string word;                ///< "--time", "--stage=", "-D"
  std::string call;                ///< with its value: "--stage=STAGE", "-D NAME=VALUE"
  llvm::StringRef value;           ///< "STAGE"; empty: it takes none
  std::string help;                ///< with the setting that gives it a value, if there is one
  std::vector<std::string> values; ///< where there are only so many
};

/// In the order of the table. A statement's have one dash, as TACO's users type them.
std::vector<ShownOption> shownOptions(const Command &command);

} // namespace strata::tool

#endif // STRATA_TOOLS_SHOWNOPTIONS_H
