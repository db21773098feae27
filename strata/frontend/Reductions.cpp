// The placement of sums, and the makers of elements, which keep the trees flat for it.
#include "strata/frontend/Reductions.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace strata::frontend {

using Kind = Element::Kind;
using Operand = Element::Operand;
using Vars = llvm::SmallVector<unsigned>;

//===------------------------------------------------------------------------------------------===//
// Making elements
//===------------------------------------------------------------------------------------------===//

static ElementPtr make(Kind kind, llvm::SMRange range, std::vector<Operand> operands = {}) {
  auto element = std::make_unique<Element>();
  element->kind = kind;
  element->range = range;
  element->operands = std::move(operands);
  return element;
}

ElementPtr makeConstant(std::complex<double> value, std::optional<int64_t> integer,
                        llvm::SMRange range) {
  ElementPtr element = make(Kind::Constant, range);
  element->value = value.real();
  element->imaginary = value.imag();
  element->integer = integer;
  return element;
}

ElementPtr makeNegate(ElementPtr operand, llvm::SMRange range) {
  if (operand->kind == Kind::Constant && operand->integer != INT64_MIN) {
    operand->value = -operand->value;
    if (operand->imaginary != 0)
      operand->imaginary = -operand->imaginary;
    if (operand->integer)
      operand->integer = -*operand->integer;
    operand->range = range;
    return operand;
  }
  if (operand->kind == Kind::Negate)
    return std::move(operand->operands.front().element);
  std::vector<Operand> operands;
  operands.push_back({false, std::move(operand)});
  return make(Kind::Negate, range, std::move(operands));
}

// A real number stays one: infinity times a complex zero is something else.
static std::complex<double> combined(std::complex<double> value, const Element &constant, bool adds,
                                     bool inverse) {
  std::complex<double> other(constant.value, constant.imaginary);
  if (adds)
    return inverse ? value - other : value + other;
  if (value.imag() == 0 && other.imag() == 0)
    return inverse ? value.real() / other.real() : value.real() * other.real();
  return inverse ? value / other : value * other;
}

// The value of a sum or product of constants; `onIntegers` gives none where it is no integer.
template <typename OnIntegers>
static ElementPtr fold(const std::vector<Operand> &operands, llvm::SMRange range, int64_t identity,
                       OnIntegers &&onIntegers) {
  std::complex<double> value = identity;
  std::optional<int64_t> integer = identity;
  for (const Operand &operand : operands) {
    if (operand.element->kind != Kind::Constant)
      return nullptr;
    value = combined(value, *operand.element, identity == 0, operand.inverse);
    if (!integer || !operand.element->integer)
      integer = std::nullopt;
    else
      integer = onIntegers(*integer, *operand.element->integer, operand.inverse);
  }
  if (integer)
    value = double(*integer);
  return makeConstant(value, integer, range);
}

ElementPtr makeAdd(std::vector<Operand> operands, llvm::SMRange range) {
  std::vector<Operand> flat;
  for (Operand &operand : operands) {
    bool nested = operand.element->kind == Kind::Add;
    bool negated = operand.element->kind == Kind::Negate && !flat.empty();
    if (!nested && !negated) {
      flat.push_back(std::move(operand));
      continue;
    }
    for (Operand &inner : operand.element->operands)
      flat.push_back({operand.inverse != (inner.inverse || negated), std::move(inner.element)});
  }
  if (ElementPtr constant = fold(flat, range, 0, [](int64_t a, int64_t b, bool subtract) {
        int64_t result;
        bool overflow =
            subtract ? llvm::SubOverflow(a, b, result) : llvm::AddOverflow(a, b, result);
        return overflow ? std::nullopt : std::optional<int64_t>(result);
      }))
    return constant;
  return make(Kind::Add, range, std::move(flat));
}

// A quotient keeps a product that it divides by: a / (b * c) is not a / b / c.
ElementPtr makeMultiply(std::vector<Operand> operands, llvm::SMRange range) {
  std::vector<Operand> flat;
  for (Operand &operand : operands) {
    if (operand.inverse || operand.element->kind != Kind::Multiply)
      flat.push_back(std::move(operand));
    else
      llvm::move(operand.element->operands, std::back_inserter(flat));
  }
  if (ElementPtr constant = fold(flat, range, 1, [](int64_t a, int64_t b, bool divide) {
        int64_t result;
        return divide || llvm::MulOverflow(a, b, result) ? std::nullopt
                                                         : std::optional<int64_t>(result);
      }))
    return constant;
  return make(Kind::Multiply, range, std::move(flat));
}

