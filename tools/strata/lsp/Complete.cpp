// What may stand at a place, by the words before it.
#include "lsp/Answers.h"
#include "lsp/Words.h"

#include "strata/dialect/ta/Shorthands.h"
#include "strata/frontend/Builtins.h"
#include "strata/frontend/Lexer.h"
#include "strata/frontend/TaFormats.h"
#include "strata/schedule/Commands.h"

#include "llvm/ADT/StringSet.h"

namespace lsp = llvm::lsp;
using llvm::StringRef;
using strata::frontend::NamedThing;
using strata::frontend::Token;

namespace strata::tool {
namespace {

/// What the words before a place begin.
enum class Where { Statement, Expression, ElementType, Format, Levels, Arguments };

class Completion {
public:
  Completion(Document &document, mlir::MLIRContext &context, size_t offset)
      : document(document), analysis(document.analysis(context)), context(context), offset(offset) {
    llvm::SourceMgr sources;
    StringRef text = document.text().text();
    size_t begin = offset;
    while (begin > 0 && (llvm::isAlnum(text[begin - 1]) || text[begin - 1] == '_'))
      --begin;
    unsigned id = sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text.take_front(begin), "text"), llvm::SMLoc());
    frontend::Diagnostics silent(sources);
    frontend::Lexer lexer(sources.getMemoryBuffer(id)->getBuffer(), silent);
    for (Token token = lexer.next(); !token.is(Token::Kind::End); token = lexer.next())
      words.push_back({token.kind, token.text.str()});
  }

  lsp::CompletionList run() {
    switch (where()) {
    case Where::ElementType:
      for (StringRef name : frontend::elementTypeNames())
        add(name, lsp::CompletionItemKind::TypeParameter, describeElementType(name));
      break;
    case Where::Format:
      for (StringRef name : ta::shorthandNames())
        add(name, lsp::CompletionItemKind::Struct, describeFormat(name));
      break;
    case Where::Levels:
      addLevels();
      break;
    case Where::Arguments:
      names({NamedThing::Kind::Label, NamedThing::Kind::Tensor, NamedThing::Kind::ScheduleLabel,
             NamedThing::Kind::Machine});
      for (StringRef word : {"CPUThread", "NoRaces", "Temporary", "Atomics", "Append", "Insert",
                             "Gather", "Inherit", "TwoFinger", "Gallop", "MaxExact"})
        add(word, lsp::CompletionItemKind::EnumMember);
      break;
    case Where::Statement:
      addWords(/*begins=*/true);
      names({NamedThing::Kind::Tensor, NamedThing::Kind::Scalar, NamedThing::Kind::Function});
      addFunctions(/*statements=*/true);
      break;
    case Where::Expression:
      addWords(/*begins=*/false);
      names({NamedThing::Kind::Label, NamedThing::Kind::Tensor, NamedThing::Kind::Scalar,
             NamedThing::Kind::Function, NamedThing::Kind::Operator, NamedThing::Kind::Semiring,
             NamedThing::Kind::Machine, NamedThing::Kind::Parameter});
      addFunctions(/*statements=*/false);
      break;
    }
    return std::move(list);
  }

private:
  struct Before {
    Token::Kind kind;
    std::string text;
  };

  // The last word of the statement that the place is in: where it begins.
  size_t statementStart() const {
    size_t at = words.size();
    unsigned depth = 0;
    for (; at > 0; --at) {
      Token::Kind kind = words[at - 1].kind;
      if (kind == Token::Kind::RightParen || kind == Token::Kind::RightBracket)
        ++depth;
      else if ((kind == Token::Kind::LeftParen || kind == Token::Kind::LeftBracket) && depth > 0)
        --depth;
      else if (kind == Token::Kind::Semicolon)
        break;
      else if ((kind == Token::Kind::LeftBrace || kind == Token::Kind::RightBrace) && !inTensor(at))
        break;
    }
    return at;
  }

  // Tells whether the brace before `at` is one of a format, in the parentheses of a declaration.
  bool inTensor(size_t at) const {
    for (; at > 0 && words[at - 1].kind != Token::Kind::Semicolon; --at)
      if (words[at - 1].text == "Tensor")
        return true;
    return false;
  }

