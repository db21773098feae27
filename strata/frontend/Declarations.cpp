// Declarations of labels, tensors and scalars, and the values of parameters.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Suggest.h"

#include "strata/runtime/Counted.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

LabelId Analyzer::addLabel(Label label) {
  labels.push_back(std::move(label));
  return labels.size() - 1;
}

TensorId Analyzer::addTensor(Tensor tensor, TensorState state) {
  program.tensors.push_back(std::move(tensor));
  TensorId id = states.size();
  for (auto [dimension, label] : llvm::enumerate(state.labels))
    labels[label].dimensions.push_back({id, dimension});
  states.push_back(std::move(state));
  return id;
}

TensorId Analyzer::addScalar(const ast::Name &name) {
  Tensor tensor;
  tensor.name = name.text;
  tensor.range = name.range;
  TensorState state;
  state.typeIsOpen = true;
  return addTensor(std::move(tensor), std::move(state));
}

TensorId Analyzer::addTemporary() {
  TensorId id = addScalar({"_" + std::to_string(program.tensors.size()), {}});
  program.tensors[id].temporary = true;
  return id;
}

void Analyzer::declareName(const ast::Name &name, Symbol::Kind kind, unsigned id) {
  if (scope->declare(name.text, {kind, id, name.range}))
    return;
  diagnostics.error(name.range, "'" + name.text + "' is declared twice")
      .note("it is declared here first", scope->find(name.text)->range);
}

//===------------------------------------------------------------------------------------------===//
// Parameters
//===------------------------------------------------------------------------------------------===//

const std::string *Analyzer::parameter(llvm::StringRef name) {
  auto found = parameters.find(name.str());
  if (found == parameters.end())
    return nullptr;
  usedParameters.insert(name);
  return &found->second;
}

// Tells whether a name that has no other meaning stands for a parameter.
bool Analyzer::mayBeParameter(llvm::StringRef name) const {
  return parameters.count(name.str()) || (parameters.stayOpen && !scope->find(name));
}

// Tells whether it is a parameter that is given when the program runs.
bool Analyzer::isOpen(const ast::Bound &bound) const {
  return !bound.number && !parameters.count(bound.name) && mayBeParameter(bound.name);
}

// A name that the program leaves to those who run it is none of `known`, mistyped.
void Analyzer::leaveOpen(const ast::Name &name, llvm::ArrayRef<llvm::StringRef> known) {
  if (!leftOpen.insert(name.text).second)
    return;
  if (std::string guess = didYouMean(name.text, known); !guess.empty())
    diagnostics
        .warning(name.range, "'" + name.text +
                                 "' is not declared, so it is a parameter, which is "
                                 "given when the program runs")
        .note(guess);
}

// A parameter without a value where the compiler needs one; always false.
bool Analyzer::refuseOpen(const ast::Name &name) {
  return unknown(name,
                 "the value of '" + name.text + "' must be known when the program is compiled", {},
                 "give it to the compiler: -D " + name.text + "=100");
}

std::optional<int64_t> Analyzer::valueOf(const ast::Bound &bound) {
  if (bound.number)
    return bound.number;
  const std::string *value = parameter(bound.name);
  if (!value && mayBeParameter(bound.name)) {
    refuseOpen({bound.name, bound.range});
    return std::nullopt;
  }
  if (!value) {
    bool declared = scope->find(bound.name);
    diagnostics
        .error(bound.range, "'" + bound.name + (declared ? "' is not a size" : "' has no value"))
        .note("a size is a number, '?', or a parameter: -D " + bound.name + "=100");
    return std::nullopt;
  }
  int64_t number;
  if (!llvm::StringRef(*value).getAsInteger(10, number))
    return number;
  diagnostics.error(bound.range, "the parameter '" + bound.name + "' is \"" + *value +
                                     "\", which is no integer");
  return std::nullopt;
}

//===------------------------------------------------------------------------------------------===//
// Labels
//===------------------------------------------------------------------------------------------===//

void Analyzer::declareLabels(const ast::LabelsStmt &statement) {
  Label label;
  label.faulty = !describeLabel(statement, label);
  for (const ast::Name &name : statement.labels) {
    label.name = name.text;
    label.range = name.range;
    declareName(name, Symbol::Kind::Label, addLabel(label));
  }
}

