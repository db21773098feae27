// The ta dialect: tensors with storage formats, statements of index notation, host programs.
#ifndef STRATA_DIALECT_TA_TA_H
#define STRATA_DIALECT_TA_TA_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "strata/level/LevelProperties.h"

namespace strata::ta {

/// Where the coordinates of a level lie: that of position p is element stride * p + offset of the
/// buffer of level `leader`, the level itself or one above it that is `aos`.
struct Interleaving {
  unsigned leader;
  int64_t stride = 1, offset = 0;
};

} // namespace strata::ta

#include "strata/dialect/ta/TaDialect.h.inc"
#include "strata/dialect/ta/TaEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "strata/dialect/ta/TaAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "strata/dialect/ta/TaTypes.h.inc"
#define GET_OP_CLASSES
#include "strata/dialect/ta/TaOps.h.inc"

namespace strata::ta {

/// The properties of level `lvl` of `format`, as configured there.
LevelProperties levelProperties(FormatAttr format, unsigned lvl);

/// Levels whose coordinates lie in one buffer have one width: where one states it, all get it.
void shareWidths(llvm::MutableArrayRef<LevelAttr> levels);

/// The format of a tensor type; dense and row-major where it has no encoding. Of a sum of storages,
/// the format in which it can be joined: what reads storages asks sumOf first. Of a tensor in
/// pieces, that of each piece: what reads storages asks placementOf first.
FormatAttr formatOf(mlir::RankedTensorType type);

/// The sum of storages as which a tensor type is stored; null if it is stored as one.
SumAttr sumOf(mlir::RankedTensorType type);

/// Where the pieces of a tensor are; null if it is whole on all cells.
PlacementAttr placementOf(mlir::RankedTensorType type);

/// `type` with another format (dropped where it is dense and row-major) or sum of formats, and the
/// placement that it has.
mlir::RankedTensorType withFormat(mlir::RankedTensorType type, mlir::Attribute format);

/// `type` with another placement; with null, whole.
mlir::RankedTensorType withPlacement(mlir::RankedTensorType type, PlacementAttr placement);

/// The type of what one cell has of a tensor that is placed, whatever its sizes are.
mlir::RankedTensorType pieceType(mlir::RankedTensorType type);

/// Dense and row-major, of `order` dimensions.
FormatAttr denseFormat(mlir::MLIRContext *context, unsigned order);

/// The value that was converted and reindexed into `tensor`, or handed over by a loop or a branch;
/// itself if it was not.
mlir::Value originOf(mlir::Value tensor);

/// The type that elements have inside statements: their own, but that integers have no sign, as
/// arith wants them.
mlir::Type valueTypeOf(mlir::Type element);

/// The fill value of a tensor as a constant of the type of its values.
mlir::TypedAttr fillOf(mlir::RankedTensorType type);

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_TA_H
