// Gives loops over parts of labels the number of steps that a full part has, and takes where the
// parts begin out of them.
//
// before: for i in [0, min(n - b, 8)) { for j in [0, min(m - c, 8)) { .. } }
// after:  if n - b >= 8 and m - c >= 8 { for i in [0, 8) { for j in [0, 8) { .. } } }
//         else { as before }
#include "strata/lower/Passes.h"
#include "strata/lower/scf/OnlyLoop.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_FULLPARTS
#include "strata/lower/Passes.h.inc"

namespace {

// Larger parts have long rows in any case, and may be contractions.
constexpr int64_t mostSteps = 4096;

// The loops inside each other that begin here, each with nothing else that does something.
SmallVector<scf::ForOp> nestFrom(scf::ForOp outermost) {
  SmallVector<scf::ForOp> nest;
  for (scf::ForOp loop = outermost; loop; loop = onlyLoopIn(loop))
    nest.push_back(loop);
  return nest;
}

// How many steps a loop over a part has where that is full.
std::optional<int64_t> stepsOfFull(scf::ForOp loop) {
  auto least = loop.getUpperBound().getDefiningOp<arith::MinUIOp>();
  if (!least || getConstantIntValue(loop.getLowerBound()) != 0 ||
      getConstantIntValue(loop.getStep()) != 1)
    return std::nullopt;
  return getConstantIntValue(least.getRhs());
}

// `row + (first + i)` becomes `(row + first) + i`, with the sum before the loops in which it stays
// the same: so the loop over i goes through the elements of a row.
void takeOut(arith::AddIOp sum) {
  auto loop = sum->getParentOfType<scf::ForOp>();
  for (bool swapped : {false, true}) {
    Value row = swapped ? sum.getRhs() : sum.getLhs();
    auto place = (swapped ? sum.getLhs() : sum.getRhs()).getDefiningOp<arith::AddIOp>();
    if (!place || !loop.isDefinedOutsideOfLoop(row) || loop.isDefinedOutsideOfLoop(place))
      continue;
    bool isFirst = loop.isDefinedOutsideOfLoop(place.getLhs());
    Value first = isFirst ? place.getLhs() : place.getRhs();
    Value moving = isFirst ? place.getRhs() : place.getLhs();
    if (!loop.isDefinedOutsideOfLoop(first))
      continue;
    for (scf::ForOp around = loop;
         around && around.isDefinedOutsideOfLoop(row) && around.isDefinedOutsideOfLoop(first);
         around = dyn_cast<scf::ForOp>(around->getParentOp()))
      loop = around;
    OpBuilder before(loop), b(sum);
    Value begin = arith::AddIOp::create(before, sum.getLoc(), row, first);
    sum.replaceAllUsesWith(arith::AddIOp::create(b, sum.getLoc(), begin, moving).getResult());
    sum.erase();
    return;
  }
}

// Two copies of a nest: the former for full parts.
void divide(scf::ForOp outermost, ArrayRef<scf::ForOp> parts) {
  OpBuilder b(outermost);
  Location loc = outermost.getLoc();
  Value full;
  for (scf::ForOp loop : parts) {
    auto least = loop.getUpperBound().getDefiningOp<arith::MinUIOp>();
    Value one =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, least.getLhs(), least.getRhs());
    full = full ? Value(arith::AndIOp::create(b, loc, full, one)) : one;
  }
  auto choice = scf::IfOp::create(b, loc, outermost.getResultTypes(), full, /*withElse=*/true);
  for (bool isFull : {true, false}) {
    b.setInsertionPointToStart(isFull ? choice.thenBlock() : choice.elseBlock());
    IRMapping mapping;
    if (isFull)
      for (scf::ForOp loop : parts)
        mapping.map(loop.getUpperBound(),
                    arith::ConstantIndexOp::create(b, loc, *stepsOfFull(loop)));
    Operation *copy = b.clone(*outermost, mapping);
    if (copy->getNumResults() > 0)
      scf::YieldOp::create(b, loc, copy->getResults());
  }
  outermost.replaceAllUsesWith(choice);
  outermost.erase();
}

struct FullParts : impl::FullPartsBase<FullParts> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    SmallVector<scf::ForOp> outermost;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      SmallVector<scf::ForOp> nest = nestFrom(loop);
      // A loop around parts would be copied with them, to no avail.
      if (nest.size() < 2 || !stepsOfFull(loop))
        return WalkResult::advance();
      outermost.push_back(loop);
      return WalkResult::skip();
    });
    for (scf::ForOp loop : outermost) {
      SmallVector<arith::AddIOp> sums;
      loop.walk([&](arith::AddIOp sum) { sums.push_back(sum); });
      for (arith::AddIOp sum : llvm::reverse(sums))
        takeOut(sum);
      SmallVector<scf::ForOp> parts = nestFrom(loop);
      llvm::erase_if(parts, [&](scf::ForOp one) {
        return !stepsOfFull(one) || loop->isAncestor(one.getUpperBound().getDefiningOp());
      });
      int64_t steps = 1;
      for (scf::ForOp one : parts)
        steps *= *stepsOfFull(one);
      if (steps <= mostSteps)
        divide(loop, parts);
    }
  }
};

} // namespace
} // namespace strata
