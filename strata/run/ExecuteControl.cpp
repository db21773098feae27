// Runs the blocks, loops and branches of a host program.
#include "strata/run/Executor.h"

#include "strata/host/Scalars.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/run/Output.h"
#include "strata/tensor/StoredFormats.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace strata {

int64_t Executor::integerOf(Value scalar) {
  return std::get<int64_t>(host::scalarOf(*tensors[scalar].storage));
}

LogicalResult Executor::holds(ta::HoldsOp op) {
  indices[op.getResult()] =
      host::holds(relationOf(op.getRelation()), host::scalarOf(*tensors[op.getLhs()].storage),
                  host::scalarOf(*tensors[op.getRhs()].storage));
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Blocks
//===------------------------------------------------------------------------------------------===//

// A region hands tensors on at its end; those that its block made belong to the receiver then.
Executor::Passed Executor::handedOn(Operation &end) {
  Passed passed;
  for (Value value : end.getOperands())
    passed.push_back(tensors[value]);
  for (Value value : end.getOperands())
    if (value.getParentBlock() == end.getBlock())
      tensors.erase(value);
  return passed;
}

Executor::Flow Executor::runBlock(Block &block, Passed &passed) {
  for (Operation &op : block) {
    if (isa<ta::NextOp, ta::BreakOp>(op)) {
      passed = handedOn(op);
      return isa<ta::BreakOp>(op) ? Flow::Break : Flow::Next;
    }
    if (isa<func::ReturnOp>(op))
      break; // what it returns stays
    Flow flow = Flow::Next;
    if (auto loop = dyn_cast<ta::ForOp>(op))
      flow = run(loop);
    else if (auto loop = dyn_cast<ta::LoopOp>(op))
      flow = run(loop);
    else if (auto branch = dyn_cast<ta::IfOp>(op))
      flow = run(branch, passed);
    else if (failed(execute(op)))
      flow = Flow::Failure;
    if (flow != Flow::Next)
      return flow;
  }
  return Flow::Next;
}

//===------------------------------------------------------------------------------------------===//
// Branches and loops
//===------------------------------------------------------------------------------------------===//

// What the two ways of a branch with fewTermsAttribute have to do: the terms that the one sorts,
// and the entries that the other converts.
Executor::TermsAndEntries Executor::termsAndEntries(ta::IfOp op) {
  auto storedOf = [&](Value operand) { return occupancyOf(tensors[operand]); };
  auto extentOf = [&](Value extent) { return indices.lookup(extent); };
  WorkEstimate estimate(storedOf, extentOf);
  TermsAndEntries work;
  op.getBody().walk([&](ta::ComputeOp listed) { work.terms = estimate.mostTerms(listed); });
  op.getOtherwise().walk([&](ta::ConvertOp convert) {
    if (!op->isAncestor(convert.getTensor().getParentRegion()->getParentOp()))
      work.entries += double(tensors[convert.getTensor()].storedCount());
  });
  return work;
}

// Sorting takes the logarithm of their number for each term, a conversion two passes over entries.
bool Executor::hasFewTerms(ta::IfOp op) {
  TermsAndEntries work = termsAndEntries(op);
  return work.terms * std::log2(std::max(work.terms, 2.0)) < 2 * work.entries;
}

Executor::Flow Executor::run(ta::IfOp op, Passed &passed) {
  bool condition = op->hasAttr(fewTermsAttribute) ? hasFewTerms(op) != 0
                                                  : indices.lookup(op.getCondition()) != 0;
  Region &region = condition ? op.getBody() : op.getOtherwise();
  Flow flow = runBlock(region.front(), passed);
  if (flow == Flow::Next)
    for (auto [result, value] : llvm::zip(op.getResults(), passed))
      define(result, std::move(value));
  return flow;
}

// A loop starts with these tensors, and takes some of them over.
Executor::Passed Executor::enter(ValueRange inits, ArrayRef<int64_t> moved) {
  Passed carried;
  for (Value init : inits)
    carried.push_back(tensors[init]);
  for (int64_t number : moved)
    tensors.erase(inits[size_t(number)]);
  return carried;
}

// Hands what the next round carries to the body's arguments.
LogicalResult Executor::carry(Operation *loop, Block::BlockArgListType arguments,
                              const std::vector<std::vector<int64_t>> &sizes, Passed &passed) {
  for (auto [at, argument] : llvm::enumerate(arguments)) {
    if (!sizes.empty() && passed[at].sizes() != sizes[at]) {
      auto named = dyn_cast<NameLoc>(argument.getLoc());
      auto text = [](ArrayRef<int64_t> sizes) {
        return llvm::join(llvm::map_range(sizes, [](int64_t n) { return std::to_string(n); }),
                          " x ");
      };
      return loop->emitError() << (named ? "'" + named.getName().str() + "'" : "a carried tensor")
                               << " is " << text(sizes[at]) << " when an iteration begins and "
                               << text(passed[at].sizes())
                               << " when it ends: sizes cannot change in a loop";
    }
    define(argument, std::move(passed[at]));
  }
  return success();
}

Executor::Flow Executor::runRounds(Operation *loop, Passed passed,
                                   Block::BlockArgListType arguments,
                                   llvm::function_ref<Progress(int64_t round)> begin) {
  std::vector<std::vector<int64_t>> sizes;
  for (const TensorValue &tensor : passed)
    sizes.push_back(tensor.sizes());
  Block &body = loop->getRegion(0).front();
  options.activity->enterLoop(loop);
  llvm::scope_exit leave([&] { options.activity->leaveLoop(); });
  for (int64_t round = 0;; ++round) {
    options.activity->beginIteration(round + 1);
    Progress progress = begin(round);
    if (progress == Progress::Failed)
      return Flow::Failure;
    if (progress == Progress::Done)
      break;
    if (failed(carry(loop, arguments, sizes, passed)))
      return Flow::Failure;
    passed.clear();
    Flow flow = runBlock(body, passed);
    if (flow == Flow::Failure)
      return flow;
    if (flow == Flow::Break)
      break;
  }
  if (passed.size() != loop->getNumResults()) {
    loop->emitError("the loop has no iteration, and what it would compute is used after it");
    return Flow::Failure;
  }
  for (auto [result, value] : llvm::zip(loop->getResults(), passed))
    define(result, std::move(value));
  return Flow::Next;
}

Executor::Flow Executor::run(ta::ForOp op) {
  int64_t next = integerOf(op.getLower()), upper = integerOf(op.getUpper()),
          step = integerOf(op.getStep());
  if (step == 0) {
    op.emitError("the step of a loop cannot be 0");
    return Flow::Failure;
  }
  auto type = cast<RankedTensorType>(op.getCounter().getType());
  bool overflows = false;
  return runRounds(op, enter(op.getInits(), op.getMoved()), op.getCarried(), [&](int64_t) {
    if (overflows || (step > 0 ? next >= upper : next <= upper))
      return Progress::Done;
    runtime::Result<TensorValue> counter =
        filledTensor(compiler, type, {}, IntegerAttr::get(type.getElementType(), next));
    if (!counter) {
      op.emitError() << counter.error().sentence();
      return Progress::Failed;
    }
    define(op.getCounter(), std::move(*counter));
    overflows = __builtin_add_overflow(next, step, &next);
    return Progress::Round;
  });
}

Executor::Flow Executor::run(ta::LoopOp op) {
  return runRounds(op, enter(op.getInits(), op.getMoved()), op.getCarried(),
                   [&](int64_t round) {
                     if (round < int64_t(op.getLimit()))
                       return Progress::Round;
                     InFlightDiagnostic error = op.emitError();
                     error << "the loop has not ended after " << round << " iterations, its limit";
                     error.attachNote(op.getLoc())
                         << "if it needs more, give it a limit: while (...) limit 5000000 { ... }";
                     return Progress::Failed;
                   });
}

} // namespace strata
