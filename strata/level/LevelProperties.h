// What is known of a level format without emitting code: its properties and what it can do.
#ifndef STRATA_LEVEL_LEVELPROPERTIES_H
#define STRATA_LEVEL_LEVELPROPERTIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace strata {

/// The properties of a level (004 section 3.3, Table 3.2).
struct LevelProperties {
  /// Every coordinate that lies inside the tensor is stored below every parent.
  bool full = false;
  /// The coordinates below a parent ascend.
  bool ordered = true;
  /// No coordinate occurs twice below a parent.
  bool unique = true;
  /// Every parent has exactly one child, at the parent's own position.
  bool branchless = false;
  /// The positions below all parents together are consecutive, without gaps.
  bool compact = false;
};

/// What a level is in files that store tensors level by level, such as binsparse.
enum class FileLevel {
  None,   ///< nothing that they know
  Places, ///< a place for every coordinate, without buffers
  Lists,  ///< where each parent's coordinates begin, and the coordinates
  Tuples, ///< one more coordinate for each place of the level above
};

/// What a level format offers to the compiler's analyses; the code it emits is LevelFormat.h's.
struct LevelTraits {
  llvm::StringRef name;
  LevelProperties defaults;
  bool canBeNonunique = false, canBeUnordered = false;
  /// Access capabilities (004 Table 3.1): by walking positions, by walking coordinates, by walking
  /// intervals of coordinates, at random.
  bool iteratesPositions = false, iteratesCoordinates = false, iteratesSpans = false,
       locates = false;
  /// Walking meets places where nothing is stored: accesses say whether something was found.
  bool misses = false;
  /// Assembly capabilities (004 Table 3.3): coordinates appended in order, or inserted anywhere.
  /// A level that does neither has nothing to be told.
  bool appends = false, inserts = false;
  /// One that appends can also be told first how many children each parent will have, and then take
  /// them in any order of the parents.
  bool counts = false;
  /// One that appends can take back its last coordinate.
  bool retracts = false;
  /// There is a place for every coordinate below every parent: N of them, known in advance.
  bool places = false;
  /// Coordinates are stored in places that are there in any case; some places hold none.
  bool pads = false;
  /// Appending makes positions also for coordinates in between, which then hold the fill.
  bool fillsGaps = false;
  /// ... and from the level's least coordinate up to the first.
  bool fillsFront = false;
  /// Coordinates with equal values may share one position: only at the leaf.
  bool sharesValues = false;
  /// Its coordinates, one for each position, lie in one buffer, which neighbours that have the same
  /// positions can share: where it branches, it offers the buffer; where it is branchless, it
  /// joins.
  bool interleaves = false;
  /// What the level's parameter is ("places below each parent"); empty if it takes none.
  llvm::StringRef parameter = "";
  /// Keeps the coordinates of what is stored: stored fills can be told from what is not there.
  bool keepsCoordinates() const { return (appends || inserts || pads) && !fillsGaps; }
  /// The coordinate follows from the ancestors' coordinates alone.
  bool computed = false;
  /// Above it may only stand levels of which the same is true.
  bool outermost = false;
  FileLevel inFiles = FileLevel::None;
};

/// The level format of that name, or null.
const LevelTraits *findLevelTraits(llvm::StringRef name);

/// Does a level of that registered name keep buffers of positions, or of coordinates?
bool storesPositions(llvm::StringRef name);
bool storesCoordinates(llvm::StringRef name);

/// All registered names, for messages and for tests over every format.
llvm::ArrayRef<llvm::StringRef> levelNames();

} // namespace strata

#endif // STRATA_LEVEL_LEVELPROPERTIES_H
