// Rows in the order of a format that sorts them: the way to it from any format that rows can be
// made from.
#ifndef STRATA_CONVERSION_SORTEDROWS_H
#define STRATA_CONVERSION_SORTEDROWS_H

#include "strata/host/Ranks.h"
#include "strata/tensor/TensorValue.h"

namespace strata {

struct SortedRows {
  TensorValue rows; ///< row r is the one of rank r
  host::Ranks ranks;
};

/// Sorts the rows of a matrix, whose levels are a dense one and a compressed one, by how many
/// entries they have, most first, in windows of so many.
runtime::Result<SortedRows> sortRows(const TensorValue &matrix, int64_t window);

} // namespace strata

#endif // STRATA_CONVERSION_SORTEDROWS_H
