// Building tensors, finding entries, and grouping them by some of their coordinates.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Tensor.h"
#include "strata/runtime/CopyBytes.h"

#include "llvm/Support/MathExtras.h"

#include <bit>
#include <cstring>

namespace strata::reference {

using runtime::Coordinates;
using runtime::Result;

std::string text(std::span<const int64_t> coordinate) {
  std::string result = "(";
  for (size_t d = 0; d < coordinate.size(); ++d)
    result += (d ? ", " : "") + std::to_string(coordinate[d]);
  return result + ")";
}

int64_t countCoordinates(std::span<const int64_t> sizes) {
  if (llvm::is_contained(sizes, 0))
    return 0;
  int64_t product = 1;
  for (int64_t size : sizes)
    if (llvm::MulOverflow(product, size, product))
      return std::numeric_limits<int64_t>::max();
  return product;
}

Result<Tensor> Tensor::fromCoordinates(Coordinates entries) {
  if (auto merged = entries.sumDuplicates(); !merged)
    return merged.takeStatus();
  Tensor tensor;
  tensor.state = std::make_shared<State>();
  tensor.state->sizes = entries.sizes();
  tensor.state->type = elementType(entries.valueType());
  tensor.state->count = entries.count();
  // Sorted and distinct: as many as there are coordinates are all of them, in row-major order.
  tensor.state->complete = entries.count() == countCoordinates(entries.sizes());
  tensor.state->stored = std::move(entries);
  return tensor;
}

Result<Tensor> Tensor::copyOf(const Coordinates &entries) {
  Result<Coordinates> copy = entries.clone();
  if (!copy)
    return copy.takeStatus();
  return fromCoordinates(std::move(*copy));
}

Result<Tensor> Tensor::fromValues(std::vector<int64_t> sizes, strata_type type,
                                  const void *values) {
  int64_t count = countCoordinates(sizes);
  Result<runtime::Buffer> buffer = runtime::Buffer::allocate(type, count);
  if (!buffer)
    return buffer.takeStatus();
  size_t bytes = runtime::withValueType(type, [](auto *null) { return sizeof *null; });
  if (count)
    runtime::copyBytes(buffer->data(), values, static_cast<size_t>(count) * bytes);
  Tensor tensor;
  tensor.state = std::make_shared<State>();
  tensor.state->sizes = std::move(sizes);
  tensor.state->type = elementType(type);
  tensor.state->count = count;
  tensor.state->complete = true;
  tensor.state->values = std::move(*buffer);
  return tensor;
}

Number Tensor::value(int64_t entry) const {
  const runtime::Buffer &buffer =
      state->values.data() ? state->values : std::as_const(state->stored).values();
  return runtime::withValueType(buffer.type(), [&](auto *null) -> Number {
    using Value = std::remove_pointer_t<decltype(null)>;
    const Value &value = buffer.as<Value>()[entry];
    if constexpr (runtime::isComplexNumber<Value>)
      return {std::complex<double>(value)};
    else if constexpr (std::is_integral_v<Value>)
      return {0, static_cast<int64_t>(value)};
    else
      return {static_cast<double>(value)};
  });
}

int64_t Tensor::coordinate(unsigned dimension, int64_t entry) const {
  if (!state->complete)
    return state->stored.coordinate(static_cast<int>(dimension), entry);
  for (unsigned d = order() - 1; d > dimension; --d)
    entry /= state->sizes[d];
  return entry % state->sizes[dimension];
}

int64_t Tensor::find(std::span<const int64_t> coordinate) const {
  if (state->complete) {
    int64_t entry = 0;
    for (unsigned d = 0; d < order(); ++d)
      entry = entry * state->sizes[d] + coordinate[d];
    return entry;
  }
  std::span<const int64_t> found = select(llvm::maskTrailingOnes<uint64_t>(order()), coordinate);
  return found.empty() ? -1 : found[0];
}

Tensor::Index Tensor::buildIndex(uint64_t mask) const {
  Index index{TupleTable(static_cast<size_t>(std::popcount(mask))), {}, {}};
  std::vector<int64_t> groupOf(static_cast<size_t>(count())), tuple;
  for (int64_t entry = 0; entry < count(); ++entry) {
    tuple.clear();
    for (unsigned d = 0; d < order(); ++d)
      if (mask >> d & 1)
        tuple.push_back(coordinate(d, entry));
    groupOf[static_cast<size_t>(entry)] = index.groups.insert(tuple).first;
  }
  // A counting sort by group.
  index.starts.assign(static_cast<size_t>(index.groups.size()) + 2, 0);
  for (int64_t group : groupOf)
    ++index.starts[static_cast<size_t>(group) + 2];
  for (size_t group = 2; group < index.starts.size(); ++group)
    index.starts[group] += index.starts[group - 1];
  index.entries.resize(groupOf.size());
  for (size_t entry = 0; entry < groupOf.size(); ++entry) {
    int64_t &next = index.starts[static_cast<size_t>(groupOf[entry]) + 1];
    index.entries[static_cast<size_t>(next++)] = static_cast<int64_t>(entry);
  }
  return index;
}

std::span<const int64_t> Tensor::select(uint64_t mask, std::span<const int64_t> coordinates) const {
  auto found = state->indices.find(mask);
  if (found == state->indices.end())
    found = state->indices.emplace(mask, buildIndex(mask)).first;
  const Index &index = found->second;
  int64_t group = index.groups.find(coordinates);
  if (group < 0)
    return {};
  auto start = static_cast<size_t>(index.starts[static_cast<size_t>(group)]);
  auto end = static_cast<size_t>(index.starts[static_cast<size_t>(group) + 1]);
  return std::span(index.entries).subspan(start, end - start);
}

} // namespace strata::reference
