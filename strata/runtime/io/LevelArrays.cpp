// From arrays of levels to coordinates: first all counts, then all entries.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/LevelArrays.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/Parallel.h"

#include <algorithm>

namespace strata::runtime {
namespace {

Error wrongCount(const FileArray &array, int64_t expected) {
  return {Error::Count, "'" + array.name + "' has " + counted(array.count, "element"),
          std::to_string(expected)};
}

class PlaceCount {
public:
  explicit PlaceCount(const LevelArrays &arrays) : arrays(arrays) {}

  Result<std::vector<int64_t>> run() {
    for (int64_t size : arrays.sizes)
      if (size < 0)
        return Error{Error::Size, "a dimension of size " + std::to_string(size), "0 or more"};
    size_t next = 0;
    for (const ArrayLevel &level : arrays.levels) {
      const std::span<const int64_t> sizes(arrays.sizes.data() + next,
                                           static_cast<size_t>(level.rank));
      next += static_cast<size_t>(level.rank);
      const Status fine = level.sparse ? countSparse(level) : countDense(sizes);
      if (!fine.ok())
        return Error(fine.error());
    }
    if (!arrays.same && arrays.values.count != places.back())
      return wrongCount(arrays.values, places.back());
    if (arrays.same && arrays.values.count != 1)
      return wrongCount(arrays.values, 1);
    if (arrays.same && places.back() > std::max<int64_t>(16 * arrays.fileBytes, 1 << 16))
      return Error{Error::Inconsistent,
                   "one value stands for " + std::to_string(places.back()) + " places",
                   "a number in proportion to the size of the file"};
    return std::move(places);
  }

private:
  Status countDense(std::span<const int64_t> sizes) {
    std::vector<int64_t> factors(sizes.begin(), sizes.end());
    factors.push_back(places.back());
    const std::optional<int64_t> product = productOf(factors);
    if (!product || *product == INT64_MAX) // where each begins is one number more
      return Error{Error::IndexWidth,
                   "the sizes of a dense level have a product that does not fit 63 bits"};
    places.push_back(*product);
    return {};
  }

  Status countSparse(const ArrayLevel &level) {
    for (const FileArray &indices : level.indices)
      if (indices.count != level.indices.front().count)
        return wrongCount(indices, level.indices.front().count);
    if (level.pointers && level.pointers->count - 1 != places.back())
      return wrongCount(*level.pointers, places.back() + 1);
    places.push_back(level.indices.front().count);
    return {};
  }

  const LevelArrays &arrays;
  std::vector<int64_t> places{1};
};

/// Walks the levels from the root, with the coordinates of each place of the level reached.
class LevelExpansion {
public:
  LevelExpansion(const LevelArrays &arrays, const LevelArraysOptions &options)
      : arrays(arrays), options(options), width(coordinateTypeFor(arrays.sizes)) {}

  Result<Coordinates> run() {
    Result<std::vector<int64_t>> counted = countPlaces(arrays);
    if (!counted)
      return counted.takeStatus();
    places = std::move(*counted);
    size_t next = 0;
    for (const ArrayLevel &level : arrays.levels) {
      firstDimension.push_back(next);
      next += static_cast<size_t>(level.rank);
    }
    for (size_t level = 0; level < arrays.levels.size(); ++level)
      if (Status done = arrays.levels[level].sparse ? expandSparse(level) : expandDense(level);
          !done.ok())
        return done;
    Result<Buffer> values = readValues(arrays.values, options.floating);
    if (!values)
      return values.takeStatus();
    if (arrays.same)
      if (Status repeated = repeat(*values); !repeated.ok())
        return repeated;
    return Coordinates::assemble(arrays.sizes, std::move(columns), std::move(*values));
  }

private:
  /// Each place becomes one for each coordinate.
  Status expandDense(size_t at) {
    const ArrayLevel &level = arrays.levels[at];
    const int64_t inner = std::max<int64_t>(places[at + 1] / std::max<int64_t>(places[at], 1), 1);
    if (places[at + 1] != places[at])
      for (Buffer &column : columns)
        if (Status done = gather(column, places[at + 1], [inner](int64_t q) { return q / inner; });
            !done.ok())
          return done;
    int64_t stride = inner;
    for (int r = 0; r < level.rank; ++r) {
      const int64_t size = arrays.sizes[firstDimension[at] + static_cast<size_t>(r)];
      stride /= std::max<int64_t>(size, 1);
      Result<Buffer> column = Buffer::allocate(width, places[at + 1]);
      if (!column)
        return column.takeStatus();
      fill(*column, [stride, size](int64_t q) { return q / stride % size; });
      columns.push_back(std::move(*column));
    }
    return {};
  }

  Status expandSparse(size_t at) {
    const ArrayLevel &level = arrays.levels[at];
    std::vector<int64_t> pointers{0, places[at + 1]};
    if (level.pointers) {
      Result<std::vector<int64_t>> read = readPointers(*level.pointers, places[at + 1]);
      if (!read)
        return read.takeStatus();
      pointers = std::move(*read);
      if (!columns.empty())
        if (Status done = spread(pointers, places[at + 1]); !done.ok())
          return done;
    }
    const size_t first = columns.size();
    for (int r = 0; r < level.rank; ++r) {
      const size_t dimension = firstDimension[at] + static_cast<size_t>(r);
      Result<Buffer> column = readCoordinates(level.indices[static_cast<size_t>(r)], width,
                                              arrays.sizes[dimension], arrays.base);
      if (!column)
        return column.takeStatus();
      columns.push_back(std::move(*column));
    }
    if (options.checkPromises)
      return checkPromises(level, pointers, first);
    return {};
  }

