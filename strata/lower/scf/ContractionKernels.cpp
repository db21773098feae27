// The kernels of a blocked contraction: sums of products, kept in registers.
//
// A whole tile of packed operands is multiplied by one kernel. Where operands are read where they
// are, tiles have another. At the edges of the result there are kernels for fewer rows and for
// fewer vectors of columns, so that 16 rows are tiles of 6, 5 and 5. One of fewer than 4 rows would
// wait for its own sums.
#include "strata/lower/scf/ContractionTiles.h"

#include "strata/lower/utils/LoopHints.h"

using namespace mlir;

namespace strata {

int64_t ContractionTiles::lowRows() const {
  // So many sums of vectors must be in the making for units of multiply-adds to have no pause.
  constexpr int64_t busy = 8;
  int64_t sums = tile.vectors * numbers.parts;
  return std::min(std::max(tile.rows - tile.rows / 3, (busy + sums - 1) / sums), tile.rows);
}

void ContractionTiles::chooseShape(const Place &place,
                                   llvm::function_ref<void(const Shape &)> body) {
  int64_t low = lowRows();
  auto wide = [&] {
    if (low == tile.rows)
      return body({tile.rows, tile.vectors, 1});
    branch(
        isAtLeast(place.high, low + 1), [&] { body({tile.rows, tile.vectors, low + 1}); },
        [&] { body({low, tile.vectors, 1}); });
  };
  if (tile.vectors == 1)
    return wide();
  // From the widest kernel to that for one vector of columns.
  std::function<void(int64_t)> upTo = [&](int64_t vectors) {
    if (vectors == 1)
      return body({tile.rows, 1, 1});
    branch(
        isAtLeast(place.wide, (vectors - 1) * tile.lanes + 1),
        [&] { vectors == tile.vectors ? wide() : body({tile.rows, vectors, 1}); },
        [&] { upTo(vectors - 1); });
  };
  upTo(tile.vectors);
}

ContractionTiles::Source ContractionTiles::panelOfRows(Value down, Value deep) {
  return {packedLeft,          placeOf(multiply(down, deep)),
          constant(1),         constant(tile.rows * numbers.parts),
          constant(tile.rows), multiply(deep, constant(tile.rows * numbers.parts))};
}

ContractionTiles::Source ContractionTiles::panelOfColumns(Value across, Value deep) {
  return {packedRight,
          placeOf(multiply(across, deep)),
          Value(),
          constant(tile.columns() * numbers.parts),
          constant(tile.columns()),
          Value()};
}

ContractionTiles::Source ContractionTiles::rowsInPlace(Value y, Value first) {
  Value begin = add(base[Tensor::left], offset(rows, Tensor::left, y));
  Value stride = rows.offsets[Tensor::left].stride, across = placeOf(stride);
  // Where a block has but a part of each row, what lies there would not be read next.
  Value next = arith::SelectOp::create(b, loc, isLess(stride, constant(2 * block.depth)),
                                       multiply(constant(tile.rows), across), constant(0));
  return {partsOf(Tensor::left),
          placeOf(add(begin, offset(depth, Tensor::left, first))),
          across,
          placeOf(depth.offsets[Tensor::left].stride),
          constant(1),
          next};
}

ContractionTiles::Source ContractionTiles::columnsInPlace(Value x, Value first) {
  Value begin = add(base[Tensor::right], offset(columns, Tensor::right, x));
  return {partsOf(Tensor::right),
          placeOf(add(begin, offset(depth, Tensor::right, first))),
          Value(),
          placeOf(depth.offsets[Tensor::right].stride),
          constant(1),
          Value()};
}

ContractionTiles::Source ContractionTiles::chosen(Value condition, const Source &then,
                                                  const Source &otherwise) {
  auto choose = [&](Value x, Value y) {
    return x ? b.createOrFold<arith::SelectOp>(loc, condition, x, y) : Value();
  };
  return {choose(then.buffer, otherwise.buffer), choose(then.begin, otherwise.begin),
          choose(then.across, otherwise.across), choose(then.along, otherwise.along),
          choose(then.part, otherwise.part),     choose(then.next, otherwise.next)};
}

SmallVector<ContractionTiles::Parts>
ContractionTiles::multiplyTile(const Shape &shape, const Source &left, const Source &right,
                               Value deep, const Place &place, Reads reads) {
  int64_t parts = numbers.parts, count = shape.rows * shape.vectors;
  SmallVector<Value> sums;
  for (int64_t at = 0; at < count; ++at)
    llvm::append_range(sums, numbers.neutral(tile.lanes));
  SmallVector<Value> starts = startsOfRows(shape, left, place.high);
  Value mask;
  if (reads == Reads::part && readsUnderMasks())
    mask = firstOnes(subtract(place.wide, constant((shape.vectors - 1) * tile.lanes)));
  auto walk = scf::ForOp::create(b, loc, constant(0), deep, constant(1), sums);
  auto partsAt = [&](ValueRange values, int64_t at) {
    return Parts(values.slice(at * parts, parts));
  };
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(walk.getBody());
    Value at = walk.getInductionVar();
    SmallVector<Parts> row;
    for (int64_t v = 0; v < shape.vectors; ++v)
      row.push_back(vectorOf(right, at, v, v + 1 < shape.vectors ? Value() : mask));
    if (reads != Reads::panels)
      askForNext(left, at);
    SmallVector<Value> next;
    for (int64_t i = 0; i < shape.rows; ++i) {
      Parts wide = numbers.broadcast(elementOf(left, at, starts[i]), tile.lanes);
      for (int64_t v = 0; v < shape.vectors; ++v)
        llvm::append_range(
            next, numbers.multiplyAdd(partsAt(walk.getRegionIterArgs(), i * shape.vectors + v),
                                      wide, row[v]));
    }
    scf::YieldOp::create(b, loc, next);
  }
  // On Intel's processors the units that multiply and add count the steps, too: these are fewer so.
  constexpr int64_t times = 4;
  if (reads == Reads::panels)
    hint(walk, {}, unrolling(b.getContext(), times));
  else
    leaveAsItIs(walk);
  SmallVector<Parts> tiles;
  for (int64_t at = 0; at < count; ++at)
    tiles.push_back(partsAt(walk.getResults(), at));
  return tiles;
}

