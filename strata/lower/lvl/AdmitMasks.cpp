// Lets a mask say which coordinates a workspace admits, once for all that is gathered in it.
#include "strata/dialect/lvl/Lvl.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_ADMITMASKS
#include "strata/lower/Passes.h.inc"

namespace {

// The loop that gathers, where the parent whose entries it gathers begins.
lvl::CoiterateOp gatheringLoop(lvl::CoiterateOp inner, Operation *begin) {
  Operation *at = inner;
  while (at && at->getBlock() != begin->getBlock())
    at = at->getParentOp();
  return dyn_cast_or_null<lvl::CoiterateOp>(at);
}

bool isInside(Operation *loop, Value value) {
  return loop->isAncestor(value.getParentRegion()->getParentOp());
}

// Does the iterator walk, in order, one level whose coordinates are the variable's values, below a
// path that stays while `loop` runs?
bool isFixed(lvl::IteratorOp iterator, Operation *loop) {
  AffineMap compose = iterator.getCompose();
  return iterator.getSteps().size() == 1 && isa<UnitAttr>(iterator.getSteps()[0]) &&
         compose.getNumResults() == 1 &&
         compose.getResult(0) == getAffineSymbolExpr(0, compose.getContext()) &&
         !iterator.getExtent() && !iterator.getRanks() && iterator.getFixed().empty() &&
         !isInside(loop, iterator.getParent());
}

// May it run for coordinates that are not admitted, whose value is dropped? Padding is passed over.
bool mayRunForNothing(Operation &op) {
  if (isa<lvl::ValueOp, lvl::InsertOp, lvl::StoreOp, lvl::YieldOp, scf::YieldOp>(op))
    return true;
  if (auto choice = dyn_cast<scf::IfOp>(op))
    return llvm::all_of(choice->getRegions(), [](Region &region) {
      return llvm::all_of(region.getOps(), mayRunForNothing);
    });
  return isPure(&op) && op.getNumRegions() == 0;
}

// What entries of a result hold at first.
TypedAttr firstHeld(lvl::BuildOp build) {
  if (TypedAttr initial = build.getInitialAttr())
    return initial;
  return ta::fillOf(cast<ta::StorageType>(build.getStorage().getType()).getTensor());
}

// Does an entry that this is put into, again and again, differ from what it held at first?
bool shows(lvl::StoreOp put, lvl::BuildOp build) {
  auto type = cast<ta::StorageType>(build.getStorage().getType()).getTensor();
  Attribute value;
  // What is stored in fewer bits than it is computed in may be rounded to what was there.
  if (put.getValue().getType() != type.getElementType() ||
      !matchPattern(put.getValue(), m_Constant(&value)))
    return false;
  TypedAttr held = firstHeld(build);
  bool combines = put.getCombine().has_value();
  if (combines && *put.getCombine() != ta::Combine::add)
    return false;
  if (auto number = dyn_cast<FloatAttr>(value)) {
    APFloat first = cast<FloatAttr>(held).getValue(), one = number.getValue();
    // (NaN differs from itself where two values are compared.)
    return combines ? first.isZero() && one > APFloat::getZero(one.getSemantics())
                    : !one.isNaN() && !first.isNaN() && one != first;
  }
  auto number = dyn_cast<IntegerAttr>(value); // sums of integers come back to zero
  return number && !combines && number != held;
}

class Admission {
public:
  /// `build`: null where the pattern is there.
  Admission(func::FuncOp kernel, int64_t level, lvl::BuildOp build) : build(build) {
    kernel.walk([&](lvl::InsertOp op) {
      if (op.getLevel() == uint64_t(level))
        inserts.push_back(op);
    });
    kernel.walk([&](lvl::MarkOp op) {
      if (op.getLevel() == uint64_t(level))
        begin = op;
    });
    kernel.walk([&](lvl::IndexOp op) { begin = op; });
  }

  void run() {
    if (inserts.size() != 1 || !begin)
      return;
    auto inner = inserts[0]->getParentOfType<lvl::CoiterateOp>();
    if (!inner || !intersectsTwo(inner) || inserts[0].getCoordinate() != body(inner).getArgument(0))
      return;
    lvl::CoiterateOp loop = gatheringLoop(inner, begin);
    if (!loop || loop == inner || loop.getInits().size() != 1)
      return;
    for (unsigned at : {1u, 0u})
      if (auto iterator = inner.getIterators()[at].getDefiningOp<lvl::IteratorOp>();
          iterator && isFixed(iterator, loop) && isMask(body(inner).getArgument(1 + at)))
        return admit(inner, at, iterator, loop);
  }

private:
  static Block &body(lvl::CoiterateOp loop) { return loop.getBodies().front().front(); }

  static bool intersectsTwo(lvl::CoiterateOp loop) {
    return loop.getIterators().size() == 2 && !loop.getUniverse() && !loop.getGallopAttr() &&
           loop.getCases().size() == 1 && !loop.getPredicates() && loop.getCase(0).size() == 2 &&
           loop.getInits().size() == 1 && isa<lvl::BuilderType>(loop.getInits()[0].getType()) &&
           llvm::all_of(body(loop), mayRunForNothing);
  }

  // Only that it is there matters, not its value.
  static bool isMask(Value path) {
    return llvm::all_of(path.getUsers(), [](Operation *user) {
      return isa<lvl::ValueOp>(user) && user->use_empty();
    });
  }

  void admit(lvl::CoiterateOp inner, unsigned at, lvl::IteratorOp iterator, lvl::CoiterateOp loop) {
    for (Operation *user : llvm::make_early_inc_range(body(inner).getArgument(1 + at).getUsers()))
      user->erase();
    OpBuilder b(loop);
    Value walked = b.clone(*iterator)->getResult(0);
    auto admitted = lvl::AdmitOp::create(b, loop.getLoc(), loop.getInits()[0], walked);
    SmallVector<lvl::StoreOp> puts;
    inner.walk([&](lvl::StoreOp put) { puts.push_back(put); });
    admitted.setShown(build && !puts.empty() &&
                      llvm::all_of(puts, [&](lvl::StoreOp put) { return shows(put, build); }));
    loop.getInitsMutable().assign(ValueRange(admitted.getResult()));
    inner.setAdmitting(at);
    inserts[0].setAdmitted(true);
    if (isa<lvl::IndexOp>(begin))
      return;
    b.setInsertionPointAfter(loop);
    auto dismiss = lvl::DismissOp::create(b, loop.getLoc(), loop.getResult(0), walked);
    loop.getResult(0).replaceAllUsesExcept(dismiss, dismiss);
  }

  lvl::BuildOp build;
  SmallVector<lvl::InsertOp> inserts;
  Operation *begin = nullptr; ///< of the entries below a parent
};

struct AdmitMasks : impl::AdmitMasksBase<AdmitMasks> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Walks, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      std::optional<int64_t> gathered;
      lvl::BuildOp build;
      kernel.walk([&](lvl::BuildOp op) {
        build = op;
        gathered = op.getGathered();
      });
      kernel.walk([&](lvl::RefillOp refill) { gathered = refill.getIndexed(); });
      if (gathered && !(build && build.getWorkspace() == ta::Workspace::Table))
        Admission(kernel, *gathered, build).run();
    }
  }
};

} // namespace
} // namespace strata
