// Tensors as a whole.
#include "strata/run/Output.h"

#include "strata/conversion/FileLevels.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/host/Pack.h"
#include "strata/host/Print.h"
#include "strata/host/WriteTensor.h"
#include "strata/runtime/io/TensorFile.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/Fill.h"
#include "strata/tensor/FillBytes.h"
#include "strata/tensor/StoredFormats.h"

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

Result<TensorValue> filledTensor(KernelCompiler &compiler, RankedTensorType type,
                                 std::vector<int64_t> sizes, TypedAttr value) {
  ta::FormatAttr format = ta::formatOf(type);
  if (!format.isFull()) {
    Result<Coordinates> none = Coordinates::create(sizes, *runtimeType(type.getElementType()), 0);
    if (!none)
      return none.takeStatus();
    return pack(compiler, std::move(*none), type, nullptr, false, format.getFill());
  }
  type = withDecidedWidths(type, sizes, std::nullopt);
  Result<Storage> storage = host::filled(storedFormatOf(type), std::move(sizes),
                                         elementBytes(type.getElementType(), value));
  if (!storage)
    return storage.takeStatus();
  return TensorValue{type, std::make_shared<Storage>(std::move(*storage)), nullptr};
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
  if (tensor.pieces) {
    auto pieces = std::make_shared<TensorPieces>(*tensor.pieces);
    for (TensorPieces::Piece &piece : pieces->own) {
      Result<TensorValue> one = cloned(piece.tensor);
      if (!one)
        return one;
      piece.tensor = std::move(*one);
    }
    TensorValue copy{tensor.type, nullptr};
    copy.pieces = std::move(pieces);
    return copy;
  }
  Result<Storage> copy = host::cloned(*tensor.storage);
  if (!copy)
    return copy.takeStatus();
  return TensorValue{tensor.type, std::make_shared<Storage>(std::move(*copy)), tensor.source};
}

//===------------------------------------------------------------------------------------------===//
// Writing
//===------------------------------------------------------------------------------------------===//

Status writeTensor(KernelCompiler &compiler, const TensorValue &tensor, const std::string &file,
                   int64_t indexBase) {
  const TensorValue &first = tensor.parts.empty() ? tensor : tensor.parts.front();
  return host::writeTensor(
      file, tensor.storage.get(), storedFormatOf(first.type), [&] { return fileLevels(tensor); },
      [&] { return unpack(compiler, tensor); }, indexBase);
}

//===------------------------------------------------------------------------------------------===//
// Printing
//===------------------------------------------------------------------------------------------===//

Result<PrintedTensor> printedTensor(KernelCompiler &compiler, const TensorValue &tensor,
                                    StringRef name) {
  PrintedTensor printed{name.str(), tensor.sizes(),
                        runtime::isComplexType(*runtimeType(tensor.type.getElementType()))};
  std::optional<std::vector<int64_t>> strides;
  if (tensor.parts.empty())
    strides = host::denseStrides(storedFormatOf(tensor.type), tensor.sizes());
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
    printed.fill = numberOf(tensor.type.getElementType(), ta::fillOf(tensor.type));
  for (int64_t entry = 0; entry < std::min(list->count(), mostPrinted); ++entry) {
    std::vector<int64_t> &coordinates = printed.coordinates.emplace_back();
    for (int dim = 0; dim < list->order(); ++dim)
      coordinates.push_back(list->coordinate(dim, entry));
    printed.values.push_back(list->value(entry));
  }
  return printed;
}

} // namespace strata
