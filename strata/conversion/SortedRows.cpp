// Sorts rows.
#include "strata/conversion/SortedRows.h"

#include "strata/conversion/Rows.h"

using strata::runtime::Buffer;
using strata::runtime::Result;

namespace strata {

Result<SortedRows> sortRows(const TensorValue &matrix, int64_t window) {
  std::vector<int64_t> begins = rowBegins(matrix);
  int64_t rows = int64_t(begins.size()) - 1;
  Result<Buffer> lengths = Buffer::allocate(STRATA_I64, rows);
  if (!lengths)
    return lengths.takeStatus();
  for (int64_t row = 0; row < rows; ++row)
    lengths->as<int64_t>()[row] = begins[row + 1] - begins[row];
  Result<host::Ranks> ranks = host::rankByCounts(std::move(*lengths), window);
  if (!ranks)
    return ranks.takeStatus();
  const int64_t *order = ranks->order.as<int64_t>();
  std::vector<int64_t> from(rows), counts(rows);
  for (int64_t rank = 0; rank < rows; ++rank) {
    from[rank] = begins[order[rank]];
    counts[rank] = begins[order[rank] + 1] - from[rank];
  }
  Result<TensorValue> sorted = selectRows(matrix, from, counts);
  if (!sorted)
    return sorted.takeStatus();
  return SortedRows{std::move(*sorted), std::move(*ranks)};
}

} // namespace strata
