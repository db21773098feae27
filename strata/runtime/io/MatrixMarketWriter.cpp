// Writing Matrix Market files: lists of coordinates, and dense arrays.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/InternalError.h"
#include "strata/runtime/io/MatrixMarket.h"
#include "strata/runtime/io/SharedOutput.h"

#include <algorithm>
#include <array>

namespace strata::runtime {
namespace {

/// Unsigned integers of 32 and 64 bits have a field of their own, as SciPy writes them.
const char *fieldFor(strata_type type) {
  return type == STRATA_U32 || type == STRATA_U64 ? "unsigned-integer"
         : isIntegerType(type)                    ? "integer"
         : isComplexType(type)                    ? "complex"
                                                  : "real";
}

/// Tells whether the places say all, because every value is true.
bool isPattern(const Coordinates &list) {
  if (list.valueType() != STRATA_BOOL)
    return false;
  const bool *values = list.values().as<bool>();
  return std::all_of(values, values + list.count(), [](bool value) { return value; });
}

/// The banner, the comment and the size line.
std::string header(const char *layout, const char *field, const MatrixMarketWriteOptions &options,
                   std::span<const int64_t> numbers) {
  const bool matrix = options.object == MatrixMarketFacts::Object::matrix;
  std::string text = std::string("%%MatrixMarket ") + (matrix ? "matrix " : "tensor ") + layout +
                     " " + field + " general\n";
  const std::string &comment = options.comment;
  for (size_t at = 0; at < comment.size();) {
    const size_t end = std::min(comment.find('\n', at), comment.size());
    text += "% " + comment.substr(at, end - at) + "\n";
    at = end + 1;
  }
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? " " : "") + std::to_string(numbers[i]);
  return text + "\n";
}

Status checkOrder(const std::string &path, size_t order, MatrixMarketFacts::Object object) {
  if (object == MatrixMarketFacts::Object::matrix && order > 2)
    return Error{Error::NotInSuchFiles,
                 "a tensor of order " + std::to_string(order) + " is not a matrix",
                 "an order up to 2 for a Matrix Market file", path, 0};
  if (order > maximumOrder)
    return Error{Error::NotInSuchFiles, "a tensor of order " + std::to_string(order),
                 "an order up to " + std::to_string(maximumOrder), path, 0};
  return {};
}

/// The sizes of the tensor; a matrix has two, and any tensor of a file at least one.
std::vector<int64_t> sizesFor(std::vector<int64_t> sizes, MatrixMarketFacts::Object object) {
  const size_t least = object == MatrixMarketFacts::Object::matrix ? 2 : 1;
  sizes.resize(std::max(sizes.size(), least), 1);
  return sizes;
}

} // namespace

Status writeMatrixMarket(const std::string &path, const Coordinates &list,
                         const MatrixMarketWriteOptions &options) {
  const int order = list.order();
  if (Status fine = checkOrder(path, list.sizes().size(), options.object); !fine.ok())
    return fine;
  int64_t count = list.count();
  bool pattern = options.pattern || isPattern(list);
  if (options.shared) {
    Result<std::vector<int64_t>> all = options.shared->sum(std::array<int64_t, 2>{count, !pattern});
    if (!all)
      return all.takeStatus();
    count = all->front();
    pattern = all->back() == 0;
  }
  std::vector<int64_t> numbers = sizesFor(list.sizes(), options.object);
  const size_t ones = numbers.size() - list.sizes().size();
  numbers.push_back(count);
  const char *field = pattern ? "pattern" : fieldFor(list.valueType());
  auto format = [&](std::string &text, int64_t begin, int64_t end) {
    withCoordinateType(list.coordinateType(), [&]<typename C>(C *) {
      withValueType(list.valueType(), [&]<typename V>(V *) {
        const C *columns[maximumOrder];
        for (int d = 0; d < order; ++d)
          columns[d] = list.column(d).as<C>();
        const V *values = list.values().as<V>();
        for (int64_t e = begin; e < end; ++e) {
          for (int d = 0; d < order; ++d) {
            appendNumber(text, int64_t{columns[d][e]} + 1);
            text += ' ';
          }
          for (size_t one = 0; one < ones; ++one)
            text += "1 ";
          if (pattern) {
            text.back() = '\n';
            continue;
          }
          appendNumber(text, values[e]);
          text += '\n';
        }
      });
    });
  };
  const std::string text = header("coordinate", field, options, numbers);
  if (options.shared)
    return options.shared->write(text, list.count(), format);
  return writeFile(path, text, list.count(), format, options.progress);
}

Status writeMatrixMarketArray(const std::string &path, const DenseValues &values,
                              const MatrixMarketWriteOptions &options) {
  const size_t order = values.sizes.size();
  if (Status fine = checkOrder(path, order, options.object); !fine.ok())
    return fine;
  if (values.strides.size() != order)
    return internalError("an array of order " + std::to_string(order) + " with " +
                         std::to_string(values.strides.size()) + " strides");
  const std::vector<int64_t> numbers = sizesFor(values.sizes, options.object);
  int64_t places = 1;
  for (int64_t size : values.sizes)
    places *= size;
  auto format = [&](std::string &text, int64_t begin, int64_t end) {
    withValueType(values.type, [&]<typename V>(V *) {
      const V *data = static_cast<const V *>(values.data);
      int64_t place[maximumOrder], rest = begin, offset = 0;
      for (size_t d = 0; d < order; ++d) {
        place[d] = rest % values.sizes[d];
        rest /= values.sizes[d];
        offset += place[d] * values.strides[d];
      }
      for (int64_t e = begin; e < end; ++e) {
        appendNumber(text, data[offset]);
        text += '\n';
        for (size_t d = 0; d < order; ++d) {
          offset += values.strides[d];
          if (++place[d] < values.sizes[d])
            break;
          offset -= values.sizes[d] * values.strides[d];
          place[d] = 0;
        }
      }
    });
  };
  return writeFile(path, header("array", fieldFor(values.type), options, numbers), places, format,
                   options.progress);
}

} // namespace strata::runtime
