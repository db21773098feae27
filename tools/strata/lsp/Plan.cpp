// Runs the passes on whole programs, explains the statements, and writes both as JSON.
#include "lsp/Plan.h"

#include "strata/explain/Explanation.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"
#include "strata/lower/ta/ProgramNotes.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
namespace json = llvm::json;

namespace strata::tool {

static std::pair<unsigned, unsigned> placeIn(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  return place ? std::pair(place.getLine(), place.getColumn()) : std::pair(0u, 0u);
}

PlanMessage messageOf(Diagnostic &diagnostic) {
  PlanMessage message;
  message.severity =
      diagnostic.getSeverity() == DiagnosticSeverity::Error     ? frontend::Severity::Error
      : diagnostic.getSeverity() == DiagnosticSeverity::Warning ? frontend::Severity::Warning
                                                                : frontend::Severity::Note;
  std::tie(message.line, message.column) = placeIn(diagnostic.getLocation());
  message.message = diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes())
    message.message += "\n" + note.str();
  return message;
}

// "spmv.ta:4:3"; zeros of another text.
static std::pair<unsigned, unsigned> readPlace(StringRef place) {
  auto [before, column] = place.rsplit(':');
  unsigned lineNumber = 0, columnNumber = 0;
  if (before.rsplit(':').second.getAsInteger(10, lineNumber) ||
      column.getAsInteger(10, columnNumber))
    return {0, 0};
  return {lineNumber, columnNumber};
}

static PlannedStatement plannedOf(const ExplainedStatement &explained) {
  PlannedStatement planned;
  std::tie(planned.line, planned.column) = readPlace(explained.place);
  planned.schedule = explained.schedule;
  for (const std::string &line : explained.loops)
    planned.lines.push_back(line);
  if (explained.converts)
    planned.lines.push_back("a conversion, whose way depends on the number of entries");
  if (!explained.sequential.empty())
    planned.lines.push_back("on one thread: " + explained.sequential);
  auto tell = [&](const ExplainedTensor &tensor) {
    for (const std::string &note : tensor.notes)
      planned.lines.push_back(tensor.name + ": " + note);
  };
  tell(explained.result);
  llvm::for_each(explained.operands, tell);
  llvm::append_range(planned.lines, explained.resolutions);
  return planned;
}

static json::Value asJson(const PlanMessage &message) {
  return json::Object{{"severity", int(message.severity)},
                      {"line", message.line},
                      {"column", message.column},
                      {"message", json::fixUTF8(message.message)}};
}

static json::Value asJson(const PlannedStatement &statement) {
  json::Array lines;
  for (const std::string &line : statement.lines)
    lines.push_back(json::fixUTF8(line));
  return json::Object{{"line", statement.line},
                      {"column", statement.column},
                      {"schedule", json::fixUTF8(statement.schedule)},
                      {"lines", std::move(lines)}};
}

static void planProgram(Session &session, ModuleOp program, Plan &plan) {
  if (failed(session.transform(program, {})))
    return;
  auto add = [&](Location location, const std::string &text) {
    auto [line, column] = placeIn(location);
    plan.messages.push_back({frontend::Severity::Note, line, column, text});
  };
  for (const OpNote &note : resolutionsIn(program))
    add(note.op->getLoc(), note.text);
  for (const auto &[place, text] : ProgramNotes::all(program))
    add(place, text);
  if (std::optional<Explanation> explanation = explanationOf(program, {}))
    for (const ExplainedStatement &statement : explanation->statements)
      plan.statements.push_back(plannedOf(statement));
}

std::string planText(Session &session, const LineText &text, const std::string &name) {
  Plan plan;
  ScopedDiagnosticHandler keep(&session.context, [&](Diagnostic &diagnostic) {
    plan.messages.push_back(messageOf(diagnostic));
    return success();
  });
  frontend::Diagnostics diagnostics(session.sources);
  frontend::ast::Module tree =
      frontend::parseProgram(session.addText(text.text(), name), diagnostics);
  for (const frontend::Program &program : analyzeAll(
           tree, parametersOf(text.text()), frontend::TaFormats(&session.context), diagnostics)) {
    frontend::Diagnostics emission(session.sources);
    if (OwningOpRef<ModuleOp> module = session.emit(program, emission))
      planProgram(session, *module, plan);
    for (const frontend::Diagnostic &said : emission.all()) {
      frontend::Place place = emission.placeOf(said.range.Start);
      plan.messages.push_back({said.severity, place.line, place.column, said.message});
    }
  }
  json::Array messages, statements;
  for (const PlanMessage &message : plan.messages)
    messages.push_back(asJson(message));
  for (const PlannedStatement &statement : plan.statements)
    statements.push_back(asJson(statement));
  return llvm::formatv("{0}", json::Value(json::Object{{"messages", std::move(messages)},
                                                       {"statements", std::move(statements)}}))
      .str();
}

Plan readPlan(StringRef text) {
  Plan plan;
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return plan;
  }
  auto number = [](const json::Object &object, StringRef key) {
    return unsigned(object.getInteger(key).value_or(0));
  };
  auto word = [](const json::Object &object, StringRef key) {
    return object.getString(key).value_or("").str();
  };
  auto eachOf = [&](StringRef key, llvm::function_ref<void(const json::Object &)> body) {
    if (const json::Object *whole = value->getAsObject())
      if (const json::Array *list = whole->getArray(key))
        for (const json::Value &one : *list)
          if (const json::Object *object = one.getAsObject())
            body(*object);
  };
  eachOf("messages", [&](const json::Object &object) {
    plan.messages.push_back({frontend::Severity(number(object, "severity")), number(object, "line"),
                             number(object, "column"), word(object, "message")});
  });
  eachOf("statements", [&](const json::Object &object) {
    PlannedStatement statement{
        number(object, "line"), number(object, "column"), word(object, "schedule"), {}};
    if (const json::Array *lines = object.getArray("lines"))
      for (const json::Value &line : *lines)
        statement.lines.push_back(line.getAsString().value_or("").str());
    plan.statements.push_back(std::move(statement));
  });
  return plan;
}

} // namespace strata::tool
