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
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/ContractionBuffers.h"
#include "strata/lower/scf/ContractionEmitter.h"
#include "strata/lower/scf/ContractionTerms.h"
#include "strata/lower/utils/ControlFlow.h"
#include "strata/runtime/assembly.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <deque>

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_BLOCKCONTRACTIONS
#include "strata/lower/Passes.h.inc"

namespace {

constexpr int64_t blockRows = ContractionBlock::rows, blockColumns = ContractionBlock::columns,
                  blockDepth = ContractionBlock::depth;
// Fewer products for each value of the outermost loop are not worth the packing.
constexpr int64_t leastProducts = 4096, leastOfGroup = 8;

class Blocks : ContractionEmitter {
public:
  using ContractionEmitter::ContractionEmitter;

  /// Emits, where the loops stand, whether blocks are worthwhile.
  Value prepare() {
    chooseSides();
    group(rows, LoopRole::freeLeft);
    group(columns, LoopRole::freeRight);
    group(depth, LoopRole::contracted);
    return isWorthwhile();
  }

  /// Emits the blocks there.
  void emitAt(Block *block, Block::iterator place) {
    b.setInsertionPoint(block, place);
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

  // Of the labels of a dimension that in which neighbours lie next to each other in one tensor
  // comes last, and that of the other before it: so a block uses all elements of the lines that it
  // packs.
  void group(Dimension &dimension, LoopRole role) {
    for (auto [loop, own] : llvm::enumerate(nest.roles))
      if (own == role)
        dimension.loops.push_back(loop);
    bool sums = role == LoopRole::contracted, isRows = role == LoopRole::freeLeft;
    Tensor first = sums ? Tensor::left : Tensor::result;
    for (Tensor tensor : {sums || !isRows ? Tensor::right : Tensor::left, first}) {
      auto *unit =
          llvm::find_if(dimension.loops, [&](unsigned loop) { return nest.isUnit(tensor, loop); });
      if (unit != dimension.loops.end())
        std::rotate(unit, unit + 1, dimension.loops.end());
    }
    dimension.size = constant(1);
    for (unsigned loop : dimension.loops)
      dimension.size = multiply(dimension.size, extentOf(loop));
    for (Tensor tensor : tensors)
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
      for (Tensor tensor : tensors) {
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
      for (Tensor tensor : tensors)
        strides[tensor] = nest.stride(b, tensor, at);
      loop(extentOf(at), [&](Value value) {
        Value outer[3];
        for (Tensor tensor : tensors) {
          outer[tensor] = base[tensor];
          base[tensor] = add(base[tensor], multiply(value, strides[tensor]));
        }
        batch(at + 1);
        std::copy(std::begin(outer), std::end(outer), std::begin(base));
      });
    };
    for (Tensor tensor : tensors)
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
        pack({packedRight, columns, column, wide, tile.columns(), first, deep, Tensor::right});
        emitRows(column, wide, first, deep);
      });
    });
  }

  void emitRows(Value column, Value wide, Value first, Value deep) {
    loop(rows.begin, rows.end, blockRows, [&](Value row) {
      Value high = minimum(subtract(rows.end, row), constant(blockRows));
      pack({packedLeft, rows, row, high, tile.rows, first, deep, Tensor::left});
      loop(constant(0), wide, tile.columns(), [&](Value across) {
        loop(constant(0), high, tile.rows, [&](Value down) {
          askForTile(add(row, down), add(column, across));
          SmallVector<Parts> sums = multiplyPanels(down, across, deep);
          Value isFirst;
          if (nest.overwrites)
            isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, first, constant(0));
          Value wholeRows = isAtLeast(subtract(high, down), tile.rows);
          Value wholeColumns = isAtLeast(subtract(wide, across), tile.columns());
          Value x = add(column, across), y = add(row, down);
          Value wideHere = minimum(subtract(wide, across), constant(tile.columns()));
          auto edge = [&] {
            Value highHere = minimum(subtract(high, down), constant(tile.rows));
            updateEdge(sums, y, highHere, x, wideHere, isFirst);
          };
          auto runs = [&] {
            if (!columns.unit[Tensor::result])
              return edge();
            branch(wholeRows, [&] { updateRuns(sums, y, x, wideHere, isFirst); }, edge);
          };
          branch(
              isTogether(x, both(wholeRows, wholeColumns)),
              [&] { updateTile(sums, y, x, isFirst); }, runs);
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
  // Tiles
  //===----------------------------------------------------------------------------------------===//

  // The sums of a tile, row by row: `deep` products of a column of one panel and a row of another.
  SmallVector<Parts> multiplyPanels(Value down, Value across, Value deep) {
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
              next, numbers.multiplyAdd(partsAt(walk.getRegionIterArgs(), i * tile.vectors + v),
                                        wide, row[v]));
      }
      scf::YieldOp::create(b, loc, next);
    }
    SmallVector<Parts> tiles;
    for (int64_t at = 0; at < tile.rows * tile.vectors; ++at)
      tiles.push_back(partsAt(walk.getResults(), at));
    return tiles;
  }

  // A vector of the row of a panel of columns that begins at `from`.
  Parts rowOfPanel(Value from, int64_t column) {
    auto type = VectorType::get({tile.lanes}, numbers.real);
    Parts found;
    for (int64_t part = 0; part < numbers.parts; ++part)
      found.push_back(vector::LoadOp::create(b, loc, type, packedRight,
                                             add(from, constant(part * tile.columns() + column))));
    return found;
  }

  // An element of the column of a panel of rows that begins at `from`.
  Parts elementOfPanel(Value from, int64_t row) {
    Parts found;
    for (int64_t part = 0; part < numbers.parts; ++part)
      found.push_back(
          memref::LoadOp::create(b, loc, packedLeft, add(from, constant(part * tile.rows + row))));
    return found;
  }

  // The lines of a tile of the result, which is needed when its sums are there.
  void askForTile(Value y, Value x) {
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

  Value rowOfResult(Value y, int64_t i) {
    return add(base[Tensor::result], offset(rows, Tensor::result, add(y, constant(i))));
  }

  // Adds a whole tile to the result, whose columns lie next to each other there.
  void updateTile(ArrayRef<Parts> sums, Value y, Value x, Value isFirst) {
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
  void addOrStore(Value isFirst, llvm::function_ref<void(bool adds)> update) {
    if (!isFirst)
      return update(true);
    branch(isFirst, [&] { update(false); }, [&] { update(true); });
  }

  // Emits `body` for each run of the columns [0, wide) of a tile: as far as columns lie next to
  // each other in the result, which are values of the last label.
  void forEachRun(Value x, Value wide, llvm::function_ref<void(Value begin, Value end)> body) {
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

  // Adds `wide` columns of all rows of a tile, run by run. A vector in which a run ends is stored
  // by masks.
  void updateRuns(ArrayRef<Parts> sums, Value y, Value x, Value wide, Value isFirst) {
    forEachRun(x, wide, [&](Value begin, Value end) {
      Value column = subtract(offset(columns, Tensor::result, add(x, begin)), begin);
      for (int64_t v = 0; v < tile.vectors; ++v)
        updateVectors(sums, y, v, column, begin, end, isFirst);
    });
  }

  // Of vector `v` of each row the columns from `begin` to `end` of the tile.
  void updateVectors(ArrayRef<Parts> sums, Value y, int64_t v, Value column, Value begin, Value end,
                     Value isFirst) {
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
          sum = numbers.sum(vector::MaskedLoadOp::create(b, loc, vector, buffer, at, mask, none),
                            sum);
        vector::MaskedStoreOp::create(b, loc, buffer, at, mask, sum);
      }
    };
    Value some = both(isLess(constant(0), upper), isLess(lower, constant(tile.lanes)));
    branch(some, [&] { addOrStore(isFirst, update); }, [] {});
  }

  // A mask of the first `count` numbers of a vector.
  Value firstOnes(Value count) {
    auto type = VectorType::get({tile.lanes * numbers.parts}, b.getI1Type());
    return vector::CreateMaskOp::create(b, loc, type, ValueRange{placeOf(count)});
  }

  // Adds `high` rows and `wide` columns of a tile.
  void updateEdge(ArrayRef<Parts> sums, Value y, Value high, Value x, Value wide, Value isFirst) {
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
  void updateByRows(Value y, Value high, Value x, Value wide, Value isFirst) {
    forEachRun(x, wide, [&](Value begin, Value end) {
      loop(begin, end, tile.lanes, [&](Value at) {
        Value mask = firstOnes(minimum(subtract(end, at), constant(tile.lanes)));
        Value column = offset(columns, Tensor::result, add(x, at));
        coldLoop(high, [&](Value i) { updateRun(y, i, at, column, mask, isFirst); });
      });
    });
  }

  void updateRun(Value y, Value i, Value j, Value column, Value mask, Value isFirst) {
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

  void updateElements(Value y, Value high, Value x, Value wide, Value isFirst) {
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

  Value packedLeft, packedRight, scratch;
};

// if blocks are worthwhile { blocks } else { the loops as they were }; of several terms, if they
// are for one.
void emitBlocks(ContractionTerms &terms, Value context, int64_t vectorBytes) {
  OpBuilder b(terms.loops);
  Location loc = terms.loops->getLoc();
  std::deque<Blocks> all; // they do not move
  Value worthwhile;
  for (ContractionNest &nest : terms.nests) {
    all.emplace_back(std::move(nest), context, vectorBytes);
    Value enough = all.back().prepare();
    worthwhile = worthwhile ? arith::OrIOp::create(b, loc, worthwhile, enough) : enough;
  }
  auto choice = scf::IfOp::create(b, loc, worthwhile, /*withElseRegion=*/true);
  terms.loops->moveBefore(choice.elseBlock()->getTerminator());
  Operation *end = choice.thenBlock()->getTerminator();
  if (terms.rest)
    terms.rest->moveBefore(end);
  for (Blocks &blocks : all)
    blocks.emitAt(choice.thenBlock(), end->getIterator());
  for (Operation *copy : terms.copies)
    if (copy != terms.loops)
      copy->erase();
}

struct BlockContractions : impl::BlockContractionsBase<BlockContractions> {
  using BlockContractionsBase::BlockContractionsBase;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      std::vector<ContractionTerms> found;
      kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
        std::optional<ContractionTerms> terms = contractionsOf(loop);
        if (!terms)
          return WalkResult::advance();
        found.push_back(std::move(*terms));
        return WalkResult::skip();
      });
      for (ContractionTerms &terms : found)
        emitBlocks(terms, kernel.getArgument(0), vectorBytes);
    }
  }

  static std::optional<ContractionTerms> contractionsOf(scf::ForOp loop) {
    std::optional<ContractionNest> nest = ContractionNest::match(loop);
    if (!nest)
      return ContractionTerms::match(loop);
    Operation *whole = nest->pieces ? nest->pieces.getOperation() : loop.getOperation();
    ContractionTerms terms{whole};
    terms.copies.push_back(whole);
    terms.nests.push_back(std::move(*nest));
    return terms;
  }
};

} // namespace
} // namespace strata
