// Runs dense contractions in blocks that stay in the caches, by a kernel that keeps a tile of the
// result in registers.
//
// before: for i { for k { for j { C[i, j] += A[i, k] * B[k, j] } } }
// after:  for j0 by 2048 { for k0 by 192 {
//           pack B[k0..., j0...]: panels of one tile's columns, for each k a row of them
//           for i0 by 96 {
//             pack A[i0..., k0...]: panels of one tile's rows, for each k a column of them
//             for each panel of B { for each panel of A {
//               t = 0; for k in the block { t += a column of A's panel times a row of B's }
//               C[a tile] += t } } } } }
//
// i, j and k stand for as many labels as each kind has, whose offsets come from tables: so packing
// permutes on the way, and no tensor is copied as a whole. (Goto and van de Geijn, Anatomy of
// high-performance matrix multiplication, 2008; Matthews, High-performance tensor contraction
// without transposition, 2018.) An element adds up its terms in the same order wherever its tile
// lies, so that no bit depends on how the loops are shared among threads.
#include "strata/level/Emission.h"
#include "strata/lower/Passes.h"
#include "strata/lower/scf/ContractionNest.h"
#include "strata/lower/utils/ControlFlow.h"
#include "strata/lower/utils/LoopHints.h"
#include "strata/runtime/assembly.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_BLOCKCONTRACTIONS
#include "strata/lower/Passes.h.inc"

namespace {

// Of a block: depth times rows of A stay in a core's second cache, depth times a tile's columns of
// B in its first.
constexpr int64_t blockRows = 96, blockColumns = 2048, blockDepth = 192;
// Fewer products for each value of the outermost loop are not worth the packing.
constexpr int64_t leastProducts = 4096, leastOfGroup = 8;

// Of the registers most hold the tile; the others take a row of B and an element of A.
struct Tile {
  int64_t rows, vectors, lanes;
  int64_t columns() const { return vectors * lanes; }
};

Tile tileFor(int64_t vectorBytes, Type element) {
  int64_t lanes = vectorBytes * 8 / element.getIntOrFloatBitWidth();
  return vectorBytes >= 64 ? Tile{8, 3, lanes} : Tile{vectorBytes >= 32 ? 6 : 4, 2, lanes};
}

using Tensor = ContractionNest::Tensor;

// The labels of one kind as one dimension: how many values it has, and where each lies.
struct Dimension {
  SmallVector<unsigned> loops; ///< from the outside in
  Value size;
  Value begin, end; ///< of the values that a thread takes
  struct Offsets {
    Value stride;        ///< of one label
    emit::Growing table; ///< of several
  } offsets[3] = {};
  bool unit[3] = {}; ///< neighbours lie next to each other, but where an outer label moves on
};

class Blocks {
public:
  Blocks(ContractionNest given, Value context, int64_t vectorBytes)
      : nest(std::move(given)), context(context), loc(nest.root.getLoc()),
        b(nest.pieces ? nest.pieces : nest.root.getOperation()),
        tile(tileFor(vectorBytes, nest.element)) {}

