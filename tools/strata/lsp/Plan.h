// What planning says of a program, computed in a process of its own.
#ifndef STRATA_TOOLS_LSP_PLAN_H
#define STRATA_TOOLS_LSP_PLAN_H

#include "Session.h"
#include "lsp/Document.h"

namespace strata::tool {

/// A message of a pass, or what it did to a tensor.
struct PlanMessage {
  frontend::Severity severity = frontend::Severity::Note;
  unsigned line = 0, column = 0; ///< from 1, in bytes; 0: of the program as a whole
  std::string message;           ///< with its notes, a line each
};

/// A statement, as `strata explain` tells it.
struct PlannedStatement {
  unsigned line = 0, column = 0;
  std::string schedule; ///< the commands that lead to its loops; empty if these are the naive ones
  std::vector<std::string> lines;
};

struct Plan {
  std::vector<PlanMessage> messages;
  std::vector<PlannedStatement> statements;
};

/// Plans the program, which has no errors of the front end, and gives the plan as text. Takes the
/// session, and with it the process, for its own.
std::string planText(Session &session, const LineText &text, const std::string &name);
/// Reads it back; an empty plan where it is none.
Plan readPlan(llvm::StringRef text);

/// Takes what a context's diagnostics say as messages of a plan.
PlanMessage messageOf(mlir::Diagnostic &diagnostic);

} // namespace strata::tool

#endif // STRATA_TOOLS_LSP_PLAN_H
