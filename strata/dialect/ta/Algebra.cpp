// Identities, annihilators, and folding by them.
#include "strata/dialect/ta/Algebra.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace strata::ta {

static TypedAttr number(Type type, double value) {
  Builder builder(type.getContext());
  if (auto complex = dyn_cast<ComplexType>(type))
    return cast<TypedAttr>(Attribute(complex::NumberAttr::get(complex, value, 0.0)));
  if (isa<FloatType>(type))
    return builder.getFloatAttr(type, value);
  return builder.getIntegerAttr(type, static_cast<int64_t>(value));
}

TypedAttr identityOf(Combine combine, Type type) {
  Builder builder(type.getContext());
  switch (combine) {
  case Combine::add:
  case Combine::any:
  case Combine::lor:
  case Combine::lxor:
    return number(type, 0);
  case Combine::mul:
  case Combine::land:
    return number(type, 1);
  case Combine::min:
  case Combine::max: {
    bool least = combine == Combine::max;
    if (auto real = dyn_cast<FloatType>(type))
      return builder.getFloatAttr(type, APFloat::getInf(real.getFloatSemantics(), least));
    unsigned width = type.getIntOrFloatBitWidth();
    return builder.getIntegerAttr(type, least ? APInt::getSignedMinValue(width)
                                              : APInt::getSignedMaxValue(width));
  }
  case Combine::umin:
    return builder.getIntegerAttr(type, APInt::getMaxValue(type.getIntOrFloatBitWidth()));
  case Combine::umax:
    return number(type, 0);
  }
  llvm_unreachable("all operators are handled above");
}

Value emitIsTrue(OpBuilder &b, Location loc, Value value) {
  if (value.getType().isInteger(1))
    return value;
  Value zero = emitConstant(b, loc, number(value.getType(), 0));
  if (isa<ComplexType>(value.getType()))
    return complex::NotEqualOp::create(b, loc, value, zero);
  if (isa<FloatType>(value.getType()))
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, value, zero);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value, zero);
}

Value emitSelect(OpBuilder &b, Location loc, Value condition, Value yes, Value no) {
  if (yes == no)
    return yes;
  return arith::SelectOp::create(b, loc, condition, yes, no);
}

Value emitCompare(OpBuilder &b, Location loc, Relation relation, Value x, Value y) {
  static constexpr arith::CmpFPredicate real[] = {
      arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE, arith::CmpFPredicate::OLT,
      arith::CmpFPredicate::OLE, arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE};
  static constexpr arith::CmpIPredicate integer[] = {
      arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,  arith::CmpIPredicate::slt,
      arith::CmpIPredicate::sle, arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge,
      arith::CmpIPredicate::ult, arith::CmpIPredicate::ule, arith::CmpIPredicate::ugt,
      arith::CmpIPredicate::uge};
  Type type = x.getType();
  auto at = static_cast<unsigned>(relation);
  if (isa<ComplexType>(type))
    return relation == Relation::eq ? Value(complex::EqualOp::create(b, loc, x, y))
                                    : Value(complex::NotEqualOp::create(b, loc, x, y));
  if (isa<FloatType>(type)) {
    assert(at < std::size(real) && "real numbers have a sign");
    return arith::CmpFOp::create(b, loc, real[at], x, y);
  }
  return arith::CmpIOp::create(b, loc, integer[at], x, y);
}

