// Matrices whose levels are a dense one and a compressed one, row by row.
#ifndef STRATA_CONVERSION_ROWS_H
#define STRATA_CONVERSION_ROWS_H

#include "strata/tensor/TensorValue.h"

namespace strata {

/// Where the entries of each row begin, and behind the last row where they end.
std::vector<int64_t> rowBegins(const TensorValue &matrix);

/// The matrix whose row r has `counts[r]` entries, those of `matrix` from position `begins[r]` on.
/// It has as many rows.
runtime::Result<TensorValue> selectRows(const TensorValue &matrix, llvm::ArrayRef<int64_t> begins,
                                        llvm::ArrayRef<int64_t> counts);

} // namespace strata

#endif // STRATA_CONVERSION_ROWS_H
