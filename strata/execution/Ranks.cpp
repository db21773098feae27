// Makes, stores and undoes the orders of sorted dimensions.
#include "strata/execution/Ranks.h"

#include "strata/execution/Estimate.h"
#include "strata/runtime/Counted.h"

#include <tbb/parallel_for.h>

using strata::runtime::Buffer;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

// table[c] in place of each coordinate c.
static void replace(Coordinates &list, unsigned dim, const int64_t *table) {
  runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
    using Coordinate = std::remove_pointer_t<decltype(tag)>;
    auto *column = list.column(int(dim)).template as<Coordinate>();
    tbb::parallel_for(int64_t(0), list.count(),
                      [=](int64_t entry) { column[entry] = Coordinate(table[column[entry]]); });
  });
}

static Error noMemoryFor(int64_t size) {
  return Error{"there is no memory for the order of " + counted(size, "coordinate")};
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
  tbb::parallel_for(int64_t(0), (size + window - 1) / window, [=](int64_t at) {
    int64_t begin = at * window, end = std::min(size, begin + window);
    std::sort(coordinates + begin, coordinates + end, [=](int64_t a, int64_t b) {
      return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;
    });
  });
  for (int64_t at = 0; at < size; ++at)
    counts[coordinates[at]] = at; // from here on ranks
  return Ranks{std::move(*order), std::move(ranks)};
}

static Result<Ranks> rank(const Coordinates &list, unsigned dim, int64_t window) {
  int64_t size = list.sizes()[dim];
  Result<Buffer> counts = Buffer::allocate(STRATA_I64, size);
  if (!counts)
    return noMemoryFor(size);
  int64_t *count = counts->as<int64_t>();
  std::fill_n(count, size, 0);
  for (int64_t entry = 0; entry < list.count(); ++entry)
    ++count[list.coordinate(int(dim), entry)];
  return rankByCounts(std::move(*counts), window);
}

Result<llvm::SmallVector<Ranks>> rankCoordinates(Coordinates &list, mlir::RankedTensorType type,
                                                 bool force) {
  ta::FormatAttr format = ta::formatOf(type);
  llvm::SmallVector<Ranks> all;
  if (format.getWindows().empty())
    return all;
  if (Result<int64_t> summed = list.sumDuplicates(); !summed)
    return summed.takeStatus();
  if (Status fits = force ? Status() : checkRanks(list, type); !fits.ok())
    return fits;
  for (unsigned dim : format.sortedDims()) {
    Result<Ranks> one = rank(list, dim, format.getWindows()[dim]);
    if (!one)
      return one.takeStatus();
    all.push_back(std::move(*one));
  }
  for (auto [one, dim] : llvm::zip(all, format.sortedDims()))
    replace(list, dim, one.ranks.as<int64_t>());
  return all;
}

Status storeRanks(llvm::SmallVector<Ranks> ranks, Storage &storage) {
  int64_t buffer = storage.bufferCount() - 1 - 2 * int64_t(ranks.size());
  for (Ranks &one : ranks) {
    for (runtime::Buffer *moved : {&one.order, &one.ranks})
      if (Status put = storage.put(int(buffer++), std::move(*moved)); !put.ok())
        return put;
  }
  return {};
}

void restoreCoordinates(Coordinates &list, const TensorValue &tensor) {
  llvm::SmallVector<unsigned> dims = tensor.format().sortedDims();
  int64_t buffer = tensor.storage->bufferCount() - 1 - 2 * int64_t(dims.size());
  for (unsigned dim : dims) {
    replace(list, dim, static_cast<const int64_t *>(tensor.storage->buffer(buffer).data));
    buffer += 2;
  }
}

} // namespace strata