  /// Pointers must begin at the base, ascend, and end at the number of entries.
  Result<std::vector<int64_t>> readPointers(const FileArray &array, int64_t entries) const {
    Result<std::vector<int64_t>> read = readIntegers(array);
    if (!read)
      return read;
    int64_t before = arrays.base;
    for (size_t p = 0; p < read->size(); ++p) {
      int64_t &pointer = (*read)[p];
      const auto element = static_cast<int64_t>(p);
      if (p == 0 && pointer != arrays.base)
        return badElement(array, element, pointer, std::to_string(arrays.base));
      if (pointer < before)
        return badElement(array, element, pointer,
                          "at least " + std::to_string(before) + ", the pointer before it");
      before = pointer;
      pointer -= arrays.base;
    }
    if (read->back() != entries)
      return badElement(array, static_cast<int64_t>(read->size()) - 1, before,
                        std::to_string(entries + arrays.base) + ", the end of the indices");
    return read;
  }

  /// Each place above becomes as many as its pointers say.
  Status spread(const std::vector<int64_t> &pointers, int64_t entries) {
    for (Buffer &column : columns) {
      Result<Buffer> wide = Buffer::allocate(width, entries);
      if (!wide)
        return wide.takeStatus();
      withCoordinateType(width, [&]<typename C>(C *) {
        const C *from = column.as<C>();
        C *to = wide->as<C>();
        parallelFor(tbb::blocked_range<size_t>(0, pointers.size() - 1, 1 << 12),
                    [&](const tbb::blocked_range<size_t> &range) {
                      for (size_t p = range.begin(); p < range.end(); ++p)
                        std::fill(to + pointers[p], to + pointers[p + 1], from[p]);
                    });
      });
      column = std::move(*wide);
    }
    return {};
  }

  template <typename At> void fill(Buffer &column, At at) const {
    withCoordinateType(width, [&]<typename C>(C *) {
      C *out = column.as<C>();
      parallelFor(tbb::blocked_range<int64_t>(0, column.count(), 1 << 15),
                  [&](const tbb::blocked_range<int64_t> &range) {
                    for (int64_t q = range.begin(); q < range.end(); ++q)
                      out[q] = static_cast<C>(at(q));
                  });
    });
  }

  template <typename Source> Status gather(Buffer &column, int64_t count, Source source) const {
    Result<Buffer> wide = Buffer::allocate(width, count);
    if (!wide)
      return wide.takeStatus();
    withCoordinateType(width, [&]<typename C>(C *) {
      const C *from = column.as<C>();
      fill(*wide, [&](int64_t q) { return from[source(q)]; });
    });
    column = std::move(*wide);
    return {};
  }

  /// The shared value, once for each place.
  Status repeat(Buffer &values) const {
    if (Status grown = values.resize(places.back()); !grown.ok())
      return grown;
    const auto bytes = static_cast<size_t>(strata_type_bytes(values.type()));
    char *data = static_cast<char *>(values.data());
    for (int64_t e = 1; e < places.back(); ++e)
      std::memcpy(data + static_cast<size_t>(e) * bytes, data, bytes);
    return {};
  }

  /// The order and the uniqueness of the coordinates below each place.
  Status checkPromises(const ArrayLevel &level, const std::vector<int64_t> &pointers,
                       size_t first) const {
    if (!level.sorted && !level.unique)
      return {};
    return withCoordinateType(width, [&]<typename C>(C *) -> Status {
      for (size_t p = 0; p + 1 < pointers.size(); ++p)
        for (int64_t q = pointers[p] + 1; q < pointers[p + 1]; ++q) {
          int order = 0;
          for (size_t c = first; c < columns.size() && order == 0; ++c) {
            const C *column = columns[c].as<C>();
            order = column[q - 1] < column[q] ? -1 : column[q - 1] > column[q];
          }
          if (order > 0 && level.sorted)
            return brokenPromise(level, q, first, "lies before the one before it", "sorted");
          if (order == 0 && level.unique)
            return brokenPromise(level, q, first, "repeats the one before it", "different");
        }
      return {};
    });
  }

  Error brokenPromise(const ArrayLevel &level, int64_t entry, size_t first, const char *what,
                      const char *promise) const {
    std::string tuple;
    for (size_t c = first; c < columns.size(); ++c) {
      const int64_t index =
          width == STRATA_I32 ? columns[c].as<int32_t>()[entry] : columns[c].as<int64_t>()[entry];
      tuple += (c > first ? ", " : "") + std::to_string(index + arrays.base);
    }
    return {Error::Inconsistent,
            "element " + std::to_string(entry) + " of '" + level.indices.front().name + "' (" +
                tuple + ") " + what,
            std::string(promise) + " indices below each place"};
  }

  const LevelArrays &arrays;
  const LevelArraysOptions &options;
  const strata_type width;
  std::vector<int64_t> places; ///< above the root, then of each level
  std::vector<size_t> firstDimension;
  std::vector<Buffer> columns;
};

} // namespace

Result<std::vector<int64_t>> countPlaces(const LevelArrays &arrays) {
  return PlaceCount(arrays).run();
}

Result<Coordinates> coordinatesOf(const LevelArrays &arrays, const LevelArraysOptions &options) {
  Result<Coordinates> list = LevelExpansion(arrays, options).run();
  if (!list || arrays.dimensions.empty())
    return list;
  std::vector<int> source(arrays.dimensions.size());
  for (size_t level = 0; level < source.size(); ++level)
    source[static_cast<size_t>(arrays.dimensions[level])] = static_cast<int>(level);
  if (Status permuted = list->permute(source); !permuted.ok())
    return permuted;
  return list;
}

} // namespace strata::runtime
