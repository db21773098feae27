// Declarations, references, renaming, and the outline of a text.
#include "lsp/Answers.h"

#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"

namespace lsp = llvm::lsp;
using namespace strata::frontend;
using llvm::StringRef;

namespace strata::tool {

static lsp::Range rangeIn(const LineText &text, const Analysis &analysis, llvm::SMRange range) {
  return text.rangeOf(analysis.offsetOf(range.Start), analysis.offsetOf(range.End));
}

static const NameUse *useAt(const Document &document, const Analysis &analysis,
                            lsp::Position position) {
  return analysis.names.at(analysis.placeAt(document.text().offsetOf(position)));
}

std::vector<lsp::Location> definitionAt(const lsp::URIForFile &uri, Document &document,
                                        mlir::MLIRContext &context, lsp::Position position) {
  const Analysis &analysis = document.analysis(context);
  const NameUse *use = useAt(document, analysis, position);
  if (!use)
    return {};
  return {lsp::Location(
      uri, rangeIn(document.text(), analysis, analysis.names.things[use->thing].declared))};
}

std::vector<lsp::Location> referencesAt(const lsp::URIForFile &uri, Document &document,
                                        mlir::MLIRContext &context, lsp::Position position,
                                        bool withDeclaration) {
  const Analysis &analysis = document.analysis(context);
  const NameUse *use = useAt(document, analysis, position);
  std::vector<lsp::Location> places;
  if (!use)
    return places;
  llvm::SMRange declared = analysis.names.things[use->thing].declared;
  for (const NameUse &other : analysis.names.uses)
    if (other.thing == use->thing && (withDeclaration || other.range.Start != declared.Start))
      places.emplace_back(uri, rangeIn(document.text(), analysis, other.range));
  llvm::sort(places);
  return places;
}

//===------------------------------------------------------------------------------------------===//
// Renaming
//===------------------------------------------------------------------------------------------===//

static llvm::Error refuseRename(const llvm::Twine &why) {
  return llvm::make_error<lsp::LSPError>(why.str(), lsp::ErrorCode::RequestFailed);
}

static llvm::Expected<const NameUse *>
renamableUse(const Document &document, const Analysis &analysis, lsp::Position position) {
  if (!analysis.parsed)
    return refuseRename("names can be changed once the program has no mistakes of syntax");
  const NameUse *use = useAt(document, analysis, position);
  if (!use)
    return refuseRename("there is no name here");
  const NamedThing &thing = analysis.names.things[use->thing];
  if (thing.kind == NamedThing::Kind::Parameter)
    return refuseRename("'" + thing.name + "' is given with -D " + thing.name +
                        "=VALUE: whoever runs the program knows this name");
  if (thing.kind == NamedThing::Kind::Function && thing.name == "main")
    return refuseRename("a program begins with the function 'main'");
  return use;
}

llvm::Expected<lsp::Range> renamable(Document &document, mlir::MLIRContext &context,
                                     lsp::Position position) {
  const Analysis &analysis = document.analysis(context);
  llvm::Expected<const NameUse *> use = renamableUse(document, analysis, position);
  if (!use)
    return use.takeError();
  return rangeIn(document.text(), analysis, (*use)->range);
}

// Tells whether the text uses the name for something else already, or every program knows it.
static bool isTaken(const Analysis &analysis, StringRef name) {
  return llvm::any_of(analysis.names.things,
                      [&](const NamedThing &thing) { return thing.name == name; });
}

// The number of errors of a text.
static size_t errorsIn(const std::string &text, const std::string &name,
                       mlir::MLIRContext &context) {
  return llvm::count_if(Analysis(LineText(text), name, context).diagnostics.all(),
                        [](const Diagnostic &said) { return said.severity == Severity::Error; });
}

llvm::Expected<std::vector<lsp::TextEdit>> renameAt(Document &document, mlir::MLIRContext &context,
                                                    lsp::Position position,
                                                    const std::string &name) {
  const Analysis &analysis = document.analysis(context);
  llvm::Expected<const NameUse *> use = renamableUse(document, analysis, position);
  if (!use)
    return use.takeError();
  if (!isNameText(name))
    return refuseRename("'" + name +
                        "' is no name: letters, digits and '_', and no word of the language");
  std::vector<lsp::TextEdit> edits;
  if (name == analysis.names.things[(*use)->thing].name)
    return edits;
  if (isTaken(analysis, name))
    return refuseRename("'" + name + "' is a name in this program already");
  std::vector<llvm::SMRange> ranges;
  for (const NameUse &other : analysis.names.uses)
    if (other.thing == (*use)->thing)
      ranges.push_back(other.range);
  llvm::sort(ranges, [](llvm::SMRange a, llvm::SMRange b) {
    return a.Start.getPointer() < b.Start.getPointer();
  });
  std::string changed;
  size_t done = 0;
  for (llvm::SMRange range : ranges) {
    size_t begin = analysis.offsetOf(range.Start);
    changed += (document.text().text().slice(done, begin) + name).str();
    done = analysis.offsetOf(range.End);
    lsp::TextEdit edit;
    edit.range = rangeIn(document.text(), analysis, range);
    edit.newText = name;
    edits.push_back(std::move(edit));
  }
  changed += document.text().text().drop_front(done);
  // A function, a format or a scheduling command may have the name, too.
  if (errorsIn(changed, document.name, context) >
      errorsIn(document.text().text().str(), document.name, context))
    return refuseRename("with the name '" + name + "' the program would have errors");
  return edits;
}

//===------------------------------------------------------------------------------------------===//
// Outline
//===------------------------------------------------------------------------------------------===//

static lsp::SymbolKind symbolKind(NamedThing::Kind kind) {
  switch (kind) {
  case NamedThing::Kind::Function:
    return lsp::SymbolKind::Function;
  case NamedThing::Kind::Operator:
    return lsp::SymbolKind::Operator;
  case NamedThing::Kind::Semiring:
  case NamedThing::Kind::Machine:
    return lsp::SymbolKind::Object;
  case NamedThing::Kind::Label:
  case NamedThing::Kind::ScheduleLabel:
    return lsp::SymbolKind::Variable;
  case NamedThing::Kind::Tensor:
    return lsp::SymbolKind::Array;
  case NamedThing::Kind::Scalar:
    return lsp::SymbolKind::Number;
  case NamedThing::Kind::Parameter:
    return lsp::SymbolKind::Constant;
  }
  return lsp::SymbolKind::Variable;
}

static std::string lineOf(llvm::SMRange range) {
  const char *begin = range.Start.getPointer();
  StringRef text(begin, size_t(range.End.getPointer() - begin));
  return text.split('\n').first.rtrim().str();
}

std::vector<lsp::DocumentSymbol> symbolsOf(Document &document, mlir::MLIRContext &context) {
  const Analysis &analysis = document.analysis(context);
  std::vector<lsp::DocumentSymbol> symbols;
  llvm::DenseMap<unsigned, size_t> functions; // to their symbols
  auto add = [&](const NamedThing &thing, llvm::SMRange whole) {
    lsp::Range name = rangeIn(document.text(), analysis, thing.declared);
    lsp::Range range = rangeIn(document.text(), analysis, whole);
    lsp::DocumentSymbol symbol(thing.name, symbolKind(thing.kind), range, name);
    if (thing.statement)
      symbol.detail = lineOf(thing.statement->range);
    auto function = thing.function ? functions.find(*thing.function) : functions.end();
    auto &list = function == functions.end() ? symbols : symbols[function->second].children;
    list.push_back(std::move(symbol));
  };
  for (auto [number, function] : llvm::enumerate(analysis.tree.functions)) {
    if (!function.name.range.isValid())
      continue;
    functions[unsigned(number)] = symbols.size();
    NamedThing thing{NamedThing::Kind::Function, function.name.text, function.name.range};
    add(thing, {function.name.range.Start, function.end});
  }
  for (const NamedThing &thing : analysis.names.things)
    if (thing.kind != NamedThing::Kind::Function && thing.kind != NamedThing::Kind::ScheduleLabel &&
        thing.kind != NamedThing::Kind::Parameter)
      add(thing, thing.declared);
  return symbols;
}

} // namespace strata::tool
