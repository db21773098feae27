// Escapes text for XML and HTML.
#include "strata/page/Markup.h"

#include "llvm/Support/JSON.h"

using llvm::StringRef;

namespace strata::page {

static constexpr StringRef replacement = "\xEF\xBF\xBD";

std::string escaped(StringRef text) {
  std::string valid = llvm::json::fixUTF8(text), result;
  result.reserve(valid.size());
  for (size_t at = 0; at < valid.size(); ++at) {
    StringRef rest = StringRef(valid).drop_front(at);
    auto byte = static_cast<unsigned char>(valid[at]);
    // U+FFFE and U+FFFF are no characters of XML.
    bool isNone = rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF");
    if (isNone || (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F)
      result += replacement, at += isNone ? 2 : 0;
    else if (byte == '&')
      result += "&amp;";
    else if (byte == '<')
      result += "&lt;";
    else if (byte == '>')
      result += "&gt;";
    else if (byte == '"')
      result += "&quot;";
    else if (byte == '\'')
      result += "&#39;";
    else
      result += char(byte);
  }
  return result;
}

} // namespace strata::page
