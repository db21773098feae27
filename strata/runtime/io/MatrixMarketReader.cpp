// The entries of Matrix Market files: coordinates and arrays, and the mirror images of symmetric
// matrices.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Parallel.h"
#include "strata/runtime/io/MatrixMarket.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace strata::runtime {
namespace {

ValueText valueTextFor(MatrixMarketFacts::Field field, std::optional<strata_type> wanted) {
  const strata_type type = wanted.value_or(naturalType(field));
  if (type == STRATA_U64 &&
      (field == MatrixMarketFacts::Field::integer || field == MatrixMarketFacts::Field::real))
    return ValueText::natural64;
  // Narrower integers are read as 32 bits, then converted.
  const bool integer = isIntegerType(type);
  const bool narrow = integer && type != STRATA_U32 && type != STRATA_I64;
  switch (field) {
  case MatrixMarketFacts::Field::pattern:
    return ValueText::none;
  case MatrixMarketFacts::Field::complex:
    return ValueText::complex;
  case MatrixMarketFacts::Field::integer:
    return narrow    ? ValueText::strictInteger32
           : integer ? ValueText::strictInteger64
                     : ValueText::integer;
  case MatrixMarketFacts::Field::natural:
    return ValueText::natural64;
  case MatrixMarketFacts::Field::real:
    return narrow ? ValueText::integer32 : integer ? ValueText::integer64 : ValueText::real;
  }
  return ValueText::real;
}

/// Gives the values of an array, which are stored column by column, their coordinates.
template <typename C>
void fillGeneralCoordinates(Coordinates &list, const std::vector<int64_t> &sizes) {
  parallelFor(tbb::blocked_range<int64_t>(0, list.count(), 1 << 16),
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
Result<Coordinates> arrangeArray(Coordinates values, const MatrixMarketFacts &facts) {
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
      if (facts.symmetry == Symmetry::general)
        fillGeneralCoordinates<C>(*list, facts.sizes);
      else
        fillTriangleCoordinates<C>(*list, facts.sizes[0],
                                   facts.symmetry != Symmetry::skewSymmetric);
    });
  return list;
}

/// Fails at the first entry above the diagonal: only the lower triangle is to be stored.
Status checkTriangle(const InputFile &file, const EntriesRead &read, const Coordinates &list) {
  for (int64_t e = 0; e < list.count(); ++e)
    if (list.coordinate(0, e) < list.coordinate(1, e))
      return file.errorAt(read.lines.lineOf(e), Error::Symmetry,
                          "row " + std::to_string(list.coordinate(0, e) + 1) + ", column " +
                              std::to_string(list.coordinate(1, e) + 1) +
                              " lies above the diagonal",
                          "the lower triangle only, as the matrix is symmetric");
  return {};
}

/// Checks what the symmetry demands of the entries. What other readers take all the same becomes a
/// remark, unless promises are checked.
Status checkSymmetry(const InputFile &file, const EntriesRead &read, const Coordinates &list,
                     const MatrixMarketFacts &facts, bool promises, std::string &remark) {
  if (facts.symmetry == Symmetry::hermitian && facts.field != MatrixMarketFacts::Field::complex) {
    if (promises)
      return file.errorAt(1, Error::Header, "only a matrix of field 'complex' can be 'hermitian'",
                          "'symmetric'");
    remark = file.name() + ":1: a real matrix is called hermitian; it is read as symmetric";
  }
  std::optional<Asymmetry> bad = findAsymmetry(list, facts.symmetry);
  if (!bad)
    return {};
  std::optional<Asymmetry> outside =
      promises ? bad : findAsymmetry(list, facts.symmetry, AsymmetryScope::offDiagonal);
  if (outside)
    return file.errorAt(read.lines.lineOf(outside->entry), Error::Symmetry, outside->message,
                        outside->expected);
  remark = file.name() + ":" + std::to_string(read.lines.lineOf(bad->entry)) + ": " + bad->message +
           "; expected " + bad->expected + ". It is read as it is";
  return {};
}

/// What to say where integers of the file may have been rounded to the floating-point type of the
/// list; empty if none was.
std::string roundingRemark(const InputFile &file, const EntriesRead &read, const Coordinates &list,
                           MatrixMarketFacts::Field field) {
  const strata_type type = list.valueType();
  if ((field != MatrixMarketFacts::Field::integer && field != MatrixMarketFacts::Field::natural) ||
      isIntegerType(type))
    return "";
  const int digits = type == STRATA_F64 || type == STRATA_C128  ? 53
                     : type == STRATA_F32 || type == STRATA_C64 ? 24
                     : type == STRATA_F16                       ? 11
                                                                : 8;
  const double limit = std::ldexp(1.0, digits);
  const int64_t entry = withValueType(type, [&]<typename V>(V *) {
    const V *values = list.values().as<V>();
    return std::find_if(values, values + list.count(),
                        [limit](const V &value) {
                          if constexpr (isComplexNumber<V>)
                            return std::abs(static_cast<double>(value.real())) >= limit;
                          else
                            return std::abs(static_cast<double>(value)) >= limit;
                        }) -
           values;
  });
  if (entry == list.count())
    return "";
  return file.name() + ":" + std::to_string(read.lines.lineOf(entry)) + ": integers from 2^" +
         std::to_string(digits) + " on are rounded where the type " + typeName(type) +
         " of the tensor does not hold them; " +
         (field == MatrixMarketFacts::Field::integer ? "int64" : "uint64") + " keeps them";
}

/// Tells whether the ranks, of which each has such a list, must read the whole file after all. What
/// is doubtful is said as one reader says it; and where entries stand in both triangles, those of
/// other parts come between an entry and the mirror image at its place.
Result<bool> mustReadAll(const Coordinates &list, Symmetry symmetry, bool isRounded,
                         const FileRanks &ranks) {
  bool below = false, above = false;
  if (symmetry != Symmetry::general)
    withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
      const C *rows = list.column(0).as<C>(), *columns = list.column(1).as<C>();
      for (int64_t e = 0; e < list.count(); ++e) {
        below |= rows[e] > columns[e];
        above |= rows[e] < columns[e];
      }
    });
  const bool isDoubtful = isRounded || findAsymmetry(list, symmetry);
  const std::array<int64_t, 3> own = {isDoubtful, below, above};
  Result<std::vector<int64_t>> all = ranks.gather(own);
  if (!all)
    return all.takeStatus();
  std::array<bool, 3> any = {};
  for (size_t at = 0; at < all->size(); ++at)
    any[at % any.size()] |= (*all)[at] != 0;
  return any[0] || (any[1] && any[2]);
}