ElementPtr makeReduction(Operator op, llvm::ArrayRef<unsigned> vars, ElementPtr body,
                         bool missing) {
  llvm::SMRange range = body->range;
  std::vector<Operand> operands;
  operands.push_back({false, std::move(body)});
  ElementPtr sum = make(Kind::Sum, range, std::move(operands));
  sum->op = op;
  sum->missing = missing;
  sum->vars.assign(vars.begin(), vars.end());
  return sum;
}

static ElementPtr makeSum(const Vars &vars, ElementPtr body) {
  return makeReduction(Operator::Plus, vars, std::move(body), false);
}

ElementPtr makeApply(Operator op, std::vector<ElementPtr> operands, llvm::SMRange range) {
  std::vector<Operand> list;
  for (ElementPtr &operand : operands)
    list.push_back({false, std::move(operand)});
  ElementPtr result = make(Kind::Apply, range, std::move(list));
  result->op = op;
  return result;
}

ElementPtr makeCast(ElementPtr value, ElementType inner, ElementType to, llvm::SMRange range) {
  std::vector<ElementPtr> operands;
  operands.push_back(std::move(value));
  ElementPtr result = makeApply(Operator::Cast, std::move(operands), range);
  result->inner = inner;
  result->castTo = to;
  return result;
}

ElementPtr makeNot(ElementPtr truth, llvm::SMRange range) {
  std::vector<ElementPtr> operands;
  operands.push_back(std::move(truth));
  ElementPtr result = makeApply(Operator::Not, std::move(operands), range);
  result->inner = ElementType::Bool;
  return result;
}

ElementPtr makeJoin(Operator op, std::optional<Operator> reduces, ElementPtr left, ElementPtr right,
                    llvm::SMRange range) {
  std::vector<Operand> operands;
  operands.push_back({false, ofStored(std::move(left))});
  operands.push_back({false, ofStored(std::move(right))});
  ElementPtr result = make(Kind::Join, range, std::move(operands));
  result->op = op;
  result->reduces = reduces;
  result->missing = true;
  return result;
}

// Both must be there, whether the product uses them or not.
ElementPtr makeProduct(Operator add, ElementPtr product, ElementPtr left, ElementPtr right,
                       llvm::SMRange range) {
  for (ElementPtr *side : {&left, &right}) {
    std::vector<Operand> operands;
    operands.push_back({false, std::move(product)});
    operands.push_back({false, std::move(*side)});
    product = make(Kind::Join, range, std::move(operands));
    product->op = Operator::First;
    product->reduces = add;
    product->missing = true;
  }
  return product;
}

ElementPtr makeMask(ElementPtr value, ElementPtr mask) {
  llvm::SMRange range = value->range;
  std::vector<Operand> operands;
  operands.push_back({false, std::move(value)});
  operands.push_back({false, std::move(mask)});
  ElementPtr result = make(Kind::Mask, range, std::move(operands));
  result->missing = true;
  return result;
}

// The sum of terms that are there where one of them is: of two halves, so that the tree of many is
// not deep.
static ElementPtr unionOf(llvm::MutableArrayRef<ElementPtr> terms, llvm::SMRange range) {
  if (terms.size() == 1)
    return std::move(terms.front());
  const size_t half = (terms.size() + 1) / 2;
  ElementPtr left = unionOf(terms.take_front(half), range);
  return makeJoin(Operator::Plus, std::nullopt, std::move(left),
                  unionOf(terms.drop_front(half), range), range);
}

// What an operand of a join is worth where nothing is stored: nothing. A sum of tensors is there
// where one of them is.
ElementPtr ofStored(ElementPtr element) {
  if (element->kind == Kind::Join || element->kind == Kind::Mask)
    return element;
  element->missing = !element->indices.empty() || element->kind != Kind::Access;
  if (element->kind != Kind::Add) {
    for (Operand &operand : element->operands)
      operand.element = ofStored(std::move(operand.element));
    return element;
  }
  std::vector<ElementPtr> terms;
  for (Operand &term : element->operands) {
    llvm::SMRange range = term.element->range;
    terms.push_back(term.inverse ? makeNegate(std::move(term.element), range)
                                 : std::move(term.element));
  }
  return ofStored(unionOf(terms, element->range));
}

//===------------------------------------------------------------------------------------------===//
// Uses
//===------------------------------------------------------------------------------------------===//

