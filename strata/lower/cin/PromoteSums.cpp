// Keeps sums that a result accumulates in scalars, where their loops are the innermost ones.
#include "strata/dialect/ta/LevelRoom.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/cin/NestShape.h"
#include "strata/lower/utils/KernelStage.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_PROMOTESUMS
#include "strata/lower/Passes.h.inc"

namespace {

class Promotion {
public:
  explicit Promotion(func::FuncOp kernel) : kernel(kernel), nest(kernel) {
    for (unsigned number : nest.around(nest.result))
      path.push_back(nest.loops[number]);
  }

  // The loop around which a scalar holds the sum; null where the result accumulates it.
  cin::ForallOp find() {
    cin::AssignOp assign = nest.result;
    if (!assign.getReduces())
      return {};
    // A list adds up what is alike, nothing else.
    bool accumulates =
        !nest.resultPath().format.isList() || assign.getCombine() == ta::Combine::add;
    for (unsigned at = 0; at < path.size(); ++at) {
      cin::ForallOp loop = path[at];
      bool open = llvm::any_of(ArrayRef(path).drop_front(at),
                               [&](cin::ForallOp inner) { return !isSummed(inner); });
      if (loop.getCollapsed() && open)
        return {};
      bool inPlace = acceptsDuplicates(kernel, nest, loop);
      if (auto tuple = loopsOverTuples(kernel, nest, loop); !tuple.empty()) {
        if (llvm::none_of(tuple, [&](cin::ForallOp one) { return isSummed(one); })) {
          at += tuple.size() - 1;
          continue;
        }
        inPlace |= open && !appendsResult(nest);
      }
      // The parts of a sum that stand outside other labels, and the values that threads add
      // atomically, add up in the result, each of them one scalar.
      bool isOfOwnParts = loop.isOfParts() && !loop.getPart() &&
                          (open || loop.hasStrategy(ta::Strategy::temporary));
      if (isSummed(loop) && accumulates && !inPlace &&
          (isOfOwnParts || loop.hasStrategy(ta::Strategy::atomic))) {
        inParts = true;
        continue;
      }
      if (accumulates && (inPlace || (isSummed(loop) && open)))
        return {};
      if (isSummed(loop))
        return loop;
    }
    return {};
  }

  void promote(cin::ForallOp loop) {
    cin::AssignOp assign = nest.result;
    Location loc = assign.getLoc();
    OpBuilder b(loop);
    Type element = assign.getYielded().getType();
    auto type = ta::StorageType::get(b.getContext(), RankedTensorType::get({}, element));
    Value temp = cin::TempOp::create(b, loc, type, *assign.getCombine(), assign.getMissing(),
                                     ValueRange(), StringAttr());
    auto where = cin::WhereOp::create(b, loc);
    Block *producer = b.createBlock(&where.getProducer());
    b.createBlock(&where.getConsumer());
    AffineMap scalar = AffineMap::get(b.getContext());
    bool storesOnce = nest.build && !inParts && llvm::none_of(path, [&](cin::ForallOp around) {
                        return around->isProperAncestor(where) && mayReturn(nest, around);
                      });
    auto store =
        cin::AssignOp::create(b, loc, assign.getTarget(), assign.getIndices(), assign.getMapAttr(),
                              storesOnce ? ta::CombineAttr() : assign.getCombineAttr());
    b.createBlock(&store.getBody());
    Value value = cin::AccessOp::create(b, loc, element, temp, ValueRange(), scalar,
                                        /*missing=*/false);
    cin::YieldOp::create(b, loc, value);
    loop->moveBefore(producer, producer->end());
    assign.getTargetMutable().assign(temp);
    assign.getIndicesMutable().clear();
    assign.setMap(scalar);
    assign.setReduces(false);
    assign.setMissing(false);
  }

private:
  // A label of the left side is an index of the result. Parts are summed where their values are,
  // or where an entry may be stored again in the next.
  bool isSummed(cin::ForallOp loop) {
    auto leader = loop.getLeader();
    if (loop.getChunks() && leader &&
        ta::repeatsEntries(cast<ta::StorageType>(leader.getType()).getFormat()))
      return true;
    SmallVector<cin::ForallOp> inParts;
    llvm::copy_if(path, std::back_inserter(inParts),
                  [&](cin::ForallOp inner) { return inner.getPart() == loop.getVariable(); });
    if (!inParts.empty())
      return llvm::any_of(inParts, [&](cin::ForallOp inner) { return isSummed(inner); });
    return !llvm::is_contained(nest.result.getIndices(), loop.getVariable());
  }

  func::FuncOp kernel;
  LoopNest nest;
  SmallVector<cin::ForallOp> path; ///< the loops around the assignment to the result
  bool inParts = false;            ///< the result adds up what several scalars hold
};

struct PromoteSums : impl::PromoteSumsBase<PromoteSums> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Loops, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel))
        continue;
      Promotion promotion(kernel);
      if (cin::ForallOp loop = promotion.find())
        promotion.promote(loop);
    }
  }
};

} // namespace
} // namespace strata
