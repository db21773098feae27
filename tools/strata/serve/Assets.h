// The page that is served, which is part of the program.
#ifndef STRATA_TOOLS_SERVE_ASSETS_H
#define STRATA_TOOLS_SERVE_ASSETS_H

#include "serve/HttpMessage.h"

#include <optional>

namespace strata::tool {

/// The page, its style or its script; nothing for other paths.
std::optional<HttpResponse> assetAt(llvm::StringRef path);

} // namespace strata::tool

#endif // STRATA_TOOLS_SERVE_ASSETS_H
