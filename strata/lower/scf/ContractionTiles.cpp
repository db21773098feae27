// Sums of tiles, from panels to the result.
#include "strata/lower/scf/ContractionTiles.h"

#include "strata/lower/utils/ControlFlow.h"

using namespace mlir;

namespace strata {

Value ContractionTiles::isTogether(Value x, Value whole) {
  if (!columns.unit[Tensor::result])
    return arith::ConstantIntOp::create(b, loc, 0, 1);
  if (columns.loops.size() == 1)
    return whole;
  return choice(
      b, loc, whole, {b.getI1Type()},
      [&] {
        Value last = add(x, constant(tile.columns() - 1));
        Value far =
            subtract(offset(columns, Tensor::result, last), offset(columns, Tensor::result, x));
        return Values{arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, far,
                                            constant(tile.columns() - 1))};
      },
      [&] { return Values{whole}; })[0];
}

SmallVector<ContractionTiles::Parts> ContractionTiles::multiplyPanels(Value down, Value across,
                                                                      Value deep) {
  int64_t parts = numbers.parts;
  SmallVector<Value> sums;
  for (int64_t at = 0; at < tile.rows * tile.vectors; ++at)
    llvm::append_range(sums, numbers.neutral(tile.lanes));
  Value left = multiply(down, deep), right = multiply(across, deep);
  auto walk = scf::ForOp::create(b, loc, constant(0), deep, constant(1), sums);
  auto partsAt = [&](ValueRange values, int64_t at) {
    return Parts(values.slice(at * parts, parts));
  };
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(walk.getBody());
    Value at = walk.getInductionVar();
    Value fromLeft = placeOf(add(left, multiply(at, constant(tile.rows))));
    Value fromRight = placeOf(add(right, multiply(at, constant(tile.columns()))));
    SmallVector<Parts> row;
    for (int64_t v = 0; v < tile.vectors; ++v)
      row.push_back(rowOfPanel(fromRight, v * tile.lanes));
    SmallVector<Value> next;
    for (int64_t i = 0; i < tile.rows; ++i) {
      Parts wide = numbers.broadcast(elementOfPanel(fromLeft, i), tile.lanes);
      for (int64_t v = 0; v < tile.vectors; ++v)
        llvm::append_range(
            next, numbers.multiplyAdd(partsAt(walk.getRegionIterArgs(), i * tile.vectors + v), wide,
                                      row[v]));
    }
    scf::YieldOp::create(b, loc, next);
  }
  SmallVector<Parts> tiles;
  for (int64_t at = 0; at < tile.rows * tile.vectors; ++at)
    tiles.push_back(partsAt(walk.getResults(), at));
  return tiles;
}

// A vector of the row of a panel of columns that begins at `from`.
ContractionTiles::Parts ContractionTiles::rowOfPanel(Value from, int64_t column) {
  auto type = VectorType::get({tile.lanes}, numbers.real);
  Parts found;
  for (int64_t part = 0; part < numbers.parts; ++part)
    found.push_back(vector::LoadOp::create(b, loc, type, packedRight,
                                           add(from, constant(part * tile.columns() + column))));
  return found;
}

// An element of the column of a panel of rows that begins at `from`.
ContractionTiles::Parts ContractionTiles::elementOfPanel(Value from, int64_t row) {
  Parts found;
  for (int64_t part = 0; part < numbers.parts; ++part)
    found.push_back(
        memref::LoadOp::create(b, loc, packedLeft, add(from, constant(part * tile.rows + row))));
  return found;
}

void ContractionTiles::askForTile(Value y, Value x) {
  if (!columns.unit[Tensor::result])
    return;
  Value column = add(base[Tensor::result], offset(columns, Tensor::result, x));
  Value last = subtract(rows.end, constant(1));
  for (int64_t i = 0; i < tile.rows; ++i) {
    Value row = offset(rows, Tensor::result, minimum(add(y, constant(i)), last));
    for (int64_t v = 0; v < tile.vectors; ++v)
      memref::PrefetchOp::create(b, loc, partsOf(Tensor::result),
                                 placeOf(add(add(row, column), constant(v * tile.lanes))),
                                 /*isWrite=*/true, /*localityHint=*/3, /*isDataCache=*/true);
  }
}

Value ContractionTiles::rowOfResult(Value y, int64_t i) {
  return add(base[Tensor::result], offset(rows, Tensor::result, add(y, constant(i))));
}

void ContractionTiles::updateTile(ArrayRef<Parts> sums, Value y, Value x, Value isFirst) {
  Value column = offset(columns, Tensor::result, x), buffer = partsOf(Tensor::result);
  VectorType type = numbers.vectorInMemory(tile.lanes);
  auto update = [&](bool adds) {
    for (int64_t i = 0; i < tile.rows; ++i) {
      Value begin = add(rowOfResult(y, i), column);
      for (int64_t v = 0; v < tile.vectors; ++v) {
        Value at = placeOf(add(begin, constant(v * tile.lanes)));
        Value sum = numbers.joined(sums[i * tile.vectors + v]);
        if (adds)
          sum = numbers.sum(vector::LoadOp::create(b, loc, type, buffer, at), sum);
        vector::StoreOp::create(b, loc, sum, buffer, at);
      }
    }
  };
  addOrStore(isFirst, update);
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
  Value all = wide, run = wide;
  if (columns.loops.size() > 1) {
    all = extentOf(columns.loops.back());
    run = subtract(all, arith::RemUIOp::create(b, loc, x, all));
  }
  whileLoop(
      b, loc, {constant(0), run}, [&](Values at) { return isLess(at[0], wide); },
      [&](Values at) -> Values {
        Value end = add(at[0], minimum(at[1], subtract(wide, at[0])));
        body(at[0], end);
        return {end, all};
      });
}

