// Headers, bodies, and the queue of messages.
#include "lsp/MessageInput.h"
#include "lsp/DocumentUri.h"

#include "strata/runtime/JsonNesting.h"

#include <unistd.h>

namespace lsp = llvm::lsp;
namespace json = llvm::json;
using llvm::StringRef;

namespace strata::tool {

llvm::LogicalResult MessageInput::readStandardMessage(std::string &json) {
  while (messages.empty() && !ended)
    wait();
  if (messages.empty())
    return llvm::failure();
  json = std::move(messages.front().json);
  current = std::move(messages.front().id);
  messages.pop_front();
  return llvm::success();
}

bool MessageInput::hasMore() {
  pollfd input{descriptor, POLLIN, 0};
  while (!ended && poll(&input, 1, 0) > 0)
    receive();
  return !messages.empty();
}

// Until there is a message, or something else is there or late.
void MessageInput::wait() {
  std::vector<pollfd> polled{{descriptor, POLLIN, 0}};
  auto now = std::chrono::steady_clock::now();
  int64_t patience = -1; // milliseconds
  for (const Other &other : others()) {
    polled.push_back({other.descriptor, POLLIN, 0});
    auto left = std::chrono::ceil<std::chrono::milliseconds>(other.deadline - now).count();
    left = std::clamp<int64_t>(left, 0, 60'000);
    patience = patience < 0 ? left : std::min(patience, left);
  }
  int count = poll(polled.data(), polled.size(), int(patience));
  if (count < 0 && errno != EINTR)
    ended = true;
  if (count > 0 && polled.front().revents)
    receive();
  if (polled.size() > 1)
    checkOthers();
}

void MessageInput::receive() {
  char buffer[65536];
  ssize_t count = read(descriptor, buffer, sizeof buffer);
  if (count < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (count <= 0) {
    ended = true;
    return;
  }
  bytes.append(buffer, size_t(count));
  while (takeOne())
    ;
}

// Takes a header with its body off the bytes that came. False if more must come first.
bool MessageInput::takeOne() {
  size_t passed = std::min(skipped, bytes.size());
  bytes.erase(0, passed);
  skipped -= passed;
  constexpr size_t longestHead = 8192;
  size_t end = StringRef(bytes).find("\r\n\r\n"), separator = 4;
  if (size_t plain = StringRef(bytes).find("\n\n"); plain < end) {
    end = plain;
    separator = 2;
  }
  if (end == StringRef::npos) {
    if (bytes.size() > longestHead) // no header; what comes may be one
      bytes.clear();
    return false;
  }
  uint64_t length = 0;
  bool known = false;
  llvm::SmallVector<StringRef> lines;
  StringRef(bytes).take_front(end).split(lines, '\n');
  for (StringRef line : lines) {
    auto [name, value] = line.split(':');
    if (name.trim().equals_insensitive("content-length"))
      known = !value.trim().getAsInteger(10, length);
  }
  if (!known) {
    bytes.erase(0, end + separator);
    return true;
  }
  if (length > maxMessage) {
    bytes.erase(0, end + separator);
    skipped = size_t(length);
    replyError(nullptr, lsp::ErrorCode::InvalidRequest, "the message is too long");
    return true;
  }
  if (bytes.size() - end - separator < length)
    return false;
  std::string body = bytes.substr(end + separator, size_t(length));
  bytes.erase(0, end + separator + size_t(length));
  take(body);
  return true;
}

static std::string textOf(const json::Value &value) { return llvm::formatv("{0}", value).str(); }

void MessageInput::take(StringRef body) {
  if (runtime::isJsonTooDeep(body))
    return replyError(nullptr, lsp::ErrorCode::ParseError, "the message is nested too deeply");
  llvm::Expected<json::Value> value = json::parse(body);
  if (!value)
    return replyError(nullptr, lsp::ErrorCode::ParseError, llvm::toString(value.takeError()));
  json::Object *object = value->getAsObject();
  if (!object || object->getString("jsonrpc") != std::optional<StringRef>("2.0"))
    return replyError(nullptr, lsp::ErrorCode::InvalidRequest,
                      "this is no message of JSON-RPC 2.0");
  std::optional<StringRef> method = object->getString("method");
  const json::Value *id = object->get("id");
  if (!method)
    return; // an answer: this server asks nothing
  if (*method == "$/cancelRequest") {
    const json::Object *params = object->getObject("params");
    const json::Value *which = params ? params->get("id") : nullptr;
    if (!which)
      return;
    std::string text = textOf(*which);
    auto waiting = llvm::find_if(messages, [&](const Message &m) { return m.id == text; });
    if (waiting == messages.end())
      return cancelled(text);
    json::Value copy = *which;
    messages.erase(waiting);
    return replyError(std::move(copy), lsp::ErrorCode::RequestCancelled, "cancelled");
  }
  std::string idText = id ? textOf(*id) : "";
  bool adapted = adaptUri(*object);
  messages.push_back({adapted ? textOf(*value) : body.str(), std::move(idText)});
}

} // namespace strata::tool
