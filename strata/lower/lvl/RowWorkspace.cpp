// Emits dense workspaces.
#include "strata/lower/lvl/RowWorkspace.h"

#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/ta/Algebra.h"
#include "strata/level/Emission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {

RowWorkspace::RowWorkspace(OpBuilder &b, cin::TempOp temp) : extents(temp.getExtents()) {
  Location loc = temp.getLoc();
  Type element = temp.getStorage().getType().getElementType();
  identity = ta::identityOf(temp.getCombine(), element);
  count = extents.front();
  for (Value extent : llvm::drop_begin(extents))
    count = arith::MulIOp::create(b, loc, count, extent);
  values = lvl::WorkspaceOp::create(b, loc, emit::bufferType(element), count);
}

Value RowWorkspace::place(OpBuilder &b, Location loc, ValueRange coordinates) const {
  Value at = coordinates.front();
  for (auto [coordinate, extent] : llvm::drop_begin(llvm::zip(coordinates, extents)))
    at = arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, at, extent), coordinate);
  return at;
}

void RowWorkspace::reset(OpBuilder &b, Location loc) const {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value value = ta::emitConstant(b, loc, identity);
  auto loop = scf::ForOp::create(b, loc, zero, count, one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  emit::storeValue(b, loc, value, values, loop.getInductionVar());
}

Value RowWorkspace::load(OpBuilder &b, Location loc, ValueRange coordinates) const {
  return emit::loadValue(b, loc, values, place(b, loc, coordinates), identity.getType());
}

void RowWorkspace::store(OpBuilder &b, Location loc, ValueRange coordinates, Value value) const {
  emit::storeValue(b, loc, value, values, place(b, loc, coordinates));
}

} // namespace strata
