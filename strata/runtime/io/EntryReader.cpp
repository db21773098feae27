// The parallel reader of entry lines: block by block it counts, makes room, then parses every chunk
// into its place.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/EntryReader.h"
#include "strata/runtime/InternalError.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/Parallel.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace strata::runtime {
namespace {

strata_type storedType(ValueText value) {
  switch (value) {
  case ValueText::none:
    return STRATA_BOOL;
  case ValueText::real:
  case ValueText::integer:
    return STRATA_F64;
  case ValueText::strictInteger32:
  case ValueText::integer32:
    return STRATA_I32;
  case ValueText::strictInteger64:
  case ValueText::integer64:
    return STRATA_I64;
  case ValueText::natural64:
    return STRATA_U64;
  case ValueText::complex:
    return STRATA_C128;
  }
  return STRATA_F64;
}

/// Reads one value that is written as `text`, before `end`; false if it is not one.
template <ValueText text, typename V> bool readValue(const char *&p, V &value, const char *end) {
  if constexpr (text == ValueText::none) {
    value = true;
    return true;
  } else if constexpr (text == ValueText::real) {
    return readReal(p, value, end) == NumberFault::none;
  } else if constexpr (text == ValueText::integer) {
    return readIntegerAsReal(p, value, end) == NumberFault::none;
  } else if constexpr (text == ValueText::natural64) {
    return readWholeNatural(p, value, end) == NumberFault::none;
  } else if constexpr (text == ValueText::complex) {
    double real, imaginary;
    if (readReal(p, real, end) != NumberFault::none || !isBlank(*p))
      return false;
    p = skipBlanks(p);
    if (readReal(p, imaginary, end) != NumberFault::none)
      return false;
    value = {real, imaginary};
    return true;
  } else {
    constexpr bool strict =
        text == ValueText::strictInteger32 || text == ValueText::strictInteger64;
    int64_t wide;
    if ((strict ? readInteger(p, wide, end) : readWholeNumber(p, wide, end)) != NumberFault::none)
      return false;
    value = static_cast<V>(wide);
    return value == wide;
  }
}

/// Where the numbers of entries go. Coordinates counted from 0 are below `limits`.
template <typename C, typename V> struct Target {
  std::array<C *, maximumOrder> columns;
  std::array<uint64_t, maximumOrder> limits;
  V *values;
  int order;
  uint64_t base;
};

/// Reads the lines of a chunk; the cursor stands at the first line that is no entry, if any.
template <ValueText text, typename C, typename V>
bool readChunk(const TextChunk &chunk, const Target<C, V> &target, LineCursor &cursor) {
  for (int64_t entry = chunk.firstEntry; cursor.next(); ++entry) {
    const char *p = skipBlanks(cursor.lineBegin());
    for (int d = 0; d < target.order; ++d) {
      uint64_t coordinate;
      if (readNatural(p, coordinate, chunk.end) != NumberFault::none) [[unlikely]]
        return false;
      // What lies below the base becomes the largest number.
      coordinate -= target.base;
      if (coordinate >= target.limits[static_cast<size_t>(d)]) [[unlikely]]
        return false;
      target.columns[static_cast<size_t>(d)][entry] = static_cast<C>(coordinate);
      // What follows a coordinate is a blank; behind the last of a pattern, also the line's end.
      if (isBlank(*p)) [[likely]]
        p = skipBlanks(p);
      else if (text != ValueText::none || d + 1 < target.order)
        return false;
    }
    bool isValue;
    [[clang::always_inline]] isValue = readValue<text>(p, target.values[entry], chunk.end);
    if (!isValue || !cursor.finish(p)) [[unlikely]]
      return false;
  }
  return true;
}

/// One reading of a file.
class EntryReading {
public:
  EntryReading(TextReader &reader, const EntryShape &shape, const Progress &progress,
               std::optional<TextPart> part)
      : reader(reader), shape(shape), progress(progress), part(part) {
    if (shape.count)
      wanted = *shape.count - (part ? part->firstEntry : 0);
  }

  Result<EntriesRead> read() {
    if (Status begun = begin(); !begun.ok())
      return begun;
    for (;;) {
      Result<bool> present = reader.more();
      if (!present)
        return present.takeStatus();
      if (!*present)
        break;
      Status outcome;
      reader.workOnBlock([&] { outcome = readBlock(); });
      if (!outcome.ok())
        return outcome;
      if (excessLine > 0)
        return tooMany();
      if (progress)
        progress(reader.share());
    }
    if (Status enough = checkEnough(); !enough.ok())
      return enough;
    if (Status trimmed = list.resize(found); !trimmed.ok())
      return trimmed;
    if (progress)
      progress(1);
    return EntriesRead{std::move(list), std::move(lines), part};
  }

private:
  /// Of parts, the last one knows.
  Status checkEnough() const {
    const bool isLast = !part || part->firstEntry + found == part->allEntries;
    if (!shape.count || !isLast || found >= wanted)
      return {};
    return reader.errorAtEnd(Error::Count,
                             "the file ends after " + entries(part ? part->allEntries : found),
                             expectedCount());
  }

