// The chain rule, from the root of a right side to its accesses.
#include "strata/frontend/Adjoints.h"
#include "strata/frontend/Clones.h"
#include "strata/frontend/Derivatives.h"
#include "strata/frontend/Reductions.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

using Kind = Element::Kind;
using Operand = Element::Operand;

bool isComplexValued(const Element &element, const std::vector<Tensor> &tensors) {
  if (element.kind == Kind::Constant)
    return element.imaginary != 0;
  if (element.kind == Kind::Access)
    return isComplex(tensors[element.tensor].type);
  if (element.kind == Kind::Selector)
    return false;
  if (element.kind == Kind::Apply) {
    if (measures(element.op) || compares(element.op) || element.op == Operator::Not)
      return false;
    if (element.op == Operator::Cast)
      return isComplex(element.castTo);
    if (element.op == Operator::Where)
      return isComplexValued(*element.operands[1].element, tensors) ||
             isComplexValued(*element.operands[2].element, tensors);
  }
  return llvm::any_of(element.operands, [&](const Operand &operand) {
    return isComplexValued(*operand.element, tensors);
  });
}

//===------------------------------------------------------------------------------------------===//
// Products of what stands above
//===------------------------------------------------------------------------------------------===//

Adjoints::Adjoint Adjoints::Adjoint::copy() const {
  Adjoint result;
  for (const Operand &factor : factors)
    result.factors.push_back({factor.inverse, cloneOf(*factor.element)});
  for (const ElementPtr &condition : conditions)
    result.conditions.push_back(cloneOf(*condition));
  result.vars = vars;
  result.negative = negative;
  return result;
}

ElementPtr Adjoints::copied(const Element &element) const { return withOwnVars(element, vars); }

ElementPtr Adjoints::conjugated(ElementPtr factor) const {
  return isComplex(*factor) ? applied(Operator::Conjugate, std::move(factor)) : std::move(factor);
}

// Nothing is computed with where a condition does not hold: 0 times infinity is no 0.
ElementPtr Adjoints::valueOf(Adjoint adjoint) const {
  ElementPtr value = adjoint.factors.size() == 1 ? std::move(adjoint.factors.front().element)
                                                 : makeMultiply(std::move(adjoint.factors), {});
  if (adjoint.negative)
    value = negated(std::move(value));
  for (ElementPtr &condition : llvm::reverse(adjoint.conditions))
    value = whereElement(std::move(condition), std::move(value), numberElement(0));
  return value;
}

void Adjoints::makeReal(Adjoint &adjoint) const {
  if (llvm::none_of(adjoint.factors, [&](const Operand &one) { return isComplex(*one.element); }))
    return;
  ElementPtr product = makeMultiply(std::move(adjoint.factors), {});
  adjoint.factors.clear();
  adjoint.factors.push_back({false, applied(Operator::RealPart, std::move(product))});
}

bool Adjoints::depends(const Element &element) const {
  if (element.kind == Kind::Access)
    return wanted.contains(element.tensor);
  if (element.kind == Kind::Selector)
    return false;
  return llvm::any_of(element.operands,
                      [&](const Operand &operand) { return depends(*operand.element); });
}

void Adjoints::refuse(const Element &element, const llvm::Twine &message, const llvm::Twine &note) {
  diagnostics.error(element.range, message).note(note);
}

//===------------------------------------------------------------------------------------------===//
// The walk
//===------------------------------------------------------------------------------------------===//

void Adjoints::collect(const Element &value, ElementPtr cotangent, llvm::ArrayRef<unsigned> free) {
  Adjoint root;
  root.factors.push_back({false, std::move(cotangent)});
  root.vars.append(free.begin(), free.end());
  walk(value, std::move(root));
}

