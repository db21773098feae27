// What a name, a word or a statement is, in Markdown.
#include "lsp/Answers.h"
#include "lsp/Words.h"

#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/frontend/AstPrinter.h"
#include "strata/frontend/TaFormats.h"

namespace lsp = llvm::lsp;
using namespace strata::frontend;
using namespace strata::frontend::ast;
using llvm::StringRef;

namespace strata::tool {

static StringRef textOf(llvm::SMRange range) {
  const char *begin = range.Start.getPointer();
  return StringRef(begin, size_t(range.End.getPointer() - begin));
}

static std::string code(StringRef text) { return ("```strata\n" + text + "\n```\n").str(); }

// "double, ? x 32, CSR", and its levels.
static std::string storageText(const Tensor &tensor, mlir::MLIRContext &context) {
  std::string text = elementTypeName(tensor.type).str();
  for (auto [at, size] : llvm::enumerate(tensor.sizes))
    text += (at ? " x " : ", ") + (size ? std::to_string(*size) : "?");
  if (tensor.order() == 0)
    return text + ", a scalar";
  if (!tensor.format)
    return text + ", Dense: a place for every coordinate, the last dimension innermost";
  text += ", " + formatText(*tensor.format);
  std::string why, levels;
  mlir::Attribute format = emitFormat(&context, *tensor.format, tensor.order(), tensor.type, why);
  if (!format)
    return text;
  llvm::raw_string_ostream os(levels);
  os << format;
  StringRef inner = levels;
  if (inner.consume_front("#ta.format<"))
    inner.consume_back(">");
  return text + "\n\n`" + inner.str() + "`";
}

static std::string rangeText(const LabelsStmt &labels) {
  auto number = [](const Bound &bound) {
    return bound.number ? std::to_string(*bound.number) : bound.name;
  };
  if (!labels.isInterval)
    return labels.hi ? "coordinates from 0, less than " + number(*labels.hi)
                     : "as many coordinates as the tensors have that are declared with it";
  std::string text = "selects the coordinates from " + number(labels.lo);
  if (labels.hi)
    text += ", less than " + number(*labels.hi);
  if (!labels.step.number || *labels.step.number != 1)
    text += ", every " + number(labels.step) + "th";
  return text;
}

static std::string describe(const NamedThing &thing, const Analysis &analysis,
                            mlir::MLIRContext &context) {
  switch (thing.kind) {
  case NamedThing::Kind::Function:
    return code("def " + thing.name) + "a function of this program";
  case NamedThing::Kind::Operator:
    return code("operator " + thing.name) + "a function of elements, of this program";
  case NamedThing::Kind::Semiring:
    return code("semiring " + thing.name) + "what addition and multiplication are, in `@" +
           thing.name + "`";
  case NamedThing::Kind::Machine:
    return code("Machine " + thing.name) + "a grid of cells";
  case NamedThing::Kind::ScheduleLabel:
    return "`" + thing.name + "`: a label that a scheduling command makes";
  case NamedThing::Kind::Parameter:
    return "`" + thing.name + "`: a parameter, given with -D " + thing.name + "=VALUE";
  case NamedThing::Kind::Label:
    if (const auto *labels = llvm::dyn_cast_or_null<LabelsStmt>(thing.statement))
      return code(textOf(labels->range)) + "`" + thing.name + "`: " + rangeText(*labels);
    return "`" + thing.name + "`: an index label";
  case NamedThing::Kind::Tensor:
  case NamedThing::Kind::Scalar:
    break;
  }
  std::string text = thing.statement ? code(textOf(thing.statement->range).split('\n').first) : "";
  if (const Tensor *tensor = analysis.tensorDeclaredAt(thing.declared))
    return text + "`" + thing.name + "`: " + storageText(*tensor, context);
  return text + "`" + thing.name +
         "`: " + (thing.kind == NamedThing::Kind::Tensor ? "a tensor" : "a scalar");
}

// The statement of index notation that has the place, and no other within it.
static const Stmt *statementAt(const std::vector<StmtPtr> &statements, llvm::SMLoc place) {
  for (const StmtPtr &statement : statements) {
    if (!statement)
      continue;
    if (const auto *loop = llvm::dyn_cast<ForStmt>(statement.get())) {
      if (const Stmt *found = statementAt(loop->body, place))
        return found;
    } else if (const auto *rounds = llvm::dyn_cast<LoopStmt>(statement.get())) {
      if (const Stmt *found = statementAt(rounds->body, place))
        return found;
    } else if (const auto *branch = llvm::dyn_cast<IfStmt>(statement.get())) {
      for (const std::vector<StmtPtr> *list : {&branch->body, &branch->otherwise})
        if (const Stmt *found = statementAt(*list, place))
          return found;
    } else if (statement->range.Start.getPointer() <= place.getPointer() &&
               place.getPointer() <= statement->range.End.getPointer()) {
      return statement.get();
    }
  }
  return nullptr;
}

static std::string planOf(const Stmt &statement, const Plan &plan, const Document &document,
                          const Analysis &analysis) {
  size_t begin = analysis.offsetOf(statement.range.Start);
  size_t end = analysis.offsetOf(statement.range.End);
  std::string text;
  for (const PlannedStatement &planned : plan.statements) {
    size_t at = document.text().offsetOf(planned.line, planned.column);
    if (planned.line == 0 || at < begin || at > end)
      continue;
    text += text.empty() ? "" : "\n";
    if (!planned.schedule.empty())
      text += "schedule { " + planned.schedule + "; }\n";
    text += llvm::join(planned.lines, "\n");
  }
  return text.empty() ? "" : "```\n" + text + "\n```";
}

static std::string describeWord(StringRef word, bool called) {
  const Word *found = called ? findFunctionWord(word) : findKeyword(word);
  if (!found)
    found = called ? findKeyword(word) : nullptr;
  if (found)
    return code(found->usage) + found->meaning.str();
  for (std::string (*describe)(StringRef) : {describeCommand, describeElementType, describeFormat})
    if (std::string text = describe(word); !text.empty())
      return text;
  return "";
}

// The word around an offset; empty between words.
static std::pair<size_t, size_t> wordAround(StringRef text, size_t offset) {
  auto isPart = [&](size_t at) { return llvm::isAlnum(text[at]) || text[at] == '_'; };
  size_t begin = offset, end = offset;
  while (begin > 0 && isPart(begin - 1))
    --begin;
  while (end < text.size() && isPart(end))
    ++end;
  return {begin, end};
}

std::optional<lsp::Hover> hoverAt(Document &document, mlir::MLIRContext &context, const Plan *plan,
                                  lsp::Position position) {
  const Analysis &analysis = document.analysis(context);
  StringRef text = document.text().text();
  size_t offset = document.text().offsetOf(position);
  auto [begin, end] = wordAround(text, offset);
  llvm::SMLoc place = analysis.placeAt(offset);
  std::string said;
  const NameUse *use = analysis.names.at(place);
  if (use)
    said = describe(analysis.names.things[use->thing], analysis, context);
  else if (begin < end)
    said = describeWord(text.slice(begin, end), text.drop_front(end).ltrim(' ').starts_with("("));
  const Stmt *statement = nullptr;
  for (const Function &function : analysis.tree.functions)
    if (!statement)
      statement = statementAt(function.body, place);
  if (statement) {
    // Of a statement, where it begins, and where nothing else is to be said.
    bool isTarget = use && use->range.Start == statement->range.Start;
    std::string planned =
        plan && (said.empty() || isTarget) ? planOf(*statement, *plan, document, analysis) : "";
    if (!planned.empty()) {
      said += (said.empty() ? "" : "\n\n") + planned;
      if (said == planned)
        std::tie(begin, end) = std::pair(analysis.offsetOf(statement->range.Start),
                                         analysis.offsetOf(statement->range.End));
    }
  }
  if (said.empty())
    return std::nullopt;
  lsp::Hover hover(document.text().rangeOf(begin, end));
  hover.contents.value = llvm::json::fixUTF8(said);
  return hover;
}

} // namespace strata::tool