  void emit() {
    chooseSides();
    group(rows, LoopRole::freeLeft);
    group(columns, LoopRole::freeRight);
    group(depth, LoopRole::contracted);
    Operation *before = &*b.getInsertionPoint();
    auto choice = scf::IfOp::create(b, loc, isWorthwhile(), /*withElseRegion=*/true);
    before->moveBefore(choice.elseBlock()->getTerminator());
    b.setInsertionPointToStart(choice.thenBlock());
    emitTables();
    rows.begin = columns.begin = constant(0);
    rows.end = rows.size, columns.end = columns.size;
    if (nest.pieces)
      emitPieces();
    else
      emitPiece();
    for (Dimension *dimension : {&rows, &columns, &depth})
      for (Dimension::Offsets &offsets : dimension->offsets)
        if (offsets.table.data)
          release(offsets.table);
  }

private:
  //===----------------------------------------------------------------------------------------===//
  // Arithmetic
  //===----------------------------------------------------------------------------------------===//

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(loc, x, y); }
  Value subtract(Value x, Value y) { return b.createOrFold<arith::SubIOp>(loc, x, y); }
  Value multiply(Value x, Value y) { return b.createOrFold<arith::MulIOp>(loc, x, y); }
  Value minimum(Value x, Value y) { return b.createOrFold<arith::MinSIOp>(loc, x, y); }
  Value isLess(Value x, Value y) {
    return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, x, y);
  }
  Value isAtLeast(Value x, int64_t least) {
    return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, x, constant(least));
  }
  Value both(Value x, Value y) { return b.createOrFold<arith::AndIOp>(loc, x, y); }
  Value roundUp(Value x, int64_t unit) {
    Value units = arith::CeilDivUIOp::create(b, loc, x, constant(unit));
    return multiply(units, constant(unit));
  }
  emit::Growing allocate(Value count) { return allocate(count, nest.element); }
  emit::Growing allocate(Value count, Type element) {
    BuildView view{{b, loc}, context};
    return emit::allocate(view, element, count);
  }
  void release(const emit::Growing &buffer) {
    BuildView view{{b, loc}, context};
    emit::release(view, buffer);
  }
  VectorType vectorType() { return VectorType::get({tile.lanes}, nest.element); }
  Value zero() { return arith::ConstantOp::create(b, loc, b.getZeroAttr(nest.element)); }

  // for at in begin, begin + step, ... below end
  scf::ForOp loop(Value begin, Value end, int64_t step, llvm::function_ref<void(Value at)> body) {
    auto walk = scf::ForOp::create(b, loc, begin, end, constant(step));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(walk.getBody());
    body(walk.getInductionVar());
    return walk;
  }
  // One in which little is done: LLVM neither unrolls it nor makes vectors of it.
  void coldLoop(Value end, llvm::function_ref<void(Value at)> body) {
    leaveAsItIs(loop(constant(0), end, 1, body));
  }
  void loop(Value end, llvm::function_ref<void(Value at)> body) { loop(constant(0), end, 1, body); }
  void branch(Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise) {
    auto choice = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    then();
    b.setInsertionPointToStart(choice.elseBlock());
    otherwise();
  }

  //===----------------------------------------------------------------------------------------===//
  // Dimensions
  //===----------------------------------------------------------------------------------------===//

  // Columns are those of the operand whose free labels lie next to each other in the result.
  void chooseSides() {
    for (auto [loop, role] : llvm::enumerate(nest.roles))
      if (role == LoopRole::freeLeft && nest.isUnit(Tensor::result, loop)) {
        std::swap(nest.accesses[Tensor::left], nest.accesses[Tensor::right]);
        for (LoopRole &other : nest.roles)
          other = other == LoopRole::freeLeft    ? LoopRole::freeRight
                  : other == LoopRole::freeRight ? LoopRole::freeLeft
                                                 : other;
        return;
      }
  }

  Value extentOf(unsigned loop) { return subtract(nest.upper(loop), nest.lower(b, loop)); }

  // Of the labels of a dimension that in which neighbours lie next to each other comes last.
  void group(Dimension &dimension, LoopRole role) {
    for (auto [loop, own] : llvm::enumerate(nest.roles))
      if (own == role)
        dimension.loops.push_back(loop);
    Tensor leading = role == LoopRole::contracted ? Tensor::left : Tensor::result;
    auto *unit =
        llvm::find_if(dimension.loops, [&](unsigned loop) { return nest.isUnit(leading, loop); });
    if (unit != dimension.loops.end())
      std::rotate(unit, unit + 1, dimension.loops.end());
    dimension.size = constant(1);
    for (unsigned loop : dimension.loops)
      dimension.size = multiply(dimension.size, extentOf(loop));
    for (Tensor tensor : {Tensor::left, Tensor::right, Tensor::result})
      dimension.unit[tensor] = nest.isUnit(tensor, dimension.loops.back());
  }

  // The answer does not depend on the outermost loop, of which a thread may have a part.
  Value isWorthwhile() {
    Value products = constant(1), worthwhile;
    for (Dimension *dimension : {&rows, &columns, &depth}) {
      Value size = constant(1);
      for (unsigned loop : dimension->loops)
        if (loop != 0)
          size = multiply(size, extentOf(loop));
      products = multiply(products, size);
      if (dimension == &rows || dimension->loops == ArrayRef<unsigned>(0u))
        continue;
      Value enough = isAtLeast(size, leastOfGroup);
      worthwhile = worthwhile ? both(worthwhile, enough) : enough;
    }
    Value enough = isAtLeast(products, leastProducts);
    return worthwhile ? both(worthwhile, enough) : enough;
  }

  void emitTables() {
    for (Dimension *dimension : {&rows, &columns, &depth})
      for (Tensor tensor : {Tensor::left, Tensor::right, Tensor::result}) {
        if (!nest.moves(tensor, dimension->loops.front()))
          continue;
        Dimension::Offsets &offsets = dimension->offsets[tensor];
        if (dimension->loops.size() == 1)
          offsets.stride = nest.stride(b, tensor, dimension->loops.front());
        else
          offsets.table = emitTable(*dimension, tensor);
      }
  }

  emit::Growing emitTable(const Dimension &dimension, Tensor tensor) {
    emit::Growing table = allocate(add(dimension.size, constant(1)), b.getI64Type());
    std::function<void(size_t, Value, Value)> fill = [&](size_t at, Value place, Value offset) {
      if (at == dimension.loops.size()) {
        Value word = arith::IndexCastOp::create(b, loc, b.getI64Type(), offset);
        memref::StoreOp::create(b, loc, word, table.data, place);
        return;
      }
      unsigned label = dimension.loops[at];
      Value extent = extentOf(label), stride = nest.stride(b, tensor, label);
      coldLoop(extent, [&](Value value) {
        fill(at + 1, add(multiply(place, extent), value), add(offset, multiply(value, stride)));
      });
    };
    fill(0, constant(0), constant(0));
    return table;
  }

  // Where value `at` of a dimension lies in a tensor, counted from where the dimension begins.
  Value offset(const Dimension &dimension, Tensor tensor, Value at) {
    const Dimension::Offsets &offsets = dimension.offsets[tensor];
    if (offsets.stride)
      return multiply(at, offsets.stride);
    Value word = memref::LoadOp::create(b, loc, offsets.table.data, at);
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), word);
  }

  //===----------------------------------------------------------------------------------------===//
  // Blocks
  //===----------------------------------------------------------------------------------------===//

  // Threads share the rows or the columns of the result, of which there are more: each packs its
  // own part of one operand, and all of the other.
  void emitPieces() {
    Value shares = constant(STRATA_SHARES_OF_THREAD);
    Value threads = arith::CeilDivUIOp::create(b, loc, nest.pieces.getUpperBound()[0], shares);
    auto parallel = scf::ParallelOp::create(b, loc, ValueRange{constant(0)}, ValueRange{threads},
                                            ValueRange{constant(1)});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(parallel.getBody());
    Value piece = parallel.getInductionVars()[0];
    Value byRows = isLess(columns.size, rows.size);
    auto cut = [&](Dimension &dimension, int64_t unit, Value isCut) {
      Value units = arith::CeilDivUIOp::create(b, loc, dimension.size, constant(unit));
      auto bound = [&](Value at) {
        Value first = arith::DivUIOp::create(b, loc, multiply(units, at), threads);
        return minimum(multiply(first, constant(unit)), dimension.size);
      };
      dimension.begin = arith::SelectOp::create(b, loc, isCut, bound(piece), constant(0));
      dimension.end =
          arith::SelectOp::create(b, loc, isCut, bound(add(piece, constant(1))), dimension.size);
    };
    cut(rows, tile.rows, byRows);
    Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
    cut(columns, tile.columns(),
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, byRows, no));
    emitPiece();
  }

  void emitPiece() {
    Value most = minimum(subtract(rows.end, rows.begin), constant(blockRows + tile.rows));
    Value deep = minimum(depth.size, constant(blockDepth));
    Value wide =
        minimum(subtract(columns.end, columns.begin), constant(blockColumns + tile.columns()));
    emit::Growing left = allocate(add(multiply(roundUp(most, tile.rows), deep), constant(1)));
    emit::Growing right = allocate(add(multiply(roundUp(wide, tile.columns()), deep), constant(1)));
    emit::Growing edge = allocate(constant(tile.rows * tile.columns() + tile.lanes));
    packedLeft = left.data, packedRight = right.data, scratch = edge.data;
    emitBatches();
    for (const emit::Growing &buffer : {left, right, edge})
      release(buffer);
  }

  void emitBatches() {
    std::function<void(size_t)> batch = [&](size_t at) {
      while (at < nest.roles.size() && nest.roles[at] != LoopRole::batch)
        ++at;
      if (at == nest.roles.size())
        return emitColumns();
      Value strides[3];
      for (Tensor tensor : {Tensor::left, Tensor::right, Tensor::result})
        strides[tensor] = nest.stride(b, tensor, at);
      loop(extentOf(at), [&](Value value) {
        Value outer[3];
        for (Tensor tensor : {Tensor::left, Tensor::right, Tensor::result}) {
          outer[tensor] = base[tensor];
          base[tensor] = add(base[tensor], multiply(value, strides[tensor]));
        }
        batch(at + 1);
        std::copy(std::begin(outer), std::end(outer), std::begin(base));
      });
    };
    for (Tensor tensor : {Tensor::left, Tensor::right, Tensor::result})
      base[tensor] = nest.base(b, tensor);
    batch(0);
  }

  void emitColumns() {
    // Where there is nothing to add up, the result is overwritten all the same.
    Value end = nest.overwrites ? Value(arith::MaxSIOp::create(b, loc, depth.size, constant(1)))
                                : depth.size;
    int64_t most = blockColumns / tile.columns() * tile.columns();
    loop(columns.begin, columns.end, most, [&](Value column) {
      Value wide = minimum(subtract(columns.end, column), constant(most));
      loop(constant(0), end, blockDepth, [&](Value first) {
        Value deep = minimum(subtract(depth.size, first), constant(blockDepth));
        pack(packedRight, columns, column, wide, tile.columns(), first, deep, Tensor::right);
        emitRows(column, wide, first, deep);
      });
    });
  }

  void emitRows(Value column, Value wide, Value first, Value deep) {
    loop(rows.begin, rows.end, blockRows, [&](Value row) {
      Value high = minimum(subtract(rows.end, row), constant(blockRows));
      pack(packedLeft, rows, row, high, tile.rows, first, deep, Tensor::left);
      loop(constant(0), wide, tile.columns(), [&](Value across) {
        loop(constant(0), high, tile.rows, [&](Value down) {
          SmallVector<Value> sums = multiplyPanels(down, across, deep);
          Value isFirst;
          if (nest.overwrites)
            isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, first, constant(0));
          Value wholeRows = isAtLeast(subtract(high, down), tile.rows);
          Value wholeColumns = isAtLeast(subtract(wide, across), tile.columns());
          Value x = add(column, across), y = add(row, down);
          branch(
              isTogether(x, both(wholeRows, wholeColumns)),
              [&] { updateTile(sums, y, x, isFirst); },
              [&] {
                updateEdge(sums, y, minimum(subtract(high, down), constant(tile.rows)), x,
                           minimum(subtract(wide, across), constant(tile.columns())), isFirst);
              });
        });
      });
    });
  }

  // Tells whether the columns of a tile from `x` on lie next to each other in the result; of one
  // that is not whole they do not.
  Value isTogether(Value x, Value whole) {
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

  //===----------------------------------------------------------------------------------------===//
  // Packing
  //===----------------------------------------------------------------------------------------===//

  // Copies `count` values of a dimension from `from` on, for `deep` contracted ones from `first`
  // on: panels of `width`, in each of which the values of one contracted one lie together. What a
  // panel lacks is 0.
  void pack(Value target, const Dimension &dimension, Value from, Value count, int64_t width,
            Value first, Value deep, Tensor tensor) {
    loop(constant(0), count, width, [&](Value panel) {
      Value begin = multiply(panel, deep), left = subtract(count, panel);
      Value whole = isAtLeast(left, width);
      branch(
          whole,
          [&] {
            packPanel(target, begin, dimension, add(from, panel), width, first, deep, tensor);
          },
          [&] {
            coldLoop(deep, [&](Value at) {
              Value inner = offset(depth, tensor, add(first, at));
              coldLoop(constant(width), [&](Value place) {
                Value value = choice(
                    b, loc, isLess(place, left), {nest.element},
                    [&] {
                      Value outer = offset(dimension, tensor, add(add(from, panel), place));
                      return Values{load(tensor, outer, inner)};
                    },
                    [&] { return Values{zero()}; })[0];
                Value to = add(add(begin, multiply(at, constant(width))), place);
                memref::StoreOp::create(b, loc, value, target, to);
              });
            });
          });
    });
  }

  void packPanel(Value target, Value begin, const Dimension &dimension, Value from, int64_t width,
                 Value first, Value deep, Tensor tensor) {
    bool inVectors =
        dimension.unit[tensor] && dimension.loops.size() == 1 && width % tile.lanes == 0;
    SmallVector<Value> outer;
    for (int64_t place = 0; place < width; place += inVectors ? tile.lanes : 1)
      outer.push_back(offset(dimension, tensor, add(from, constant(place))));
    loop(deep, [&](Value at) {
      Value inner = offset(depth, tensor, add(first, at));
      Value to = add(begin, multiply(at, constant(width)));
      for (auto [place, offset] : llvm::enumerate(outer)) {
        if (!inVectors) {
          memref::StoreOp::create(b, loc, load(tensor, offset, inner), target,
                                  add(to, constant(place)));
          continue;
        }
        Value source = add(add(base[tensor], offset), inner);
        Value value =
            vector::LoadOp::create(b, loc, vectorType(), nest.accesses[tensor].buffer, source);
        vector::StoreOp::create(b, loc, scaled(value, tensor), target,
                                add(to, constant(place * tile.lanes)));
      }
    });
  }

  Value load(Tensor tensor, Value outer, Value inner) {
    Value at = add(add(base[tensor], outer), inner);
    return scaled(memref::LoadOp::create(b, loc, nest.accesses[tensor].buffer, at), tensor);
  }

  // Factors that are the same everywhere go to the left operand.
  Value scaled(Value value, Tensor tensor) {
    if (tensor == Tensor::left)
      for (Value scale : nest.scales) {
        Value factor = scale;
        if (isa<VectorType>(value.getType()))
          factor = vector::BroadcastOp::create(b, loc, value.getType(), scale);
        value = arith::MulFOp::create(b, loc, value, factor);
      }
    return value;
  }

  //===----------------------------------------------------------------------------------------===//
  // Tiles
  //===----------------------------------------------------------------------------------------===//

  // The sums of a tile, row by row: `deep` products of a column of one panel and a row of another.
  SmallVector<Value> multiplyPanels(Value down, Value across, Value deep) {
    Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorType()));
    SmallVector<Value> sums(tile.rows * tile.vectors, none);
    Value left = multiply(down, deep), right = multiply(across, deep);
    auto walk = scf::ForOp::create(b, loc, constant(0), deep, constant(1), sums);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(walk.getBody());
    Value at = walk.getInductionVar();
    Value fromLeft = add(left, multiply(at, constant(tile.rows)));
    Value fromRight = add(right, multiply(at, constant(tile.columns())));
    SmallVector<Value> row, next;
    for (int64_t v = 0; v < tile.vectors; ++v)
      row.push_back(vector::LoadOp::create(b, loc, vectorType(), packedRight,
                                           add(fromRight, constant(v * tile.lanes))));
    auto contract = arith::FastMathFlags::contract | arith::FastMathFlags::reassoc;
    for (int64_t i = 0; i < tile.rows; ++i) {
      Value element = memref::LoadOp::create(b, loc, packedLeft, add(fromLeft, constant(i)));
      Value wide = vector::BroadcastOp::create(b, loc, vectorType(), element);
      for (int64_t v = 0; v < tile.vectors; ++v) {
        Value product = arith::MulFOp::create(b, loc, wide, row[v], contract);
        Value sum = walk.getRegionIterArgs()[i * tile.vectors + v];
        next.push_back(arith::AddFOp::create(b, loc, sum, product, contract));
      }
    }
    scf::YieldOp::create(b, loc, next);
    return SmallVector<Value>(walk.getResults());
  }

  Value rowOfResult(Value y, int64_t i) {
    return add(base[Tensor::result], offset(rows, Tensor::result, add(y, constant(i))));
  }

  // Adds a whole tile to the result, whose columns lie next to each other there.
  void updateTile(ArrayRef<Value> sums, Value y, Value x, Value isFirst) {
    Value column = offset(columns, Tensor::result, x);
    Value buffer = nest.accesses[Tensor::result].buffer;
    auto update = [&](bool adds) {
      for (int64_t i = 0; i < tile.rows; ++i) {
        Value begin = add(rowOfResult(y, i), column);
        for (int64_t v = 0; v < tile.vectors; ++v) {
          Value at = add(begin, constant(v * tile.lanes)), sum = sums[i * tile.vectors + v];
          if (adds)
            sum = arith::AddFOp::create(
                b, loc, vector::LoadOp::create(b, loc, vectorType(), buffer, at), sum);
          vector::StoreOp::create(b, loc, sum, buffer, at);
        }
      }
    };
    if (!isFirst)
      return update(true);
    branch(isFirst, [&] { update(false); }, [&] { update(true); });
  }

  // Adds `high` rows and `wide` columns of a tile.
  void updateEdge(ArrayRef<Value> sums, Value y, Value high, Value x, Value wide, Value isFirst) {
    for (int64_t i = 0; i < tile.rows; ++i)
      for (int64_t v = 0; v < tile.vectors; ++v)
        vector::StoreOp::create(b, loc, sums[i * tile.vectors + v], scratch,
                                constant((i * tile.vectors + v) * tile.lanes));
    if (columns.unit[Tensor::result])
      updateRuns(y, high, x, wide, isFirst);
    else
      updateElements(y, high, x, wide, isFirst);
  }

  // By vectors, as far as columns lie next to each other in the result: the values of the last
  // label.
  void updateRuns(Value y, Value high, Value x, Value wide, Value isFirst) {
    Value run = wide, all = wide;
    if (columns.loops.size() > 1) {
      all = extentOf(columns.loops.back());
      run = subtract(all, arith::RemUIOp::create(b, loc, x, all));
    }
    whileLoop(
        b, loc, {constant(0), run}, [&](Values at) { return isLess(at[0], wide); },
        [&](Values at) -> Values {
          Value left = minimum(at[1], subtract(wide, at[0]));
          Value count = minimum(left, constant(tile.lanes));
          Value mask = vector::CreateMaskOp::create(
              b, loc, VectorType::get({tile.lanes}, b.getI1Type()), ValueRange{count});
          Value column = offset(columns, Tensor::result, add(x, at[0]));
          coldLoop(high, [&](Value i) { updateRun(y, i, at[0], column, mask, isFirst); });
          Value rest = subtract(at[1], count);
          Value ended = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest, constant(0));
          return {add(at[0], count), arith::SelectOp::create(b, loc, ended, all, rest)};
        });
  }

  void updateRun(Value y, Value i, Value j, Value column, Value mask, Value isFirst) {
    Value buffer = nest.accesses[Tensor::result].buffer;
    Value row = add(base[Tensor::result], offset(rows, Tensor::result, add(y, i)));
    Value at = add(row, column), from = add(multiply(i, constant(tile.columns())), j);
    Value sum = vector::LoadOp::create(b, loc, vectorType(), scratch, from);
    Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorType()));
    Value there = mask;
    if (isFirst) { // nothing is there yet
      Value no = arith::ConstantOp::create(b, loc, b.getZeroAttr(mask.getType()));
      there = arith::SelectOp::create(b, loc, isFirst, no, mask);
    }
    Value before = vector::MaskedLoadOp::create(b, loc, vectorType(), buffer, at, there, none);
    vector::MaskedStoreOp::create(b, loc, buffer, at, mask,
                                  arith::AddFOp::create(b, loc, before, sum));
  }

  void updateElements(Value y, Value high, Value x, Value wide, Value isFirst) {
    Value buffer = nest.accesses[Tensor::result].buffer;
    coldLoop(high, [&](Value i) {
      Value row = add(base[Tensor::result], offset(rows, Tensor::result, add(y, i)));
      coldLoop(wide, [&](Value j) {
        Value at = add(row, offset(columns, Tensor::result, add(x, j)));
        Value from = add(multiply(i, constant(tile.columns())), j);
        Value sum = memref::LoadOp::create(b, loc, scratch, from);
        Value before = memref::LoadOp::create(b, loc, buffer, at);
        if (isFirst) // nothing is there yet
          before = arith::SelectOp::create(b, loc, isFirst, zero(), before);
        memref::StoreOp::create(b, loc, arith::AddFOp::create(b, loc, before, sum), buffer, at);
      });
    });
  }

  ContractionNest nest;
  Value context;
  Location loc;
  OpBuilder b;
  Tile tile;
  Dimension rows, columns, depth;
  Value base[3];
  Value packedLeft, packedRight, scratch;
};

struct BlockContractions : impl::BlockContractionsBase<BlockContractions> {
  using BlockContractionsBase::BlockContractionsBase;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      std::vector<ContractionNest> found;
      kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
        std::optional<ContractionNest> nest = ContractionNest::match(loop);
        if (!nest)
          return WalkResult::advance();
        found.push_back(std::move(*nest));
        return WalkResult::skip();
      });
      for (ContractionNest &nest : found)
        Blocks(std::move(nest), kernel.getArgument(0), vectorBytes).emit();
    }
  }
};

} // namespace
} // namespace strata
