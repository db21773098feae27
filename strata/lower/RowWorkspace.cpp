// Emits dense workspaces.
#include "strata/lower/RowWorkspace.h"

#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/ta/Algebra.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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
  values =
      lvl::WorkspaceOp::create(b, loc, MemRefType::get({ShapedType::kDynamic}, element), count);
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
  memref::StoreOp::create(b, loc, value, values, ValueRange{loop.getInductionVar()});
}

Value RowWorkspace::load(OpBuilder &b, Location loc, ValueRange coordinates) const {
  return memref::LoadOp::create(b, loc, values, ValueRange{place(b, loc, coordinates)});
}

void RowWorkspace::store(OpBuilder &b, Location loc, ValueRange coordinates, Value value) const {
  memref::StoreOp::create(b, loc, value, values, ValueRange{place(b, loc, coordinates)});
}

} // namespace strata
