// The language server: documents, requests, and plans that are computed meanwhile.
#ifndef STRATA_TOOLS_LSP_LANGUAGESERVER_H
#define STRATA_TOOLS_LSP_LANGUAGESERVER_H

#include "lsp/Answers.h"
#include "lsp/MessageInput.h"
#include "serve/Worker.h"

namespace strata::tool {

struct LanguageServerLimits {
  WorkerLimits plan;                         ///< of planning a program
  std::chrono::milliseconds completion{800}; ///< of trying scheduling commands
  size_t textBytes = size_t(4) << 20;        ///< of a document that is analyzed
};

/// A name's place, and the name that it is to have.
struct RenameParams {
  llvm::lsp::TextDocumentPositionParams place;
  std::string newName;
};

class LanguageServer {
public:
  /// Messages come from one descriptor and go to a stream, to which nothing else is written.
  LanguageServer(int input, llvm::raw_ostream &output, LanguageServerLimits limits);
  ~LanguageServer();

  /// Answers until it is told to exit or the input ends. True if it was told to shut down before.
  bool run();

private:
  template <typename T> using Callback = llvm::lsp::Callback<T>;
  using Json = llvm::json::Value;

  void registerMethods();
  void onInitialize(const llvm::lsp::InitializeParams &params, Callback<Json> reply);
  void onShutdown(const llvm::lsp::NoParams &params, Callback<std::nullptr_t> reply);
  void onOpen(const llvm::lsp::DidOpenTextDocumentParams &params);
  void onChange(const llvm::lsp::DidChangeTextDocumentParams &params);
  void onClose(const llvm::lsp::DidCloseTextDocumentParams &params);
  void onHover(const llvm::lsp::TextDocumentPositionParams &params, Callback<Json> reply);
  void onCompletion(const llvm::lsp::CompletionParams &params, Callback<Json> reply);
  void onSignature(const llvm::lsp::TextDocumentPositionParams &params, Callback<Json> reply);
  void onSymbols(const llvm::lsp::DocumentSymbolParams &params, Callback<Json> reply);
  void onDefinition(const llvm::lsp::TextDocumentPositionParams &params, Callback<Json> reply);
  void onReferences(const llvm::lsp::ReferenceParams &params, Callback<Json> reply);
  void onPrepareRename(const llvm::lsp::TextDocumentPositionParams &params, Callback<Json> reply);
  void onRename(const RenameParams &params, Callback<Json> reply);
  void onFormatting(const llvm::lsp::DocumentSymbolParams &params, Callback<Json> reply);

  struct Open;
  struct Waiting;

  Open *find(const llvm::lsp::URIForFile &uri);
  template <typename Answer>
  void answer(const llvm::lsp::URIForFile &uri, Callback<Json> &reply, Answer answer);
  void changed(Open &open);
  void publish(Open &open);
  void hover(Open &open, llvm::lsp::Position position, Callback<Json> &reply);
  void startPlans();
  void takePlan(Open &open);
  std::vector<MessageInput::Other> descriptors() const;
  void checkWorkers();
  void cancel(llvm::StringRef id);
  void dropWaiting(const llvm::lsp::URIForFile &uri);
  void dropHovering(Open &open);
  void remove(const llvm::lsp::URIForFile &uri);

  LanguageServerLimits limits;
  Session session;
  MessageInput *input; ///< of the transport
  llvm::lsp::JSONTransport transport;
  llvm::lsp::MessageHandler handler;
  llvm::lsp::OutgoingNotification<Json> publishDiagnostics;
  std::list<Open> documents;
  std::list<Waiting> waiting;
  bool shutDown = false;
};

} // namespace strata::tool

#endif // STRATA_TOOLS_LSP_LANGUAGESERVER_H
