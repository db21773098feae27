// Element expressions. Division never sees integers: analysis computes it in double.
#include "strata/frontend/ElementEmitter.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Ta.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

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

// + - * /, without leave to reorder.
static Value arithmetic(OpBuilder &b, Location loc, Operator op, Value x, Value y) {
  bool isComplex = isa<ComplexType>(x.getType()), isReal = isa<FloatType>(x.getType());
  switch (op) {
  case Operator::Plus:
    return isComplex ? Value(complex::AddOp::create(b, loc, x, y))
           : isReal  ? Value(arith::AddFOp::create(b, loc, x, y))
                     : Value(arith::AddIOp::create(b, loc, x, y));
  case Operator::Minus:
    return isComplex ? Value(complex::SubOp::create(b, loc, x, y))
           : isReal  ? Value(arith::SubFOp::create(b, loc, x, y))
                     : Value(arith::SubIOp::create(b, loc, x, y));
  case Operator::Times:
    return isComplex ? Value(complex::MulOp::create(b, loc, x, y))
           : isReal  ? Value(arith::MulFOp::create(b, loc, x, y))
                     : Value(arith::MulIOp::create(b, loc, x, y));
  case Operator::Divide:
    assert((isComplex || isReal) && "analysis divides in double");
    return isComplex ? Value(complex::DivOp::create(b, loc, x, y))
                     : Value(arith::DivFOp::create(b, loc, x, y));
  default:
    return {};
  }
}

ta::Combine combineOf(Operator op) {
  switch (op) {
  case Operator::Times:
    return ta::Combine::mul;
  case Operator::Min:
    return ta::Combine::min;
  case Operator::Max:
    return ta::Combine::max;
  case Operator::Any:
    return ta::Combine::any;
  case Operator::Or:
    return ta::Combine::lor;
  case Operator::And:
    return ta::Combine::land;
  case Operator::Xor:
    return ta::Combine::lxor;
  default:
    return ta::Combine::add;
  }
}

static std::optional<ta::Relation> relationOf(Operator op) {
  switch (op) {
  case Operator::Equal:
    return ta::Relation::eq;
  case Operator::NotEqual:
    return ta::Relation::ne;
  case Operator::Less:
    return ta::Relation::lt;
  case Operator::LessOrEqual:
    return ta::Relation::le;
  case Operator::Greater:
    return ta::Relation::gt;
  case Operator::GreaterOrEqual:
    return ta::Relation::ge;
  default:
    return std::nullopt;
  }
}

// A function of one real or complex number.
static Value function(OpBuilder &b, Location loc, Operator op, Value x) {
  Type type = x.getType();
  bool isComplex = isa<ComplexType>(type), isReal = isa<FloatType>(type);
  switch (op) {
  case Operator::Absolute:
    if (isComplex)
      return convertElement(b, loc, complex::AbsOp::create(b, loc, x), type);
    return isReal ? Value(math::AbsFOp::create(b, loc, x)) : Value(math::AbsIOp::create(b, loc, x));
  case Operator::SquareRoot:
    return isComplex ? Value(complex::SqrtOp::create(b, loc, x))
                     : Value(math::SqrtOp::create(b, loc, x));
  case Operator::Exponential:
    return isComplex ? Value(complex::ExpOp::create(b, loc, x))
                     : Value(math::ExpOp::create(b, loc, x));
  case Operator::Logarithm:
    return isComplex ? Value(complex::LogOp::create(b, loc, x))
                     : Value(math::LogOp::create(b, loc, x));
  case Operator::Sine:
    return isComplex ? Value(complex::SinOp::create(b, loc, x))
                     : Value(math::SinOp::create(b, loc, x));
  case Operator::Cosine:
    return isComplex ? Value(complex::CosOp::create(b, loc, x))
                     : Value(math::CosOp::create(b, loc, x));
  case Operator::Tangent:
    return isComplex ? Value(complex::TanOp::create(b, loc, x))
                     : Value(math::TanOp::create(b, loc, x));
  case Operator::HyperbolicTangent:
    return isComplex ? Value(complex::TanhOp::create(b, loc, x))
                     : Value(math::TanhOp::create(b, loc, x));
  case Operator::Floor:
    return isReal ? Value(math::FloorOp::create(b, loc, x)) : x;
  case Operator::Ceiling:
    return isReal ? Value(math::CeilOp::create(b, loc, x)) : x;
  default:
    return {};
  }
}

static Value extreme(OpBuilder &b, Location loc, Operator op, Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return op == Operator::Min ? Value(arith::MinimumFOp::create(b, loc, x, y))
                               : Value(arith::MaximumFOp::create(b, loc, x, y));
  return op == Operator::Min ? Value(arith::MinSIOp::create(b, loc, x, y))
                             : Value(arith::MaxSIOp::create(b, loc, x, y));
}

