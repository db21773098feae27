// Tensors in and out of text.
#include "strata/execution/Output.h"

#include "strata/execution/ValueText.h"
#include "strata/runtime/Counted.h"

#include "strata/dialect/ta/Shorthands.h"
#include "strata/execution/ElementTypes.h"
#include "strata/execution/FileLevels.h"
#include "strata/execution/Fill.h"
#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/io/TensorFile.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata {

//===------------------------------------------------------------------------------------------===//
// Filling and copying
//===------------------------------------------------------------------------------------------===//

template <typename T> static void fillWith(Storage &storage, T value) {
  T *data = static_cast<T *>(storage.values().data);
  std::fill(data, data + storage.values().count, value);
}

static void fillValues(Storage &storage, TypedAttr value) {
  runtime::withValueType(strata_type(storage.values().type), [&]<typename T>(T *) {
    if constexpr (runtime::isComplexNumber<T>) {
      fillWith(storage, T(numberOf(value)));
    } else if constexpr (runtime::isRealNumber<T>) {
      fillWith(storage, T(numberOf(value).real()));
    } else {
      fillWith(storage, T(cast<IntegerAttr>(Attribute(value)).getValue().getZExtValue()));
    }
  });
}

Result<TensorValue> filledTensor(KernelCompiler &compiler, RankedTensorType type,
                                 std::vector<int64_t> sizes, TypedAttr value) {
  ta::FormatAttr format = ta::formatOf(type);
  if (!format.isFull()) {
    Result<Coordinates> none = Coordinates::create(sizes, *runtimeType(type.getElementType()), 0);
    if (!none)
      return none.takeStatus();
    return pack(compiler, std::move(*none), type, nullptr, false, format.getFill());
  }
  int64_t places = 1;
  for (LevelExtent level : levelExtents(format, sizes))
    if (__builtin_mul_overflow(places, level.extent, &places))
      return Error{"a dense tensor of this size does not fit any memory"};
  type = withDecidedWidths(type, sizes, places);
  auto storage = std::make_shared<Storage>(sizes, bufferTypes(type));
  if (Status status = storage->allocate(storage->bufferCount() - 1, places); !status.ok())
    return status;
  fillValues(*storage, value);
  return TensorValue{type, storage, nullptr};
}

Result<TensorValue> cloned(const TensorValue &tensor) {
  if (!tensor.parts.empty()) {
    TensorValue copy{tensor.type, nullptr, tensor.source};
    for (const TensorValue &part : tensor.parts) {
      Result<TensorValue> one = cloned(part);
      if (!one)
        return one;
      copy.parts.push_back(std::move(*one));
    }
    return copy;
  }
  auto storage = std::make_shared<Storage>(tensor.sizes(), bufferTypes(tensor.type));
  for (int64_t at = 0; at < storage->bufferCount(); ++at) {
    const strata_buffer &from = tensor.storage->buffer(at);
    if (Status status = storage->allocate(at, from.count); !status.ok())
      return status;
    if (from.count > 0) // else there may be no block at all
      runtime::copyBytes(storage->buffer(at).data, from.data,
                         size_t(from.count * strata_type_bytes(from.type)));
  }
  return TensorValue{tensor.type, storage, tensor.source};
}

//===------------------------------------------------------------------------------------------===//
// Writing
//===------------------------------------------------------------------------------------------===//

// Strides of the dimensions where the format keeps every place in the order of whole dimensions.
static std::optional<std::vector<int64_t>> denseStrides(const TensorValue &tensor) {
  ta::FormatAttr format = tensor.format();
  AffineMap map = format.getDimToLvl();
  if (!format.isFull() || !map.isPermutation())
    return std::nullopt;
  std::vector<int64_t> strides(map.getNumDims());
  int64_t stride = 1;
  for (int lvl = int(map.getNumResults()) - 1; lvl >= 0; --lvl) {
    unsigned dim = cast<AffineDimExpr>(map.getResult(lvl)).getPosition();
    strides[dim] = stride;
    stride *= tensor.sizes()[dim];
  }
  return strides;
}

Status writeTensor(KernelCompiler &compiler, const TensorValue &tensor, const std::string &file) {
  if (std::optional<std::vector<int64_t>> strides = denseStrides(tensor))
    if (std::optional<Status> written = runtime::writeDenseTensorFile(
            file, {tensor.sizes(), *strides, *runtimeType(tensor.type.getElementType()),
                   tensor.storage->values().data}))
      return std::move(*written);
  if (std::optional<runtime::LevelArrays> levels = fileLevels(tensor))
    if (std::optional<Status> written = runtime::writeLevelsFile(file, *levels))
      return std::move(*written);
  Result<Coordinates> list = unpack(compiler, tensor);
  if (!list)
    return list.takeStatus();
  if (hasFill(tensor.type))
    return runtime::writeTensorFile(file, *list, numberOf(ta::fillOf(tensor.type)));
  return runtime::writeTensorFile(file, *list);
}

//===------------------------------------------------------------------------------------------===//
// Printing
//===------------------------------------------------------------------------------------------===//

