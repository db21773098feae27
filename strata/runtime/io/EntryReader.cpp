// The parallel reader of entry lines: counts, allocates, then parses every chunk into its place.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/EntryReader.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <tbb/parallel_for.h>

namespace strata::runtime {
namespace {

strata_type storedType(ValueText value) {
  switch (value) {
  case ValueText::none:
  case ValueText::real:
  case ValueText::integer:
    return STRATA_F64;
  case ValueText::strictInteger32:
  case ValueText::integer32:
    return STRATA_I32;
  case ValueText::strictInteger64:
  case ValueText::integer64:
    return STRATA_I64;
  case ValueText::complex:
    return STRATA_C128;
  }
  return STRATA_F64;
}

/// Reads one value that is written as `text`; false if it is not one.
template <ValueText text, typename V> bool readValue(const char *&p, V &value) {
  if constexpr (text == ValueText::none) {
    value = 1;
    return true;
  } else if constexpr (text == ValueText::real) {
    return readReal(p, value) == NumberFault::none;
  } else if constexpr (text == ValueText::integer) {
    return readIntegerAsReal(p, value) == NumberFault::none;
  } else if constexpr (text == ValueText::complex) {
    double real, imaginary;
    if (readReal(p, real) != NumberFault::none || !isBlank(*p))
      return false;
    p = skipBlanks(p);
    if (readReal(p, imaginary) != NumberFault::none)
      return false;
    value = {real, imaginary};
    return true;
  } else {
    constexpr bool strict =
        text == ValueText::strictInteger32 || text == ValueText::strictInteger64;
    int64_t wide;
    if ((strict ? readInteger(p, wide) : readWholeNumber(p, wide)) != NumberFault::none)
      return false;
    value = static_cast<V>(wide);
    return value == wide;
  }
}

/// Where the numbers of entries go. A coordinate may be at most `limits`.
template <typename C, typename V> struct Target {
  std::array<C *, maximumOrder> columns;
  std::array<uint64_t, maximumOrder> limits;
  V *values;
  int order;
};

/// Reads the lines of a chunk; the cursor stands at the first line that is no entry, if any.
template <ValueText text, typename C, typename V>
bool readChunk(const TextChunk &chunk, const Target<C, V> &target, LineCursor &cursor) {
  for (int64_t entry = chunk.firstEntry; cursor.next(); ++entry) {
    const char *p = skipBlanks(cursor.line());
    for (int d = 0; d < target.order; ++d) {
      uint64_t coordinate;
      if (readNatural(p, coordinate) != NumberFault::none) [[unlikely]]
        return false;
      // 0 becomes the largest number.
      if (coordinate - 1 >= target.limits[static_cast<size_t>(d)]) [[unlikely]]
        return false;
      target.columns[static_cast<size_t>(d)][entry] = static_cast<C>(coordinate - 1);
      // What follows a coordinate is a blank; behind the last of a pattern, also the line's end.
      if (isBlank(*p)) [[likely]]
        p = skipBlanks(p);
      else if (text != ValueText::none || d + 1 < target.order)
        return false;
    }
    if (!readValue<text>(p, target.values[entry]) || !cursor.finish(p)) [[unlikely]]
      return false;
  }
  return true;
}

/// Adds up what was read and tells the caller, one thread at a time.
class ProgressReport {
public:
  ProgressReport(const Progress &tell, int64_t total) : tell(tell), total(total) {}
  void add(int64_t bytes) {
    if (!tell)
      return;
    std::lock_guard lock(mutex);
    done += bytes;
    tell(static_cast<double>(done) / static_cast<double>(total));
  }

private:
  const Progress &tell;
  std::mutex mutex;
  int64_t done = 0, total;
};

/// One reading of a file.
class EntryReading {
public:
  EntryReading(const InputFile &file, const EntryShape &shape, const Progress &progress,
               const std::vector<TextChunk> &chunks)
      : file(file), shape(shape), chunks(chunks),
        report(progress, chunks.empty() ? 1 : chunks.back().end - chunks.front().begin) {}

  int64_t entries() const {
    return chunks.empty() ? 0 : chunks.back().firstEntry + chunks.back().entries;
  }

