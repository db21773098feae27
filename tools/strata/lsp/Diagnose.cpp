// Messages as the protocol has them.
#include "lsp/Answers.h"
#include "lsp/DocumentUri.h"

#include "strata/frontend/ErrorCodes.h"
#include "strata/frontend/Layout.h"

namespace lsp = llvm::lsp;
namespace json = llvm::json;
using llvm::StringRef;

namespace strata::tool {

static int severityOf(frontend::Severity severity) {
  switch (severity) {
  case frontend::Severity::Error:
    return 1;
  case frontend::Severity::Warning:
    return 2;
  case frontend::Severity::Note:
    return 3;
  }
  return 3;
}

static json::Object messageJson(const lsp::Range &range, frontend::Severity severity,
                                StringRef message) {
  StringRef first = message.split('\n').first;
  const std::string text =
      (frontend::splitCode(first).first + message.drop_front(first.size())).str();
  json::Object result{{"range", range},
                      {"severity", severityOf(severity)},
                      {"source", "strata"},
                      {"message", json::fixUTF8(text)}};
  if (severity != frontend::Severity::Note)
    if (StringRef code = frontend::errorCodeOf(first); !code.empty())
      result["code"] = code;
  return result;
}

// What is about the program as a whole stands at its beginning.
static lsp::Range rangeOf(const LineText &text, const Analysis &analysis, llvm::SMRange range) {
  if (!range.isValid())
    return lsp::Range(lsp::Position(0, 0));
  return text.rangeOf(analysis.offsetOf(range.Start), analysis.offsetOf(range.End));
}

static json::Value frontendMessage(const lsp::URIForFile &uri, const LineText &text,
                                   const Analysis &analysis, const frontend::Diagnostic &said) {
  std::string message = said.message;
  json::Array related;
  for (const frontend::Diagnostic &note : said.notes) {
    if (!note.range.isValid()) {
      message += "\n" + note.message;
      continue;
    }
    json::Object place{{"uri", originalUri(uri)}, {"range", rangeOf(text, analysis, note.range)}};
    related.push_back(
        json::Object{{"location", std::move(place)}, {"message", json::fixUTF8(note.message)}});
  }
  json::Object result = messageJson(rangeOf(text, analysis, said.range), said.severity, message);
  if (!related.empty())
    result["relatedInformation"] = std::move(related);
  return result;
}

// From a place to the end of the word there.
static lsp::Range wordAt(const LineText &text, unsigned line, unsigned column) {
  size_t begin = text.offsetOf(line, column), end = begin;
  while (end < text.text().size() && (llvm::isAlnum(text.text()[end]) || text.text()[end] == '_'))
    ++end;
  return text.rangeOf(begin, end);
}

json::Value diagnosticsJson(const lsp::URIForFile &uri, Document &document,
                            mlir::MLIRContext &context, const Plan *plan) {
  const Analysis &analysis = document.analysis(context);
  json::Array messages;
  for (const frontend::Diagnostic &said : analysis.diagnostics.all())
    messages.push_back(frontendMessage(uri, document.text(), analysis, said));
  std::vector<std::string> told;
  for (const PlanMessage &said : plan ? plan->messages : std::vector<PlanMessage>()) {
    std::string key = std::to_string(said.line) + ":" + std::to_string(said.column) + said.message;
    if (llvm::is_contained(told, key))
      continue;
    told.push_back(key);
    messages.push_back(
        messageJson(wordAt(document.text(), said.line, said.column), said.severity, said.message));
  }
  return json::Object{{"uri", originalUri(uri)},
                      {"version", document.version},
                      {"diagnostics", std::move(messages)}};
}

std::vector<lsp::TextEdit> layoutEdits(const LineText &text) {
  std::optional<std::string> laidOut = frontend::layOut(text.text());
  if (!laidOut || *laidOut == text.text())
    return {};
  lsp::TextEdit edit;
  edit.range = text.rangeOf(0, text.text().size());
  edit.newText = std::move(*laidOut);
  return {edit};
}

} // namespace strata::tool
