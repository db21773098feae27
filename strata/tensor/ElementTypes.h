// Element types, as the compiler and as the runtime call them.
#ifndef STRATA_TENSOR_ELEMENTTYPES_H
#define STRATA_TENSOR_ELEMENTTYPES_H

#include "strata/dialect/ta/Ta.h"
#include "strata/runtime/Status.h"
#include "strata/runtime/abi.h"
#include <optional>
#include <vector>

namespace strata {

/// The runtime's name for an element type; nothing if it has none.
std::optional<strata_type> runtimeType(mlir::Type type);
mlir::Type compilerType(mlir::MLIRContext *context, strata_type type);
/// A tensor type of dynamic sizes.
mlir::RankedTensorType dynamicType(unsigned rank, mlir::Type element, ta::FormatAttr format);
/// The word that programs have for an element type: "double", "complex", ....
llvm::StringRef elementTypeWord(mlir::Type type);

/// `type` with the narrowest widths of stored positions and coordinates that hold, level by level,
/// what its sizes and at most `entries` stored entries need; positions have 64 bits where nobody
/// knows how many entries come. Widths that are given stay.
mlir::RankedTensorType withDecidedWidths(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> sizes,
                                         std::optional<int64_t> entries);

/// First coordinate and number of coordinates of an expression, or of each level, for dimensions of
/// these sizes; `slots` gives the number of those of each slot, 1 where that is not known yet.
struct LevelExtent {
  int64_t first, extent;
};
LevelExtent extentOf(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> sizes);
llvm::SmallVector<LevelExtent> levelExtents(ta::FormatAttr format, llvm::ArrayRef<int64_t> sizes,
                                            llvm::ArrayRef<int64_t> slots = {});
/// The sizes of the stored levels: of a tensor in level space (host/StoredFormat.h).
std::vector<int64_t> levelSizes(ta::FormatAttr format, llvm::ArrayRef<int64_t> sizes,
                                llvm::ArrayRef<int64_t> slots = {});

/// How many positions one level of a storage has.
struct KnownPositions {
  unsigned level;
  int64_t count;
};

/// The most positions that each level can have: one for each entry, and where none repeats below a
/// parent, one for each coordinate there.
llvm::SmallVector<int64_t> mostPositions(ta::FormatAttr format, llvm::ArrayRef<LevelExtent> extents,
                                         int64_t entries,
                                         std::optional<KnownPositions> known = std::nullopt);

/// Fails if the widths of `type`, all decided, cannot hold the coordinates of these sizes or, where
/// that is known without building the storage, the positions of `entries` entries. Kernels check
/// the others.
runtime::Status checkWidths(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> sizes,
                            std::optional<int64_t> entries);

/// The types of the buffers of a storage: those of its levels, then the values.
std::vector<strata_type> bufferTypes(mlir::RankedTensorType type);

} // namespace strata

#endif // STRATA_TENSOR_ELEMENTTYPES_H
