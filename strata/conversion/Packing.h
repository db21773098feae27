// From lists of coordinates to storages in any format, by generated kernels.
//
// Packing works in the space of levels: each entry's coordinates become those of the format's
// levels, the list is sorted by them, and the statement `B[l0, l1, ...] = A[l0, l1, ...]` from a
// coordinate format into the levels is compiled like any other. Slots are numbered before, on the
// sorted list; in the space of levels they are a dimension.
#ifndef STRATA_CONVERSION_PACKING_H
#define STRATA_CONVERSION_PACKING_H

#include "strata/compile/KernelCompiler.h"

namespace strata {

/// What a step of packing took.
struct PackTimes {
  double sort = 0, compile = 0, fill = 0;
  CompileTimes parts = {}; ///< of `compile`
  double total() const { return sort + compile + fill; }
};

/// Fails if levels with a place for every coordinate, at the root or below a single entry, would
/// need absurdly many: refused before it is attempted, and before products of sizes overflow.
/// `slots`: how many of them there are, where that is known.
runtime::Status checkPlaces(ta::FormatAttr format, llvm::ArrayRef<int64_t> sizes, int64_t entries,
                            int64_t elementBytes, llvm::ArrayRef<int64_t> slots = {});

/// Packs entries into the format of `type`; duplicates are summed. Uses `list` up. Refuses a
/// storage that would be absurdly larger than the list (checkGrowth) unless it is told to `force`
/// it. What the list does not hold is worth `fill`; zero, if that is null.
runtime::Result<TensorValue> pack(KernelCompiler &compiler, runtime::Coordinates list,
                                  mlir::RankedTensorType type, PackTimes *times = nullptr,
                                  bool force = false, mlir::Attribute fill = {});

/// The kernel that copies a sorted list in level space (host/Pack.h) to a format. What the list
/// does not hold is worth `fill`.
struct PackingKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  bool keepsValues; ///< as host::Packer::Copy::keepsValues
};
PackingKernel packingKernel(mlir::RankedTensorType type, strata_type coordinates,
                            llvm::ArrayRef<int> order, mlir::Attribute fill);

/// What packing a list of so many entries takes at most, in bytes, beside the storage that it
/// makes: the list, the coordinates of its levels, and what sorting needs.
int64_t packingNeeds(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> sizes, int64_t entries);

} // namespace strata

#endif // STRATA_CONVERSION_PACKING_H
