// Parts of expressions, which scheduling commands name by their text.
#ifndef STRATA_LOWER_ANALYSIS_EXPRESSIONPARTS_H
#define STRATA_LOWER_ANALYSIS_EXPRESSIONPARTS_H

#include "mlir/IR/Builders.h"

#include <string>

namespace strata {

/// A text without spaces, and with parentheses for brackets: B[i, k] is B(i,k).
std::string plainText(llvm::StringRef text);

/// Operands of a chain of sums or products that follow each other, or a value of another kind.
struct ExpressionPart {
  mlir::Value root; ///< the whole chain, or the value
  llvm::SmallVector<mlir::Value> before, inside, after;

  bool isWhole() const { return before.empty() && after.empty(); }
};

/// The parts of the values inside an operation that read like `wanted`, a plain text; `textOf`
/// gives the plain text of a value. What is an operand of a chain is found there alone.
llvm::SmallVector<ExpressionPart> findParts(mlir::Operation *around, llvm::StringRef wanted,
                                            llvm::function_ref<std::string(mlir::Value)> textOf);

/// The operands, one or more, combined from left to right by operations like this one.
mlir::Value chained(llvm::ArrayRef<mlir::Value> operands, mlir::Operation *like,
                    mlir::OpBuilder &b);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_EXPRESSIONPARTS_H