  /// Reads with coordinates of type C; nothing if they turn out to be too narrow.
  template <typename C> std::optional<Result<Coordinates>> read() {
    std::vector<int64_t> sizes = shape.sizes;
    if (sizes.empty())
      sizes.assign(static_cast<size_t>(shape.order), std::numeric_limits<C>::max());
    Result<Coordinates> list =
        Coordinates::create(sizes, typeOf<C>(), storedType(shape.value), entries());
    if (!list)
      return std::move(list);
    switch (shape.value) {
    case ValueText::none:
      return parse<ValueText::none, C, double>(std::move(*list));
    case ValueText::real:
      return parse<ValueText::real, C, double>(std::move(*list));
    case ValueText::integer:
      return parse<ValueText::integer, C, double>(std::move(*list));
    case ValueText::strictInteger32:
      return parse<ValueText::strictInteger32, C, int32_t>(std::move(*list));
    case ValueText::strictInteger64:
      return parse<ValueText::strictInteger64, C, int64_t>(std::move(*list));
    case ValueText::integer32:
      return parse<ValueText::integer32, C, int32_t>(std::move(*list));
    case ValueText::integer64:
      return parse<ValueText::integer64, C, int64_t>(std::move(*list));
    case ValueText::complex:
      return parse<ValueText::complex, C, std::complex<double>>(std::move(*list));
    }
    return std::nullopt;
  }

private:
  template <ValueText text, typename C, typename V>
  std::optional<Result<Coordinates>> parse(Coordinates list) {
    Target<C, V> target;
    target.order = shape.order;
    target.values = list.values().as<V>();
    for (int d = 0; d < shape.order; ++d) {
      target.columns[static_cast<size_t>(d)] = list.column(d).as<C>();
      target.limits[static_cast<size_t>(d)] =
          static_cast<uint64_t>(list.sizes()[static_cast<size_t>(d)]);
    }
    constexpr size_t none = SIZE_MAX;
    std::atomic<size_t> firstBad = none;
    std::vector<LineCursor> stops(chunks.size(),
                                  LineCursor(nullptr, nullptr, file.lineEnd(), shape.comment, 1));
    tbb::parallel_for(size_t{0}, chunks.size(), [&](size_t i) {
      if (i > firstBad.load(std::memory_order_relaxed))
        return;
      const TextChunk &chunk = chunks[i];
      LineCursor cursor(chunk.begin, chunk.end, file.lineEnd(), shape.comment, chunk.firstLine);
      if (!readChunk<text>(chunk, target, cursor)) {
        stops[i] = cursor;
        size_t bad = firstBad.load();
        while (i < bad && !firstBad.compare_exchange_weak(bad, i)) {
        }
      }
      report.add(chunk.end - chunk.begin);
    });
    if (firstBad == none)
      return Result<Coordinates>(std::move(list));
    const LineCursor &stop = stops[firstBad];
    if (auto error = explainEntry(file, stop.line(), stop.lineNumber(), shape))
      return Result<Coordinates>(std::move(*error));
    if (shape.sizes.empty() && sizeof(C) == sizeof(int32_t))
      return std::nullopt;
    return Result<Coordinates>(file.errorAt(stop.lineNumber(), "this line cannot be read"));
  }

  const InputFile &file;
  const EntryShape &shape;
  const std::vector<TextChunk> &chunks;
  ProgressReport report;
};

/// Replaces the provisional sizes by the largest coordinates.
Result<Coordinates> findSizes(Coordinates list, const std::vector<TextChunk> &chunks) {
  std::vector<int64_t> sizes;
  for (int d = 0; d < list.order(); ++d) {
    std::vector<int64_t> largest(chunks.size(), 0);
    withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
      const C *column = list.column(d).as<C>();
      tbb::parallel_for(size_t{0}, chunks.size(), [&](size_t i) {
        C most = -1;
        for (int64_t e = chunks[i].firstEntry; e < chunks[i].firstEntry + chunks[i].entries; ++e)
          most = std::max(most, column[e]);
        largest[i] = int64_t{most} + 1;
      });
    });
    sizes.push_back(largest.empty() ? 0 : std::ranges::max(largest));
  }
  std::vector<Buffer> columns;
  for (int d = 0; d < list.order(); ++d)
    columns.push_back(std::move(list.column(d)));
  return Coordinates::assemble(std::move(sizes), std::move(columns), std::move(list.values()));
}

/// The error of a file with `found` entries, or nothing if that is right.
std::optional<Error> checkCount(const InputFile &file, const std::vector<TextChunk> &chunks,
                                const EntryShape &shape, int64_t found) {
  if (!shape.count || *shape.count == found)
    return std::nullopt;
  const std::string entries = shape.order == 0 ? " values" : " entries";
  const std::string expected = std::to_string(*shape.count) + entries + ", as " + shape.countSource;
  if (found < *shape.count)
    return file.errorAt(lastLine(file), "the file ends after " + std::to_string(found) + entries,
                        expected);
  return file.errorAt(lineOfEntry(file, chunks, *shape.count, shape.comment),
                      "there are more than " + std::to_string(*shape.count) + entries + " (" +
                          std::to_string(found) + " in all)",
                      expected);
}

} // namespace

Result<EntriesRead> readEntries(const InputFile &file, const char *begin, int64_t firstLine,
                                const EntryShape &shape, const Progress &progress) {
  assert(shape.order <= maximumOrder && "callers refuse tensors of a higher order");
  EntriesRead result;
  result.chunks = cutIntoChunks(file, begin, firstLine, shape.comment);
  EntryReading reading(file, shape, progress, result.chunks);
  const std::optional<Error> miscount = checkCount(file, result.chunks, shape, reading.entries());
  const bool narrow = shape.sizes.empty() || coordinateTypeFor(shape.sizes) == STRATA_I32;
  std::optional<Result<Coordinates>> list;
  if (narrow)
    list = reading.read<int32_t>();
  if (!list)
    list = reading.read<int64_t>();
  Result<Coordinates> &read = *list;
  // Of two errors, the one that comes first in the file is shown.
  if (miscount && (read.ok() || read.error().line == 0 || read.error().line > miscount->line))
    return *miscount;
  if (!read)
    return read.takeStatus();
  if (shape.sizes.empty() && shape.order > 0) {
    Result<Coordinates> sized = findSizes(std::move(*read), result.chunks);
    if (!sized)
      return sized.takeStatus();
    result.list = std::move(*sized);
  } else {
    result.list = std::move(*read);
  }
  if (progress)
    progress(1);
  return result;
}

} // namespace strata::runtime
