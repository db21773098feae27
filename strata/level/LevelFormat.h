// The interface of a level format: level functions that emit IR, one capability a class.
//
// Notation, as in 004 chapter 3: a level k holds, below each position p_{k-1} of its parent, some
// positions p_k, each with a coordinate c_k. A position is an `index`. All functions emit upstream
// IR (arith, scf, memref, func) at the builder's insertion point. What no function here exposes
// (how many arrays there are, what they hold) is a format's own affair.
#ifndef STRATA_LEVEL_LEVELFORMAT_H
#define STRATA_LEVEL_LEVELFORMAT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "strata/level/LevelProperties.h"
#include <memory>
#include <optional>
#include <string>

namespace strata {

/// What the elements of a buffer are; the format states the widths of positions and coordinates.
enum class BufferKind { Position, Coordinate, Word, Byte };

struct BufferSpec {
  llvm::StringRef name; ///< "pos", "crd", ...: in generated code A's is A1_pos at level 1.
  BufferKind kind;
};

/// Positions [begin, end) of a parent level; without an end the single position `begin`.
struct PositionRange {
  mlir::Value begin;
  mlir::Value end = nullptr;
};

/// A coordinate or position and whether it is there; `found` is null where it always is.
struct Found {
  mlir::Value value;
  mlir::Value found = nullptr;
};

/// One level of one storage, as its level functions see it at one place in the code.
struct LevelView {
  mlir::OpBuilder &b;
  mlir::Location loc;
  LevelProperties properties{};          ///< as configured by the tensor's format
  LevelProperties parentProperties{};    ///< of the level above; full, unique, compact for the root
  bool root = false;                     ///< no level stands above
  llvm::ArrayRef<mlir::Value> buffers{}; ///< memref<?xT>, in the order of LevelFormat::buffers()
  bool signedCrd = false; ///< stored coordinates of 8 and 16 bits are signed, else unsigned
  mlir::Value first{};    ///< least coordinate that the level can have in any place
  mlir::Value extent{};   ///< how many coordinates from there
  mlir::Value lo{}, hi{}; ///< [lo, hi): those that, below these ancestors, lie inside the tensor
  /// Of buffers of coordinates that lie interleaved with those of other levels: position p has
  /// element stride * p + offset (004 section 5.2).
  int64_t stride = 1, offset = 0;
  mlir::Value implied{}; ///< the coordinate that the ancestors determine, or null
  int64_t parameter = 0; ///< as given in the tensor's format
};

/// Walks positions: `pos_iter`, `pos_access` (004 Table 3.1).
struct PositionIteration {
  virtual ~PositionIteration() = default;
  /// pos_iter(p_{k-1}) -> [begin, end). Given a range of parents, all their children.
  virtual PositionRange posIter(LevelView &view, PositionRange parent) const = 0;
  /// pos_access(p_k) -> c_k, found.
  virtual Found posAccess(LevelView &view, mlir::Value pos) const = 0;
  /// What is walked may be a list of positions: that at place `at` of the walk. Only posIter and
  /// posAccess take places instead of positions.
  virtual mlir::Value position(LevelView &view, mlir::Value at) const { return at; }
};

/// Walks coordinates: `coord_iter`, `coord_access` (004 Table 3.1).
struct CoordinateIteration {
  virtual ~CoordinateIteration() = default;
  /// coord_iter() -> [begin, end) of coordinates.
  virtual PositionRange coordIter(LevelView &view) const = 0;
  /// coord_access(p_{k-1}, c_k) -> p_k, found.
  virtual Found coordAccess(LevelView &view, mlir::Value parent, mlir::Value crd) const = 0;
};

/// Finds the position of a coordinate at once: `locate` (004 Table 3.1).
struct Locate {
  virtual ~Locate() = default;
  /// locate(p_{k-1}, c_k) -> p_k, found. The coordinate lies in [lo, hi) or found says it does not.
  virtual Found locate(LevelView &view, mlir::Value parent, mlir::Value crd) const = 0;
};

/// An interval of coordinates [first, end) that is stored as one, from position `pos` on.
struct Span {
  mlir::Value first, end;
  mlir::Value pos;
};

/// Walks intervals of coordinates: `span_iter`, `span_access`; what Finch's looplets call runs and
/// steps. Spans below a parent come in order and do not meet.
struct SpanIteration {
  virtual ~SpanIteration() = default;
  /// span_iter(p_{k-1}) -> [begin, end) of spans. Given a range of parents, all their spans.
  virtual PositionRange spanIter(LevelView &view, PositionRange parent) const = 0;
  /// span_access(s) -> its coordinates and its first position.
  virtual Span spanAccess(LevelView &view, mlir::Value span) const = 0;
  /// From one coordinate of a span to the next: 1, or 0 where they all share the position.
  virtual int64_t positionStep() const { return 1; }
  /// Does every parent have one span, whose number is the parent's position?
  virtual bool hasOnePerParent() const { return false; }
};

/// The SSA values that a level under construction carries through loops: its declared fields.
using BuildState = llvm::SmallVector<mlir::Value, 4>;

/// What building a level needs besides its view.
struct BuildView : LevelView {
  mlir::Value context{};           ///< !llvm.ptr, the kernel's strata_context
  mlir::Value storage{};           ///< !llvm.ptr, the result's strata_storage
  int64_t firstBuffer = 0;         ///< index of the level's first buffer there
  mlir::Type posType{}, crdType{}; ///< element types of buffers of positions and coordinates
  /// The parent's positions come into being one by one, in order, each for a coordinate.
  bool parentAppends = false;
  mlir::Value parentCount{}; ///< number of the parent's positions; null if not known in advance
  mlir::Value hint{};        ///< how many entries to expect (index)
  mlir::Value values{};      ///< memref<?xT> of the values so far, at the leaf's positions
  mlir::Value pieces{};      ///< of a counted level: of how many pieces its loops consist
  bool mayRun = false;       ///< ... which may not run at all
  bool hasRoom = false;      ///< of Build::insert: makeRoom was called for it
  mlir::Value shared{};      ///< of a level in another one's buffer of coordinates: that buffer
};

/// Builds a level (004 Table 3.3): init, insert or append, edges, finalize.
struct Build {
  virtual ~Build() = default;
  virtual llvm::SmallVector<mlir::Type> fields(BuildView &view) const = 0;
  /// Reserves what is known in advance.
  virtual BuildState init(BuildView &view) const = 0;
  /// Gives (p_{k-1}, c_k) a position: appended, inserted, or merely computed.
  virtual mlir::Value insert(BuildView &view, BuildState &state, mlir::Value parent,
                             mlir::Value crd) const = 0;
  /// The number of positions so far, given that of the parent.
  virtual mlir::Value count(BuildView &view, const BuildState &state,
                            mlir::Value parentCount) const = 0;
  /// The parent's positions have grown from `before` to `after`: makes room for what is kept for
  /// each of them.
  virtual void reserve(BuildView &view, BuildState &state, mlir::Value before,
                       mlir::Value after) const {}
  /// Can room be made for several positions at once, where they are appended? makeRoom does, for
  /// `more` of them; `insert` need not ask then, which `view.hasRoom` says.
  virtual bool makesRoom() const { return false; }
  virtual void makeRoom(BuildView &view, BuildState &state, mlir::Value parentCount,
                        mlir::Value more) const {}
  /// Takes back the coordinate that was appended last, below which nothing is stored
  /// (LevelTraits::retracts).
  virtual void retract(BuildView &view, BuildState &state, mlir::Value crd) const {}
  /// append_edges: the children of `parent` are the positions from `mark` to count().
  virtual void close(BuildView &view, BuildState &state, mlir::Value parent,
                     mlir::Value mark) const {}
  /// Finishes and hands the buffers to the result's storage.
  virtual void seal(BuildView &view, BuildState &state, mlir::Value parentCount) const {}
  /// The buffer of coordinates, of a level that other levels can share it with.
  virtual mlir::Value coordinates(const BuildState &state) const { return {}; }
};

/// Builds a level in two passes over what it will hold: the first finds how many positions each
/// parent will have, the second stores the children, below one parent in order, the parents in any
/// order (004 section 3.4's `append_edges` for unordered parents). The number of parents is known.
///
/// Each pass may consist of pieces that run at once, the same ones in both passes: each counts for
/// itself, and below one parent the children of a piece come before those of the next. So what is
/// stored does not depend on the number of pieces.
struct CountedBuild {
  virtual ~CountedBuild() = default;
  virtual llvm::SmallVector<mlir::Type> fields(BuildView &view) const = 0;
  virtual BuildState init(BuildView &view) const = 0;
  /// The state with which a piece counts, or stores: init's, or reserve's, in all other respects.
  virtual BuildState enter(BuildView &view, const BuildState &state, mlir::Value piece,
                           bool counting) const = 0;
  /// Counts the child of `parent` with that coordinate.
  virtual void tally(BuildView &view, BuildState &state, mlir::Value parent,
                     mlir::Value crd) const = 0;
  /// Between the passes: makes room.
  virtual void reserve(BuildView &view, BuildState &state) const = 0;
  /// Stores a child's coordinate; gives its position.
  virtual mlir::Value insert(BuildView &view, BuildState &state, mlir::Value parent,
                             mlir::Value crd) const = 0;
  /// The number of positions, once room has been made.
  virtual mlir::Value count(const BuildState &state) const = 0;
  virtual void seal(BuildView &view, BuildState &state) const = 0;
  /// The buffer of coordinates, of a level that other levels can share it with.
  virtual mlir::Value coordinates(const BuildState &state) const { return {}; }
};

/// What the pieces of a loop have built, of each piece a row of words.
struct JoinView {
  mlir::Value rows;   ///< memref<?xi64>
  mlir::Value pieces; ///< index
  int64_t words;      ///< in a row
  int64_t fields;     ///< the word with the first field of the level's state
  int64_t count;      ///< the word with the number of the level's positions
  int64_t parents;    ///< ... of the parent's; -1: one
};

/// Builds parts of a level at once, by the pieces of a loop over its coordinates or an ancestor's.
/// Each part is built as if it were the whole (Build), and the parts are put one behind the other.
/// What a state keeps for each of the parent's positions, where their number is known in advance,
/// the pieces share: no two of them reach the same parent.
struct JoinedBuild {
  virtual ~JoinedBuild() = default;
  /// The state with which a piece begins.
  virtual BuildState fork(BuildView &view, const BuildState &state) const = 0;
  /// The whole, from the parts, in the order of the pieces.
  virtual BuildState join(BuildView &view, const BuildState &state,
                          const JoinView &parts) const = 0;
};

/// One level of a storage in this process's memory, which may be wrong.
struct StoredLevel {
  /// A buffer of integers; unsigned if so stored.
  struct Numbers {
    const void *data = nullptr;
    int64_t count = 0;
    unsigned bytes = 8;
    bool isSigned = true;
    int64_t stride = 1, offset = 0; ///< of elements among others: as in LevelView
    int64_t operator[](int64_t at) const;
    /// How many elements have that value.
    int64_t countOf(int64_t value) const;
  };
  llvm::SmallVector<Numbers, 3> buffers; ///< in the order of LevelFormat::buffers()
  int64_t parents = 1;                   ///< positions of the level above
  int64_t first = 0, extent = 0;         ///< the coordinates that the level can have
  int64_t parameter = 0;                 ///< as given in the tensor's format
  bool root = false;                     ///< no level stands above
};

/// Reads a stored level without generated code, so that a storage can be validated.
struct Inspect {
  virtual ~Inspect() = default;
  /// The number of positions; or, in `fault`, why the buffers do not belong together. Afterwards
  /// the functions below stay inside the buffers.
  virtual std::optional<int64_t> positions(const StoredLevel &level, std::string &fault) const = 0;
  /// The first position below `parent` and the one behind the last.
  virtual std::pair<int64_t, int64_t> children(const StoredLevel &level, int64_t parent) const {
    return {parent, parent + 1};
  }
  /// Nothing if the position (or the place in the list of children) holds none.
  virtual std::optional<int64_t> coordinate(const StoredLevel &level, int64_t pos) const = 0;
  /// The position at a place between the first and the last of children().
  virtual int64_t position(const StoredLevel &level, int64_t at) const { return at; }
  /// The last of the coordinates that a position holds.
  virtual std::optional<int64_t> lastCoordinate(const StoredLevel &level, int64_t pos) const {
    return coordinate(level, pos);
  }
  /// How many coordinates the level holds: as many as it has positions, but for those that hold
  /// none. Looks at the buffers alone.
  virtual int64_t entries(const StoredLevel &level, int64_t positions) const { return positions; }
};

/// How large a level is.
struct LevelCounts {
  double parents, positions; ///< of the level above, and its own
  bool root;
};

class LevelFormat {
public:
  explicit LevelFormat(LevelTraits traits) : traits(traits) {}
  virtual ~LevelFormat() = default;

