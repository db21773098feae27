// An arena of so many threads, and buffers compared.
#include "Threads.h"

#include <cstring>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace strata::test {

bool identical(const TensorValue &a, const TensorValue &b) {
  if (a.type == b.type && !a.parts.empty())
    return std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), identical);
  if (a.type != b.type || a.storage->bufferCount() != b.storage->bufferCount())
    return false;
  for (int at = 0; at < a.storage->bufferCount(); ++at) {
    const strata_buffer &x = a.storage->buffer(at), &y = b.storage->buffer(at);
    if (x.count != y.count || x.type != y.type ||
        (x.count > 0 &&
         std::memcmp(x.data, y.data, size_t(x.count * strata_type_bytes(x.type))) != 0))
      return false;
  }
  return true;
}

void withThreads(int count, llvm::function_ref<void()> body) {
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, size_t(count));
  tbb::task_arena(count).execute([&] { body(); });
}

} // namespace strata::test
