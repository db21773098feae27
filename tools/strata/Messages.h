// What the tool says on standard error, and how the process ends.
#ifndef STRATA_TOOLS_MESSAGES_H
#define STRATA_TOOLS_MESSAGES_H

#include "strata/frontend/Diagnostics.h"

#include "llvm/ADT/Twine.h"

namespace strata::tool {

/// What the process returns; of several ranks also runtime::dist::lostCode.
enum ExitCode {
  exitSuccess = 0,
  exitFailure = 1, ///< the program or its data is wrong, or a check failed
  exitMisuse = 2   ///< the command line is wrong
};

/// An error as it was shown, for reports.
struct Said {
  std::string message, file;
  frontend::Place place;
  std::string code = {}; ///< of the kind of mistake; may be empty
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

/// From here on errors are kept, not shown, and warnings and notes are dropped: another process,
/// with the same ones, speaks for this one.
void keepMessages();
/// Those that were kept.
llvm::StringRef messagesKept();
/// Shows what was kept of a failure; `who` is "on rank 2 of 4", empty of this process.
void showFromRank(llvm::StringRef text, const llvm::Twine &who);
/// An error, and a note, that are shown even where messages are kept: the process cannot tell the
/// one that speaks for it.
void failInRank(const llvm::Twine &message);
void noteFromRank(const llvm::Twine &message);

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
