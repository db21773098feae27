// Takes flags out of loops of which each step would set them alike.
//
// before: any = for p in [a, b) with f = false { x[p] = ..; yield true }
// after:  for p in [a, b) { x[p] = .. }; any = a < b
//
// Whether a fibre of a result got an entry is such a flag where all its places get one. What is
// left of the loops is what KeepRows knows.
#include "strata/lower/Passes.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_FOLDFLAGS
#include "strata/lower/Passes.h.inc"

namespace {

// What every step makes of a flag: a value, where a condition holds, and otherwise what it was.
struct Step {
  Value value, condition;
};

// Defined outside of the loop, or computed from what is.
bool isFixed(scf::ForOp loop, Value value) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == loop.getBody() && isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return loop.isDefinedOutsideOfLoop(operand); });
}

std::optional<Step> stepOf(scf::ForOp loop, BlockArgument flag, Value yielded) {
  if (flag.use_empty() && loop.isDefinedOutsideOfLoop(yielded))
    return Step{yielded, {}};
  auto choice = yielded.getDefiningOp<arith::SelectOp>();
  if (!choice || choice.getFalseValue() != flag || !flag.hasOneUse() ||
      !loop.isDefinedOutsideOfLoop(choice.getTrueValue()) || !isFixed(loop, choice.getCondition()))
    return std::nullopt;
  return Step{choice.getTrueValue(), choice.getCondition()};
}

// The loop passes on what the flag was before it, which nobody reads and folds.
void foldFlag(scf::ForOp loop, unsigned number) {
  BlockArgument flag = loop.getRegionIterArg(number);
  OpOperand &yielded = loop.getYieldedValuesMutable()->begin()[number];
  std::optional<Step> step =
      flag.getType().isInteger(1) ? stepOf(loop, flag, yielded.get()) : std::nullopt;
  if (!step)
    return;
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Value sets = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, loop.getLowerBound(),
                                     loop.getUpperBound());
  if (step->condition) {
    if (!loop.isDefinedOutsideOfLoop(step->condition))
      step->condition.getDefiningOp()->moveBefore(loop);
    sets = arith::AndIOp::create(b, loc, sets, step->condition);
  }
  Value result = arith::SelectOp::create(b, loc, sets, step->value, loop.getInitArgs()[number]);
  loop.getResult(number).replaceAllUsesWith(result);
  yielded.set(flag);
  loop.getInitArgsMutable()[number].assign(step->value); // whatever it is
}

struct FoldFlags : impl::FoldFlagsBase<FoldFlags> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    getOperation()->walk([](scf::ForOp loop) {
      for (unsigned number = 0; number < loop.getNumRegionIterArgs(); ++number)
        foldFlag(loop, number);
    });
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace strata
