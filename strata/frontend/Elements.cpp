// From syntax to element expressions: accesses with coordinates, scalars, parameters, operators.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Reductions.h"
#include "strata/frontend/Suggest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace strata::frontend {

using llvm::cast;

ElementPtr Analyzer::element(const ast::Expr &expr, Notation &notation) {
  using Kind = ast::Expr::Kind;
  switch (expr.kind) {
  case Kind::Number:
    return number(cast<ast::NumberExpr>(expr), notation);
  case Kind::Name:
    return bareName(cast<ast::NameExpr>(expr), notation);
  case Kind::Access:
    return access(*accessOf(expr), notation);
  case Kind::Call:
    return callElement(cast<ast::CallExpr>(expr), notation);
  case Kind::Negate:
    return negate(cast<ast::NegateExpr>(expr), notation);
  case Kind::Sum:
    return sum(cast<ast::SumExpr>(expr), notation);
  case Kind::Product:
    return product(cast<ast::ProductExpr>(expr), notation);
  case Kind::Binary:
    return binary(cast<ast::BinaryExpr>(expr), notation);
  case Kind::Text:
    diagnostics.error(expr.range, "a text has no value to compute with")
        .note("to read a file: A[i, j] = read(\"a.mtx\");");
    return nullptr;
  case Kind::Values:
    diagnostics
        .error(expr.range, "values that are listed must be all of an assignment's right side")
        .note("assign them to a tensor first: x[i] = [1, 2, 3];");
    return nullptr;
  case Kind::Labels:
    break;
  }
  diagnostics.error(expr.range, "a list of labels has no value");
  return nullptr;
}

ElementPtr Analyzer::number(const ast::NumberExpr &number, Notation &notation) {
  return withConstant(makeConstant({number.value, number.imaginary}, number.integer, number.range),
                      notation);
}

// Constants, also those that others were folded into, take part in deciding the type.
ElementPtr Analyzer::withConstant(ElementPtr element, Notation &notation) {
  if (element->kind != Element::Kind::Constant)
    return element;
  notation.facts.hasImaginary |= element->imaginary != 0;
  if (element->integer)
    notation.facts.include(*element->integer);
  else
    notation.facts.hasReal = true;
  return element;
}

// x: a scalar of the program, or a parameter.
ElementPtr Analyzer::bareName(const ast::NameExpr &expr, Notation &notation) {
  const ast::Name &name = expr.name;
  const Symbol *symbol = scope->find(name.text);
  if (symbol && symbol->kind == Symbol::Kind::Label)
    return labelValue(name, symbol->id, notation);
  if (symbol && orderOf(*symbol) == 0)
    return scalarAccess(symbol->id, name.range, notation);
  if (symbol) {
    std::string written;
    for (unsigned dimension = 0; dimension < orderOf(*symbol); ++dimension)
      written += (dimension ? ", " : "") + labels[labelOf(*symbol, dimension)].name;
    diagnostics.error(name.range, "'" + name.text + "' is a tensor and needs its labels")
        .note("write " + name.text + (alone ? "(" : "[") + written + (alone ? ")" : "]"));
    return nullptr;
  }
  const std::string *value = parameter(name.text);
  if (!value && parameters.stayOpen)
    return openNumber(name, notation);
  if (!value) {
    std::vector<llvm::StringRef> known = scope->names(Symbol::Kind::Tensor);
    for (const auto &entry : parameters)
      known.push_back(entry.first);
    unknown(name, "'" + name.text + "' is not declared", known,
            "declare it with 'var " + name.text + " = ...;', or give it a value: -D " + name.text +
                "=2.0");
    return nullptr;
  }
  llvm::StringRef text = *value;
  int64_t integer;
  double real;
  if (!text.getAsInteger(10, integer))
    return this->number(ast::NumberExpr(name.range, double(integer), integer), notation);
  if (text.size() < 400 && !text.getAsDouble(real) && std::isfinite(real))
    return this->number(ast::NumberExpr(name.range, real, std::nullopt), notation);
  diagnostics.error(name.range,
                    "the parameter '" + name.text + "' is \"" + text + "\", which is not a number");
  return nullptr;
}

// A number that is given when the program runs. It counts as real where the result may be.
ElementPtr Analyzer::openNumber(const ast::Name &name, Notation &notation) {
  leaveOpen(name, scope->names(Symbol::Kind::Tensor));
  notation.facts.hasOpen = true;
  auto result = std::make_unique<Element>();
  result->kind = Element::Kind::Parameter;
  result->range = name.range;
  result->parameter = name.text;
  return result;
}

// i: the coordinate that it stands for.
ElementPtr Analyzer::labelValue(const ast::Name &name, LabelId id, Notation &notation) {
  std::optional<unsigned> var = varOf(name, notation);
  if (!var)
    return nullptr;
  const Label &label = labels[id];
  if (label.hasSize())
    addSource(notation, *var, label.source(), name.range);
  useType(ElementType::Int64, notation);
  auto result = std::make_unique<Element>();
  result->kind = Element::Kind::Label;
  result->range = name.range;
  result->indices.push_back({{{*var, label.selects ? label.step : 1}}, label.lo});
  return result;
}

ElementPtr Analyzer::scalarAccess(TensorId tensor, llvm::SMRange range, Notation &notation) {
  checkHasValue(tensor, range);
  useType(program.tensors[tensor].type, notation);
  auto result = std::make_unique<Element>();
  result->kind = Element::Kind::Access;
  result->range = range;
  result->tensor = tensor;
  return result;
}

