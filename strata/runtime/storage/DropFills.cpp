// Drops entries of a coordinate list whose values equal a fill.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/DropFills.h"

#include "strata/runtime/storage/EqualsFill.h"

namespace strata::runtime {

Status dropFills(Coordinates &list, std::span<const char> fill) {
  int64_t kept = 0;
  withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
    std::vector<C *> arrays;
    for (int dim = 0; dim < list.order(); ++dim)
      arrays.push_back(list.column(dim).as<C>());
    withValueType(list.valueType(), [&]<typename V>(V *) {
      V *values = list.values().as<V>();
      forEachBesideFill(list.valueType(), values, list.count(), fill, [&](int64_t entry) {
        for (C *column : arrays)
          column[kept] = column[entry];
        values[kept++] = values[entry];
      });
    });
  });
  return kept == list.count() ? Status() : list.resize(kept);
}

} // namespace strata::runtime
