// Unpacks storages into lists of coordinates.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Unpack.h"

#include "strata/host/LevelSpace.h"
#include "strata/host/Ranks.h"
#include "strata/runtime/storage/DropFills.h"
#include "strata/runtime/storage/EqualsFill.h"

#include <cstring>

using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata::host {

// A tensor of order 0 has one value, without levels that a kernel could walk.
static Result<Coordinates> unpackScalar(const Storage &storage, const StoredFormat &format) {
  const void *value = storage.values().data;
  bool isFill = true;
  runtime::forEachBesideFill(format.element, value, 1, format.fill,
                             [&](int64_t) { isFill = false; });
  Result<Coordinates> list = Coordinates::create({}, format.element, isFill ? 0 : 1);
  if (list && !isFill)
    std::memcpy(list->values().data(), value, format.fill.size());
  return list;
}

// With ranks for coordinates of dimensions that the format sorts.
static Result<Coordinates> unpackRanks(const Storage &storage, const StoredFormat &format,
                                       const MakeListKernel &makeKernel) {
  if (format.order() == 0)
    return unpackScalar(storage, format);
  std::vector<int64_t> extents = format.levelSizes(storage.sizes(), slotsOf(storage, format));
  Result<ListKernel> kernel = makeKernel(extents);
  if (!kernel)
    return kernel.takeStatus();
  Storage source = inLevelSpace(storage, format, extents);
  std::vector<strata_type> types{STRATA_I64};
  types.insert(types.end(), extents.size(), kernel->coordinates);
  types.push_back(format.element);
  Storage result(extents, types);
  Storage *operand = &source;
  if (Status status = kernel->kernel(result, {&operand, 1}, extents); !status.ok())
    return status;
  Result<Coordinates> list = Coordinates::fromStorage(std::move(result));
  if (!list)
    return list;
  if (kernel->leavesFills)
    if (Status status = runtime::dropFills(*list, format.fill); !status.ok())
      return status;
  if (!format.isPermutation())
    return fromLevels(std::move(*list), format, storage.sizes());
  std::vector<int> levelOf(format.levels.size());
  for (size_t at = 0; at < format.levels.size(); ++at)
    levelOf[size_t(format.levels[at].coordinate.input())] = int(at);
  if (Status permuted = list->permute(levelOf); !permuted.ok())
    return permuted;
  return list;
}

Result<Coordinates> unpack(const Storage &storage, const StoredFormat &format,
                           const MakeListKernel &kernel) {
  Result<Coordinates> list = unpackRanks(storage, format, kernel);
  if (list)
    restoreCoordinates(*list, storage, format);
  return list;
}

Status settle(Coordinates &list) {
  if (Status status = list.convertCoordinates(runtime::coordinateTypeFor(list.sizes()));
      !status.ok())
    return status;
  // Integers wrap here as in kernels, which may have stored terms of a sum.
  return list.sumDuplicates({}, runtime::Overflow::wraps).takeStatus();
}

} // namespace strata::host
