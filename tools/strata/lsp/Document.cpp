// Lines and units of UTF-16, and the front end's answers.
#include "lsp/Document.h"

#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace lsp = llvm::lsp;
using llvm::StringRef;

namespace strata::tool {

//===------------------------------------------------------------------------------------------===//
// Lines
//===------------------------------------------------------------------------------------------===//

LineText::LineText(std::string text) : content(std::move(text)), starts{0} {
  for (size_t at = 0; at < content.size(); ++at)
    if (content[at] == '\n' ||
        (content[at] == '\r' && StringRef(content).substr(at + 1, 1) != "\n"))
      starts.push_back(at + 1);
}

// The bytes of the character that begins with this one, and its units of UTF-16.
static std::pair<size_t, unsigned> widthOf(unsigned char first) {
  if (first < 0xC0)
    return {1, 1};
  return first < 0xE0   ? std::pair<size_t, unsigned>{2, 1}
         : first < 0xF0 ? std::pair<size_t, unsigned>{3, 1}
                        : std::pair<size_t, unsigned>{4, 2};
}

size_t LineText::offsetOf(lsp::Position position) const {
  if (position.line < 0)
    return 0;
  if (size_t(position.line) >= starts.size())
    return content.size();
  size_t at = starts[size_t(position.line)];
  for (int units = 0; units < position.character && at < content.size();) {
    if (content[at] == '\n' || content[at] == '\r')
      break;
    auto [bytes, width] = widthOf(static_cast<unsigned char>(content[at]));
    at = std::min(at + bytes, content.size());
    units += int(width);
  }
  return at;
}

lsp::Position LineText::positionOf(size_t offset) const {
  offset = std::min(offset, content.size());
  size_t line = size_t(std::upper_bound(starts.begin(), starts.end(), offset) - starts.begin()) - 1;
  int units = 0;
  for (size_t at = starts[line]; at < offset;) {
    auto [bytes, width] = widthOf(static_cast<unsigned char>(content[at]));
    at += bytes;
    units += int(width);
  }
  return lsp::Position(int(line), units);
}

lsp::Range LineText::rangeOf(size_t begin, size_t end) const {
  return lsp::Range(positionOf(begin), positionOf(std::max(begin, end)));
}

size_t LineText::offsetOf(unsigned line, unsigned column) const {
  if (line == 0)
    return 0;
  size_t start = line > starts.size() ? content.size() : starts[line - 1];
  return std::min(start + (column ? column - 1 : 0), content.size());
}

//===------------------------------------------------------------------------------------------===//
// Analysis
//===------------------------------------------------------------------------------------------===//

frontend::Parameters parametersOf(StringRef text) {
  frontend::Parameters parameters;
  parameters.stayOpen = true;
  while (text.ltrim().starts_with("#")) {
    auto [line, rest] = text.ltrim().split('\n');
    text = rest;
    StringRef call = line.drop_front().ltrim("# \t");
    if (!parameters.empty() || !call.contains("strata run "))
      continue;
    llvm::SmallVector<StringRef> words;
    call.split(words, ' ', -1, /*KeepEmpty=*/false);
    for (size_t at = 0; at < words.size(); ++at) {
      StringRef word = words[at];
      if (!word.consume_front("-D"))
        continue;
      if (word.empty() && at + 1 < words.size())
        word = words[++at];
      auto [name, value] = word.split('=');
      if (!name.empty())
        parameters[name.str()] = value.rtrim(".,;\r").str();
    }
  }
  return parameters;
}

std::vector<frontend::Program> analyzeAll(const frontend::ast::Module &module,
                                          const frontend::Parameters &parameters,
                                          const frontend::FormatVocabulary &formats,
                                          frontend::Diagnostics &diagnostics) {
  std::vector<frontend::Program> programs;
  auto add = [&](std::optional<frontend::Program> program) {
    if (program)
      programs.push_back(std::move(*program));
  };
  bool hasMain =
      llvm::any_of(module.functions, [](const auto &f) { return f.name.text == "main"; });
  if (hasMain || module.functions.empty()) {
    add(frontend::analyze(module, parameters, formats, diagnostics));
    return programs;
  }
  for (const frontend::ast::Function &function : module.functions)
    if (frontend::declaresAll(function))
      add(frontend::analyzeFunction(module, function, parameters, formats, diagnostics));
  return programs;
}

static unsigned addBuffer(llvm::SourceMgr &sources, StringRef text, StringRef name) {
  return sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name),
                                    llvm::SMLoc());
}

Analysis::Analysis(const LineText &lines, const std::string &name, mlir::MLIRContext &context)
    : buffer(addBuffer(sources, lines.text(), name)), diagnostics(sources) {
  tree = frontend::parseProgram(buffer, diagnostics);
  parsed = !diagnostics.hasErrors();
  names = frontend::findNameUses(tree, sources);
  // A file that is begun has no function yet, which is no mistake.
  if (parsed && !tree.functions.empty())
    programs = analyzeAll(tree, parametersOf(text()), frontend::TaFormats(&context), diagnostics);
}

const frontend::Tensor *Analysis::tensorDeclaredAt(llvm::SMRange name) const {
  for (const frontend::Program &program : programs)
    for (const frontend::Tensor &tensor : program.tensors)
      if (tensor.range.Start == name.Start && !tensor.temporary)
        return &tensor;
  return nullptr;
}

//===------------------------------------------------------------------------------------------===//
// Documents
//===------------------------------------------------------------------------------------------===//

void Document::change(llvm::ArrayRef<lsp::TextDocumentContentChangeEvent> changes,
                      int64_t newVersion) {
  version = newVersion;
  for (const lsp::TextDocumentContentChangeEvent &change : changes) {
    std::string next = change.text;
    if (change.range) {
      size_t begin = lines.offsetOf(change.range->start);
      size_t end = std::max(begin, lines.offsetOf(change.range->end));
      next = (lines.text().take_front(begin) + change.text + lines.text().drop_front(end)).str();
    }
    lines = LineText(std::move(next));
  }
  analyzed.reset();
}

const Analysis &Document::analysis(mlir::MLIRContext &context) {
  if (!analyzed)
    analyzed = std::make_unique<Analysis>(lines, name, context);
  return *analyzed;
}

} // namespace strata::tool
