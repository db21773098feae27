// A line on the terminal while a file is read, or a statement compiled, for more than a second.
#ifndef STRATA_TOOLS_PROGRESS_H
#define STRATA_TOOLS_PROGRESS_H

#include "strata/runtime/io/TensorFile.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <memory>

namespace strata::tool {

/// What the reader of `file` reports to; empty where standard error is no terminal.
runtime::Progress progressOf(const std::string &file);

/// Shows, a second after it was called with a statement, that this is compiled, until it is called
/// with an empty text; empty where standard error is no terminal.
std::function<void(llvm::StringRef)> compileProgress();

/// Shows after a second that `work` is being done, until what it gives is destroyed; null where
/// standard error is no terminal.
std::shared_ptr<void> workProgress(llvm::StringRef work);

/// Takes the line away, before something else is written.
void clearProgress();

} // namespace strata::tool

#endif // STRATA_TOOLS_PROGRESS_H
