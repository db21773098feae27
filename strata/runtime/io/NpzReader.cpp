// Reading `.npz` archives: which members there are decides what they mean.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Counted.h"
#include "strata/runtime/io/Binsparse.h"
#include "strata/runtime/io/EntryReader.h"
#include "strata/runtime/io/Npy.h"
#include "strata/runtime/io/Npz.h"
#include "strata/runtime/io/Zip.h"

#include <algorithm>
#include <numeric>

namespace strata::runtime {
namespace {

/// Keeps the entries whose value is not zero.
Status dropZeros(Coordinates &list) {
  const int64_t kept = withValueType(list.valueType(), [&]<typename V>(V *) {
    V *values = list.values().as<V>();
    int64_t next = 0;
    for (int64_t e = 0; e < list.count(); ++e) {
      if (values[e] == V(0))
        continue;
      values[next] = values[e];
      for (int d = 0; d < list.order(); ++d)
        withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
          C *column = list.column(d).as<C>();
          column[next] = column[e];
        });
      ++next;
    }
    return next;
  });
  return list.resize(kept);
}

/// New coordinates from old ones: `at(entry, dimension)` gives each.
template <typename At>
Result<Coordinates> recoordinate(Coordinates list, const std::vector<int64_t> &sizes, At at) {
  std::vector<Buffer> columns;
  const strata_type width = coordinateTypeFor(sizes);
  for (size_t d = 0; d < sizes.size(); ++d) {
    Result<Buffer> column = Buffer::allocate(width, list.count());
    if (!column)
      return column.takeStatus();
    withCoordinateType(width, [&]<typename C>(C *) {
      C *out = column->as<C>();
      for (int64_t e = 0; e < list.count(); ++e)
        out[e] = static_cast<C>(at(list, e, d));
    });
    columns.push_back(std::move(*column));
  }
  return Coordinates::assemble(sizes, std::move(columns), std::move(list.values()));
}

class NpzReader {
public:
  NpzReader(const InputFile &file, const TensorFileOptions &options)
      : file(file), options(options) {}

  /// Comes first.
  Status open() {
    Result<std::string_view> bytes = file.whole(looksLikeNpz);
    if (!bytes)
      return bytes.takeStatus();
    archive = *bytes;
    Result<std::vector<ZipMember>> directory = readZipDirectory(archive);
    if (!directory)
      return directory.takeStatus();
    members = std::move(*directory);
    return {};
  }

  Result<TensorFileContent> read() {
    if (find(binsparseName))
      return readBinsparseArrays();
    TensorFileContent content;
    Result<Coordinates> list = readList(content);
    if (!list)
      return list.takeStatus();
    content.taken = taken;
    content.fill = fill;
    if (taken)
      return content;
    if (options.valueType)
      if (Status converted = list->convertValues(*options.valueType); !converted.ok())
        return converted;
    content.list = std::move(*list);
    return content;
  }

  /// The type of the values, as the header of their array or the description says.
  std::optional<strata_type> valueType() const {
    if (find(binsparseName)) {
      Result<ArrayGroup> group = readGroup({});
      return group ? binsparseValueType(group->text) : std::nullopt;
    }
    const ZipMember *data = members.size() == 1 ? &members.front() : find("data");
    if (!data)
      return std::nullopt;
    Result<FileArray> array = parseNpyHeader(readZipHead(archive, *data, 4096), "data");
    return array ? std::optional(valueTypeFor(array->type)) : std::nullopt;
  }

private:
  /// The arrays that binsparse describes, and the description.
  Result<ArrayGroup> readGroup(std::span<const std::string_view> prefixes) const {
    Result<FileArray> text = array(binsparseName, 0);
    if (!text)
      return text.takeStatus();
    Result<std::string> description = readText(*text);
    if (!description)
      return description.takeStatus();
    ArrayGroup group{.text = std::move(*description)};
    for (const ZipMember &member : members) {
      std::string name = member.name.substr(0, member.name.rfind(".npy"));
      if (std::ranges::none_of(prefixes, [&](auto prefix) { return name.starts_with(prefix); }))
        continue;
      Result<FileArray> found = array(name, 1);
      if (!found)
        return found.takeStatus();
      group.arrays.push_back(std::move(*found));
    }
    return group;
  }

