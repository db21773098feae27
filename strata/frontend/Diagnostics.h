// Messages about a program's text: collected in order, printed with the source line and a caret.
//
//   tests.ta:4:9: error: 'B' has no value yet
//     C[i, k] = A[i, j] * B[j, k];
//                         ^~~~~~~
//   tests.ta:2:3: note: ...
#ifndef STRATA_FRONTEND_DIAGNOSTICS_H
#define STRATA_FRONTEND_DIAGNOSTICS_H

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace strata::frontend {

enum class Severity { Error, Warning, Note };

/// A place as people count it: lines and columns (bytes) from 1; line 0 says that there is none.
struct Place {
  unsigned line = 0, column = 0;
};

struct Diagnostic {
  Severity severity = Severity::Error;
  llvm::SMRange range; // invalid: about the program as a whole
  std::string message;
  std::vector<Diagnostic> notes;

  /// The code of the kind of mistake, "SE0204" (ErrorCodes.h); empty of notes, and of what has
  /// none.
  llvm::StringRef code() const;
};

class Diagnostics {
public:
  explicit Diagnostics(const llvm::SourceMgr &sources) : sources(sources) {}

  /// What `error` and `warning` give back, to add notes to. Notes to what was not recorded are
  /// dropped with it.
  class Report {
  public:
    explicit Report(Diagnostic *diagnostic) : diagnostic(diagnostic) {}
    /// An empty message adds nothing.
    Report &note(const llvm::Twine &message, llvm::SMRange range = {});

  private:
    Diagnostic *diagnostic;
  };

  Report error(llvm::SMRange range, const llvm::Twine &message);
  Report warning(llvm::SMRange range, const llvm::Twine &message);

  bool hasErrors() const { return numErrors != 0; }
  /// True once `maxErrors` were recorded: the rest is likely their consequence, and is dropped.
  bool full() const { return numErrors >= maxErrors; }
  llvm::ArrayRef<Diagnostic> all() const { return diagnostics; }
  const llvm::SourceMgr &sourceManager() const { return sources; }

  Place placeOf(llvm::SMLoc loc) const;
  /// Prints everything recorded. Colours, if `os` supports them and NO_COLOR is not set.
  void print(llvm::raw_ostream &os) const;
  void print(llvm::raw_ostream &os, bool colours) const;

  static constexpr unsigned maxErrors = 20;

private:
  void print(llvm::raw_ostream &os, const Diagnostic &diagnostic, bool colours) const;
  void printSource(llvm::raw_ostream &os, llvm::SMRange range, bool colours) const;

  const llvm::SourceMgr &sources;
  std::vector<Diagnostic> diagnostics;
  llvm::StringSet<> warned; ///< texts and places of warnings
  unsigned numErrors = 0;
};

} // namespace strata::frontend

#endif // STRATA_FRONTEND_DIAGNOSTICS_H
