// One thread: it answers from the front end at once, and lets children plan programs and try
// scheduling commands, which may take longer, or end.
#include "lsp/LanguageServer.h"
#include "lsp/DocumentUri.h"

#include "strata/Version.h"

#include <unistd.h>

namespace lsp = llvm::lsp;
namespace json = llvm::json;
using llvm::StringRef;
using Clock = std::chrono::steady_clock;

namespace strata::tool {

static bool fromJSON(const json::Value &value, RenameParams &result, json::Path path) {
  json::ObjectMapper map(value, path);
  return fromJSON(value, result.place, path) && map && map.map("newName", result.newName);
}

/// A document, its plan, and the child that makes it.
struct LanguageServer::Open {
  lsp::URIForFile uri;
  Document document;
  std::optional<Plan> plan = std::nullopt;
  std::optional<Worker> planner = std::nullopt;
  bool wantsPlan = true;
  bool wantsPublishing = true; ///< what the front end says of this text was not told yet
  /// Requests to hover that wait for the plan.
  struct Hovering {
    std::string id;
    lsp::Position position;
    Callback<Json> reply;
  };
  std::list<Hovering> hovering = {};
};

/// A request for scheduling commands.
struct LanguageServer::Waiting {
  std::string id;
  lsp::URIForFile uri;
  SchedulePlace place;
  size_t offset;
  Worker worker;
  Callback<Json> reply;
};

static llvm::Error errorOf(lsp::ErrorCode code, const llvm::Twine &message) {
  return llvm::make_error<lsp::LSPError>(message.str(), code);
}

LanguageServer::LanguageServer(int descriptor, llvm::raw_ostream &output,
                               LanguageServerLimits limits)
    : limits(std::move(limits)), input(new MessageInput(descriptor)),
      transport(std::unique_ptr<lsp::JSONTransportInput>(input), output), handler(transport) {
  input->replyError = [this](Json id, lsp::ErrorCode code, StringRef message) {
    transport.reply(std::move(id), errorOf(code, message));
  };
  input->cancelled = [this](StringRef id) { cancel(id); };
  input->others = [this] { return descriptors(); };
  input->checkOthers = [this] { checkWorkers(); };
  publishDiagnostics = handler.outgoingNotification<Json>("textDocument/publishDiagnostics");
  registerMethods();
}

LanguageServer::~LanguageServer() = default;

void LanguageServer::registerMethods() {
  handler.method("initialize", this, &LanguageServer::onInitialize);
  handler.method("shutdown", this, &LanguageServer::onShutdown);
  handler.notification("textDocument/didOpen", this, &LanguageServer::onOpen);
  handler.notification("textDocument/didChange", this, &LanguageServer::onChange);
  handler.notification("textDocument/didClose", this, &LanguageServer::onClose);
  handler.method("textDocument/hover", this, &LanguageServer::onHover);
  handler.method("textDocument/completion", this, &LanguageServer::onCompletion);
  handler.method("textDocument/signatureHelp", this, &LanguageServer::onSignature);
  handler.method("textDocument/documentSymbol", this, &LanguageServer::onSymbols);
  handler.method("textDocument/definition", this, &LanguageServer::onDefinition);
  handler.method("textDocument/references", this, &LanguageServer::onReferences);
  handler.method("textDocument/prepareRename", this, &LanguageServer::onPrepareRename);
  handler.method("textDocument/rename", this, &LanguageServer::onRename);
  handler.method("textDocument/formatting", this, &LanguageServer::onFormatting);
}

bool LanguageServer::run() {
  lsp::Logger::setLogLevel(lsp::Logger::Level::Error);
  llvm::consumeError(transport.run(handler));
  return shutDown;
}

//===------------------------------------------------------------------------------------------===//
// Beginning and end
//===------------------------------------------------------------------------------------------===//

void LanguageServer::onInitialize(const lsp::InitializeParams &, Callback<Json> reply) {
  json::Object capabilities{
      {"textDocumentSync", json::Object{{"openClose", true}, {"change", 2}, {"save", true}}},
      {"hoverProvider", true},
      {"completionProvider", json::Object{{"triggerCharacters", json::Array{"<", "{", "@"}}}},
      {"signatureHelpProvider", json::Object{{"triggerCharacters", json::Array{"(", ","}}}},
      {"documentSymbolProvider", true},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"renameProvider", json::Object{{"prepareProvider", true}}},
      {"documentFormattingProvider", true}};
  reply(Json(
      json::Object{{"capabilities", std::move(capabilities)},
                   {"serverInfo", json::Object{{"name", "strata"}, {"version", STRATA_VERSION}}}}));
}

