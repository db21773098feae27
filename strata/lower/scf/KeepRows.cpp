// Keeps rows that a loop adds to again and again in vector registers.
//
// before: for p { for k in [0, n) { y[r + k] = y[r + k] + a[p] * x[s(p) + k] } }
// after:  for k0 in 0, 32, ... { t = y[r + k0 to r + k0 + 31]
//                                for p { t = t + a[p] * x[s(p) + k0 to s(p) + k0 + 31] }
//                                y[r + k0 to r + k0 + 31] = t }
//
// The rest of the row is tiles of fewer vectors, the last of them masked. Each element adds up the
// same terms in the same order. Where the row gets the fill just before, the tiles begin with it.
// There may be loops between, such as `for p { for q in [b[p], b[p + 1]) { for k { .. } } }`. A
// loop that asks for the lines of rows (PrefetchGathers) asks for those of the tile, and has one
// vector at a time as the rest.
#include "strata/lower/Passes.h"
#include "strata/lower/scf/Buffers.h"
#include "strata/lower/scf/FillLoop.h"
#include "strata/lower/scf/VectorElements.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_KEEPROWS
#include "strata/lower/Passes.h.inc"

namespace {

// A tile is four vectors, which leave room for operands in the sixteen registers of AVX2 where each
// takes two.
constexpr int64_t bytesOfVector = 64, vectorsOfTile = 4;
// Of longer rows the entries would be walked too often.
constexpr int64_t longest = 256;

// An innermost loop: over the elements of a row, to each of which it adds.
struct RowUpdate {
  scf::ForOp loop;
  memref::StoreOp store;
};

// A loop around others, and these in others, that add to a row of one buffer, the same in each of
// its steps.
class RowLoop {
public:
  explicit RowLoop(scf::ForOp loop) : loop(loop) {}

  bool match() {
    if (!findUpdates(loop) || updates.empty())
      return false;
    store = updates.front().store;
    size = updates.front().loop.getUpperBound();
    row = placeIn(updates.front(), store.getIndices());
    Type element = store.getValueToStore().getType();
    if (!row.moves || (row.base && !loop.isDefinedOutsideOfLoop(row.base)) ||
        !loop.isDefinedOutsideOfLoop(size) || !loop.isDefinedOutsideOfLoop(store.getMemRef()) ||
        !(element.isF64() || element.isF32()))
      return false;
    findFill();
    return llvm::none_of(around, [&](scf::ForOp one) { return readsRow(one); }) &&
           llvm::all_of(updates, [&](RowUpdate update) { return isKnown(update); });
  }

  void keep() {
    OpBuilder b(loop);
    if (waits()) { // for lines from memory, so that little code will do
      keepIn(b, [&](Value full) { emitMasked(b, full); });
      if (fill)
        fill->loop->erase();
      loop->erase();
      return;
    }
    Value fits = compare(b, arith::CmpIPredicate::sle, size, constant(b, longest));
    auto choice = scf::IfOp::create(b, loop.getLoc(), fits, /*withElseRegion=*/true);
    if (fill)
      fill->loop->moveBefore(choice.elseBlock()->getTerminator());
    loop->moveBefore(choice.elseBlock()->getTerminator());
    b.setInsertionPointToStart(choice.thenBlock());
    keepIn(b, [&](Value) { emitParts(b); });
  }

private:
  Value constant(OpBuilder &b, int64_t value) {
    return arith::ConstantIndexOp::create(b, loop.getLoc(), value);
  }
  Value compare(OpBuilder &b, arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loop.getLoc(), predicate, x, y);
  }
  // The value without its last bits.
  Value rounded(OpBuilder &b, Value value, int64_t unit) {
    return arith::AndIOp::create(b, loop.getLoc(), value, constant(b, -unit));
  }

