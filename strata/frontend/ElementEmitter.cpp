// Element expressions. Division never sees integers: analysis computes it in double.
#include "strata/frontend/ElementEmitter.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Ta.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace strata::frontend {

TypedAttr elementConstant(Type type, double value, std::optional<int64_t> integer) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return cast<TypedAttr>(Attribute(complex::NumberAttr::get(complex, value, 0.0)));
  if (isa<FloatType>(type))
    return FloatAttr::get(type, value);
  return IntegerAttr::get(type, integer.value_or(int64_t(value)));
}

Value convertElement(OpBuilder &b, Location loc, Value value, Type to) {
  Type from = value.getType();
  if (from == to)
    return value;
  if (auto complex = dyn_cast<ComplexType>(to)) {
    Type part = complex.getElementType();
    Value real = convertElement(b, loc, value, part);
    Value zero = ta::emitConstant(b, loc, elementConstant(part, 0, 0));
    return complex::CreateOp::create(b, loc, to, real, zero);
  }
  bool wider = to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
  if (isa<FloatType>(to)) {
    if (isa<IntegerType>(from))
      return arith::SIToFPOp::create(b, loc, to, value);
    if (wider)
      return arith::ExtFOp::create(b, loc, to, value);
    return arith::TruncFOp::create(b, loc, to, value);
  }
  if (wider)
    return arith::ExtSIOp::create(b, loc, to, value);
  return arith::TruncIOp::create(b, loc, to, value);
}

Value negateElement(OpBuilder &b, Location loc, Value value) {
  Type type = value.getType();
  if (isa<ComplexType>(type))
    return complex::NegOp::create(b, loc, value);
  if (isa<FloatType>(type))
    return arith::NegFOp::create(b, loc, value);
  Value zero = ta::emitConstant(b, loc, elementConstant(type, 0, 0));
  return arith::SubIOp::create(b, loc, zero, value);
}

AffineMap accessMap(MLIRContext *context, llvm::ArrayRef<Index> indices, unsigned numDims,
                    llvm::function_ref<unsigned(unsigned)> dimOf) {
  SmallVector<AffineExpr> results;
  for (const Index &index : indices)
    results.push_back(getAffineDimExpr(dimOf(index.var), context) * index.step + index.lo);
  return AffineMap::get(numDims, 0, results, context);
}

namespace {
enum class Operator { Add, Subtract, Multiply, Divide };
} // namespace

static Value combine(OpBuilder &b, Location loc, Operator op, Value x, Value y) {
  bool isComplex = isa<ComplexType>(x.getType()), isReal = isa<FloatType>(x.getType());
  switch (op) {
  case Operator::Add:
    return isComplex ? Value(complex::AddOp::create(b, loc, x, y))
           : isReal  ? Value(arith::AddFOp::create(b, loc, x, y))
                     : Value(arith::AddIOp::create(b, loc, x, y));
  case Operator::Subtract:
    return isComplex ? Value(complex::SubOp::create(b, loc, x, y))
           : isReal  ? Value(arith::SubFOp::create(b, loc, x, y))
                     : Value(arith::SubIOp::create(b, loc, x, y));
  case Operator::Multiply:
    return isComplex ? Value(complex::MulOp::create(b, loc, x, y))
           : isReal  ? Value(arith::MulFOp::create(b, loc, x, y))
                     : Value(arith::MulIOp::create(b, loc, x, y));
  case Operator::Divide:
    assert((isComplex || isReal) && "analysis divides in double");
    return isComplex ? Value(complex::DivOp::create(b, loc, x, y))
                     : Value(arith::DivFOp::create(b, loc, x, y));
  }
  llvm_unreachable("all operators are listed");
}

Value ElementEmitter::emit(const Element &element) {
  switch (element.kind) {
  case Element::Kind::Constant:
    return ta::emitConstant(b, locate(element.range),
                            elementConstant(type, element.value, element.integer));
  case Element::Kind::Access:
    return access(element);
  case Element::Kind::Negate:
    return negateElement(b, locate(element.range), emit(*element.operands.front().element));
  case Element::Kind::Add:
  case Element::Kind::Multiply:
    return chain(element);
  case Element::Kind::Sum:
    return sum(element);
  }
  llvm_unreachable("all kinds are listed");
}

Value ElementEmitter::access(const Element &element) {
  SmallVector<Value> indices;
  SmallVector<unsigned> dims(vars.size(), 0);
  for (const Index &index : element.indices) {
    const auto *known = llvm::find(indices, values[index.var]);
    dims[index.var] = known - indices.begin();
    if (known == indices.end())
      indices.push_back(values[index.var]);
  }
  AffineMap map = accessMap(b.getContext(), element.indices, indices.size(),
                            [&](unsigned var) { return dims[var]; });
  Location loc = locate(element.range);
  Value operand = tensor(element.tensor);
  Type elementType = cast<RankedTensorType>(operand.getType()).getElementType();
  Value value =
      ta::AccessOp::create(b, loc, elementType, operand, indices, AffineMapAttr::get(map));
  return convertElement(b, loc, value, type);
}

// a + b - c and a * b / c, from left to right.
Value ElementEmitter::chain(const Element &element) {
  bool adds = element.kind == Element::Kind::Add;
  Location loc = locate(element.range);
  Value result;
  for (const Element::Operand &operand : element.operands) {
    Value value = emit(*operand.element);
    Operator op = operand.inverse ? (adds ? Operator::Subtract : Operator::Divide)
                                  : (adds ? Operator::Add : Operator::Multiply);
    result = result ? combine(b, loc, op, result, value) : value;
  }
  return result;
}

Value ElementEmitter::sum(const Element &element) {
  Location loc = locate(element.range);
  SmallVector<Value> sizes;
  SmallVector<Attribute> names;
  for (unsigned var : element.vars) {
    sizes.push_back(extents[var]);
    names.push_back(b.getStringAttr(vars[var].name));
  }
  auto reduce = ta::ReduceOp::create(b, loc, type, ta::Combine::add, sizes, b.getArrayAttr(names));
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&reduce.getBody());
  for (unsigned var : element.vars)
    values[var] = block->addArgument(b.getIndexType(), locate(vars[var].range));
  ta::YieldOp::create(b, loc, emit(*element.operands.front().element));
  return reduce.getResult();
}

} // namespace strata::frontend
