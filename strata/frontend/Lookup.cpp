// Finding what a name stands for, and saying so where it stands for nothing.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Suggest.h"

#include "strata/runtime/Counted.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

// Complains once about each unknown name; always false.
bool Analyzer::unknown(const ast::Name &name, const llvm::Twine &message,
                       llvm::ArrayRef<llvm::StringRef> candidates, const llvm::Twine &hint) {
  if (!reported.insert(name.text).second)
    return false;
  std::string guess = didYouMean(name.text, candidates);
  diagnostics.error(name.range, message).note(guess.empty() ? hint.str() : guess);
  return false;
}

bool Analyzer::isTensor(llvm::StringRef name) const {
  const Symbol *symbol = scope->find(name);
  return symbol && symbol->kind != Symbol::Kind::Label;
}

// The tensor or view of that name. `labels` serve the suggestion of a declaration.
const Symbol *Analyzer::findTensor(const ast::Name &name, llvm::ArrayRef<ast::Coordinate> labels) {
  const Symbol *symbol = scope->find(name.text);
  if (symbol && symbol->kind != Symbol::Kind::Label)
    return symbol;
  std::vector<llvm::StringRef> known = scope->names(Symbol::Kind::Tensor);
  llvm::append_range(known, scope->names(Symbol::Kind::View));
  std::string declaration;
  for (const ast::Name &label : labels)
    declaration += (declaration.empty() ? "" : ", ") + label.text;
  unknown(name,
          symbol ? "'" + name.text + "' is a label, not a tensor"
                 : "'" + name.text + "' is not declared",
          known,
          symbol || labels.empty() ? ""
                                   : "declare it before: Tensor<double> " + name.text + "([" +
                                         declaration + "], Dense);");
  return nullptr;
}

// What to do about a name that may be a label or a coordinate.
std::string Analyzer::knownWhenCompiled(const std::string &name) {
  return "declare it before: IndexLabel [" + name +
         "] = [?]; or, if it is a coordinate, give it to the compiler: -D " + name + "=0";
}

std::optional<LabelId> Analyzer::findLabel(const ast::Name &name) {
  const Symbol *symbol = scope->find(name.text);
  if (symbol && symbol->kind == Symbol::Kind::Label)
    return symbol->id;
  unknown(name,
          symbol ? "'" + name.text + "' is a tensor, not a label"
                 : "label '" + name.text + "' is not declared",
          scope->names(Symbol::Kind::Label),
          symbol                ? ""
          : parameters.stayOpen ? knownWhenCompiled(name.text)
                                : "declare it before: IndexLabel [" + name.text + "] = [?];");
  return std::nullopt;
}

// A[i, j], or A(i, j) where A is a tensor.
std::optional<AccessText> Analyzer::accessOf(const ast::Expr &expr) const {
  if (const auto *access = llvm::dyn_cast<ast::AccessExpr>(&expr))
    return AccessText{&access->tensor, access->labels, access->range};
  const auto *call = llvm::dyn_cast<ast::CallExpr>(&expr);
  if (!call || !isTensor(call->callee.text))
    return std::nullopt;
  AccessText text{&call->callee, {}, call->range};
  for (const ast::ExprPtr &argument : call->arguments) {
    if (const auto *name = llvm::dyn_cast<ast::NameExpr>(argument.get())) {
      text.labels.push_back({name->name});
      continue;
    }
    // The call goes on to own it.
    std::shared_ptr<const ast::Expr> computed(std::shared_ptr<void>(), argument.get());
    llvm::SMRange range = argument->range;
    text.labels.push_back(
        {{std::string(range.Start.getPointer(), range.End.getPointer()), range}, computed});
  }
  return text;
}

unsigned Analyzer::orderOf(const Symbol &symbol) const {
  return symbol.kind == Symbol::Kind::View ? views[symbol.id].dimensions.size()
                                           : program.tensors[symbol.id].order();
}

LabelId Analyzer::labelOf(const Symbol &symbol, unsigned dimension) const {
  return symbol.kind == Symbol::Kind::View ? views[symbol.id].dimensions[dimension].label
                                           : states[symbol.id].labels[dimension];
}

TensorId Analyzer::tensorOf(const Symbol &symbol) const {
  return symbol.kind == Symbol::Kind::View ? views[symbol.id].base : symbol.id;
}

unsigned Analyzer::baseDimension(const Symbol &symbol, unsigned dimension) const {
  return symbol.kind == Symbol::Kind::View ? views[symbol.id].dimensions[dimension].baseDimension
                                           : dimension;
}

std::optional<int64_t> Analyzer::sizeOf(const Symbol &symbol, unsigned dimension) const {
  return symbol.kind == Symbol::Kind::View ? labels[labelOf(symbol, dimension)].size
                                           : program.tensors[symbol.id].sizes[dimension];
}

bool Analyzer::checkOrder(const Symbol &symbol, const ast::Name &tensor, size_t numLabels,
                          llvm::SMRange range) {
  unsigned order = orderOf(symbol);
  if (order == numLabels)
    return true;
  std::string written;
  for (unsigned dimension = 0; dimension < order; ++dimension)
    written += (dimension ? ", " : "") + labels[labelOf(symbol, dimension)].name;
  auto report = diagnostics.error(
      range, "'" + tensor.text + "' has " + counted(order, "dimension") + ", but " +
                 counted(numLabels, "label") + (numLabels == 1 ? " is given" : " are given"));
  if (alone)
    report.note("it is used here first", symbol.range);
  else if (order == 0)
    report.note("'" + tensor.text + "' is a scalar; write it without labels", symbol.range);
  else
    report.note("it is declared with [" + written + "]", symbol.range);
  return false;
}

bool Analyzer::checkHasValue(TensorId tensor, llvm::SMRange range) {
  if (states[tensor].hasValue)
    return true;
  if (isDeferred(tensor)) {
    sizesOf(tensor, range); // says which is not known
    dropDeferred(tensor);
    states[tensor].hasValue = true;
    return false;
  }
  const Tensor &t = program.tensors[tensor];
  states[tensor].hasValue = true; // once is enough
  if (alone) {
    diagnostics.error(range, "nothing says what '" + t.name + "' holds before the statement")
        .note("give a file, -i=" + t.name + ":FILE, or have it generated, -g=" + t.name + ":d");
    return false;
  }
  diagnostics.error(range, "'" + t.name + "' has no value yet")
      .note("assign to it, fill it or read it before it is used; it is declared here", t.range);
  return false;
}

} // namespace strata::frontend
