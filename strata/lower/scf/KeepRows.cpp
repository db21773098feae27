// Keeps rows that a loop adds to again and again in vector registers.
//
// before: for p { for k in [0, n) { y[r + k] = y[r + k] + a[p] * x[s(p) + k] } }
// after:  for k0 in 0, 32, ... { t = y[r + k0 to r + k0 + 31]
//                                for p { t = t + a[p] * x[s(p) + k0 to s(p) + k0 + 31] }
//                                y[r + k0 to r + k0 + 31] = t }
//
// The rest of the row is tiles of fewer vectors, the last of them masked. Each element adds up the
// same terms in the same order. Where the row gets the fill just before, the tiles begin with it.
// There may be loops between, such as `for p { for q in [b[p], b[p + 1]) { for k { .. } } }`, and a
// question whether there is anything to add, `for p { if (a[p] != 0) { for k { .. } } }`. A
// loop that asks for the lines of rows (PrefetchGathers) asks for those of the tile. Where little
// code is wanted, the rest is one vector at a time; in such loops two, and then one at a time.
#include "strata/lower/Passes.h"
#include "strata/lower/scf/FillLoop.h"
#include "strata/lower/scf/RowUpdate.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_KEEPROWS
#include "strata/lower/Passes.h.inc"

namespace {

// Of longer rows the entries would be walked too often.
constexpr int64_t longest = 256;

// A loop around others, and these in others, that add to a row of one buffer, the same in each of
// its steps.
class RowLoop {
public:
  RowLoop(scf::ForOp loop, bool littleCode) : loop(loop), littleCode(littleCode) {}

  bool match() {
    if (!findUpdates(loop) || updates.empty())
      return false;
    const RowUpdate &first = updates.front();
    size = first.size;
    if ((first.row.base && !loop.isDefinedOutsideOfLoop(first.row.base)) ||
        !loop.isDefinedOutsideOfLoop(size) || !loop.isDefinedOutsideOfLoop(first.buffer()))
      return false;
    findFill();
    return !readsRow() && llvm::all_of(updates, [&](const RowUpdate &update) {
      return update.buffer() == first.buffer() && update.row.base == first.row.base &&
             update.size == size;
    });
  }

