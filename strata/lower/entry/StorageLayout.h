// A kernel's storages as the buffers and sizes that its body receives, and views of their levels.
#ifndef STRATA_LOWER_ENTRY_STORAGELAYOUT_H
#define STRATA_LOWER_ENTRY_STORAGELAYOUT_H

#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/Ta.h"
#include "strata/level/LevelFormat.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace strata {

/// The buffers of a level: those of its format, but for coordinates that lie in the buffer of a
/// level above; then, of a slot, one word, how many there are.
llvm::SmallVector<BufferSpec> levelBuffers(ta::FormatAttr format, unsigned level);
/// What kernels call the buffers of a tensor: "A1_pos", ..., "A_vals".
llvm::SmallVector<std::string> bufferNames(ta::FormatAttr format, const std::string &tensor);
/// The numbers, among a storage's buffers, of those that a level's functions see: its own, and the
/// one in which its coordinates lie, in the order of its format; then a slot's word.
llvm::SmallVector<int64_t> visibleBuffers(ta::FormatAttr format, unsigned level);

/// The order of a dimension that a format sorts: two buffers of words, behind those of the levels.
struct SortedValues {
  mlir::Value order; ///< memref<?xi64>: the coordinate of each rank
  mlir::Value ranks; ///< memref<?xi64>: the rank of each coordinate
  mlir::Value coordinateOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value rank) const;
  mlir::Value rankOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value coordinate) const;
};

/// One storage of a kernel, as SSA values at the kernel's entry.
struct StorageValues {
  StorageValues(ta::StorageType type, std::string name);

  ta::StorageType type;
  ta::FormatAttr format;
  ta::FormatMap map;
  std::string name;
  llvm::SmallVector<mlir::Value> sizes;                      ///< of the dimensions, index
  llvm::SmallVector<ta::Extent<mlir::Value>> extents;        ///< of the levels
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> buffers; ///< per level, memref<?xT>
  llvm::DenseMap<int64_t, SortedValues> sorted;              ///< by dimension
  mlir::Value values;                                        ///< memref<?xT>
  mlir::Value entries;                                       ///< how many values are stored, index
  mlir::Value handle; ///< !llvm.ptr to the strata_storage; of the result only

  /// What a level's buffers of positions and of coordinates hold.
  mlir::Type positionType(unsigned level) const;
  mlir::Type coordinateType(unsigned level) const;
  const LevelFormat &level(unsigned at) const;
  /// Index of a level's first buffer in the strata_storage; of the values for at = number of
  /// levels.
  int64_t firstBuffer(unsigned at) const;
};

/// A path as positions and coordinates, one of each per level walked.
struct PathValues {
  const StorageValues *storage = nullptr;
  llvm::SmallVector<PositionRange> positions;
  llvm::SmallVector<mlir::Value> coordinates;
  /// Of a result whose pattern is there: whether it has these coordinates; null if that is certain.
  mlir::Value found = nullptr;
  bool dropped = false; ///< where they are not found, there is nothing to store
  /// Of an operand's path out of a loop with predicates: whether it leads anywhere; null if it
  /// does.
  mlir::Value there = nullptr;

  PositionRange last(mlir::OpBuilder &b, mlir::Location loc) const;
  void push(PositionRange position, mlir::Value coordinate) {
    positions.push_back(position);
    coordinates.push_back(coordinate);
  }
};

/// Level `level` as seen below `ancestors`.
LevelView viewLevel(mlir::OpBuilder &b, mlir::Location loc, const StorageValues &storage,
                    unsigned level, llvm::ArrayRef<mlir::Value> ancestors);

/// Narrows [lo, hi) of the view to the coordinates c with 0 <= factor * c + rest < size.
void clampCoordinates(LevelView &view, int64_t factor, mlir::Value rest, mlir::Value size);

/// Makes `kernel`'s body receive bare buffers: (context, handles, sizes, buffers, extents). Its
/// argument list is described by the attribute `strata.arguments` for the entry point. Fills
/// `storages` (by the old arguments' order) and `context`; `others` receives the other arguments.
void layOutArguments(mlir::func::FuncOp kernel, mlir::OpBuilder &b, bool updatesResult,
                     llvm::SmallVectorImpl<std::unique_ptr<StorageValues>> &storages,
                     llvm::SmallVectorImpl<mlir::Value> &others, mlir::Value &context);

} // namespace strata

#endif // STRATA_LOWER_ENTRY_STORAGELAYOUT_H