ElementPtr Analyzer::access(const AccessText &access, Notation &notation) {
  ResolvedAccess resolved;
  size_t clippedBefore = notation.clipped.size();
  if (!resolve(access, notation, resolved))
    return nullptr;
  ElementPtr result = scalarAccess(resolved.tensor, access.range, notation);
  for (auto [dimension, index] : llvm::enumerate(resolved.indices))
    if (!index.window)
      for (SizeSource &source : sourcesOfDimension(resolved.tensor, dimension))
        addSource(notation, index.terms.front().var, std::move(source), access.range);
  result->indices = std::move(resolved.indices);
  addPointers(*result, notation);
  return whereInside(std::move(result), clippedBefore, notation);
}

// A negated number is a number; whether a type holds it is asked of what it is then.
ElementPtr Analyzer::negate(const ast::NegateExpr &negate, Notation &notation) {
  TypeFacts before = notation.facts;
  ElementPtr operand = element(*negate.operand, notation);
  if (!operand)
    return nullptr;
  if (operand->kind == Element::Kind::Constant) {
    notation.facts = before;
    return withConstant(makeNegate(std::move(operand), negate.range), notation);
  }
  subtracts(negate.range, notation);
  return makeNegate(std::move(operand), negate.range);
}

void Analyzer::subtracts(llvm::SMRange range, Notation &notation) {
  notation.facts.adds = notation.facts.subtracts = true;
  if (!notation.facts.negative)
    notation.facts.negative = range;
}

ElementPtr Analyzer::sum(const ast::SumExpr &sum, Notation &notation) {
  std::vector<Element::Operand> operands;
  bool ok = true;
  notation.facts.adds = true;
  for (const ast::SumExpr::Term &term : sum.terms) {
    if (term.subtracted)
      subtracts(sum.range, notation);
    operands.push_back({term.subtracted, element(*term.operand, notation)});
    ok &= operands.back().element != nullptr;
  }
  return ok ? withConstant(makeAdd(std::move(operands), sum.range), notation) : nullptr;
}

ElementPtr Analyzer::product(const ast::ProductExpr &product, Notation &notation) {
  std::vector<Element::Operand> operands;
  bool ok = checkProduct(product);
  notation.facts.adds = true;
  LabelCounts left;
  for (const ast::ProductExpr::Factor &factor : product.factors) {
    bool divides = factor.op == ast::ProductExpr::Op::Divide;
    notation.facts.hasDivision |= divides;
    operands.push_back({divides, element(*factor.operand, notation)});
    ok &= operands.back().element != nullptr;
    LabelCounts right;
    countLabels(*factor.operand, right);
    if (factor.op == ast::ProductExpr::Op::Elementwise)
      ok &= checkElementwise(left, right, factor.opRange, notation);
    for (const auto &entry : right)
      left[entry.first()] += entry.second;
  }
  return ok ? withConstant(makeMultiply(std::move(operands), product.range), notation) : nullptr;
}

// Values are not divided as coordinates are.
bool Analyzer::checkProduct(const ast::ProductExpr &product) {
  for (const ast::ProductExpr::Factor &factor : product.factors) {
    bool remainder = factor.op == ast::ProductExpr::Op::Remainder;
    if (!remainder && factor.op != ast::ProductExpr::Op::FloorDivide)
      continue;
    diagnostics
        .error(factor.opRange, llvm::Twine("'") + (remainder ? "mod" : "floordiv") +
                                   "' divides coordinates, between brackets")
        .note(remainder ? "the remainder of values is mod(a, b)"
                        : "the quotient of values is floor(a / b)");
    return false;
  }
  return true;
}

//===------------------------------------------------------------------------------------------===//
// `.*`
//===------------------------------------------------------------------------------------------===//

void Analyzer::countLabels(const ast::Expr &expr, LabelCounts &counts) const {
  if (std::optional<AccessText> access = accessOf(expr)) {
    for (const ast::Coordinate &coordinate : access->labels)
      ast::forEachName(coordinate, [&](const ast::Name &name) {
        if (const Symbol *symbol = scope->find(name.text);
            symbol && symbol->kind == Symbol::Kind::Label)
          ++counts[name.text];
      });
    return;
  }
  ast::forEachOperand(expr, [&](const ast::Expr &operand) { countLabels(operand, counts); });
}

// The labels that a side of `.*` still has: those that occur outside of it too. The others it has
// summed away, as in (A[i,j] * B[j,k]) .* C[i,k].
static std::vector<llvm::StringRef> openLabels(const llvm::StringMap<unsigned> &side,
                                               const llvm::StringMap<unsigned> &everywhere) {
  std::vector<llvm::StringRef> open;
  for (const auto &entry : side)
    if (everywhere.lookup(entry.first()) > entry.second)
      open.push_back(entry.first());
  llvm::sort(open);
  return open;
}

// One side of `.*` must have all labels of the other.
bool Analyzer::checkElementwise(const LabelCounts &left, const LabelCounts &right,
                                llvm::SMRange range, const Notation &notation) {
  std::vector<llvm::StringRef> a = openLabels(left, notation.occurrences);
  std::vector<llvm::StringRef> b = openLabels(right, notation.occurrences);
  if (std::includes(a.begin(), a.end(), b.begin(), b.end()) ||
      std::includes(b.begin(), b.end(), a.begin(), a.end()))
    return true;
  diagnostics
      .error(range, "'.*' multiplies element by element, but its sides have the labels [" +
                        llvm::join(a, ", ") + "] and [" + llvm::join(b, ", ") + "]")
      .note("'*' multiplies and sums over labels that the left side lacks");
  return false;
}

} // namespace strata::frontend