std::string whyFor(MatrixMarketFacts::Field field) {
  switch (field) {
  case MatrixMarketFacts::Field::real:
    return "";
  case MatrixMarketFacts::Field::integer:
    return "in a file of field 'integer'";
  case MatrixMarketFacts::Field::natural:
    return "in a file of field 'unsigned-integer'";
  case MatrixMarketFacts::Field::complex:
    return "in a file of field 'complex'";
  case MatrixMarketFacts::Field::pattern:
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
  const MatrixMarketFacts &facts = header->facts;
  const bool array = facts.layout == MatrixMarketFacts::Layout::array;
  EntryShape shape{.order = array ? 0 : static_cast<int>(facts.sizes.size()),
                   .value = valueTextFor(facts.field, options.valueType),
                   .comment = '%',
                   .wanted = options.valueType};
  if (!array)
    shape.sizes = facts.sizes;
  shape.count = header->entryCount;
  shape.countSource = "the sizes in line " + std::to_string(header->sizeLine) + " say";
  shape.why = whyFor(facts.field);
  const FileRanks *ranks = array || options.checkPromises ? nullptr : options.ranks;
  Result<EntriesRead> read = readEntries(reader, shape, options.progress, ranks);
  if (!read)
    return read.takeStatus();
  Coordinates list = std::move(read->list);
  if (options.valueType)
    if (Status converted = convertEntries(list, *options.valueType, read->lines); !converted.ok())
      return file.about(std::move(converted));
  std::string rounding = roundingRemark(file, *read, list, facts.field);
  if (read->part) {
    Result<bool> all = mustReadAll(list, facts.symmetry, !rounding.empty(), *ranks);
    if (!all)
      return all.takeStatus();
    if (*all) {
      MatrixMarketOptions alone = options;
      alone.ranks = nullptr;
      return readMatrixMarket(file, alone);
    }
  }
  if (array) {
    Result<Coordinates> arranged = arrangeArray(std::move(list), facts);
    if (!arranged)
      return arranged.takeStatus();
    list = std::move(*arranged);
  }
  if (options.checkPromises && facts.symmetry != Symmetry::general)
    if (Status fine = checkTriangle(file, *read, list); !fine.ok())
      return fine;
  std::string remark;
  if (Status fine = checkSymmetry(file, *read, list, facts, options.checkPromises, remark);
      !fine.ok())
    return fine;
  if (options.expandSymmetry)
    if (Status done = expandSymmetry(list, facts.symmetry); !done.ok())
      return done;
  if (remark.empty())
    remark = std::move(rounding);
  return MatrixMarketContent{std::move(list), facts, std::move(remark), read->part.has_value()};
}

Result<MatrixMarketContent> readMatrixMarket(const std::string &path,
                                             const MatrixMarketOptions &options) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.takeStatus();
  return readMatrixMarket(*file, options);
}

} // namespace strata::runtime
