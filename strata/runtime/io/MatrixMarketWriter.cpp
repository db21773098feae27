// Writing Matrix Market files: lists of coordinates, and dense arrays.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/MatrixMarket.h"

namespace strata::runtime {
namespace {

const char *fieldFor(strata_type type) {
  switch (type) {
  case STRATA_F32:
  case STRATA_F64:
    return "real";
  case STRATA_I8:
  case STRATA_I16:
  case STRATA_I32:
  case STRATA_I64:
    return "integer";
  case STRATA_C128:
    return "complex";
  }
  return "real";
}

/// The banner, the comment and the size line.
std::string header(const char *layout, const char *field, const std::string &comment,
                   std::span<const int64_t> numbers) {
  std::string text = std::string("%%MatrixMarket matrix ") + layout + " " + field + " general\n";
  for (size_t at = 0; at < comment.size();) {
    const size_t end = std::min(comment.find('\n', at), comment.size());
    text += "% " + comment.substr(at, end - at) + "\n";
    at = end + 1;
  }
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? " " : "") + std::to_string(numbers[i]);
  return text + "\n";
}

Error wrongOrder(const std::string &path, size_t order) {
  return {"a tensor of order " + std::to_string(order) + " is no matrix",
          "order 1 or 2 for a Matrix Market file", path, 0};
}

} // namespace

Status writeMatrixMarket(const std::string &path, const Coordinates &list,
                         const MatrixMarketWriteOptions &options) {
  const size_t order = list.sizes().size();
  if (order < 1 || order > 2)
    return wrongOrder(path, order);
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeStatus();
  const int64_t numbers[] = {list.sizes()[0], order == 2 ? list.sizes()[1] : 1, list.count()};
  const char *field = options.pattern ? "pattern" : fieldFor(list.valueType());
  if (Status written = file->write(header("coordinate", field, options.comment, numbers));
      !written.ok())
    return written;
  auto format = [&](std::string &text, int64_t begin, int64_t end) {
    withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
      withValueType(list.valueType(), [&]<typename V>(V *) {
        const C *rows = list.column(0).as<C>();
        const C *columns = order == 2 ? list.column(1).as<C>() : nullptr;
        const V *values = list.values().as<V>();
        for (int64_t e = begin; e < end; ++e) {
          appendNumber(text, int64_t{rows[e]} + 1);
          text += ' ';
          appendNumber(text, columns ? int64_t{columns[e]} + 1 : int64_t{1});
          if (!options.pattern) {
            text += ' ';
            appendNumber(text, values[e]);
          }
          text += '\n';
        }
      });
    });
  };
  if (Status written = file->writeItems(list.count(), format, options.progress); !written.ok())
    return written;
  return file->commit();
}

Status writeMatrixMarketArray(const std::string &path, const DenseValues &values,
                              const MatrixMarketWriteOptions &options) {
  const size_t order = values.sizes.size();
  if (order < 1 || order > 2 || values.strides.size() != order)
    return wrongOrder(path, order);
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeStatus();
  const int64_t numbers[] = {values.sizes[0], order == 2 ? values.sizes[1] : 1};
  const int64_t down = values.strides[0], across = order == 2 ? values.strides[1] : 0;
  if (Status written =
          file->write(header("array", fieldFor(values.type), options.comment, numbers));
      !written.ok())
    return written;
  auto format = [&](std::string &text, int64_t begin, int64_t end) {
    withValueType(values.type, [&]<typename V>(V *) {
      const V *data = static_cast<const V *>(values.data);
      int64_t row = begin % numbers[0], column = begin / numbers[0];
      for (int64_t e = begin; e < end; ++e) {
        appendNumber(text, data[row * down + column * across]);
        text += '\n';
        if (++row == numbers[0]) {
          row = 0;
          ++column;
        }
      }
    });
  };
  if (Status written = file->writeItems(numbers[0] * numbers[1], format, options.progress);
      !written.ok())
    return written;
  return file->commit();
}

} // namespace strata::runtime
