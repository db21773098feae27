// The text of statements.
#include "strata/frontend/StatementText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace strata::frontend {

using Kind = Element::Kind;

std::optional<int64_t> windowSize(const IndexVar &var) {
  for (const SizeSource &source : var.size.sources)
    if (source.constant)
      return source.constant;
  return std::nullopt;
}

static std::string parenthesized(const std::string &text, bool needed) {
  return needed ? "(" + text + ")" : text;
}

//===------------------------------------------------------------------------------------------===//
// Coordinates
//===------------------------------------------------------------------------------------------===//

void StatementText::learnLookups(const Element &element) {
  if (element.kind == Kind::Selector)
    lookups[element.indices.back().terms.front().var] = &element;
  for (const Element::Operand &operand : element.operands)
    learnLookups(*operand.element);
}

const Element *StatementText::lookupOf(const Index &index) const {
  if (index.terms.size() != 1 || index.terms.front().number)
    return nullptr;
  auto found = lookups.find(index.terms.front().var);
  return found == lookups.end() ? nullptr : found->second;
}

llvm::SmallVector<unsigned> StatementText::varsBehind(const Index &index) const {
  llvm::SmallVector<unsigned> behind;
  if (const Element *selector = lookupOf(index)) {
    if (selector->inside)
      return varsBehind(*selector->inside);
    for (const Index &inner : llvm::ArrayRef(selector->indices).drop_back())
      llvm::append_range(behind, varsBehind(inner));
    return behind;
  }
  index.collectVars(behind);
  return behind;
}

// The variable's own name, or one that nothing else in the statement has.
std::string StatementText::nameOf(unsigned var) {
  std::string &name = names[var];
  if (!name.empty())
    return name;
  name = vars[var].name;
  for (int number = 1; taken.contains(name) || given.contains(name); ++number)
    name = vars[var].name + std::to_string(number);
  given.insert(name);
  return name;
}

// A window as TACO writes it: i(2,5), i(0,10,5).
std::string StatementText::window(const Index &index, int64_t size) {
  const Index::Term &term = index.terms.front();
  std::string result = nameOf(term.var) + "(" + std::to_string(index.lo) + "," +
                       std::to_string(index.lo + term.factor * size);
  return result + (term.factor == 1 ? "" : "," + std::to_string(term.factor)) + ")";
}

std::string StatementText::sumOfTerms(const Index &index) {
  std::string result;
  if (index.lo > 0 || index.terms.empty())
    result = std::to_string(index.lo);
  for (const Index::Term &term : index.terms) {
    std::string one = term.number ? "(" + sumOfTerms(*term.number) + ")" +
                                        (term.remainder ? " mod " : " floordiv ") +
                                        std::to_string(term.divisor)
                                  : nameOf(term.var);
    const bool negative = term.factor < 0;
    if (std::abs(term.factor) != 1)
      one = term.number ? one + " * " + std::to_string(std::abs(term.factor))
                        : std::to_string(std::abs(term.factor)) + " * " + one;
    result += negative ? (result.empty() ? "-" : " - ") : result.empty() ? "" : " + ";
    result += one;
  }
  return index.lo < 0 && !index.terms.empty() ? result + " - " + std::to_string(-index.lo) : result;
}

std::string StatementText::coordinate(const Index &index, bool onLeft) {
  if (const Element *selector = lookupOf(index)) {
    if (selector->inside) {
      std::string inside = sumOfTerms(*selector->inside);
      return onLeft ? inside : "~(" + inside + ")";
    }
    return access(selector->tensor, llvm::ArrayRef(selector->indices).drop_back());
  }
  if (index.window && index.terms.size() == 1 && !index.terms.front().number &&
      index.terms.front().factor > 0)
    if (std::optional<int64_t> size = windowSize(vars[index.terms.front().var]))
      return window(index, *size);
  return sumOfTerms(index);
}

std::string StatementText::access(TensorId tensor, llvm::ArrayRef<Index> indices, bool onLeft) {
  met.insert(tensor);
  std::string result = tensors[tensor].name;
  if (indices.empty())
    return result;
  llvm::SmallVector<std::string> coordinates;
  for (const Index &index : indices)
    coordinates.push_back(coordinate(index, onLeft));
  return result + "(" + llvm::join(coordinates, ",") + ")";
}

//===------------------------------------------------------------------------------------------===//
// Elements
//===------------------------------------------------------------------------------------------===//