  const LevelTraits traits;
  virtual llvm::SmallVector<BufferSpec> buffers() const = 0;
  /// About how many elements a buffer of such a level has, by its place in buffers(): an edge for
  /// each parent and one more, a coordinate or a byte for each position.
  virtual double elements(unsigned buffer, const LevelCounts &counts) const {
    return buffers()[buffer].kind == BufferKind::Position ? counts.parents + 1 : counts.positions;
  }

  // Capabilities: null where the format lacks them.
  virtual const PositionIteration *positionIteration() const { return nullptr; }
  virtual const CoordinateIteration *coordinateIteration() const { return nullptr; }
  virtual const SpanIteration *spanIteration() const { return nullptr; }
  virtual const Locate *locate() const { return nullptr; }
  virtual const Build *build() const { return nullptr; }
  virtual const CountedBuild *countedBuild() const { return nullptr; }
  virtual const JoinedBuild *joinedBuild() const { return nullptr; }
  /// Null also where there is nothing to read: without buffers.
  virtual const Inspect *inspect() const { return nullptr; }
};

/// The level format of that name; null if there is none.
const LevelFormat *findLevelFormat(llvm::StringRef name);

/// Adds a level format, before main or at least before any other use of level formats. False if the
/// name is taken, or the traits contradict the capabilities (docs/LevelFormats.md).
bool registerLevelFormat(std::unique_ptr<LevelFormat> format);

} // namespace strata

#endif // STRATA_LEVEL_LEVELFORMAT_H