void ContractionTiles::updateRuns(ArrayRef<Parts> sums, Value y, Value x, Value wide,
                                  Value isFirst) {
  forEachRun(x, wide, [&](Value begin, Value end) {
    Value column = subtract(offset(columns, Tensor::result, add(x, begin)), begin);
    for (int64_t v = 0; v < tile.vectors; ++v)
      updateVectors(sums, y, v, column, begin, end, isFirst);
  });
}

// Of vector `v` of each row the columns from `begin` to `end` of the tile.
void ContractionTiles::updateVectors(ArrayRef<Parts> sums, Value y, int64_t v, Value column,
                                     Value begin, Value end, Value isFirst) {
  Value buffer = partsOf(Tensor::result), skipped = constant(v * tile.lanes);
  Value lower = subtract(begin, skipped), upper = subtract(end, skipped);
  VectorType vector = numbers.vectorInMemory(tile.lanes);
  auto update = [&](bool adds) {
    Value mask = arith::XOrIOp::create(b, loc, firstOnes(upper), firstOnes(lower));
    Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
    for (int64_t i = 0; i < tile.rows; ++i) {
      Value at = placeOf(add(add(rowOfResult(y, i), column), skipped));
      Value sum = numbers.joined(sums[i * tile.vectors + v]);
      if (adds)
        sum =
            numbers.sum(vector::MaskedLoadOp::create(b, loc, vector, buffer, at, mask, none), sum);
      vector::MaskedStoreOp::create(b, loc, buffer, at, mask, sum);
    }
  };
  Value some = both(isLess(constant(0), upper), isLess(lower, constant(tile.lanes)));
  branch(some, [&] { addOrStore(isFirst, update); }, [] {});
}

// A mask of the first `count` numbers of a vector.
Value ContractionTiles::firstOnes(Value count) {
  auto type = VectorType::get({tile.lanes * numbers.parts}, b.getI1Type());
  return vector::CreateMaskOp::create(b, loc, type, ValueRange{placeOf(count)});
}

void ContractionTiles::updateEdge(ArrayRef<Parts> sums, Value y, Value high, Value x, Value wide,
                                  Value isFirst) {
  for (int64_t i = 0; i < tile.rows; ++i)
    for (int64_t v = 0; v < tile.vectors; ++v)
      vector::StoreOp::create(b, loc, numbers.joined(sums[i * tile.vectors + v]), scratch,
                              placeOf(constant((i * tile.vectors + v) * tile.lanes)));
  if (columns.unit[Tensor::result])
    updateByRows(y, high, x, wide, isFirst);
  else
    updateElements(y, high, x, wide, isFirst);
}

// Run by run and row by row, a vector at a time.
void ContractionTiles::updateByRows(Value y, Value high, Value x, Value wide, Value isFirst) {
  forEachRun(x, wide, [&](Value begin, Value end) {
    loop(begin, end, tile.lanes, [&](Value at) {
      Value mask = firstOnes(minimum(subtract(end, at), constant(tile.lanes)));
      Value column = offset(columns, Tensor::result, add(x, at));
      coldLoop(high, [&](Value i) { updateRun(y, i, at, column, mask, isFirst); });
    });
  });
}

void ContractionTiles::updateRun(Value y, Value i, Value j, Value column, Value mask,
                                 Value isFirst) {
  Value buffer = partsOf(Tensor::result);
  Value row = add(base[Tensor::result], offset(rows, Tensor::result, add(y, i)));
  Value at = placeOf(add(row, column)), from = add(multiply(i, constant(tile.columns())), j);
  VectorType vector = numbers.vectorInMemory(tile.lanes);
  Value sum = vector::LoadOp::create(b, loc, vector, scratch, placeOf(from));
  Value none = numbers.joined(numbers.neutral(tile.lanes));
  Value there = mask;
  if (isFirst) { // nothing is there yet
    Value no = arith::ConstantOp::create(b, loc, b.getZeroAttr(mask.getType()));
    there = arith::SelectOp::create(b, loc, isFirst, no, mask);
  }
  Value before = vector::MaskedLoadOp::create(b, loc, vector, buffer, at, there, none);
  vector::MaskedStoreOp::create(b, loc, buffer, at, mask, numbers.sum(before, sum));
}

void ContractionTiles::updateElements(Value y, Value high, Value x, Value wide, Value isFirst) {
  Value buffer = partsOf(Tensor::result);
  coldLoop(high, [&](Value i) {
    Value row = add(base[Tensor::result], offset(rows, Tensor::result, add(y, i)));
    coldLoop(wide, [&](Value j) {
      Value number = add(row, offset(columns, Tensor::result, add(x, j)));
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
