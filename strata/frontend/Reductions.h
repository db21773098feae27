// Where the sums of a statement stand.
//
// A variable that the right side uses and the left side lacks is summed over the smallest
// sub-expression that contains its uses, term by term (001 section 5.1):
//   - of a sum, every term sums its own variables;
//   - of a product, a variable that one factor alone uses is summed within that factor, and one
//     that several factors use is summed around the product of those factors (a divisor is a
//     factor like any other);
//   - an access that uses the variable is summed itself;
//   - of a function, a variable that one operand alone uses is summed within that operand, but in
//     SUM(e), which adds up the elements of e, around the function;
//   - a join `a @(min,+) b` is reduced over its variables by its own operator, around it.
// So D[i] = A[i,j] + B[i,j] + C[i] is sum_j(A + B) + C, in any order of its terms.
#ifndef STRATA_FRONTEND_REDUCTIONS_H
#define STRATA_FRONTEND_REDUCTIONS_H

#include "strata/frontend/Program.h"

#include "llvm/ADT/ArrayRef.h"

#include <complex>

namespace strata::frontend {

/// Where a variable is summed that one operand alone of a function or comparison uses, or that a
/// divisor alone uses: within that operand, or around what the operand is part of.
enum class OfFunctions { Within, Around };

/// Puts Sum elements over `vars` into `element`, where no sum over them stands yet. Neighbouring
/// sums over the same variables become one: sum_j(A) + sum_j(B) is sum_j(A + B). In a product,
/// variables that are linked by common factors share one sum: sum_jk(A[i,j] * B[j,k] * C[k,l]).
ElementPtr placeSums(ElementPtr element, llvm::ArrayRef<unsigned> vars,
                     OfFunctions ofFunctions = OfFunctions::Within);

/// The variables that `element` uses outside its sums, ascending.
llvm::SmallVector<unsigned> usedVars(const Element &element);

/// Elements from parts; sums of sums and products of products become one.
ElementPtr makeAdd(std::vector<Element::Operand> operands, llvm::SMRange range);
ElementPtr makeMultiply(std::vector<Element::Operand> operands, llvm::SMRange range);
ElementPtr makeNegate(ElementPtr operand, llvm::SMRange range);
ElementPtr makeConstant(std::complex<double> value, std::optional<int64_t> integer,
                        llvm::SMRange range);

/// An explicit reduction.
ElementPtr makeReduction(Operator op, llvm::ArrayRef<unsigned> vars, ElementPtr body, bool missing);
/// An operator or function of values.
ElementPtr makeApply(Operator op, std::vector<ElementPtr> operands, llvm::SMRange range);
/// A value that is computed in the type `inner` and then made a `to`.
ElementPtr makeCast(ElementPtr value, ElementType inner, ElementType to, llvm::SMRange range);
/// Whether a boolean is false.
ElementPtr makeNot(ElementPtr truth, llvm::SMRange range);
/// An operator on what is stored. With `reduces` the two must both be there, and the labels that
/// the left side lacks are reduced by it, around the join; without, one is enough.
ElementPtr makeJoin(Operator op, std::optional<Operator> reduces, ElementPtr left, ElementPtr right,
                    llvm::SMRange range);
/// The product of what is stored on both sides, which may use either; reduced by `add`, around it.
ElementPtr makeProduct(Operator add, ElementPtr product, ElementPtr left, ElementPtr right,
                       llvm::SMRange range);
/// The value where the mask is there.
ElementPtr makeMask(ElementPtr value, ElementPtr mask);
/// The same expression, of what is stored; of sums, where they have terms.
ElementPtr ofStored(ElementPtr element);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_REDUCTIONS_H
