// Semirings and operators that a program declares: what they mean in an expression, and whether
// they keep what they promise.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Clones.h"
#include "strata/frontend/OperatorGrowth.h"
#include "strata/frontend/Reductions.h"
#include "strata/frontend/Suggest.h"

#include "strata/runtime/Counted.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace strata::frontend {

using llvm::cast;
using llvm::StringRef;

//===------------------------------------------------------------------------------------------===//
// Expressions of parameters
//===------------------------------------------------------------------------------------------===//

const ast::OperatorFunction *Analyzer::findOperatorFunction(StringRef name) const {
  if (!currentModule)
    return nullptr;
  for (const ast::OperatorFunction &function : currentModule->operators)
    if (function.name.text == name)
      return &function;
  return nullptr;
}

// What an element, which was read elsewhere, asks of the type of what it becomes a part of.
void Analyzer::useElement(const Element &element, Notation &notation) {
  using Kind = Element::Kind;
  TypeFacts &facts = notation.facts;
  switch (element.kind) {
  case Kind::Constant:
    facts.hasReal |= !element.integer;
    facts.hasImaginary |= element.imaginary != 0;
    if (element.integer)
      facts.include(*element.integer);
    return;
  case Kind::Parameter:
    facts.hasOpen = true;
    return;
  case Kind::Access:
    return useType(program.tensors[element.tensor].type, notation);
  case Kind::Label:
  case Kind::Selector:
    return useType(ElementType::Int64, notation);
  case Kind::Mask:
    return useElement(*element.operands.front().element, notation);
  case Kind::Apply:
    if (element.inner)
      return useType(element.ownType(), notation);
    break;
  case Kind::Negate:
    subtracts(element.range, notation);
    break;
  case Kind::Add:
  case Kind::Multiply:
    facts.adds = true;
    break;
  case Kind::Sum:
  case Kind::Join:
    break;
  }
  if (element.kind >= Kind::Sum)
    useOperator(element.op, element.range, notation);
  if (element.reduces)
    useOperator(*element.reduces, element.range, notation);
  for (auto [at, operand] : llvm::enumerate(element.operands)) {
    if (operand.inverse && element.kind == Kind::Add)
      subtracts(element.range, notation);
    facts.hasDivision |= operand.inverse && element.kind == Kind::Multiply;
    if (at > 0 || element.kind != Kind::Apply || element.op != Operator::Where)
      useElement(*operand.element, notation);
  }
}

// The expression with elements in the place of its names.
ElementPtr Analyzer::substituted(const ast::Expr &expr, const Substitution &names,
                                 Notation &notation) {
  using Kind = ast::Expr::Kind;
  switch (expr.kind) {
  case Kind::Number:
    return number(cast<ast::NumberExpr>(expr), notation);
  case Kind::Name: {
    const ast::Name &name = cast<ast::NameExpr>(expr).name;
    auto found = names.find(name.text);
    if (found != names.end()) {
      useElement(*found->second, notation);
      return cloneOf(*found->second);
    }
    if (parameter(name.text))
      return bareName(cast<ast::NameExpr>(expr), notation);
    std::vector<StringRef> known;
    for (const auto &entry : names)
      known.push_back(entry.first());
    unknown(name, "'" + name.text + "' is neither an operand nor a parameter", known,
            "the operands here are " + quotedList(known));
    return nullptr;
  }
  case Kind::Negate: {
    ElementPtr operand = substituted(*cast<ast::NegateExpr>(expr).operand, names, notation);
    if (operand && operand->kind != Element::Kind::Constant)
      subtracts(expr.range, notation);
    return operand ? withConstant(makeNegate(std::move(operand), expr.range), notation) : nullptr;
  }
  case Kind::Sum:
  case Kind::Product:
    return substitutedChain(expr, names, notation);
  case Kind::Binary:
    if (const auto &binary = cast<ast::BinaryExpr>(expr); !binary.joins) {
      auto read = [&](const ast::Expr &side) { return substituted(side, names, notation); };
      return compares(binary.op) ? comparison(binary, notation, read)
                                 : ofBits(binary, notation, read);
    }
    break;
  case Kind::Call:
    return substitutedCall(cast<ast::CallExpr>(expr), names, notation);
  case Kind::Access:
  case Kind::Text:
  case Kind::Labels:
  case Kind::Values:
    break;
  }
  diagnostics.error(expr.range, "an operator computes with its operands and numbers only");
  return nullptr;
}

