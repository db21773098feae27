// Loop nests as a person would write them, for explanations.
#ifndef STRATA_DIALECT_CIN_NESTTEXT_H
#define STRATA_DIALECT_CIN_NESTTEXT_H

#include "strata/dialect/cin/Cin.h"

#include <string>

namespace strata::cin {

/// The sign of a sum, difference, product or quotient, "+" to "/"; empty of other operations.
llvm::StringRef signOf(mlir::Operation *op);

/// Tells whether an operand with one sign stands in brackets beside another one.
bool bindsLess(llvm::StringRef inner, llvm::StringRef outer, bool isRight);

/// A value inside an assignment, as a statement has it: "B(i,k) * C(k,j)". Labels have the names of
/// their loops.
std::string valueText(mlir::Value value);

/// All that a kernel does, a line for each loop and assignment, indented as they are nested:
/// "for i", "  y(i) += A(i,j) * x(j)".
std::string nestText(mlir::Block &kernel);

} // namespace strata::cin

#endif // STRATA_DIALECT_CIN_NESTTEXT_H
