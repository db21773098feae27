// Gives buffers to functions.
#include "strata/lower/scf/Buffers.h"

using namespace mlir;

namespace strata {

GivenBuffer giveBuffer(OpBuilder &b, Location loc, Value buffer) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  Value pointer = memref::ReinterpretCastOp::create(b, loc, MemRefType::get({1}, element), buffer,
                                                    0, ArrayRef<int64_t>{1}, ArrayRef<int64_t>{1});
  return {pointer, memref::DimOp::create(b, loc, buffer, 0)};
}

Value takeBuffer(OpBuilder &b, Location loc, MemRefType type, const GivenBuffer &given) {
  Value whole = memref::ReinterpretCastOp::create(
      b, loc, MemRefType::get({ShapedType::kDynamic}, type.getElementType()), given.pointer,
      b.getIndexAttr(0), ArrayRef<OpFoldResult>{given.size},
      ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  return whole.getType() == type ? whole : memref::CastOp::create(b, loc, type, whole);
}

static bool overlapsNothing(func::FuncOp kernel, Value buffer) {
  if (auto argument = dyn_cast<BlockArgument>(buffer))
    return argument.getOwner() == &kernel.front() &&
           kernel.getArgAttr(argument.getArgNumber(), "llvm.noalias");
  auto call = buffer.getDefiningOp<func::CallOp>();
  auto callee = call
                    ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr())
                    : func::FuncOp();
  return callee && callee.getResultAttr(0, "llvm.noalias");
}

void keepAliases(func::FuncOp kernel, func::FuncOp function, ArrayRef<Value> given) {
  llvm::DenseMap<Value, unsigned> uses;
  auto isBuffer = [](Value value) { return isa<MemRefType>(value.getType()); };
  for (Value value : given)
    if (isBuffer(value))
      ++uses[wholeOf(value)];
  size_t first = function.getNumArguments() - given.size();
  for (auto [at, value] : llvm::enumerate(given))
    if (isBuffer(value) && uses[wholeOf(value)] == 1 && overlapsNothing(kernel, wholeOf(value)))
      function.setArgAttr(first + at, "llvm.noalias", UnitAttr::get(kernel.getContext()));
}

} // namespace strata
