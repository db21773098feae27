// Making coordinate lists, moving them into and out of storages, and their simple rewrites.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Coordinates.h"
#include "strata/runtime/InternalError.h"

#include "strata/runtime/Counted.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace strata::runtime {

strata_type coordinateTypeFor(std::span<const int64_t> sizes) {
  return std::ranges::all_of(sizes, [](int64_t size) { return size <= INT32_MAX; }) ? STRATA_I32
                                                                                    : STRATA_I64;
}

static bool isValueType(strata_type type) { return strata_type_bytes(type) > 0; }

Result<Coordinates> Coordinates::create(std::vector<int64_t> sizes, strata_type valueType,
                                        int64_t count) {
  const strata_type width = coordinateTypeFor(sizes);
  return create(std::move(sizes), width, valueType, count);
}

Result<Coordinates> Coordinates::create(std::vector<int64_t> sizes, strata_type coordinateType,
                                        strata_type valueType, int64_t count) {
  std::vector<Buffer> columns;
  for (size_t d = 0; d < sizes.size(); ++d) {
    Result<Buffer> column = Buffer::allocate(coordinateType, count);
    if (!column)
      return column.takeStatus();
    columns.push_back(std::move(*column));
  }
  Result<Buffer> values = Buffer::allocate(valueType, count);
  if (!values)
    return values.takeStatus();
  return assemble(std::move(sizes), std::move(columns), std::move(*values));
}

Result<Coordinates> Coordinates::assemble(std::vector<int64_t> sizes, std::vector<Buffer> columns,
                                          Buffer values) {
  Coordinates result;
  result.width = columns.empty() ? STRATA_I32 : columns.front().type();
  if (columns.size() != sizes.size())
    return Error{Error::InvalidStorage, counted(columns.size(), "column") + " of coordinates",
                 std::to_string(sizes.size())};
  if (!isValueType(values.type()))
    return Error{Error::ElementType, std::string("values of type ") + typeName(values.type()),
                 "an element type"};
  if (result.width != STRATA_I32 && result.width != STRATA_I64)
    return Error{Error::ElementType, std::string("coordinates of type ") + typeName(result.width),
                 "i32 or i64"};
  for (const Buffer &column : columns)
    if (column.type() != result.width || column.count() != values.count())
      return Error{Error::InvalidStorage, "columns of different types or lengths",
                   counted(values.count(), "coordinate") + " of type " + typeName(result.width)};
  for (int64_t size : sizes)
    if (size < 0)
      return Error{Error::Size, "a dimension of size " + std::to_string(size), "0 or more"};
  if (result.width == STRATA_I32 && coordinateTypeFor(sizes) == STRATA_I64)
    return Error{Error::IndexWidth, "a dimension is too large for coordinates of type i32"};
  result.extents = std::move(sizes);
  result.columns = std::move(columns);
  result.entryCount = values.count();
  result.valueBuffer = std::move(values);
  return result;
}

int64_t Coordinates::bytes() const {
  int64_t total = valueBuffer.capacity() * strata_type_bytes(valueType());
  for (const Buffer &column : columns)
    total += column.capacity() * strata_type_bytes(width);
  return total;
}

int64_t Coordinates::coordinate(int dimension, int64_t entry) const {
  return width == STRATA_I32 ? column(dimension).as<int32_t>()[entry]
                             : column(dimension).as<int64_t>()[entry];
}

std::complex<double> Coordinates::value(int64_t entry) const {
  return withValueType(valueType(), [&]<typename V>(V *) -> std::complex<double> {
    if constexpr (isComplexNumber<V>)
      return std::complex<double>(valueBuffer.as<V>()[entry]);
    else
      return static_cast<double>(valueBuffer.as<V>()[entry]);
  });
}

Status Coordinates::resize(int64_t count) {
  // Growing can fail halfway: then the grown columns are cut back to what they were.
  Status failure;
  for (Buffer &column : columns)
    if (failure.ok())
      failure = column.resize(count);
  if (failure.ok())
    failure = valueBuffer.resize(count);
  if (!failure.ok()) {
    for (Buffer &column : columns)
      if (Status restored = column.resize(std::min(column.count(), entryCount)); !restored.ok())
        return restored;
    return failure;
  }
  entryCount = count;
  return {};
}

Result<Coordinates> Coordinates::clone() const {
  std::vector<Buffer> copies;
  for (const Buffer &column : columns) {
    Result<Buffer> copy = column.clone();
    if (!copy)
      return copy.takeStatus();
    copies.push_back(std::move(*copy));
  }
  Result<Buffer> values = valueBuffer.clone();
  if (!values)
    return values.takeStatus();
  return assemble(extents, std::move(copies), std::move(*values));
}

