// Counts what storages hold, so that nothing gets lost unseen where one is made from another.
#ifndef STRATA_CONVERSION_ENTRYCOUNT_H
#define STRATA_CONVERSION_ENTRYCOUNT_H

#include "strata/runtime/Status.h"
#include "strata/tensor/TensorValue.h"

namespace strata {

/// The entries of a tensor whose levels keep their coordinates: positions, but for pads. Takes time
/// in proportion to the positions where there are pads, else none.
int64_t entriesOf(const TensorValue &tensor);

/// How many values differ from the fill, bit by bit.
int64_t valuesBesideFill(const TensorValue &tensor);

/// Can the same coordinates be stored several times?
bool mayRepeat(mlir::RankedTensorType type);

/// An internal error if `made`, which was made from `from` by a copy of all entries, does not hold
/// as many. What cannot be compared passes: repetitions, which are added up, where there are at
/// least as many entries; values that were converted to another type; another fill.
runtime::Status checkNothingLost(const TensorValue &from, const TensorValue &made);

/// The same of so many entries, each once, that were packed.
runtime::Status checkNothingLost(int64_t entries, const TensorValue &made);

} // namespace strata

#endif // STRATA_CONVERSION_ENTRYCOUNT_H