  Result<TensorFileContent> readBinsparseArrays() const {
    Result<ArrayGroup> group = readGroup(binsparsePrefixes);
    if (!group)
      return group.takeStatus();
    Result<TensorFileContent> content =
        readBinsparse(std::move(*group), static_cast<int64_t>(archive.size()), options);
    if (content)
      content->header = "binsparse's " + content->header;
    return content;
  }

  const ZipMember *find(const std::string &name) const {
    auto found = std::ranges::find_if(
        members, [&](const ZipMember &m) { return m.name == name + ".npy" || m.name == name; });
    return found == members.end() ? nullptr : &*found;
  }

  Result<FileArray> array(const std::string &name) const {
    const ZipMember *member = find(name);
    if (!member)
      return Error{Error::MissingPart, "the archive has no array '" + name + "'",
                   "what scipy.sparse.save_npz or sparse.save_npz writes"};
    Result<ZipContent> content = readZipMember(archive, *member);
    if (!content)
      return content.takeStatus();
    Result<FileArray> parsed = parseNpy(content->bytes, name);
    if (parsed)
      parsed->owner = content->owner;
    return parsed;
  }

  /// An array with that many dimensions.
  Result<FileArray> array(const std::string &name, size_t order) const {
    Result<FileArray> found = array(name);
    if (found && found->sizes.size() != order)
      return Error{Error::Inconsistent,
                   "'" + name + "' has " + counted(found->sizes.size(), "dimension"),
                   std::to_string(order)};
    return found;
  }

  Status readShape(size_t least, size_t most) {
    Result<FileArray> sizes = array("shape");
    if (!sizes)
      return sizes.takeStatus();
    if (sizes->count < static_cast<int64_t>(least) || sizes->count > static_cast<int64_t>(most))
      return Error{Error::Count, "'shape' has " + counted(sizes->count, "element"),
                   least == most       ? std::to_string(least)
                   : most - least == 1 ? std::to_string(least) + " or " + std::to_string(most)
                                       : "up to " + std::to_string(most)};
    Result<std::vector<int64_t>> read = readIntegers(*sizes);
    if (!read)
      return read.takeStatus();
    shape = std::move(*read);
    for (size_t d = 0; d < shape.size(); ++d)
      if (shape[d] < 0)
        return badElement(*sizes, static_cast<int64_t>(d), shape[d], "0 or more");
    return {};
  }

  Result<Coordinates> readList(TensorFileContent &content) {
    // PyData's newer archives have a format, too, but SciPy's have no axes and no fill value.
    if (find("compressed_axes"))
      return readPyDataCompressed(content);
    if (find("coords") && (find("fill_value") || !find("format")))
      return readPyDataList(content);
    if (find("format"))
      return readSciPy(content);
    if (members.size() == 1)
      return readDense(content);
    return Error{Error::MissingPart, "the archive holds no sparse tensor",
                 "what scipy.sparse.save_npz or "
                 "sparse.save_npz writes, or one array"};
  }

  Result<Coordinates> readSciPy(TensorFileContent &content) {
    Result<FileArray> name = array("format", 0);
    if (!name)
      return name.takeStatus();
    Result<std::string> format = readText(*name);
    if (!format)
      return format.takeStatus();
    content.header = "SciPy's " + *format;
    if (*format == "coo")
      return readSciPyList();
    if (*format == "csr" || *format == "csc")
      return readCompressed(*format == "csc");
    if (Status fine = readShape(2, 2); !fine.ok())
      return fine;
    if (*format == "bsr")
      return readBlocks();
    if (*format == "dia")
      return readDiagonals();
    content.header.clear();
    return Error{Error::UnsupportedFile, "the archive's format is " + quoteToken(*format),
                 "'csr', 'csc', 'coo', 'bsr' or 'dia'"};
  }

  LevelArraysOptions levelOptions() const {
    return {.checkPromises = options.checkPromises, .floating = readsFloating(options.valueType)};
  }

  /// Places above, each with a list of indices: the arrays `indptr`, `indices`.
  Result<std::vector<ArrayLevel>> compressedLevels(bool promised) const {
    Result<FileArray> pointers = array("indptr", 1), indices = array("indices", 1);
    if (!pointers)
      return pointers.takeStatus();
    if (!indices)
      return indices.takeStatus();
    std::vector<ArrayLevel> levels(2);
    levels[1].sparse = true;
    levels[1].sorted = levels[1].unique = promised;
    levels[1].pointers = std::move(*pointers);
    levels[1].indices.push_back(std::move(*indices));
    return levels;
  }

