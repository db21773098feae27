// The editor's name, in digits, as the path of a name with a scheme of ours.
#include "lsp/DocumentUri.h"

#include "llvm/ADT/StringExtras.h"

namespace lsp = llvm::lsp;
using llvm::StringRef;

namespace strata::tool {

static constexpr llvm::StringLiteral prefix = "strata:///";

bool adaptUri(llvm::json::Object &message) {
  [[maybe_unused]] static const bool registered =
      (lsp::URIForFile::registerSupportedScheme("strata"), true);
  llvm::json::Object *params = message.getObject("params");
  llvm::json::Object *document = params ? params->getObject("textDocument") : nullptr;
  std::optional<StringRef> uri = document ? document->getString("uri") : std::nullopt;
  if (!uri)
    return false;
  if (llvm::Expected<lsp::URIForFile> known = lsp::URIForFile::fromURI(*uri)) {
    return false;
  } else {
    llvm::consumeError(known.takeError());
  }
  (*document)["uri"] = (prefix + llvm::toHex(*uri)).str();
  return true;
}

std::string originalUri(const lsp::URIForFile &uri) {
  StringRef text = uri.uri();
  std::string original;
  if (text.consume_front(prefix) && llvm::tryGetFromHex(text, original))
    return original;
  return uri.uri().str();
}

} // namespace strata::tool