// The range is cut before the conversion, whose result would be open beyond it. Its greatest number
// need not be one of the real type; the next power of two is.
Value emitToInteger(OpBuilder &b, Location loc, Value value, Type to, bool isUnsigned) {
  auto real = cast<FloatType>(value.getType());
  unsigned width = to.getIntOrFloatBitWidth();
  auto constant = [&](double number) { return emitConstant(b, loc, b.getFloatAttr(real, number)); };
  auto integer = [&](const APInt &number) {
    return emitConstant(b, loc, b.getIntegerAttr(to, number));
  };
  auto holds = [&](arith::CmpFPredicate predicate, Value bound) {
    return arith::CmpFOp::create(b, loc, predicate, value, bound).getResult();
  };
  double beyond = std::ldexp(1.0, static_cast<int>(width) - !isUnsigned);
  Value above = holds(arith::CmpFPredicate::OGE, constant(beyond));
  Value below = isUnsigned ? holds(arith::CmpFPredicate::OLE, constant(0))
                           : holds(arith::CmpFPredicate::OLT, constant(-beyond));
  Value none = holds(arith::CmpFPredicate::UNO, value);
  Value outside = arith::OrIOp::create(b, loc, above, arith::OrIOp::create(b, loc, below, none));
  Value inside = arith::SelectOp::create(b, loc, outside, constant(0), value);
  Value whole = isUnsigned ? Value(arith::FPToUIOp::create(b, loc, to, inside))
                           : Value(arith::FPToSIOp::create(b, loc, to, inside));
  APInt least = isUnsigned ? APInt(width, 0) : APInt::getSignedMinValue(width);
  APInt most = isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  whole = arith::SelectOp::create(b, loc, above, integer(most), whole);
  return arith::SelectOp::create(b, loc, below, integer(least), whole);
}

static bool isLogical(Combine combine) {
  return combine == Combine::lor || combine == Combine::land || combine == Combine::lxor;
}

static Value emitTruths(OpBuilder &b, Location loc, Combine combine, Value x, Value y) {
  if (combine == Combine::lor)
    return arith::OrIOp::create(b, loc, x, y);
  if (combine == Combine::land)
    return arith::AndIOp::create(b, loc, x, y);
  return arith::XOrIOp::create(b, loc, x, y);
}

// Logical operators of a truth and anything that can be zero. What is neutral leaves `x` as it is,
// whatever it was. `holds` and `choose` are operations of a kernel, or of a statement.
static Value emitLogical(OpBuilder &b, Location loc, Combine combine, Value x, Value y,
                         llvm::function_ref<Value(Value)> holds,
                         llvm::function_ref<Value(Value, Value, Value)> choose) {
  Type type = x.getType();
  if (type.isInteger(1))
    return emitTruths(b, loc, combine, x, y);
  Value yes = holds(y), one = emitConstant(b, loc, number(type, 1));
  Value zero = emitConstant(b, loc, number(type, 0));
  if (combine == Combine::lor)
    return choose(yes, one, x);
  if (combine == Combine::land)
    return choose(yes, x, zero);
  return choose(yes, choose(holds(x), zero, one), x);
}

Value emitCombine(OpBuilder &b, Location loc, Combine combine, Value x, Value y) {
  bool isComplex = isa<ComplexType>(x.getType()), isFloat = isa<FloatType>(x.getType());
  // The order of a sum is not fixed; NaN and infinity keep their meaning.
  auto flags = arith::FastMathFlagsAttr::get(b.getContext(), arith::FastMathFlags::reassoc);
  switch (combine) {
  case Combine::add:
    if (isComplex)
      return complex::AddOp::create(b, loc, x, y);
    if (isFloat)
      return arith::AddFOp::create(b, loc, x, y, flags);
    return arith::AddIOp::create(b, loc, x, y);
  case Combine::mul:
    if (isComplex)
      return complex::MulOp::create(b, loc, x, y);
    if (isFloat)
      return arith::MulFOp::create(b, loc, x, y, flags);
    return arith::MulIOp::create(b, loc, x, y);
  case Combine::min:
    if (isFloat)
      return arith::MinimumFOp::create(b, loc, x, y);
    return arith::MinSIOp::create(b, loc, x, y);
  case Combine::max:
    if (isFloat)
      return arith::MaximumFOp::create(b, loc, x, y);
    return arith::MaxSIOp::create(b, loc, x, y);
  case Combine::umin:
    return arith::MinUIOp::create(b, loc, x, y);
  case Combine::umax:
    return arith::MaxUIOp::create(b, loc, x, y);
  case Combine::any:
    return y;
  case Combine::lor:
  case Combine::land:
  case Combine::lxor:
    return emitLogical(
        b, loc, combine, x, y, [&](Value value) { return emitIsTrue(b, loc, value); },
        [&](Value is, Value yes, Value no) { return emitSelect(b, loc, is, yes, no); });
  }
  llvm_unreachable("all operators are handled above");
}

