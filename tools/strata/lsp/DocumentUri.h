// Names of documents that are no files: "untitled:Untitled-1", which LLVM's library does not take.
#ifndef STRATA_TOOLS_LSP_DOCUMENTURI_H
#define STRATA_TOOLS_LSP_DOCUMENTURI_H

#include "llvm/Support/LSP/Protocol.h"

namespace strata::tool {

/// Replaces the document's name in a message by one that the library takes. False if it takes the
/// one that is there, or there is none.
bool adaptUri(llvm::json::Object &message);

/// The name as the editor gave it.
std::string originalUri(const llvm::lsp::URIForFile &uri);

} // namespace strata::tool

#endif // STRATA_TOOLS_LSP_DOCUMENTURI_H
