// How many slots a tensor will have in a format: what must be known before it is filled.
#ifndef STRATA_CONVERSION_SLOTS_H
#define STRATA_CONVERSION_SLOTS_H

#include "strata/conversion/Packing.h"
#include "strata/estimate/Estimate.h"

namespace strata {

struct SlotCount {
  int64_t slots;        ///< of the place that has most
  KnownPositions known; ///< how many positions that level has that they decide
};

/// Counts the entries of each row by a kernel, for a tensor of these sizes. Loops can number the
/// format's slots (slotNumbering); what is counted has its dimensions, perhaps without those of
/// which slots hold all places, and no padding.
runtime::Result<SlotCount> countSlotsOf(KernelCompiler &compiler, const TensorValue &tensor,
                                        ta::FormatAttr format, llvm::ArrayRef<int64_t> sizes,
                                        PackTimes &spent);

/// Returns the bytes of the counts.
double slotCountBytes(ta::FormatAttr format, llvm::ArrayRef<int64_t> sizes);

/// Writes how many slots there are into a storage of that format.
runtime::Status storeSlots(runtime::Storage &storage, ta::FormatAttr format, int64_t slots);

} // namespace strata

#endif // STRATA_CONVERSION_SLOTS_H
