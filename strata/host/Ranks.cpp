// Makes, stores and undoes the orders of sorted dimensions.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Ranks.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/Parallel.h"

#include <algorithm>

using strata::runtime::Buffer;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata::host {

// table[c] in place of each coordinate c.
static void replace(Coordinates &list, int64_t dim, const int64_t *table) {
  runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
    using Coordinate = std::remove_pointer_t<decltype(tag)>;
    auto *column = list.column(int(dim)).template as<Coordinate>();
    runtime::parallelFor(int64_t(0), list.count(),
                         [=](int64_t entry) { column[entry] = Coordinate(table[column[entry]]); });
  });
}

static Error noMemoryFor(int64_t size) {
  return Error{Error::Memory, "there is no memory for the order of " + counted(size, "coordinate")};
}

Result<Ranks> rankByCounts(Buffer ranks, int64_t window) {
  int64_t size = ranks.count();
  Result<Buffer> order = Buffer::allocate(STRATA_I64, size);
  if (!order)
    return noMemoryFor(size);
  int64_t *coordinates = order->as<int64_t>(), *counts = ranks.as<int64_t>();
  for (int64_t crd = 0; crd < size; ++crd)
    coordinates[crd] = crd;
  window = std::min(window, std::max<int64_t>(size, 1));
  runtime::parallelFor(int64_t(0), divideCeil(size, window), [=](int64_t at) {
    int64_t begin = at * window, end = std::min(size, begin + window);
    std::sort(coordinates + begin, coordinates + end, [=](int64_t a, int64_t b) {
      return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;
    });
  });
  for (int64_t at = 0; at < size; ++at)
    counts[coordinates[at]] = at; // from here on ranks
  return Ranks{std::move(*order), std::move(ranks)};
}

static Result<Ranks> rank(const Coordinates &list, int64_t dim, int64_t window) {
  int64_t size = list.sizes()[size_t(dim)];
  Result<Buffer> counts = Buffer::allocate(STRATA_I64, size);
  if (!counts)
    return noMemoryFor(size);
  int64_t *count = counts->as<int64_t>();
  std::fill_n(count, size, 0);
  for (int64_t entry = 0; entry < list.count(); ++entry)
    ++count[list.coordinate(int(dim), entry)];
  return rankByCounts(std::move(*counts), window);
}

Result<std::vector<Ranks>> rankCoordinates(Coordinates &list, const StoredFormat &format) {
  std::vector<Ranks> all;
  for (size_t at = 0; at < format.sorted.size(); ++at) {
    Result<Ranks> one = rank(list, format.sorted[at], format.windows[at]);
    if (!one)
      return one.takeStatus();
    all.push_back(std::move(*one));
  }
  for (size_t at = 0; at < all.size(); ++at)
    replace(list, format.sorted[at], all[at].ranks.as<int64_t>());
  return all;
}

Status storeRanks(std::vector<Ranks> ranks, Storage &storage) {
  int64_t buffer = storage.bufferCount() - 1 - 2 * int64_t(ranks.size());
  for (Ranks &one : ranks) {
    for (Buffer *moved : {&one.order, &one.ranks})
      if (Status put = storage.put(buffer++, std::move(*moved)); !put.ok())
        return put;
  }
  return {};
}

void restoreCoordinates(Coordinates &list, const Storage &storage, const StoredFormat &format) {
  int64_t buffer = storage.bufferCount() - 1 - 2 * int64_t(format.sorted.size());
  for (int64_t dim : format.sorted) {
    replace(list, dim, static_cast<const int64_t *>(storage.buffer(buffer).data));
    buffer += 2;
  }
}

} // namespace strata::host
