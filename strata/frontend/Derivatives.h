// The derivatives of operators and functions by their operands, as elements.
#ifndef STRATA_FRONTEND_DERIVATIVES_H
#define STRATA_FRONTEND_DERIVATIVES_H

#include "strata/frontend/Program.h"

namespace strata::frontend {

/// How the value of an operator changes with one of its operands.
struct Derivative {
  enum class Kind {
    Zero,    ///< not at all, or it is a constant almost everywhere
    One,     ///< as the operand does
    Factor,  ///< by `factor`
    Unknown, ///< there is no derivative, or none is known
  };
  Kind kind = Kind::Unknown;
  ElementPtr factor = nullptr;
};

/// Returns the derivative of an operator or function (an Apply, no cast and no `where`) by the
/// operand `which`. Where it has a kink: `abs` has 0 there; operands of `min` and `max` that are
/// equal share equally, but a number that is written takes all. Of complex numbers only the
/// functions that have a complex derivative have one here. Variables that copies of operands bind
/// are added to `vars`.
Derivative derivativeOf(const Element &apply, size_t which, bool isComplex,
                        std::vector<IndexVar> &vars);

/// Elements that derivatives are made of.
ElementPtr numberElement(double value);
ElementPtr negated(ElementPtr element);
ElementPtr productOf(ElementPtr a, ElementPtr b);
ElementPtr quotientOf(ElementPtr a, ElementPtr b);
ElementPtr applied(Operator op, ElementPtr a);
ElementPtr applied(Operator op, ElementPtr a, ElementPtr b);
ElementPtr whereElement(ElementPtr condition, ElementPtr a, ElementPtr b);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_DERIVATIVES_H
