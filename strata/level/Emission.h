// The few IR idioms that level functions share: index arithmetic, typed loads, growing buffers.
#ifndef STRATA_LEVEL_EMISSION_H
#define STRATA_LEVEL_EMISSION_H

#include "strata/level/LevelFormat.h"

namespace strata::emit {

mlir::Value constant(LevelView &view, int64_t value);
mlir::Value add(LevelView &view, mlir::Value a, mlir::Value b);
mlir::Value sub(LevelView &view, mlir::Value a, mlir::Value b);
mlir::Value mul(LevelView &view, mlir::Value a, mlir::Value b);
mlir::Value less(LevelView &view, mlir::Value a, mlir::Value b);
mlir::Value equal(LevelView &view, mlir::Value a, mlir::Value b);

/// The first of the positions for which `before` does not hold, by halves; their end if it holds
/// for all. It holds for none behind one for which it does not.
mlir::Value bisect(mlir::OpBuilder &b, mlir::Location loc, PositionRange among,
                   llvm::function_ref<mlir::Value(mlir::Value position)> before);

/// Where the coordinate lies if its level has a place for each: p * N + c, counted from the first.
mlir::Value place(LevelView &view, mlir::Value parent, mlir::Value crd);

/// Loads element `at` of a buffer of positions (unsigned) as an index, named for readers.
mlir::Value loadPosition(LevelView &view, mlir::Value buffer, mlir::Value at);
/// Loads the coordinate of position `at` from a buffer of the level's coordinates as an index.
mlir::Value loadCoordinate(LevelView &view, mlir::Value buffer, mlir::Value at);
/// Stores it, narrowed to the buffer's element type.
void storeCoordinate(LevelView &view, mlir::Value buffer, mlir::Value at, mlir::Value coordinate);
/// How many elements of a buffer of coordinates so many positions take.
mlir::Value coordinates(LevelView &view, mlir::Value positions);
/// Stores an index, narrowed to the buffer's element type.
void storeIndex(LevelView &view, mlir::Value buffer, mlir::Value at, mlir::Value value);

/// A buffer that grows: its memref<?xT> and its capacity (index).
struct Growing {
  mlir::Value data, capacity;
};
/// Allocates room for `count` elements of `type`.
Growing allocate(BuildView &view, mlir::Type type, mlir::Value count);
/// Makes `buffer` hold at least `count` elements, at least doubling where it must grow.
void ensure(BuildView &view, Growing &buffer, mlir::Value count);
/// Writes `value` to elements [begin, end).
void fill(LevelView &view, mlir::Value buffer, mlir::Value begin, mlir::Value end,
          mlir::Value value);
/// Hands the first `count` elements to buffer `index` of the result's storage.
void publish(BuildView &view, const Growing &buffer, int64_t index, mlir::Value count);
/// Ends the kernel with a status where `condition` holds.
void failIf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value context, mlir::Value condition,
            int64_t status);
/// Ends the kernel where `value` does not fit buffers of positions.
void requirePosition(BuildView &view, mlir::Value value);
/// Into how many pieces to cut loops of about `steps` steps, each of which keeps `places` counts.
mlir::Value pieces(mlir::OpBuilder &b, mlir::Location loc, mlir::Value context, mlir::Value steps,
                   mlir::Value places);
/// Likewise, of loops of which each piece needs a workspace of `places` while it runs.
mlir::Value shares(mlir::OpBuilder &b, mlir::Location loc, mlir::Value context, mlir::Value steps,
                   mlir::Value places);
/// The piece with which the thread of one that has ended goes on (strata_kernel_go_on).
mlir::Value pieceAfter(mlir::OpBuilder &b, mlir::Location loc, mlir::Value context,
                       mlir::Value piece);
/// Of how many of a level's coordinates pieces consist (strata_kernel_block).
mlir::Value blockOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value context, mlir::Value extent,
                    mlir::Value longest);
/// How to add up the rows that begin at these positions, whose entries lead to places in `operands`
/// (strata_kernel_short_rows): an index.
mlir::Value wayToAddRows(mlir::OpBuilder &b, mlir::Location loc, mlir::Value context,
                         mlir::Value positions, mlir::ValueRange operands);
/// An index, not 0 where loops over the entries of such rows, which store to places of `target`,
/// are better not unrolled (strata_kernel_scatters_singly).
mlir::Value scattersSingly(mlir::OpBuilder &b, mlir::Location loc, mlir::Value context,
                           mlir::Value positions, mlir::Value target);
/// Puts the sums of `count` rows of terms, from row `first` on, into `sums` from `place` on
/// (strata_kernel_add_rows).
void addRows(mlir::OpBuilder &b, mlir::Location loc, mlir::Value terms, mlir::Value positions,
             mlir::Value first, mlir::Value count, mlir::Value sums, mlir::Value place);
/// The size of an element of a buffer.
int64_t bytesOf(mlir::Value buffer);
/// How far ahead to ask for what a loop reads of `operand` at coordinates, which are `stride`
/// elements apart, one if it is null (strata_kernel_lookahead).
mlir::Value lookahead(mlir::OpBuilder &b, mlir::Location loc, mlir::Value context,
                      mlir::Value coordinates, mlir::Value operand, mlir::Value stride);
/// The buffers that pieces keep in word `block` of their rows, with as many elements as word
/// `count` says, or `each` times as many, one behind the other.
Growing join(BuildView &view, const JoinView &parts, mlir::Type element, int64_t block,
             int64_t count, int64_t each = 1);
/// The buffers in word `block` that tell for each parent where its children begin.
Growing joinEdges(BuildView &view, const JoinView &parts, mlir::Type element, int64_t block);
/// The sum of a word over all rows.
mlir::Value sumOfRows(BuildView &view, const JoinView &parts, int64_t word);
/// Keeps a field of a builder's state, an index or a buffer, in `rows`.
void keepField(BuildView &view, mlir::Value rows, mlir::Value at, mlir::Value field);
/// Gives back a scratch buffer.
void release(BuildView &view, const Growing &buffer);

/// Sorts the first `count` words of `list`, the indices of non-zero bytes in the first `extent` of
/// `marks`.
void sortTouched(BuildView &view, mlir::Value list, mlir::Value count, mlir::Value marks,
                 mlir::Value extent);

/// Sorts the first `count` of `list`, slots of a hash table, by the keys in these.
void sortSlots(BuildView &view, mlir::Value list, mlir::Value count, mlir::Value keys);
/// Where the search for a key begins: to be reduced to a table's slots.
mlir::Value hash(LevelView &view, mlir::Value key);
/// The buffers of a hash table: keys, values, the list of its slots that are taken.
struct HashTable {
  mlir::Value keys, values, list;
};
/// Moves `count` keys to an empty table of `slots` slots; each has `block` values.
void rehash(BuildView &view, const HashTable &from, const HashTable &to, mlir::Value count,
            mlir::Value slots, mlir::Value block);

/// memref<?xT>
mlir::MemRefType bufferType(mlir::Type element);

/// The type that a value has in a buffer: its own, but of an i1 a byte.
mlir::Type typeInMemory(mlir::Type value);
/// A value of that type from a buffer of values, and into one.
mlir::Value loadValue(mlir::OpBuilder &b, mlir::Location loc, mlir::Value buffer, mlir::Value at,
                      mlir::Type type);
void storeValue(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, mlir::Value buffer,
                mlir::Value at);

} // namespace strata::emit

#endif // STRATA_LEVEL_EMISSION_H