  /// The entries, unless the arrays are taken as they are.
  Result<Coordinates> listOf(const LevelArrays &arrays) {
    taken = options.take && fill == 0.0 && options.take(arrays);
    return taken ? Coordinates() : coordinatesOf(arrays, levelOptions());
  }

  Result<Coordinates> readCompressed(bool byColumns) {
    if (Status fine = readShape(byColumns ? 2 : 1, 2); !fine.ok())
      return fine;
    Result<std::vector<ArrayLevel>> levels = compressedLevels(false);
    Result<FileArray> data = array("data", 1);
    if (!levels)
      return levels.takeStatus();
    if (!data)
      return data.takeStatus();
    if (shape.size() == 1) // the one row of a vector
      levels->erase(levels->begin());
    LevelArrays arrays{.sizes = shape, .levels = std::move(*levels), .values = std::move(*data)};
    if (byColumns) {
      std::swap(arrays.sizes[0], arrays.sizes[1]);
      arrays.dimensions = {1, 0};
    }
    return listOf(arrays);
  }

  Result<Coordinates> readBlocks() {
    Result<std::vector<ArrayLevel>> levels = compressedLevels(false);
    Result<FileArray> data = array("data", 3);
    if (!levels)
      return levels.takeStatus();
    if (!data)
      return data.takeStatus();
    const int64_t rows = data->sizes[1], columns = data->sizes[2];
    if (rows < 1 || columns < 1 || shape[0] % rows != 0 || shape[1] % columns != 0)
      return Error{Error::Inconsistent,
                   "blocks of " + std::to_string(rows) + " x " + std::to_string(columns),
                   "a size that divides " + std::to_string(shape[0]) + " x " +
                       std::to_string(shape[1])};
    if (data->columnMajor)
      return Error{Error::UnsupportedFile, "'data' lies column by column", "row by row"};
    levels->push_back({.rank = 2});
    LevelArrays arrays{.sizes = {shape[0] / rows, shape[1] / columns, rows, columns},
                       .levels = std::move(*levels),
                       .values = std::move(*data)};
    Result<Coordinates> blocks = coordinatesOf(arrays, levelOptions());
    if (!blocks)
      return blocks;
    Result<Coordinates> list =
        recoordinate(std::move(*blocks), shape, [&](const Coordinates &list, int64_t e, size_t d) {
          const int dimension = static_cast<int>(d);
          return list.coordinate(dimension, e) * (d == 0 ? rows : columns) +
                 list.coordinate(dimension + 2, e);
        });
    if (list)
      if (Status done = dropZeros(*list); !done.ok())
        return done;
    return list;
  }

