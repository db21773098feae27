// Sums of tiles, from panels to the result.
#include "strata/lower/scf/ContractionTiles.h"

#include "strata/lower/utils/ControlFlow.h"

using namespace mlir;

namespace strata {

Value ContractionTiles::isTogether(Value x, Value wide, int64_t count) {
  if (!columns.unit[Tensor::result])
    return arith::ConstantIntOp::create(b, loc, 0, 1);
  Value whole = isAtLeast(wide, count);
  if (columns.labels.size() == 1)
    return whole;
  return both(whole, areNeighbours(columns, Tensor::result, x, constant(count)));
}

void ContractionTiles::askForTile(Value y, Value x) {
  if (!columns.unit[Tensor::result])
    return;
  Value column = add(base[Tensor::result], offset(columns, Tensor::result, x));
  for (int64_t i = 0; i < tile.rows; ++i) {
    Value row = offset(rows, Tensor::result, add(y, constant(i)));
    for (int64_t v = 0; v < tile.vectors; ++v)
      memref::PrefetchOp::create(b, loc, partsOf(Tensor::result),
                                 placeOf(add(add(row, column), constant(v * tile.lanes))),
                                 /*isWrite=*/true, /*localityHint=*/3, /*isDataCache=*/true);
  }
}

void ContractionTiles::askForPart(const Place &place) {
  if (!columns.unit[Tensor::result])
    return;
  Value last = subtract(place.wide, constant(1));
  Value column = add(base[Tensor::result], offset(columns, Tensor::result, place.x));
  coldLoop(place.high, [&](Value i) {
    Value row = add(column, offset(rows, Tensor::result, add(place.y, i)));
    for (int64_t v = 0; v <= tile.vectors; ++v)
      memref::PrefetchOp::create(b, loc, partsOf(Tensor::result),
                                 placeOf(add(row, minimum(constant(v * tile.lanes), last))),
                                 /*isWrite=*/true, /*localityHint=*/3, /*isDataCache=*/true);
  });
}

Value ContractionTiles::rowOfResult(Value y, int64_t i) {
  return add(base[Tensor::result], offset(rows, Tensor::result, add(y, constant(i))));
}

// Emits `body` for the rows that a tile has.
void ContractionTiles::forEachRow(const Shape &shape, Value high,
                                  llvm::function_ref<void(int64_t i)> body) {
  for (int64_t i = 0; i < shape.rows; ++i)
    if (i < shape.leastRows)
      body(i);
    else
      branch(isAtLeast(high, i + 1), [&] { body(i); }, [] {});
}

// Adds a vector of sums at a place of the result, or stores it there.
void ContractionTiles::updateVector(const Parts &sums, Value place, bool adds) {
  Value at = placeOf(place), buffer = partsOf(Tensor::result), sum = numbers.joined(sums);
  if (adds)
    sum = numbers.sum(
        vector::LoadOp::create(b, loc, numbers.vectorInMemory(tile.lanes), buffer, at), sum);
  vector::StoreOp::create(b, loc, sum, buffer, at);
}

void ContractionTiles::updateTile(const Shape &shape, ArrayRef<Parts> sums, const Place &place,
                                  Value isFirst) {
  Value column = offset(columns, Tensor::result, place.x);
  auto updateRow = [&](int64_t i, bool adds) {
    Value begin = add(rowOfResult(place.y, i), column);
    for (int64_t v = 0; v < shape.vectors; ++v)
      updateVector(sums[i * shape.vectors + v], add(begin, constant(v * tile.lanes)), adds);
  };
  addOrStore(isFirst, [&](bool adds) {
    forEachRow(shape, place.high, [&](int64_t i) { updateRow(i, adds); });
  });
}

// The first sums of a result that is overwritten are stored, others are added to what is there.
void ContractionTiles::addOrStore(Value isFirst, llvm::function_ref<void(bool adds)> update) {
  if (!isFirst)
    return update(true);
  branch(isFirst, [&] { update(false); }, [&] { update(true); });
}

// Emits `body` for each run of the columns [0, wide) of a tile: as far as columns lie next to
// each other in the result, which are values of the last label.
void ContractionTiles::forEachRun(Value x, Value wide,
                                  llvm::function_ref<void(Value begin, Value end)> body) {
  Value all = extentOf(columns.labels.back());
  Value run = subtract(all, arith::RemUIOp::create(b, loc, x, all));
  whileLoop(
      b, loc, {constant(0), run}, [&](Values at) { return isLess(at[0], wide); },
      [&](Values at) -> Values {
        Value end = add(at[0], minimum(at[1], subtract(wide, at[0])));
        body(at[0], end);
        return {end, all};
      });
}

// All but the last vector are whole: else a smaller kernel serves.
void ContractionTiles::updatePart(const Shape &shape, ArrayRef<Parts> sums, const Place &place,
                                  Value isFirst) {
  Value column = offset(columns, Tensor::result, place.x), buffer = partsOf(Tensor::result);
  VectorType type = numbers.vectorInMemory(tile.lanes);
  Value skipped = constant((shape.vectors - 1) * tile.lanes);
  Value mask = firstOnes(subtract(place.wide, skipped));
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  addOrStore(isFirst, [&](bool adds) {
    forEachRow(shape, place.high, [&](int64_t i) {
      Value begin = add(rowOfResult(place.y, i), column);
      ArrayRef<Parts> row = sums.slice(i * shape.vectors, shape.vectors);
      for (int64_t v = 0; v + 1 < shape.vectors; ++v)
        updateVector(row[v], add(begin, constant(v * tile.lanes)), adds);
      Value at = placeOf(add(begin, skipped)), sum = numbers.joined(row.back());
      if (adds)
        sum = numbers.sum(vector::MaskedLoadOp::create(b, loc, type, buffer, at, mask, none), sum);
      vector::MaskedStoreOp::create(b, loc, buffer, at, mask, sum);
    });
  });
}

void ContractionTiles::updateRuns(const Shape &shape, ArrayRef<Parts> sums, const Place &place,
                                  Value isFirst) {
  forEachRun(place.x, place.wide, [&](Value begin, Value end) {
    Value column = subtract(offset(columns, Tensor::result, add(place.x, begin)), begin);
    for (int64_t v = 0; v < shape.vectors; ++v)
      updateVectors(shape, sums, place, v, column, begin, end, isFirst);
  });
}

// Of vector `v` of each row the columns from `begin` to `end` of the tile.
void ContractionTiles::updateVectors(const Shape &shape, ArrayRef<Parts> sums, const Place &place,
                                     int64_t v, Value column, Value begin, Value end,
                                     Value isFirst) {
  Value buffer = partsOf(Tensor::result), skipped = constant(v * tile.lanes);
  Value lower = subtract(begin, skipped), upper = subtract(end, skipped);
  VectorType vector = numbers.vectorInMemory(tile.lanes);
  auto update = [&](bool adds) {
    Value mask = arith::XOrIOp::create(b, loc, firstOnes(upper), firstOnes(lower));
    Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
    forEachRow(shape, place.high, [&](int64_t i) {
      Value at = placeOf(add(add(rowOfResult(place.y, i), column), skipped));
      Value sum = numbers.joined(sums[i * shape.vectors + v]);
      if (adds)
        sum =
            numbers.sum(vector::MaskedLoadOp::create(b, loc, vector, buffer, at, mask, none), sum);
      vector::MaskedStoreOp::create(b, loc, buffer, at, mask, sum);
    });
  };
  Value some = both(isLess(constant(0), upper), isLess(lower, constant(tile.lanes)));
  branch(some, [&] { addOrStore(isFirst, update); }, [] {});
}

// Keeps the sums of a whole tile where loops can read them one by one.
void ContractionTiles::keepSums(ArrayRef<Parts> sums) {
  for (auto [at, sum] : llvm::enumerate(sums))
    vector::StoreOp::create(b, loc, numbers.joined(sum), scratch,
                            placeOf(constant(int64_t(at) * tile.lanes)));
}

void ContractionTiles::updateElements(ArrayRef<Parts> sums, const Place &place, Value isFirst) {
  keepSums(sums);
  Value buffer = partsOf(Tensor::result);
  coldLoop(place.high, [&](Value i) {
    Value row = add(base[Tensor::result], offset(rows, Tensor::result, add(place.y, i)));
    coldLoop(place.wide, [&](Value j) {
      Value number = add(row, offset(columns, Tensor::result, add(place.x, j)));
      Value from = add(multiply(i, constant(tile.columns())), j);
      Value neutral = isFirst ? numbers.neutral(0)[0] : Value();
      for (int64_t part = 0; part < numbers.parts; ++part) {
        Value at = placeOf(number, part);
        Value sum = memref::LoadOp::create(b, loc, scratch, placeOf(from, part));
        Value before = memref::LoadOp::create(b, loc, buffer, at);
        if (isFirst) // nothing is there yet
          before = arith::SelectOp::create(b, loc, isFirst, neutral, before);
        memref::StoreOp::create(b, loc, numbers.sum(before, sum), buffer, at);
      }
    });
  });
}

} // namespace strata