static std::string numberText(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17g", value);
  std::string shorter;
  llvm::raw_string_ostream(shorter) << llvm::format("%.15g", value);
  if (std::stod(shorter) == value)
    text = shorter;
  return llvm::StringRef(text).find_first_of(".e") == llvm::StringRef::npos ? text + ".0" : text;
}

std::string StatementText::constant(const Element &element) const {
  if (element.integer)
    return parenthesized(std::to_string(*element.integer), *element.integer < 0);
  if (element.imaginary == 0)
    return parenthesized(numberText(element.value), element.value < 0);
  return "(" + numberText(element.value) + (element.imaginary < 0 ? " - " : " + ") +
         numberText(std::abs(element.imaginary)) + "i)";
}

std::string StatementText::sum(const Element &element, Level level) {
  std::string result;
  for (const Element::Operand &term : element.operands) {
    result += result.empty() ? "" : term.inverse ? " - " : " + ";
    result += text(*term.element, InSum);
  }
  return parenthesized(result, level > Loose);
}

// What is looked up is written where it is used, so that selectors are left out.
std::string StatementText::product(const Element &element, Level level) {
  std::string result;
  unsigned count = 0;
  for (bool inverse : {false, true})
    for (const Element::Operand &factor : element.operands) {
      if (factor.inverse != inverse || factor.element->kind == Kind::Selector)
        continue;
      if (inverse && count++ == 0)
        result = "1";
      if (!inverse)
        ++count;
      result += result.empty() ? "" : inverse ? " / " : " * ";
      result += text(*factor.element, inverse ? Tight : InProduct);
    }
  if (count == 0)
    return "1";
  const bool alone = count == 1 && !llvm::StringRef(result).contains(" / ");
  return parenthesized(result, level == Tight && !alone);
}

std::string StatementText::reduction(const Element &element, Level level) {
  llvm::SmallVector<std::string> labels;
  const Element &body = *element.operands.front().element;
  for (unsigned var : element.vars)
    if (!lookups.contains(var))
      labels.push_back(nameOf(var));
  if (labels.empty())
    return text(body, level);
  llvm::StringRef word = element.op == Operator::Plus    ? "sum"
                         : element.op == Operator::Times ? "prod"
                                                         : infoOf(element.op).name;
  labels.push_back(text(body, Loose));
  return word.str() + "(" + llvm::join(labels, ", ") + ")";
}

std::string StatementText::arguments(const Element &element) {
  llvm::SmallVector<std::string> list;
  for (const Element::Operand &operand : element.operands)
    list.push_back(text(*operand.element, Loose));
  return "(" + llvm::join(list, ", ") + ")";
}

std::string StatementText::apply(const Element &element, Level level) {
  if (element.op == Operator::Cast)
    return elementTypeName(element.castTo).str() + arguments(element);
  if (element.op == Operator::Not)
    return "!(" + text(*element.operands.front().element, Loose) + ")";
  const OperatorInfo &info = infoOf(element.op);
  if (info.function && element.op != Operator::BitNot)
    return info.name.str() + arguments(element);
  llvm::StringRef symbol = signOfBits(element.op);
  if (symbol.empty())
    symbol = infoOf(element.op).symbol;
  if (element.op == Operator::BitNot)
    return "~(" + text(*element.operands.front().element, Loose) + ")";
  if (symbol.empty() || element.operands.size() != 2)
    trouble = "'" + info.name.str() + "'";
  return parenthesized(text(*element.operands.front().element, Tight) + " " + symbol.str() + " " +
                           text(*element.operands.back().element, Tight),
                       level > Loose);
}

std::string StatementText::text(const Element &element, Level level) {
  switch (element.kind) {
  case Kind::Constant:
    return constant(element);
  case Kind::Parameter:
    return element.parameter;
  case Kind::Access:
    return access(element.tensor, element.indices);
  case Kind::Negate:
    return parenthesized("-" + text(*element.operands.front().element, Tight), level > Loose);
  case Kind::Add:
    return sum(element, level);
  case Kind::Multiply:
    return product(element, level);
  case Kind::Sum:
    return reduction(element, level);
  case Kind::Apply:
    return apply(element, level);
  case Kind::Mask:
    return text(*element.operands.front().element, level);
  case Kind::Label: {
    std::string written = sumOfTerms(element.indices.front());
    return parenthesized(written, llvm::StringRef(written).contains(' '));
  }
  case Kind::Selector:
    return "1";
  case Kind::Join:
    break;
  }
  trouble = "an operator of what is stored, '@'";
  return "";
}

} // namespace strata::frontend