  void keep() {
    OpBuilder b(loop);
    if (littleCode || waits()) { // for lines from memory
      keepIn(b, [&](const RowTiles &tiles, Value full, RowTiles::Emit emit) {
        tiles.emitMasked(b, littleCode ? full : tiles.emitHalf(b, full, emit), emit);
      });
      if (fill)
        fill->loop->erase();
      loop->erase();
      return;
    }
    Value most = arith::ConstantIndexOp::create(b, loop.getLoc(), longest);
    Value fits = compare(b, arith::CmpIPredicate::sle, size, most);
    auto choice = scf::IfOp::create(b, loop.getLoc(), fits, /*withElseRegion=*/true);
    if (fill)
      fill->loop->moveBefore(choice.elseBlock()->getTerminator());
    loop->moveBefore(choice.elseBlock()->getTerminator());
    b.setInsertionPointToStart(choice.thenBlock());
    keepIn(b, [&](const RowTiles &tiles, Value, RowTiles::Emit emit) { tiles.emitParts(b, emit); });
  }

private:
  Value compare(OpBuilder &b, arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loop.getLoc(), predicate, x, y);
  }
  // Whole tiles, and what comes behind them.
  void keepIn(OpBuilder &b,
              llvm::function_ref<void(const RowTiles &, Value full, RowTiles::Emit)> emitRest) {
    Location loc = loop.getLoc();
    if (!fill) {
      Value some =
          compare(b, arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
      auto steps = scf::IfOp::create(b, loc, some, /*withElseRegion=*/false);
      b.setInsertionPointToStart(steps.thenBlock());
    }
    const RowTiles tiles = updates.front().tiles(loc);
    auto emit = [&](Operation *before, ArrayRef<Lanes> tile) { emitTile(before, tiles, tile); };
    emitRest(tiles, tiles.emitWhole(b, emit), emit);
  }

  // Tells whether it asks for what it reads.
  bool waits() {
    WalkResult found =
        loop.getBody()->walk([](memref::PrefetchOp) { return WalkResult::interrupt(); });
    return found.wasInterrupted();
  }

  // The updates in a loop, of which the rest only reads, and asks for what will be read.
  bool findUpdates(scf::ForOp from) {
    if (!from.getInitArgs().empty())
      return false;
    return findUpdatesIn(*from.getBody());
  }

  bool findUpdatesIn(Block &block) {
    return llvm::all_of(block.without_terminator(), [&](Operation &op) {
      if (auto nested = dyn_cast<scf::ForOp>(op))
        return isInnermost(nested) ? addUpdate(nested) : findUpdates(nested);
      if (auto question = dyn_cast<scf::IfOp>(op))
        return question.getNumResults() == 0 && question.getElseRegion().empty() &&
               findUpdatesIn(*question.thenBlock());
      return op.getNumRegions() == 0 &&
             (isPure(&op) || isa<memref::LoadOp, memref::PrefetchOp>(op));
    });
  }

  static bool isInnermost(scf::ForOp loop) {
    WalkResult found = loop.getBody()->walk([](scf::ForOp) { return WalkResult::interrupt(); });
    return !found.wasInterrupted();
  }

  bool addUpdate(scf::ForOp inner) {
    std::optional<RowUpdate> update = RowUpdate::match(inner);
    if (update)
      updates.push_back(*update);
    return update.has_value();
  }

  // Where the row gets the fill just before.
  void findFill() {
    fill = FillLoop::before(loop);
    const RowUpdate &first = updates.front();
    if (fill &&
        (fill->buffer != first.buffer() || fill->begin != first.row.base || fill->count != size))
      fill.reset();
  }

  // Tells whether the row is read but by the updates.
  bool readsRow() {
    WalkResult found = loop.getBody()->walk([&](memref::LoadOp load) {
      bool isOfUpdate = llvm::any_of(
          updates, [&](const RowUpdate &update) { return update.loop->isAncestor(load); });
      return !isOfUpdate && updates.front().isRow(load.getMemRef()) ? WalkResult::interrupt()
                                                                    : WalkResult::advance();
    });
    return found.wasInterrupted();
  }

  //===----------------------------------------------------------------------------------------===//
  // Tiles
  //===----------------------------------------------------------------------------------------===//

  // Puts in front of `before` what the loop does to the vectors of a tile.
  void emitTile(Operation *before, const RowTiles &tiles, ArrayRef<Lanes> tile) {
    OpBuilder b(before);
    const RowUpdate &first = updates.front();
    SmallVector<Value> sums = llvm::map_to_vector(tile, [&](const Lanes &place) -> Value {
      if (fill)
        return repeated(b, loop.getLoc(), tiles.type(), fill->fill);
      return tiles.load(b, first.buffer(), first.row.base, place);
    });
    IRMapping scalars;
    emitLoop(b, loop, scalars, tile, sums);
    for (auto [place, sum] : llvm::zip(tile, sums))
      tiles.store(b, sum, first.buffer(), first.row.base, place);
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
    emitOps(inside, *from.getBody(), scalars, tile, sums);
    scf::YieldOp::create(inside, from.getLoc(), sums);
    sums.assign(walk.getResults().begin(), walk.getResults().end());
  }

  // Adds to the sums what the ops of a loop, or those behind a question, add to the row.
  void emitOps(OpBuilder &b, Block &block, IRMapping &scalars, ArrayRef<Lanes> tile,
               SmallVector<Value> &sums) {
    for (Operation &op : block.without_terminator()) {
      auto nested = dyn_cast<scf::ForOp>(op);
      auto update =
          llvm::find_if(updates, [&](const RowUpdate &one) { return one.loop == nested; });
      if (auto prefetch = dyn_cast<memref::PrefetchOp>(op))
        prefetchTile(b, prefetch, scalars, tile);
      else if (auto question = dyn_cast<scf::IfOp>(op))
        emitQuestion(b, question, scalars, tile, sums);
      else if (!nested)
        b.clone(op, scalars);
      else if (update == updates.end())
        emitLoop(b, nested, scalars, tile, sums);
      else
        emitUpdate(b, *update, scalars, tile, sums);
    }
  }

  // Asks the question of a loop: where the answer is no, the sums stay what they are.
  void emitQuestion(OpBuilder &b, scf::IfOp from, IRMapping &scalars, ArrayRef<Lanes> tile,
                    SmallVector<Value> &sums) {
    auto question = scf::IfOp::create(b, from.getLoc(), TypeRange(ValueRange(sums)),
                                      scalars.lookupOrDefault(from.getCondition()),
                                      /*withElseRegion=*/true);
    OpBuilder no = OpBuilder::atBlockBegin(question.elseBlock());
    scf::YieldOp::create(no, from.getLoc(), sums);
    OpBuilder yes = OpBuilder::atBlockBegin(question.thenBlock());
    emitOps(yes, *from.thenBlock(), scalars, tile, sums);
    scf::YieldOp::create(yes, from.getLoc(), sums);
    sums.assign(question.getResults().begin(), question.getResults().end());
  }

  void emitUpdate(OpBuilder &b, const RowUpdate &update, const IRMapping &scalars,
                  ArrayRef<Lanes> tile, SmallVector<Value> &sums) {
    IRMapping own(scalars);
    for (auto [place, sum] : llvm::zip(tile, sums))
      sum = update.emit(b, own, IRMapping(), place, sum);
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

  scf::ForOp loop;
  bool littleCode;
  SmallVector<RowUpdate> updates;
  Value size; ///< of the row
  std::optional<FillLoop> fill;
};

struct KeepRows : impl::KeepRowsBase<KeepRows> {
  using KeepRowsBase::KeepRowsBase;

  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    SmallVector<RowLoop> found;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      RowLoop rows(loop, littleCode);
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
