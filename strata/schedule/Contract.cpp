// contract(i, k, j): loops over dense tensors that are a contraction, or a sum of such, are
// computed in blocks that stay in the caches, where there is much to do.
//
// before: for i { for k { for j { C[i, j] += A[i, k] * B[k, j] } } }
// after contract(i, k, j): the same, of which lowering makes
//   if there is much to do { lvl.contract A, B into C } else { the loops }
//
// All loops of the contraction are named. They keep their units: threads may take the values of the
// outermost one, and then share the blocks.
#include "strata/lower/analysis/DenseContraction.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/schedule/Loops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata::schedule {
namespace {

// Why no loops of the kernel may be contracted; empty if they may.
std::string whyNoBlocks(func::FuncOp kernel) {
  if (forbiddenFor(kernel).contains(Resolution::Blocks))
    return "'blocks' is forbidden";
  if (assumes(kernel, Assumptions::Deterministic))
    return "the kernel is to be deterministic: sums keep the order of the loops";
  return "";
}

SmallVector<StringRef> namesOf(ArrayRef<cin::ForallOp> loops) {
  return llvm::map_to_vector(loops, [](cin::ForallOp loop) { return loop.getName(); });
}

} // namespace

LogicalResult contract(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  FailureOr<SmallVector<cin::ForallOp>> named = findLoops(kernel, command.getArguments(), refuse);
  if (failed(named))
    return failure();
  if (named->empty())
    return refuse() << "it takes the labels of a contraction: contract(i, k, j)";
  if (std::string why = whyNoBlocks(kernel); !why.empty())
    return refuse() << why;
  for (cin::ForallOp loop : *named)
    if (failed(checkUncontracted(loop, refuse)))
      return failure();
  cin::ForallOp head = named->front();
  for (cin::ForallOp loop : *named)
    if (loop->isAncestor(head))
      head = loop;
  std::string why;
  std::optional<DenseContraction> found = DenseContraction::match(LoopNest(kernel), head, why);
  if (!found)
    return refuse() << why;
  SmallVector<cin::ForallOp> all = found->loops();
  if (all.size() != named->size() ||
      !llvm::all_of(all, [&](cin::ForallOp loop) { return llvm::is_contained(*named, loop); }))
    return refuse() << "the loops of the contraction that begins with '" << head.getName()
                    << "' are over " << llvm::join(namesOf(all), ", ");
  found->mark();
  return success();
}

LogicalResult checkContracted(func::FuncOp kernel, Refuse refuse) {
  SmallVector<cin::ForallOp> heads;
  kernel.walk<WalkOrder::PreOrder>([&](cin::ForallOp loop) {
    if (!loop.getContracted())
      return WalkResult::advance();
    heads.push_back(loop);
    return WalkResult::skip();
  });
  if (heads.empty())
    return success();
  LoopNest nest(kernel);
  for (cin::ForallOp head : heads) {
    std::string why;
    std::optional<DenseContraction> found = DenseContraction::match(nest, head, why);
    if (found && found->isMarked())
      continue;
    return refuse() << "the loops from '" << head.getName()
                    << "' on would be no contraction any more" << (why.empty() ? "" : ": ") << why
                    << "; give the command before 'contract'";
  }
  return success();
}

void contractAll(func::FuncOp kernel) {
  if (!whyNoBlocks(kernel).empty())
    return;
  LoopNest nest(kernel);
  SmallVector<ta::CommandAttr> commands(scheduleOf(kernel).getCommands());
  const size_t own = commands.size();
  Builder b(kernel.getContext());
  kernel.walk<WalkOrder::PreOrder>([&](cin::ForallOp head) {
    if (head.getContracted())
      return WalkResult::skip();
    std::string why;
    std::optional<DenseContraction> found = DenseContraction::match(nest, head, why);
    if (!found)
      return WalkResult::advance();
    if (!mayBeLarge(*found))
      return WalkResult::skip();
    found->mark();
    SmallVector<Attribute> labels;
    for (cin::ForallOp loop : found->loops())
      labels.push_back(loop.getLabel());
    commands.push_back(ta::CommandAttr::get(kernel.getContext(), "contract", labels));
    return WalkResult::skip();
  });
  if (commands.size() > own)
    setSchedule(kernel, ta::ScheduleAttr::get(kernel.getContext(), commands));
}

} // namespace strata::schedule
