// A line on the terminal while a file is read for more than a second.
#ifndef STRATA_TOOLS_PROGRESS_H
#define STRATA_TOOLS_PROGRESS_H

#include "strata/runtime/io/TensorFile.h"

namespace strata::tool {

/// What the reader of `file` reports to; empty where standard error is no terminal.
runtime::Progress progressOf(const std::string &file);

/// Takes the line away, before something else is written.
void clearProgress();

} // namespace strata::tool

#endif // STRATA_TOOLS_PROGRESS_H