  // Whole tiles, and what comes behind them.
  void keepIn(OpBuilder &b, llvm::function_ref<void(Value full)> emitRest) {
    Location loc = loop.getLoc();
    if (!fill) {
      Value some =
          compare(b, arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
      auto steps = scf::IfOp::create(b, loc, some, /*withElseRegion=*/false);
      b.setInsertionPointToStart(steps.thenBlock());
    }
    int64_t most = lanes() * vectorsOfTile;
    Value full = rounded(b, size, most);
    auto tiles = scf::ForOp::create(b, loc, constant(b, 0), full, constant(b, most));
    emitTile(tiles.getBody()->getTerminator(), tiles.getInductionVar(), vectorsOfTile, Value());
    emitRest(full);
  }

  // Vector by vector.
  void emitMasked(OpBuilder &b, Value full) {
    auto rest = scf::ForOp::create(b, loop.getLoc(), full, size, constant(b, lanes()));
    Operation *end = rest.getBody()->getTerminator();
    OpBuilder inside(end);
    Value left = arith::SubIOp::create(inside, loop.getLoc(), size, rest.getInductionVar());
    emitTile(end, rest.getInductionVar(), 1, left);
  }

  // Of the rest two vectors, one, and a part of one: a mask costs more than another walk.
  void emitParts(OpBuilder &b) {
    auto emitIf = [&](int64_t bits, Value first, int64_t count, bool masked) {
      Value some = arith::AndIOp::create(b, loop.getLoc(), size, constant(b, bits));
      Value any = compare(b, arith::CmpIPredicate::ne, some, constant(b, 0));
      auto part = scf::IfOp::create(b, loop.getLoc(), any, /*withElseRegion=*/false);
      emitTile(part.thenBlock()->getTerminator(), first, count, masked ? some : Value());
    };
    for (int64_t count = vectorsOfTile / 2; count > 0; count /= 2) {
      int64_t width = lanes() * count;
      emitIf(width, rounded(b, size, 2 * width), count, false);
    }
    emitIf(lanes() - 1, rounded(b, size, lanes()), 1, true);
  }

  // Does it ask for what it reads?
  bool waits() {
    return llvm::any_of(around, [](scf::ForOp one) {
      return !one.getBody()->getOps<memref::PrefetchOp>().empty();
    });
  }

  // The updates in a loop, of which the rest only reads, and asks for what will be read.
  bool findUpdates(scf::ForOp from) {
    if (!from.getInitArgs().empty())
      return false;
    around.push_back(from);
    for (Operation &op : from.getBody()->without_terminator()) {
      auto nested = dyn_cast<scf::ForOp>(op);
      if (!nested && (op.getNumRegions() > 0 ||
                      (!isPure(&op) && !isa<memref::LoadOp, memref::PrefetchOp>(op))))
        return false;
      if (nested && !(nested.getBody()->getOps<scf::ForOp>().empty() ? addUpdate(nested)
                                                                     : findUpdates(nested)))
        return false;
    }
    return true;
  }

  bool addUpdate(scf::ForOp inner) {
    RowUpdate update{inner, {}};
    inner.getBody()->walk([&](memref::StoreOp one) { update.store = one; });
    updates.push_back(update);
    return update.store && inner.getInitArgs().empty() && !inner->hasAttr(loopAnnotationName) &&
           getConstantIntValue(inner.getLowerBound()) == 0 &&
           getConstantIntValue(inner.getStep()) == 1;
  }

  static MovingPlace placeIn(RowUpdate update, OperandRange indices) {
    return indices.size() == 1 ? strata::placeIn(update.loop, indices[0]) : MovingPlace();
  }

  // Where the row gets the fill just before.
  void findFill() {
    fill = FillLoop::before(loop);
    if (fill &&
        (fill->buffer != store.getMemRef() || fill->begin != row.base || fill->count != size))
      fill.reset();
  }

  bool isRow(Value buffer) { return wholeOf(buffer) == wholeOf(store.getMemRef()); }

  bool readsRow(scf::ForOp from) {
    return llvm::any_of(from.getBody()->getOps<memref::LoadOp>(),
                        [&](memref::LoadOp load) { return isRow(load.getMemRef()); });
  }

  // Does it add to the row, and can its body be done for several elements at once?
  bool isKnown(RowUpdate update) {
    MovingPlace place = placeIn(update, update.store.getIndices());
    bool accumulates = false;
    return update.store.getMemRef() == store.getMemRef() && place.moves && place.base == row.base &&
           update.loop.getUpperBound() == size &&
           llvm::all_of(update.loop.getBody()->without_terminator(),
                        [&](Operation &op) { return isKnown(update, op, accumulates); }) &&
           accumulates;
  }

  bool isKnown(RowUpdate update, Operation &op, bool &accumulates) {
    Type element = store.getValueToStore().getType();
    if (&op == update.store)
      return true;
    if (isa<arith::AddIOp>(op) && op.getResult(0).getType().isIndex())
      return llvm::all_of(op.getUsers(), [](Operation *user) {
        return isa<memref::LoadOp, memref::StoreOp>(user);
      });
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      MovingPlace read = placeIn(update, load.getIndices());
      if (isRow(load.getMemRef())) {
        accumulates = true;
        return load.getMemRef() == store.getMemRef() && read.moves && read.base == row.base;
      }
      scf::ForOp inner = update.loop;
      return load.getType() == element && inner.isDefinedOutsideOfLoop(load.getMemRef()) &&
             (read.moves || (load.getIndices().size() == 1 &&
                             inner.isDefinedOutsideOfLoop(load.getIndices()[0])));
    }
    return isElementwise(op, element);
  }

