// split(i, io, ii, s) and divide(i, io, ii, p): a loop over the parts of a label's values, and one
// over the values of each part.
//
// before: for i in [0, n) { y[i] += A[i, j] * x[j] }
// after split(i, io, ii, 32):
//   for io in 0, 32, ... { for ii in [0, min(32, n - io)) { y[io + ii] += A[io + ii, j] * x[j] } }
// after divide(i, io, ii, 4): the same, by ceil(n / 4) instead of 32.
//
// The last part may be smaller; nothing is tested inside. Where values are stored one after the
// other, the loop over a part searches for its first. (003 section II-C, split and divide;
// Senanayake et al., A sparse iteration space transformation framework for sparse tensor algebra,
// OOPSLA 2020.)
#include "strata/schedule/Loops.h"

using namespace mlir;

namespace strata::schedule {
namespace {

// Puts `outer + inner` where the variable of a loop stands.
class Substitution {
public:
  Substitution(Value variable, Value outer, Value inner)
      : variable(variable), outer(outer), inner(inner) {}

  void run() {
    llvm::SmallSetVector<Operation *, 8> users;
    users.insert_range(variable.getUsers());
    for (Operation *user : users)
      if (auto access = dyn_cast<cin::AccessOp>(user))
        replaceIn(access);
      else
        replaceIn(cast<cin::AssignOp>(user));
  }

private:
  template <typename Op> void replaceIn(Op op) {
    AffineMap map = op.getMap();
    SmallVector<Value> indices(op.getIndices());
    SmallVector<AffineExpr> exprs;
    for (unsigned at = 0, end = indices.size(); at < end; ++at) {
      AffineExpr dim = getAffineDimExpr(at, map.getContext());
      if (indices[at] == variable) {
        indices[at] = outer;
        dim = dim + getAffineDimExpr(indices.size(), map.getContext());
        indices.push_back(inner);
      }
      exprs.push_back(dim);
    }
    op.getIndicesMutable().assign(indices);
    op.setMap(map.replaceDimsAndSymbols(exprs, {}, indices.size(), 0));
  }

  Value variable, outer, inner;
};

// Cuts what the loops of a label take together in parts: a loop over the parts around them.
void cutChunks(const Label &label, StringAttr first, StringAttr second,
               llvm::function_ref<void(cin::ForallOp)> setParts) {
  cin::ForallOp loop = label.front();
  OpBuilder b(loop);
  auto chunks = cin::ForallOp::create(b, loop.getLoc(), loop.getExtent(), first.getValue());
  chunks.setChunks(true);
  setParts(chunks);
  if (Value leader = loop.getLeader())
    chunks.getLeaderMutable().assign(leader);
  for (cin::ForallOp one : label) {
    one.getLeaderMutable().clear();
    one.getPartMutable().assign(chunks.getVariable());
    one.setGroupAttr(second);
  }
  loop->moveBefore(&chunks.getBlock(), chunks.getBlock().end());
}

// Cuts a label's values in parts; `setParts` says in which.
LogicalResult cut(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse,
                  llvm::function_ref<void(cin::ForallOp, int64_t)> setParts) {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto number = arguments.size() == 4 ? dyn_cast<IntegerAttr>(arguments[3]) : IntegerAttr();
  auto first = number ? dyn_cast<StringAttr>(arguments[1]) : StringAttr();
  auto second = number ? dyn_cast<StringAttr>(arguments[2]) : StringAttr();
  if (!first || !second)
    return refuse() << "it takes a label, two new labels and a number: " << command.getName()
                    << "(i, io, ii, 32)";
  FailureOr<SmallVector<Label>> labels = findLabels(kernel, arguments.front(), refuse);
  if (failed(labels))
    return failure();
  const Label &label = labels->front();
  cin::ForallOp loop = label.front();
  if (number.getInt() < 1)
    return refuse() << "there is at least one part, of at least one value";
  if (failed(checkNew(kernel, {first, second}, refuse)) || failed(checkUncontracted(loop, refuse)))
    return failure();
  auto outside = dyn_cast<cin::ForallOp>(loop->getParentOp());
  if (loop.getCollapsed() || loop.getAccumulates() || (outside && outside.getCollapsed()))
    return refuse() << "the loop over '" << loop.getName() << "' is walked with another";
  if (loop.isOfParts() || loop.getPart())
    return refuse() << "'" << loop.getLabel().getValue() << "' is a part of another label already";
  if (loop.getGroup()) {
    if (loop.isInThreads())
      return refuse() << "'" << loop.getLabel().getValue() << "' is shared among threads";
    cutChunks(label, first, second, [&](cin::ForallOp one) { setParts(one, number.getInt()); });
    return success();
  }

  cutLoop(loop, first.getValue(), second.getValue(),
          [&](cin::ForallOp one) { setParts(one, number.getInt()); });
  return success();
}

} // namespace

std::pair<cin::ForallOp, cin::ForallOp> cutLoop(cin::ForallOp loop, StringRef first,
                                                StringRef second,
                                                llvm::function_ref<void(cin::ForallOp)> setParts) {
  OpBuilder b(loop);
  auto outer = cin::ForallOp::create(b, loop.getLoc(), loop.getExtent(), first);
  b.setInsertionPointToEnd(&outer.getBlock());
  auto inner = cin::ForallOp::create(b, loop.getLoc(), loop.getExtent(), second);
  inner.getPartMutable().assign(outer.getVariable());
  setParts(outer);
  setParts(inner);
  // Threads share the parts; vectors are of values in a part.
  (loop.isInThreads() ? outer : inner).setMarkAttr(loop.getMarkAttr());
  inner.setGallopAttr(loop.getGallopAttr());
  inner.getLocatingMutable().assign(loop.getLocating());
  Substitution(loop.getVariable(), outer.getVariable(), inner.getVariable()).run();
  inner.getBlock().getOperations().splice(inner.getBlock().end(), loop.getBlock().getOperations());
  loop.erase();
  return {outer, inner};
}

LogicalResult split(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  return cut(kernel, command, refuse,
             [](cin::ForallOp loop, int64_t size) { loop.setPartSize(size); });
}

LogicalResult divide(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  return cut(kernel, command, refuse,
             [](cin::ForallOp loop, int64_t count) { loop.setPartCount(count); });
}

} // namespace strata::schedule
