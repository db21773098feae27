// An arena of so many threads, and buffers compared.
#include "Threads.h"

#include <cmath>
#include <cstring>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace strata::test {

// Which of several numbers that are none becomes a sum's follows from how instructions order their
// operands, and is no promise.
template <typename Number> static bool sameNumbers(const void *a, const void *b, int64_t count) {
  const auto *x = static_cast<const Number *>(a), *y = static_cast<const Number *>(b);
  for (int64_t at = 0; at < count; ++at)
    if (std::memcmp(x + at, y + at, sizeof(Number)) != 0 &&
        !(std::isnan(x[at]) && std::isnan(y[at])))
      return false;
  return true;
}

static bool sameBits(const strata_buffer &x, const strata_buffer &y) {
  switch (x.type) {
  case STRATA_F64:
    return sameNumbers<double>(x.data, y.data, x.count);
  case STRATA_F32:
    return sameNumbers<float>(x.data, y.data, x.count);
  default:
    return std::memcmp(x.data, y.data, size_t(x.count * strata_type_bytes(x.type))) == 0;
  }
}

bool identical(const TensorValue &a, const TensorValue &b) {
  if (a.type == b.type && !a.parts.empty())
    return std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), identical);
  if (a.type != b.type || a.storage->bufferCount() != b.storage->bufferCount())
    return false;
  for (int at = 0; at < a.storage->bufferCount(); ++at) {
    const strata_buffer &x = a.storage->buffer(at), &y = b.storage->buffer(at);
    if (x.count != y.count || x.type != y.type || (x.count > 0 && !sameBits(x, y)))
      return false;
  }
  return true;
}

void withThreads(int count, llvm::function_ref<void()> body) {
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, size_t(count));
  tbb::task_arena(count).execute([&] { body(); });
}

} // namespace strata::test
