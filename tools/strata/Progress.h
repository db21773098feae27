// A line on the terminal while a file is read, or a statement compiled, for more than a second.
#ifndef STRATA_TOOLS_PROGRESS_H
#define STRATA_TOOLS_PROGRESS_H

#include "strata/runtime/io/TensorFile.h"
#include "llvm/ADT/StringRef.h"

#include <functional>

namespace strata::tool {

/// What the reader of `file` reports to; empty where standard error is no terminal.
runtime::Progress progressOf(const std::string &file);

/// Shows, a second after it was called with a statement, that this is compiled, until it is called
/// with an empty text; empty where standard error is no terminal.
std::function<void(llvm::StringRef)> compileProgress();

/// Takes the line away, before something else is written.
void clearProgress();

} // namespace strata::tool

#endif // STRATA_TOOLS_PROGRESS_H
