// Counts in real numbers, which do not overflow.
#include "strata/lower/scf/WorkEstimate.h"

#include "strata/lower/utils/ContractionChoice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {
namespace {

constexpr double stepsOfIteration = 4, lanes = 8;

class WorkEstimate {
public:
  WorkEstimate(const StorageMap &storages, const IRMapping &mapping, OpBuilder &b, Location loc)
      : storages(storages), mapping(mapping), b(b), loc(loc) {}

  // Of a loop that begins so many times; null if it cannot be told.
  Value stepsOf(lvl::CoiterateOp loop, Value times) {
    Value iterations = iterationsOf(loop, times);
    if (!iterations)
      return {};
    SmallVector<lvl::CoiterateOp> inner = loopsIn(loop);
    if (inner.empty())
      return loop.getIterators().empty() ? sum(times, product(iterations, real(1 / lanes)))
                                         : iterations;
    Value steps = product(iterations, real(stepsOfIteration));
    for (lvl::CoiterateOp one : inner) {
      Value more = stepsOf(one, iterations);
      if (!more)
        return {};
      steps = sum(steps, more);
    }
    return steps;
  }

  Value real(double value) {
    return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(value)).getResult();
  }
  Value sum(Value x, Value y) { return b.createOrFold<arith::AddFOp>(loc, x, y); }

private:
  Value product(Value x, Value y) { return b.createOrFold<arith::MulFOp>(loc, x, y); }
  Value quotient(Value x, Value y) {
    return b.createOrFold<arith::DivFOp>(loc, x,
                                         b.createOrFold<arith::MaximumFOp>(loc, y, real(1)));
  }
  Value toReal(Value index) {
    Value wide = arith::IndexCastUIOp::create(b, loc, b.getI64Type(), index);
    return arith::UIToFPOp::create(b, loc, b.getF64Type(), wide);
  }

  // Directly inside, where everything is there: other cases do less.
  static SmallVector<lvl::CoiterateOp> loopsIn(lvl::CoiterateOp loop) {
    SmallVector<lvl::CoiterateOp> inner;
    loop.getBodies().front().walk<WalkOrder::PreOrder>([&](lvl::CoiterateOp one) {
      inner.push_back(one);
      return WalkResult::skip();
    });
    return inner;
  }

  Value iterationsOf(lvl::CoiterateOp loop, Value times) {
    if (Value universe = loop.getUniverse()) {
      Value extent = atEntry(universe);
      return extent ? product(times, toReal(extent)) : Value();
    }
    Value perTime;
    for (Value iterator : loop.getIterators()) {
      // Windows are those of parts, which together are the whole.
      if (iterator.getDefiningOp<lvl::IteratorOp>().getWindows())
        times = real(1);
      Value own = childrenOf(iterator.getDefiningOp<lvl::IteratorOp>());
      perTime = perTime ? sum(perTime, own) : own;
    }
    return product(times, perTime);
  }

  // The entries of a storage are counted where the first of its levels is walked: below each parent
  // there are as many as there are entries for each of its places.
  Value childrenOf(lvl::IteratorOp iterator) {
    Value path = iterator.getParent();
    Value places = real(1);
    const StorageValues *storage = nullptr;
    SmallVector<unsigned> located;
    while (auto locate = path.getDefiningOp<lvl::LocateOp>()) {
      located.push_back(locate.getLevel());
      path = locate.getParent();
    }
    auto root = path.getDefiningOp<lvl::RootOp>();
    if (!root)
      return real(1);
    storage = storages.lookup(root.getStorage());
    for (auto [step, how] : llvm::enumerate(iterator.getSteps()))
      if (!isa<UnitAttr>(how))
        located.push_back(iterator.getLevel() + step);
    for (unsigned level : located)
      places = product(places, toReal(storage->extents[level].extent));
    return quotient(toReal(storage->entries), places);
  }

  // A value at the kernel's entry; of a minimum one of two will do. Null if it is known only later.
  Value atEntry(Value value) {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    Operation *def = value.getDefiningOp();
    if (!def)
      return {};
    if (auto least = dyn_cast<arith::MinUIOp>(def)) {
      Value one = atEntry(least.getLhs());
      return one ? one : atEntry(least.getRhs());
    }
    if (!isa<arith::ConstantOp, arith::CeilDivUIOp, arith::DivUIOp, arith::MulIOp, arith::AddIOp,
             arith::SubIOp, arith::MaxUIOp>(def))
      return {};
    IRMapping operands;
    for (Value operand : def->getOperands()) {
      Value known = atEntry(operand);
      if (!known)
        return {};
      operands.map(operand, known);
    }
    return b.clone(*def, operands)->getResult(0);
  }

  const StorageMap &storages;
  const IRMapping &mapping;
  OpBuilder &b;
  Location loc;
};

} // namespace

Value emitSteps(Block &block, const StorageMap &storages, const IRMapping &mapping, OpBuilder &b) {
  Location loc = block.getParentOp()->getLoc();
  WorkEstimate work(storages, mapping, b, loc);
  Value steps;
  bool known = true;
  block.walk<WalkOrder::PreOrder>([&](lvl::CoiterateOp loop) {
    if (choiceOfBlocks(loop)) // what it does, the loops of the other branch do as well
      return WalkResult::skip();
    Value more = known ? work.stepsOf(loop, work.real(1)) : Value();
    known &= bool(more);
    if (known)
      steps = steps ? work.sum(steps, more) : more;
    return WalkResult::skip();
  });
  if (!known || !steps)
    return {};
  Value most = work.real(0x1p62);
  Value whole = arith::FPToSIOp::create(b, loc, b.getI64Type(),
                                        b.createOrFold<arith::MinimumFOp>(loc, steps, most));
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), whole);
}

} // namespace strata
