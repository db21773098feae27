// A tensor at run time: its type with every width decided, and its storage.
#ifndef STRATA_EXECUTION_TENSORVALUE_H
#define STRATA_EXECUTION_TENSORVALUE_H

#include "strata/dialect/ta/Ta.h"
#include "strata/runtime/storage/Coordinates.h"
#include "strata/runtime/storage/Storage.h"

#include <memory>

namespace strata {

struct TensorValue {
  mlir::RankedTensorType type;
  std::shared_ptr<runtime::Storage> storage; ///< shared until somebody writes
  /// The coordinates it was packed from, where they were kept for checking.
  std::shared_ptr<const runtime::Coordinates> source;

  const std::vector<int64_t> &sizes() const { return storage->sizes(); }
  ta::FormatAttr format() const { return ta::formatOf(type); }
  int64_t storedCount() const { return storage->values().count; }
};

} // namespace strata

#endif // STRATA_EXECUTION_TENSORVALUE_H
