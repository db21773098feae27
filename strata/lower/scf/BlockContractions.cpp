// Runs dense contractions in blocks that stay in the caches, by a kernel that keeps a tile of the
// result in registers.
//
// before: lvl.contract A, B into C over (row i, column j, summed k)
// after:  for j0 by 2048 { for k0 by 192 {
//           pack B[k0..., j0...]: panels of one tile's columns, for each k a row of them
//           for i0 by 96 {
//             pack A[i0..., k0...]: panels of one tile's rows, for each k a column of them
//             for each panel of B { for each panel of A {
//               t = 0; for k in the block { t += a column of A's panel times a row of B's }
//               C[a tile] += t } } } } }
//
// The sizes of blocks are those that fit the caches. Where a panel of B is too large for the first
// one, A and B change their places: i0 goes outside, and of B as much is packed as of A here.
//
// Where few tiles would read what is packed, or both operands stay in the second cache as they are,
// the kernels read them in place.
//
// i, j and k stand for as many labels as each kind has, whose offsets come from tables: so packing
// permutes on the way, and no tensor is copied as a whole. (Goto and van de Geijn, Anatomy of
// high-performance matrix multiplication, 2008; Matthews, High-performance tensor contraction
// without transposition, 2018.) An element adds up its terms in the same order wherever its tile
// lies, so that no bit depends on how the loops are shared among threads.
//
// The loops over blocks are a function of their own, which is the same for many contractions: their
// sizes, strides and tables are given.
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/scf/ContractionTiles.h"
#include "strata/lower/scf/SharedFunction.h"
#include "strata/lower/utils/ControlFlow.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/runtime/assembly.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_BLOCKCONTRACTIONS
#include "strata/lower/Passes.h.inc"

namespace {

// Fewer values of a batch for each thread are not shared evenly.
constexpr int64_t leastOfBatch = 4;
// An operand that so few tiles read is not worth the packing.
constexpr int64_t mostTilesInPlace = 4;
// Contracted values that are more bytes apart are not foreseen by processors.
constexpr int64_t mostStrideInPlace = 1024;

class Blocks : ContractionTiles {
public:
  using ContractionTiles::ContractionTiles;

  /// Emits the blocks where the operation stands.
  void emit() {
    group(rows, lvl::Role::row);
    group(columns, lvl::Role::column);
    group(depth, lvl::Role::summed);
    if (!storesOneByOne()) {
      order(rows, columns);
      order(columns, rows);
      cutIntoRuns();
    }
    emitTables();
    chooseSources();
    rows.begin = columns.begin = constant(0);
    rows.end = rows.size, columns.end = columns.size;
    if (op.getPieces())
      emitPieces();
    else
      emitPiece();
    for (Dimension *dimension : {&rows, &columns, &depth})
      for (Dimension::Offsets &offsets : dimension->offsets)
        if (offsets.table.data)
          release(offsets.table);
    if (columns.inRuns)
      release(columns.widths);
  }

private:
  //===----------------------------------------------------------------------------------------===//
  // Dimensions
  //===----------------------------------------------------------------------------------------===//

  // Orders the labels of a dimension: that in which neighbours lie next to each other in one tensor
  // comes last, and that of the other before it. So a block uses all elements of the lines that it
  // packs.
  void group(Dimension &dimension, lvl::Role role) {
    for (auto [label, own] : llvm::enumerate(contraction.roles))
      if (own == role)
        dimension.labels.push_back(label);
    bool sums = role == lvl::Role::summed, isRows = role == lvl::Role::row;
    Tensor first = sums ? Tensor::left : Tensor::result;
    for (Tensor tensor : {sums || !isRows ? Tensor::right : Tensor::left, first}) {
      auto *unit = llvm::find_if(dimension.labels,
                                 [&](unsigned label) { return contraction.isUnit(tensor, label); });
      if (unit != dimension.labels.end())
        std::rotate(unit, unit + 1, dimension.labels.end());
    }
    dimension.size = constant(1);
    for (unsigned label : dimension.labels)
      dimension.size = multiply(dimension.size, extentOf(label));
    for (Tensor tensor : tensors)
      dimension.unit[tensor] = contraction.isUnit(tensor, dimension.labels.back());
  }

