// Asks for the lines that scattered stores and scattered rows will need before their turn comes.
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include <map>

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_PREFETCH
#include "strata/lower/Passes.h.inc"

namespace {

// Far enough for a line to come from memory while as many entries are stored.
constexpr int64_t farAhead = 32;
// What lies behind a prefetched position is asked for when that has come.
constexpr int64_t halfAhead = farAhead / 2;
// So many entries on the average.
constexpr int64_t mostInShortRows = 16;
// As many, or fewer, stay in a core's cache from one visit to the next.
constexpr int64_t mostInCache = 1 << 18;

// One counted loop: what its steps compute, computed again for a step to come.
class StepAhead {
public:
  StepAhead(scf::ForOp loop, int64_t stepsAhead, OpBuilder b)
      : loop(loop), stepsAhead(stepsAhead), b(b), loc(b.getUnknownLoc()),
        step(getConstantIntValue(loop.getStep())) {}

  void prefetch(memref::StoreOp store) {
    if (!step || isInside(store.getMemRef()) || store.getIndices().size() != 1 ||
        loadsUpTo(store.getIndices()[0]) < 2)
      return;
    prefetch(store.getMemRef(), ahead(store.getIndices()[0]), /*isWrite=*/true);
  }

  /// How many loads, each at a place that depends on the one before, end in this one; none where
  /// that is not known ahead.
  int chainTo(memref::LoadOp load) { return step ? loadsUpTo(load) : 0; }

  /// The place of a load.
  void prefetch(memref::LoadOp load) {
    prefetch(load.getMemRef(), ahead(load.getIndices()[0]), /*isWrite=*/false);
  }

  /// Where a loaded position leads in other buffers.
  void prefetchBehind(memref::LoadOp position, ArrayRef<Value> buffers) {
    Value at = ahead(position);
    if (!at.getType().isIndex())
      at = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), at);
    for (Value buffer : buffers)
      prefetch(buffer, at, /*isWrite=*/false);
  }

private:
  void prefetch(Value buffer, Value at, bool isWrite) {
    memref::PrefetchOp::create(b, loc, buffer, at, isWrite, /*localityHint=*/3,
                               /*isDataCache=*/true);
  }

  bool isInside(Value value) { return !loop.isDefinedOutsideOfLoop(value); }

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
  int64_t stepsAhead;
  OpBuilder b;
  Location loc;
  std::optional<int64_t> step;
  IRMapping mapping;
  std::map<int64_t, Value> constants;
};

static void prefetchStores(scf::ForOp loop) {
  // Where a pattern is there, a row's values lie together and come at once.
  auto kernel = loop->getParentOfType<func::FuncOp>();
  if (kernel && phaseOf(kernel) == Phase::Compute)
    return;
  StepAhead far(loop, farAhead, OpBuilder::atBlockBegin(loop.getBody()));
  for (auto store : llvm::make_early_inc_range(loop.getBody()->getOps<memref::StoreOp>()))
    far.prefetch(store);
}

// The loops in a block, and in its branches.
static void appendLoops(Block &block, SmallVectorImpl<scf::ForOp> &loops) {
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      loops.push_back(loop);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      for (Region &region : branch->getRegions())
        for (Block &inner : region)
          appendLoops(inner, loops);
  }
}

// The load that tells where the row begins that an inner loop walks. A branch may load it again:
// then it is the same load that all steps do.
static memref::LoadOp beginOf(scf::ForOp row, scf::ForOp loop) {
  Operation *begin = row.getLowerBound().getDefiningOp();
  while (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(begin))
    begin = begin->getOperand(0).getDefiningOp();
  auto load = dyn_cast_or_null<memref::LoadOp>(begin);
  if (load && load.getIndices().size() == 1)
    for (auto one : loop.getBody()->getOps<memref::LoadOp>())
      if (one.getMemRef() == load.getMemRef() && one.getIndices() == load.getIndices())
        return one;
  return nullptr;
}

// What a row's loop reads entry by entry.
static SmallVector<Value> buffersOf(scf::ForOp row, scf::ForOp loop) {
  SetVector<Value> buffers;
  for (auto load : row.getBody()->getOps<memref::LoadOp>())
    if (load.getIndices().size() == 1 && load.getIndices()[0] == row.getInductionVar() &&
        loop.isDefinedOutsideOfLoop(load.getMemRef()))
      buffers.insert(load.getMemRef());
  return buffers.takeVector();
}

// Are the rows in these buffers short, and too many for the cache? Long ones come as fast without
// being asked for.
static Value areShortAndMany(memref::LoadOp begin, Value buffer, OpBuilder b) {
  Location loc = b.getUnknownLoc();
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); };
  Value rows = memref::DimOp::create(b, loc, begin.getMemRef(), constant(0));
  Value entries = memref::DimOp::create(b, loc, buffer, constant(0));
  Value most = arith::MulIOp::create(b, loc, rows, constant(mostInShortRows));
  Value isShort = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, entries, most);
  Value many =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, entries, constant(mostInCache));
  return arith::AndIOp::create(b, loc, isShort, many);
}

static void prefetchRow(scf::ForOp row, scf::ForOp loop) {
  memref::LoadOp begin = beginOf(row, loop);
  SmallVector<Value> buffers = buffersOf(row, loop);
  OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
  if (!begin || buffers.empty() || StepAhead(loop, farAhead, b).chainTo(begin) < 2)
    return;
  Value worthIt = areShortAndMany(begin, buffers.front(), OpBuilder(loop));
  auto branch = scf::IfOp::create(b, b.getUnknownLoc(), worthIt);
  StepAhead(loop, farAhead, branch.getThenBodyBuilder()).prefetch(begin);
  StepAhead(loop, halfAhead, branch.getThenBodyBuilder()).prefetchBehind(begin, buffers);
}

static void prefetchRows(scf::ForOp loop) {
  SmallVector<scf::ForOp> rows;
  appendLoops(*loop.getBody(), rows);
  for (scf::ForOp row : rows)
    prefetchRow(row, loop);
}

struct Prefetch : impl::PrefetchBase<Prefetch> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    getOperation()->walk([](scf::ForOp loop) {
      prefetchStores(loop);
      prefetchRows(loop);
    });
  }
};

} // namespace
} // namespace strata
