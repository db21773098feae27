// Expressions that scheduling commands name by their text.
#ifndef STRATA_DIALECT_TA_EXPRESSIONTEXT_H
#define STRATA_DIALECT_TA_EXPRESSIONTEXT_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace strata::ta {

/// A text without spaces, and with parentheses for brackets: B[i, k] is B(i,k).
std::string plainText(llvm::StringRef text);

/// Operands of a chain of sums or products that follow each other.
struct ChainPart {
  unsigned first, count;
};

/// The parts of a chain that read like `wanted`. The operands' texts and `wanted` are plain; `sign`
/// is the chain's, '+' or '*'.
llvm::SmallVector<ChainPart> partsOfChain(llvm::ArrayRef<std::string> operands,
                                          llvm::StringRef wanted, char sign);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_EXPRESSIONTEXT_H
