// Takes the arguments about single tensors apart.
#include "TensorArguments.h"
#include "Messages.h"

#include "strata/frontend/Parser.h"
#include "strata/runtime/io/TensorFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using llvm::StringRef;
using strata::frontend::ElementType;
using strata::frontend::TensorOptions;

namespace strata::tool {

namespace ast = frontend::ast;

TensorArguments::TensorArguments(Session &session, const ast::AssignStmt &statement)
    : session(session), result{statement.tensor.text, statement.labels.size()} {
  collect(*statement.value);
}

void TensorArguments::collect(const ast::Expr &expr) {
  if (const auto *access = llvm::dyn_cast<ast::AccessExpr>(&expr))
    operands.push_back({access->tensor.text, access->labels.size()});
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr))
    operands.push_back({name->name.text, 0});
  if (const auto *negate = llvm::dyn_cast<ast::NegateExpr>(&expr))
    collect(*negate->operand);
  if (const auto *sum = llvm::dyn_cast<ast::SumExpr>(&expr))
    for (const ast::SumExpr::Term &term : sum->terms)
      collect(*term.operand);
  if (const auto *product = llvm::dyn_cast<ast::ProductExpr>(&expr))
    for (const ast::ProductExpr::Factor &factor : product->factors)
      collect(*factor.operand);
  if (const auto *call = llvm::dyn_cast<ast::CallExpr>(&expr))
    for (const ast::ExprPtr &argument : call->arguments)
      collect(*argument);
}

const TensorArguments::Tensor *TensorArguments::find(StringRef name) const {
  if (name == result.name)
    return &result;
  for (const Tensor &operand : operands)
    if (operand.name == name)
      return &operand;
  return nullptr;
}

//===------------------------------------------------------------------------------------------===//
// One argument each
//===------------------------------------------------------------------------------------------===//

bool TensorArguments::format(const NamedValue &argument) {
  unsigned id = session.addText(argument.value, "<format of " + argument.name + ">");
  frontend::Diagnostics diagnostics(session.sources);
  options.tensors[argument.name].format = frontend::parseFormat(id, diagnostics);
  show(diagnostics);
  return !diagnostics.hasErrors();
}

bool TensorArguments::type(const NamedValue &argument) {
  std::optional<ElementType> type = frontend::findElementType(argument.value);
  options.tensors[argument.name].type = type;
  if (!type)
    refuse("'" + argument.value + "' is no type of '" + argument.name + "'",
           "there are " + llvm::join(frontend::elementTypeNames(), ", "));
  return type.has_value();
}

bool TensorArguments::size(const NamedValue &argument) {
  llvm::SmallVector<StringRef> parts;
  StringRef(argument.value).split(parts, ',');
  std::vector<int64_t> sizes;
  for (StringRef part : parts)
    if (part.getAsInteger(10, sizes.emplace_back()) || sizes.back() < 0) {
      refuse("'" + part + "' is no size of '" + argument.name + "'",
             "a size is a whole number: -d=" + argument.name + ":100");
      return false;
    }
  if (find(argument.name)) {
    options.tensors[argument.name].sizes = std::move(sizes);
    return true;
  }
  options.sizes[argument.name] = sizes.front();
  if (sizes.size() > 1)
    refuse("'" + argument.name + "' is no tensor of the statement, so it cannot have " +
           llvm::Twine(sizes.size()) + " sizes");
  return sizes.size() == 1;
}

bool TensorArguments::input(const NamedValue &argument) {
  TensorOptions &tensor = options.tensors[argument.name];
  tensor.source = TensorOptions::Source::File;
  tensor.file = argument.value;
  return true;
}

bool TensorArguments::output(const NamedValue &argument) {
  options.tensors[argument.name].output = argument.value;
  return true;
}

// The letters are TACO's, with `o` for its `u`; so are the densities.
bool TensorArguments::generate(const NamedValue &argument) {
  TensorOptions &tensor = options.tensors[argument.name];
  auto [letter, rest] = StringRef(argument.value).split(':');
  bool hasNumber = argument.value.find(':') != std::string::npos;
  auto refuseFill = [&](const llvm::Twine &why) {
    refuse("'" + argument.value + "' says not how to make '" + argument.name + "'" + why,
           "say d (random values everywhere), s:0.01 (with that density), h (density 0.005), "
           "o (ones) or f:34 (a stencil on a grid of 34 x 34 x 34)");
    return false;
  };
  tensor.seed = int64_t(options.tensors.size());
  tensor.source = TensorOptions::Source::Random;
  if (letter == "s" || letter == "h") {
    tensor.density = letter == "s" ? 0.07 : 0.005;
    if (hasNumber &&
        (rest.getAsDouble(tensor.density) || !(tensor.density >= 0 && tensor.density <= 1)))
      return refuseFill(": a density is a number from 0 to 1");
    return true;
  }
  if (letter == "f") {
    if (const Tensor *made = find(argument.name); made && made->order != 2)
      return refuseFill(": a stencil is a matrix, and '" + argument.name + "' has " +
                        llvm::Twine(made->order) + " dimensions");
    tensor.source = TensorOptions::Source::Stencil;
    tensor.points = 34;
    if (hasNumber &&
        (rest.getAsInteger(10, tensor.points) || tensor.points < 1 || tensor.points > 1000000))
      return refuseFill(": a grid has from 1 to 1000000 points in each dimension");
    return true;
  }
  if (hasNumber)
    return refuseFill("");
  if (letter == "o" || letter == "u")
    tensor.source = TensorOptions::Source::Ones;
  else if (letter != "d" && letter != "r")
    return refuseFill("");
  return true;
}

//===------------------------------------------------------------------------------------------===//
// What is not given
//===------------------------------------------------------------------------------------------===//

// What cannot be read says so later, when it is read.
static bool holdsComplexNumbers(const std::string &file) {
  return llvm::sys::fs::is_regular_file(file) && runtime::valueTypeOfFile(file) == STRATA_C128;
}

void TensorArguments::decideTypes() {
  // The result's type where it is not given: complex if an operand is.
  bool anyComplex = false;
  for (auto &[name, tensor] : options.tensors) {
    if (name == result.name)
      continue;
    if (tensor.source == TensorOptions::Source::File && !tensor.type &&
        holdsComplexNumbers(tensor.file))
      tensor.type = ElementType::ComplexDouble;
    anyComplex |= tensor.type && isComplex(*tensor.type);
  }
  if (anyComplex && !options.tensors[result.name].type)
    options.tensors[result.name].type = ElementType::ComplexDouble;
}

void TensorArguments::pretendInputs() {
  for (const Tensor &operand : operands) {
    if (operand.name == result.name || options.parameters.count(operand.name))
      continue;
    TensorOptions &tensor = options.tensors[operand.name];
    if (tensor.source != TensorOptions::Source::None)
      continue;
    tensor.source = operand.order == 0 ? TensorOptions::Source::Value : TensorOptions::Source::File;
    tensor.file = operand.name;
  }
}

} // namespace strata::tool
