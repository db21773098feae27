// Which scheduling commands are legal at a place of a schedule: found by applying them.
#ifndef STRATA_TOOLS_LSP_LEGALCOMMANDS_H
#define STRATA_TOOLS_LSP_LEGALCOMMANDS_H

#include "Session.h"
#include "lsp/Document.h"

#include <chrono>

namespace strata::tool {

/// A place where a command may stand: inside the braces of a statement's schedule.
struct SchedulePlace {
  size_t wordBegin = 0;        ///< of the name that is begun there; else the place itself
  size_t open = 0;             ///< behind the schedule's brace
  std::optional<size_t> close; ///< the brace that closes it
  bool inArguments = false;    ///< within the parentheses of a command
  std::string command;         ///< the one that is begun
  unsigned argument = 0;       ///< the number of the argument, from 0
};

/// The schedule around an offset of the text; nothing where there is none.
std::optional<SchedulePlace> schedulePlaceAt(llvm::StringRef text, size_t offset);

struct LegalCommands {
  std::vector<std::string>
      commands;         ///< "reorder(i, k, j)", those that are tried first before others
  bool complete = true; ///< no time limit ended it
};

/// Tries commands behind those before the place, and gives those with which the statement compiles,
/// as JSON. Takes the session, and with it the process, for its own.
std::string legalCommandsText(Session &session, const LineText &text, const std::string &name,
                              const SchedulePlace &place, std::chrono::milliseconds limit);
LegalCommands readLegalCommands(llvm::StringRef text);

} // namespace strata::tool

#endif // STRATA_TOOLS_LSP_LEGALCOMMANDS_H
