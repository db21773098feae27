// fuse(i, j, f): two labels become one, whose values are the pairs of theirs.
//
// before: for i { for j { y[i] += A[i, j] * x[j] } }
// after fuse(i, j, f): for (i, j) in f { y[i] += A[i, j] * x[j] }
//
// The pairs come in lexicographic order, as they do in the two loops: nothing is computed
// otherwise. Split, the label is cut across values of i: into parts of the space of all pairs, or,
// after pos, of the entries that an operand stores. Between the loops may stand a sum that is a
// factor of a product: it takes the other factors in. (003 section II-C, fuse; Senanayake et al., A
// sparse iteration space transformation framework for sparse tensor algebra, OOPSLA 2020.)
#include "strata/schedule/Loops.h"

#include "strata/lower/analysis/LoopNest.h"

using namespace mlir;

namespace strata::schedule {

LogicalResult fuse(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  ArrayRef<Attribute> arguments = command.getArguments();
  if (arguments.size() != 3)
    return refuse() << "it takes two labels and a new one: fuse(i, j, f)";
  FailureOr<SmallVector<Label>> labels = findLabels(kernel, arguments.drop_back(), refuse);
  if (failed(labels) || failed(checkNew(kernel, arguments.back(), refuse)))
    return failure();
  Label both = labels->front();
  llvm::append_range(both, labels->back());
  takeFactorsIn(kernel, both);
  SmallVector<cin::ForallOp> chain = chainFrom(both.front());
  if (chain.size() < both.size() || ArrayRef(chain).take_front(both.size()) != ArrayRef(both))
    return refuse() << "the loops are not directly inside each other, in this order";
  if (failed(checkWhole(both, refuse)))
    return failure();
  for (cin::ForallOp loop : both)
    loop.setGroupAttr(cast<StringAttr>(arguments.back()));
  return success();
}

} // namespace strata::schedule