  void emitTables() {
    for (Dimension *dimension : {&rows, &columns, &depth})
      for (Tensor tensor : tensors) {
        if (!contraction.moves(tensor, dimension->labels.front()))
          continue;
        Dimension::Offsets &offsets = dimension->offsets[tensor];
        if (dimension->labels.size() == 1)
          offsets.stride = strideOf(tensor, dimension->labels.front());
        else
          offsets.table = emitTable(*dimension, tensor);
        if (dimension->labels.size() > 1 && dimension->unit[tensor])
          dimension->neighbours[tensor] = neighboursOf(*dimension, tensor);
      }
    if (columns.inRuns)
      emitWidths();
  }

  //===----------------------------------------------------------------------------------------===//
  // Blocks
  //===----------------------------------------------------------------------------------------===//

  // Threads share the values of the outermost label where that is a batch with enough of them. Else
  // they share the rows or the columns of the result, of which there are more: each packs its own
  // part of one operand, and all of the other.
  void emitPieces() {
    Value shares = constant(STRATA_SHARES_OF_THREAD);
    Value threads = arith::CeilDivUIOp::create(b, loc, op.getPieces(), shares);
    auto parallel = scf::ParallelOp::create(b, loc, ValueRange{constant(0)}, ValueRange{threads},
                                            ValueRange{constant(1)});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(parallel.getBody());
    Value piece = parallel.getInductionVars()[0];
    auto cut = [&](Value size, int64_t unit, Value isCut) {
      Value units = arith::CeilDivUIOp::create(b, loc, size, constant(unit));
      auto bound = [&](Value at) {
        Value first = arith::DivUIOp::create(b, loc, multiply(units, at), threads);
        return minimum(multiply(first, constant(unit)), size);
      };
      return std::pair<Value, Value>(
          arith::SelectOp::create(b, loc, isCut, bound(piece), constant(0)),
          arith::SelectOp::create(b, loc, isCut, bound(add(piece, constant(1))), size));
    };
    Value byRows = isLess(columns.size, rows.size), byColumns = isNot(byRows);
    if (contraction.roles.front() == lvl::Role::batched) {
      Value whole = extentOf(0), few = isLess(whole, multiply(threads, constant(leastOfBatch)));
      std::tie(batchBegin, batchEnd) = cut(whole, 1, isNot(few));
      byRows = both(byRows, few), byColumns = both(byColumns, few);
    }
    std::tie(rows.begin, rows.end) = cut(rows.size, tile.rows, byRows);
    std::tie(columns.begin, columns.end) =
        cut(columns.size, tile.columns() * columns.inTurn, byColumns);
    emitPiece();
  }

  void emitPiece() {
    if (!op.getPieces()) // a call for each value of the loops around would take time
      return emitAll();
    std::string title = "blocks of a dense contraction of ";
    llvm::raw_string_ostream(title) << contraction.element;
    SharedFunction function(b, loc, title, given());
    emitAll();
    function.end();
  }

  /// Lists what is made outside of the function and used in it.
  SmallVector<Value *> given() {
    SmallVector<Value *> values{&context};
    for (Contraction::Access &access : contraction.accesses) {
      values.append({&access.buffer, &access.begin});
      for (Value &stride : access.strides)
        values.push_back(&stride);
    }
    for (SmallVector<Value> *list : {&contraction.extents, &contraction.scales})
      for (Value &value : *list)
        values.push_back(&value);
    for (Dimension *dimension : {&rows, &columns, &depth}) {
      values.append({&dimension->size, &dimension->begin, &dimension->end, &dimension->inRuns,
                     &dimension->followsResult, &dimension->widths.data});
      for (Tensor tensor : tensors)
        values.append({&dimension->offsets[tensor].stride, &dimension->offsets[tensor].table.data,
                       &dimension->neighbours[tensor]});
    }
    values.append({&inPlace[Tensor::left], &inPlace[Tensor::right], &batchBegin, &batchEnd});
    return values;
  }

  void emitAll() {
    Side left = sideOf(Tensor::left), right = sideOf(Tensor::right);
    emit::Growing panels[] = {allocatePanels(left), allocatePanels(right)};
    packedLeft = left.packed = panels[0].data;
    packedRight = right.packed = panels[1].data;
    emit::Growing sums;
    if (storesOneByOne()) {
      sums = allocate(constant(tile.rows * tile.columns()));
      scratch = sums.data;
    }
    if (block.farIsRows)
      emitBatches(left, right);
    else
      emitBatches(right, left);
    for (const emit::Growing &buffer : {panels[0], panels[1], sums})
      if (buffer.data)
        release(buffer);
  }