void Adjoints::walk(const Element &element, Adjoint adjoint) {
  if (!depends(element) || diagnostics.hasErrors())
    return;
  switch (element.kind) {
  case Kind::Access: {
    if (!frontend::isComplex(tensors[element.tensor].type))
      makeReal(adjoint);
    llvm::SmallVector<unsigned> vars = adjoint.vars;
    contributions.push_back({&element, valueOf(std::move(adjoint)), std::move(vars)});
    return;
  }
  case Kind::Negate:
    adjoint.negative ^= true;
    return walk(*element.operands.front().element, std::move(adjoint));
  case Kind::Add:
    for (const Operand &term : element.operands) {
      Adjoint own = adjoint.copy();
      own.negative ^= term.inverse;
      walk(*term.element, std::move(own));
    }
    return;
  case Kind::Multiply:
    return walkProduct(element, adjoint);
  case Kind::Sum:
    return walkReduction(element, std::move(adjoint));
  case Kind::Apply:
    return walkApply(element, adjoint);
  case Kind::Mask:
    // What is looked up: the adjoint of others is not read at these coordinates.
    adjoint.factors.push_back({false, copied(*element.operands.back().element)});
    return walk(*element.operands.front().element, std::move(adjoint));
  case Kind::Join:
    return refuse(element, "operators of what is stored, '@', have no gradient here",
                  "sums of products are written with '+' and '*'");
  case Kind::Constant:
  case Kind::Parameter:
  case Kind::Label:
  case Kind::Selector:
    return;
  }
}

void Adjoints::walkProduct(const Element &product, const Adjoint &adjoint) {
  for (size_t which = 0; which < product.operands.size(); ++which) {
    const Operand &chosen = product.operands[which];
    if (!depends(*chosen.element))
      continue;
    Adjoint own = adjoint.copy();
    for (size_t at = 0; at < product.operands.size(); ++at)
      if (at != which)
        own.factors.push_back(
            {product.operands[at].inverse, conjugated(copied(*product.operands[at].element))});
    if (chosen.inverse) {
      own.negative ^= true;
      own.factors.push_back(
          {true, conjugated(productOf(copied(*chosen.element), copied(*chosen.element)))});
    }
    walk(*chosen.element, std::move(own));
  }
}

//===------------------------------------------------------------------------------------------===//
// Reductions
//===------------------------------------------------------------------------------------------===//

// A sum over the variables of another reduction, with variables of its own. `body` has copies of
// what is looked up.
ElementPtr Adjoints::sumOver(const Element &sum, ElementPtr body) {
  const Element &reduced = *sum.operands.front().element;
  if (reduced.kind == Kind::Mask)
    body = productOf(cloneOf(*reduced.operands.back().element), std::move(body));
  return copied(*makeReduction(Operator::Plus, sum.vars, std::move(body), false));
}

bool Adjoints::isZeroWhereAbsent(const Element &element) const {
  if (element.kind == Kind::Access)
    return isSparse[element.tensor];
  if (element.kind != Kind::Multiply && element.kind != Kind::Negate)
    return false;
  return llvm::any_of(element.operands, [&](const Operand &operand) {
    return !operand.inverse && isZeroWhereAbsent(*operand.element);
  });
}

static ElementPtr truthOf(ElementPtr element, ElementType type) {
  return makeCast(std::move(element), type, ElementType::Bool, {});
}

// Elements that are the extreme one share. Of a sparse operand only entries other than zero count,
// so that the work goes with what is stored: where the extreme is zero, its entries get nothing.
ElementPtr Adjoints::shareOfExtreme(const Element &sum, const Element &body) {
  const bool stored = isZeroWhereAbsent(body);
  auto isExtreme = [&] {
    ElementPtr found = whereElement(applied(Operator::Equal, copied(body), copied(sum)),
                                    numberElement(1), numberElement(0));
    return stored ? productOf(truthOf(copied(body), ElementType::Double), std::move(found))
                  : std::move(found);
  };
  ElementPtr count = sumOver(sum, isExtreme());
  return quotientOf(isExtreme(), std::move(count));
}

// The product divided by the element; where one element is zero, the product of the others.
ElementPtr Adjoints::productOfOthers(const Element &sum, const Element &body) {
  auto isZero = [&] { return applied(Operator::Equal, copied(body), numberElement(0)); };
  auto orOne = [&] { return whereElement(isZero(), numberElement(1), copied(body)); };
  auto zeros = [&] {
    return sumOver(sum, whereElement(isZero(), numberElement(1), numberElement(0)));
  };
  ElementPtr inner = makeReduction(Operator::Times, sum.vars, orOne(), false);
  if (const Element &reduced = *sum.operands.front().element; reduced.kind == Kind::Mask)
    inner->operands.front().element = makeMask(std::move(inner->operands.front().element),
                                               cloneOf(*reduced.operands.back().element));
  ElementPtr others = copied(*inner);
  ElementPtr atZero = whereElement(applied(Operator::Equal, zeros(), numberElement(1)),
                                   copied(*others), numberElement(0));
  ElementPtr elsewhere = whereElement(applied(Operator::Equal, zeros(), numberElement(0)),
                                      quotientOf(std::move(others), orOne()), numberElement(0));
  return whereElement(isZero(), std::move(atZero), std::move(elsewhere));
}

