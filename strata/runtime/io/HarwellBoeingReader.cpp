// The lists of Harwell-Boeing files: assembled columns, and elements.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Counted.h"
#include "strata/runtime/io/HarwellBoeing.h"

#include "strata/runtime/storage/GrowingBuffer.h"

#include <algorithm>

namespace strata::runtime {
namespace {

/// One reading of a file.
class BoeingReading {
public:
  BoeingReading(const InputFile &file, const TensorFileOptions &options)
      : reader(file), options(options) {}

  Result<TensorFileContent> read() {
    Result<HarwellBoeingFacts> header = readHarwellBoeingHeader(reader);
    if (!header)
      return header.takeStatus();
    facts = std::move(*header);
    if (Status pointers = readPointers(); !pointers.ok())
      return pointers;
    if (Status indices = readIndices(); !indices.ok())
      return indices;
    if (Status counted = countPlaces(); !counted.ok())
      return counted;
    Result<Coordinates> list = readValues();
    if (!list)
      return list.takeStatus();
    if (Status rest = checkEnd(); !rest.ok())
      return rest;
    if (Status finished = finish(*list); !finished.ok())
      return finished;
    return TensorFileContent{
        .list = std::move(*list), .header = "type " + facts.type, .entriesInFile = facts.indices};
  }

private:
  //===----------------------------------------------------------------------------------------===//
  // The lists of integers
  //===----------------------------------------------------------------------------------------===//

  /// Pointers count from 1 and do not decrease; the last one is behind the indices.
  Status readPointers() {
    FortranReader list(reader, facts.pointerFormat, "pointer");
    GrowingBuffer<int64_t> numbers;
    auto ascend = [&](int64_t added) {
      const int64_t begin = numbers.count() - added;
      for (int64_t at = begin; at < numbers.count(); ++at) {
        const int64_t least = at == 0 ? 1 : at == begin ? numbers[at - 1] + 1 : numbers[at - 1];
        if (numbers[at] < least || numbers[at] - 1 > facts.indices || (at == 0 && numbers[at] != 1))
          return false;
      }
      if (numbers.count() == facts.columns + 1 && numbers[facts.columns] - 1 != facts.indices)
        return false;
      numbers.transform(added, [](int64_t pointer) { return pointer - 1; });
      return true;
    };
    if (Status fine = list.readPlainBlocks(facts.columns + 1, numbers, ascend); !fine.ok())
      return fine;
    int64_t last = numbers.count() > 0 ? numbers[numbers.count() - 1] + 1 : 1;
    for (int64_t at = numbers.count(); at <= facts.columns; ++at) {
      int64_t pointer = 0;
      if (Status fine = list.readInteger(at + 1, pointer); !fine.ok())
        return fine;
      if (at == 0 && pointer != 1)
        return list.refuse(1, "1");
      if (pointer < last || pointer - 1 > facts.indices)
        return list.refuse(at + 1, "an integer from " + std::to_string(last) + " to " +
                                       std::to_string(facts.indices + 1));
      if (at == facts.columns && pointer - 1 != facts.indices)
        return list.refuse(at + 1,
                           std::to_string(facts.indices) + " + 1, as there are so many entries");
      last = pointer;
      numbers.push(pointer - 1);
    }
    if (Status fine = list.finish(); !fine.ok())
      return fine;
    return keep(numbers, pointers);
  }

  Status readIndices() {
    FortranReader list(reader, facts.indexFormat, "index");
    GrowingBuffer<int64_t> numbers(facts.indices);
    auto belong = [&](int64_t added) {
      bool fine = true;
      numbers.transform(added, [&](int64_t index) {
        fine &= index >= 1 && index <= facts.rows;
        return index - 1;
      });
      return fine;
    };
    if (Status fine = list.readPlainBlocks(facts.indices, numbers, belong); !fine.ok())
      return fine;
    for (int64_t at = numbers.count(); at < facts.indices; ++at) {
      int64_t index = 0;
      if (Status fine = list.readInteger(at + 1, index); !fine.ok())
        return fine;
      if (index < 1 || index > facts.rows)
        return list.refuse(at + 1, "an integer from 1 to " + std::to_string(facts.rows));
      numbers.push(index - 1);
    }
    if (Status fine = list.finish(); !fine.ok())
      return fine;
    return keep(numbers, indices);
  }