Result<Storage> Coordinates::intoStorage(strata_type positionType) && {
  if (positionType != STRATA_I32 && positionType != STRATA_I64)
    return Error{Error::ElementType, std::string("positions of type ") + typeName(positionType),
                 "i32 or i64"};
  if (positionType == STRATA_I32 && entryCount > INT32_MAX)
    return Error{Error::IndexWidth,
                 counted(entryCount, "entry") + " are too many for positions of type i32"};
  std::vector<strata_type> types;
  if (order() > 0)
    types.push_back(positionType);
  for (int d = 0; d < order(); ++d)
    types.push_back(width);
  types.push_back(valueType());
  Storage storage(extents, types, valueBuffer.allocator());
  int64_t next = 0;
  if (order() > 0) {
    if (Status made = storage.allocate(next, 2); !made.ok())
      return made;
    void *positions = storage.buffer(next++).data;
    if (positionType == STRATA_I32) {
      static_cast<int32_t *>(positions)[0] = 0;
      static_cast<int32_t *>(positions)[1] = static_cast<int32_t>(entryCount);
    } else {
      static_cast<int64_t *>(positions)[0] = 0;
      static_cast<int64_t *>(positions)[1] = entryCount;
    }
  }
  for (Buffer &column : columns)
    if (Status moved = storage.put(next++, std::move(column)); !moved.ok())
      return moved;
  if (Status moved = storage.put(next, std::move(valueBuffer)); !moved.ok())
    return moved;
  *this = Coordinates();
  return storage;
}

Result<Coordinates> Coordinates::fromStorage(Storage &&storage) {
  const int64_t order = storage.order();
  const int64_t expected = order == 0 ? 1 : order + 2;
  if (storage.bufferCount() != expected)
    return Error{Error::InvalidStorage, "a storage of " + counted(storage.bufferCount(), "buffer"),
                 std::to_string(expected) + " for a list of coordinates"};
  if (order > 0) {
    const strata_buffer &positions = storage.buffer(0);
    const int64_t count = storage.values().count;
    const bool matches =
        positions.count == 2 &&
        (positions.type == STRATA_I32
             ? static_cast<int32_t *>(positions.data)[0] == 0 &&
                   static_cast<int32_t *>(positions.data)[1] == count
             : positions.type == STRATA_I64 && static_cast<int64_t *>(positions.data)[0] == 0 &&
                   static_cast<int64_t *>(positions.data)[1] == count);
    if (!matches)
      return Error{Error::InvalidStorage, "the positions of a list of coordinates are wrong",
                   "[0, " + std::to_string(count) + "]"};
  }
  std::vector<Buffer> columns;
  for (int64_t d = 0; d < order; ++d) {
    Result<Buffer> column = storage.take(d + 1);
    if (!column)
      return column.takeStatus();
    columns.push_back(std::move(*column));
  }
  Result<Buffer> values = storage.take(expected - 1);
  if (!values)
    return values.takeStatus();
  return assemble(storage.sizes(), std::move(columns), std::move(*values));
}

static bool isPermutation(std::span<const int> source, size_t count) {
  std::vector<int> sorted(source.begin(), source.end()), all(count);
  std::ranges::sort(sorted);
  std::iota(all.begin(), all.end(), 0);
  return sorted == all;
}

Status Coordinates::permute(std::span<const int> source) {
  if (!isPermutation(source, extents.size()))
    return internalError("dimensions are permuted by what is no permutation of them");
  std::vector<int64_t> sizes(extents.size());
  std::vector<Buffer> moved(extents.size());
  for (size_t d = 0; d < source.size(); ++d) {
    sizes[d] = extents[static_cast<size_t>(source[d])];
    moved[d] = std::move(columns[static_cast<size_t>(source[d])]);
  }
  extents = std::move(sizes);
  columns = std::move(moved);
  return {};
}

Status Coordinates::dropDimension(int dimension) {
  if (dimension < 0 || dimension >= order() || extents[static_cast<size_t>(dimension)] != 1)
    return internalError("a dimension is dropped that is none of size 1");
  extents.erase(extents.begin() + dimension);
  columns.erase(columns.begin() + dimension);
  return {};
}

Status Coordinates::keepTriangle(Triangle part) {
  if (part == Triangle::all)
    return {};
  if (order() != 2)
    return Error{Error::Order, "a tensor of order " + std::to_string(order()) + " has no triangles",
                 "a matrix"};
  const int64_t kept = withCoordinateType(width, [&]<typename C>(C *) {
    return withValueType(valueType(), [&]<typename V>(V *) {
      C *rows = column(0).as<C>(), *cols = column(1).as<C>();
      V *vals = valueBuffer.as<V>();
      int64_t next = 0;
      for (int64_t e = 0; e < entryCount; ++e) {
        const C row = rows[e], col = cols[e];
        const bool keep = (part == Triangle::strictlyLower && row > col) ||
                          (part == Triangle::lower && row >= col) ||
                          (part == Triangle::strictlyUpper && row < col) ||
                          (part == Triangle::upper && row <= col);
        rows[next] = row;
        cols[next] = col;
        vals[next] = vals[e];
        next += keep;
      }
      return next;
    });
  });
  return resize(kept);
}

} // namespace strata::runtime