  int64_t lanes() {
    return bytesOfVector * 8 / store.getValueToStore().getType().getIntOrFloatBitWidth();
  }

  //===----------------------------------------------------------------------------------------===//
  // Tiles
  //===----------------------------------------------------------------------------------------===//

  // Places of one vector in the tile that begins at `first`, all of it or a part.
  struct Lanes {
    Value first, mask;
  };

  // Puts in front of `before` what the loop does to `count` vectors from `first` on; with `rest`,
  // to so many elements of them.
  void emitTile(Operation *before, Value first, int64_t count, Value rest) {
    OpBuilder b(before);
    Location loc = loop.getLoc();
    type = VectorType::get({lanes()}, store.getValueToStore().getType());
    SmallVector<Lanes> tile;
    SmallVector<Value> sums;
    for (int64_t at = 0; at < count; ++at) {
      Value skipped = arith::ConstantIndexOp::create(b, loc, at * lanes()), mask;
      if (rest)
        mask =
            vector::CreateMaskOp::create(b, loc, VectorType::get({lanes()}, b.getI1Type()),
                                         ValueRange{arith::SubIOp::create(b, loc, rest, skipped)});
      tile.push_back({arith::AddIOp::create(b, loc, first, skipped), mask});
      sums.push_back(fill ? Value(vector::BroadcastOp::create(b, loc, type, fill->fill))
                          : loadVector(b, store.getMemRef(), row.base, tile.back()));
    }
    IRMapping scalars;
    emitLoop(b, loop, scalars, tile, sums);
    for (auto [place, sum] : llvm::zip(tile, sums))
      storeVector(b, sum, place);
  }

  // What a loop around the updates adds to the sums of the vectors of a tile.
  void emitLoop(OpBuilder &b, scf::ForOp from, IRMapping &scalars, ArrayRef<Lanes> tile,
                SmallVector<Value> &sums) {
    auto walk = scf::ForOp::create(b, from.getLoc(), scalars.lookupOrDefault(from.getLowerBound()),
                                   scalars.lookupOrDefault(from.getUpperBound()),
                                   scalars.lookupOrDefault(from.getStep()), sums);
    scalars.map(from.getInductionVar(), walk.getInductionVar());
    OpBuilder inside = OpBuilder::atBlockBegin(walk.getBody());
    sums.assign(walk.getRegionIterArgs().begin(), walk.getRegionIterArgs().end());
    for (Operation &op : from.getBody()->without_terminator()) {
      auto nested = dyn_cast<scf::ForOp>(op);
      auto update = llvm::find_if(updates, [&](RowUpdate one) { return one.loop == nested; });
      if (auto prefetch = dyn_cast<memref::PrefetchOp>(op))
        prefetchTile(inside, prefetch, scalars, tile);
      else if (!nested)
        inside.clone(op, scalars);
      else if (update == updates.end())
        emitLoop(inside, nested, scalars, tile, sums);
      else
        emitUpdate(inside, *update, scalars, tile, sums);
    }
    scf::YieldOp::create(inside, from.getLoc(), sums);
    sums.assign(walk.getResults().begin(), walk.getResults().end());
  }

  void emitUpdate(OpBuilder &b, RowUpdate update, IRMapping &scalars, ArrayRef<Lanes> tile,
                  SmallVector<Value> &sums) {
    IRMapping own(scalars);
    for (auto [place, sum] : llvm::zip(tile, sums)) {
      IRMapping vectors;
      for (Operation &op : update.loop.getBody()->without_terminator())
        emitElements(b, update, op, own, vectors, place, sum);
      memref::StoreOp last = update.store;
      sum = asVector(b, last.getValueToStore(), own, vectors);
    }
  }

