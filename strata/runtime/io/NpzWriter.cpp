// Writing `.npz` archives as SciPy and PyData read them.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Npy.h"
#include "strata/runtime/io/Npz.h"
#include "strata/runtime/io/Zip.h"

namespace strata::runtime {
namespace {

std::string_view bytesOf(const FileArray &array) {
  return {array.data, static_cast<size_t>(array.count * array.elementBytes)};
}

/// An archive under way; the first failure stays.
class NpzWriter {
public:
  explicit NpzWriter(ZipWriter archive) : archive(std::move(archive)) {}

  void add(const std::string &name, const FileArray &array) {
    addPieces(name, npyHeader(array.type, array.sizes), {{bytesOf(array)}});
  }
  void addText(const std::string &name, std::string_view text) {
    addPieces(name, npyText(text), {});
  }
  void addIntegers(const std::string &name, const std::vector<int64_t> &numbers) {
    const int64_t count[] = {static_cast<int64_t>(numbers.size())};
    addPieces(name, npyHeader(FileType::int64, count),
              {{{reinterpret_cast<const char *>(numbers.data()), numbers.size() * 8}}});
  }
  void addPieces(const std::string &name, const std::string &header,
                 std::vector<std::string_view> pieces) {
    pieces.insert(pieces.begin(), header);
    if (outcome.ok())
      outcome = archive.add(name + ".npy", pieces);
  }
  /// Positions, as signed numbers of at least 32 bits: what SciPy has.
  void addPositions(const std::string &name, const FileArray &array, int64_t last) {
    const bool fits = array.elementBytes == 8 || (array.elementBytes == 4 && last <= INT32_MAX);
    if (fits) {
      FileArray copy = array;
      copy.type = array.elementBytes == 8 ? FileType::int64 : FileType::int32;
      return add(name, copy);
    }
    Result<std::vector<int64_t>> numbers = readIntegers(array);
    if (numbers)
      addIntegers(name, *numbers);
    else if (outcome.ok())
      outcome = numbers.takeStatus();
  }
  Status commit() { return outcome.ok() ? archive.commit() : std::move(outcome); }

private:
  ZipWriter archive;
  Status outcome;
};

} // namespace

Status writeNpzGroup(const std::string &path, const std::string &name, const ArrayGroup &group) {
  Result<ZipWriter> archive = ZipWriter::create(path);
  if (!archive)
    return archive.takeStatus();
  NpzWriter writer(std::move(*archive));
  for (const FileArray &array : group.arrays) {
    FileArray parts = array;
    if (isComplexType(array.type)) {
      parts.type = array.type == FileType::complex64 ? FileType::float32 : FileType::float64;
      parts.count *= 2;
      parts.elementBytes /= 2;
    } else if (array.type == FileType::boolean) {
      parts.type = FileType::uint8;
    }
    parts.sizes = {parts.count};
    writer.add(array.name, parts);
  }
  writer.addText(name, group.text);
  return writer.commit();
}

Status writeNpz(const std::string &path, const Coordinates &list) {
  if (list.order() == 0)
    return Error{Error::NotInSuchFiles, "a scalar is not a sparse tensor", "at least one dimension",
                 path, 0};
  // PyData's COO is sorted, and no place is there twice.
  if (list.order() != 2 && !list.isStrictlySorted()) {
    Result<Coordinates> sorted = list.clone();
    if (!sorted)
      return sorted.takeStatus();
    if (Result<int64_t> summed = sorted->sumDuplicates(); !summed)
      return summed.takeStatus();
    return writeNpz(path, *sorted);
  }
  Result<FileArray> values = arrayOf(list.values());
  if (!values)
    return values.takeStatus();
  std::vector<FileArray> columns;
  for (int d = 0; d < list.order(); ++d) {
    Result<FileArray> column = arrayOf(list.column(d));
    if (!column)
      return column.takeStatus();
    columns.push_back(std::move(*column));
  }
  Result<ZipWriter> archive = ZipWriter::create(path);
  if (!archive)
    return archive.takeStatus();
  NpzWriter writer(std::move(*archive));
  if (list.order() == 2) {
    writer.add("row", columns[0]);
    writer.add("col", columns[1]);
  } else {
    std::vector<std::string_view> rows;
    for (const FileArray &column : columns)
      rows.push_back(bytesOf(column));
    const int64_t sizes[] = {list.order(), list.count()};
    writer.addPieces("coords", npyHeader(columns[0].type, sizes), rows);
    const std::string zero(static_cast<size_t>(strata_type_bytes(list.valueType())), '\0');
    writer.addPieces("fill_value", npyHeader(values->type, {}), {{zero}});
    // SciPy's matrices have two dimensions, its arrays have any number.
    writer.addPieces("_is_array", npyHeader(FileType::boolean, {}), {{"\1"}});
  }
  writer.addText("format", "coo");
  writer.addIntegers("shape", list.sizes());
  writer.add("data", *values);
  return writer.commit();
}

std::optional<Status> writeNpz(const std::string &path, const LevelArrays &arrays) {
  const std::vector<ArrayLevel> &levels = arrays.levels;
  const bool byRows = arrays.dimensions != std::vector{1, 0};
  if (arrays.sizes.size() != 2 || !levels.back().sparse || arrays.same || arrays.base != 0)
    return std::nullopt;
  const bool list = levels.size() == 1, compressed = levels.size() == 2 && !levels[0].sparse;
  if (!list && !compressed)
    return std::nullopt;
  Result<ZipWriter> archive = ZipWriter::create(path);
  if (!archive)
    return archive.takeStatus();
  NpzWriter writer(std::move(*archive));
  if (list) {
    writer.add("row", levels[0].indices[byRows ? 0 : 1]);
    writer.add("col", levels[0].indices[byRows ? 1 : 0]);
  } else {
    writer.add("indices", levels[1].indices[0]);
    writer.addPositions("indptr", *levels[1].pointers, arrays.values.count);
  }
  writer.addText("format", list ? "coo" : byRows ? "csr" : "csc");
  writer.addIntegers("shape",
                     byRows ? arrays.sizes : std::vector{arrays.sizes[1], arrays.sizes[0]});
  writer.add("data", arrays.values);
  return writer.commit();
}

} // namespace strata::runtime