// Of the rows of the next tile as much as the kernel reads of its own for a contracted value. Where
// rows lie one behind the other, that is all of them; processors do not foresee so many.
void ContractionTiles::askForNext(const Source &left, Value at) {
  Value far = add(left.begin, left.next);
  memref::PrefetchOp::create(b, loc, left.buffer,
                             add(far, multiply(at, constant(tile.rows * numbers.parts))),
                             /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
}

// Of rows that the tile lacks the last one is read again.
SmallVector<Value> ContractionTiles::startsOfRows(const Shape &shape, const Source &left,
                                                  Value high) {
  SmallVector<Value> starts;
  for (int64_t i = 0; i < shape.rows; ++i) {
    Value row = constant(i);
    if (i >= shape.leastRows)
      row = minimum(row, subtract(high, constant(1)));
    starts.push_back(add(left.begin, multiply(row, left.across)));
  }
  return starts;
}

// AVX-512 loads under a mask about as fast as without. On Intel's processors such a load also takes
// a turn of the units that multiply and add, so that only the last vector of a row has a mask.
bool ContractionTiles::readsUnderMasks() const {
  constexpr int64_t bytesOfMasked = 64;
  return numbers.parts == 1 && tile.lanes * numbers.bytes() >= bytesOfMasked;
}

// Vector `v` of the row of contracted value `at`. Lanes that a mask leaves out are zero, and their
// sums are not stored.
ContractionTiles::Parts ContractionTiles::vectorOf(const Source &right, Value at, int64_t v,
                                                   Value mask) {
  auto type = VectorType::get({tile.lanes}, numbers.real);
  Value from = add(right.begin, multiply(at, right.along));
  Parts found;
  for (int64_t part = 0; part < numbers.parts; ++part) {
    Value skipped = add(multiply(constant(part), right.part), constant(v * tile.lanes));
    Value index = add(from, skipped);
    found.push_back(mask ? loadUnder(mask, right.buffer, index)
                         : vector::LoadOp::create(b, loc, type, right.buffer, index));
  }
  return found;
}

// The element of contracted value `at` of the row that begins at `start`.
ContractionTiles::Parts ContractionTiles::elementOf(const Source &left, Value at, Value start) {
  Value from = add(start, multiply(at, left.along));
  Parts found;
  for (int64_t part = 0; part < numbers.parts; ++part)
    found.push_back(memref::LoadOp::create(b, loc, left.buffer,
                                           add(from, multiply(constant(part), left.part))));
  return found;
}

} // namespace strata
