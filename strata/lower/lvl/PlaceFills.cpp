// Gives the places of a result the fill where loops come to them, or leaves it out.
//
// before: %b = lvl.build %C
//         for i { insert i; for k { for j { insert j; C += ... } } }
// after:  %b = lvl.build %C unfilled
//         for i { insert i filling %n; for k { for j { insert j; C += ... } } }
//
// before: %b = lvl.build %C
//         for i { for j { insert i, j; C = ... } }
// after:  %b = lvl.build %C unfilled
//         for i { for j { insert i, j; C = ... } }
//
// Where loops over all values alone come to each place more than once, the result is marked as
// covered by them.
//
// A contraction in blocks that does what such loops do stores its first sums instead.
//
// In advance, all places would be written once more than needed, by one thread, and a large result
// would have left the caches before its loops begin.
#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/LevelRoom.h"
#include "strata/level/LevelProperties.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/utils/ContractionChoice.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_PLACEFILLS
#include "strata/lower/Passes.h.inc"

namespace {

// A result all of whose levels have a place for every coordinate, each visited by a loop over all
// of these.
class DenseResult {
public:
  bool match(func::FuncOp kernel) {
    if (!findBegin(kernel))
      return false;
    auto type = cast<ta::StorageType>(begin->getOperand(0).getType());
    ta::FormatAttr format = ta::formatOf(type.getTensor());
    rank = format.getLvlRank();
    if (rank == 0 || !format.getDimToLvl().isPermutation() || !format.getWindows().empty())
      return false;
    for (unsigned level = 0; level < rank; ++level)
      if (!ta::hasPlacesOnly(format, level))
        return false;
    inserts.resize(rank);
    bool once = true;
    kernel.walk([&](lvl::InsertOp insert) {
      if (choiceOfBlocks(insert))
        return;
      lvl::InsertOp &known = inserts[insert.getLevel()];
      once &= !known && !insert.getAdmitted();
      known = insert;
    });
    return once && llvm::all_of(inserts, [](lvl::InsertOp insert) { return bool(insert); }) &&
           findLoops() && findStore(kernel);
  }

  void place() {
    bool whole = isVisitedOnce(rank - 1) && store->getBlock() == inserts.back()->getBlock() &&
                 !store.getCombine();
    if (whole)
      return leaveUnfilled();
    for (unsigned level = rank; level-- > 0;)
      if (isVisitedOnce(level)) {
        scf::IfOp choice = choiceAround(inserts[level]);
        if (choice && !beginsAsSums(choice))
          continue;
        leaveUnfilled();
        Value places = placesBelow(level);
        inserts[level].getFillingMutable().assign(places);
        if (choice)
          storeFirst(choice, level, places);
        return;
      }
    if (isCovered())
      fillBefore();
  }

private:
  // Where the result is built, or filled in again: that loops reach all of it, in any order.
  bool findBegin(func::FuncOp kernel) {
    SmallVector<lvl::BuildOp> builds(kernel.getOps<lvl::BuildOp>());
    SmallVector<lvl::RefillOp> refills(kernel.getOps<lvl::RefillOp>());
    if (builds.size() + refills.size() != 1)
      return false;
    if (!refills.empty()) {
      begin = refills.front();
      return !refills.front().getIndexed() && !refills.front().getPartial() &&
             !refills.front().getInitial();
    }
    begin = builds.front();
    return !builds.front().getCounted() && !builds.front().getGathered() &&
           !builds.front().getPartial();
  }

  // The choice whose loops an operation is in; null where there is none.
  scf::IfOp choiceAround(Operation *op) {
    while (op && !asContractionChoice(op))
      op = op->getParentOp();
    return asContractionChoice(op);
  }

  // Tells whether places that are not filled begin as a contraction's sums do.
  bool beginsAsSums(scf::IfOp choice) {
    auto type = cast<ta::StorageType>(begin->getOperand(0).getType());
    auto initial = begin->getAttrOfType<TypedAttr>("initial");
    TypedAttr fill = initial ? initial : ta::fillOf(type.getTensor());
    ta::Combine sums = (*choice.thenBlock()->getOps<lvl::ContractOp>().begin()).getSums();
    auto number = dyn_cast<FloatAttr>(fill);
    return Attribute(fill) == Attribute(ta::identityOf(sums, fill.getType())) ||
           (sums == ta::Combine::add && number && number.getValue().isZero());
  }

