// Checks what the language means by statements that are drawn.
//
//   strata-language-tests [--seed S] [--count N] [--one K] [--texts FOLDER]
//
// A case is given to the reference interpreter twice: as the generator writes it in the ta dialect,
// and as the front end reads it from a text. Nothing is compiled. Statements that the front end
// must refuse are counted. With --texts the cases are written to a folder, as programs whose
// tensors have the formats that are drawn, and not evaluated.
#include "Dialects.h"
#include "LanguageText.h"

#include "strata/frontend/EmitTa.h"
#include "strata/frontend/OneLiner.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"
#include "strata/reference/Reference.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <cmath>

using namespace mlir;
using namespace strata;
using namespace strata::test;

namespace {

/// The values of a result, all of them.
using Values = runtime::Result<std::vector<double>>;

class Checks {
public:
  Checks() : context(allDialects(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  void check(uint64_t seed, int64_t number);
  int report() const;

private:
  OwningOpRef<ModuleOp> read(const Case &c, const std::string &text, std::string &messages);
  Values valuesOf(const Case &c, ModuleOp module);

  MLIRContext context;
  int64_t agree = 0, refused = 0, failures = 0;
};

} // namespace

static frontend::OneLinerOptions optionsOf(const Case &c) {
  frontend::OneLinerOptions options;
  options.returns = true;
  for (unsigned at = 0; at < c.tensors.size(); ++at) {
    bool isInit = c.init && at == *c.init;
    std::string name = isInit ? "result" : c.tensors[at].name;
    options.tensors[name].source = frontend::TensorOptions::Source::Caller;
    options.tensors[name].type = frontend::ElementType::Double;
    if (!c.tensors[at].data.sizes.empty())
      options.sizes[name] = c.tensors[at].data.sizes;
  }
  options.tensors["result"].type = frontend::ElementType::Double;
  if (!c.out.empty())
    options.sizes["result"] = c.resultSizes();
  return options;
}

// The extents of the variables that a text mentions.
static void addExtents(const Case &c, llvm::StringRef text, frontend::OneLinerOptions &options) {
  for (const IndexVariable &variable : c.variables)
    for (size_t at = text.find(variable.name); at != llvm::StringRef::npos;
         at = text.find(variable.name, at + 1)) {
      auto isWord = [&](size_t place) { return place < text.size() && llvm::isAlnum(text[place]); };
      if (!(at > 0 && isWord(at - 1)) && !isWord(at + variable.name.size()))
        options.sizes[variable.name] = {variable.extent};
    }
}

OwningOpRef<ModuleOp> Checks::read(const Case &c, const std::string &text, std::string &messages) {
  llvm::SourceMgr sources;
  unsigned id =
      sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "<statement>"), {});
  frontend::Diagnostics diagnostics(sources);
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<frontend::ast::AssignStmt> tree = frontend::parseOneLiner(id, diagnostics);
  if (tree && !diagnostics.hasErrors()) {
    frontend::OneLinerOptions options = optionsOf(c);
    addExtents(c, text, options);
    frontend::OneLinerResult result =
        frontend::analyze(*tree, options, frontend::TaFormats(&context), diagnostics);
    if (result.program)
      module = frontend::emitTa(*result.program, &context, diagnostics);
  }
  for (const frontend::Diagnostic &one : diagnostics.all())
    if (one.severity == frontend::Severity::Error)
      messages += one.message + "; ";
  return module;
}

// Operands are found by their names.
static const Operand *operandOf(const Case &c, BlockArgument argument) {
  auto named = dyn_cast<NameLoc>(argument.getLoc());
  if (!named)
    return &c.tensors[argument.getArgNumber()];
  if (named.getName() == "result")
    return &c.tensors[*c.init];
  for (const Operand &operand : c.tensors)
    if (named.getName() == operand.name)
      return &operand;
  return nullptr;
}

// Every value, in the order of coordinates. What is not listed is worth the fill.
static std::vector<double> allValues(const reference::Expected &expected) {
  size_t count = 1;
  for (int64_t size : expected.sizes)
    count *= size_t(size);
  std::vector<double> values(count, expected.fill.value.real());
  for (size_t entry = 0; entry < expected.entries.size(); ++entry) {
    size_t place = 0;
    for (auto [coordinate, size] : llvm::zip(expected.coordinate(entry), expected.sizes))
      place = place * size_t(size) + size_t(coordinate);
    values[place] = expected.entries[entry].value.value.real();
  }
  return values;
}

Values Checks::valuesOf(const Case &c, ModuleOp module) {
  ta::ComputeOp statement;
  module.walk([&](ta::ComputeOp op) { statement = op; });
  ta::FillOp fill;
  module.walk([&](ta::FillOp op) { fill = op; });
  if (!statement && fill) {
    int64_t count = 1;
    for (int64_t size : c.resultSizes())
      count *= size;
    double value = cast<FloatAttr>(fill.getValue()).getValueAsDouble();
    return std::vector<double>(size_t(count), value);
  }
  auto tensorOf = [&](Value value) {
    const Operand *operand = operandOf(c, cast<BlockArgument>(value));
    return reference::Tensor::fromCoordinates(toCoordinates(operand->data));
  };
  std::vector<reference::Tensor> inputs;
  for (Value input : statement.getInputs()) {
    runtime::Result<reference::Tensor> tensor = tensorOf(input);
    if (!tensor)
      return tensor.takeStatus();
    inputs.push_back(std::move(*tensor));
  }
  std::optional<reference::Tensor> init;
  if (statement.getInit()) {
    runtime::Result<reference::Tensor> tensor = tensorOf(statement.getInit());
    if (!tensor)
      return tensor.takeStatus();
    init = std::move(*tensor);
  }
  runtime::Result<reference::Expected> expected =
      reference::evaluate(statement, inputs, init ? &*init : nullptr);
  if (!expected)
    return expected.takeStatus();
  if (!expected->complete)
    return runtime::Error{runtime::Error::NoCode, "too much to evaluate"};
  return allValues(*expected);
}

