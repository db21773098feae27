// Joins lists column by column.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Concatenate.h"

#include "strata/runtime/CopyBytes.h"

#include <string>

using strata::runtime::Buffer;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata::host {

using Lists = std::span<const std::shared_ptr<const Coordinates>>;

static Result<std::vector<int64_t>> joinedSizes(Lists lists, int dimension) {
  std::vector<int64_t> sizes = lists.front()->sizes();
  for (const auto &list : lists.subspan(1))
    for (int d = 0; d < list->order(); ++d) {
      int64_t &size = sizes[size_t(d)], own = list->sizes()[size_t(d)];
      if (d == dimension ? __builtin_add_overflow(size, own, &size) : size != own)
        return Error{Error::Extent, "tensors whose sizes in dimension " + std::to_string(d + 1) +
                                        " are " + std::to_string(size) + " and " +
                                        std::to_string(own) + " cannot be joined" +
                                        (d == dimension ? ": the sum is too large" : "")};
    }
  return sizes;
}

// A list's coordinates in one dimension, moved by `offset`, to those from entry `first` on.
static void moveColumn(const Coordinates &list, int dimension, int64_t offset, Buffer &column,
                       int64_t first) {
  runtime::withCoordinateType(column.type(), [&](auto *tag) {
    using Coordinate = std::remove_pointer_t<decltype(tag)>;
    Coordinate *next = column.as<Coordinate>() + first;
    for (int64_t entry = 0; entry < list.count(); ++entry)
      *next++ = Coordinate(list.coordinate(dimension, entry) + offset);
  });
}

Result<Coordinates> concatenated(Lists lists, int dimension, strata_type type) {
  Result<std::vector<int64_t>> sizes = joinedSizes(lists, dimension);
  if (!sizes)
    return sizes.takeStatus();
  int64_t count = 0;
  for (const auto &list : lists)
    count += list->count();
  Result<Coordinates> joined = Coordinates::create(std::move(*sizes), type, count);
  if (!joined)
    return joined;
  int64_t first = 0, offset = 0;
  size_t bytes = strata_type_bytes(type);
  for (const auto &list : lists) {
    for (int d = 0; d < list->order(); ++d)
      moveColumn(*list, d, d == dimension ? offset : 0, joined->column(d), first);
    Result<Buffer> values = list->values().clone();
    if (!values)
      return values.takeStatus();
    if (Status status = runtime::convertValues(*values, type); !status.ok())
      return status;
    runtime::copyBytes(static_cast<char *>(joined->values().data()) + size_t(first) * bytes,
                       values->data(), size_t(list->count()) * bytes);
    first += list->count();
    offset += list->sizes()[size_t(dimension)];
  }
  return joined;
}

} // namespace strata::host
