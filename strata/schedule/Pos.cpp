// pos(j, p, A): a label goes through the entries that an operand stores.
//
// before: for i { for j { y[i] += A[i, j] * x[j] } }
// after pos(j, p, A): for i { for p in the entries of A in row i { y[i] += A[p] * x[j of p] } }
//
// Nothing is to be done where the operand stores nothing: that is seen when the loops are walked,
// and so is whether they walk it in the order in which it is stored. Split, the label is cut by
// positions, into parts of equally many entries; after fuse(i, j, f) and pos(f, p, A) into parts of
// all entries, across rows. (003 section II-C, pos; Senanayake et al., OOPSLA 2020.)
#include "strata/schedule/Loops.h"

using namespace mlir;

namespace strata::schedule {

LogicalResult pos(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto operand = arguments.size() == 3 ? dyn_cast<StringAttr>(arguments[2]) : StringAttr();
  if (!operand)
    return refuse() << "it takes a label, a new one, and an operand: pos(j, p, A)";
  FailureOr<SmallVector<Label>> labels = findLabels(kernel, arguments.front(), refuse);
  if (failed(labels) || failed(checkNew(kernel, arguments[1], refuse)))
    return failure();
  const Label &label = labels->front();
  if (failed(checkWhole(label, refuse)))
    return failure();
  SmallVector<Value> storages = storagesNamed(label.back(), operand.getValue());
  if (storages.empty())
    return refuse() << "no operand inside the loop is called '" << operand.getValue() << "'";
  AffineMap place;
  SmallVector<Value> indices;
  bool severalPlaces = false;
  cin::ForallOp innermost = label.back();
  innermost.walk([&](cin::AccessOp access) {
    if (access.getStorage() != storages.front())
      return;
    severalPlaces |=
        place && (access.getMap() != place || access.getIndices() != ValueRange(indices));
    place = access.getMap();
    indices.assign(access.getIndices().begin(), access.getIndices().end());
  });
  if (severalPlaces)
    return refuse() << "'" << operand.getValue() << "' is read at several places";
  for (cin::ForallOp loop : label)
    if (!llvm::is_contained(indices, loop.getVariable()))
      return refuse() << "'" << operand.getValue() << "' does not have the label '"
                      << loop.getName() << "'";
  for (cin::ForallOp loop : label) {
    loop.setGroupAttr(cast<StringAttr>(arguments[1]));
    loop.getLeaderMutable().assign(storages.front());
  }
  return success();
}

} // namespace strata::schedule
