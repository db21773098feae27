// Adds up terms of 32 bits in 64 where the result is one number.
//
// before: t : f32; for i { t += x(i) }; s = t
// after:  t : f64; for i { t += double(x(i)) }; s = float(t)
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/LoopNest.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/lower/utils/Precision.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_WIDENSUMS
#include "strata/lower/Passes.h.inc"

namespace {

// The type in which elements of a type are added up; null where that is their own.
Type widerThan(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  if (!(complex ? complex.getElementType() : element).isF32())
    return {};
  Type wide = Float64Type::get(element.getContext());
  return complex ? Type(ComplexType::get(wide)) : wide;
}

Type elementOf(cin::TempOp temp) {
  return cast<ta::StorageType>(temp.getStorage().getType()).getTensor().getElementType();
}

class Widening {
public:
  explicit Widening(func::FuncOp kernel) : kernel(kernel), nest(kernel) {}

  void run() {
    if (nest.result && nest.resultPath().place.getNumResults() == 0)
      keepInScalar();
    SmallVector<cin::TempOp> sums;
    kernel.walk([&](cin::TempOp temp) {
      if (temp.getCombine() == ta::Combine::add && !temp.getMissing() && temp.getExtents().empty())
        sums.push_back(temp);
    });
    llvm::erase_if(sums, [](cin::TempOp temp) { return !widerThan(elementOf(temp)); });
    for (cin::TempOp temp : sums)
      widenReads(temp);
    for (cin::TempOp temp : sums)
      widenTerms(temp);
  }

private:
  // A scalar takes the place of a result that accumulates the terms itself.
  void keepInScalar();
  // Gives the temporary the wider type, and what reads it the narrower one.
  void widenReads(cin::TempOp temp);
  // Gives what is added the wider type: what another such temporary holds, without rounding.
  void widenTerms(cin::TempOp temp);

  func::FuncOp kernel;
  LoopNest nest;
  llvm::DenseMap<Value, Value> rounded; ///< what is read of temporaries, as they hold it
};

void Widening::keepInScalar() {
  cin::AssignOp assign = nest.result;
  Type element = assign.getYielded().getType();
  if (!assign.getReduces() || assign.getMissing() || assign.getCombine() != ta::Combine::add ||
      !widerThan(element))
    return;
  // Threads combine what they have computed with the result, each its own scalar.
  cin::ForallOp loop;
  for (unsigned number : nest.around(assign)) {
    cin::ForallOp around = nest.loops[number];
    if (around.isInThreads())
      loop = {};
    else if (!loop)
      loop = around;
  }
  if (!loop)
    return;
  OpBuilder b(loop);
  Location loc = assign.getLoc();
  auto type = ta::StorageType::get(b.getContext(), RankedTensorType::get({}, element));
  Value temp = cin::TempOp::create(b, loc, type, ta::Combine::add, /*missing=*/false, ValueRange(),
                                   StringAttr());
  auto where = cin::WhereOp::create(b, loc);
  Block *producer = b.createBlock(&where.getProducer());
  b.createBlock(&where.getConsumer());
  auto store = cin::AssignOp::create(b, loc, assign.getTarget(), assign.getIndices(),
                                     assign.getMapAttr(), assign.getCombineAttr());
  b.createBlock(&store.getBody());
  Value value = cin::AccessOp::create(b, loc, element, temp, ValueRange(),
                                      AffineMap::get(b.getContext()), /*missing=*/false);
  cin::YieldOp::create(b, loc, value);
  loop->moveBefore(producer, producer->end());
  assign.getTargetMutable().assign(temp);
  assign.setReduces(false);
}

void Widening::widenReads(cin::TempOp temp) {
  Type element = elementOf(temp), wide = widerThan(element);
  OpBuilder b(temp);
  temp.getStorage().setType(ta::StorageType::get(b.getContext(), RankedTensorType::get({}, wide)));
  for (Operation *user : llvm::to_vector(temp.getStorage().getUsers())) {
    auto access = dyn_cast<cin::AccessOp>(user);
    if (!access)
      continue;
    Value held = access.getResult();
    SmallVector<OpOperand *> uses =
        llvm::map_to_vector(held.getUses(), [](OpOperand &use) { return &use; });
    held.setType(wide);
    b.setInsertionPointAfter(access);
    Value narrow = emitPrecision(b, access.getLoc(), held, element);
    for (OpOperand *use : uses)
      use->set(narrow);
    rounded[narrow] = held;
  }
}

void Widening::widenTerms(cin::TempOp temp) {
  for (Operation *user : temp.getStorage().getUsers()) {
    auto assign = dyn_cast<cin::AssignOp>(user);
    if (!assign)
      continue;
    Operation *yield = assign.getBody().front().getTerminator();
    OpBuilder b(yield);
    Value term = yield->getOperand(0), held = rounded.lookup(term);
    yield->setOperand(0, held ? held : emitPrecision(b, assign.getLoc(), term, elementOf(temp)));
  }
}

struct WidenSums : impl::WidenSumsBase<WidenSums> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Loops, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (isKernel(kernel) && isScalar(kernel))
        Widening(kernel).run();
  }

private:
  // Tells whether all that a kernel assigns to is one number, or lives in the kernel alone.
  static bool isScalar(func::FuncOp kernel) {
    return !kernel
                .walk([](cin::AssignOp assign) {
                  auto type = cast<ta::StorageType>(assign.getTarget().getType());
                  return assignsTemporary(assign) || type.getTensor().getRank() == 0
                             ? WalkResult::advance()
                             : WalkResult::interrupt();
                })
                .wasInterrupted();
  }
};

} // namespace
} // namespace strata
