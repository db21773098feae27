// Reading and writing dense arrays.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/DenseArray.h"

#include "strata/runtime/io/KeepRanges.h"
#include "strata/runtime/io/Npy.h"
#include "strata/runtime/io/OutputFile.h"

namespace strata::runtime {

/// Returns the rows in a range, where they lie.
static FileArray rowsOf(FileArray array, IndexRange range) {
  const int64_t inner = array.sizes[0] == 0 ? 0 : array.count / array.sizes[0];
  array.data += range.begin * inner * array.elementBytes;
  array.sizes[0] = range.count();
  array.count = range.count() * inner;
  return array;
}

Result<Coordinates> readDenseArray(FileArray array, std::span<const IndexRange> ranges,
                                   const TensorFileOptions &options) {
  std::vector<IndexRange> rest(ranges.begin(), ranges.end());
  if (!rest.empty() && !array.columnMajor && !array.sizes.empty()) {
    const IndexRange rows = rest[0].of(array.sizes[0]);
    array = rowsOf(std::move(array), rows);
    rest[0] = {};
  }
  Result<Coordinates> list =
      coordinatesOfDense(std::move(array), {.floating = readsFloating(options.valueType)});
  if (list)
    list = keepRanges(std::move(*list), rest);
  if (list && options.valueType)
    if (Status converted = list->convertValues(*options.valueType); !converted.ok())
      return converted;
  return list;
}

bool liesInOrder(std::span<const int64_t> sizes, std::span<const int64_t> strides) {
  int64_t stride = 1;
  for (size_t d = sizes.size(); d-- > 0; stride *= sizes[d])
    if (sizes[d] > 1 && strides[d] != stride)
      return false;
  return true;
}

/// Writes the elements in the order of the dimensions, gathered in texts of a bounded length.
static Status writeGathered(OutputFile &file, const DenseValues &values, int64_t count) {
  const auto bytes = static_cast<size_t>(strata_type_bytes(values.type));
  auto gather = [&](std::string &text, int64_t begin, int64_t end) {
    text.resize(static_cast<size_t>(end - begin) * bytes);
    for (int64_t e = begin; e < end; ++e) {
      int64_t rest = e, at = 0;
      for (size_t d = values.sizes.size(); d-- > 0; rest /= values.sizes[d])
        at += rest % values.sizes[d] * values.strides[d];
      std::memcpy(text.data() + static_cast<size_t>(e - begin) * bytes,
                  static_cast<const char *>(values.data) + static_cast<size_t>(at) * bytes, bytes);
    }
  };
  return file.writeItems(count, gather, {});
}

Status writeDenseArray(const std::string &path, std::string_view header, const DenseValues &values,
                       bool columnMajor) {
  const int64_t count = productOf(values.sizes).value_or(0);
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeStatus();
  if (Status written = file->write(header); !written.ok())
    return written;
  const auto bytes = static_cast<size_t>(count * strata_type_bytes(values.type));
  if (Status written = columnMajor || liesInOrder(values.sizes, values.strides)
                           ? file->write({static_cast<const char *>(values.data), bytes})
                           : writeGathered(*file, values, count);
      !written.ok())
    return written;
  return file->commit();
}

} // namespace strata::runtime
