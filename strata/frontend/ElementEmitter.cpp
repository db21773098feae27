// Element expressions. Division never sees integers: analysis computes it in double.
#include "strata/frontend/ElementEmitter.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/LabelValues.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Ta.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace strata::frontend {

// An index as a function of dimensions.
static AffineExpr coordinateOf(MLIRContext *context, const Index &index,
                               llvm::function_ref<unsigned(unsigned)> dimOf) {
  AffineExpr sum = getAffineConstantExpr(index.lo, context);
  for (const Index::Term &term : index.terms) {
    AffineExpr of = term.number ? coordinateOf(context, *term.number, dimOf)
                                : getAffineDimExpr(dimOf(term.var), context);
    if (term.number)
      of = term.remainder ? of % term.divisor : of.floorDiv(term.divisor);
    sum = of * term.factor + sum;
  }
  return sum;
}

AffineMap accessMap(MLIRContext *context, llvm::ArrayRef<Index> indices, unsigned numDims,
                    llvm::function_ref<unsigned(unsigned)> dimOf) {
  SmallVector<AffineExpr> results;
  for (const Index &index : indices)
    results.push_back(coordinateOf(context, index, dimOf));
  return AffineMap::get(numDims, 0, results, context);
}

// What has two values is added by or, and multiplied by and.
static Value arithmeticOfBooleans(OpBuilder &b, Location loc, Operator op, Value x, Value y) {
  switch (op) {
  case Operator::Plus:
  case Operator::Max:
    return arith::OrIOp::create(b, loc, x, y);
  case Operator::Times:
  case Operator::Min:
    return arith::AndIOp::create(b, loc, x, y);
  default:
    return {};
  }
}

// + - * /, without leave to reorder.
static Value arithmetic(OpBuilder &b, Location loc, Operator op, Value x, Value y) {
  bool isComplex = isa<ComplexType>(x.getType()), isReal = isa<FloatType>(x.getType());
  if (x.getType().isInteger(1))
    return arithmeticOfBooleans(b, loc, op, x, y);
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
  case Operator::Divide: // analysis divides no integers
    return isComplex ? Value(complex::DivOp::create(b, loc, x, y))
                     : Value(arith::DivFOp::create(b, loc, x, y));
  default:
    return {};
  }
}

