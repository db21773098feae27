// Makes or reads matrices by their names.
#include "Problems.h"

#include "strata/runtime/io/TensorFile.h"
#include "strata/runtime/storage/Generate.h"

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <numeric>
#include <random>

using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;

namespace strata::benchmark {

static Result<Coordinates> read(const std::string &file) {
  Result<runtime::TensorFileContent> content =
      runtime::readTensorFile(file, {.valueType = STRATA_F64});
  if (!content)
    return content.takeStatus();
  if (content->list.order() != 2)
    return Error{"'" + file + "' holds no matrix"};
  return std::move(content->list);
}

static Result<Coordinates> make(const std::string &name) {
  llvm::StringRef rest = name;
  int64_t rows, perRow;
  if (rest.consume_front("stencil:")) {
    if (rest.getAsInteger(10, rows))
      return Error{"'" + name + "' needs a number of points"};
    return runtime::generateStencil27(rows);
  }
  if (!rest.consume_front("random:"))
    return read(name);
  auto [first, second] = rest.split(':');
  if (first.getAsInteger(10, rows) || second.getAsInteger(10, perRow))
    return Error{"'" + name + "' needs a number of rows and of entries in a row"};
  return runtime::generateRandom(
      {.sizes = {rows, rows}, .density = static_cast<double>(perRow) / static_cast<double>(rows)});
}

Result<Coordinates> makeProblem(const std::string &name) {
  Result<Coordinates> list = make(name);
  if (!list)
    return list;
  if (Result<int64_t> summed = list->sumDuplicates(); !summed)
    return summed.takeStatus();
  if (list->coordinateType() != STRATA_I32)
    return Error{"'" + name + "' is too large for Eigen's and SciPy's 32-bit indices"};
  return list;
}

Result<Coordinates> shuffled(const Coordinates &list) {
  std::vector<int64_t> order(static_cast<size_t>(list.count()));
  std::iota(order.begin(), order.end(), int64_t(0));
  std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
  Result<Coordinates> result =
      Coordinates::create(list.sizes(), list.coordinateType(), list.valueType(), list.count());
  if (!result)
    return result;
  for (int dimension = 0; dimension < list.order(); ++dimension)
    runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
      using Width = std::remove_pointer_t<decltype(tag)>;
      std::transform(order.begin(), order.end(), result->column(dimension).as<Width>(),
                     [&](int64_t at) { return list.column(dimension).as<Width>()[at]; });
    });
  std::transform(order.begin(), order.end(), result->values().as<double>(),
                 [&](int64_t at) { return list.values().as<double>()[at]; });
  return result;
}

std::vector<double> randomValues(int64_t count) {
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> values(static_cast<size_t>(count));
  for (double &value : values)
    value = uniform(generator);
  return values;
}

} // namespace strata::benchmark
