// parallelize(i, CPUThread[, NoRaces]): the values of a label are shared among threads;
// parallelize(k, CPUVector, NoRaces): they are taken by vectors, as vectorize(k) says.
//
// With NoRaces no two values may write the same place of the result: what assembles it, and where
// each value writes, decides that when the loop is walked, and it is an error if they do. With
// Temporary (or ParallelReduction) they may: each part has sums of its own, which are added to the
// result in the order of the parts, so that no bit depends on the threads. With Atomics each adds
// to the result at once, in any order: sums of floating-point numbers then are not the same each
// time.
#include "strata/schedule/Loops.h"

using namespace mlir;

namespace strata::schedule {

LogicalResult parallelize(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto word = [&](unsigned at) {
    auto text = at < arguments.size() ? dyn_cast<StringAttr>(arguments[at]) : StringAttr();
    return text ? text.getValue() : StringRef();
  };
  if (arguments.size() != 2 && arguments.size() != 3)
    return refuse() << "it takes a label, the unit and the strategy for races, which is NoRaces "
                       "unless it is given: parallelize(i, CPUThread, NoRaces)";
  if (word(1) != "CPUThread" && word(1) != "CPUVector")
    return refuse() << "the units so far are CPUThread and CPUVector, not '" << word(1) << "'";
  bool isProven = arguments.size() == 2 || word(2) == "NoRaces" || word(2) == "IgnoreRaces";
  bool isTemporary = word(2) == "Temporary" || word(2) == "ParallelReduction";
  bool isAtomic = word(2) == "Atomics";
  if (!isProven && !isTemporary && !isAtomic)
    return refuse() << "the strategies are NoRaces, IgnoreRaces, Atomics, Temporary and "
                       "ParallelReduction, not '"
                    << word(2) << "'";
  if (word(1) == "CPUVector")
    return vectorize(kernel, arguments.front(), 0, refuse);
  FailureOr<SmallVector<cin::ForallOp>> named = findLoops(kernel, arguments.take_front(), refuse);
  if (failed(named))
    return failure();
  cin::ForallOp loop = named->front();
  // The loops that are walked with the first one are one loop.
  for (auto outer = loop->getParentOfType<cin::ForallOp>(); outer && outer.getCollapsed();
       outer = loop->getParentOfType<cin::ForallOp>())
    loop = outer;
  if (isTemporary && !loop.isOfParts())
    return refuse() << "each value of '" << loop.getLabel().getValue()
                    << "' would have sums of its own: split or divide it before";
  if (failed(checkUnmarked(loop, refuse)))
    return failure();
  ta::Strategy strategy = isTemporary ? ta::Strategy::temporary
                          : isAtomic  ? ta::Strategy::atomic
                                      : ta::Strategy::none;
  loop.setMarkAttr(ta::MarkAttr::get(kernel.getContext(), ta::Unit::thread, strategy));
  return success();
}

} // namespace strata::schedule
