// Gives loops over parts of labels the number of steps that a full part has.
//
// before: for i in [0, min(n - b, 8)) { for j in [0, min(m - c, 8)) { .. } }
// after:  if n - b >= 8 and m - c >= 8 { for i in [0, 8) { for j in [0, 8) { .. } } }
//         else { as before }
#include "strata/lower/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_FULLPARTS
#include "strata/lower/Passes.h.inc"

namespace {

// The loops inside each other that begin here, each with nothing else that does something.
SmallVector<scf::ForOp> nestFrom(scf::ForOp outermost) {
  SmallVector<scf::ForOp> nest{outermost};
  for (;;) {
    scf::ForOp inner;
    for (Operation &op : nest.back().getBody()->without_terminator()) {
      if (isPure(&op))
        continue;
      auto loop = dyn_cast<scf::ForOp>(op);
      if (!loop || inner)
        return nest;
      inner = loop;
    }
    if (!inner)
      return nest;
    nest.push_back(inner);
  }
}

// How many steps a loop over a part has where that is full.
std::optional<int64_t> stepsOfFull(scf::ForOp loop) {
  auto least = loop.getUpperBound().getDefiningOp<arith::MinUIOp>();
  if (!least || getConstantIntValue(loop.getLowerBound()) != 0 ||
      getConstantIntValue(loop.getStep()) != 1)
    return std::nullopt;
  return getConstantIntValue(least.getRhs());
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
      SmallVector<scf::ForOp> parts = nestFrom(loop);
      llvm::erase_if(parts, [&](scf::ForOp one) {
        return !stepsOfFull(one) || loop->isAncestor(one.getUpperBound().getDefiningOp());
      });
      divide(loop, parts);
    }
  }
};

} // namespace
} // namespace strata
