// Tensors one behind the other, from the definition.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Reference.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

namespace strata::reference {

using runtime::Error;
using runtime::Result;

// A stored number as one of another type, which can express it.
static Number converted(const Number &number, ElementType from, ElementType to) {
  if (to.isInteger())
    return from.isInteger() ? number : Number{0, static_cast<int64_t>(number.value.real())};
  if (!from.isInteger())
    return rounded(to, number.value);
  double whole = from.isUnsigned ? static_cast<double>(static_cast<uint64_t>(number.integer))
                                 : static_cast<double>(number.integer);
  return rounded(to, whole);
}

// The sizes of the result; nothing where those of two tensors disagree.
static std::optional<std::vector<int64_t>> sizesOfJoined(std::span<const Tensor> tensors,
                                                         unsigned dimension) {
  std::vector<int64_t> sizes = tensors.front().sizes();
  for (const Tensor &tensor : tensors.subspan(1)) {
    std::vector<int64_t> own = tensor.sizes();
    sizes[dimension] += own[dimension];
    own[dimension] = sizes[dimension];
    if (own != sizes)
      return std::nullopt;
  }
  return sizes;
}

Result<Expected> concatenate(std::span<const Tensor> tensors, unsigned dimension, strata_type type,
                             Number fill) {
  std::optional<std::vector<int64_t>> sizes = sizesOfJoined(tensors, dimension);
  if (!sizes)
    return Error{Error::Extent, "the sizes of what is joined differ in another dimension"};
  std::vector<std::vector<int64_t>> places;
  std::vector<Expected::Entry> entries;
  int64_t begin = 0;
  for (const Tensor &tensor : tensors) {
    for (int64_t entry = 0; entry < tensor.count(); ++entry) {
      std::vector<int64_t> place;
      for (unsigned d = 0; d < tensor.order(); ++d)
        place.push_back(tensor.coordinate(d, entry) + (d == dimension ? begin : 0));
      places.push_back(std::move(place));
      entries.push_back({converted(tensor.value(entry), tensor.type(), elementType(type))});
    }
    begin += tensor.sizes()[dimension];
  }
  std::vector<size_t> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](size_t entry) -> const auto & { return places[entry]; });
  Expected result;
  result.sizes = *sizes;
  result.type = elementType(type);
  result.storedType = type;
  result.fill = fill;
  result.work = static_cast<int64_t>(entries.size());
  for (size_t entry : order) {
    llvm::append_range(result.coordinates, places[entry]);
    result.entries.push_back(entries[entry]);
  }
  return result;
}

} // namespace strata::reference
