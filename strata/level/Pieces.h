// How the positions of a level and those of the level above belong together: what cuts a storage
// into pieces of equally many entries needs, and no more.
//
// All functions have defaults that use nothing but the level's iteration: children are what it
// walks below a range of parents, a parent is searched among the beginnings of these, a coordinate
// among those below a parent.
// (The image and the preimage of 003 section IV.)
#ifndef STRATA_LEVEL_PIECES_H
#define STRATA_LEVEL_PIECES_H

#include "strata/level/LevelFormat.h"

namespace strata {

/// True where the positions below a range of parents are a range, in which each entry has one.
bool hasPieces(const LevelFormat &format, const LevelProperties &properties);

/// The positions below parents [begin, end). Constant time.
PositionRange childrenOf(const LevelFormat &format, LevelView &view, PositionRange parents);

/// The one of `parents` below which a position lies. Time in proportion to the logarithm of their
/// number, or constant where the level has one child, or all, below each parent.
mlir::Value parentOf(const LevelFormat &format, LevelView &view, mlir::Value position,
                     PositionRange parents);

/// The position of a coordinate below a parent, and whether there is one: at once where the level
/// locates, else by bisection, where it walks by position in order, each coordinate once.
Found positionOf(const LevelFormat &format, LevelView &view, mlir::Value coordinate,
                 PositionRange parent);

/// The coordinate of a position below `parent`. Constant time.
mlir::Value coordinateAt(const LevelFormat &format, LevelView &view, mlir::Value position,
                         mlir::Value parent);

} // namespace strata

#endif // STRATA_LEVEL_PIECES_H
