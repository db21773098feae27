// A tensor at run time: its type with every width decided, and its storage.
#ifndef STRATA_TENSOR_TENSORVALUE_H
#define STRATA_TENSOR_TENSORVALUE_H

#include "strata/dialect/ta/Ta.h"
#include "strata/runtime/dist/Placement.h"
#include "strata/runtime/storage/Coordinates.h"
#include "strata/runtime/storage/Storage.h"

#include <memory>

namespace strata {

struct TensorPieces;

struct TensorValue {
  mlir::RankedTensorType type;
  std::shared_ptr<runtime::Storage> storage; ///< shared until somebody writes
  /// The coordinates it was packed from, where they were kept for checking.
  std::shared_ptr<const runtime::Coordinates> source = nullptr;
  /// Where the type is a sum of storages: these, instead of one storage.
  std::vector<TensorValue> parts = {};
  /// Of a tensor on a machine, what this process has of it, instead of a storage.
  std::shared_ptr<const TensorPieces> pieces = nullptr;

  const std::vector<int64_t> &sizes() const;
  ta::FormatAttr format() const { return ta::formatOf(type); }
  /// Values, padding included; of a tensor in pieces those of this process.
  int64_t storedCount() const;
  /// Of all buffers of this process.
  int64_t bytes() const;

private:
  template <typename Count> int64_t total(Count count) const;
};

/// What this process has of a tensor on a machine: a tensor for each of its cells.
struct TensorPieces {
  struct Piece {
    int64_t cell;
    runtime::dist::Box box;
    bool isFirst; ///< no cell before has the same
    TensorValue tensor;
  };
  std::vector<int64_t> sizes; ///< of the whole tensor
  std::vector<Piece> own;
};

inline const std::vector<int64_t> &TensorValue::sizes() const {
  return pieces ? pieces->sizes : parts.empty() ? storage->sizes() : parts.front().sizes();
}

template <typename Count> int64_t TensorValue::total(Count count) const {
  int64_t sum = 0;
  for (const TensorValue &part : parts)
    sum += count(part);
  if (pieces)
    for (const TensorPieces::Piece &piece : pieces->own)
      sum += count(piece.tensor);
  return sum;
}

inline int64_t TensorValue::storedCount() const {
  return storage ? storage->values().count
                 : total([](const TensorValue &one) { return one.storedCount(); });
}

inline int64_t TensorValue::bytes() const {
  return storage ? storage->bytes() : total([](const TensorValue &one) { return one.bytes(); });
}

} // namespace strata

#endif // STRATA_TENSOR_TENSORVALUE_H