void Adjoints::walkReduction(const Element &sum, Adjoint adjoint) {
  const Element *body = sum.operands.front().element.get();
  adjoint.vars.append(sum.vars.begin(), sum.vars.end());
  if (sum.op == Operator::Plus)
    return walk(*body, std::move(adjoint));
  const Element &value = body->kind == Kind::Mask ? *body->operands.front().element : *body;
  if (sum.op == Operator::Min || sum.op == Operator::Max)
    adjoint.factors.push_back({false, shareOfExtreme(sum, value)});
  else if (sum.op == Operator::Times && !sum.missing)
    adjoint.factors.push_back({false, conjugated(productOfOthers(sum, value))});
  else
    return refuse(sum, "a reduction by '" + infoOf(sum.op).name + "' has no gradient",
                  "those by sum, prod, min and max have one");
  walk(*body, std::move(adjoint));
}

//===------------------------------------------------------------------------------------------===//
// Functions
//===------------------------------------------------------------------------------------------===//

// abs, re and im of a complex number are real, and so is what their adjoint is made of.
void Adjoints::walkMeasure(const Element &apply, Adjoint adjoint) {
  const Element &operand = *apply.operands.front().element;
  makeReal(adjoint);
  if (apply.op == Operator::Absolute)
    adjoint.factors.push_back({false, applied(Operator::Sign, copied(operand))});
  if (apply.op == Operator::ImaginaryPart)
    adjoint.factors.push_back({false, makeConstant({0, 1}, std::nullopt, {})});
  walk(operand, std::move(adjoint));
}

void Adjoints::walkWhere(const Element &apply, const Adjoint &adjoint) {
  const Element &condition = *apply.operands[0].element;
  for (size_t branch : {1, 2}) {
    Adjoint own = adjoint.copy();
    ElementPtr holds = copied(condition);
    own.conditions.push_back(branch == 1 ? std::move(holds) : makeNot(std::move(holds), {}));
    walk(*apply.operands[branch].element, std::move(own));
  }
}

void Adjoints::walkApply(const Element &apply, const Adjoint &adjoint) {
  const Element &first = *apply.operands.front().element;
  if (apply.op == Operator::Where)
    return walkWhere(apply, adjoint);
  if (apply.op == Operator::Cast) {
    if (kindOf(apply.castTo) < NumberKind::Real)
      return;
    Adjoint own = adjoint.copy();
    if (!frontend::isComplex(apply.castTo))
      makeReal(own);
    return walk(first, std::move(own));
  }
  const bool complex = llvm::any_of(
      apply.operands, [&](const Operand &operand) { return isComplex(*operand.element); });
  if (measures(apply.op) && complex)
    return walkMeasure(apply, adjoint.copy());
  if (apply.op == Operator::RealPart || apply.op == Operator::Conjugate) {
    Adjoint own = adjoint.copy();
    if (complex) {
      ElementPtr product = makeMultiply(std::move(own.factors), {});
      own.factors.clear();
      own.factors.push_back({false, applied(Operator::Conjugate, std::move(product))});
    }
    return walk(first, std::move(own));
  }
  if (apply.op == Operator::ImaginaryPart)
    return;
  for (size_t which = 0; which < apply.operands.size(); ++which) {
    if (!depends(*apply.operands[which].element))
      continue;
    Derivative derivative = derivativeOf(apply, which, complex, vars);
    if (derivative.kind == Derivative::Kind::Unknown)
      return refuse(apply, "'" + infoOf(apply.op).name + "' has no gradient" +
                               (complex ? " of complex numbers" : ""));
    if (derivative.kind == Derivative::Kind::Zero)
      continue;
    Adjoint own = adjoint.copy();
    if (derivative.factor)
      own.factors.push_back({false, conjugated(std::move(derivative.factor))});
    walk(*apply.operands[which].element, std::move(own));
  }
}

} // namespace strata::frontend