  Where where() const {
    if (schedulePlaceAt(document.text().text(), offset))
      return Where::Arguments;
    if (words.size() >= 2 && words.back().kind == Token::Kind::Less &&
        words[words.size() - 2].text == "Tensor")
      return Where::ElementType;
    size_t start = statementStart();
    if (start == words.size())
      return Where::Statement;
    if (words[start].text != "Tensor")
      return Where::Expression;
    // Tensor<double> A([i, j], <here>), with braces for a format level by level.
    unsigned parentheses = 0, brackets = 0, braces = 0;
    bool behindComma = false;
    for (size_t at = start; at < words.size(); ++at) {
      switch (words[at].kind) {
      case Token::Kind::LeftParen:
        ++parentheses;
        break;
      case Token::Kind::LeftBracket:
        ++brackets;
        break;
      case Token::Kind::RightBracket:
        brackets -= brackets > 0;
        break;
      case Token::Kind::LeftBrace:
        ++braces;
        break;
      case Token::Kind::RightBrace:
        braces -= braces > 0;
        break;
      case Token::Kind::Comma:
        behindComma |= parentheses == 1 && brackets == 0;
        break;
      default:
        break;
      }
    }
    if (behindComma && braces > 0)
      return Where::Levels;
    return behindComma ? Where::Format : Where::Expression;
  }

  void add(StringRef label, lsp::CompletionItemKind kind, StringRef detail = "") {
    if (!seen.insert(label).second)
      return;
    lsp::CompletionItem item(label, kind);
    item.detail = detail.split('\n').first.str();
    list.items.push_back(std::move(item));
  }

  void names(llvm::ArrayRef<NamedThing::Kind> kinds) {
    // Names of other functions are of no use here.
    std::optional<unsigned> function;
    for (auto [number, one] : llvm::enumerate(analysis.tree.functions))
      if (analysis.offsetOf(one.name.range.Start) <= offset && offset <= analysis.offsetOf(one.end))
        function = number;
    for (const NamedThing &thing : analysis.names.things) {
      bool known = !thing.function || !function || thing.function == function;
      if (!known || !llvm::is_contained(kinds, thing.kind))
        continue;
      bool isFunction =
          thing.kind == NamedThing::Kind::Function || thing.kind == NamedThing::Kind::Operator;
      std::string detail;
      if (thing.statement) {
        const char *begin = thing.statement->range.Start.getPointer();
        detail.assign(begin, size_t(thing.statement->range.End.getPointer() - begin));
      }
      add(thing.name,
          isFunction ? lsp::CompletionItemKind::Function : lsp::CompletionItemKind::Variable,
          detail);
    }
  }

  void addWords(bool begins) {
    static constexpr StringRef beginning[] = {"IndexLabel", "Tensor", "var",    "for",  "while",
                                              "repeat",     "if",     "return", "break"};
    static constexpr StringRef within[] = {"schedule", "floordiv", "mod",  "range",
                                           "in",       "limit",    "until"};
    if (words.empty() || analysis.tree.functions.empty())
      for (StringRef word : {"def", "operator", "semiring", "Machine"})
        keyword(word);
    for (StringRef word : begins ? llvm::ArrayRef(beginning) : llvm::ArrayRef(within))
      keyword(word);
  }

  void keyword(StringRef name) {
    const Word *word = findKeyword(name);
    add(name, lsp::CompletionItemKind::Keyword, word ? word->meaning : "");
  }

  void addFunctions(bool statements) {
    for (StringRef name : frontend::builtinNames()) {
      const frontend::Builtin *builtin = frontend::findBuiltin(name);
      if (builtin->isStatement() == statements)
        function(name);
    }
    if (!statements)
      for (StringRef name : frontend::functionNames())
        function(name);
  }

  void function(StringRef name) {
    const Word *word = findFunctionWord(name);
    add(name, lsp::CompletionItemKind::Function, word ? word->meaning : "");
  }

  void addLevels() {
    frontend::TaFormats formats(&context);
    for (StringRef name : formats.levelNames())
      add(name, lsp::CompletionItemKind::Struct, "a level format");
    for (StringRef word : formats.levelWords())
      add(word, lsp::CompletionItemKind::Struct, "a level");
    names({NamedThing::Kind::Label});
  }

