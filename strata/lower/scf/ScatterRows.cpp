// Adds to rows where entries lead, by vectors whose number is known.
//
// before: for p { for k in [0, n) { y[r(p) + k] = y[r(p) + k] + a[p] * x[s(p) + k] } }
// after:  for k0 in 0, 32, ... {
//           r = r(first p); t = y[r + k0 to r + k0 + 31]
//           for p { if r(p) != r { y[r + k0 to ...] = t; r = r(p); t = y[r + k0 to ...] }
//                   t = t + a[p] * x[s(p) + k0 to ...] }
//           y[r + k0 to ...] = t }
// or, where x has the same row in all steps (columns of a matrix),
//         for k0 in 0, 32, ... { t = x[s + k0 to s + k0 + 31]
//                                for p { y[r(p) + k0 to ...] = y[r(p) + k0 to ...] + a[p] * t } }
//
// The rest of the row is tiles of fewer vectors, the last of them masked. Each element adds up the
// same terms in the same order. A step has no loop over elements, whose end LLVM would look for
// three times, and lists of entries in the order of rows read and store each row once.
#include "strata/lower/Passes.h"
#include "strata/lower/scf/RowUpdate.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_SCATTERROWS
#include "strata/lower/Passes.h.inc"

namespace {

// Of longer rows the entries would be walked too often: where each step stores its row, and where
// rows are kept from one to the next.
constexpr int64_t longestStored = 64, longestKept = 256;

// A loop around one that adds to a row, another one in each of its steps.
class ScatteringLoop {
public:
  explicit ScatteringLoop(scf::ForOp loop) : loop(loop) {}

  bool match() {
    if (!loop.getInitArgs().empty() || loop->hasAttr(loopAnnotationName) || !findUpdate())
      return false;
    // Of a multiple, so that no row begins inside another: tile by tile, elements of rows that
    // overlap would add up their terms in another order. (The language refuses results whose
    // rows overlap; what is a multiple is where such a row begins.)
    auto row = update->row.base ? update->row.base.getDefiningOp<arith::MulIOp>() : arith::MulIOp();
    return row && !loop.isDefinedOutsideOfLoop(row) && loop.isDefinedOutsideOfLoop(update->size) &&
           loop.isDefinedOutsideOfLoop(update->buffer()) &&
           llvm::none_of(loop.getBody()->getOps<memref::LoadOp>(),
                         [&](memref::LoadOp load) { return update->isRow(load.getMemRef()); });
  }

  void emit() {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    Value most =
        arith::ConstantIndexOp::create(b, loc, readsSameRow() ? longestStored : longestKept);
    Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, update->size, most);
    auto choice = scf::IfOp::create(b, loc, fits, /*withElseRegion=*/true);
    loop->moveBefore(choice.elseBlock()->getTerminator());
    b.setInsertionPointToStart(choice.thenBlock());
    Value some = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, loop.getLowerBound(),
                                       loop.getUpperBound());
    auto steps = scf::IfOp::create(b, loc, some, /*withElseRegion=*/false);
    b.setInsertionPointToStart(steps.thenBlock());
    const RowTiles tiles = update->tiles(loc);
    auto emit = [&](Operation *before, ArrayRef<Lanes> tile) { emitTile(before, tiles, tile); };
    tiles.emitWhole(b, emit);
    tiles.emitParts(b, emit);
  }