  /// data[d, j] stands at row j - offsets[d], column j.
  Result<Coordinates> readDiagonals() {
    Result<FileArray> offsetArray = array("offsets", 1), data = array("data", 2);
    if (!offsetArray)
      return offsetArray.takeStatus();
    if (!data)
      return data.takeStatus();
    Result<std::vector<int64_t>> offsets = readIntegers(*offsetArray);
    if (!offsets)
      return offsets.takeStatus();
    if (data->sizes[0] != offsetArray->count)
      return Error{Error::Count, "'data' has " + counted(data->sizes[0], "row"),
                   std::to_string(offsetArray->count) + ", one for each of 'offsets'"};
    if (Status fine = checkOffsets(*offsetArray, *offsets); !fine.ok())
      return fine;
    const int64_t diagonals = data->sizes[0], length = data->sizes[1];
    Result<Buffer> values = readValues(*data, levelOptions().floating);
    if (!values)
      return values.takeStatus();
    Result<Coordinates> list = Coordinates::create(shape, values->type(), data->count);
    if (!list)
      return list;
    int64_t next = 0;
    withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
      withValueType(values->type(), [&]<typename V>(V *) {
        C *rows = list->column(0).as<C>(), *columns = list->column(1).as<C>();
        const V *from = values->as<V>();
        V *to = list->values().as<V>();
        for (int64_t d = 0; d < diagonals; ++d) {
          const int64_t offset = (*offsets)[static_cast<size_t>(d)];
          const int64_t begin = std::max<int64_t>(offset, 0),
                        last = shape[0] > INT64_MAX - begin ? INT64_MAX : shape[0] + offset,
                        end = std::min({length, shape[1], last});
          for (int64_t j = begin; j < end; ++j) {
            const V value = from[data->columnMajor ? j * diagonals + d : d * length + j];
            if (value == V(0))
              continue;
            rows[next] = static_cast<C>(j - offset);
            columns[next] = static_cast<C>(j);
            to[next++] = value;
          }
        }
      });
    });
    if (Status cut = list->resize(next); !cut.ok())
      return cut;
    return list;
  }

  /// Diagonals that lie inside the matrix, none twice.
  Status checkOffsets(const FileArray &array, std::vector<int64_t> offsets) const {
    for (size_t d = 0; d < offsets.size(); ++d)
      if (offsets[d] <= -shape[0] - 1 || offsets[d] > shape[1])
        return badElement(array, static_cast<int64_t>(d), offsets[d],
                          "from " + std::to_string(-shape[0]) + " to " + std::to_string(shape[1]));
    std::ranges::sort(offsets);
    if (auto twice = std::ranges::adjacent_find(offsets); twice != offsets.end())
      return Error{Error::Inconsistent, "'offsets' has " + std::to_string(*twice) + " twice",
                   "different diagonals"};
    return {};
  }

  /// The rows of a two-dimensional array as arrays of their own.
  static std::vector<FileArray> rowsOf(const FileArray &matrix) {
    std::vector<FileArray> rows;
    const int64_t height = matrix.sizes[0], width = matrix.sizes[1];
    for (int64_t r = 0; r < height; ++r) {
      FileArray row = matrix;
      row.name += "[" + std::to_string(r) + "]";
      row.sizes = {width};
      row.count = width;
      row.data += r * (matrix.columnMajor ? 1 : width) * matrix.elementBytes;
      row.elementBytes *= matrix.columnMajor ? height : 1;
      rows.push_back(std::move(row));
    }
    return rows;
  }

  Result<Coordinates> readSciPyList() {
    if (find("coords"))
      return readTuples(false);
    if (Status fine = readShape(2, 2); !fine.ok())
      return fine;
    Result<FileArray> rows = array("row", 1), columns = array("col", 1), data = array("data", 1);
    if (!rows)
      return rows.takeStatus();
    if (!columns)
      return columns.takeStatus();
    if (!data)
      return data.takeStatus();
    LevelArrays arrays{.sizes = shape, .values = std::move(*data)};
    arrays.levels.push_back({.sparse = true, .rank = 2});
    arrays.levels[0].indices = {std::move(*rows), std::move(*columns)};
    return listOf(arrays);
  }

  Result<Coordinates> readTuples(bool promised) {
    Result<FileArray> coords = array("coords", 2), data = array("data", 1);
    if (!coords)
      return coords.takeStatus();
    if (!data)
      return data.takeStatus();
    if (coords->sizes[0] > maximumOrder || coords->sizes[0] < 1)
      return Error{Error::Order, "'coords' has " + counted(coords->sizes[0], "row"),
                   "from 1 to " + std::to_string(maximumOrder)};
    const auto order = static_cast<size_t>(coords->sizes[0]);
    if (Status fine = readShape(order, order); !fine.ok())
      return fine;
    LevelArrays arrays{.sizes = shape, .values = std::move(*data)};
    arrays.levels.push_back({.sparse = true,
                             .rank = static_cast<int>(order),
                             .indices = rowsOf(*coords),
                             .sorted = promised,
                             .unique = promised});
    return listOf(arrays);
  }

  Result<Coordinates> readPyDataList(TensorFileContent &content) {
    content.header = "PyData's COO";
    if (Status fine = readFillValue(); !fine.ok())
      return fine;
    return readTuples(true);
  }

  Status readFillValue() {
    if (!find("fill_value"))
      return {};
    Result<FileArray> array = this->array("fill_value", 0);
    if (!array)
      return array.takeStatus();
    Result<std::complex<double>> found = readFill(*array);
    if (!found)
      return found.takeStatus();
    fill = *found;
    return {};
  }

  /// A matrix whose rows stand for some dimensions and whose columns for the others.
  Result<Coordinates> readPyDataCompressed(TensorFileContent &content) {
    content.header = "PyData's GCXS";
    if (Status fine = readFillValue(); !fine.ok())
      return fine;
    if (Status fine = readShape(1, maximumOrder); !fine.ok())
      return fine;
    Result<std::vector<int>> dimensions = dimensionsByAxes();
    if (!dimensions)
      return dimensions.takeStatus();
    std::vector<int64_t> ordered;
    for (int d : *dimensions)
      ordered.push_back(shape[static_cast<size_t>(d)]);
    const std::span<const int64_t> all(ordered);
    const std::optional<int64_t> height = productOf(all.first(rowAxes)),
                                 width = productOf(all.subspan(rowAxes));
    if (!height || !width)
      return Error{Error::IndexWidth, "the sizes have a product that does not fit 63 bits"};
    Result<std::vector<ArrayLevel>> levels = compressedLevels(true);
    Result<FileArray> data = array("data", 1);
    if (!levels)
      return levels.takeStatus();
    if (!data)
      return data.takeStatus();
    LevelArrays arrays{
        .sizes = {*height, *width}, .levels = std::move(*levels), .values = std::move(*data)};
    if (shape.size() == 2 && rowAxes == 1) {
      arrays.dimensions = *dimensions;
      return listOf(arrays);
    }
    Result<Coordinates> matrix = coordinatesOf(arrays, levelOptions());
    if (!matrix)
      return matrix;
    Result<Coordinates> list = unravel(std::move(*matrix), ordered);
    if (!list)
      return list;
    std::vector<int> source(dimensions->size());
    for (size_t d = 0; d < source.size(); ++d)
      source[static_cast<size_t>((*dimensions)[d])] = static_cast<int>(d);
    if (Status permuted = list->permute(source); !permuted.ok())
      return permuted;
    return list;
  }

  /// The axes that rows stand for, then the others.
  Result<std::vector<int>> dimensionsByAxes() {
    Result<FileArray> axes = array("compressed_axes", 1);
    if (!axes)
      return axes.takeStatus();
    Result<std::vector<int64_t>> numbers = readIntegers(*axes);
    if (!numbers)
      return numbers.takeStatus();
    std::vector<int> dimensions;
    std::vector<bool> seen(shape.size());
    for (size_t a = 0; a < numbers->size(); ++a) {
      const int64_t axis = (*numbers)[a];
      if (axis < 0 || axis >= static_cast<int64_t>(shape.size()) || seen[static_cast<size_t>(axis)])
        return badElement(*axes, static_cast<int64_t>(a), axis,
                          "different dimensions from 0 to " + std::to_string(shape.size() - 1));
      seen[static_cast<size_t>(axis)] = true;
      dimensions.push_back(static_cast<int>(axis));
    }
    rowAxes = dimensions.size();
    for (size_t d = 0; d < seen.size(); ++d)
      if (!seen[d])
        dimensions.push_back(static_cast<int>(d));
    return dimensions;
  }

  Result<Coordinates> unravel(Coordinates matrix, const std::vector<int64_t> &ordered) const {
    std::vector<int64_t> strides(ordered.size(), 1);
    for (size_t d = ordered.size() - 1; d-- > 0;)
      strides[d] = d + 1 == rowAxes ? 1 : strides[d + 1] * std::max<int64_t>(ordered[d + 1], 1);
    return recoordinate(std::move(matrix), ordered,
                        [&](const Coordinates &list, int64_t e, size_t d) {
                          return list.coordinate(d < rowAxes ? 0 : 1, e) / strides[d] % ordered[d];
                        });
  }

  Result<Coordinates> readDense(TensorFileContent &content) {
    std::string name = members.front().name;
    if (name.ends_with(".npy"))
      name.resize(name.size() - 4);
    content.header = "one array";
    content.isArray = true;
    Result<FileArray> only = array(name);
    if (!only)
      return only.takeStatus();
    return coordinatesOfDense(std::move(*only), levelOptions());
  }

  const InputFile &file;
  const TensorFileOptions &options;
  std::string_view archive;
  std::vector<ZipMember> members;
  std::vector<int64_t> shape;
  size_t rowAxes = 0;
  bool taken = false;
  std::complex<double> fill = 0;
};

} // namespace

bool looksLikeNpz(std::string_view bytes) { return looksLikeZip(bytes); }

std::optional<strata_type> npzValueType(const InputFile &file) {
  const TensorFileOptions options;
  NpzReader reader(file, options);
  return reader.open().ok() ? reader.valueType() : std::nullopt;
}

Result<TensorFileContent> readNpz(const InputFile &file, const TensorFileOptions &options) {
  NpzReader reader(file, options);
  if (Status opened = reader.open(); !opened.ok())
    return opened;
  return reader.read();
}

} // namespace strata::runtime