// What a person may not write: the reasons are the language's.
static bool mayRefuse(llvm::StringRef messages) {
  for (llvm::StringRef reason :
       {"the left side may reach a place several times", "what is reduced does not use the label",
        "has size", "reaches coordinate", "has no index", "is used both inside and outside"})
    if (messages.contains(reason))
      return true;
  return false;
}

// Sums are made in different orders, of values about as large as the largest.
static bool isSame(double a, double b, double largest) {
  return a == b || (std::isnan(a) && std::isnan(b)) ||
         std::abs(a - b) <= 1e-9 * std::max(largest, 1.0);
}

void Checks::check(uint64_t seed, int64_t number) {
  uint64_t own = seed * 0x9E3779B97F4A7C15ull + static_cast<uint64_t>(number);
  Case c = drawForLanguage(own);
  if (!isOfLanguage(c))
    return;
  Random random(own + 1);
  std::string text = languageText(c, random), messages, wrong;
  ScopedDiagnosticHandler handler(&context,
                                  [&](Diagnostic &diagnostic) { messages += diagnostic.str(); });
  OwningOpRef<ModuleOp> written = parseSourceString<ModuleOp>(moduleText(c), &context);
  Values expected = written ? valuesOf(c, *written)
                            : runtime::Error{runtime::Error::NoCode, "the case is no program"};
  if (!expected)
    return; // of no interest here
  OwningOpRef<ModuleOp> meant = read(c, text, messages);
  if (!meant && mayRefuse(messages)) {
    ++refused;
    return;
  }
  Values found = meant ? valuesOf(c, *meant) : runtime::Error{runtime::Error::NoCode, messages};
  if (!found)
    wrong = found.error().text();
  else if (found->size() != expected->size())
    wrong = "there are " + std::to_string(found->size()) + " values, not " +
            std::to_string(expected->size());
  double largest = 0;
  for (double value : *expected)
    largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  for (size_t at = 0; wrong.empty() && at < expected->size(); ++at)
    if (!isSame((*found)[at], (*expected)[at], largest))
      wrong = "value " + std::to_string(at) + " is " + std::to_string((*found)[at]) + ", not " +
              std::to_string((*expected)[at]);
  agree += wrong.empty();
  failures += !wrong.empty();
  if (!wrong.empty())
    llvm::outs() << "--seed " << seed << " --one " << number << ": " << text << "\n  meant as "
                 << notation(c) << "\n  " << wrong << "\n";
}

int Checks::report() const {
  llvm::outs() << agree << " agree, " << refused << " refused, " << failures << " fail\n";
  return failures == 0 && agree > 0 ? 0 : 1;
}

// Writes programs to a folder; returns whether all could be written.
static bool writeTexts(llvm::StringRef folder, uint64_t seed, int64_t first, int64_t count) {
  std::error_code error = llvm::sys::fs::create_directories(folder);
  for (int64_t number = first; !error && number < first + count; ++number) {
    uint64_t own = seed * 0x9E3779B97F4A7C15ull + static_cast<uint64_t>(number);
    Case c = drawProgram(own);
    if (!isOfLanguage(c))
      continue;
    Random random(own + 1);
    std::string path = (folder + "/" + std::to_string(number) + ".ta").str();
    llvm::raw_fd_ostream file(path, error);
    file << languageProgram(c, random);
  }
  if (error)
    llvm::errs() << "cannot write to " << folder << ": " << error.message() << "\n";
  return !error;
}

int main(int argc, char **argv) {
  uint64_t seed = 1;
  int64_t first = 0, count = 3000;
  llvm::StringRef texts;
  for (int at = 1; at < argc; at += 2) {
    llvm::StringRef name = argv[at], value = at + 1 < argc ? argv[at + 1] : "";
    bool wrong = name == "--seed"    ? value.getAsInteger(10, seed)
                 : name == "--count" ? value.getAsInteger(10, count)
                 : name == "--one"   ? value.getAsInteger(10, first)
                 : name == "--texts" ? (texts = value).empty()
                                     : true;
    if (wrong) {
      llvm::errs() << "usage: " << argv[0]
                   << " [--seed S] [--count N] [--one K] [--texts FOLDER]\n";
      return 2;
    }
    if (name == "--one")
      count = 1;
  }
  if (!texts.empty())
    return writeTexts(texts, seed, first, count) ? 0 : 1;
  Checks checks;
  for (int64_t number = first; number < first + count; ++number)
    checks.check(seed, number);
  return checks.report();
}
