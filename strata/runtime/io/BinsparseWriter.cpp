// Writing binsparse files.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Binsparse.h"

namespace strata::runtime {
namespace {

Result<Buffer> oneElement(std::complex<double> number, strata_type type) {
  Result<Buffer> one = Buffer::allocate(type, 1);
  if (one)
    withValueType(type, [&]<typename V>(V *) {
      if constexpr (isComplexNumber<V>)
        one->as<V>()[0] = V(number);
      else
        one->as<V>()[0] = V(number.real());
    });
  return one;
}

/// Adds an array to the group, and its type to the description.
void add(ArrayGroup &group, BinsparseDescriptor &descriptor, std::string name, FileArray array) {
  std::string type = fileTypeName(array.type);
  if (isComplexType(array.type))
    type = array.type == FileType::complex64 ? "complex[float32]" : "complex[float64]";
  else if (array.type == FileType::boolean)
    type = "bint8";
  descriptor.types[name] = type;
  array.name = std::move(name);
  group.arrays.push_back(std::move(array));
}

} // namespace

Status writeBinsparse(const std::string &path, const LevelArrays &arrays, GroupWriter write) {
  // Binsparse has no float16; what it has and holds them all is float32.
  if (arrays.values.type == FileType::float16) {
    Result<Buffer> wide = readValues(arrays.values, false);
    if (!wide)
      return wide.takeStatus();
    if (Status converted = convertValues(*wide, STRATA_F32); !converted.ok())
      return converted;
    Result<FileArray> values = arrayOf(*wide);
    if (!values)
      return values.takeStatus();
    LevelArrays widened = arrays;
    widened.values = std::move(*values);
    return writeBinsparse(path, widened, write);
  }
  ArrayGroup group;
  BinsparseDescriptor descriptor{.shape = std::vector<int64_t>(arrays.sizes.size()),
                                 .transpose = arrays.dimensions,
                                 .stored = arrays.values.count};
  for (size_t k = 0; k < arrays.sizes.size(); ++k)
    descriptor.shape[arrays.dimensions.empty() ? k : static_cast<size_t>(arrays.dimensions[k])] =
        arrays.sizes[k];
  int dimension = 0;
  for (const ArrayLevel &level : arrays.levels) {
    descriptor.levels.push_back(
        {.sparse = level.sparse, .rank = level.rank, .sorted = level.sorted || !level.sparse});
    if (level.pointers)
      add(group, descriptor, "pointers_to_" + std::to_string(dimension), *level.pointers);
    for (size_t r = 0; r < level.indices.size(); ++r)
      add(group, descriptor, "indices_" + std::to_string(dimension + static_cast<int>(r)),
          level.indices[r]);
    dimension += level.rank;
  }
  add(group, descriptor, "values", arrays.values);
  Buffer fill;
  if (arrays.fill != 0.0) {
    Result<Buffer> one = oneElement(arrays.fill, valueTypeFor(arrays.values.type));
    if (!one)
      return one.takeStatus();
    fill = std::move(*one);
    Result<FileArray> value = arrayOf(fill);
    if (!value)
      return value.takeStatus();
    descriptor.fill = true;
    add(group, descriptor, "fill_value", std::move(*value));
  }
  group.text = printBinsparse(descriptor);
  return write(path, binsparseName, group);
}

Status writeBinsparse(const std::string &path, const Coordinates &list, std::complex<double> fill,
                      GroupWriter write) {
  if (list.order() == 0)
    return Error{Error::NotInSuchFiles, "a scalar is not a sparse tensor", "at least one dimension",
                 path, 0};
  Result<FileArray> values = arrayOf(list.values());
  if (!values)
    return values.takeStatus();
  LevelArrays arrays{.sizes = list.sizes(), .values = std::move(*values), .fill = fill};
  ArrayLevel &level = arrays.levels.emplace_back();
  level.sparse = true;
  level.rank = list.order();
  level.sorted = list.isSorted();
  for (int d = 0; d < list.order(); ++d) {
    Result<FileArray> column = arrayOf(list.column(d));
    if (!column)
      return column.takeStatus();
    level.indices.push_back(std::move(*column));
  }
  return writeBinsparse(path, arrays, write);
}

} // namespace strata::runtime
