// Checks that a storage keeps what the levels of its format promise.
#ifndef STRATA_TENSOR_VALIDATE_H
#define STRATA_TENSOR_VALIDATE_H

#include "strata/tensor/TensorValue.h"

namespace strata {

/// Walks the levels from the root, without generated code, and reports the first place that breaks
/// a promise: counts that do not belong together, positions that do not ascend, coordinates outside
/// their level or, with those above them, outside the tensor, out of order, or there twice. Nothing
/// outside the buffers is read, whatever they hold.
runtime::Status validate(const TensorValue &tensor);

} // namespace strata

#endif // STRATA_TENSOR_VALIDATE_H