  Status begin() {
    std::vector<int64_t> sizes = shape.sizes;
    std::ranges::replace(sizes, unknownSize, int64_t{INT32_MAX});
    const strata_type width = coordinateTypeFor(sizes);
    Result<Coordinates> made =
        Coordinates::create(std::move(sizes), width, storedType(shape.value), 0);
    if (!made)
      return made.takeStatus();
    list = std::move(*made);
    return {};
  }

  /// Makes room for `total` entries, and for those that the rest of the file is likely to have.
  /// Capacity that is not used yet takes no memory.
  Status reserve(int64_t total) {
    if (total <= list.count())
      return {};
    const double share = reader.share();
    const int64_t all = share > 0 ? static_cast<int64_t>(1.01 * static_cast<double>(total) / share)
                                  : 2 * list.count();
    const int64_t likely = std::min(wanted, all);
    if (likely > total)
      if (Status grown = list.resize(likely); grown.ok())
        return grown;
    return list.resize(total);
  }

  Status readBlock() {
    const int64_t before = found;
    const std::vector<TextChunk> chunks = cutIntoChunks(reader, shape.comment, before, lines);
    if (chunks.empty())
      return {};
    found = chunks.back().firstEntry + chunks.back().entries;
    // What stands behind the last entry of another part is that part's to say.
    if (found > wanted && wanted >= 0)
      excessLine = lines.lineOf(wanted);
    if (Status room = reserve(found); !room.ok())
      return room;
    std::optional<TextLine> bad = parseAll(chunks);
    if (!bad)
      return {};
    if (excessLine > 0 && excessLine <= bad->number)
      return {};
    if (auto error = explainEntry(reader.file(), *bad, shape))
      return *error;
    // Nothing is wrong but the width of the coordinates.
    if (!shape.finds() || list.coordinateType() != STRATA_I32)
      return internalError("an entry without a fault was not read");
    if (Status widened = list.convertCoordinates(STRATA_I64); !widened.ok())
      return widened;
    bad = parseAll(chunks);
    if (!bad)
      return {};
    if (auto error = explainEntry(reader.file(), *bad, shape))
      return *error;
    return reader.errorAt(bad->number, Error::Entry, "this line cannot be read");
  }

  /// Parses all chunks; the first line that is no entry, if any.
  std::optional<TextLine> parseAll(const std::vector<TextChunk> &chunks) {
    return withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
      switch (shape.value) {
      case ValueText::none:
        return parse<ValueText::none, C, bool>(chunks);
      case ValueText::real:
        return parse<ValueText::real, C, double>(chunks);
      case ValueText::integer:
        return parse<ValueText::integer, C, double>(chunks);
      case ValueText::strictInteger32:
        return parse<ValueText::strictInteger32, C, int32_t>(chunks);
      case ValueText::strictInteger64:
        return parse<ValueText::strictInteger64, C, int64_t>(chunks);
      case ValueText::integer32:
        return parse<ValueText::integer32, C, int32_t>(chunks);
      case ValueText::integer64:
        return parse<ValueText::integer64, C, int64_t>(chunks);
      case ValueText::natural64:
        return parse<ValueText::natural64, C, uint64_t>(chunks);
      case ValueText::complex:
        return parse<ValueText::complex, C, std::complex<double>>(chunks);
      }
      return std::optional<TextLine>();
    });
  }

  template <ValueText text, typename C, typename V>
  std::optional<TextLine> parse(const std::vector<TextChunk> &chunks) {
    Target<C, V> target;
    target.order = shape.order;
    target.base = static_cast<uint64_t>(shape.base);
    target.values = list.values().as<V>();
    for (int d = 0; d < shape.order; ++d) {
      const auto at = static_cast<size_t>(d);
      target.columns[at] = list.column(d).as<C>();
      target.limits[at] = shape.sizes[at] == unknownSize ? uint64_t{std::numeric_limits<C>::max()}
                                                         : static_cast<uint64_t>(shape.sizes[at]);
    }
    constexpr size_t none = SIZE_MAX;
    std::atomic<size_t> firstBad = none;
    std::vector<TextLine> stops(chunks.size());
    parallelFor(size_t{0}, chunks.size(), [&](size_t i) {
      if (i > firstBad.load(std::memory_order_relaxed))
        return;
      const TextChunk &chunk = chunks[i];
      LineCursor cursor(chunk.begin, chunk.end, reader.lineEnd(), shape.comment, chunk.firstLine);
      if (readChunk<text>(chunk, target, cursor))
        return;
      stops[i] = cursor.line();
      size_t bad = firstBad.load();
      while (i < bad && !firstBad.compare_exchange_weak(bad, i)) {
      }
    });
    return firstBad == none ? std::nullopt : std::optional(stops[firstBad]);
  }

  std::string entries(int64_t count) const {
    return counted(count, shape.order == 0 ? "value" : "entry");
  }
  std::string expectedCount() const { return entries(*shape.count) + ", as " + shape.countSource; }

  /// Counts the rest, if that comes to an end.
  Error tooMany() {
    std::string all;
    if (part) {
      all = " (" + std::to_string(part->allEntries) + " in all)";
    } else if (reader.file().isMapped()) {
      for (Result<bool> present = reader.more(); present && *present; present = reader.more()) {
        LineMap unused;
        for (const TextChunk &chunk : cutIntoChunks(reader, shape.comment, found, unused))
          found += chunk.entries;
      }
      all = " (" + std::to_string(found) + " in all)";
    }
    return reader.errorAt(excessLine, Error::Count,
                          "there are more than " + entries(*shape.count) + all, expectedCount());
  }

  TextReader &reader;
  const EntryShape &shape;
  const Progress &progress;
  std::optional<TextPart> part;
  int64_t wanted = INT64_MAX; ///< how many entries there may be from here on
  Coordinates list;
  LineMap lines;
  int64_t found = 0;
  int64_t excessLine = 0; ///< of the first entry that is too many
};