ElementPtr Analyzer::substitutedChain(const ast::Expr &expr, const Substitution &names,
                                      Notation &notation) {
  std::vector<Element::Operand> operands;
  bool ok = true;
  notation.facts.adds = true;
  auto add = [&](const ast::Expr &operand, bool inverse) {
    operands.push_back({inverse, substituted(operand, names, notation)});
    ok &= operands.back().element != nullptr;
  };
  if (const auto *sum = llvm::dyn_cast<ast::SumExpr>(&expr)) {
    for (const ast::SumExpr::Term &term : sum->terms) {
      if (term.subtracted)
        subtracts(sum->range, notation);
      add(*term.operand, term.subtracted);
    }
    return ok ? withConstant(makeAdd(std::move(operands), expr.range), notation) : nullptr;
  }
  ok = checkProduct(cast<ast::ProductExpr>(expr));
  for (const ast::ProductExpr::Factor &factor : cast<ast::ProductExpr>(expr).factors) {
    bool divides = factor.op == ast::ProductExpr::Op::Divide;
    notation.facts.hasDivision |= divides;
    add(*factor.operand, divides);
  }
  return ok ? withConstant(makeMultiply(std::move(operands), expr.range), notation) : nullptr;
}

ElementPtr Analyzer::substitutedCall(const ast::CallExpr &call, const Substitution &names,
                                     Notation &notation) {
  auto substitute = [&](const ast::Expr &argument) {
    return substituted(argument, names, notation);
  };
  const ast::OperatorFunction *function = findOperatorFunction(call.callee.text);
  if (std::optional<Operator> op = frontend::findFunction(call.callee.text); op && !function)
    return apply(call, *op, notation, substitute);
  if (!function) {
    diagnostics.error(call.range, "an operator cannot use '" + call.callee.text + "'")
        .note(didYouMean(call.callee.text, functionNames()));
    return nullptr;
  }
  std::vector<ElementPtr> operands;
  for (const ast::ExprPtr &argument : call.arguments) {
    operands.push_back(substitute(*argument));
    if (!operands.back())
      return nullptr;
  }
  return expanded(*function, call, std::move(operands), notation);
}

// Tells whether the expression may be replaced by elements that have these in the place of its
// parameters. They count from then on.
bool Analyzer::mayExpand(const ast::Expr &value, llvm::ArrayRef<StringRef> parameters,
                         llvm::ArrayRef<const Element *> operands, llvm::SMRange range) {
  std::optional<Growth> growth = OperatorGrowth(*currentModule, diagnostics).of(value, parameters);
  if (!growth)
    return false;
  uint64_t elements = growth->own;
  unsigned deepest = 0;
  for (auto [uses, operand] : llvm::zip(growth->uses, operands)) {
    auto [size, nesting] = extentOf(*operand);
    elements = Growth::bounded(elements + uses * Growth::bounded(size));
    deepest = std::max(deepest, nesting);
  }
  if (growth->depth + deepest > maxGrownDepth) {
    refuseDepthOfOperators(range, diagnostics);
    return false;
  }
  grown += elements;
  const bool isTooLarge = elements > maxGrown;
  if (!isTooLarge && grown <= maxGrownInProgram)
    return true;
  diagnostics
      .error(range, "operators stand for more than " +
                        llvm::Twine(isTooLarge ? maxGrown : maxGrownInProgram) + " operations" +
                        (isTooLarge ? "" : " in this program"))
      .note("what they compute with can be assigned to a scalar or a tensor before");
  return false;
}

// f(a, b) of a declared operator: its expression with a and b in it.
ElementPtr Analyzer::expanded(const ast::OperatorFunction &function, const ast::CallExpr &call,
                              std::vector<ElementPtr> operands, Notation &notation) {
  if (operands.size() != function.parameters.size()) {
    diagnostics
        .error(call.range, "'" + function.name.text + "' takes " +
                               counted(function.parameters.size(), "operand") + ", " +
                               std::to_string(operands.size()) +
                               (operands.size() == 1 ? " is given" : " are given"))
        .note("it is declared here", function.name.range);
    return nullptr;
  }
  Substitution names;
  for (auto [parameter, operand] : llvm::zip(function.parameters, operands))
    names[parameter.text] = operand.get();
  return substituted(*function.value, names, notation);
}

