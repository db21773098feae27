// Emits dense workspaces.
#include "strata/lower/lvl/RowWorkspace.h"

#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/ta/Algebra.h"
#include "strata/level/Emission.h"
#include "strata/lower/utils/BoundedProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {

static Value product(OpBuilder &b, Location loc, ArrayRef<Value> factors) {
  if (factors.empty())
    return arith::ConstantIndexOp::create(b, loc, 1);
  Value product = factors.front();
  for (Value factor : factors.drop_front())
    product = boundedProduct(b, loc, product, factor);
  return product;
}

RowWorkspace::RowWorkspace(OpBuilder &b, cin::TempOp temp) : extents(temp.getExtents()) {
  Location loc = temp.getLoc();
  Type element = temp.getStorage().getType().getElementType();
  identity = ta::identityOf(temp.getCombine(), element);
  count = product(b, loc, extents);
  // What is filled outside all loops is read by all pieces of those behind it.
  const bool shared = !temp->getParentOfType<cin::ForallOp>();
  values = lvl::WorkspaceOp::create(b, loc, emit::bufferType(element), count, shared);
}

RowWorkspace::RowWorkspace(OpBuilder &b, Location loc, TypedAttr identity, ArrayRef<Value> extents)
    : extents(extents), count(product(b, loc, extents)), identity(identity) {
  values = lvl::WorkspaceOp::create(b, loc, emit::bufferType(identity.getType()), count,
                                    /*shared=*/true);
}

Value RowWorkspace::place(OpBuilder &b, Location loc, ValueRange coordinates) const {
  Value at = coordinates.front();
  for (auto [coordinate, extent] : llvm::drop_begin(llvm::zip(coordinates, extents)))
    at = arith::AddIOp::create(b, loc, arith::MulIOp::create(b, loc, at, extent), coordinate);
  return at;
}

void RowWorkspace::fill(OpBuilder &b, Location loc, Value begin, Value end) const {
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value value = ta::emitConstant(b, loc, identity);
  auto loop = scf::ForOp::create(b, loc, begin, end, one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  emit::storeValue(b, loc, value, values, loop.getInductionVar());
}

void RowWorkspace::reset(OpBuilder &b, Location loc) const {
  fill(b, loc, arith::ConstantIndexOp::create(b, loc, 0), count);
}

void RowWorkspace::resetRow(OpBuilder &b, Location loc, Value row) const {
  Value length = product(b, loc, ArrayRef(extents).drop_front());
  Value begin = arith::MulIOp::create(b, loc, row, length);
  fill(b, loc, begin, arith::AddIOp::create(b, loc, begin, length));
}

Value RowWorkspace::load(OpBuilder &b, Location loc, ValueRange coordinates) const {
  return emit::loadValue(b, loc, values, place(b, loc, coordinates), identity.getType());
}

void RowWorkspace::store(OpBuilder &b, Location loc, ValueRange coordinates, Value value) const {
  emit::storeValue(b, loc, value, values, place(b, loc, coordinates));
}

} // namespace strata