void LanguageServer::onShutdown(const lsp::NoParams &, Callback<std::nullptr_t> reply) {
  shutDown = true;
  reply(nullptr);
}

//===------------------------------------------------------------------------------------------===//
// Documents
//===------------------------------------------------------------------------------------------===//

LanguageServer::Open *LanguageServer::find(const lsp::URIForFile &uri) {
  auto found = llvm::find_if(documents, [&](const Open &open) { return open.uri == uri; });
  return found == documents.end() ? nullptr : &*found;
}

void LanguageServer::remove(const lsp::URIForFile &uri) {
  if (Open *open = find(uri))
    dropHovering(*open);
  documents.remove_if([&](const Open &open) { return open.uri == uri; });
}

// Answers the hovers that wait for the plan of a text that is there no more.
void LanguageServer::dropHovering(Open &open) {
  for (Open::Hovering &one : open.hovering)
    one.reply(errorOf(lsp::ErrorCode::ContentModified, "the text has changed"));
  open.hovering.clear();
}

void LanguageServer::onOpen(const lsp::DidOpenTextDocumentParams &params) {
  const lsp::TextDocumentItem &item = params.textDocument;
  remove(item.uri);
  StringRef name = item.uri.file().rsplit('/').second;
  documents.push_back(
      {item.uri, Document(name.empty() ? "program.ta" : name.str(), item.text, item.version)});
  changed(documents.back());
}

void LanguageServer::onChange(const lsp::DidChangeTextDocumentParams &params) {
  Open *open = find(params.textDocument.uri);
  if (!open)
    return;
  open->document.change(params.contentChanges, params.textDocument.version);
  changed(*open);
}

void LanguageServer::onClose(const lsp::DidCloseTextDocumentParams &params) {
  dropWaiting(params.textDocument.uri);
  if (!find(params.textDocument.uri))
    return;
  remove(params.textDocument.uri);
  publishDiagnostics(Json(
      json::Object{{"uri", originalUri(params.textDocument.uri)}, {"diagnostics", json::Array{}}}));
}

void LanguageServer::changed(Open &open) {
  open.plan.reset();
  open.planner.reset();
  open.wantsPlan = true;
  open.wantsPublishing = true;
  dropWaiting(open.uri);
  dropHovering(open);
  // While a person types, only the last text is of interest: it is told of before the server waits.
  if (!input->hasMore())
    publish(open);
}

void LanguageServer::publish(Open &open) {
  open.wantsPublishing = false;
  // What was said of a shorter text holds no longer.
  if (open.document.text().text().size() > limits.textBytes)
    return publishDiagnostics(
        Json(json::Object{{"uri", originalUri(open.uri)}, {"diagnostics", json::Array{}}}));
  publishDiagnostics(
      diagnosticsJson(open.uri, open.document, session.context, open.plan ? &*open.plan : nullptr));
}

// Answers a request about a document that is open, unless it is too long.
template <typename Answer>
void LanguageServer::answer(const lsp::URIForFile &uri, Callback<Json> &reply, Answer answer) {
  Open *open = find(uri);
  if (!open)
    return reply(errorOf(lsp::ErrorCode::InvalidParams, "'" + originalUri(uri) + "' is not open"));
  if (open->document.text().text().size() > limits.textBytes)
    return reply(errorOf(lsp::ErrorCode::RequestFailed, "the text is too long to be analyzed"));
  answer(*open);
}

//===------------------------------------------------------------------------------------------===//
// Children
//===------------------------------------------------------------------------------------------===//

