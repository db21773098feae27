// The entries of Matrix Market files: coordinates and arrays, and the mirror images of symmetric
// matrices.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/MatrixMarket.h"

#include <algorithm>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace strata::runtime {
namespace {

using Facts = MatrixMarketFacts;

ValueText valueTextFor(Facts::Field field, std::optional<strata_type> type) {
  const bool narrow = type == STRATA_I32, integer = narrow || type == STRATA_I64;
  switch (field) {
  case Facts::Field::pattern:
    return ValueText::none;
  case Facts::Field::complex:
    return ValueText::complex;
  case Facts::Field::integer:
    return narrow    ? ValueText::strictInteger32
           : integer ? ValueText::strictInteger64
                     : ValueText::integer;
  case Facts::Field::real:
    return narrow ? ValueText::integer32 : integer ? ValueText::integer64 : ValueText::real;
  }
  return ValueText::real;
}

/// Gives the values of an array, which are stored column by column, their coordinates.
template <typename C>
void fillGeneralCoordinates(Coordinates &list, const std::vector<int64_t> &sizes) {
  tbb::parallel_for(tbb::blocked_range<int64_t>(0, list.count(), 1 << 16),
                    [&](const tbb::blocked_range<int64_t> &range) {
                      int64_t stride = 1;
                      for (size_t d = 0; d < sizes.size(); stride *= sizes[d++]) {
                        C *column = list.column(static_cast<int>(d)).as<C>();
                        int64_t at = range.begin() / stride % sizes[d],
                                left = stride - range.begin() % stride;
                        for (int64_t e = range.begin(); e < range.end(); ++e) {
                          column[e] = static_cast<C>(at);
                          if (--left == 0) {
                            left = stride;
                            at = at + 1 == sizes[d] ? 0 : at + 1;
                          }
                        }
                      }
                    });
}

/// The same for the lower triangle of an n x n matrix, with the diagonal or without.
template <typename C> void fillTriangleCoordinates(Coordinates &list, int64_t n, bool diagonal) {
  C *rows = list.column(0).as<C>(), *columns = list.column(1).as<C>();
  int64_t e = 0;
  for (int64_t column = 0; column < n; ++column)
    for (int64_t row = column + !diagonal; row < n; ++row, ++e) {
      rows[e] = static_cast<C>(row);
      columns[e] = static_cast<C>(column);
    }
}

/// Makes a list of the values of an array.
Result<Coordinates> arrangeArray(Coordinates values, const Facts &facts) {
  std::vector<Buffer> columns;
  for (size_t d = 0; d < facts.sizes.size(); ++d) {
    Result<Buffer> column = Buffer::allocate(coordinateTypeFor(facts.sizes), values.count());
    if (!column)
      return column.takeStatus();
    columns.push_back(std::move(*column));
  }
  Result<Coordinates> list =
      Coordinates::assemble(facts.sizes, std::move(columns), std::move(values.values()));
  if (list)
    withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
      if (facts.symmetry == Facts::Symmetry::general)
        fillGeneralCoordinates<C>(*list, facts.sizes);
      else
        fillTriangleCoordinates<C>(*list, facts.sizes[0],
                                   facts.symmetry != Facts::Symmetry::skewSymmetric);
    });
  return list;
}

template <typename V> bool fitsDiagonal(Facts::Symmetry symmetry, const V &value) {
  if constexpr (std::is_same_v<V, std::complex<double>>)
    if (symmetry == Facts::Symmetry::hermitian)
      return value.imag() == 0;
  return symmetry != Facts::Symmetry::skewSymmetric || value == V(0);
}

/// What the entry at the mirrored place holds; false if its type has no such value.
template <typename V> bool mirror(Facts::Symmetry symmetry, const V &value, V &image) {
  image = value;
  if (symmetry == Facts::Symmetry::skewSymmetric) {
    if constexpr (std::is_integral_v<V>)
      return !__builtin_sub_overflow(V(0), value, &image);
    else
      image = -value;
  }
  if constexpr (std::is_same_v<V, std::complex<double>>)
    if (symmetry == Facts::Symmetry::hermitian)
      image = std::conj(value);
  return true;
}