  static Status keep(GrowingBuffer<int64_t> &numbers, Buffer &buffer) {
    Result<Buffer> taken = numbers.take();
    if (!taken)
      return taken.takeStatus();
    buffer = std::move(*taken);
    return {};
  }

  //===----------------------------------------------------------------------------------------===//
  // Where the values belong
  //===----------------------------------------------------------------------------------------===//

  int64_t pointer(int64_t at) const { return pointers.as<int64_t>()[at]; }
  int64_t index(int64_t at) const { return indices.as<int64_t>()[at]; }

  Status countPlaces() {
    if (!facts.elemental) {
      count = facts.indices;
      return {};
    }
    for (int64_t element = 0; element < facts.columns; ++element) {
      const int64_t n = pointer(element + 1) - pointer(element);
      int64_t places;
      if (__builtin_mul_overflow(n, triangles() ? n + 1 : n, &places) ||
          __builtin_add_overflow(count, triangles() ? places / 2 : places, &count))
        return reader.errorAt(3, Error::Header,
                              "the elements have more values than 64 bits can count");
    }
    if (facts.field != HarwellBoeingFacts::Field::pattern) {
      if (facts.elementValues != count)
        return reader.errorAt(3, Error::Count,
                              counted(facts.elementValues, "value") + " of elements",
                              std::to_string(count) + ", as the sizes of the elements say");
      return {};
    }
    // A few indices can stand for any number of places, which nothing else in the file bears out.
    const int64_t most = 4096 * facts.indices;
    if (count > most)
      return reader.errorAt(
          3, Error::Inconsistent, "the elements have " + std::to_string(count) + " places",
          "at most " + std::to_string(most) + ", 4096 for each of their variables");
    return {};
  }

  bool triangles() const { return facts.symmetry != Symmetry::general; }

  /// Calls `body(row, column)` for each stored place, in the order of the values. An element's
  /// matrix lies column by column; of a symmetric one the lower triangle.
  template <typename Body> Status forEachPlace(Body body) const {
    for (int64_t column = 0; column < facts.columns; ++column) {
      const int64_t begin = pointer(column), end = pointer(column + 1);
      for (int64_t j = begin; j < end; ++j) {
        if (!facts.elemental) {
          if (Status fine = body(index(j), column); !fine.ok())
            return fine;
          continue;
        }
        for (int64_t i = triangles() ? j : begin; i < end; ++i)
          if (Status fine = body(index(i), index(j)); !fine.ok())
            return fine;
      }
    }
    return {};
  }

  //===----------------------------------------------------------------------------------------===//
  // The values
  //===----------------------------------------------------------------------------------------===//

  std::vector<int64_t> sizes() const {
    return {facts.rows, facts.elemental ? facts.rows : facts.columns};
  }

  Result<Coordinates> readValues() {
    FortranReader numbers(reader, facts.valueFormat, "value");
    if (Status fine = readPlainValues(numbers); !fine.ok())
      return fine;
    Result<Coordinates> list = readValues(numbers);
    if (list)
      if (Status fine = numbers.finish(); !fine.ok())
        return fine;
    return list;
  }

  /// The real numbers that stand in lines as the header says; mostly all.
  Status readPlainValues(FortranReader &numbers) {
    if (facts.field != HarwellBoeingFacts::Field::real &&
        facts.field != HarwellBoeingFacts::Field::complex)
      return {};
    const int64_t each = facts.field == HarwellBoeingFacts::Field::complex ? 2 : 1;
    int64_t wanted;
    if (__builtin_mul_overflow(count, each, &wanted))
      return {};
    return numbers.readPlainBlocks(wanted, plainValues, [](int64_t) { return true; });
  }

  /// The number of this index (from 0), which comes after those read before.
  Status readReal(FortranReader &numbers, int64_t at, double &value) {
    if (at >= plainValues.count())
      return numbers.readReal(at + 1, value);
    value = plainValues[at];
    return {};
  }

  Result<Coordinates> readValues(FortranReader &numbers) {
    switch (facts.field) {
    case HarwellBoeingFacts::Field::pattern:
      return readEach<bool>([&](int64_t, bool &value) {
        value = true;
        return Status();
      });
    case HarwellBoeingFacts::Field::real:
      return readEach<double>(
          [&](int64_t at, double &value) { return readReal(numbers, at, value); });
    case HarwellBoeingFacts::Field::integer:
      return readIntegers(numbers);
    case HarwellBoeingFacts::Field::complex:
      return readEach<std::complex<double>>([&](int64_t at, std::complex<double> &value) {
        double real = 0, imaginary = 0;
        if (Status fine = readReal(numbers, 2 * at, real); !fine.ok())
          return fine;
        if (Status fine = readReal(numbers, 2 * at + 1, imaginary); !fine.ok())
          return fine;
        value = {real, imaginary};
        return Status();
      });
    }
    return Coordinates();
  }