// Tells what is wrong in each document, and starts to plan those that have no plan, once nothing
// else is to be done.
void LanguageServer::startPlans() {
  for (Open &open : documents) {
    if (open.wantsPublishing)
      publish(open);
    if (!open.wantsPlan || open.planner)
      continue;
    open.wantsPlan = false;
    if (open.document.text().text().size() > limits.textBytes)
      continue;
    const Analysis &analysis = open.document.analysis(session.context);
    if (analysis.diagnostics.hasErrors() || analysis.programs.empty()) {
      open.plan = Plan();
      takePlan(open);
      continue;
    }
    runtime::Result<Worker> worker = Worker::start(
        [&] {
          dup2(STDERR_FILENO, STDOUT_FILENO);
          return planText(session, open.document.text(), open.document.name);
        },
        limits.plan);
    if (worker)
      open.planner.emplace(std::move(*worker));
    else
      takePlan(open);
  }
}

// Tells what the plan says, and answers those who wait for it.
void LanguageServer::takePlan(Open &open) {
  if (open.plan && !open.plan->messages.empty())
    publish(open);
  for (Open::Hovering &one : open.hovering)
    hover(open, one.position, one.reply);
  open.hovering.clear();
}

std::vector<MessageInput::Other> LanguageServer::descriptors() const {
  // Asked for where the server has nothing to do but to wait.
  const_cast<LanguageServer *>(this)->startPlans();
  std::vector<MessageInput::Other> list;
  for (const Open &open : documents)
    if (open.planner)
      list.push_back({open.planner->descriptor(), open.planner->deadline()});
  for (const Waiting &one : waiting)
    list.push_back({one.worker.descriptor(), one.worker.deadline()});
  return list;
}

// The result of a child that has ended, or whose time is over; empty where it failed.
static std::optional<std::string> resultOf(Worker &worker) {
  if (!worker.read() && Clock::now() < worker.deadline())
    return std::nullopt;
  return worker.finish().ok() ? worker.result() : std::string();
}

void LanguageServer::checkWorkers() {
  for (Open &open : documents) {
    std::optional<std::string> result = open.planner ? resultOf(*open.planner) : std::nullopt;
    if (!result)
      continue;
    open.planner.reset();
    open.plan = readPlan(*result);
    takePlan(open);
  }
  for (auto one = waiting.begin(); one != waiting.end();) {
    std::optional<std::string> result = resultOf(one->worker);
    if (!result) {
      ++one;
      continue;
    }
    if (Open *open = find(one->uri))
      one->reply(Json(commandCompletions(open->document.text(), one->place, one->offset,
                                         readLegalCommands(*result))));
    one = waiting.erase(one);
  }
}

void LanguageServer::cancel(StringRef id) {
  for (auto one = waiting.begin(); one != waiting.end(); ++one)
    if (one->id == id) {
      one->reply(errorOf(lsp::ErrorCode::RequestCancelled, "cancelled"));
      waiting.erase(one);
      return;
    }
  for (Open &open : documents)
    for (auto one = open.hovering.begin(); one != open.hovering.end(); ++one)
      if (one->id == id) {
        one->reply(errorOf(lsp::ErrorCode::RequestCancelled, "cancelled"));
        open.hovering.erase(one);
        return;
      }
}

void LanguageServer::dropWaiting(const lsp::URIForFile &uri) {
  for (auto one = waiting.begin(); one != waiting.end();) {
    if (!(one->uri == uri)) {
      ++one;
      continue;
    }
    one->reply(errorOf(lsp::ErrorCode::ContentModified, "the text has changed"));
    one = waiting.erase(one);
  }
}

//===------------------------------------------------------------------------------------------===//
// Requests
//===------------------------------------------------------------------------------------------===//

void LanguageServer::hover(Open &open, lsp::Position position, Callback<Json> &reply) {
  std::optional<lsp::Hover> hover =
      hoverAt(open.document, session.context, open.plan ? &*open.plan : nullptr, position);
  reply(hover ? Json(*hover) : Json(nullptr));
}

void LanguageServer::onHover(const lsp::TextDocumentPositionParams &params, Callback<Json> reply) {
  answer(params.textDocument.uri, reply, [&](Open &open) {
    // What is said of a statement is in the plan.
    if (open.planner || open.wantsPlan)
      open.hovering.push_back({input->currentId(), params.position, std::move(reply)});
    else
      hover(open, params.position, reply);
  });
}