/// The first entry that contradicts the symmetry, or -1; counts the entries off the diagonal.
template <typename C, typename V>
int64_t checkSymmetry(const Coordinates &list, Facts::Symmetry symmetry, int64_t &images) {
  const C *rows = list.column(0).as<C>(), *columns = list.column(1).as<C>();
  const V *values = list.values().as<V>();
  images = 0;
  for (int64_t e = 0; e < list.count(); ++e) {
    V image;
    if (rows[e] != columns[e])
      ++images;
    if (rows[e] == columns[e] ? !fitsDiagonal(symmetry, values[e])
                              : !mirror(symmetry, values[e], image))
      return e;
  }
  return -1;
}

template <typename C, typename V>
void appendImages(Coordinates &list, Facts::Symmetry symmetry, int64_t stored) {
  C *rows = list.column(0).as<C>(), *columns = list.column(1).as<C>();
  V *values = list.values().as<V>();
  int64_t next = stored;
  for (int64_t e = 0; e < stored; ++e) {
    if (rows[e] == columns[e])
      continue;
    rows[next] = columns[e];
    columns[next] = rows[e];
    mirror(symmetry, values[e], values[next]);
    ++next;
  }
}

Error contradiction(const InputFile &file, const EntriesRead &read, const Coordinates &list,
                    Facts::Symmetry symmetry, int64_t entry) {
  const int64_t line = read.lines.lineOf(entry);
  if (list.coordinate(0, entry) != list.coordinate(1, entry))
    return file.errorAt(line, std::string("the negative of this entry does not fit the type ") +
                                  typeName(list.valueType()));
  if (symmetry == Facts::Symmetry::hermitian)
    return file.errorAt(line, "an entry on the diagonal has an imaginary part",
                        "0, as the matrix is 'hermitian'");
  return file.errorAt(line, "an entry on the diagonal is not 0",
                      "0 or no entry, as the matrix is 'skew-symmetric'");
}

/// Checks what the symmetry demands of the entries and, if asked to, adds the mirror images.
Status applySymmetry(const InputFile &file, const EntriesRead &read, Coordinates &list,
                     Facts::Symmetry symmetry, bool expand) {
  if (symmetry == Facts::Symmetry::general)
    return {};
  return withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
    return withValueType(list.valueType(), [&]<typename V>(V *) -> Status {
      const int64_t stored = list.count();
      int64_t images;
      if (int64_t bad = checkSymmetry<C, V>(list, symmetry, images); bad >= 0)
        return contradiction(file, read, list, symmetry, bad);
      if (!expand)
        return {};
      if (Status grown = list.resize(stored + images); !grown.ok())
        return grown;
      appendImages<C, V>(list, symmetry, stored);
      return {};
    });
  });
}

std::string whyFor(Facts::Field field) {
  switch (field) {
  case Facts::Field::real:
    return "";
  case Facts::Field::integer:
    return "in a file of field 'integer'";
  case Facts::Field::complex:
    return "in a file of field 'complex'";
  case Facts::Field::pattern:
    return "in a file of field 'pattern'";
  }
  return "";
}

} // namespace

Result<MatrixMarketContent> readMatrixMarket(const InputFile &file,
                                             const MatrixMarketOptions &options) {
  TextReader reader(file);
  Result<MatrixMarketHeader> header = readMatrixMarketHeader(reader);
  if (!header)
    return header.takeStatus();
  const Facts &facts = header->facts;
  const bool array = facts.layout == Facts::Layout::array;
  EntryShape shape{.order = array ? 0 : static_cast<int>(facts.sizes.size()),
                   .value = valueTextFor(facts.field, options.valueType),
                   .comment = '%'};
  if (!array)
    shape.sizes = facts.sizes;
  shape.count = header->entryCount;
  shape.countSource = "the sizes in line " + std::to_string(header->sizeLine) + " say";
  shape.why = whyFor(facts.field);
  Result<EntriesRead> read = readEntries(reader, shape, options.progress);
  if (!read)
    return read.takeStatus();
  Coordinates list = std::move(read->list);
  if (array) {
    Result<Coordinates> arranged = arrangeArray(std::move(list), facts);
    if (!arranged)
      return arranged.takeStatus();
    list = std::move(*arranged);
  }
  if (Status fine = applySymmetry(file, *read, list, facts.symmetry, options.expandSymmetry);
      !fine.ok())
    return fine;
  if (options.valueType)
    if (Status converted = list.convertValues(*options.valueType); !converted.ok()) {
      converted.error().file = file.name();
      return converted;
    }
  return MatrixMarketContent{std::move(list), facts};
}

Result<MatrixMarketContent> readMatrixMarket(const std::string &path,
                                             const MatrixMarketOptions &options) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.takeStatus();
  return readMatrixMarket(*file, options);
}

} // namespace strata::runtime
