// A fill is known by its attribute: what its places are to the loops behind it cannot be seen.
#include "strata/lower/scf/FillLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace strata {

constexpr llvm::StringLiteral fillName = "strata.fill";

void emitFill(OpBuilder &b, Location loc, Value buffer, Value begin, Value count, Value fill) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, count, one);
  loop->setAttr(fillName, b.getUnitAttr());
  OpBuilder inside = OpBuilder::atBlockTerminator(loop.getBody());
  Value at = arith::AddIOp::create(inside, loc, begin, loop.getInductionVar());
  emit::storeValue(inside, loc, fill, buffer, at);
}

void emitFillOfAll(OpBuilder &b, Location loc, Value buffer, Value count, Value fill) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, count, one);
  OpBuilder inside = OpBuilder::atBlockTerminator(loop.getBody());
  emit::storeValue(inside, loc, fill, buffer, loop.getInductionVar());
}

std::optional<FillLoop> FillLoop::match(scf::ForOp loop) {
  auto stores = loop.getBody()->getOps<memref::StoreOp>();
  if (!loop->hasAttr(fillName) || stores.empty())
    return std::nullopt;
  memref::StoreOp store = *stores.begin();
  Value fill = store.getValueToStore(), index = store.getIndices()[0];
  auto place = index.getDefiningOp<arith::AddIOp>();
  if (!loop.isDefinedOutsideOfLoop(fill) || !place)
    return std::nullopt;
  bool isFirst = place.getLhs() == loop.getInductionVar();
  return FillLoop{loop, store.getMemRef(), isFirst ? place.getRhs() : place.getLhs(),
                  loop.getUpperBound(), fill};
}

std::optional<FillLoop> FillLoop::before(scf::ForOp loop) {
  for (Operation *op = loop->getPrevNode(); op; op = op->getPrevNode())
    if (auto other = dyn_cast<scf::ForOp>(op))
      return match(other);
    else if (!isPure(op) && !isa<memref::LoadOp>(op))
      break;
  return std::nullopt;
}

} // namespace strata