  // An operand, of whose dimension `most` values are packed at a time, in panels of `width`.
  struct Side {
    Dimension &dimension;
    int64_t width;
    Tensor tensor;
    Value most;
    Value packed = {};
  };

  // Where fewer values are contracted than a block has, it has more of the others.
  Side sideOf(Tensor tensor) {
    bool isLeft = tensor == Tensor::left;
    Side side{isLeft ? rows : columns, isLeft ? tile.rows : tile.columns(), tensor, {}};
    int64_t far = packsElements(isLeft ? Tensor::right : Tensor::left) ? block.mostFar : block.far;
    int64_t most = block.farIsRows == isLeft ? far : block.near;
    int64_t unit = side.width * side.dimension.inTurn;
    Value deep = minimum(depth.size, constant(block.depth));
    Value wanted = divide(constant(most * block.depth), maximum(deep, constant(1)));
    wanted = minimum(wanted, constant(most * ContractionBlock::mostTimes));
    side.most = maximum(multiply(divide(wanted, constant(unit)), constant(unit)), constant(unit));
    return side;
  }

  // Tells whether an operand is packed element by element, with no neighbours in a panel.
  bool packsElements(Tensor tensor) {
    const Dimension &dimension = tensor == Tensor::left ? rows : columns;
    return !dimension.unit[tensor] && !depth.unit[tensor] && !hasLines(dimension, tensor);
  }

  emit::Growing allocatePanels(const Side &side) {
    Value all = subtract(side.dimension.end, side.dimension.begin);
    Value count = roundUp(minimum(all, side.most), side.width);
    Value deep = minimum(depth.size, constant(block.depth));
    if (Value direct = inPlace[side.tensor])
      count = arith::SelectOp::create(
          b, loc, direct,
          constant(side.tensor == Tensor::left || readsUnderMasks() ? 0 : side.width), count);
    return allocate(add(multiply(count, deep), constant(1)));
  }

  /// The values of the outermost label that a thread takes; null where it takes all.
  Value batchBegin, batchEnd;

