// What the values of operands decide between two ways to compute a statement.
#ifndef STRATA_RUN_CHOOSEWAY_H
#define STRATA_RUN_CHOOSEWAY_H

#include "strata/tensor/TensorValue.h"

namespace strata {

/// Tells whether the tensor is one storage of finite values.
bool holdsFinite(const TensorValue &tensor);
/// The same of values of which none is zero.
bool holdsDivisors(const TensorValue &tensor);

} // namespace strata

#endif // STRATA_RUN_CHOOSEWAY_H
