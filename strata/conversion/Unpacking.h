// From storages in any format to lists of coordinates, by generated kernels: the levels are walked
// as they lie, whatever the map, and the map is inverted entry by entry.
#ifndef STRATA_CONVERSION_UNPACKING_H
#define STRATA_CONVERSION_UNPACKING_H

#include "strata/compile/KernelCompiler.h"

namespace strata {

/// The stored entries, sorted. Values equal to the fill are left out where the format stores places
/// regardless of entries (full levels, blocks, diagonals) and so cannot tell them from padding.
runtime::Result<runtime::Coordinates> unpack(KernelCompiler &compiler, const TensorValue &tensor);

/// The stored entries as they lie, repetitions included; values equal to the fill as for unpack.
runtime::Result<runtime::Coordinates> unpackUnsorted(KernelCompiler &compiler,
                                                     const TensorValue &tensor);

/// The kernel that copies a storage in level space to a list in no order (host/Unpack.h): a tensor,
/// or a part of one of the type `whole`. Values equal to the fill are left out as for unpack: by
/// the kernel, or, where loops that ask for them are not possible, afterwards.
struct UnpackingKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  bool leavesFills = false; ///< they are to be left out afterwards
};
UnpackingKernel unpackingKernel(mlir::RankedTensorType type, strata_type coordinates,
                                mlir::RankedTensorType whole);

/// Does a tensor of that type store places regardless of entries? There a stored fill cannot be
/// told from one that is not.
bool hasPadding(mlir::RankedTensorType type);

} // namespace strata

#endif // STRATA_CONVERSION_UNPACKING_H
