// The levels of which passes make the formats of temporaries, and of converted operands.
#ifndef STRATA_LOWER_TA_TEMPORARYLEVELS_H
#define STRATA_LOWER_TA_TEMPORARYLEVELS_H

#include "strata/dialect/ta/Ta.h"

namespace strata {

/// Returns a level with a place for each coordinate, of what has a value at all of them.
ta::LevelAttr placeLevel(mlir::MLIRContext *context);

/// Returns a level with a place for each coordinate, each of which is marked if it has a value: for
/// what is reached in no order, or where a sum without terms is told from one that is zero. It
/// takes the memory of all places.
ta::LevelAttr markedPlaceLevel(mlir::MLIRContext *context);

/// Returns a level of the coordinates that occur, which come in order.
ta::LevelAttr entryLevel(mlir::MLIRContext *context);

/// Returns a level that finds the coordinates that occur, which come in no order.
ta::LevelAttr tableLevel(mlir::MLIRContext *context);

/// Returns the format whose levels store the dimensions in their order.
ta::FormatAttr formatInOrder(mlir::MLIRContext *context, llvm::ArrayRef<ta::LevelAttr> levels);

/// Returns the format of a temporary of `rank` dimensions, one or more, with a place for each
/// element, which is marked if it has a value.
ta::FormatAttr markedPlaces(mlir::MLIRContext *context, unsigned rank);

} // namespace strata

#endif // STRATA_LOWER_TA_TEMPORARYLEVELS_H