  // Of a row that is asked for line by line, the vectors that the tile will read.
  void prefetchTile(OpBuilder &b, memref::PrefetchOp op, IRMapping &scalars, ArrayRef<Lanes> tile) {
    bool isRead = false;
    op->getBlock()->walk([&](memref::LoadOp load) {
      bool innermost = load->getBlock() != op->getBlock();
      isRead |= innermost && load.getMemRef() == op.getMemref();
    });
    bool isAsked = llvm::any_of(op->getBlock()->getOps<memref::PrefetchOp>(), [&](auto other) {
      return other.getMemref() == op.getMemref() && other->isBeforeInBlock(op);
    });
    if (isRead && isAsked)
      return;
    for (const Lanes &place : isRead ? tile : tile.take_front()) {
      Operation *copy = b.clone(*op, scalars);
      if (!isRead)
        continue;
      OpBuilder before(copy);
      Value index = cast<memref::PrefetchOp>(copy).getIndices()[0];
      copy->setOperand(1, arith::AddIOp::create(before, op.getLoc(), index, place.first));
    }
  }

  void emitElements(OpBuilder &b, RowUpdate update, Operation &op, IRMapping &scalars,
                    IRMapping &vectors, const Lanes &place, Value sum) {
    if (&op == update.store || op.getResult(0).getType().isIndex() ||
        scalars.contains(op.getResult(0))) // the same for all vectors
      return;
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      MovingPlace read = placeIn(update, load.getIndices());
      if (isRow(load.getMemRef()))
        vectors.map(load.getResult(), sum);
      else if (read.moves)
        vectors.map(load.getResult(),
                    loadVector(b, scalars.lookupOrDefault(load.getMemRef()),
                               read.base ? scalars.lookupOrDefault(read.base) : Value(), place));
      else
        b.clone(op, scalars);
      return;
    }
    if (llvm::none_of(op.getOperands(), [&](Value operand) { return vectors.contains(operand); })) {
      b.clone(op, scalars);
      return;
    }
    SmallVector<Value> operands = llvm::map_to_vector(
        op.getOperands(), [&](Value operand) { return asVector(b, operand, scalars, vectors); });
    vectors.map(op.getResult(0), widened(b, op, operands, type));
  }

  Value asVector(OpBuilder &b, Value value, IRMapping &scalars, IRMapping &vectors) {
    return widenedTo(b, type, value, scalars.lookupOrDefault(value), vectors);
  }

  Value loadVector(OpBuilder &b, Value buffer, Value base, const Lanes &place) {
    Location loc = loop.getLoc();
    Value at = base ? Value(arith::AddIOp::create(b, loc, base, place.first)) : place.first;
    if (!place.mask)
      return vector::LoadOp::create(b, loc, type, buffer, at);
    Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    return vector::MaskedLoadOp::create(b, loc, type, buffer, at, place.mask, none);
  }

  void storeVector(OpBuilder &b, Value values, const Lanes &place) {
    Location loc = loop.getLoc();
    Value at = row.base ? Value(arith::AddIOp::create(b, loc, row.base, place.first)) : place.first;
    if (place.mask)
      vector::MaskedStoreOp::create(b, loc, store.getMemRef(), at, place.mask, values);
    else
      vector::StoreOp::create(b, loc, values, store.getMemRef(), at);
  }

  scf::ForOp loop;
  SmallVector<scf::ForOp> around; ///< it and those in it, but for the innermost
  SmallVector<RowUpdate> updates;
  memref::StoreOp store; ///< of the first of them
  Value size;            ///< of the row
  MovingPlace row;       ///< where it begins
  std::optional<FillLoop> fill;
  VectorType type;
};

struct KeepRows : impl::KeepRowsBase<KeepRows> {
  void runOnOperation() override {
    SmallVector<RowLoop> found;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      RowLoop rows(loop);
      if (!rows.match())
        return WalkResult::advance();
      found.push_back(rows);
      return WalkResult::skip();
    });
    for (RowLoop &rows : found)
      rows.keep();
  }
};

} // namespace
} // namespace strata
