// Takes steps of loops several at a time, in vectors.
//
// before: for p { t = t + a[p] * x[crd[p]] }
// after:  for p in 0, 8, ... { v = v + a[p to p + 7] * (x[crd[p]], ..., x[crd[p + 7]]) }
//         t = t + the sum of v; for the rest { t = t + a[p] * x[crd[p]] }
//
// or:     for p in 0, 8, ... { m = (p < n, ..., p + 7 < n)
//           where m: v = v + a[p to p + 7] * (x[crd[p]], ..., x[crd[p + 7]]) }
//         t = t + the sum of v
//
// A schedule says of which loops (vectorize(j, 8)): if it is not possible, that is an error. Else
// it is done where LLVM does worse. Of sums with operands that are looked up LLVM would gather,
// which on many processors takes longer than the loads do, and it would add all terms of a short
// row one after the other. Where the machine has been measured to gather faster, this pass gathers,
// too, and if it has masks, the last vector is made under one. Least and greatest values LLVM finds
// one by one. Of a loop over an interval that is clamped (the part of a diagonal in a block of
// rows) LLVM would ask each time whether what it stores overlaps what it reads.
#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/Passes.h"
#include "strata/lower/scf/VectorElements.h"
#include "strata/lower/scf/VectorLoop.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/lower/utils/LoopHints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_VECTORIZELOOPS
#include "strata/lower/Passes.h.inc"

namespace {

// The lanes of the widest vectors of sums, or of what is stored.
int64_t lanesOf(VectorLoop &vectors) {
  int64_t bytes = 1;
  auto count = [&](Type type) {
    if (!type.isIndex())
      bytes = std::max(bytes, ta::bytesOf(type));
  };
  for (const LoopSum &sum : vectors.sums)
    count(sum.type());
  for (auto store : vectors.loop.getBody()->getOps<memref::StoreOp>())
    count(store.getMemRefType().getElementType());
  constexpr int64_t most = 16; // more are lane by lane in too many instructions
  return std::min<int64_t>(most, bytesOfVector / bytes);
}

struct VectorizeLoops : impl::VectorizeLoopsBase<VectorizeLoops> {
  using VectorizeLoopsBase::VectorizeLoopsBase;

  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (failed(vectorize(loop)))
        return signalPassFailure();
  }

private:
  LogicalResult vectorize(scf::ForOp loop) {
    std::optional<int64_t> asked = vectorsAskedFor(loop);
    VectorLoop vectors(loop, gathers);
    std::string why;
    if (!asked && loop->hasAttr(loopAnnotationName))
      return success();
    if (!vectors.analyze(why))
      return asked ? refuse(loop, why) : success();
    if (!asked && !pays(vectors))
      return success();
    constexpr int64_t lanesOfLookUps = 8;
    const bool masked = masks && vectors.canMask();
    const bool natural = masked || !vectors.looksUp();
    const int64_t lanes = asked.value_or(0) ? *asked : natural ? lanesOf(vectors) : lanesOfLookUps;
    if (masked)
      vectors.emitUnderMasks(lanes);
    else
      vectors.emitWhole(lanes);
    return success();
  }

  static LogicalResult refuse(scf::ForOp loop, StringRef why) {
    auto label = loop->getAttrOfType<StringAttr>(loopLabelName);
    return emitError(loop->getParentOfType<func::FuncOp>().getLoc())
           << (label ? "the loop over '" + label.getValue() + "'" : Twine("this loop"))
           << " cannot be taken by vectors, as the schedule says: " << why;
  }

  // Tells whether the loop goes through an interval of which both ends are bounds that data give.
  static bool isClamped(scf::ForOp loop) {
    return loop.getLowerBound().getDefiningOp<arith::MaxSIOp>() &&
           loop.getUpperBound().getDefiningOp<arith::MinSIOp>();
  }

  // Tells whether LLVM's code would take longer.
  bool pays(VectorLoop &vectors) const {
    if (vectors.sums.empty() && vectors.stores())
      return isClamped(vectors.loop) && vectors.canMask() && vectors.moves() && !vectors.looksUp();
    if (vectors.sums.size() != 1 || vectors.stores())
      return false;
    const LoopSum &sum = vectors.sums.front();
    if (!sum.mayReorder() || sum.type().isIndex()) // counts are of what is about to be done
      return false;
    const bool isExtreme = isa<arith::MinimumFOp, arith::MaximumFOp>(sum.combine);
    return vectors.looksUp() || (isExtreme && vectors.moves());
  }
};

} // namespace
} // namespace strata
