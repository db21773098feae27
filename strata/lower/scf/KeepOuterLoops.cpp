// Tells LLVM not to unroll loops around others.
//
// LLVM makes four copies of a loop over rows if a row's loop is short. Each copy has a branch of
// its own at the end of its row, and a processor must learn each of them: rows of ten entries in
// the mean took 1.8 times as long.
#include "strata/lower/Passes.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_KEEPOUTERLOOPS
#include "strata/lower/Passes.h.inc"

namespace {

// Are all of a few steps known? Blocks become code without loops.
bool hasKnownLength(scf::ForOp loop) {
  return getConstantIntValue(loop.getLowerBound()) && getConstantIntValue(loop.getUpperBound());
}

bool isAroundOthers(scf::ForOp loop) {
  return loop.getBody()
      ->walk([&](Operation *op) {
        auto inner = dyn_cast<scf::ForOp>(op);
        return isa<scf::WhileOp>(op) || (inner && !hasKnownLength(inner)) ? WalkResult::interrupt()
                                                                          : WalkResult::advance();
      })
      .wasInterrupted();
}

struct KeepOuterLoops : impl::KeepOuterLoopsBase<KeepOuterLoops> {
  void runOnOperation() override {
    auto none = LLVM::LoopUnrollAttr::get(&getContext(), BoolAttr::get(&getContext(), true), {}, {},
                                          {}, {}, {}, {});
    getOperation()->walk([&](scf::ForOp loop) {
      if (!loop->hasAttr(loopAnnotationName) && !hasKnownLength(loop) && isAroundOthers(loop))
        hint(loop, {}, none);
    });
  }
};

} // namespace
} // namespace strata