// The same where a statement calls it.
ElementPtr Analyzer::callOperator(const ast::OperatorFunction &function, const ast::CallExpr &call,
                                  Notation &notation) {
  std::vector<ElementPtr> operands;
  TypeFacts around = notation.facts; // an operand's type counts where it is used
  for (const ast::ExprPtr &argument : call.arguments)
    if (ElementPtr operand = element(*argument, notation))
      operands.push_back(std::move(operand));
    else
      return nullptr;
  notation.facts = around;
  llvm::SmallVector<StringRef> parameters;
  llvm::SmallVector<const Element *> given;
  for (const ast::Name &parameter : function.parameters)
    parameters.push_back(parameter.text);
  for (const ElementPtr &operand : operands)
    given.push_back(operand.get());
  return mayExpand(*function.value, parameters, given, call.range)
             ? expanded(function, call, std::move(operands), notation)
             : nullptr;
}

//===------------------------------------------------------------------------------------------===//
// Checking
//===------------------------------------------------------------------------------------------===//

static double numberOf(const Element &element) {
  llvm::SmallVector<double> values;
  for (const Element::Operand &operand : element.operands)
    values.push_back(numberOf(*operand.element));
  switch (element.kind) {
  case Element::Kind::Negate:
    return -values[0];
  case Element::Kind::Add:
  case Element::Kind::Multiply: {
    bool adds = element.kind == Element::Kind::Add;
    double result = adds ? 0 : 1;
    for (auto [operand, value] : llvm::zip(element.operands, values))
      result = adds ? (operand.inverse ? result - value : result + value)
                    : (operand.inverse ? result / value : result * value);
    return result;
  }
  case Element::Kind::Apply:
    return element.op == Operator::Cast ? double(values[0] != 0) // the only one that operators have
                                        : evaluate(element.op, values);
  case Element::Kind::Constant:
  case Element::Kind::Parameter:
  case Element::Kind::Access:
  case Element::Kind::Label:
  case Element::Kind::Selector:
  case Element::Kind::Sum:
  case Element::Kind::Join:
  case Element::Kind::Mask:
    break;
  }
  return element.value;
}

static std::string inWords(double value) {
  if (std::isinf(value))
    return value > 0 ? "inf" : "-inf";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.10g", value);
  return text;
}

static bool agrees(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b)) ||
         std::fabs(a - b) <= 1e-12 * std::max(std::fabs(a), std::fabs(b));
}

// The operator that `add` is: a name, x + y, x * y, or f(x, y).
std::optional<Operator> Analyzer::monoidOf(const ast::Expr &expr) const {
  auto isOperand = [](const ast::Expr &operand, StringRef name) {
    const auto *bare = llvm::dyn_cast<ast::NameExpr>(&operand);
    return bare && bare->name.text == name;
  };
  auto both = [&](const ast::Expr &a, const ast::Expr &b) {
    return (isOperand(a, "x") && isOperand(b, "y")) || (isOperand(a, "y") && isOperand(b, "x"));
  };
  std::optional<Operator> op;
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr)) {
    op = findOperator(name->name.text);
  } else if (const auto *call = llvm::dyn_cast<ast::CallExpr>(&expr)) {
    if (call->arguments.size() == 2 && both(*call->arguments[0], *call->arguments[1]))
      op = findOperator(call->callee.text);
  } else if (const auto *sum = llvm::dyn_cast<ast::SumExpr>(&expr)) {
    if (sum->terms.size() == 2 && !sum->terms[0].subtracted && !sum->terms[1].subtracted &&
        both(*sum->terms[0].operand, *sum->terms[1].operand))
      op = Operator::Plus;
  } else if (const auto *product = llvm::dyn_cast<ast::ProductExpr>(&expr)) {
    const auto &factors = product->factors;
    if (factors.size() == 2 && factors[1].op == ast::ProductExpr::Op::Times &&
        both(*factors[0].operand, *factors[1].operand))
      op = Operator::Times;
  }
  return op && infoOf(*op).reduces ? op : std::nullopt;
}

