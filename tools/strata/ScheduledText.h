// The program that runs, as text: the program as it is written, with the compiler's choices behind
// its statements.
#ifndef STRATA_TOOLS_SCHEDULEDTEXT_H
#define STRATA_TOOLS_SCHEDULEDTEXT_H

#include "Session.h"

#include <optional>

namespace strata::tool {

/// The text of a program (.ta), in which each statement that the compiler schedules has its
/// schedule, with the reasons as comments. Compiled, it gives the same kernels. A statement whose
/// computation no schedule says stays as it is; a comment tells so. `width`: of positions and
/// coordinates that formats leave open. Nothing after an error, which was reported.
std::optional<std::string> scheduledText(Session &session, llvm::StringRef file,
                                         const frontend::Parameters &parameters,
                                         const ProgramOptions &options, unsigned width);

} // namespace strata::tool

#endif // STRATA_TOOLS_SCHEDULEDTEXT_H
