// Walks diagonals block by block of what they all change, so that this stays in cache.
#include "strata/lower/Buffers.h"
#include "strata/lower/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_TILEDIAGONALS
#include "strata/lower/Passes.h.inc"

namespace {

// As many values of two vectors stay near the processor while a third streams.
constexpr int64_t blockSize = 2048;

// A loop around another whose bounds change, within bounds that do not: each walk of the inner one
// adds to some of the same values.
class Diagonals {
public:
  explicit Diagonals(scf::ForOp outer) : outer(outer) {}

  bool match() {
    auto loops = outer.getBody()->getOps<scf::ForOp>();
    if (!outer.getInitArgs().empty() || !llvm::hasSingleElement(loops))
      return false;
    inner = *loops.begin();
    if (!inner.getInitArgs().empty() || getConstantIntValue(inner.getStep()) != 1)
      return false;
    least = boundOutside<arith::MaxSIOp>(inner.getLowerBound());
    most = boundOutside<arith::MinSIOp>(inner.getUpperBound());
    return least && most && llvm::all_of(outer.getBody()->without_terminator(), isHarmless) &&
           changesOnlyItsPlaces();
  }

  void tile() {
    OpBuilder b(outer);
    Location loc = outer.getLoc();
    Value size = arith::ConstantIndexOp::create(b, loc, blockSize);
    auto blocks = scf::ForOp::create(b, loc, least, most, size);
    outer->moveBefore(blocks.getBody(), blocks.getBody()->begin());
    b.setInsertionPoint(outer);
    Value end = arith::AddIOp::create(b, loc, blocks.getInductionVar(), size);
    b.setInsertionPoint(inner);
    inner.setLowerBound(
        arith::MaxSIOp::create(b, loc, inner.getLowerBound(), blocks.getInductionVar()));
    inner.setUpperBound(arith::MinSIOp::create(b, loc, inner.getUpperBound(), end));
  }

private:
  bool isOutside(Value value) { return outer.isDefinedOutsideOfLoop(value); }

  // What is known before the outer loop of a bound that is an extremum.
  template <typename Extremum> Value boundOutside(Value bound) {
    auto op = bound.getDefiningOp<Extremum>();
    if (!op || isOutside(bound))
      return {};
    return isOutside(op.getLhs()) ? op.getLhs() : isOutside(op.getRhs()) ? op.getRhs() : Value();
  }

  static bool isHarmless(Operation &op) {
    return isa<memref::LoadOp, scf::ForOp>(op) || isPure(&op);
  }

  // Is an index the inner loop's coordinate, moved by what both loops leave as it is? Then no two
  // coordinates have the same.
  bool isOwn(OperandRange indices) {
    if (indices.size() != 1)
      return false;
    Value index = indices[0], coordinate = inner.getInductionVar();
    auto sum = index.getDefiningOp<arith::AddIOp>();
    return index == coordinate ||
           (sum && ((sum.getLhs() == coordinate && isOutside(sum.getRhs())) ||
                    (sum.getRhs() == coordinate && isOutside(sum.getLhs()))));
  }

  // Then the walks of one coordinate follow each other as before, and others do not matter to it.
  bool changesOnlyItsPlaces() {
    Value changed, index;
    for (Operation &op : inner.getBody()->without_terminator()) {
      if (auto store = dyn_cast<memref::StoreOp>(op)) {
        if ((changed && changed != store.getMemRef()) || !isOwn(store.getIndices()) ||
            (index && index != store.getIndices()[0]))
          return false;
        changed = store.getMemRef();
        index = store.getIndices()[0];
      } else if (!isa<memref::LoadOp>(op) && !isPure(&op)) {
        return false;
      }
    }
    if (!changed || !isOutside(changed))
      return false;
    WalkResult reads = outer.walk([&](memref::LoadOp load) {
      bool same = wholeOf(load.getMemRef()) == wholeOf(changed);
      bool own = load.getMemRef() == changed && load.getIndices()[0] == index;
      return same && !own ? WalkResult::interrupt() : WalkResult::advance();
    });
    return !reads.wasInterrupted();
  }

  scf::ForOp outer, inner;
  Value least, most;
};

struct TileDiagonals : impl::TileDiagonalsBase<TileDiagonals> {
  void runOnOperation() override {
    SmallVector<Diagonals> found;
    getOperation()->walk([&](scf::ForOp loop) {
      Diagonals diagonals(loop);
      if (diagonals.match())
        found.push_back(diagonals);
    });
    for (Diagonals &diagonals : found)
      diagonals.tile();
  }
};

} // namespace
} // namespace strata
