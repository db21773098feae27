// Copies row by row.
#include "strata/execution/SortedRows.h"

#include "strata/execution/ElementTypes.h"

#include <tbb/parallel_for.h>

using strata::runtime::Buffer;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

// Calls `body` with the positions as they are stored.
template <typename Body> static void withPositions(const strata_buffer &buffer, Body body) {
  switch (strata_type_bytes(buffer.type)) {
  case 1:
    return body(static_cast<uint8_t *>(buffer.data));
  case 2:
    return body(static_cast<uint16_t *>(buffer.data));
  case 4:
    return body(static_cast<uint32_t *>(buffer.data));
  default:
    return body(static_cast<uint64_t *>(buffer.data));
  }
}

// Rows of entries of so many bytes each.
template <typename Position>
static void copyRows(const strata_buffer &from, strata_buffer &to, const Position *begins,
                     const Position *sorted, const int64_t *order, int64_t rows) {
  auto bytes = static_cast<size_t>(strata_type_bytes(from.type));
  const char *source = static_cast<const char *>(from.data);
  char *target = static_cast<char *>(to.data);
  tbb::parallel_for(tbb::blocked_range<int64_t>(0, rows, 1024), [=](const auto &range) {
    for (int64_t rank = range.begin(); rank < range.end(); ++rank) {
      int64_t row = order[rank];
      std::memcpy(target + size_t(sorted[rank]) * bytes, source + size_t(begins[row]) * bytes,
                  size_t(begins[row + 1] - begins[row]) * bytes);
    }
  });
}

Result<SortedRows> sortRows(const TensorValue &matrix, int64_t window) {
  const Storage &from = *matrix.storage;
  const strata_buffer &pos = from.buffer(0);
  int64_t rows = pos.count - 1;
  Result<Buffer> counts = Buffer::allocate(STRATA_I64, rows);
  if (!counts)
    return counts.takeStatus();
  withPositions(pos, [&](const auto *begins) {
    for (int64_t row = 0; row < rows; ++row)
      counts->as<int64_t>()[row] = int64_t(begins[row + 1] - begins[row]);
  });
  Result<Ranks> ranks = rankByCounts(std::move(*counts), window);
  if (!ranks)
    return ranks.takeStatus();
  auto to = std::make_shared<Storage>(from.sizes(), bufferTypes(matrix.type));
  for (int64_t at = 0; at < from.bufferCount(); ++at)
    if (Status status = to->allocate(at, from.buffer(at).count); !status.ok())
      return status;
  withPositions(pos, [&](const auto *begins) {
    using Position = std::remove_const_t<std::remove_pointer_t<decltype(begins)>>;
    auto *sorted = static_cast<Position *>(to->buffer(0).data);
    const int64_t *order = ranks->order.as<int64_t>();
    sorted[0] = 0;
    for (int64_t rank = 0; rank < rows; ++rank)
      sorted[rank + 1] = Position(sorted[rank] + begins[order[rank] + 1] - begins[order[rank]]);
    for (int64_t at = 1; at < from.bufferCount(); ++at)
      copyRows<Position>(from.buffer(at), to->buffer(at), begins, sorted, order, rows);
  });
  return SortedRows{{matrix.type, to, nullptr}, std::move(*ranks)};
}

} // namespace strata
