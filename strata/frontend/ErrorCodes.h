// The codes of mistakes. docs/Errors.md is the table: it is compiled in, and read here.
#ifndef STRATA_FRONTEND_ERRORCODES_H
#define STRATA_FRONTEND_ERRORCODES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <utility>
#include <vector>

namespace strata::frontend {

/// A kind of mistake.
struct ErrorPage {
  llvm::StringRef code; ///< "SE0204", or "SW0002" of a warning
  llvm::StringRef name; ///< "no value yet"
  /// What messages of it say; "…" stands for any text.
  std::vector<llvm::StringRef> says;
  /// The same of messages that bring their code (runtime::Error).
  std::vector<llvm::StringRef> saysRunning;
  llvm::StringRef text; ///< of the page, in Markdown, from the heading on
};

/// All of them, by their codes.
llvm::ArrayRef<ErrorPage> errorPages();

/// The page of a code, in either case of letters; null if there is none.
const ErrorPage *findErrorPage(llvm::StringRef code);

/// A message of the runtime without the code that stands behind it, as in "… [SE1303]", and that
/// code; empty if there is none.
std::pair<llvm::StringRef, llvm::StringRef> splitCode(llvm::StringRef message);

/// The code of a message: the one that stands behind it, or else that of the table; empty if it has
/// none. Of several that the message fits, the one that says
/// most of it.
llvm::StringRef errorCodeOf(llvm::StringRef message);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_ERRORCODES_H
