// Asks for the lines that scattered stores will need before their turn comes.
#include "strata/lower/Passes.h"
#include "strata/lower/Phase.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <map>

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_PREFETCHSCATTER
#include "strata/lower/Passes.h.inc"

namespace {

// Far enough for a line to come from memory while as many entries are stored.
constexpr int64_t stepsAhead = 32;

// One counted loop: what its steps compute, computed again for a step to come.
class StepAhead {
public:
  explicit StepAhead(scf::ForOp loop)
      : loop(loop), b(OpBuilder::atBlockBegin(loop.getBody())), loc(b.getUnknownLoc()),
        step(getConstantIntValue(loop.getStep())) {}

  void prefetch(memref::StoreOp store) {
    if (!step || store.getIndices().size() != 1 || loadsUpTo(store.getIndices()[0]) < 2)
      return;
    Value at = ahead(store.getIndices()[0]);
    memref::PrefetchOp::create(b, loc, store.getMemRef(), at, /*isWrite=*/true,
                               /*localityHint=*/3, /*isDataCache=*/true);
  }

private:
  bool isInside(Value value) { return loop.getRegion().isAncestor(value.getParentRegion()); }

  // How many loads, each at an index that depends on the one before, lead from the loop's variable
  // to a value; none where it also depends on what cannot be computed ahead.
  int loadsUpTo(Value value) {
    constexpr int unknown = -64;
    if (!isInside(value) || value == loop.getInductionVar())
      return 0;
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() > 0)
      return unknown;
    auto load = dyn_cast<memref::LoadOp>(op);
    if (load && (load.getIndices().size() != 1 || isInside(load.getMemRef())))
      return unknown;
    if (!load && !isPure(op))
      return unknown;
    int most = 0;
    for (Value operand : op->getOperands()) {
      int found = loadsUpTo(operand);
      if (found < 0)
        return unknown;
      most = std::max(most, found);
    }
    return load ? most + 1 : most;
  }

  // What a value of loadsUpTo will be, or something as harmless to load from.
  Value ahead(Value value) {
    if (!isInside(value))
      return value;
    if (Value known = mapping.lookupOrNull(value))
      return known;
    if (value == loop.getInductionVar()) {
      mapping.map(value, arith::AddIOp::create(b, loc, value, constant(stepsAhead * *step)));
      return mapping.lookup(value);
    }
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      (void)ahead(operand);
    Operation *copy = b.clone(*op, mapping);
    if (auto load = dyn_cast<memref::LoadOp>(copy))
      clamp(load);
    return copy->getResult(0);
  }

  // A step to come may be none of this loop's, and its index beyond the buffer.
  void clamp(memref::LoadOp load) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(load);
    Value size = memref::DimOp::create(b, loc, load.getMemRef(), constant(0));
    Value last = arith::SubIOp::create(b, loc, size, constant(1));
    load.getIndicesMutable()[0].set(arith::MinUIOp::create(b, loc, load.getIndices()[0], last));
  }

  Value constant(int64_t value) {
    Value &known = constants[value];
    if (!known) {
      OpBuilder before(loop);
      known = arith::ConstantIndexOp::create(before, loc, value);
    }
    return known;
  }

  scf::ForOp loop;
  OpBuilder b;
  Location loc;
  std::optional<int64_t> step;
  IRMapping mapping;
  std::map<int64_t, Value> constants;
};

struct PrefetchScatter : impl::PrefetchScatterBase<PrefetchScatter> {
  void runOnOperation() override {
    getOperation()->walk([](scf::ForOp loop) {
      // Where a pattern is there, a row's values lie together and come at once.
      auto kernel = loop->getParentOfType<func::FuncOp>();
      if (kernel && phaseOf(kernel) == Phase::Compute)
        return;
      StepAhead steps(loop);
      for (auto store : llvm::make_early_inc_range(loop.getBody()->getOps<memref::StoreOp>()))
        steps.prefetch(store);
    });
  }
};

} // namespace
} // namespace strata
