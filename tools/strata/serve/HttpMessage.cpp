// Reads requests and writes responses.
#include "serve/HttpMessage.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace strata::tool {

StringRef HttpRequest::header(StringRef name) const {
  auto found = headers.find(name.str());
  return found == headers.end() ? StringRef() : StringRef(found->second);
}

static HttpResponse refusal(int status, StringRef why) {
  return {.status = status, .type = "text/plain; charset=utf-8", .body = (why + "\n").str()};
}

// A name of RFC 9110 section 5.6.2.
static bool isToken(StringRef text) {
  return !text.empty() && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || StringRef("!#$%&'*+-.^_`|~").contains(c);
  });
}

// The lines of a head without its first one. A response where one is no header, or comes twice and
// decides how the request is read.
static std::optional<HttpResponse> parseHeaders(StringRef lines, HttpRequest &request) {
  while (!lines.empty()) {
    auto [line, rest] = lines.split("\r\n");
    lines = rest;
    auto [name, value] = line.split(':');
    if (!isToken(name) || name.size() == line.size() || value.contains('\0') ||
        value.contains('\n') || value.contains('\r'))
      return refusal(400, "a header is malformed");
    std::string key = name.lower();
    bool decides = key == "host" || key == "content-length" || key == "transfer-encoding" ||
                   key == "origin" || key == "content-type";
    if (decides && request.headers.contains(key))
      return refusal(400, "the header '" + key + "' comes twice");
    request.headers[key] = value.trim(" \t").str();
  }
  return std::nullopt;
}

static std::variant<size_t, HttpResponse> bodySize(const HttpRequest &request,
                                                   const HttpLimits &limits) {
  if (!request.header("transfer-encoding").empty())
    return refusal(411, "the length of the body must be known");
  StringRef length = request.header("content-length");
  if (length.empty())
    return request.method == "POST"
               ? std::variant<size_t, HttpResponse>(refusal(411, "the body has no length"))
               : size_t(0);
  size_t size = 0;
  if (!llvm::all_of(length, llvm::isDigit))
    return refusal(400, "the body's length is no number");
  if (length.size() > 18 || length.getAsInteger(10, size) || size > limits.bodyBytes)
    return refusal(413, "a request has at most " + std::to_string(limits.bodyBytes) + " bytes");
  return size;
}

std::variant<Incomplete, HttpRequest, HttpResponse> parseRequest(StringRef bytes,
                                                                 const HttpLimits &limits) {
  size_t end = bytes.find("\r\n\r\n");
  if (std::min(end, bytes.size()) > limits.headBytes)
    return refusal(431, "the head of the request is too large");
  if (end == StringRef::npos)
    return Incomplete{};
  auto [first, lines] = bytes.take_front(end).split("\r\n");
  llvm::SmallVector<StringRef, 3> words;
  first.split(words, ' ');
  HttpRequest request;
  if (words.size() != 3 || !isToken(words[0]) || !words[1].starts_with("/") ||
      !llvm::all_of(words[1], [](char c) { return c > ' ' && c < 0x7F; }))
    return refusal(400, "this is no request");
  if (words[2] != "HTTP/1.1" && words[2] != "HTTP/1.0")
    return refusal(505, "the version of HTTP is not known");
  request.method = words[0];
  request.target = words[1];
  if (std::optional<HttpResponse> wrong = parseHeaders(lines, request))
    return *wrong;
  auto size = bodySize(request, limits);
  if (HttpResponse *wrong = std::get_if<HttpResponse>(&size))
    return *wrong;
  StringRef body = bytes.drop_front(end + 4);
  if (body.size() < std::get<size_t>(size))
    return Incomplete{};
  request.body = body.take_front(std::get<size_t>(size));
  return request;
}

static StringRef reasonOf(int status) {
  switch (status) {
  case 200:
    return "OK";
  case 400:
    return "Bad Request";
  case 403:
    return "Forbidden";
  case 404:
    return "Not Found";
  case 405:
    return "Method Not Allowed";
  case 408:
    return "Request Timeout";
  case 411:
    return "Length Required";
  case 413:
    return "Content Too Large";
  case 415:
    return "Unsupported Media Type";
  case 431:
    return "Request Header Fields Too Large";
  case 503:
    return "Service Unavailable";
  case 505:
    return "HTTP Version Not Supported";
  }
  return "Error";
}

std::string bytesOf(const HttpResponse &response, bool withBody) {
  std::string text = "HTTP/1.1 " + std::to_string(response.status) + " " +
                     reasonOf(response.status).str() + "\r\nContent-Type: " + response.type +
                     "\r\nContent-Length: " + std::to_string(response.body.size()) +
                     "\r\nConnection: close\r\nCache-Control: no-store\r\n"
                     "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
                     "Cross-Origin-Resource-Policy: same-origin\r\n"
                     "Cross-Origin-Opener-Policy: same-origin\r\n"
                     "Content-Security-Policy: default-src 'none'; base-uri 'none'; "
                     "form-action 'none'; frame-ancestors 'none'";
  if (response.isPage)
    text += "; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:";
  return text + "\r\n\r\n" + (withBody ? response.body : "");
}

} // namespace strata::tool
