// Fuzzes the language: any bytes as a program file, as a statement alone and as a format pass
// through lexer, parser, analysis and all printers, and end in a tree or in messages.
#include "strata/frontend/Parser.h"
#include "strata/frontend/AstPrinter.h"
#include "strata/frontend/OneLiner.h"
#include "strata/frontend/ProgramPrinter.h"

using namespace strata::frontend;

namespace {

// Formats by name only; what levels imply for each other is the ta dialect's to judge.
class Formats : public FormatVocabulary {
public:
  llvm::ArrayRef<llvm::StringRef> formatNames() const override { return names; }
  llvm::ArrayRef<llvm::StringRef> levelWords() const override { return words; }
  llvm::ArrayRef<llvm::StringRef> levelNames() const override { return levels; }
  std::string problem(const ast::Format &, unsigned) const override { return ""; }
  bool storesAll(const ast::Format &format, unsigned) const override {
    return format.words.size() == 1 && format.words[0].text == "Dense";
  }

private:
  static constexpr llvm::StringRef names[] = {"Dense", "CSR", "COO", "ModeGeneric"};
  static constexpr llvm::StringRef words[] = {"D", "CU", "CN", "S", "d", "s"};
  static constexpr llvm::StringRef levels[] = {"dense", "compressed", "singleton"};
};

struct Input {
  explicit Input(llvm::StringRef text)
      : id(sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "fuzz.ta"), {})),
        diagnostics(sources) {}

  llvm::SourceMgr sources;
  unsigned id;
  Diagnostics diagnostics;
};

void asProgram(llvm::StringRef text) {
  Input input(text);
  ast::Module module = parseProgram(input.id, input.diagnostics);
  printAst(module, llvm::nulls());
  if (!input.diagnostics.hasErrors()) {
    Parameters parameters{{"N", "4"}, {"file", "a.mtx"}, {"alpha", "2.5"}};
    if (std::optional<Program> program = analyze(module, parameters, Formats(), input.diagnostics))
      printProgram(*program, llvm::nulls());
  }
  input.diagnostics.print(llvm::nulls());
}

void asStatement(llvm::StringRef text) {
  Input input(text);
  if (std::unique_ptr<ast::AssignStmt> statement = parseOneLiner(input.id, input.diagnostics)) {
    OneLinerOptions options;
    options.sizes = {{"i", {3}}, {"j", {4}}};
    options.tensors["A"].source = TensorOptions::Source::File;
    options.tensors["A"].file = "a.mtx";
    options.tensors["x"].source = TensorOptions::Source::Random;
    if (std::optional<Program> program =
            analyze(*statement, options, Formats(), input.diagnostics).program)
      printProgram(*program, llvm::nulls());
  }
  input.diagnostics.print(llvm::nulls());
}

void asFormat(llvm::StringRef text) {
  Input input(text);
  if (std::optional<ast::Format> format = parseFormat(input.id, input.diagnostics))
    formatText(*format);
  input.diagnostics.print(llvm::nulls());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  asProgram(text);
  asStatement(text);
  asFormat(text);
  return 0;
}