Value applyOperator(OpBuilder &b, Location loc, Operator op, llvm::ArrayRef<Value> operands) {
  Value x = operands[0], y = operands.back();
  Type type = x.getType();
  auto constant = [&](int64_t value) {
    return ta::emitConstant(b, loc, elementConstant(type, double(value), value));
  };
  auto isTrue = [&](Value v) -> Value {
    return ta::CompareOp::create(b, loc, ta::Relation::ne, v, constant(0));
  };
  if (std::optional<ta::Relation> relation = relationOf(op))
    return ta::CompareOp::create(b, loc, *relation, x, y);
  if (Value result = arithmetic(b, loc, op, x, y))
    return result;
  if (Value result = function(b, loc, op, x))
    return result;
  switch (op) {
  case Operator::Min:
  case Operator::Max:
    return extreme(b, loc, op, x, y);
  case Operator::First:
  case Operator::Any:
    return ta::MaskedOp::create(b, loc, x, y);
  case Operator::Second:
    return ta::MaskedOp::create(b, loc, y, x);
  case Operator::Pair: {
    Value one = ta::MaskedOp::create(b, loc, constant(1), x);
    return ta::MaskedOp::create(b, loc, one, y);
  }
  case Operator::Or:
    return ta::SelectOp::create(b, loc, x, constant(1), isTrue(y));
  case Operator::And:
    return ta::SelectOp::create(b, loc, x, isTrue(y), constant(0));
  case Operator::Xor:
    return ta::CompareOp::create(b, loc, ta::Relation::ne, isTrue(x), isTrue(y));
  case Operator::Not:
    return ta::CompareOp::create(b, loc, ta::Relation::eq, x, constant(0));
  case Operator::Where:
    return ta::SelectOp::create(b, loc, x, operands[1], operands[2]);
  case Operator::Power:
    return isa<ComplexType>(type) ? Value(complex::PowOp::create(b, loc, x, y))
                                  : Value(math::PowFOp::create(b, loc, x, y));
  default:
    llvm_unreachable("all operators are listed");
  }
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
  case Element::Kind::Apply: {
    SmallVector<Value> operands;
    for (const Element::Operand &operand : element.operands)
      operands.push_back(emit(*operand.element));
    return applyOperator(b, locate(element.range), element.op, operands);
  }
  case Element::Kind::Join:
    return join(element);
  case Element::Kind::Mask:
    return mask(element);
  }
  llvm_unreachable("all kinds are listed");
}

// Operators on two values that are there, or on what is there of them.
Value ElementEmitter::join(const Element &element) {
  Location loc = locate(element.range);
  Value x = emit(*element.operands[0].element), y = emit(*element.operands[1].element);
  Value both = applyOperator(b, loc, element.op, {x, y});
  return element.reduces ? both : Value(ta::EitherOp::create(b, loc, x, y, both));
}

Value ElementEmitter::mask(const Element &element) {
  Location loc = locate(element.range);
  Value value = emit(*element.operands[0].element);
  Value mask = read(*element.operands[1].element);
  if (!element.structural)
    mask = ta::FilterOp::create(b, loc, mask, mask);
  if (element.complemented)
    return ta::UnmaskedOp::create(b, loc, value, mask);
  return ta::MaskedOp::create(b, loc, value, mask);
}

Value ElementEmitter::access(const Element &element) {
  return convertElement(b, locate(element.range), read(element), type);
}

// The value of a tensor, in its own type.
Value ElementEmitter::read(const Element &element) {
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
  return ta::AccessOp::create(b, loc, elementType, operand, indices, map, element.missing);
}

// a + b - c and a * b / c, from left to right.
Value ElementEmitter::chain(const Element &element) {
  bool adds = element.kind == Element::Kind::Add;
  Location loc = locate(element.range);
  Value result;
  for (const Element::Operand &operand : element.operands) {
    Value value = emit(*operand.element);
    Operator op = operand.inverse ? (adds ? Operator::Minus : Operator::Divide)
                                  : (adds ? Operator::Plus : Operator::Times);
    result = result ? arithmetic(b, loc, op, result, value) : value;
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
  auto reduce = ta::ReduceOp::create(b, loc, type, combineOf(element.op), sizes,
                                     b.getArrayAttr(names), element.missing);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&reduce.getBody());
  for (unsigned var : element.vars)
    values[var] = block->addArgument(b.getIndexType(), locate(vars[var].range));
  ta::YieldOp::create(b, loc, emit(*element.operands.front().element));
  return reduce.getResult();
}

} // namespace strata::frontend