static void collectVars(const Element &element, Vars &vars) {
  for (const Index &index : element.indices)
    index.collectVars(vars);
  llvm::append_range(vars, element.pointers);
  for (const Operand &operand : element.operands)
    collectVars(*operand.element, vars);
  if (element.kind == Kind::Sum)
    llvm::erase_if(vars, [&](unsigned var) { return llvm::is_contained(element.vars, var); });
}

Vars usedVars(const Element &element) {
  Vars vars;
  collectVars(element, vars);
  llvm::sort(vars);
  vars.erase(llvm::unique(vars), vars.end());
  return vars;
}

// Those of `vars` (ascending) that `element` uses.
static Vars usedOf(const Element &element, const Vars &vars) {
  Vars used = usedVars(element), common;
  std::set_intersection(used.begin(), used.end(), vars.begin(), vars.end(),
                        std::back_inserter(common));
  return common;
}

static bool uses(const Element &element, unsigned var) {
  return llvm::is_contained(usedVars(element), var);
}

//===------------------------------------------------------------------------------------------===//
// Placing
//===------------------------------------------------------------------------------------------===//

namespace {

class Placement {
public:
  explicit Placement(OfFunctions ofFunctions) : sumsAround(ofFunctions == OfFunctions::Around) {}

  ElementPtr place(ElementPtr element, const Vars &vars) const;

private:
  bool sumsAsAWhole(const Element &element, unsigned var) const;
  ElementPtr placeInTerms(ElementPtr element, const Vars &vars) const;
  ElementPtr placeInFactors(ElementPtr element, const Vars &vars) const;
  ElementPtr placeInOperands(ElementPtr element, const Vars &vars) const;

  bool sumsAround; ///< functions and quotients
};

} // namespace

// True if summing `element` as a whole over `var` is what the rules ask for.
bool Placement::sumsAsAWhole(const Element &element, unsigned var) const {
  switch (element.kind) {
  case Kind::Constant:
  case Kind::Parameter:
  case Kind::Sum:
  case Kind::Join:
  case Kind::Mask:
    return false;
  case Kind::Apply:
    return sumsAround && uses(element, var);
  case Kind::Access:
  case Kind::Label:
  case Kind::Selector:
    return uses(element, var);
  case Kind::Negate:
    return sumsAsAWhole(*element.operands.front().element, var);
  case Kind::Add:
    return llvm::all_of(element.operands,
                        [&](const Operand &term) { return sumsAsAWhole(*term.element, var); });
  case Kind::Multiply:
    break;
  }
  const Operand *only = nullptr;
  for (const Operand &factor : element.operands) {
    if (!uses(*factor.element, var))
      continue;
    if (only)
      return true;
    only = &factor;
  }
  if (only && only->inverse)
    return sumsAround;
  return only && sumsAsAWhole(*only->element, var);
}

// A product of `factors`, the divisors last; one factor is itself.
static ElementPtr productOf(std::vector<Operand> factors, llvm::SMRange range) {
  std::vector<Operand> ordered;
  for (bool inverse : {false, true}) {
    if (inverse && ordered.empty())
      ordered.push_back({false, makeConstant(1, 1, range)});
    for (Operand &factor : factors)
      if (factor.inverse == inverse)
        ordered.push_back(std::move(factor));
  }
  if (ordered.size() == 1)
    return std::move(ordered.front().element);
  return make(Kind::Multiply, range, std::move(ordered));
}

// Terms over the same variables share one sum, at the place of the first.
ElementPtr Placement::placeInTerms(ElementPtr element, const Vars &vars) const {
  std::map<Vars, std::vector<size_t>> groups;
  std::vector<Operand> &terms = element->operands;
  for (auto [i, term] : llvm::enumerate(terms)) {
    Vars own = usedOf(*term.element, vars);
    if (own.empty())
      continue;
    if (llvm::all_of(own, [&](unsigned var) { return sumsAsAWhole(*term.element, var); }))
      groups[own].push_back(i);
    else
      term.element = place(std::move(term.element), own);
  }
  for (auto &[own, members] : groups) {
    Operand &first = terms[members.front()];
    if (members.size() == 1) {
      first.element = place(std::move(first.element), own);
      continue;
    }
    std::vector<Operand> together;
    llvm::SMRange range = first.element->range;
    bool subtracted = first.inverse;
    for (size_t member : members) {
      range.End = terms[member].element->range.End;
      together.push_back({terms[member].inverse != subtracted, std::move(terms[member].element)});
    }
    first.element = makeSum(own, make(Kind::Add, range, std::move(together)));
  }
  llvm::erase_if(terms, [](const Operand &term) { return !term.element; });
  if (terms.size() == 1)
    return terms.front().inverse ? makeNegate(std::move(terms.front().element), element->range)
                                 : std::move(terms.front().element);
  return element;
}

