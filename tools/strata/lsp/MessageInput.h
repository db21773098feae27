// Messages of the protocol, read while other work goes on.
#ifndef STRATA_TOOLS_LSP_MESSAGEINPUT_H
#define STRATA_TOOLS_LSP_MESSAGEINPUT_H

#include "llvm/Support/LSP/Transport.h"

#include <chrono>
#include <deque>
#include <functional>
#include <list>
#include <poll.h>

namespace strata::tool {

/// Takes whatever has come apart as soon as it is there, so that a request that is cancelled before
/// it is begun is never begun. What is no message of JSON-RPC is answered with an error and goes no
/// further.
class MessageInput : public llvm::lsp::JSONTransportInput {
public:
  /// `replyError` answers a message that goes no further; its id may be null.
  using ReplyError =
      std::function<void(llvm::json::Value id, llvm::lsp::ErrorCode, llvm::StringRef message)>;
  /// Something else that is waited for: a descriptor, until a time.
  struct Other {
    int descriptor;
    std::chrono::steady_clock::time_point deadline;
  };

  explicit MessageInput(int descriptor) : descriptor(descriptor) {}

  bool hasError() const override { return false; }
  bool isEndOfInput() const override { return ended && messages.empty(); }
  llvm::LogicalResult readStandardMessage(std::string &json) override;
  llvm::LogicalResult readDelimitedMessage(std::string &json) override {
    return readStandardMessage(json);
  }

  /// Tells whether messages wait.
  bool hasMore();
  /// The id of the request that was read last, as text.
  const std::string &currentId() const { return current; }

  ReplyError replyError;
  /// A request that is at work is cancelled; its id as text.
  std::function<void(llvm::StringRef id)> cancelled;
  /// What is waited for besides, and what to do when that may be there.
  std::function<std::vector<Other>()> others;
  std::function<void()> checkOthers;

  static constexpr size_t maxMessage = size_t(32) << 20; ///< bytes

private:
  struct Message {
    std::string json, id; ///< of a request, as text
  };

  void wait();
  void receive();
  void take(llvm::StringRef body);
  bool takeOne();

  int descriptor;
  bool ended = false;
  std::string bytes, current;
  size_t skipped = 0; ///< bytes of a body that is too long, to pass over
  std::deque<Message> messages;
};

} // namespace strata::tool

#endif // STRATA_TOOLS_LSP_MESSAGEINPUT_H