  void emitBatches(const Side &far, const Side &near) {
    std::function<void(size_t)> batch = [&](size_t at) {
      while (at < contraction.roles.size() && contraction.roles[at] != lvl::Role::batched)
        ++at;
      if (at == contraction.roles.size())
        return emitFarBlocks(far, near);
      Value strides[3];
      for (Tensor tensor : tensors)
        strides[tensor] = strideOf(tensor, at);
      bool isCut = at == 0 && batchBegin;
      Value begin = isCut ? batchBegin : constant(0), end = isCut ? batchEnd : extentOf(at);
      loop(begin, end, 1, [&](Value value) {
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
      base[tensor] = contraction.accesses[tensor].begin;
    batch(0);
  }

  // The block of a dimension that begins at a value.
  struct Span {
    Value begin, size;
  };

  void forEachBlock(const Side &side, llvm::function_ref<void(Span)> body) {
    loop(side.dimension.begin, side.dimension.end, side.most, [&](Value begin) {
      body({begin, minimum(subtract(side.dimension.end, begin), side.most)});
    });
  }

  // Of columns that are read in place the last ones are packed where they fill no vectors, which
  // would reach beyond the operand, and there are no masks.
  void packBlock(const Side &side, Span span, Span contracted) {
    Value from = span.begin, count = span.size;
    if (Value direct = inPlace[side.tensor]) {
      Value rest = constant(0);
      if (side.tensor == Tensor::right && !readsUnderMasks()) {
        rest = arith::RemUIOp::create(b, loc, span.size, constant(side.width));
        Value isVector = isSame(rest, constant(tile.lanes));
        rest = arith::SelectOp::create(b, loc, isVector, constant(0), rest);
      }
      from = arith::SelectOp::create(b, loc, direct, add(from, subtract(count, rest)), from);
      count = arith::SelectOp::create(b, loc, direct, rest, count);
    }
    pack({side.packed, side.dimension, from, count, side.width, contracted.begin, contracted.size,
          side.tensor});
  }

  void emitFarBlocks(const Side &far, const Side &near) {
    // Where there is nothing to add up, the result is overwritten all the same.
    Value end = contraction.overwrites
                    ? Value(arith::MaxSIOp::create(b, loc, depth.size, constant(1)))
                    : depth.size;
    forEachBlock(far, [&](Span outer) {
      loop(constant(0), end, block.depth, [&](Value first) {
        Span deep{first, minimum(subtract(depth.size, first), constant(block.depth))};
        packBlock(far, outer, deep);
        forEachBlock(near, [&](Span inner) {
          packBlock(near, inner, deep);
          forEachPanel(far, outer, [&](Panel farPanel) {
            forEachPanel(near, inner, [&](Panel nearPanel) {
              if (block.farIsRows)
                emitTile(farPanel, nearPanel, deep);
              else
                emitTile(nearPanel, farPanel, deep);
            });
          });
        });
      });
    });
  }

  // A panel of a block.
  struct Panel {
    Span block;
    Value at, size; ///< in the block
  };

  void forEachPanel(const Side &side, Span span, llvm::function_ref<void(Panel)> body) {
    Value direct = side.tensor == Tensor::left ? inPlace[Tensor::left] : Value();
    if (!direct)
      return (void)loop(constant(0), span.size, side.width, [&](Value at) {
        Value size =
            widthOf(side.dimension, add(span.begin, at), subtract(span.size, at), side.width);
        if (side.dimension.inTurn == 1)
          return body({span, at, size});
        branch(isLess(constant(0), size), [&] { body({span, at, size}); }, [] {});
      });
    whileLoop(
        b, loc, {constant(0)}, [&](Values at) { return isLess(at[0], span.size); },
        [&](Values at) -> Values {
          Value left = subtract(span.size, at[0]);
          Value whole = minimum(left, constant(side.width));
          Value size = arith::SelectOp::create(b, loc, direct, balanced(left, side.width), whole);
          body({span, at[0], size});
          return {add(at[0], size)};
        });
  }

  // Returns the rows of a tile where so many are left. Where they are more than one tile has, but
  // no more than two low ones, two of these take less time.
  Value balanced(Value left, int64_t most) {
    int64_t low = lowRows();
    Value whole = minimum(left, constant(most));
    Value isLow = both(isAtLeast(left, most + 1), isLess(left, constant(2 * low + 1)));
    return arith::SelectOp::create(b, loc, isLow, constant(low), whole);
  }

  // Sums are added to the result one by one where vectors are impossible.
  bool storesOneByOne() const { return !columns.unit[Tensor::result]; }

  void emitTile(Panel down, Panel across, Span deep) {
    Place place{add(down.block.begin, down.at), down.size, add(across.block.begin, across.at),
                across.size};
    Source left = panelOfRows(down.at, deep.size), right = panelOfColumns(across.at, deep.size);
    Value isFirst;
    if (contraction.overwrites)
      isFirst = isSame(deep.begin, constant(0));
    if (storesOneByOne()) {
      auto sums = multiplyTile(wholeShape(), left, right, deep.size, place, Reads::panels);
      return updateElements(sums, place, isFirst);
    }
    Value isWhole = isTogether(place.x, place.wide, tile.columns());
    Value isHot = both(isWhole, isAtLeast(place.high, tile.rows));
    for (Tensor tensor : {Tensor::left, Tensor::right})
      if (Value direct = inPlace[tensor])
        isHot = both(isHot, isNot(direct));
    branch(
        isHot,
        [&] {
          askForTile(place.y, place.x);
          auto sums = multiplyTile(wholeShape(), left, right, deep.size, place, Reads::panels);
          updateTile(wholeShape(), sums, place, isFirst);
        },
        [&] {
          emitOther(place, sourceOfRows(place, left, deep), sourceOfColumns(place, right, deep),
                    deep.size, isFirst);
        });
  }

  // Emits a tile at an edge, one that lies in pieces, or one of an operand that is read in place.
  void emitOther(const Place &place, const Source &left, const Source &right, Value deep,
                 Value isFirst) {
    bool isMatrix = rows.labels.size() == 1 && columns.labels.size() == 1;
    if (!isMatrix)
      askForPart(place);
    chooseShape(place, [&](const Shape &shape) {
      auto sums = [&](Reads reads) { return multiplyTile(shape, left, right, deep, place, reads); };
      bool isOneLabel = columns.labels.size() == 1;
      Value fills = isOneLabel ? isAtLeast(place.wide, shape.vectors * tile.lanes) : Value();
      // Most tiles of operands that are read in place lack nothing: they have kernels without
      // masks.
      if (isOneLabel && readsUnderMasks() && shape.rows == tile.rows)
        return branch(
            fills, [&] { updateTile(shape, sums(Reads::vectors), place, isFirst); },
            [&] { updatePart(shape, sums(Reads::part), place, isFirst); });
      SmallVector<Parts> found = sums(Reads::part);
      auto part = [&] { updatePart(shape, found, place, isFirst); };
      if (isOneLabel)
        return branch(fills, [&] { updateTile(shape, found, place, isFirst); }, part);
      branch(areNeighbours(columns, Tensor::result, place.x, place.wide), part,
             [&] { updateRuns(shape, found, place, isFirst); });
    });
  }

  Source sourceOfRows(const Place &place, const Source &packed, Span deep) {
    Value direct = inPlace[Tensor::left];
    return direct ? chosen(direct, rowsInPlace(place.y, deep.begin), packed) : packed;
  }

  // Without masks, the last columns are packed where they fill no vectors: there is one panel then.
  Source sourceOfColumns(const Place &place, const Source &packed, Span deep) {
    Value direct = inPlace[Tensor::right];
    if (!direct)
      return packed;
    if (readsUnderMasks())
      return chosen(direct, columnsInPlace(place.x, deep.begin), packed);
    Source last = chosen(direct, panelOfColumns(constant(0), deep.size), packed);
    Value fills = arith::OrIOp::create(b, loc, isAtLeast(place.wide, tile.columns()),
                                       isSame(place.wide, constant(tile.lanes)));
    return chosen(both(direct, fills), columnsInPlace(place.x, deep.begin), last);
  }

  //===----------------------------------------------------------------------------------------===//
  // Operands in place
  //===----------------------------------------------------------------------------------------===//

  /// Says whether an operand is read where it is; null where that is impossible.
  Value inPlace[2];

  // Packing does not pay where few tiles read what was packed, or where both operands stay in the
  // second cache as they are: a kernel computes for so long that a line comes from there in time.
  // It is necessary where offsets come from tables, where numbers are scaled meanwhile, and where
  // the columns of the right operand are no vectors.
  void chooseSources() {
    if (storesOneByOne() || depth.labels.size() > 1)
      return;
    Value isSmall = isLess(add(distance(Tensor::left, rows), distance(Tensor::right, columns)),
                           constant(block.inPlace));
    auto readsInPlace = [&](Tensor tensor, const Dimension &other, int64_t tile) {
      Value isNear =
          isLess(depth.offsets[tensor].stride, constant(mostStrideInPlace / numbers.bytes()));
      Value few = both(isNear, isLess(other.size, constant(mostTilesInPlace * tile + 1)));
      return arith::OrIOp::create(b, loc, few, isSmall);
    };
    if (rows.labels.size() == 1 && contraction.scales.empty() && !contraction.negates &&
        partsOf(Tensor::left).getType() == partsType())
      inPlace[Tensor::left] = readsInPlace(Tensor::left, columns, tile.columns());
    if (columns.labels.size() == 1 && columns.unit[Tensor::right] && numbers.parts == 1 &&
        partsOf(Tensor::right).getType() == partsType())
      inPlace[Tensor::right] = readsInPlace(Tensor::right, rows, tile.rows);
  }

  // Returns how many numbers lie between an operand's first and its last one, or are packed of it.
  Value distance(Tensor tensor, const Dimension &own) {
    if (own.labels.size() > 1)
      return multiply(own.size, depth.size);
    Value last = constant(0);
    for (const Dimension *dimension : std::array<const Dimension *, 2>{&own, &depth})
      last = add(last, multiply(subtract(dimension->size, constant(1)),
                                dimension->offsets[tensor].stride));
    return last;
  }

  Type partsType() { return MemRefType::get({ShapedType::kDynamic}, numbers.real); }

  Value isNot(Value condition) {
    return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, condition,
                                         arith::ConstantIntOp::create(b, loc, 0, 1));
  }
};

struct BlockContractions : impl::BlockContractionsBase<BlockContractions> {
  using BlockContractionsBase::BlockContractionsBase;

  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    SmallVector<lvl::ContractOp> found;
    getOperation().walk([&](lvl::ContractOp op) { found.push_back(op); });
    for (lvl::ContractOp op : found) {
      Resolutions forbidden = forbiddenFor(op->getParentOfType<func::FuncOp>());
      Blocks(op, {.vectorBytes = vectorBytes,
                  .vectorRegisters = vectorRegisters,
                  .caches = {firstCache, secondCache, thirdCache},
                  .inRegisters = !forbidden.contains(Resolution::Microkernel)})
          .emit();
      op.erase();
    }
  }
};

} // namespace
} // namespace strata
