// Checks that what the compiler chooses is a schedule that a person could have written.
//
//   strata-round-trip-tests [--seed S] [--count N] [--one K] [FOLDER...]
//
// Each statement of the programs in the folders, and of N statements that are drawn, is compiled by
// the compiler's choice and by the schedule that `strata explain` shows for it: the kernels must be
// the same, at lvl and behind all passes. Parameters are those that a program's comments give
// first: "-D NAME=VALUE" in a command, or "parameter: NAME=VALUE". What cannot be compiled at all
// is counted.
#include "Dialects.h"
#include "DrawCase.h"
#include "RoundTrip.h"

#include "strata/frontend/EmitTa.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/Sema.h"
#include "strata/frontend/TaFormats.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace strata::test;
namespace frontend = strata::frontend;

namespace {

class Checks {
public:
  Checks() : context(strata::test::allDialects(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  void folder(StringRef path);
  void draw(uint64_t seed, int64_t first, int64_t count);
  int report() const;

private:
  void program(const std::string &path);
  void take(const std::string &where, ModuleOp module);

  MLIRContext context;
  unsigned kernels = 0, failures = 0, refused = 0;
};

} // namespace

static frontend::Parameters parametersIn(StringRef text) {
  frontend::Parameters parameters;
  llvm::Regex pattern("(-D |# parameter: )([A-Za-z_0-9]+)=([^ \n]+)");
  SmallVector<StringRef> groups;
  while (pattern.match(text, &groups)) {
    parameters.try_emplace(groups[2].str(), groups[3].str());
    text = text.drop_front(groups[0].end() - text.begin());
  }
  return parameters;
}

void Checks::take(const std::string &where, ModuleOp module) {
  RoundTrip trip = roundTrip(module);
  refused += !trip.compiled;
  kernels += trip.kernels;
  failures += trip.differences.size();
  for (const std::string &difference : trip.differences)
    llvm::outs() << where << ": " << difference << "\n";
}

void Checks::program(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  llvm::SourceMgr sources;
  frontend::Diagnostics diagnostics(sources);
  OwningOpRef<ModuleOp> module;
  if (file) {
    frontend::Parameters parameters = parametersIn((*file)->getBuffer());
    unsigned id = sources.AddNewSourceBuffer(std::move(*file), {});
    frontend::ast::Module tree = frontend::parseProgram(id, diagnostics);
    std::optional<frontend::Program> analyzed;
    if (!diagnostics.hasErrors())
      analyzed = frontend::analyze(tree, parameters, frontend::TaFormats(&context), diagnostics);
    if (analyzed)
      module = frontend::emitTa(*analyzed, &context, diagnostics);
  }
  if (module)
    return take(path, *module);
  ++failures;
  llvm::outs() << path << ": is no program that can be read\n";
}

void Checks::folder(StringRef path) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(path, error), end; !error && file != end;
       file.increment(error))
    if (StringRef(file->path()).ends_with(".ta"))
      files.push_back(file->path());
  llvm::sort(files);
  if (files.empty()) {
    ++failures;
    llvm::outs() << path << ": has no programs\n";
  }
  for (const std::string &file : files)
    program(file);
}

// Draws until so many cases are one statement.
void Checks::draw(uint64_t seed, int64_t first, int64_t count) {
  for (int64_t number = first; count > 0; ++number) {
    Case c = drawCase(seed * 0x9E3779B97F4A7C15ull + static_cast<uint64_t>(number));
    if (isProgram(c))
      continue;
    --count;
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(moduleText(c), &context);
    if (module)
      take("--seed " + std::to_string(seed) + " --one " + std::to_string(number), *module);
    else
      ++failures;
  }
}

int Checks::report() const {
  llvm::outs() << kernels << " kernels, " << failures << " differences, " << refused
               << " programs that cannot be compiled\n";
  return failures || !kernels ? 1 : 0;
}

int main(int argc, char **argv) {
  uint64_t seed = 1;
  int64_t first = 0, count = 0;
  Checks checks;
  for (int at = 1; at < argc; ++at) {
    StringRef word = argv[at];
    if (!word.starts_with("--")) {
      checks.folder(word);
      continue;
    }
    StringRef value = at + 1 < argc ? argv[++at] : "";
    bool wrong = true;
    if (word == "--seed")
      wrong = value.getAsInteger(10, seed);
    else if (word == "--count")
      wrong = value.getAsInteger(10, count);
    else if (word == "--one")
      wrong = value.getAsInteger(10, first), count = 1;
    if (wrong) {
      llvm::errs() << "usage: " << argv[0] << " [--seed S] [--count N] [--one K] [FOLDER...]\n";
      return 2;
    }
  }
  checks.draw(seed, first, count);
  return checks.report();
}
