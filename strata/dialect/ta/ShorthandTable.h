// The rows of the table of named formats, for what reads all of them.
#ifndef STRATA_DIALECT_TA_SHORTHANDTABLE_H
#define STRATA_DIALECT_TA_SHORTHANDTABLE_H

#include "strata/dialect/ta/Ta.h"

namespace strata::ta {

/// A name for the formats of tensors of some orders.
struct Shorthand {
  llvm::StringRef name;
  unsigned minOrder, maxOrder;
  std::initializer_list<int64_t> defaults; ///< of the numbers that it takes
  /// Makes the format; null where a level cannot have these numbers.
  FormatAttr (*make)(mlir::MLIRContext *, unsigned order, llvm::ArrayRef<int64_t> numbers);
  llvm::StringRef what;
  /// Between the numbers: sizes ("2x3"), of which one stands for all; or numbers of different
  /// kinds ("32,256"), of which the last can be left out.
  char between = 'x';
};

llvm::ArrayRef<Shorthand> shorthands();

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_SHORTHANDTABLE_H