ta::Combine combineOf(Operator op, ElementType type) {
  bool isBool = type == ElementType::Bool, natural = kindOf(type) == NumberKind::Natural;
  switch (op) {
  case Operator::Plus:
    return isBool ? ta::Combine::lor : ta::Combine::add;
  case Operator::Times:
    return isBool ? ta::Combine::land : ta::Combine::mul;
  case Operator::Min:
    return isBool ? ta::Combine::land : natural ? ta::Combine::umin : ta::Combine::min;
  case Operator::Max:
    return isBool ? ta::Combine::lor : natural ? ta::Combine::umax : ta::Combine::max;
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

static std::optional<ta::Relation> relationOf(Operator op, ElementType type) {
  bool natural = kindOf(type) <= NumberKind::Natural;
  switch (op) {
  case Operator::Equal:
    return ta::Relation::eq;
  case Operator::NotEqual:
    return ta::Relation::ne;
  case Operator::Less:
    return natural ? ta::Relation::ult : ta::Relation::lt;
  case Operator::LessOrEqual:
    return natural ? ta::Relation::ule : ta::Relation::le;
  case Operator::Greater:
    return natural ? ta::Relation::ugt : ta::Relation::gt;
  case Operator::GreaterOrEqual:
    return natural ? ta::Relation::uge : ta::Relation::ge;
  default:
    return std::nullopt;
  }
}

// What complex numbers are measured by, a real number.
static Value measure(OpBuilder &b, Location loc, Operator op, Value x) {
  if (op == Operator::Absolute)
    return complex::AbsOp::create(b, loc, x);
  return op == Operator::RealPart ? Value(complex::ReOp::create(b, loc, x))
                                  : Value(complex::ImOp::create(b, loc, x));
}

// Functions of real numbers alone.
static Value realFunction(OpBuilder &b, Location loc, Operator op, Value x) {
  switch (op) {
  case Operator::ArcSine:
    return math::AsinOp::create(b, loc, x);
  case Operator::ArcCosine:
    return math::AcosOp::create(b, loc, x);
  case Operator::ArcTangent:
    return math::AtanOp::create(b, loc, x);
  case Operator::HyperbolicSine:
    return math::SinhOp::create(b, loc, x);
  case Operator::HyperbolicCosine:
    return math::CoshOp::create(b, loc, x);
  case Operator::AreaSine:
    return math::AsinhOp::create(b, loc, x);
  case Operator::AreaCosine:
    return math::AcoshOp::create(b, loc, x);
  case Operator::AreaTangent:
    return math::AtanhOp::create(b, loc, x);
  case Operator::Logarithm2:
    return math::Log2Op::create(b, loc, x);
  case Operator::Logarithm10:
    return math::Log10Op::create(b, loc, x);
  case Operator::LogarithmPlus1:
    return math::Log1pOp::create(b, loc, x);
  case Operator::ExponentialMinus1:
    return math::ExpM1Op::create(b, loc, x);
  case Operator::CubeRoot:
    return math::CbrtOp::create(b, loc, x);
  case Operator::ErrorFunction:
    return math::ErfOp::create(b, loc, x);
  case Operator::ComplementaryErrorFunction:
    return math::ErfcOp::create(b, loc, x);
  default:
    return {};
  }
}

// A function of one number.
static Value function(OpBuilder &b, Location loc, Operator op, ElementType elementType, Value x) {
  Type type = x.getType();
  bool isComplex = isa<ComplexType>(type), isReal = isa<FloatType>(type);
  switch (op) {
  case Operator::Absolute:
    if (kindOf(elementType) <= NumberKind::Natural)
      return x;
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
  case Operator::Square:
    return arithmetic(b, loc, Operator::Times, x, x);
  case Operator::Conjugate:
    return isComplex ? Value(complex::ConjOp::create(b, loc, x)) : x;
  case Operator::RealPart:
    return x;
  default:
    return realFunction(b, loc, op, x);
  }
}

namespace {

// Operators that are made of others: their constants have the type that they compute in.
class Composition {
public:
  Composition(OpBuilder &b, Location loc, ElementType type) : b(b), loc(loc), type(type) {}

  // NaN has the sign NaN, and zero the sign zero.
  Value sign(Value x) {
    if (isComplex(type)) {
      Value size = convertElement(b, loc, complex::AbsOp::create(b, loc, x), partOf(type), type);
      return select(compare(Operator::Equal, x, constant(0)), x,
                    arithmetic(b, loc, Operator::Divide, x, size));
    }
    Value negative = x;
    if (kindOf(type) > NumberKind::Natural)
      negative = select(compare(Operator::Less, x, constant(0)), constant(-1), x);
    return select(compare(Operator::Greater, x, constant(0)), constant(1), negative);
  }

  Value heaviside(Value x, Value atZero) {
    Value positive = select(compare(Operator::Greater, x, constant(0)), constant(1), x);
    Value other = select(compare(Operator::Less, x, constant(0)), constant(0), positive);
    return select(compare(Operator::Equal, x, constant(0)), atZero, other);
  }

  // The rest of a division that is rounded down.
  Value modulo(Value x, Value y) {
    if (type == ElementType::Bool)
      return constant(0);
    Value rest = this->rest(x, y);
    if (kindOf(type) == NumberKind::Natural)
      return rest;
    Value zero = constant(0);
    Value differ =
        ta::CompareOp::create(b, loc, ta::Relation::ne, compare(Operator::Less, rest, zero),
                              compare(Operator::Less, y, zero));
    Value moved = select(differ, arithmetic(b, loc, Operator::Plus, rest, y), rest);
    return select(compare(Operator::Equal, rest, zero), rest, moved);
  }

  // At the origin the signs of both zeros say the angle, which the folder of MLIR's op takes for
  // NaN: it gets one with the sign of x.
  Value angle(Value y, Value x) {
    Value one = math::CopySignOp::create(b, loc, constant(1), x);
    Value atZero = select(compare(Operator::Equal, x, constant(0)), one, x);
    return math::Atan2Op::create(b, loc, y,
                                 select(compare(Operator::Equal, y, constant(0)), atZero, x));
  }

  // What is shifted out is lost, also if that is all.
  Value shift(Operator op, Value x, Value by) {
    unsigned width = bitsOf(type);
    bool isSigned = kindOf(type) == NumberKind::Integer;
    Value last = constant(width - 1);
    Value inside = arith::MinUIOp::create(b, loc, by, last);
    if (op == Operator::ShiftRight && isSigned)
      return arith::ShRSIOp::create(b, loc, x, inside);
    Value moved = op == Operator::ShiftLeft ? Value(arith::ShLIOp::create(b, loc, x, inside))
                                            : Value(arith::ShRUIOp::create(b, loc, x, inside));
    Value all = ta::CompareOp::create(b, loc, ta::Relation::ugt, by, last);
    return select(all, constant(0), moved);
  }

private:
  Value constant(int64_t value) {
    return ta::emitConstant(b, loc, elementConstant(b.getContext(), type, double(value), value));
  }
  Value compare(Operator op, Value x, Value y) {
    return ta::CompareOp::create(b, loc, *relationOf(op, type), x, y);
  }
  Value select(Value condition, Value yes, Value no) {
    return ta::SelectOp::create(b, loc, condition, yes, no);
  }
  Value rest(Value x, Value y) {
    if (kindOf(type) == NumberKind::Real)
      return arith::RemFOp::create(b, loc, x, y);
    Value quotient = kindOf(type) == NumberKind::Natural
                         ? Value(arith::DivUIOp::create(b, loc, x, y))
                         : Value(arith::DivSIOp::create(b, loc, x, y));
    return arith::SubIOp::create(b, loc, x, arith::MulIOp::create(b, loc, quotient, y));
  }

  OpBuilder &b;
  Location loc;
  ElementType type;
};

} // namespace

static Value ofBits(OpBuilder &b, Location loc, Operator op, ElementType type, Value x, Value y) {
  switch (op) {
  case Operator::BitOr:
    return arith::OrIOp::create(b, loc, x, y);
  case Operator::BitAnd:
    return arith::AndIOp::create(b, loc, x, y);
  case Operator::BitXor:
    return arith::XOrIOp::create(b, loc, x, y);
  case Operator::BitNot:
    return arith::XOrIOp::create(
        b, loc, x,
        ta::emitConstant(b, loc, b.getIntegerAttr(x.getType(), APInt::getAllOnes(bitsOf(type)))));
  case Operator::ShiftLeft:
  case Operator::ShiftRight:
    if (type != ElementType::Bool)
      return Composition(b, loc, type).shift(op, x, y);
    return ta::SelectOp::create(b, loc, y,
                                ta::emitConstant(b, loc, b.getIntegerAttr(x.getType(), 0)), x);
  default:
    return {};
  }
}

static Value extreme(OpBuilder &b, Location loc, Operator op, ElementType type, Value x, Value y) {
  bool least = op == Operator::Min;
  if (type == ElementType::Bool)
    return arithmeticOfBooleans(b, loc, op, x, y);
  if (kindOf(type) == NumberKind::Real)
    return least ? Value(arith::MinimumFOp::create(b, loc, x, y))
                 : Value(arith::MaximumFOp::create(b, loc, x, y));
  if (kindOf(type) == NumberKind::Natural)
    return least ? Value(arith::MinUIOp::create(b, loc, x, y))
                 : Value(arith::MaxUIOp::create(b, loc, x, y));
  return least ? Value(arith::MinSIOp::create(b, loc, x, y))
               : Value(arith::MaxSIOp::create(b, loc, x, y));
}

// Does an operator become several operations, which say what they belong to?
static bool isComposed(Operator op) {
  return llvm::is_contained({Operator::Sign, Operator::Modulo, Operator::Heaviside,
                             Operator::Square, Operator::ShiftLeft, Operator::ShiftRight,
                             Operator::Or, Operator::And, Operator::Xor, Operator::Not,
                             Operator::BitNot},
                            op);
}

Value applyOperator(OpBuilder &b, Location loc, Operator op, ElementType type,
                    llvm::ArrayRef<Value> operands) {
  if (isComposed(op))
    loc = ta::inFunction(loc, infoOf(op).name);
  Value x = operands[0], y = operands.back();
  auto constant = [&](int64_t value) {
    return ta::emitConstant(b, loc, elementConstant(b.getContext(), type, double(value), value));
  };
  auto isTrue = [&](Value v) { return convertElement(b, loc, v, type, ElementType::Bool); };
  auto truth = [&](Value v) { return convertElement(b, loc, v, ElementType::Bool, type); };
  if (std::optional<ta::Relation> relation = relationOf(op, type))
    return truth(ta::CompareOp::create(b, loc, *relation, x, y));
  if (Value result = arithmetic(b, loc, op, x, y))
    return result;
  if (Value result = function(b, loc, op, type, x))
    return result;
  if (Value result = ofBits(b, loc, op, type, x, y))
    return result;
  switch (op) {
  case Operator::Sign:
    return Composition(b, loc, type).sign(x);
  case Operator::Modulo:
    return Composition(b, loc, type).modulo(x, y);
  case Operator::Heaviside:
    return Composition(b, loc, type).heaviside(x, y);
  case Operator::ArcTangent2:
    return Composition(b, loc, type).angle(x, y);
  case Operator::CopySign:
    return math::CopySignOp::create(b, loc, x, y);
  case Operator::ImaginaryPart:
    return constant(0);
  case Operator::Min:
  case Operator::Max:
    return extreme(b, loc, op, type, x, y);
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
    return ta::SelectOp::create(b, loc, isTrue(x), constant(1), truth(isTrue(y)));
  case Operator::And:
    return ta::SelectOp::create(b, loc, isTrue(x), truth(isTrue(y)), constant(0));
  case Operator::Xor:
    return truth(ta::CompareOp::create(b, loc, ta::Relation::ne, isTrue(x), isTrue(y)));
  case Operator::Not:
    return truth(ta::CompareOp::create(b, loc, ta::Relation::eq, x, constant(0)));
  case Operator::Power:
    return isComplex(type) ? Value(complex::PowOp::create(b, loc, x, y))
                           : Value(math::PowFOp::create(b, loc, x, y));
  default:
    mlir::emitError(loc) << "internal error: no code is known for this operator";
    return constant(0);
  }
}

Value ElementEmitter::emit(const Element &element) {
  switch (element.kind) {
  case Element::Kind::Constant:
    return ta::emitConstant(
        b, locate(element.range),
        elementConstant(b.getContext(), type, element.value, element.integer, element.imaginary));
  case Element::Kind::Parameter:
  case Element::Kind::Access:
  case Element::Kind::Label:
  case Element::Kind::Selector:
    return access(element);
  case Element::Kind::Negate:
    return ta::emitNegative(b, locate(element.range), emit(*element.operands.front().element));
  case Element::Kind::Add:
  case Element::Kind::Multiply:
    return chain(element);
  case Element::Kind::Sum:
    return sum(element);
  case Element::Kind::Apply:
    return apply(element);
  case Element::Kind::Join:
    return join(element);
  case Element::Kind::Mask:
    break;
  }
  return mask(element);
}

Value ElementEmitter::emitIn(ElementType other, const Element &element) {
  ElementType around = std::exchange(type, other);
  Value value = emit(element);
  type = around;
  return value;
}

// Tells whether an element is computed from labels and numbers of the text alone, of which at least
// one is a label.
static bool isOfLabels(const Element &element) {
  bool any = false;
  auto visit = [&](const Element &one, auto &&self) -> bool {
    any |= one.kind == Element::Kind::Label;
    switch (one.kind) {
    case Element::Kind::Label:
    case Element::Kind::Constant:
      return true;
    case Element::Kind::Negate:
    case Element::Kind::Add:
    case Element::Kind::Multiply:
    case Element::Kind::Apply:
      return llvm::all_of(one.operands, [&](const Element::Operand &operand) {
        return self(*operand.element, self);
      });
    case Element::Kind::Parameter:
    case Element::Kind::Access:
    case Element::Kind::Selector:
    case Element::Kind::Sum:
    case Element::Kind::Join:
    case Element::Kind::Mask:
      break;
    }
    return false;
  };
  return visit(element, visit) && any;
}

// A function of operands of the type around it; or of others, after which comes a conversion.
Value ElementEmitter::apply(const Element &element) {
  Location loc = locate(element.range);
  ElementType inner = element.inner.value_or(type);
  SmallVector<Value> operands;
  for (auto [at, operand] : llvm::enumerate(element.operands)) {
    bool asked = element.op == Operator::Where && at == 0;
    operands.push_back(emitIn(asked ? ElementType::Bool : inner, *operand.element));
  }
  if (element.op == Operator::Where)
    return ta::SelectOp::create(b, loc, operands[0], operands[1], operands[2]);
  if (!element.inner)
    return applyOperator(b, loc, element.op, type, operands);
  if (element.op == Operator::Cast) {
    loc = ta::inFunction(loc, elementTypeName(element.castTo));
    Value value = convertElement(b, loc, operands[0], inner, element.castTo);
    return convertElement(b, loc, value, element.castTo, type);
  }
  if (std::optional<ta::Relation> relation = relationOf(element.op, inner)) {
    auto holds = ta::CompareOp::create(b, loc, *relation, operands[0], operands.back());
    if (kindOf(inner) == NumberKind::Integer && isOfLabels(element))
      holds->setAttr(ta::ofLabelsAttribute, b.getUnitAttr());
    return convertElement(b, loc, holds, ElementType::Bool, type);
  }
  Value result = measures(element.op) ? measure(b, loc, element.op, operands[0])
                                      : applyOperator(b, loc, element.op, inner, operands);
  return convertElement(b, loc, result, element.ownType(), type);
}

// Operators on two values that are there, or on what is there of them.
Value ElementEmitter::join(const Element &element) {
  Location loc = locate(element.range);
  Value x = emit(*element.operands[0].element), y = emit(*element.operands[1].element);
  Value both = applyOperator(b, loc, element.op, type, {x, y});
  return element.reduces ? both : Value(ta::UnionOp::create(b, loc, x, y, both));
}

Value ElementEmitter::mask(const Element &element) {
  Location loc = locate(element.range);
  Value value = emit(*element.operands[0].element);
  Value mask = read(*element.operands[1].element);
  return ta::MaskedOp::create(b, loc, value, mask);
}

Value ElementEmitter::access(const Element &element) {
  return convertElement(b, locate(element.range), read(element), typeOf(element), type);
}

// The value of a tensor, in its own type.
Value ElementEmitter::read(const Element &element) {
  SmallVector<Value> indices;
  SmallVector<unsigned> dims(vars.size(), 0);
  SmallVector<unsigned> used;
  for (const Index &index : element.indices)
    index.collectVars(used);
  for (unsigned var : used) {
    const auto *known = llvm::find(indices, values[var]);
    dims[var] = known - indices.begin();
    if (known == indices.end())
      indices.push_back(values[var]);
  }
  AffineMap map = element.kind == Element::Kind::Label
                      ? AffineMap::getMultiDimIdentityMap(1, b.getContext())
                      : accessMap(b.getContext(), element.indices, indices.size(),
                                  [&](unsigned var) { return dims[var]; });
  Location loc = locate(element.range);
  Type valueType = emitValueType(b.getContext(), typeOf(element));
  return ta::AccessOp::create(b, loc, valueType, tensor(element), indices, map, element.missing);
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
  auto reduce =
      ta::ReduceOp::create(b, loc, emitValueType(b.getContext(), type), combineOf(element.op, type),
                           sizes, b.getArrayAttr(names), element.missing);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&reduce.getBody());
  for (unsigned var : element.vars)
    values[var] = block->addArgument(b.getIndexType(), locate(vars[var].range));
  ta::YieldOp::create(b, loc, emit(*element.operands.front().element));
  return reduce.getResult();
}

} // namespace strata::frontend
