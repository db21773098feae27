// Numbers that several levels store together, each a digit: blocks, blocks of blocks, Morton order.
#ifndef STRATA_DIALECT_TA_DIGITS_H
#define STRATA_DIALECT_TA_DIGITS_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace strata::ta {

/// `number floordiv divisor`, or `number floordiv divisor mod modulus`; the modulus is 0 without
/// one.
struct Digit {
  mlir::AffineExpr number;
  int64_t divisor, modulus;
};

/// The digit that an expression is, if it is one.
std::optional<Digit> asDigit(mlir::AffineExpr expr);

/// A number put together from its digits.
struct Digits {
  mlir::AffineExpr value;           ///< null if a digit is missing
  llvm::SmallVector<unsigned> used; ///< which equations, from the coarsest digit to the finest
};

/// `i` from `i floordiv 4`, `i floordiv 2 mod 2` and `i mod 2`. `equations`: expressions, and what
/// each is worth.
Digits fromDigits(mlir::AffineExpr number,
                  llvm::ArrayRef<std::pair<mlir::AffineExpr, mlir::AffineExpr>> equations);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_DIGITS_H
