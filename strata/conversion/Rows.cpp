// Copies rows.
#include "strata/conversion/Rows.h"

#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/Parallel.h"
#include "strata/runtime/storage/Words.h"
#include "strata/tensor/ElementTypes.h"

#include <algorithm>
#include <numeric>

using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

std::vector<int64_t> rowBegins(const TensorValue &matrix) {
  std::vector<int64_t> begins;
  runtime::withWords(matrix.storage->buffer(0),
                     [&](auto words) { begins.assign(words.begin(), words.end()); });
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
  runtime::withWords(to->buffer(0), [&](auto pos) {
    pos.front() = 0;
    std::ranges::copy(ends, pos.begin() + 1);
  });
  for (int64_t at = 1; at < from.bufferCount(); ++at) {
    auto bytes = size_t(strata_type_bytes(from.buffer(at).type));
    const char *source = static_cast<const char *>(from.buffer(at).data);
    char *target = static_cast<char *>(to->buffer(at).data);
    runtime::parallelFor(tbb::blocked_range<int64_t>(0, rows, 1024), [&](const auto &range) {
      for (int64_t row = range.begin(); row < range.end(); ++row)
        runtime::copyBytes(target + size_t(ends[row] - counts[row]) * bytes,
                           source + size_t(begins[row]) * bytes, size_t(counts[row]) * bytes);
    });
  }
  return TensorValue{matrix.type, to, nullptr};
}

} // namespace strata
