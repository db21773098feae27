// Where the sums of a statement stand.
//
// A variable that the right side uses and the left side lacks is summed over the smallest
// sub-expression that contains its uses, term by term (001 section 5.1):
//   - of a sum, every term sums its own variables;
//   - of a product, a variable that one factor alone uses is summed within that factor, and one
//     that several factors use is summed around the product of those factors (a divisor is a
//     factor like any other);
//   - an access that uses the variable is summed itself.
// So D[i] = A[i,j] + B[i,j] + C[i] is sum_j(A + B) + C, in any order of its terms.
#ifndef STRATA_FRONTEND_REDUCTIONS_H
#define STRATA_FRONTEND_REDUCTIONS_H

#include "strata/frontend/Program.h"

#include "llvm/ADT/ArrayRef.h"

namespace strata::frontend {

/// Puts Sum elements over `vars` into `element`, where no sum over them stands yet. Neighbouring
/// sums over the same variables become one: sum_j(A) + sum_j(B) is sum_j(A + B). In a product,
/// variables that are linked by common factors share one sum: sum_jk(A[i,j] * B[j,k] * C[k,l]).
ElementPtr placeSums(ElementPtr element, llvm::ArrayRef<unsigned> vars);

/// The variables that `element` uses outside its sums, ascending.
llvm::SmallVector<unsigned> usedVars(const Element &element);

/// Elements from parts; sums of sums and products of products become one.
ElementPtr makeAdd(std::vector<Element::Operand> operands, llvm::SMRange range);
ElementPtr makeMultiply(std::vector<Element::Operand> operands, llvm::SMRange range);
ElementPtr makeNegate(ElementPtr operand, llvm::SMRange range);
ElementPtr makeConstant(double value, std::optional<int64_t> integer, llvm::SMRange range);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_REDUCTIONS_H
