// Makes one loop of two that go through a dense block, which lies in memory as a whole: the rows of
// a small block are too short to be loops of their own.
//
// before: for i in [0, 16) { r = (b + i) * 16; for j in [0, 16) { x[r + j] = .. } }
// after:  r = b * 16; for p in [0, 256) { x[r + p] = .. }
#include "strata/lower/Passes.h"
#include "strata/lower/scf/Buffers.h"
#include "strata/lower/scf/OnlyLoop.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_FLATTENLOOPS
#include "strata/lower/Passes.h.inc"

namespace {

// How many steps a loop has that goes from 0 on, one by one, carries nothing, and has no mark: a
// schedule may want it unrolled.
std::optional<int64_t> stepsOf(scf::ForOp loop) {
  if (getConstantIntValue(loop.getLowerBound()) != 0 || getConstantIntValue(loop.getStep()) != 1 ||
      !loop.getInitArgs().empty() || !loop->getDiscardableAttrs().empty())
    return std::nullopt;
  return getConstantIntValue(loop.getUpperBound());
}

// How much an index grows where `number` grows by one, if always by as much.
std::optional<int64_t> growthOf(Value index, Value number) {
  if (index == number)
    return 1;
  Operation *op = index.getDefiningOp();
  auto loop = cast<scf::ForOp>(number.getParentBlock()->getParentOp());
  if (loop.isDefinedOutsideOfLoop(index) || getConstantIntValue(index))
    return 0;
  if (!isa_and_present<arith::AddIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<int64_t> first = growthOf(op->getOperand(0), number);
  std::optional<int64_t> second = growthOf(op->getOperand(1), number);
  if (!first || !second)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return *first + *second;
  for (auto [growth, factor] :
       {std::pair(*first, op->getOperand(1)), std::pair(*second, op->getOperand(0))})
    if (std::optional<int64_t> constant = getConstantIntValue(factor))
      return growth * *constant;
  return std::nullopt;
}

class Pair {
public:
  Pair(scf::ForOp outer, scf::ForOp inner) : outer(outer), inner(inner) {}

  // Finds the places `row + j`, of which each row begins where the one before it ends: nothing else
  // may use i or j.
  bool isOfOneBlock() {
    std::optional<int64_t> rows = stepsOf(outer), columns = stepsOf(inner);
    if (!rows || !columns)
      return false;
    steps = *rows * *columns;
    Value number = inner.getInductionVar();
    for (Operation *user : number.getUsers()) {
      auto place = dyn_cast<arith::AddIOp>(user);
      if (!place || place->getBlock() != inner.getBody() || place.getLhs() == place.getRhs())
        return false;
      Value row = place.getLhs() == number ? place.getRhs() : place.getLhs();
      if (!inner.isDefinedOutsideOfLoop(row) || growthOf(row, outer.getInductionVar()) != *columns)
        return false;
      rowOf[place] = row;
    }
    return onlyRowsUse(outer.getInductionVar());
  }

  scf::ForOp flatten() {
    OpBuilder b(outer);
    Location loc = inner.getLoc();
    auto constant = [&](int64_t value) {
      return arith::ConstantIndexOp::create(b, loc, value).getResult();
    };
    Value zero = constant(0);
    IRMapping mapping;
    mapping.map(outer.getInductionVar(), zero); // the first row
    for (Operation &op : outer.getBody()->without_terminator())
      if (&op != inner)
        b.clone(op, mapping);
    auto loop = scf::ForOp::create(b, loc, zero, constant(steps), constant(1));
    b.setInsertionPointToStart(loop.getBody());
    for (Operation &op : inner.getBody()->without_terminator()) {
      Value row = rowOf.lookup(&op);
      if (!row) {
        b.clone(op, mapping);
        continue;
      }
      Value begin = mapping.lookupOrDefault(row);
      Value place = arith::AddIOp::create(b, op.getLoc(), begin, loop.getInductionVar());
      mapping.map(op.getResult(0), place);
    }
    outer.erase();
    return loop;
  }

private:
  bool onlyRowsUse(Value number) {
    return llvm::all_of(number.getUsers(), [&](Operation *user) {
      return rowOf.contains(user) ||
             (isa<arith::AddIOp, arith::MulIOp>(user) && user->getBlock() == outer.getBody() &&
              onlyRowsUse(user->getResult(0)));
    });
  }

  scf::ForOp outer, inner;
  int64_t steps = 0;
  llvm::DenseMap<Operation *, Value> rowOf; ///< of the places
};

// A small copy, `y[d + p] = x[c + p]`, as vectors from its beginning to its end. (LLVM makes such
// loops memcpy, and that instructions which run from its end to its beginning: caches see in that
// no order of lines to come.)
void copyInVectors(scf::ForOp loop) {
  constexpr int64_t mostBytes = 512;
  memref::LoadOp load;
  memref::StoreOp store;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto place = dyn_cast<arith::AddIOp>(op);
    if (place && place.getRhs() == loop.getInductionVar() &&
        loop.isDefinedOutsideOfLoop(place.getLhs()))
      continue;
    if (auto one = dyn_cast<memref::LoadOp>(op); one && !load)
      load = one;
    else if (auto one = dyn_cast<memref::StoreOp>(op); one && !store)
      store = one;
    else
      return;
  }
  auto placeOf = [&](ValueRange indices) {
    return indices.size() == 1 ? indices[0].getDefiningOp<arith::AddIOp>() : arith::AddIOp();
  };
  if (!load || !store || store.getValue() != load.getResult() ||
      load.getMemRef() == store.getMemRef() || !placeOf(load.getIndices()) ||
      !placeOf(store.getIndices()) || !load.getMemRefType().getLayout().isIdentity() ||
      !store.getMemRefType().getLayout().isIdentity())
    return;
  Type element = load.getType();
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  int64_t bytes = *stepsOf(loop) * bits / 8, each = std::min(bytes, bytesOfLine);
  if (bits % 8 != 0 || bytes == 0 || bytes > mostBytes || bytes % each != 0 ||
      !llvm::isPowerOf2_64(each))
    return;
  OpBuilder b(loop);
  Location loc = store.getLoc();
  auto vector = VectorType::get(each * 8 / bits, element);
  for (int64_t at = 0; at < bytes * 8 / bits; at += vector.getNumElements()) {
    Value offset = arith::ConstantIndexOp::create(b, loc, at);
    auto place = [&](ValueRange indices) -> Value {
      return arith::AddIOp::create(b, loc, placeOf(indices).getLhs(), offset);
    };
    Value some = vector::LoadOp::create(b, loc, vector, load.getMemRef(), place(load.getIndices()));
    vector::StoreOp::create(b, loc, some, store.getMemRef(), place(store.getIndices()));
  }
  loop.erase();
}

struct FlattenLoops : impl::FlattenLoopsBase<FlattenLoops> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); }); // inner ones first
    llvm::SmallSetVector<scf::ForOp, 8> flat;
    for (scf::ForOp outer : loops) {
      scf::ForOp inner = onlyLoopIn(outer);
      if (!inner)
        continue;
      if (Pair pair(outer, inner); pair.isOfOneBlock()) {
        flat.remove(inner);
        flat.insert(pair.flatten());
      }
    }
    for (scf::ForOp loop : flat)
      copyInVectors(loop);
  }
};

} // namespace
} // namespace strata