Value emitUpdate(OpBuilder &b, Location loc, Combine combine, Value before, Value value) {
  if (!isLogical(combine))
    return emitCombine(b, loc, combine, before, value);
  auto holds = [&](Value tested) -> Value {
    Value zero = emitConstant(b, loc, number(tested.getType(), 0));
    return CompareOp::create(b, loc, Relation::ne, tested, zero);
  };
  return emitLogical(b, loc, combine, before, value, holds, [&](Value is, Value yes, Value no) {
    return SelectOp::create(b, loc, is, yes, no).getResult();
  });
}

Value emitConstant(OpBuilder &b, Location loc, TypedAttr value) {
  if (auto number = dyn_cast<complex::NumberAttr>(Attribute(value))) {
    auto type = cast<ComplexType>(number.getType());
    ArrayAttr parts = b.getArrayAttr({b.getFloatAttr(type.getElementType(), number.getReal()),
                                      b.getFloatAttr(type.getElementType(), number.getImag())});
    return complex::ConstantOp::create(b, loc, type, parts);
  }
  return arith::ConstantOp::create(b, loc, value);
}

static bool isNumber(TypedAttr attr, double value) {
  return attr && attr == number(attr.getType(), value);
}

// Zero of either sign, so that -0.0 annihilates as well.
static bool isZero(TypedAttr attr) { return isNumber(attr, 0) || isNumber(attr, -0.0); }

static TypedAttr constantOf(OpFoldResult folded) {
  return dyn_cast_if_present<TypedAttr>(dyn_cast_if_present<Attribute>(folded));
}

static bool isInfinite(TypedAttr attr) {
  auto real = dyn_cast_if_present<FloatAttr>(Attribute(attr));
  return real && real.getValue().isInfinity();
}

// Minimum and maximum: one operator's annihilator is the other's identity.
static TypedAttr foldExtreme(Operation *op, ArrayRef<TypedAttr> operands, Combine combine,
                             Value &same) {
  Combine opposite = combine == Combine::min    ? Combine::max
                     : combine == Combine::max  ? Combine::min
                     : combine == Combine::umin ? Combine::umax
                                                : Combine::umin;
  Type type = op->getResult(0).getType();
  for (unsigned at : {0u, 1u}) {
    if (operands[at] == identityOf(opposite, type))
      return operands[at];
    if (operands[at] == identityOf(combine, type))
      same = op->getOperand(1 - at);
  }
  return {};
}

static std::optional<Combine> extremeOf(Operation *op) {
  if (isa<arith::MinimumFOp, arith::MinSIOp>(op))
    return Combine::min;
  if (isa<arith::MaximumFOp, arith::MaxSIOp>(op))
    return Combine::max;
  if (isa<arith::MinUIOp>(op))
    return Combine::umin;
  return isa<arith::MaxUIOp>(op) ? std::optional(Combine::umax) : std::nullopt;
}

// Or and and of booleans: 1 or 0 wins, the other changes nothing.
static TypedAttr foldTruths(Operation *op, ArrayRef<TypedAttr> operands, Value &same) {
  int winner = isa<arith::OrIOp>(op);
  for (unsigned at : {0u, 1u}) {
    if (isNumber(operands[at], winner))
      return operands[at];
    if (isNumber(operands[at], !winner)) {
      same = op->getOperand(1 - at);
      return operands[1 - at];
    }
  }
  return {};
}

static bool isMissing(TypedAttr attr) { return isa_and_present<MissingAttr>(Attribute(attr)); }