  // In place of a fill: other terms that the loops store before give the places the fill as well,
  // or the first of the sums are stored.
  void storeFirst(scf::IfOp choice, unsigned level, Value places) {
    bool hasLoops = false;
    choice.thenBlock()->walk([&](lvl::InsertOp insert) {
      hasLoops = true;
      if (insert.getLevel() == level)
        insert.getFillingMutable().assign(places);
    });
    if (!hasLoops)
      (*choice.thenBlock()->getOps<lvl::ContractOp>().begin()).setOverwrites(true);
  }

  // Loops that cover the result come to each place again and again.
  void fillBefore() {
    scf::IfOp choice = choiceAround(inserts.back());
    bool sole = choice && choice->getBlock() == begin->getBlock() && beginsAsSums(choice) &&
                choice.thenBlock()->getOps<lvl::CoiterateOp>().empty();
    if (!sole)
      return begin->setAttr("covered", UnitAttr::get(begin->getContext()));
    leaveUnfilled();
    storeFirst(choice, 0, Value());
    OpBuilder b = OpBuilder::atBlockBegin(choice.elseBlock());
    lvl::FillOp::create(b, choice.getLoc(), begin->getResult(0));
  }

  void leaveUnfilled() { begin->setAttr("unfilled", UnitAttr::get(begin->getContext())); }

  // The loop over all values of each level's coordinate.
  bool findLoops() {
    for (lvl::InsertOp insert : inserts) {
      auto argument = dyn_cast<BlockArgument>(insert.getCoordinate());
      auto loop = argument ? dyn_cast<lvl::CoiterateOp>(argument.getOwner()->getParentOp())
                           : lvl::CoiterateOp();
      if (!loop || argument.getArgNumber() != 0 || !loop.getUniverse() ||
          !loop.getIterators().empty() || loop.getPredicates() || loop.getCollects() ||
          llvm::is_contained(loops, loop) || !isOutside(loop.getUniverse()))
        return false;
      loops.push_back(loop);
    }
    return true;
  }

  bool isOutside(Value value) { return value.getParentBlock() == begin->getBlock(); }

  bool findStore(func::FuncOp kernel) {
    bool once = true;
    kernel.walk([&](lvl::StoreOp put) {
      if (choiceOfBlocks(put))
        return;
      once &= !store && put.getPath() == inserts.back().getPath();
      store = put;
    });
    return once && store;
  }

  // Tells whether each place of a level is inserted once, whatever the data are: by the loops over
  // its coordinates alone.
  bool isVisitedOnce(unsigned level) {
    unsigned around = 0;
    for (Operation *op = inserts[level]->getParentOp(); !isa<func::FuncOp>(op);
         op = op->getParentOp()) {
      if (asContractionChoice(op))
        continue;
      ++around;
      if (!llvm::is_contained(ArrayRef(loops).take_front(level + 1), op))
        return false;
    }
    return around == level + 1;
  }

  // Tells whether no loop around the last level skips anything: each has all values of a variable.
  bool isCovered() {
    for (Operation *op = inserts.back()->getParentOp(); !isa<func::FuncOp>(op);
         op = op->getParentOp()) {
      if (asContractionChoice(op))
        continue;
      auto loop = dyn_cast<lvl::CoiterateOp>(op);
      if (!loop || !loop.getUniverse() || !loop.getIterators().empty() || loop.getPredicates() ||
          loop.getCollects() || !isOutside(loop.getUniverse()))
        return false;
    }
    return true;
  }

  Value placesBelow(unsigned level) {
    Operation *outermost = loops[level];
    while (outermost->getBlock() != begin->getBlock())
      outermost = outermost->getParentOp();
    OpBuilder b(outermost);
    Location loc = begin->getLoc();
    Value count;
    for (lvl::CoiterateOp loop : ArrayRef(loops).drop_front(level + 1)) {
      Value extent = loop.getUniverse();
      count = count ? b.createOrFold<arith::MulIOp>(loc, count, extent) : extent;
    }
    return count ? count : Value(arith::ConstantIndexOp::create(b, loc, 1));
  }

  Operation *begin = nullptr; ///< lvl.build or lvl.refill
  unsigned rank = 0;
  SmallVector<lvl::InsertOp> inserts; ///< of the levels
  SmallVector<lvl::CoiterateOp> loops;
  lvl::StoreOp store;
};

struct PlaceFills : impl::PlaceFillsBase<PlaceFills> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Walks, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel) || makesPattern(phaseOf(kernel)))
        continue;
      if (DenseResult result; result.match(kernel))
        result.place();
    }
  }
};

} // namespace
} // namespace strata
