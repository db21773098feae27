// What a storage will need, before it is made.
#ifndef STRATA_ESTIMATE_ESTIMATE_H
#define STRATA_ESTIMATE_ESTIMATE_H

#include "strata/dialect/ta/Ta.h"
#include "strata/level/LevelFormat.h"
#include "strata/runtime/storage/Coordinates.h"
#include "strata/tensor/ElementTypes.h"

namespace strata {

/// Refuses what needs more bytes than this machine has memory: the system would grant the address
/// space, and end the process when it is filled. `instead`: what would need less.
runtime::Status checkMemory(const std::string &what, double bytes, const std::string &instead);

/// Refuses ranks (Ranks.h) for the dimensions that the type's format sorts, if they alone would
/// need more than 16 MiB and 20 times as much as the list.
runtime::Status checkRanks(const runtime::Coordinates &list, mlir::RankedTensorType type);

/// Refuses a storage of `type`, its widths decided, of more than 16 MiB that is more than 20 times
/// as large as a list of the entries, unless every coordinate has a place by the format's own
/// choice. `levels`: the entries' coordinates of the format's given levels, sorted by them, without
/// repetitions.
runtime::Status checkGrowth(const runtime::Coordinates &levels, mlir::RankedTensorType type);

/// The same for a storage of so many entries, of one level of which it is known how many positions
/// it will have.
runtime::Status checkGrowth(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> sizes,
                            int64_t entries, KnownPositions known);

/// The most bytes of a storage of `type` into which so many entries are packed or converted: what
/// would be absurdly large is refused (checkGrowth), unless that is forced.
double packedBytes(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> sizes, int64_t entries,
                   bool force);

/// About the bytes of a storage of `type` with so many entries, wherever they lie.
double storageBytes(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> sizes, int64_t entries);

/// Of these, what the levels take, without the values.
double patternBytes(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> sizes, int64_t entries);

/// The bytes of one element of a level's buffers of that kind; its widths are decided.
double elementBytes(ta::LevelAttr level, BufferKind kind);

/// Can so many entries make a storage that checkGrowth refuses, wherever they lie?
bool canGrow(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> sizes, int64_t entries);

} // namespace strata

#endif // STRATA_ESTIMATE_ESTIMATE_H
