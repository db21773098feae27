// split(i, io, ii, s): a loop over the parts of so many values, and one over the values of each.
//
// before: for i in [0, n) { y[i] += A[i, j] * x[j] }
// after split(i, io, ii, 32):
//   for io in [0, ceil(n / 32)) { for ii in [0, min(32, n - 32 io)) {
//     y[32 io + ii] += A[32 io + ii, j] * x[j] } }
//
// The last part may be smaller; nothing is tested inside. (003 section II-C, split; Senanayake et
// al., A sparse iteration space transformation framework for sparse tensor algebra, OOPSLA 2020.)
#include "strata/schedule/Loops.h"

using namespace mlir;

namespace strata::schedule {
namespace {

// Puts `size * outer + inner` where the variable of a loop stands.
class Substitution {
public:
  Substitution(Value variable, Value outer, Value inner, int64_t size)
      : variable(variable), outer(outer), inner(inner), size(size) {}

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
        dim = dim * size + getAffineDimExpr(indices.size(), map.getContext());
        indices.push_back(inner);
      }
      exprs.push_back(dim);
    }
    op.getIndicesMutable().assign(indices);
    op.setMap(map.replaceDimsAndSymbols(exprs, {}, indices.size(), 0));
  }

  Value variable, outer, inner;
  int64_t size;
};

} // namespace

LogicalResult split(func::FuncOp kernel, ta::CommandAttr command, Refuse refuse) {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto size = arguments.size() == 4 ? dyn_cast<IntegerAttr>(arguments[3]) : IntegerAttr();
  auto first = size ? dyn_cast<StringAttr>(arguments[1]) : StringAttr();
  auto second = size ? dyn_cast<StringAttr>(arguments[2]) : StringAttr();
  if (!first || !second)
    return refuse() << "it takes a label, two new labels and a number: split(i, io, ii, 32)";
  FailureOr<SmallVector<cin::ForallOp>> named = findLoops(kernel, arguments.front(), refuse);
  if (failed(named))
    return failure();
  cin::ForallOp loop = named->front();
  if (size.getInt() < 1)
    return refuse() << "parts have at least one value";
  SmallVector<std::string> taken = namesOfLoops(kernel);
  for (StringAttr label : {first, second})
    if (llvm::is_contained(taken, label.getValue()) || first == second)
      return refuse() << "there is a loop over '" << label.getValue() << "' already";
  auto outside = dyn_cast<cin::ForallOp>(loop->getParentOp());
  if (loop.getJoined() || loop.getFused() || (outside && outside.getJoined()))
    return refuse() << "the loop over '" << loop.getName() << "' is walked with another";
  if (loop.getParts())
    return refuse() << "'" << loop.getName() << "' is a part of another label already";

  OpBuilder b(loop);
  auto outer = cin::ForallOp::create(b, loop.getLoc(), loop.getExtent(), first.getValue());
  b.setInsertionPointToEnd(&outer.getBlock());
  auto inner = cin::ForallOp::create(b, loop.getLoc(), loop.getExtent(), second.getValue());
  inner.getPartMutable().assign(outer.getVariable());
  for (cin::ForallOp one : {outer, inner}) {
    one.setParts(size.getInt());
    one.setSerial(loop.getSerial() || loop.getParallel());
  }
  inner.setVectorizeAttr(loop.getVectorizeAttr());
  inner.setUnrollAttr(loop.getUnrollAttr());
  if (loop.getParallel()) {
    outer.setSerial(false);
    outer.setParallel(true);
  }
  Substitution(loop.getVariable(), outer.getVariable(), inner.getVariable(), size.getInt()).run();
  inner.getBlock().getOperations().splice(inner.getBlock().end(), loop.getBlock().getOperations());
  loop.erase();
  return success();
}

} // namespace strata::schedule
