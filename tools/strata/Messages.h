// What the tool says on standard error, and how the process ends.
#ifndef STRATA_TOOLS_MESSAGES_H
#define STRATA_TOOLS_MESSAGES_H

#include "strata/frontend/Diagnostics.h"

#include "llvm/ADT/Twine.h"

namespace strata::tool {

/// What the process returns.
enum ExitCode {
  exitSuccess = 0,
  exitFailure = 1, ///< the program or its data is wrong, or a check failed
  exitMisuse = 2,  ///< the command line is wrong
  exitLost = 85    ///< a rank was not heard of in time, or can no longer be reached
};

/// An error as it was shown, for reports.
struct Said {
  std::string message, file;
  frontend::Place place;
};

/// "strata: error: ...", then what would help as a note (an empty hint adds none). Both give the
/// code to return.
int fail(const llvm::Twine &message, const llvm::Twine &hint = "");
int refuse(const llvm::Twine &message, const llvm::Twine &hint = "");

/// "strata: warning: ...", of what is doubtful in a file; not with --quiet.
void warn(const llvm::Twine &message);

/// "PLACE: note: ...", unless --quiet turns notes off. What would mend an error is always said.
void note(const llvm::Twine &message, const llvm::Twine &place = "strata");
void turnNotesOff();

/// Shows everything recorded, with the lines that it is about.
void show(const frontend::Diagnostics &diagnostics);

/// The errors shown so far.
llvm::ArrayRef<Said> errorsShown();

/// Does this stream take colours? What --color says, else: terminals do, without NO_COLOR.
bool useColours(const llvm::raw_ostream &os);
/// Takes the value of --color. False after a mistake, which was reported.
bool setColours(llvm::StringRef when);

} // namespace strata::tool

#endif // STRATA_TOOLS_MESSAGES_H