  /// Integers of 64 bits, which are all without a sign if one needs that.
  Result<Coordinates> readIntegers(FortranReader &numbers) {
    bool negative = false, large = false;
    Result<Coordinates> list = readEach<int64_t>([&](int64_t at, int64_t &value) {
      uint64_t natural = 0;
      if (Status fine = numbers.readInteger(at + 1, value, natural); !fine.ok())
        return fine;
      const bool beyond = natural > INT64_MAX;
      if (beyond ? negative : value < 0 && large)
        return Status(numbers.refuse(at + 1, "integers that one type of 64 bits holds"));
      negative |= !beyond && value < 0;
      large |= beyond;
      if (beyond)
        value = static_cast<int64_t>(natural);
      return Status();
    });
    if (!list || !large)
      return list;
    strata_allocator allocator = list->values().allocator();
    strata_buffer same = list->values().giveUp();
    same.type = STRATA_U64;
    Result<Buffer> naturals = Buffer::take(same, allocator);
    if (!naturals)
      return naturals.takeStatus();
    list->values() = std::move(*naturals);
    return list;
  }

  template <typename V, typename Read> Result<Coordinates> readEach(Read readOne) {
    return withCoordinateType(coordinateTypeFor(sizes()),
                              [&]<typename C>(C *) { return readEntries<C, V>(readOne); });
  }

  template <typename C, typename V, typename Read> Result<Coordinates> readEntries(Read readOne) {
    GrowingBuffer<C> rows(count), columns(count);
    GrowingBuffer<V> values(count);
    Status all = forEachPlace([&](int64_t row, int64_t column) {
      V value = {};
      if (Status fine = readOne(values.count(), value); !fine.ok())
        return fine;
      rows.push(static_cast<C>(row));
      columns.push(static_cast<C>(column));
      values.push(value);
      if (options.progress && values.count() % (1 << 20) == 0)
        options.progress(reader.share());
      return Status();
    });
    if (!all.ok())
      return all;
    std::vector<Buffer> places;
    for (GrowingBuffer<C> *column : {&rows, &columns}) {
      Result<Buffer> taken = column->take();
      if (!taken)
        return taken.takeStatus();
      places.push_back(std::move(*taken));
    }
    Result<Buffer> taken = values.take();
    if (!taken)
      return taken.takeStatus();
    return Coordinates::assemble(sizes(), std::move(places), std::move(*taken));
  }

  /// Nothing but right-hand sides may follow.
  Status checkEnd() {
    if (facts.hasRightHandSides)
      return {};
    Result<std::optional<TextLine>> line = reader.nextLine(0);
    if (!line)
      return line.takeStatus();
    if (*line)
      return reader.errorAt((*line)->number, Error::Count, "more lines than the header announces",
                            "the end of the file");
    return {};
  }

  Status finish(Coordinates &list) {
    if (std::optional<Asymmetry> bad = findAsymmetry(list, facts.symmetry))
      return reader.errorAt(0, Error::Symmetry,
                            bad->message + " (entry " + std::to_string(bad->entry + 1) + ")",
                            bad->expected);
    if (Status expanded = expandSymmetry(list, facts.symmetry); !expanded.ok())
      return expanded;
    // A place of a pattern is there or not, however many elements have it.
    if (facts.elemental && facts.field == HarwellBoeingFacts::Field::pattern) {
      Result<int64_t> duplicates = list.sumDuplicates();
      if (!duplicates)
        return duplicates.takeStatus();
      std::fill_n(list.values().as<bool>(), list.count(), true);
    }
    if (!options.valueType)
      return {};
    return list.convertValues(*options.valueType);
  }

  TextReader reader;
  const TensorFileOptions &options;
  HarwellBoeingFacts facts;
  Buffer pointers, indices;
  GrowingBuffer<double> plainValues;
  int64_t count = 0; ///< entries as stored
};

} // namespace

Result<TensorFileContent> readHarwellBoeing(const InputFile &file,
                                            const TensorFileOptions &options) {
  return BoeingReading(file, options).read();
}

} // namespace strata::runtime