private:
  // The only thing that the loop does but to read.
  bool findUpdate() {
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (auto inner = dyn_cast<scf::ForOp>(op)) {
        if (update || !(update = RowUpdate::match(inner)))
          return false;
      } else if (op.getNumRegions() > 0 || (!isPure(&op) && !isa<memref::LoadOp>(op))) {
        return false;
      }
    }
    return update.has_value();
  }

  // Tells whether that is of a row which is the same in all steps.
  bool isOfSameRow(memref::LoadOp load) {
    const MovingPlace place = update->placeOf(load);
    return place.moves && !update->isRow(load.getMemRef()) &&
           loop.isDefinedOutsideOfLoop(load.getMemRef()) &&
           (!place.base || loop.isDefinedOutsideOfLoop(place.base));
  }
  bool readsSameRow() {
    return llvm::any_of(update->loop.getBody()->getOps<memref::LoadOp>(),
                        [&](memref::LoadOp load) { return isOfSameRow(load); });
  }

  // Of a tile, what is read of the rows that are the same in all steps.
  SmallVector<IRMapping> readBefore(OpBuilder &b, const RowTiles &tiles, ArrayRef<Lanes> tile) {
    SmallVector<IRMapping> read(tile.size());
    for (auto load : update->loop.getBody()->getOps<memref::LoadOp>())
      if (isOfSameRow(load))
        for (auto [lanes, known] : llvm::zip(tile, read))
          known.map(load.getResult(),
                    tiles.load(b, load.getMemRef(), update->placeOf(load).base, lanes));
    return read;
  }

  void emitTile(Operation *before, const RowTiles &tiles, ArrayRef<Lanes> tile) {
    OpBuilder b(before);
    if (readsSameRow())
      emitScattering(b, tiles, tile);
    else
      emitCarrying(b, tiles, tile);
  }

  // Each step reads its row and stores it.
  void emitScattering(OpBuilder &b, const RowTiles &tiles, ArrayRef<Lanes> tile) {
    const SmallVector<IRMapping> read = readBefore(b, tiles, tile);
    auto walk = scf::ForOp::create(b, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
                                   loop.getStep());
    leaveAsItIs(walk); // columns are short, and copies of a step no faster
    OpBuilder inside = OpBuilder::atBlockTerminator(walk.getBody());
    IRMapping scalars;
    Value row = emitStep(inside, walk.getInductionVar(), scalars);
    SmallVector<Value> sums = loadRow(inside, tiles, row, tile);
    for (auto [lanes, known, sum] : llvm::zip(tile, read, sums))
      sum = update->emit(inside, scalars, known, lanes, sum);
    storeRow(inside, tiles, row, tile, sums);
  }

  // A step whose row is not that of the one before stores that row and reads its own.
  void emitCarrying(OpBuilder &b, const RowTiles &tiles, ArrayRef<Lanes> tile) {
    Location loc = loop.getLoc();
    IRMapping first;
    SmallVector<Value> state{emitStep(b, loop.getLowerBound(), first)};
    llvm::append_range(state, loadRow(b, tiles, state[0], tile));
    auto walk = scf::ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(),
                                   loop.getStep(), state);
    leaveAsItIs(walk);
    OpBuilder inside = OpBuilder::atBlockBegin(walk.getBody());
    IRMapping scalars;
    Value row = emitStep(inside, walk.getInductionVar(), scalars), last = walk.getRegionIterArg(0);
    ValueRange carried = walk.getRegionIterArgs().drop_front();
    Value another = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::ne, row, last);
    auto choice =
        scf::IfOp::create(inside, loc, carried.getTypes(), another, /*withElseRegion=*/true);
    OpBuilder then = choice.getThenBodyBuilder();
    storeRow(then, tiles, last, tile, carried);
    scf::YieldOp::create(then, loc, loadRow(then, tiles, row, tile));
    OpBuilder otherwise = choice.getElseBodyBuilder();
    scf::YieldOp::create(otherwise, loc, carried);
    state.assign(1, row);
    for (auto [lanes, sum] : llvm::zip(tile, choice.getResults()))
      state.push_back(update->emit(inside, scalars, IRMapping(), lanes, sum));
    scf::YieldOp::create(inside, loc, state);
    storeRow(b, tiles, walk.getResult(0), tile, walk.getResults().drop_front());
  }

  // What a step does besides: the value is where its row begins.
  Value emitStep(OpBuilder &b, Value at, IRMapping &scalars) {
    scalars.map(loop.getInductionVar(), at);
    for (Operation &op : loop.getBody()->without_terminator())
      if (&op != update->loop)
        b.clone(op, scalars);
    return scalars.lookup(update->row.base);
  }

  SmallVector<Value> loadRow(OpBuilder &b, const RowTiles &tiles, Value row, ArrayRef<Lanes> tile) {
    return llvm::map_to_vector(
        tile, [&](const Lanes &lanes) { return tiles.load(b, update->buffer(), row, lanes); });
  }
  void storeRow(OpBuilder &b, const RowTiles &tiles, Value row, ArrayRef<Lanes> tile,
                ValueRange sums) {
    for (auto [lanes, sum] : llvm::zip(tile, sums))
      tiles.store(b, sum, update->buffer(), row, lanes);
  }

  scf::ForOp loop;
  std::optional<RowUpdate> update;
};

struct ScatterRows : impl::ScatterRowsBase<ScatterRows> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    SmallVector<ScatteringLoop> found;
    getOperation()->walk([&](scf::ForOp loop) {
      if (ScatteringLoop rows(loop); rows.match())
        found.push_back(rows);
    });
    for (ScatteringLoop &rows : found)
      rows.emit();
  }
};

} // namespace
} // namespace strata
