// Checks a statement's result against the reference interpreter.
#ifndef STRATA_EXECUTION_CHECK_H
#define STRATA_EXECUTION_CHECK_H

#include "strata/dialect/ta/Ta.h"
#include "strata/runtime/storage/Coordinates.h"

#include <functional>
#include <memory>
#include <vector>

namespace strata {

/// The operands as coordinates, before packing.
struct CheckInputs {
  std::vector<std::shared_ptr<const runtime::Coordinates>> tensors; ///< by the statement's inputs
  std::shared_ptr<const runtime::Coordinates> init;
  std::function<int64_t(mlir::Value)> index; ///< extents and sizes
};

struct CheckOutcome {
  bool agrees = false;
  std::string text; ///< what was compared, or the first differences
};

/// Evaluates the statement from its definition and compares.
runtime::Result<CheckOutcome> checkStatement(ta::ComputeOp op, const CheckInputs &inputs,
                                             const runtime::Coordinates &actual);

/// Does a tensor of that type hold what it was made from, a list with the same fill? `actual` are
/// its entries; repeated ones of the list are added up.
runtime::Result<CheckOutcome> checkStored(const runtime::Coordinates &list,
                                          mlir::RankedTensorType type,
                                          const runtime::Coordinates &actual);

} // namespace strata

#endif // STRATA_EXECUTION_CHECK_H