// Operations that tell what is missing from what is not; `same` is null unless one operand is it.
static TypedAttr foldPresence(Operation *op, ArrayRef<TypedAttr> operands, Value &same) {
  auto is = [&](unsigned at) {
    same = op->getOperand(at);
    return operands[at];
  };
  if (isa<EitherOp>(op)) {
    if (isMissing(operands[0]) || isMissing(operands[1]))
      return is(isMissing(operands[0]) ? 1 : 0);
    return operands[0] && operands[1] ? is(2) : TypedAttr();
  }
  if (isMissing(operands[0]))
    return operands[0];
  Type type = op->getResult(0).getType();
  if (isa<MaskedOp>(op))
    return isMissing(operands[1]) ? TypedAttr(MissingAttr::get(type))
           : operands[1]          ? is(0)
                                  : TypedAttr();
  if (isa<UnmaskedOp>(op)) {
    if (isMissing(operands[1]))
      return is(0);
    return operands[1] ? TypedAttr(MissingAttr::get(type)) : TypedAttr();
  }
  // ta.filter
  if (isMissing(operands[1]) || isZero(operands[1]))
    return MissingAttr::get(type);
  return operands[1] ? is(0) : TypedAttr();
}

// Two constants compared.
static TypedAttr foldCompare(CompareOp op, ArrayRef<TypedAttr> operands) {
  Type type = op.getType();
  if (!operands[0] || !operands[1])
    return {};
  auto decide = [&](bool equal, bool less, bool ordered) -> bool {
    switch (op.getRelation()) {
    case Relation::eq:
      return equal;
    case Relation::ne:
      return !equal;
    case Relation::lt:
    case Relation::ult:
      return less;
    case Relation::le:
    case Relation::ule:
      return less || equal;
    case Relation::gt:
    case Relation::ugt:
      return ordered && !less && !equal;
    case Relation::ge:
    case Relation::uge:
      return ordered && !less;
    }
    llvm_unreachable("all relations are listed");
  };
  auto x = dyn_cast<FloatAttr>(Attribute(operands[0])),
       y = dyn_cast<FloatAttr>(Attribute(operands[1]));
  if (x && y) {
    APFloat::cmpResult result = x.getValue().compare(y.getValue());
    return number(type, decide(result == APFloat::cmpEqual, result == APFloat::cmpLessThan,
                               result != APFloat::cmpUnordered));
  }
  auto a = dyn_cast<IntegerAttr>(Attribute(operands[0])),
       c = dyn_cast<IntegerAttr>(Attribute(operands[1]));
  bool natural = op.getRelation() >= Relation::ult;
  if (a && c)
    return number(type,
                  decide(a.getValue() == c.getValue(),
                         natural ? a.getValue().ult(c.getValue()) : a.getValue().slt(c.getValue()),
                         true));
  bool decidable = op.getRelation() == Relation::eq || op.getRelation() == Relation::ne;
  return decidable ? number(type, decide(operands[0] == operands[1], false, true)) : TypedAttr();
}

// As at run time (emitToInteger).
static TypedAttr foldToInteger(ToIntegerOp op, TypedAttr operand) {
  auto real = dyn_cast_if_present<FloatAttr>(Attribute(operand));
  if (!real)
    return {};
  APSInt integer(op.getType().getIntOrFloatBitWidth(), op.getIsUnsigned());
  bool exact;
  real.getValue().convertToInteger(integer, APFloat::rmTowardZero, &exact); // saturates; NaN is 0
  return IntegerAttr::get(op.getType(), integer);
}

static TypedAttr foldSelect(SelectOp op, ArrayRef<TypedAttr> operands, Value &same) {
  if (operands[0]) {
    unsigned chosen = isZero(operands[0]) ? 2 : 1;
    same = op->getOperand(chosen);
    return operands[chosen];
  }
  return operands[1] && operands[1] == operands[2] ? operands[1] : TypedAttr();
}