std::string valueText(const Storage &storage, int64_t at) {
  const strata_buffer &values = storage.values();
  return runtime::withValueType(strata_type(values.type), [&]<typename T>(T *) -> std::string {
    const T &value = static_cast<const T *>(values.data)[at];
    if constexpr (runtime::isComplexNumber<T>)
      return numberText(std::complex<double>(value));
    else if constexpr (std::is_integral_v<T>)
      return std::to_string(value);
    else
      return numberText(double(value));
  });
}

// The columns that are shown of a matrix: all, or the first and the last; -1 for what is between.
static SmallVector<int64_t> columnsShown(int64_t columns) {
  constexpr int64_t widest = 16;
  SmallVector<int64_t> shown;
  for (int64_t j = 0; j < columns; ++j)
    if (columns <= widest || j < widest / 2 || j >= columns - widest / 2)
      shown.push_back(j);
    else if (j == widest / 2)
      shown.push_back(-1);
  return shown;
}

// A vector by lines, a matrix with its columns below each other.
static void printRows(const TensorValue &tensor, ArrayRef<int64_t> strides,
                      llvm::raw_ostream &out) {
  int64_t rows = tensor.sizes()[0], columns = strides.size() > 1 ? tensor.sizes()[1] : 1;
  SmallVector<int64_t> shown = columnsShown(columns);
  std::vector<std::string> texts;
  SmallVector<size_t> widths(shown.size(), 0);
  for (int64_t i = 0; i < rows; ++i)
    for (auto [at, j] : llvm::enumerate(shown)) {
      texts.push_back(j < 0
                          ? "..."
                          : valueText(*tensor.storage,
                                      i * strides[0] + (strides.size() > 1 ? j * strides[1] : 0)));
      widths[at] = std::max(widths[at], texts.back().size());
    }
  for (int64_t i = 0; i < rows; ++i) {
    out << " ";
    for (size_t at = 0; at < shown.size(); ++at) {
      const std::string &text = texts[size_t(i) * shown.size() + at];
      out << " " << llvm::right_justify(text, strides.size() > 1 ? widths[at] : 0);
    }
    out << "\n";
  }
}

static void printEntry(const Coordinates &list, int64_t entry, llvm::raw_ostream &out) {
  out << "  (";
  for (int dim = 0; dim < list.order(); ++dim)
    out << (dim ? ", " : "") << list.coordinate(dim, entry);
  std::complex<double> value = list.value(entry);
  out << ")  "
      << (runtime::isComplexType(list.valueType()) ? numberText(value) : numberText(value.real()))
      << "\n";
}

Status printTensor(KernelCompiler &compiler, const TensorValue &tensor, StringRef name,
                   llvm::raw_ostream &out) {
  constexpr int64_t most = 100;
  if (tensor.sizes().empty()) {
    out << name << " = " << valueText(*tensor.storage, 0) << "\n";
    return Status();
  }
  out << name << " =\n";
  std::optional<std::vector<int64_t>> strides = denseStrides(tensor);
  if (strides && strides->size() <= 2 && tensor.sizes()[0] <= most) {
    printRows(tensor, *strides, out);
    return Status();
  }
  Result<Coordinates> list = unpack(compiler, tensor);
  if (!list)
    return list.takeStatus();
  if (hasFill(tensor.type))
    out << "  elsewhere  " << fillText(numberOf(ta::fillOf(tensor.type))) << "\n";
  for (int64_t entry = 0; entry < std::min(list->count(), most); ++entry)
    printEntry(*list, entry, out);
  if (list->count() > most)
    out << "  ... " << list->count() << " entries\n";
  return Status();
}

Result<PrintedTensor> printedTensor(KernelCompiler &compiler, const TensorValue &tensor,
                                    StringRef name) {
  PrintedTensor printed{name.str(), tensor.sizes(),
                        runtime::isComplexType(*runtimeType(tensor.type.getElementType()))};
  std::optional<std::vector<int64_t>> strides = denseStrides(tensor);
  if (strides && tensor.storage->values().count <= mostPrinted) {
    printed.stored = tensor.storage->values().count;
    runtime::withValueType(strata_type(tensor.storage->values().type), [&]<typename T>(T *) {
      const T *values = static_cast<const T *>(tensor.storage->values().data);
      for (int64_t at = 0; at < printed.stored; ++at) {
        int64_t rest = at, place = 0;
        for (size_t dim = strides->size(); dim-- > 0; rest /= printed.sizes[dim])
          place += rest % printed.sizes[dim] * (*strides)[dim];
        if constexpr (runtime::isComplexNumber<T>)
          printed.values.emplace_back(values[place]);
        else
          printed.values.emplace_back(double(values[place]));
      }
    });
    return printed;
  }
  Result<Coordinates> list = unpack(compiler, tensor);
  if (!list)
    return list.takeStatus();
  printed.stored = list->count();
  if (hasFill(tensor.type))
    printed.fill = numberOf(ta::fillOf(tensor.type));
  for (int64_t entry = 0; entry < std::min(list->count(), mostPrinted); ++entry) {
    std::vector<int64_t> &coordinates = printed.coordinates.emplace_back();
    for (int dim = 0; dim < list->order(); ++dim)
      coordinates.push_back(list->coordinate(dim, entry));
    printed.values.push_back(list->value(entry));
  }
  return printed;
}

} // namespace strata
