// From the coordinates of a tensor's dimensions to those of its format's levels, and back.
//
// The levels that store something (all but those computed from others) span a space of their own:
// each entry has a coordinate in each, slots included once they are numbered. A storage is the
// same buffers in that space as in the tensor's.
#ifndef STRATA_EXECUTION_LEVELSPACE_H
#define STRATA_EXECUTION_LEVELSPACE_H

#include "strata/execution/KernelCompiler.h"

namespace strata {

/// A tensor type of dynamic sizes.
mlir::RankedTensorType dynamicType(unsigned rank, mlir::Type element, ta::FormatAttr format);

/// The sizes of the levels of a tensor of these sizes. `slots`: how many of each there are.
std::vector<int64_t> levelSizes(ta::FormatAttr format, llvm::ArrayRef<int64_t> sizes,
                                llvm::ArrayRef<int64_t> slots);

/// From coordinates of dimensions to coordinates of levels, counted from the first of each level:
/// lists hold no negative ones. All entries are in the first slot until countSlots numbers them.
runtime::Result<runtime::Coordinates> toLevels(runtime::Coordinates list, ta::FormatAttr format);

/// Numbers all slots of the format, from the root down, and gives the levels their sizes. `slots`
/// takes how many of each there are.
runtime::Status countSlots(runtime::Coordinates &levels, ta::FormatAttr format,
                           llvm::ArrayRef<int64_t> sizes, llvm::SmallVectorImpl<int64_t> &slots);

/// From counting from a level's first coordinate to the coordinates themselves, where they are
/// stored. The list is sorted before, since they may be negative after it.
void storedCoordinates(runtime::Coordinates &levels, ta::FormatAttr format,
                       llvm::ArrayRef<int64_t> sizes);

/// From coordinates of levels, as they are stored, to those of dimensions. What lies outside the
/// tensor (the rest of a block at its edge) is dropped.
runtime::Result<runtime::Coordinates> fromLevels(runtime::Coordinates levels, ta::FormatAttr format,
                                                 const std::vector<int64_t> &sizes);

/// How many slots the storage has, for each level that is a slot.
llvm::SmallVector<int64_t> slotsOf(const TensorValue &tensor);

/// The tensor's storage as one in the space of its levels, whose sizes are given. It shares the
/// tensor's buffers.
runtime::Storage inLevelSpace(const TensorValue &tensor, llvm::ArrayRef<int64_t> sizes);

/// Moves the buffers of a storage in the space of levels into `result`, a storage of the tensor.
runtime::Status fromLevelSpace(runtime::Storage &filled, ta::FormatAttr format,
                               llvm::ArrayRef<int64_t> slots, runtime::Storage &result);

} // namespace strata

#endif // STRATA_EXECUTION_LEVELSPACE_H
