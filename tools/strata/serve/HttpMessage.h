// As much of HTTP/1.1 (RFC 9112) as a page for one person needs: requests with a body of a known
// length, and answers after which the connection is closed.
#ifndef STRATA_TOOLS_SERVE_HTTPMESSAGE_H
#define STRATA_TOOLS_SERVE_HTTPMESSAGE_H

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <variant>

namespace strata::tool {

struct HttpRequest {
  std::string method, target;
  std::map<std::string, std::string> headers; ///< by their names in lower case
  std::string body;

  /// Empty if there is none.
  llvm::StringRef header(llvm::StringRef name) const;
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  bool isPage = false; ///< it may run the server's script, and nothing else
};

struct HttpLimits {
  size_t headBytes = 16 * 1024;
  size_t bodyBytes = 64 * 1024;
};

/// More bytes are needed.
struct Incomplete {};

/// Reads a request from the bytes that came so far; a response where it is refused.
std::variant<Incomplete, HttpRequest, HttpResponse> parseRequest(llvm::StringRef bytes,
                                                                 const HttpLimits &limits);

/// The bytes of a response. Its headers forbid what a page of ours has no use for: to be framed, to
/// load anything from elsewhere, to be kept.
std::string bytesOf(const HttpResponse &response, bool withBody = true);

} // namespace strata::tool

#endif // STRATA_TOOLS_SERVE_HTTPMESSAGE_H
