// Takes flags out of loops of which each step would set them alike.
//
// before: any = for p in [a, b) with f = false { x[p] = ..; yield true }
// after:  for p in [a, b) { x[p] = .. }; any = a < b
//
// Whether a fibre of a result got an entry is such a flag where all its places get one. What is
// left of the loops is what KeepRows knows. Sums of ones are folded in the same way: how many
// places there are is the product of the sizes, and not counted.
#include "strata/lower/Passes.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

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

// The loop passes on what the flag was before it, which nobody reads and folds. Tells whether.
bool foldFlag(scf::ForOp loop, unsigned number) {
  BlockArgument flag = loop.getRegionIterArg(number);
  OpOperand &yielded = loop.getYieldedValuesMutable()->begin()[number];
  std::optional<Step> step =
      flag.getType().isInteger(1) ? stepOf(loop, flag, yielded.get()) : std::nullopt;
  if (!step)
    return false;
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
  return true;
}

// Sums to which every step adds 1, or a number of places that has been folded before.
class CountFolding {
public:
  void run(scf::ForOp loop) {
    bool folded = false;
    for (unsigned number = 0; number < loop.getNumRegionIterArgs(); ++number)
      folded |= fold(loop, number);
    if (auto around = loop->getParentOfType<scf::ForOp>(); around && folded)
      moveLoopInvariantCode(around);
  }

private:
  // What every step adds to the sum; null if it does something else.
  Value addedTo(scf::ForOp loop, BlockArgument sum, Value yielded) const {
    Operation *add = yielded.getDefiningOp();
    if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add) || add->getBlock() != loop.getBody() ||
        !sum.hasOneUse() || !llvm::is_contained(add->getOperands(), sum))
      return {};
    Value added = add->getOperand(add->getOperand(0) == sum ? 1 : 0);
    bool counts = matchPattern(added, m_One()) || matchPattern(added, m_OneFloat()) ||
                  (counted.contains(added) && loop.isDefinedOutsideOfLoop(added));
    return counts ? added : Value();
  }

  bool fold(scf::ForOp loop, unsigned number) {
    BlockArgument sum = loop.getRegionIterArg(number);
    OpOperand &yielded = loop.getYieldedValuesMutable()->begin()[number];
    Value added = addedTo(loop, sum, yielded.get());
    auto whole = dyn_cast<IntegerType>(sum.getType());
    bool counts = sum.getType().isF64() || (whole && whole.getWidth() <= 64);
    if (!added || !counts || !matchPattern(loop.getStep(), m_One()))
      return false;
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    Type type = sum.getType();
    auto constant = [&](Type of, int64_t value) {
      TypedAttr attr = isa<FloatType>(of) ? TypedAttr(b.getFloatAttr(of, double(value)))
                                          : TypedAttr(b.getIntegerAttr(of, value));
      return arith::ConstantOp::create(b, loc, attr);
    };
    Value rounds = arith::SubIOp::create(b, loc, loop.getUpperBound(), loop.getLowerBound());
    rounds = arith::MaxSIOp::create(b, loc, rounds, constant(rounds.getType(), 0));
    if (rounds.getType().isIndex())
      rounds = arith::IndexCastOp::create(b, loc, b.getI64Type(), rounds);
    bool isReal = isa<FloatType>(type), isOne = !counted.contains(added);
    if (isReal)
      rounds = arith::SIToFPOp::create(b, loc, type, rounds);
    else if (type.getIntOrFloatBitWidth() < 64)
      rounds = arith::TruncIOp::create(b, loc, type, rounds);
    Value all = rounds;
    if (!isOne)
      all = isReal ? Value(arith::MulFOp::create(b, loc, rounds, added))
                   : Value(arith::MulIOp::create(b, loc, rounds, added));
    counted.insert(all);
    Value init = loop.getInitArgs()[number], result = all;
    if (!matchPattern(init, m_Zero()) && !matchPattern(init, m_AnyZeroFloat()))
      result = isReal ? Value(arith::AddFOp::create(b, loc, init, all))
                      : Value(arith::AddIOp::create(b, loc, init, all));
    loop.getResult(number).replaceAllUsesWith(result);
    yielded.set(sum);
    loop.getInitArgsMutable()[number].assign(constant(type, 0)); // whatever it is
    return true;
  }

  llvm::DenseSet<Value> counted;
};

struct FoldFlags : impl::FoldFlagsBase<FoldFlags> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    CountFolding counts;
    bool folded = false;
    getOperation()->walk([&](scf::ForOp loop) {
      for (unsigned number = 0; number < loop.getNumRegionIterArgs(); ++number)
        folded |= foldFlag(loop, number);
      counts.run(loop);
    });
    if (folded) // conditions that hold for whole loops around
      getOperation()->walk([](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace strata