// All operands known: the operation's own folder. It may look behind them, and say that truncating
// what was extended is what was there before: so operands that come from nowhere stand for them.
static TypedAttr foldKnown(Operation *op, ArrayRef<TypedAttr> operands) {
  SmallVector<Attribute> attributes(operands.begin(), operands.end());
  SmallVector<OpFoldResult> results;
  OpBuilder b(op->getContext());
  auto source = UnrealizedConversionCastOp::create(b, op->getLoc(), op->getOperandTypes(), {});
  Operation *clone = op->clone();
  clone->setOperands(source.getResults());
  LogicalResult folded = clone->fold(attributes, results);
  TypedAttr value;
  if (succeeded(folded) && results.size() == 1)
    value = constantOf(results[0]);
  clone->destroy();
  source->destroy();
  return value;
}

// MLIR folds no more of it than the parts of another number.
static TypedAttr foldCreate(Operation *op, ArrayRef<TypedAttr> operands) {
  auto type = cast<ComplexType>(op->getResult(0).getType());
  auto part = [&](unsigned at) {
    return cast<FloatAttr>(Attribute(operands[at])).getValueAsDouble();
  };
  return cast<TypedAttr>(Attribute(complex::NumberAttr::get(type, part(0), part(1))));
}

bool asksPresence(Operation *op) { return isa<MaskedOp, UnmaskedOp, FilterOp, EitherOp>(op); }

TypedAttr foldElement(Operation *op, ArrayRef<TypedAttr> operands, Value &same) {
  Type type = op->getNumResults() == 1 ? op->getResult(0).getType() : Type();
  if (asksPresence(op))
    return foldPresence(op, operands, same);
  if (llvm::any_of(operands, isMissing))
    return MissingAttr::get(type);
  if (auto compare = dyn_cast<CompareOp>(op))
    return foldCompare(compare, operands);
  if (auto select = dyn_cast<SelectOp>(op))
    return foldSelect(select, operands, same);
  if (auto integer = dyn_cast<ToIntegerOp>(op))
    return foldToInteger(integer, operands[0]);
  if (std::optional<Combine> extreme = extremeOf(op))
    if (TypedAttr value = foldExtreme(op, operands, *extreme, same))
      return value;
  if (isa<arith::OrIOp, arith::AndIOp>(op) && type.isInteger(1))
    if (TypedAttr value = foldTruths(op, operands, same))
      return value;
  // An absent infinity swallows what is added: what min-plus algebra calls zero.
  if (isa<arith::AddFOp, arith::SubFOp>(op) && isInfinite(operands[0]) && !operands[1])
    return operands[0];
  if (isa<arith::AddFOp>(op) && isInfinite(operands[1]) && !operands[0])
    return operands[1];
  if (isa<arith::MulFOp, arith::MulIOp, complex::MulOp>(op)) {
    if (isZero(operands[0]) || isZero(operands[1]))
      return number(type, 0);
    for (unsigned at : {0u, 1u})
      if (isNumber(operands[at], 1)) {
        same = op->getOperand(1 - at);
        return operands[1 - at];
      }
  }
  if (isa<arith::AddFOp, arith::AddIOp, complex::AddOp>(op))
    for (unsigned at : {0u, 1u})
      if (isZero(operands[at])) {
        same = op->getOperand(1 - at);
        return operands[1 - at];
      }
  if (isa<arith::SubFOp, arith::SubIOp, complex::SubOp>(op) && isZero(operands[1])) {
    same = op->getOperand(0);
    return operands[0];
  }
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, complex::DivOp>(op) && isZero(operands[0]))
    return number(type, 0);
  if (isa<arith::NegFOp, complex::NegOp>(op) && isZero(operands[0]))
    return number(type, 0);
  if (llvm::is_contained(operands, TypedAttr()))
    return {};
  if (isa<complex::CreateOp>(op))
    return foldCreate(op, operands);
  return foldKnown(op, operands);
}

} // namespace strata::ta
