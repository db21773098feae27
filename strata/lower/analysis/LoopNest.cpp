// Numbers the variables of a nest and collects its accesses.
#include "strata/lower/analysis/LoopNest.h"

#include "strata/lower/analysis/KernelAttributes.h"

using namespace mlir;

namespace strata {

bool assignsTemporary(cin::AssignOp assign) {
  return assign.getTarget().getDefiningOp<cin::TempOp>() != nullptr;
}

LoopNest::LoopNest(func::FuncOp kernel) {
  kernel.walk<WalkOrder::PreOrder>([&](cin::ForallOp loop) {
    numbers.insert({loop.getVariable(), loops.size()});
    loops.push_back(loop);
  });
  // A window may begin inside a block.
  for (auto [number, loop] : llvm::enumerate(loops))
    if (loop.getPart() && loop.getPartSize() && !assumes(kernel, Assumptions::Windowed))
      parts.push_back({numberOf(loop.getPart()), unsigned(number), int64_t(*loop.getPartSize())});
  kernel.walk([&](cin::AccessOp op) {
    if (op.getStorage().getDefiningOp<cin::TempOp>())
      return;
    AffineMap place = placeOf(op.getMap(), op.getIndices());
    auto *same = llvm::find_if(accesses, [&](const NestAccess &access) {
      return access.storage == op.getStorage() && access.path.place == place;
    });
    if (same == accesses.end())
      same = &accesses.emplace_back(NestAccess{
          op.getStorage(), AccessPath(op.getStorage().getType().getFormat(), place, parts), {}});
    same->ops.push_back(op);
    accessNumbers[op] = same - accesses.begin();
  });
  kernel.walk([&](cin::AssignOp op) {
    if (!assignsTemporary(op))
      result = op;
  });
  auto builds = kernel.getBody().front().getOps<cin::BuildOp>();
  if (!builds.empty())
    build = *builds.begin();
}

std::optional<unsigned> LoopNest::numberOfAccess(Operation *op) const {
  auto number = accessNumbers.find(op);
  return number == accessNumbers.end() ? std::nullopt : std::optional(number->second);
}

AffineMap LoopNest::placeOf(AffineMap map, ValueRange indices) const {
  SmallVector<AffineExpr> variables;
  for (Value index : indices)
    variables.push_back(getAffineDimExpr(numberOf(index), map.getContext()));
  return map.replaceDimsAndSymbols(variables, {}, loops.size(), 0);
}

AccessPath LoopNest::resultPath() const {
  cin::AssignOp assign = result;
  return AccessPath(assign.getTarget().getType().getFormat(),
                    placeOf(assign.getMap(), assign.getIndices()), parts);
}

SmallVector<unsigned> LoopNest::around(Operation *inner) const {
  SmallVector<unsigned> outer;
  for (auto [number, loop] : llvm::enumerate(loops))
    if (cin::ForallOp(loop)->isProperAncestor(inner))
      outer.push_back(number);
  return outer;
}

SmallVector<unsigned> LoopNest::accessesIn(cin::ForallOp loop) const {
  SmallVector<unsigned> inside;
  for (auto [number, access] : llvm::enumerate(accesses))
    if (llvm::any_of(access.ops, [&](Operation *op) { return loop->isAncestor(op); }))
      inside.push_back(number);
  return inside;
}

SmallVector<cin::ForallOp> chainFrom(cin::ForallOp loop) {
  SmallVector<cin::ForallOp> chain{loop};
  while (llvm::hasSingleElement(chain.back().getBlock())) {
    auto inner = dyn_cast<cin::ForallOp>(chain.back().getBlock().front());
    if (!inner)
      break;
    chain.push_back(inner);
  }
  return chain;
}

} // namespace strata
