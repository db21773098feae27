// A tensor at run time: its type with every width decided, and its storage.
#ifndef STRATA_TENSOR_TENSORVALUE_H
#define STRATA_TENSOR_TENSORVALUE_H

#include "strata/dialect/ta/Ta.h"
#include "strata/runtime/storage/Coordinates.h"
#include "strata/runtime/storage/Storage.h"

#include <memory>

namespace strata {

struct TensorValue {
  mlir::RankedTensorType type;
  std::shared_ptr<runtime::Storage> storage; ///< shared until somebody writes
  /// The coordinates it was packed from, where they were kept for checking.
  std::shared_ptr<const runtime::Coordinates> source = nullptr;
  /// Where the type is a sum of storages: these, instead of one storage.
  std::vector<TensorValue> parts = {};

  const std::vector<int64_t> &sizes() const {
    return parts.empty() ? storage->sizes() : parts.front().sizes();
  }
  ta::FormatAttr format() const { return ta::formatOf(type); }
  /// Values, padding included.
  int64_t storedCount() const {
    return parts.empty() ? storage->values().count
                         : total([](const TensorValue &part) { return part.storedCount(); });
  }
  /// Of all buffers.
  int64_t bytes() const {
    return parts.empty() ? storage->bytes()
                         : total([](const TensorValue &part) { return part.bytes(); });
  }

private:
  template <typename Count> int64_t total(Count count) const {
    int64_t sum = 0;
    for (const TensorValue &part : parts)
      sum += count(part);
    return sum;
  }
};

} // namespace strata

#endif // STRATA_TENSOR_TENSORVALUE_H
