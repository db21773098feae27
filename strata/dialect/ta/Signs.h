// How the notation of statements writes operations on elements: by signs between operands, or by
// words.
#ifndef STRATA_DIALECT_TA_SIGNS_H
#define STRATA_DIALECT_TA_SIGNS_H

#include "strata/dialect/ta/Ta.h"

#include <optional>

namespace strata::ta {

/// How tightly an operator binds: the language's order, which is Python's.
enum Binding { Loosest, Comparing, BitOr, BitXor, BitAnd, Shifting, Adding, Multiplying, Prefix };

struct Sign {
  llvm::StringRef text;
  Binding binding;
};

/// Returns the sign between an operation's operands; nothing for operations that have none.
std::optional<Sign> infix(mlir::Operation *op);

/// Returns the sign of a function of the language that is written as an operator ("shl").
std::optional<Sign> infixOf(llvm::StringRef function);

/// Names the function of the language that an operation computes.
llvm::StringRef functionName(mlir::Operation *op);

/// Names the operator of a semiring or of an update.
llvm::StringRef wordOf(Combine combine);

/// Names the reduction over labels, of values of this type.
llvm::StringRef reductionName(Combine combine, mlir::Type type);

/// Returns what stands before the "=" of an update.
llvm::StringRef updateSign(Combine combine);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_SIGNS_H
