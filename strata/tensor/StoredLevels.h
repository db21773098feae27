// The levels of a storage as their formats' host functions (Inspect) see them.
#ifndef STRATA_TENSOR_STOREDLEVELS_H
#define STRATA_TENSOR_STOREDLEVELS_H

#include "strata/level/LevelFormat.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/TensorValue.h"

namespace strata {

/// Level `lvl` of a storage with buffers of the right types, below so many positions. `extent` is
/// of the coordinates that the level can have.
StoredLevel storedLevel(const TensorValue &tensor, unsigned lvl, int64_t parents,
                        LevelExtent extent);

/// How many positions level `lvl` of a storage in that format has; 0 if its buffers do not belong
/// together.
int64_t positionsOf(ta::FormatAttr format, unsigned lvl, const StoredLevel &level);

} // namespace strata

#endif // STRATA_TENSOR_STOREDLEVELS_H