void LanguageServer::onCompletion(const lsp::CompletionParams &params, Callback<Json> reply) {
  answer(params.textDocument.uri, reply, [&](Open &open) {
    const LineText &text = open.document.text();
    size_t offset = text.offsetOf(params.position);
    std::optional<SchedulePlace> place = schedulePlaceAt(text.text(), offset);
    if (!place || place->inArguments)
      return reply(Json(completionsAt(open.document, session.context, params.position)));
    WorkerLimits limits = this->limits.plan;
    limits.time = this->limits.completion * 2; // it ends by itself before
    runtime::Result<Worker> worker = Worker::start(
        [&] {
          dup2(STDERR_FILENO, STDOUT_FILENO);
          return legalCommandsText(session, text, open.document.name, *place,
                                   this->limits.completion);
        },
        limits);
    if (!worker)
      return reply(errorOf(lsp::ErrorCode::RequestFailed, worker.error().sentence()));
    waiting.push_back(
        {input->currentId(), open.uri, *place, offset, std::move(*worker), std::move(reply)});
  });
}

void LanguageServer::onSignature(const lsp::TextDocumentPositionParams &params,
                                 Callback<Json> reply) {
  answer(params.textDocument.uri, reply, [&](Open &open) {
    lsp::SignatureHelp help = signatureAt(open.document.text(), params.position);
    reply(help.signatures.empty() ? Json(nullptr) : Json(help));
  });
}

void LanguageServer::onSymbols(const lsp::DocumentSymbolParams &params, Callback<Json> reply) {
  answer(params.textDocument.uri, reply, [&](Open &open) {
    json::Array list;
    for (const lsp::DocumentSymbol &symbol : symbolsOf(open.document, session.context))
      list.push_back(symbol);
    reply(Json(std::move(list)));
  });
}

static json::Value placesJson(const std::vector<lsp::Location> &places) {
  json::Array list;
  for (const lsp::Location &place : places)
    list.push_back(json::Object{{"uri", originalUri(place.uri)}, {"range", place.range}});
  return list;
}

void LanguageServer::onDefinition(const lsp::TextDocumentPositionParams &params,
                                  Callback<Json> reply) {
  answer(params.textDocument.uri, reply, [&](Open &open) {
    reply(placesJson(definitionAt(open.uri, open.document, session.context, params.position)));
  });
}

void LanguageServer::onReferences(const lsp::ReferenceParams &params, Callback<Json> reply) {
  answer(params.textDocument.uri, reply, [&](Open &open) {
    reply(placesJson(referencesAt(open.uri, open.document, session.context, params.position,
                                  params.context.includeDeclaration)));
  });
}

void LanguageServer::onPrepareRename(const lsp::TextDocumentPositionParams &params,
                                     Callback<Json> reply) {
  answer(params.textDocument.uri, reply, [&](Open &open) {
    llvm::Expected<lsp::Range> range = renamable(open.document, session.context, params.position);
    range ? reply(Json(*range)) : reply(range.takeError());
  });
}

void LanguageServer::onRename(const RenameParams &params, Callback<Json> reply) {
  answer(params.place.textDocument.uri, reply, [&](Open &open) {
    llvm::Expected<std::vector<lsp::TextEdit>> edits =
        renameAt(open.document, session.context, params.place.position, params.newName);
    if (!edits)
      return reply(edits.takeError());
    json::Array list;
    for (const lsp::TextEdit &edit : *edits)
      list.push_back(edit);
    reply(Json(json::Object{{"changes", json::Object{{originalUri(open.uri), std::move(list)}}}}));
  });
}

void LanguageServer::onFormatting(const lsp::DocumentSymbolParams &params, Callback<Json> reply) {
  answer(params.textDocument.uri, reply, [&](Open &open) {
    json::Array list;
    // A text with mistakes of syntax stays as it is: what belongs together is not known.
    if (open.document.analysis(session.context).parsed)
      for (const lsp::TextEdit &edit : layoutEdits(open.document.text()))
        list.push_back(edit);
    reply(Json(std::move(list)));
  });
}

} // namespace strata::tool
