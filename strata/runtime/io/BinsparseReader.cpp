// Reading binsparse files: the arrays that the description names, then the triangle that it leaves
// out.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Counted.h"
#include "strata/runtime/io/Binsparse.h"

namespace strata::runtime {
namespace {

class BinsparseReader {
public:
  BinsparseReader(ArrayGroup group, BinsparseDescriptor descriptor,
                  const TensorFileOptions &options)
      : group(std::move(group)), descriptor(std::move(descriptor)), options(options) {}

  Result<Coordinates> read(int64_t fileBytes) {
    LevelArrays arrays{.sizes = {},
                       .dimensions = descriptor.transpose,
                       .same = descriptor.iso,
                       .base = descriptor.base,
                       .fileBytes = fileBytes};
    for (size_t k = 0; k < descriptor.shape.size(); ++k)
      arrays.sizes.push_back(descriptor.shape[descriptor.transpose.empty()
                                                  ? k
                                                  : static_cast<size_t>(descriptor.transpose[k])]);
    if (Status fine = collect(arrays); !fine.ok())
      return fine;
    if (Status fine = readFillValue(); !fine.ok())
      return fine;
    // Arrays that are taken as they are stand for all entries.
    taken = options.take && fill == 0.0 && descriptor.symmetry == Symmetry::general &&
            arrays.values.count == descriptor.stored && options.take(arrays);
    if (taken)
      return Coordinates();
    Result<Coordinates> list =
        coordinatesOf(arrays, {.checkPromises = options.checkPromises,
                               .floating = readsFloating(options.valueType)});
    if (!list)
      return list;
    if (list->count() != descriptor.stored)
      return Error{Error::Count, "the arrays store " + counted(list->count(), "value"),
                   std::to_string(descriptor.stored) + ", as 'number_of_stored_values' says"};
    if (Status fine = expand(*list); !fine.ok())
      return fine;
    return list;
  }
  bool tookArrays() const { return taken; }
  std::complex<double> fillOfRest() const { return fill; }

private:
  Result<FileArray> array(const std::string &name) const {
    const FileArray *found = group.find(name);
    if (!found)
      return Error{Error::MissingPart, "the file has no array '" + name + "'",
                   "the arrays of the format " + descriptor.format};
    return *found;
  }

  /// An array of indices or pointers, whose type must be the one that the description says.
  Result<FileArray> integers(const std::string &name) const {
    Result<FileArray> found = array(name);
    if (found)
      if (Status fine = checkType(*found); !fine.ok())
        return fine;
    return found;
  }

  Status checkType(const FileArray &array) const {
    auto said = descriptor.types.find(array.name);
    if (!options.checkPromises || said == descriptor.types.end() || said->second.empty())
      return {};
    const bool fits = said->second == fileTypeName(array.type) ||
                      (said->second == "bint8" && fileTypeBytes(array.type) == 1);
    return fits ? Status()
                : Status(Error{Error::Inconsistent,
                               "the elements of '" + array.name + "' are of type " +
                                   fileTypeName(array.type),
                               said->second + ", as 'data_types' says"});
  }

  Status collect(LevelArrays &arrays) const {
    int dimension = 0;
    for (size_t at = 0; at < descriptor.levels.size(); ++at) {
      const BinsparseDescriptor::Level &level = descriptor.levels[at];
      ArrayLevel &next = arrays.levels.emplace_back();
      next.sparse = level.sparse;
      next.rank = level.rank;
      next.sorted = level.sorted;
      next.unique = true;
      for (int r = 0; r < level.rank && level.sparse; ++r) {
        Result<FileArray> indices = integers("indices_" + std::to_string(dimension + r));
        if (!indices)
          return indices.takeStatus();
        next.indices.push_back(std::move(*indices));
      }
      const std::string pointers = "pointers_to_" + std::to_string(dimension);
      if (level.sparse && (at > 0 || group.find(pointers))) {
        Result<FileArray> found = integers(pointers);
        if (!found)
          return found.takeStatus();
        next.pointers = std::move(*found);
      }
      dimension += level.rank;
    }
    Result<FileArray> values = valuesOf("values");
    if (!values)
      return values.takeStatus();
    arrays.values = std::move(*values);
    return {};
  }