// The label that the statement's range describes; after a mistake, one of unknown size.
bool Analyzer::describeLabel(const ast::LabelsStmt &statement, Label &label) {
  std::optional<int64_t> lo = valueOf(statement.lo), step = valueOf(statement.step);
  if (!lo || !step)
    return false;
  auto refuse = [&](llvm::SMRange range, const llvm::Twine &message, const llvm::Twine &hint = "") {
    diagnostics.error(range, message).note(hint);
    return false;
  };
  if (*lo < 0)
    return refuse(statement.lo.range, "a range cannot begin at " + llvm::Twine(*lo),
                  "coordinates count from 0");
  if (*step < 1)
    return refuse(statement.step.range, "the step of a range cannot be " + llvm::Twine(*step),
                  "steps are 1 or more");
  if (statement.hi && *lo == 0 && *step == 1 && !statement.isInterval && isOpen(*statement.hi)) {
    label.parameter = statement.hi->name;
    leaveOpen({label.parameter, statement.hi->range}, scope->names());
    return true;
  }
  if (!statement.hi) {
    if (*lo == 0 && *step == 1)
      return true;
    return refuse(statement.bounds, "a range that ends at '?' must be [?] or [0:?]",
                  "what the size will be is known only when files are read");
  }
  std::optional<int64_t> hi = valueOf(*statement.hi);
  if (!hi)
    return false;
  if (*hi < *lo)
    return refuse(statement.hi->range,
                  statement.isInterval
                      ? "a range cannot end at " + llvm::Twine(*hi) + ", before it begins"
                      : "a size cannot be " + llvm::Twine(*hi));
  label.selects = statement.isInterval;
  label.lo = *lo;
  // hi - lo cannot overflow: both are at least 0.
  label.size = (*hi - *lo) / *step + ((*hi - *lo) % *step != 0);
  label.step = *label.size > 1 ? *step : 1;
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Tensors and scalars
//===------------------------------------------------------------------------------------------===//

// An element type by its name, or by a parameter's; double after a mistake.
ElementType Analyzer::elementTypeOf(const ast::Name &name) {
  if (std::optional<ElementType> type = findElementType(name.text))
    return *type;
  const std::string *value = parameter(name.text);
  llvm::StringRef word = value ? llvm::StringRef(*value) : llvm::StringRef(name.text);
  if (std::optional<ElementType> type = findElementType(word))
    return *type;
  llvm::ArrayRef<llvm::StringRef> known = elementTypeNames();
  std::string hint = didYouMean(word, known);
  auto report = diagnostics.error(name.range, "unknown element type '" + word + "'");
  report.note(hint.empty() ? "elements are " + quotedList(known) : hint);
  if (!value && hint.empty())
    report.note("if it is a parameter, give it: -D " + name.text + "=double");
  return ElementType::Double;
}

// The format of a declaration, whose labels name the dimensions that its placement cuts by.
std::optional<ast::Format> Analyzer::placed(const ast::TensorStmt &statement) {
  ast::Format format = *statement.format;
  std::vector<std::string> dimensions;
  for (const ast::Bound &bound : statement.dimensions)
    dimensions.push_back(bound.name);
  if (format.placement && !checkPlacement(format, dimensions, quoted(statement.name.text)))
    return std::nullopt;
  return format;
}

void Analyzer::declareTensor(const ast::TensorStmt &statement) {
  Tensor tensor;
  TensorState state;
  tensor.name = statement.name.text;
  tensor.range = statement.name.range;
  tensor.type = elementTypeOf(statement.elementType);
  for (const ast::Bound &bound : statement.dimensions) {
    std::optional<LabelId> label = labelOfDimension(bound);
    state.labels.push_back(label ? *label : addLabel({}));
    tensor.sizes.push_back(labels[state.labels.back()].size);
  }
  constexpr size_t maxOrder = 32;
  if (statement.dimensions.size() > maxOrder)
    diagnostics.error(statement.name.range, "'" + statement.name.text + "' has " +
                                                counted(statement.dimensions.size(), "dimension") +
                                                "; a tensor has at most " + llvm::Twine(maxOrder));
  else if (statement.format && checkFormat(*statement.format, statement.dimensions.size(),
                                           tensor.type, quoted(statement.name.text)))
    tensor.format = placed(statement);
  declareName(statement.name, Symbol::Kind::Tensor, addTensor(std::move(tensor), std::move(state)));
}

// The label that a dimension is declared with: a declared one, or one made for a plain size.
std::optional<LabelId> Analyzer::labelOfDimension(const ast::Bound &bound) {
  if (!bound.number) {
    const Symbol *symbol = scope->find(bound.name);
    if (symbol && symbol->kind == Symbol::Kind::Label)
      return symbol->id;
    if (!symbol && isOpen(bound)) {
      leaveOpen({bound.name, bound.range}, scope->names(Symbol::Kind::Label));
      Label label;
      label.name = label.parameter = bound.name;
      label.range = bound.range;
      return addLabel(std::move(label));
    }
    if (symbol || !parameters.count(bound.name)) {
      unknown({bound.name, bound.range},
              symbol ? "'" + bound.name + "' is not a label"
                     : "label '" + bound.name + "' is not declared",
              scope->names(Symbol::Kind::Label),
              symbol ? "" : "declare it before: IndexLabel [" + bound.name + "] = [?];");
      return std::nullopt;
    }
  }
  std::optional<int64_t> size = valueOf(bound);
  if (!size)
    return std::nullopt;
  if (*size < 0) {
    diagnostics.error(bound.range, "a size cannot be " + llvm::Twine(*size));
    return std::nullopt;
  }
  Label label;
  label.name = std::to_string(*size);
  label.range = bound.range;
  label.size = size;
  return addLabel(std::move(label));
}

// The variable is declared after its value, which cannot use it.
void Analyzer::declareScalar(const ast::ScalarStmt &statement) {
  TensorId id = addScalar(statement.name);
  Notation notation;
  if (!compute({id, {}}, ast::AssignOp::Set, *statement.value, statement.range, notation,
               statement.schedule))
    setValue(id, false);
  declareName(statement.name, Symbol::Kind::Tensor, id);
}

} // namespace strata::frontend