// Do `zero` and `one` do to samples what they promise?
bool Analyzer::keepsPromises(const ast::Semiring &semiring, Operator add) {
  bool logical = add == Operator::Or || add == Operator::And || add == Operator::Xor;
  static constexpr double numbers[] = {-100, -3, -1, -0.5, 0, 0.25, 1, 2, 7, 1000},
                          truths[] = {0, 1};
  Notation scratch;
  double zero = *semiring.zero;
  bool understood = true; // else there are errors
  auto multiply = [&](double x, double y) {
    ElementPtr a = makeConstant(x, std::nullopt, {}), b = makeConstant(y, std::nullopt, {});
    if (!understood)
      return zero; // once is enough
    ElementPtr product = substituted(*semiring.multiply, {{"x", a.get()}, {"y", b.get()}}, scratch);
    understood &= product != nullptr;
    return product ? numberOf(*product) : zero;
  };
  auto refuse = [&](const llvm::Twine &what, const llvm::Twine &found) {
    diagnostics.error(semiring.name.range, "'" + semiring.name.text + "' is no semiring: " + what)
        .note(found);
    return false;
  };
  for (double sample : logical ? llvm::ArrayRef(truths) : llvm::ArrayRef(numbers)) {
    if (add != Operator::Any)
      if (double sum = evaluate(add, {zero, sample}); !agrees(sum, sample))
        return refuse("adding its zero changes a value",
                      "zero is " + inWords(zero) + ", and add of it and " + inWords(sample) +
                          " is " + inWords(sum));
    for (auto [x, y] : {std::pair(zero, sample), std::pair(sample, zero)})
      if (double product = multiply(x, y); understood && !agrees(product, zero))
        return refuse("its zero does not annihilate",
                      "zero is " + inWords(zero) + ", and multiply of " + inWords(x) + " and " +
                          inWords(y) + " is " + inWords(product));
    if (semiring.one)
      for (auto [x, y] : {std::pair(*semiring.one, sample), std::pair(sample, *semiring.one)})
        if (double product = multiply(x, y); understood && !agrees(product, sample))
          return refuse("multiplying by its one changes a value",
                        "one is " + inWords(*semiring.one) + ", and multiply of " + inWords(x) +
                            " and " + inWords(y) + " is " + inWords(product));
  }
  return understood;
}

// The operator by which a semiring adds; nothing, after an error, if it is none.
std::optional<Operator> Analyzer::checkSemiring(const ast::Semiring &semiring) {
  auto missing = [&](StringRef part) {
    diagnostics
        .error(semiring.name.range,
               "the semiring '" + semiring.name.text + "' does not say its '" + part + "'")
        .note("a semiring is: semiring " + semiring.name.text +
              " { add = min(x, y), zero = inf, multiply = x + y, one = 0 }");
    return std::nullopt;
  };
  if (!semiring.add)
    return missing("add");
  if (!semiring.multiply)
    return missing("multiply");
  if (!semiring.zero)
    return missing("zero");
  std::optional<Operator> add = monoidOf(*semiring.add);
  if (!add) {
    diagnostics
        .error(semiring.add->range,
               "values are added in no fixed order, which this operation is not known to allow")
        .note("add is +, *, min, max, any, lor, land or lxor of x and y: add = min(x, y)");
    return std::nullopt;
  }
  ElementPtr sample = makeConstant(0, std::nullopt, {});
  const bool fits = mayExpand(*semiring.multiply, {"x", "y"}, {sample.get(), sample.get()},
                              semiring.multiply->range);
  return fits && keepsPromises(semiring, *add) ? add : std::nullopt;
}

//===------------------------------------------------------------------------------------------===//
// Use
//===------------------------------------------------------------------------------------------===//

// a @tropical b: where both are there, their product; reduced by add.
ElementPtr Analyzer::semiringJoin(const ast::BinaryExpr &expr, Notation &notation) {
  const ast::Name &name = *expr.semiring;
  const ast::Semiring *semiring = nullptr;
  std::vector<StringRef> known;
  if (currentModule)
    for (const ast::Semiring &other : currentModule->semirings) {
      known.push_back(other.name.text);
      if (other.name.text == name.text)
        semiring = &other;
    }
  if (!semiring) {
    unknown(name, "there is no semiring '" + name.text + "'", known,
            "declare it before main: semiring " + name.text +
                " { add = min(x, y), zero = inf, multiply = x + y }");
    return nullptr;
  }
  auto [checked, isNew] = semirings.try_emplace(name.text);
  if (isNew)
    checked->second = checkSemiring(*semiring);
  std::optional<Operator> add = checked->second;
  if (!add)
    return nullptr;
  useOperator(*add, expr.opRange, notation);
  ElementPtr left = element(*expr.lhs, notation), right = element(*expr.rhs, notation);
  if (!left || !right)
    return nullptr;
  left = ofStored(std::move(left));
  right = ofStored(std::move(right));
  if (!mayExpand(*semiring->multiply, {"x", "y"}, {left.get(), right.get()}, expr.range))
    return nullptr;
  ElementPtr product =
      substituted(*semiring->multiply, {{"x", left.get()}, {"y", right.get()}}, notation);
  return product
             ? makeProduct(*add, std::move(product), std::move(left), std::move(right), expr.range)
             : nullptr;
}

} // namespace strata::frontend
