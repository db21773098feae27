// Takes the values of storages out, and puts others in.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/StoredValues.h"

#include "strata/host/View.h"
#include "strata/runtime/CopyBytes.h"

using strata::runtime::Buffer;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata::host {

std::shared_ptr<Storage> valuesOf(std::shared_ptr<Storage> storage) {
  const strata_buffer &values = storage->values();
  const auto type = strata_type(values.type);
  Storage vector({values.count}, {&type, 1}, storage->allocator());
  vector.adopt(0, values.data, values.count, type);
  return keeping(std::move(vector), {std::move(storage)});
}

// Tells whether nobody else has a part in the storage's memory.
static bool isOurs(const std::shared_ptr<Storage> &storage) {
  for (int64_t at = 0; at < storage->bufferCount(); ++at)
    if (const strata_buffer &buffer = storage->buffer(at); buffer.count > 0 && !buffer.owned)
      return false;
  return storage.use_count() == 1;
}

static bool haveOneAllocator(const Storage &one, const Storage &other) {
  const strata_allocator a = one.allocator(), b = other.allocator();
  return a.reallocate == b.reallocate && a.state == b.state;
}

static Status copyBuffer(const strata_buffer &from, Storage &to, int64_t at) {
  if (Status status = to.allocate(at, from.count); !status.ok())
    return status;
  if (from.count > 0) // else there may be no block at all
    runtime::copyBytes(to.buffer(at).data, from.data,
                       size_t(from.count * strata_type_bytes(from.type)));
  return Status();
}

// The levels of a storage, whose values are not there.
static Result<std::shared_ptr<Storage>> levelsOf(const Storage &pattern) {
  std::vector<strata_type> types;
  for (int64_t at = 0; at < pattern.bufferCount(); ++at)
    types.push_back(strata_type(pattern.buffer(at).type));
  auto copy = std::make_shared<Storage>(pattern.sizes(), types, pattern.allocator());
  for (int64_t at = 0; at + 1 < copy->bufferCount(); ++at)
    if (Status status = copyBuffer(pattern.buffer(at), *copy, at); !status.ok())
      return status;
  return copy;
}

Result<std::shared_ptr<Storage>> withValues(std::shared_ptr<Storage> pattern,
                                            std::shared_ptr<Storage> values) {
  const int64_t count = values->values().count;
  if (count != pattern->values().count)
    return Error{Error::Pattern, "the pattern has " + std::to_string(pattern->values().count) +
                                     " values, and the vector " + std::to_string(count)};
  if (!isOurs(pattern)) {
    Result<std::shared_ptr<Storage>> levels = levelsOf(*pattern);
    if (!levels)
      return levels;
    pattern = std::move(*levels);
  }
  const int64_t last = pattern->bufferCount() - 1;
  if (!isOurs(values) || !haveOneAllocator(*pattern, *values)) {
    if (Status status = copyBuffer(values->values(), *pattern, last); !status.ok())
      return status;
    return pattern;
  }
  Result<Buffer> taken = values->take(0);
  if (!taken)
    return taken.takeStatus();
  if (Status status = pattern->put(last, std::move(*taken)); !status.ok())
    return status;
  return pattern;
}

} // namespace strata::host