ElementPtr Placement::placeInFactors(ElementPtr element, const Vars &vars) const {
  std::vector<Operand> &factors = element->operands;
  std::vector<Vars> inside(factors.size());
  std::vector<std::pair<unsigned, size_t>> around; // a variable and one of its factors
  llvm::IntEqClasses linked(factors.size());
  std::vector<Vars> own;
  for (const Operand &factor : factors)
    own.push_back(usedOf(*factor.element, vars));
  for (unsigned var : vars) {
    llvm::SmallVector<size_t> users;
    for (size_t i = 0; i < factors.size(); ++i)
      if (llvm::is_contained(own[i], var))
        users.push_back(i);
    const Operand &first = factors[users.front()];
    bool isInside = first.inverse ? !sumsAround : first.element->kind != Kind::Access;
    if (users.size() == 1 && isInside) {
      inside[users.front()].push_back(var);
      continue;
    }
    around.push_back({var, users.front()});
    for (size_t user : users)
      linked.join(users.front(), user);
  }
  for (auto [factor, inner] : llvm::zip_equal(factors, inside))
    factor.element = place(std::move(factor.element), inner);

  linked.compress();
  std::map<unsigned, Vars> varsOf;
  for (auto [var, factor] : around)
    varsOf[linked[factor]].push_back(var);
  std::vector<Operand> result;
  std::map<unsigned, std::vector<Operand>> parts;
  std::map<unsigned, size_t> placeOf;
  for (size_t i = 0; i < factors.size(); ++i) {
    unsigned part = linked[i];
    if (!varsOf.count(part)) {
      result.push_back(std::move(factors[i]));
      continue;
    }
    if (placeOf.try_emplace(part, result.size()).second)
      result.push_back({false, nullptr});
    parts[part].push_back(std::move(factors[i]));
  }
  for (auto &[part, members] : parts)
    result[placeOf[part]].element =
        makeSum(varsOf[part], productOf(std::move(members), element->range));
  return productOf(std::move(result), element->range);
}

// A function of several operands is summed around over what several of them use, and within each
// over what it alone uses.
ElementPtr Placement::placeInOperands(ElementPtr element, const Vars &vars) const {
  Vars around;
  std::vector<Vars> inside(element->operands.size());
  for (unsigned var : vars) {
    llvm::SmallVector<size_t> users;
    for (auto [at, operand] : llvm::enumerate(element->operands))
      if (uses(*operand.element, var))
        users.push_back(at);
    (users.size() == 1 ? inside[users.front()] : around).push_back(var);
  }
  for (auto [operand, own] : llvm::zip_equal(element->operands, inside))
    operand.element = place(std::move(operand.element), own);
  return around.empty() ? std::move(element) : makeSum(around, std::move(element));
}

// A join reduces by its own operator; one that has none by what joins, if that can reduce.
static ElementPtr placeAroundJoin(ElementPtr element, const Vars &vars) {
  Operator op = element->reduces.value_or(element->op);
  bool missing = element->missing;
  return makeReduction(infoOf(op).reduces ? op : Operator::Plus, vars, std::move(element), missing);
}

ElementPtr Placement::place(ElementPtr element, const Vars &vars) const {
  if (vars.empty())
    return element;
  switch (element->kind) {
  case Kind::Apply:
    return sumsAround ? makeSum(vars, std::move(element))
                      : placeInOperands(std::move(element), vars);
  case Kind::Join:
  case Kind::Mask:
    return placeAroundJoin(std::move(element), vars);
  case Kind::Negate:
    element->operands.front().element = place(std::move(element->operands.front().element), vars);
    return element;
  case Kind::Add:
    return placeInTerms(std::move(element), vars);
  case Kind::Multiply:
    return placeInFactors(std::move(element), vars);
  case Kind::Constant:
  case Kind::Parameter:
  case Kind::Access:
  case Kind::Label:
  case Kind::Selector:
  case Kind::Sum:
    break;
  }
  return makeSum(vars, std::move(element));
}

ElementPtr placeSums(ElementPtr element, llvm::ArrayRef<unsigned> vars, OfFunctions ofFunctions) {
  Vars ascending(vars);
  llvm::sort(ascending);
  Vars used = usedOf(*element, ascending);
  return Placement(ofFunctions).place(std::move(element), used);
}

} // namespace strata::frontend
