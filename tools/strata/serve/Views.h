// What the page shows of a statement, computed in a process of its own.
#ifndef STRATA_TOOLS_SERVE_VIEWS_H
#define STRATA_TOOLS_SERVE_VIEWS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace strata::tool {

/// Answers a request (ViewRequest.h) in JSON: `ok`, `html`, the part of a page to show, `messages`,
/// each with its text, the `source` that it is about ("statement" or "schedule") and its `line` and
/// `column` there, `log`, all that was said, and `milliseconds`. It takes the process for its own:
/// what is printed goes into the answer.
std::string viewAnswer(llvm::StringRef json, const std::string &folder, int64_t memoryBytes);

} // namespace strata::tool

#endif // STRATA_TOOLS_SERVE_VIEWS_H