/// Puts the largest coordinates in place of sizes that are unknown.
void findSizes(const Coordinates &list, std::vector<int64_t> &sizes) {
  for (int d = 0; d < list.order(); ++d) {
    int64_t &size = sizes[static_cast<size_t>(d)];
    if (size != unknownSize)
      continue;
    withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
      const C *column = list.column(d).as<C>();
      using Part = tbb::blocked_range<int64_t>;
      const C largest = parallelReduce(
          Part(0, list.count(), 1 << 16), C(-1),
          [&](const Part &range, C most) {
            for (int64_t e = range.begin(); e < range.end(); ++e)
              most = std::max(most, column[e]);
            return most;
          },
          [](C a, C b) { return std::max(a, b); });
      size = int64_t{largest} + 1;
    });
  }
}

/// The largest sizes that ranks have found, and the widest coordinates, of what each has read.
Status agreeOnSizes(Coordinates &list, std::vector<int64_t> &sizes, const FileRanks &ranks) {
  std::vector<int64_t> words = sizes;
  words.push_back(list.coordinateType() == STRATA_I64);
  Result<std::vector<int64_t>> all = ranks.gather(words);
  if (!all)
    return all.takeStatus();
  for (size_t at = 0; at < all->size(); ++at)
    words[at % words.size()] = std::max(words[at % words.size()], (*all)[at]);
  std::copy_n(words.begin(), sizes.size(), sizes.begin());
  return words.back() != 0 && list.coordinateType() != STRATA_I64
             ? list.convertCoordinates(STRATA_I64)
             : Status();
}

/// The same list of a tensor of these sizes.
Result<Coordinates> withSizes(Coordinates list, std::vector<int64_t> sizes) {
  std::vector<Buffer> columns;
  for (int d = 0; d < list.order(); ++d)
    columns.push_back(std::move(list.column(d)));
  return Coordinates::assemble(std::move(sizes), std::move(columns), std::move(list.values()));
}

} // namespace

Status convertEntries(Coordinates &list, strata_type type, const LineMap &lines, int64_t first) {
  Status converted = list.convertValues(type);
  if (converted.ok())
    return converted;
  if (const int64_t entry = firstInexpressible(list.values(), type); entry >= 0)
    converted.error().line = lines.lineOf(first + entry);
  return converted;
}

Result<EntriesRead> readEntries(TextReader &reader, const EntryShape &shape,
                                const Progress &progress, const FileRanks *ranks) {
  if (shape.order > maximumOrder || shape.sizes.size() != static_cast<size_t>(shape.order))
    return internalError("entries of order " + std::to_string(shape.order) + " with " +
                         std::to_string(shape.sizes.size()) + " sizes");
  std::optional<TextPart> part;
  if (ranks) {
    Result<std::optional<TextPart>> taken = takePart(reader, shape.comment, fewEntries, *ranks);
    if (!taken)
      return taken.takeStatus();
    part = *taken;
  }
  Result<EntriesRead> result = EntryReading(reader, shape, progress, part).read();
  if (!result || !(part || shape.finds()))
    return result;
  std::vector<int64_t> sizes = shape.sizes;
  findSizes(result->list, sizes);
  if (part)
    if (Status agreed = agreeOnSizes(result->list, sizes, *ranks); !agreed.ok())
      return agreed;
  if (!shape.finds())
    return result;
  Result<Coordinates> sized = withSizes(std::move(result->list), std::move(sizes));
  if (!sized)
    return sized.takeStatus();
  result->list = std::move(*sized);
  return result;
}

} // namespace strata::runtime
