// Running the stages of the front end on a text.
#include "Source.h"

#include "strata/frontend/EmitTa.h"
#include "strata/frontend/ProgramPrinter.h"

namespace strata::frontend {

Source::Source(const std::string &text, const std::string &name)
    : id(sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name), {})),
      diagnostics(sources), formats(&context) {}

std::string Source::messages() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  diagnostics.print(os);
  return text;
}

std::string inMain(const std::string &statements) {
  return "def main() {\n" + statements + "\n}\n";
}

static std::string operationsOf(const Program &program) {
  std::string text;
  for (const Operation &operation : program.operations)
    text += operationText(program, operation) + "\n";
  return text;
}

std::string analyzed(const std::string &text, const Parameters &parameters) {
  Source source(text);
  ast::Module module = parseProgram(source.id, source.diagnostics);
  if (source.diagnostics.hasErrors())
    return source.messages();
  std::optional<Program> program = analyze(module, parameters, source.formats, source.diagnostics);
  return program ? operationsOf(*program) : source.messages();
}

std::string analyzedAlone(const std::string &text, const OneLinerOptions &options) {
  Source source(text, "statement");
  std::unique_ptr<ast::AssignStmt> statement = parseOneLiner(source.id, source.diagnostics);
  if (!statement)
    return source.messages();
  std::optional<Program> program =
      analyze(*statement, options, source.formats, source.diagnostics).program;
  return program ? operationsOf(*program) : source.messages();
}

std::string emitted(const std::string &text, const Parameters &parameters) {
  Source source(text);
  ast::Module module = parseProgram(source.id, source.diagnostics);
  std::optional<Program> program;
  if (!source.diagnostics.hasErrors())
    program = analyze(module, parameters, source.formats, source.diagnostics);
  mlir::OwningOpRef<mlir::ModuleOp> ta;
  if (program)
    ta = emitTa(*program, &source.context, source.diagnostics);
  if (!ta)
    return source.messages();
  std::string result;
  llvm::raw_string_ostream os(result);
  ta->print(os);
  return result;
}

} // namespace strata::frontend
