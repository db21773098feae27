// From arrays of levels to the buffers of a storage: read, checked, in the widths that it has.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/LevelBuffers.h"
#include "strata/runtime/Parallel.h"

#include <atomic>

namespace strata::runtime {
namespace {

/// Positions and coordinates that were read are not negative, whatever their width.
template <typename Body> auto withUnsigned(const Buffer &buffer, Body body) {
  return withIndexType(buffer.type(), [&]<typename T>(T *) {
    return body(reinterpret_cast<const std::make_unsigned_t<T> *>(buffer.as<T>()));
  });
}

/// Whether something holds of all numbers below `count`, asked on several threads.
template <typename Holds> bool holdsForAll(int64_t count, Holds holds) {
  std::atomic<bool> all = true;
  parallelFor(tbb::blocked_range<int64_t>(0, count), [&](const tbb::blocked_range<int64_t> &range) {
    for (int64_t at = range.begin(); at < range.end() && all; ++at)
      if (!holds(at))
        all = false;
  });
  return all;
}

class Adoption {
public:
  Adoption(const LevelArrays &arrays, std::span<const strata_type> types)
      : arrays(arrays), types(types) {}

  std::optional<std::vector<Buffer>> run() {
    Result<std::vector<int64_t>> counted = countPlaces(arrays);
    if (!counted || arrays.same)
      return std::nullopt;
    places = std::move(*counted);
    for (size_t level = 0, dimension = 0; level < arrays.levels.size(); ++level) {
      if (arrays.levels[level].sparse && !readLevel(level, dimension))
        return std::nullopt;
      dimension += static_cast<size_t>(arrays.levels[level].rank);
    }
    const strata_type type = types.back();
    Result<Buffer> values = readValues(arrays.values, !isIntegerType(type));
    if (!values || !convertValues(*values, type).ok())
      return std::nullopt;
    buffers.push_back(std::move(*values));
    return std::move(buffers);
  }

private:
  bool readLevel(size_t at, size_t dimension) {
    const ArrayLevel &level = arrays.levels[at];
    const size_t positions = buffers.size();
    if (!take(readPositions(level, places[at + 1])))
      return false;
    for (const FileArray &indices : level.indices)
      if (!take(readCoordinates(indices, nextType(), arrays.sizes[dimension++], arrays.base)))
        return false;
    return isOrdered(std::span(buffers).subspan(positions), places[at], places[at + 1]);
  }

  /// Where the entries of each place above begin, and the last ones end.
  Result<Buffer> readPositions(const ArrayLevel &level, int64_t entries) const {
    if (level.pointers)
      return readCoordinates(*level.pointers, nextType(), entries + 1, arrays.base);
    Result<Buffer> whole = Buffer::allocate(nextType(), 2);
    if (whole)
      withIndexType(nextType(), [&]<typename T>(T *) {
        whole->as<T>()[0] = 0;
        whole->as<T>()[1] = static_cast<T>(entries);
      });
    return whole;
  }

  /// Do positions begin and end where they should, and coordinates come in order, none twice?
  static bool isOrdered(std::span<const Buffer> level, int64_t parents, int64_t entries) {
    return withUnsigned(level[0], [&](const auto *positions) {
      if (positions[0] != 0 || static_cast<int64_t>(positions[parents]) != entries)
        return false;
      const int64_t block = 1 << 12; // of the one list of a root
      if (parents == 1)
        return holdsForAll((entries + block - 1) / block, [&](int64_t at) {
          return ascends(level.subspan(1), at * block, std::min(entries, (at + 1) * block + 1));
        });
      return holdsForAll(parents, [&](int64_t parent) {
        if (positions[parent] > positions[parent + 1])
          return false;
        return ascends(level.subspan(1), static_cast<int64_t>(positions[parent]),
                       static_cast<int64_t>(positions[parent + 1]));
      });
    });
  }
  /// Does each entry but the first follow the one before it?
  static bool ascends(std::span<const Buffer> columns, int64_t begin, int64_t end) {
    return withUnsigned(columns[0], [&](const auto *column) {
      if (columns.size() == 1) {
        bool falls = false; // a loop in vectors
        for (int64_t entry = begin + 1; entry < end; ++entry)
          falls |= column[entry - 1] >= column[entry];
        return !falls;
      }
      for (int64_t entry = begin + 1; entry < end; ++entry)
        if (column[entry - 1] > column[entry] ||
            (column[entry - 1] == column[entry] &&
             !ascends(columns.subspan(1), entry - 1, entry + 1)))
          return false;
      return true;
    });
  }

  strata_type nextType() const { return types[buffers.size()]; }
  bool take(Result<Buffer> buffer) {
    if (buffer)
      buffers.push_back(std::move(*buffer));
    return static_cast<bool>(buffer);
  }

  const LevelArrays &arrays;
  std::span<const strata_type> types;
  std::vector<int64_t> places;
  std::vector<Buffer> buffers;
};

} // namespace

std::optional<std::vector<Buffer>> buffersOf(const LevelArrays &arrays,
                                             std::span<const strata_type> types) {
  return Adoption(arrays, types).run();
}

} // namespace strata::runtime
