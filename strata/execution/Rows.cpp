// Copies rows.
#include "strata/execution/Rows.h"

#include "strata/execution/ElementTypes.h"
#include "strata/runtime/CopyBytes.h"

#include <numeric>
#include <tbb/parallel_for.h>

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

std::vector<int64_t> rowBegins(const TensorValue &matrix) {
  const strata_buffer &pos = matrix.storage->buffer(0);
  std::vector<int64_t> begins;
  withPositions(pos, [&](const auto *words) { begins.assign(words, words + pos.count); });
  return begins;
}

Result<TensorValue> selectRows(const TensorValue &matrix, llvm::ArrayRef<int64_t> begins,
                               llvm::ArrayRef<int64_t> counts) {
  const Storage &from = *matrix.storage;
  auto to = std::make_shared<Storage>(from.sizes(), bufferTypes(matrix.type));
  int64_t rows = int64_t(counts.size());
  std::vector<int64_t> ends(counts.begin(), counts.end());
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  Status status = to->allocate(0, rows + 1);
  for (int64_t at = 1; at < from.bufferCount() && status.ok(); ++at)
    status = to->allocate(at, rows == 0 ? 0 : ends.back());
  if (!status.ok())
    return status;
  withPositions(to->buffer(0), [&](auto *pos) {
    using Position = std::remove_pointer_t<decltype(pos)>;
    pos[0] = 0;
    std::transform(ends.begin(), ends.end(), pos + 1, [](int64_t end) { return Position(end); });
  });
  for (int64_t at = 1; at < from.bufferCount(); ++at) {
    auto bytes = size_t(strata_type_bytes(from.buffer(at).type));
    const char *source = static_cast<const char *>(from.buffer(at).data);
    char *target = static_cast<char *>(to->buffer(at).data);
    tbb::parallel_for(tbb::blocked_range<int64_t>(0, rows, 1024), [&](const auto &range) {
      for (int64_t row = range.begin(); row < range.end(); ++row)
        runtime::copyBytes(target + size_t(ends[row] - counts[row]) * bytes,
                           source + size_t(begins[row]) * bytes, size_t(counts[row]) * bytes);
    });
  }
  return TensorValue{matrix.type, to, nullptr};
}

} // namespace strata