  Document &document;
  const Analysis &analysis;
  mlir::MLIRContext &context;
  size_t offset;
  std::vector<Before> words; ///< before the one that is begun
  lsp::CompletionList list;
  llvm::StringSet<> seen;
};

} // namespace

lsp::CompletionList completionsAt(Document &document, mlir::MLIRContext &context,
                                  lsp::Position position) {
  return Completion(document, context, document.text().offsetOf(position)).run();
}

lsp::CompletionList commandCompletions(const LineText &text, const SchedulePlace &place,
                                       size_t offset, const LegalCommands &legal) {
  lsp::CompletionList list;
  list.isIncomplete = !legal.complete;
  for (auto [rank, command] : llvm::enumerate(legal.commands)) {
    std::string sort = std::to_string(rank);
    lsp::CompletionItem item(command, lsp::CompletionItemKind::Method,
                             std::string(4 - std::min<size_t>(4, sort.size()), '0') + sort);
    StringRef name = StringRef(command).split('(').first;
    const auto *known = llvm::find_if(
        schedule::commands(), [&](const schedule::Command &one) { return one.name == name; });
    if (known != schedule::commands().end())
      item.detail = known->summary.str();
    lsp::TextEdit edit;
    edit.range = text.rangeOf(place.wordBegin, offset);
    edit.newText = command + ";";
    // The client replaces the word itself; behind it a semicolon may stand already.
    if (text.text().drop_front(offset).ltrim(' ').starts_with(";"))
      edit.newText.pop_back();
    item.textEdit = std::move(edit);
    list.items.push_back(std::move(item));
  }
  return list;
}

//===------------------------------------------------------------------------------------------===//
// Usage
//===------------------------------------------------------------------------------------------===//

static lsp::SignatureHelp usage(StringRef label, StringRef meaning, int argument) {
  lsp::SignatureInformation signature;
  signature.label = label.str();
  signature.documentation = meaning.str();
  // The arguments, by the commas of the usage outside of braces.
  size_t begin = label.find('('), depth = 0;
  for (size_t at = begin + 1; begin != StringRef::npos && at < label.size(); ++at) {
    char c = label[at];
    bool closes = c == ')' && depth == 0;
    if (closes || (c == ',' && depth == 0)) {
      lsp::ParameterInformation parameter;
      parameter.labelOffsets = {unsigned(begin + 1), unsigned(at)};
      parameter.labelString = label.slice(begin + 1, at).trim().str();
      signature.parameters.push_back(std::move(parameter));
      begin = at;
    }
    if (closes)
      break;
    depth += c == '{' || c == '(' || c == '[';
    depth -= (c == '}' || c == ')' || c == ']') && depth > 0;
  }
  lsp::SignatureHelp help;
  help.activeParameter = argument;
  help.signatures.push_back(std::move(signature));
  return help;
}

lsp::SignatureHelp signatureAt(const LineText &text, lsp::Position position) {
  size_t offset = text.offsetOf(position);
  if (std::optional<SchedulePlace> place = schedulePlaceAt(text.text(), offset)) {
    for (const schedule::Command &command : schedule::commands())
      if (place->inArguments && command.name == place->command)
        return usage(command.usage, command.summary, int(place->argument));
    return {};
  }
  // Back to the parenthesis that is open, on this line.
  StringRef line = text.text().take_front(offset);
  line = line.drop_front(line.find_last_of("\r\n") + 1);
  size_t depth = 0;
  int argument = 0;
  for (size_t at = line.size(); at > 0; --at) {
    char c = line[at - 1];
    if (c == ')' || c == ']' || c == '}')
      ++depth;
    else if (c == ',' && depth == 0)
      ++argument;
    else if (c == '(' && depth == 0) {
      StringRef before = line.take_front(at - 1).rtrim();
      size_t begin = before.size();
      while (begin > 0 && (llvm::isAlnum(before[begin - 1]) || before[begin - 1] == '_'))
        --begin;
      const Word *word = findFunctionWord(before.drop_front(begin));
      return word ? usage(word->usage, word->meaning, argument) : lsp::SignatureHelp();
    } else if ((c == '(' || c == '[' || c == '{') && depth > 0)
      --depth;
  }
  return {};
}

} // namespace strata::tool