  /// An array of values, as the modifiers say.
  Result<FileArray> valuesOf(const std::string &name) const {
    Result<FileArray> values = integers(name);
    if (!values)
      return values;
    if (descriptor.booleanValues && fileTypeBytes(values->type) == 1)
      values->type = FileType::boolean;
    if (descriptor.complexValues && !isComplexType(values->type)) {
      const bool narrow = values->type == FileType::float32;
      if (values->count % 2 != 0 || (!narrow && values->type != FileType::float64))
        return Error{Error::Inconsistent,
                     "'" + name + "' has " + counted(values->count, "element") + " of type " +
                         fileTypeName(values->type),
                     "pairs of float32 or float64, as its type is complex"};
      values->type = narrow ? FileType::complex64 : FileType::complex128;
      values->elementBytes *= 2;
      values->count /= 2;
    }
    return values;
  }

  Status readFillValue() {
    if (!descriptor.fill)
      return {};
    Result<FileArray> array = valuesOf("fill_value");
    if (!array)
      return array.takeStatus();
    Result<std::complex<double>> found = readFill(*array);
    if (!found)
      return found.takeStatus();
    fill = *found;
    return {};
  }

  /// Checks the triangle that is stored and adds the other one.
  Status expand(Coordinates &list) const {
    if (descriptor.symmetry == Symmetry::general)
      return {};
    const char *triangle = descriptor.upper ? "upper" : "lower";
    if (descriptor.symmetry == Symmetry::hermitian && !isComplexType(list.valueType()))
      return Error{Error::Symmetry, "the structure is hermitian, but the values are not complex"};
    auto place = [&](int64_t e) {
      return "entry " + std::to_string(e) + ", at row " + std::to_string(list.coordinate(0, e)) +
             " and column " + std::to_string(list.coordinate(1, e));
    };
    for (int64_t e = 0; e < list.count(); ++e) {
      const int64_t row = list.coordinate(0, e), column = list.coordinate(1, e);
      if (descriptor.upper ? row > column : row < column)
        return Error{Error::Symmetry, place(e) + ", lies in the other triangle",
                     std::string("entries of the ") + triangle + " triangle only"};
    }
    if (std::optional<Asymmetry> bad = findAsymmetry(list, descriptor.symmetry))
      return Error{Error::Symmetry, place(bad->entry) + ": " + bad->message, bad->expected};
    return expandSymmetry(list, descriptor.symmetry);
  }

  ArrayGroup group;
  BinsparseDescriptor descriptor;
  const TensorFileOptions &options;
  bool taken = false;
  std::complex<double> fill = 0;
};

/// The type of the values as `data_types` says; nothing if it says none of the specification's.
std::optional<strata_type> valueTypeSaid(const BinsparseDescriptor &descriptor) {
  const std::string &said = descriptor.types.at("values");
  if (descriptor.booleanValues)
    return STRATA_BOOL;
  for (int type = 0; type <= static_cast<int>(FileType::float64); ++type)
    if (said == fileTypeName(static_cast<FileType>(type))) {
      const strata_type part = valueTypeFor(static_cast<FileType>(type));
      return !descriptor.complexValues ? part : part == STRATA_F32 ? STRATA_C64 : STRATA_C128;
    }
  return std::nullopt;
}

} // namespace

Result<TensorFileContent> readBinsparse(ArrayGroup group, int64_t fileBytes,
                                        const TensorFileOptions &options) {
  Result<BinsparseDescriptor> descriptor = parseBinsparse(group.text);
  if (!descriptor)
    return descriptor.takeStatus();
  TensorFileContent content;
  content.header = descriptor->format;
  content.entriesInFile = descriptor->stored;
  content.isArray = std::ranges::none_of(
      descriptor->levels, [](const BinsparseDescriptor::Level &level) { return level.sparse; });
  BinsparseReader reader(std::move(group), std::move(*descriptor), options);
  Result<Coordinates> list = reader.read(fileBytes);
  if (!list)
    return list.takeStatus();
  content.taken = reader.tookArrays();
  content.fill = reader.fillOfRest();
  if (content.taken)
    return content;
  if (options.valueType)
    if (Status converted = list->convertValues(*options.valueType); !converted.ok())
      return converted;
  content.list = std::move(*list);
  return content;
}

std::optional<strata_type> binsparseValueType(const std::string &text) {
  Result<BinsparseDescriptor> descriptor = parseBinsparse(text);
  return descriptor ? valueTypeSaid(*descriptor) : std::nullopt;
}

} // namespace strata::runtime
