// Adjoints of statements: the gradient of a statement of index notation by its operands is again
// statements of index notation, as text.
//
//   y(i) = A(i,j) * x(j)        by A, stored as CSR, and x:
//   dA(i,j)<A, structural> = dy(i) * x(j)
//   dx(j) = sum(i, dy(i) * A(i,j))
//
// dy is the cotangent, the derivative of some number by the elements of y. Of complex numbers,
// gradients are conjugated as torch's are: descending along them lowers a real number.
#ifndef STRATA_FRONTEND_DIFFERENTIATE_H
#define STRATA_FRONTEND_DIFFERENTIATE_H

#include "strata/frontend/Sema.h"

namespace strata::frontend {

/// One statement of a gradient.
struct GradientStatement {
  std::string text;
  std::string result;                ///< the tensor on its left side
  std::vector<std::string> operands; ///< those it reads, with its own old value
  std::string like;                  ///< the operand in whose format the result is; empty: in any
  ElementType type = ElementType::Double; ///< of the result
};

/// The statements that compute a gradient, in their order.
struct Gradients {
  std::string cotangent;
  ElementType type = ElementType::Double; ///< of the cotangent: that of the result
  std::vector<GradientStatement> statements;
  /// What the gradient by each operand is called; empty where it is zero.
  std::vector<std::string> results;
};

/// Differentiates the only statement of a program that its caller gives the operands of, by some of
/// these. A gradient by a sparse operand is computed where that stores entries, and has its format.
/// Nothing after an error, which says what has no gradient.
std::optional<Gradients> differentiate(const Program &program, llvm::ArrayRef<std::string> by,
                                       const FormatVocabulary &formats, Diagnostics &diagnostics);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_DIFFERENTIATE_H
