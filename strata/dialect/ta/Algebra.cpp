// Identities, annihilators, and folding by them.
#include "strata/dialect/ta/Algebra.h"

#include "strata/dialect/ta/FillValue.h"
#include "strata/dialect/ta/FoldComplex.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

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
    break;
  }
  return number(type, 0);
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
      arith::CmpFPredicate::OLE, arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE,
      arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE, arith::CmpFPredicate::OGT,
      arith::CmpFPredicate::OGE};
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
  if (isa<FloatType>(type))
    return arith::CmpFOp::create(b, loc, real[at], x, y);
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

int64_t bytesOf(Type element) {
  if (auto number = dyn_cast<ComplexType>(element))
    return 2 * bytesOf(number.getElementType());
  return std::max<int64_t>(element.getIntOrFloatBitWidth() / 8, 1);
}

Value emitCombine(OpBuilder &b, Location loc, Combine combine, Value x, Value y) {
  bool isComplex = isa<ComplexType>(x.getType()), isFloat = isa<FloatType>(x.getType());
  // The order of a sum is not fixed; NaN and infinity keep their meaning.
  auto flags = arith::FastMathFlagsAttr::get(b.getContext(), arith::FastMathFlags::reassoc);
  switch (combine) {
  case Combine::add:
    if (isComplex)
      return complex::AddOp::create(b, loc, x, y, flags);
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
    break;
  }
  return emitLogical(
      b, loc, combine, x, y, [&](Value value) { return emitIsTrue(b, loc, value); },
      [&](Value is, Value yes, Value no) { return emitSelect(b, loc, is, yes, no); });
}

bool hasInfinity(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        TypedAttr constant = constantOf(inner);
        bool finite = true;
        if (auto real = dyn_cast_or_null<FloatAttr>(constant))
          finite = real.getValue().isFinite();
        else if (auto number = dyn_cast_or_null<complex::NumberAttr>(constant))
          finite = number.getReal().isFinite() && number.getImag().isFinite();
        return finite ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

std::optional<arith::AtomicRMWKind> atomicKindOf(Combine combine, Type type) {
  if (!type.isIntOrFloat() ||
      (type.getIntOrFloatBitWidth() != 32 && type.getIntOrFloatBitWidth() != 64))
    return std::nullopt;
  bool isFloat = isa<FloatType>(type);
  if (combine == Combine::add)
    return isFloat ? arith::AtomicRMWKind::addf : arith::AtomicRMWKind::addi;
  // Of real numbers the least is NaN if one is; processors pass NaN over.
  if (isFloat)
    return std::nullopt;
  switch (combine) {
  case Combine::min:
    return arith::AtomicRMWKind::mins;
  case Combine::max:
    return arith::AtomicRMWKind::maxs;
  case Combine::umin:
    return arith::AtomicRMWKind::minu;
  case Combine::umax:
    return arith::AtomicRMWKind::maxu;
  default:
    return std::nullopt;
  }
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

// A reduction that does not say so has a value, whatever it reads.
bool mayBeMissing(Value value) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t at = 0; at < values.size(); ++at) {
    Operation *made = values[at].getDefiningOp();
    if (!made)
      continue;
    auto access = dyn_cast<AccessOp>(made);
    auto reduce = dyn_cast<ReduceOp>(made);
    if (isa<FilterOp, MaskedOp, UnmaskedOp>(made) || (access && access.getMissing()) ||
        (reduce && reduce.getMissing()))
      return true;
    if (!reduce)
      values.insert(made->operand_begin(), made->operand_end());
  }
  return false;
}

Value emitUpdated(OpBuilder &b, Location loc, Combine combine, bool joins, bool neutral,
                  llvm::function_ref<Value(bool missing)> before, Value value) {
  if (!joins && !mayBeMissing(value))
    return emitUpdate(b, loc, combine, before(false), value);
  // What is neutral leaves truths as they are, but makes truths of numbers.
  neutral &= !isLogical(combine) || value.getType().isInteger(1);
  Value there = before(true);
  Value both = emitUpdate(b, loc, combine, joins || neutral ? there : before(false), value);
  // Where nothing was stored, what comes is combined with the fill, unless that changes nothing.
  return UnionOp::create(b, loc, there, joins || neutral ? value : both, both);
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

Value emitNegative(OpBuilder &b, Location loc, Value value) {
  Type type = value.getType();
  if (isa<ComplexType>(type))
    return complex::NegOp::create(b, loc, value);
  if (isa<FloatType>(type))
    return arith::NegFOp::create(b, loc, value);
  return arith::SubIOp::create(b, loc, emitConstant(b, loc, number(type, 0)), value);
}

Value negatedBy(Operation *op) {
  if (isa_and_nonnull<arith::NegFOp, complex::NegOp>(op))
    return op->getOperand(0);
  auto difference = dyn_cast_or_null<arith::SubIOp>(op);
  return difference && matchPattern(difference.getLhs(), m_Zero()) ? difference.getRhs() : Value();
}

static bool isNumber(TypedAttr attr, double value) {
  return attr && attr == number(attr.getType(), value);
}

// Zero of either sign, so that -0.0 annihilates as well.
static bool isZero(TypedAttr attr) {
  if (auto complex = dyn_cast_if_present<complex::NumberAttr>(Attribute(attr)))
    return complex.getReal().isZero() && complex.getImag().isZero();
  return isNumber(attr, 0) || isNumber(attr, -0.0);
}

static bool isAbsentZero(const Known &operand) { return operand.absent && isZero(operand.value); }

TypedAttr constantOf(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return constant.getValue();
  auto constant = dyn_cast<complex::ConstantOp>(op);
  if (!constant)
    return {};
  auto part = [&](unsigned at) {
    return cast<FloatAttr>(constant.getValue()[at]).getValue().convertToDouble();
  };
  return cast<TypedAttr>(
      Attribute(complex::NumberAttr::get(cast<ComplexType>(constant.getType()), part(0), part(1))));
}

static TypedAttr constantOf(OpFoldResult folded) {
  return dyn_cast_if_present<TypedAttr>(dyn_cast_if_present<Attribute>(folded));
}

static bool isInfinite(TypedAttr attr) {
  auto real = dyn_cast_if_present<FloatAttr>(Attribute(attr));
  return real && real.getValue().isInfinity();
}

// Minimum and maximum: one operator's annihilator is the other's identity.
// NaN wins over a constant, and an absent one over everything.
static Known foldExtreme(Operation *op, ArrayRef<Known> operands, Combine combine, Value &same) {
  Combine opposite = combine == Combine::min    ? Combine::max
                     : combine == Combine::max  ? Combine::min
                     : combine == Combine::umin ? Combine::umax
                                                : Combine::umin;
  Type type = op->getResult(0).getType();
  for (unsigned at : {0u, 1u})
    if (operands[at].absent && isNaN(operands[at].value))
      return operands[at];
  for (unsigned at : {0u, 1u}) {
    bool wins = operands[at].absent || !isa<FloatType>(type);
    if (wins && operands[at].value == identityOf(opposite, type))
      return operands[at];
    if (operands[at].value == identityOf(combine, type))
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
static Known foldTruths(Operation *op, ArrayRef<Known> operands, Value &same) {
  int winner = isa<arith::OrIOp>(op);
  for (unsigned at : {0u, 1u}) {
    if (isNumber(operands[at].value, winner))
      return operands[at];
    if (isNumber(operands[at].value, !winner)) {
      same = op->getOperand(1 - at);
      return operands[1 - at];
    }
  }
  return {};
}

bool isMissing(TypedAttr value) { return isa_and_present<MissingAttr>(Attribute(value)); }

// Operations that tell what is missing from what is not; `same` is null unless one operand is it.
static Known foldPresence(Operation *op, ArrayRef<Known> operands, Value &same) {
  auto is = [&](unsigned at) {
    same = op->getOperand(at);
    return operands[at];
  };
  if (isa<UnionOp>(op)) {
    if (isMissing(operands[0].value) || isMissing(operands[1].value))
      return is(isMissing(operands[0].value) ? 1 : 0);
    return operands[0] && operands[1] ? is(2) : Known();
  }
  if (isMissing(operands[0].value))
    return operands[0];
  Known missing{MissingAttr::get(op->getResult(0).getType()), true};
  if (isa<MaskedOp>(op))
    return isMissing(operands[1].value) ? missing : operands[1] ? is(0) : Known();
  if (isa<UnmaskedOp>(op)) {
    if (isMissing(operands[1].value))
      return is(0);
    return operands[1] ? missing : Known();
  }
  // ta.filter
  if (isMissing(operands[1].value) || isZero(operands[1].value))
    return missing;
  return operands[1] ? is(0) : Known();
}

// Two constants compared.
static TypedAttr foldCompare(CompareOp op, ArrayRef<TypedAttr> operands) {
  Type type = op.getType();
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
      break;
    }
    return ordered && !less;
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
  auto u = dyn_cast<complex::NumberAttr>(Attribute(operands[0])),
       v = dyn_cast<complex::NumberAttr>(Attribute(operands[1]));
  if (!u || !v)
    return {};
  bool equal = u.getReal().compare(v.getReal()) == APFloat::cmpEqual &&
               u.getImag().compare(v.getImag()) == APFloat::cmpEqual;
  return number(type, decide(equal, false, true));
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

static Known foldSelect(SelectOp op, ArrayRef<Known> operands, Value &same) {
  if (operands[0]) {
    unsigned chosen = isZero(operands[0].value) ? 2 : 1;
    same = op->getOperand(chosen);
    bool decides = operands[1].value != operands[2].value;
    return {operands[chosen].value, operands[chosen].absent || (decides && operands[0].absent)};
  }
  return operands[1] && operands[1].value == operands[2].value
             ? Known{operands[1].value, operands[1].absent || operands[2].absent}
             : Known();
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
  // `maxui x, 0` is x, whatever x is.
  if (succeeded(folded) && results.size() == 1 && isa<Value>(results[0]))
    for (auto [operand, known] : llvm::zip(source.getResults(), operands))
      if (cast<Value>(results[0]) == operand)
        value = known;
  clone->destroy();
  source->destroy();
  return value;
}

bool asksPresence(Operation *op) { return isa<MaskedOp, UnmaskedOp, FilterOp, UnionOp>(op); }

// What an absent operand makes of the operation whatever the other one is, NaN and infinity
// included; for integers, which have neither, so does a constant.
static TypedAttr foldAnnihilator(Operation *op, ArrayRef<Known> operands) {
  Type type = op->getResult(0).getType();
  if (isa<arith::MulFOp, complex::MulOp>(op) &&
      (isAbsentZero(operands[0]) || isAbsentZero(operands[1])))
    return number(type, 0);
  if (isa<arith::MulIOp>(op) && (isZero(operands[0].value) || isZero(operands[1].value)))
    return number(type, 0);
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, complex::DivOp,
          math::CopySignOp>(op) &&
      isAbsentZero(operands[0]))
    return number(type, 0);
  if (isa<arith::AndIOp>(op) && (isZero(operands[0].value) || isZero(operands[1].value)))
    return number(type, 0);
  if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op) && isZero(operands[0].value))
    return number(type, 0);
  // An absent NaN leaves nothing else of a sum or a difference, nor of what it is divided by.
  auto spoils = [&](unsigned at) {
    return operands[at].absent && isNaN(operands[at].value) && !operands[1 - at].absent;
  };
  if (isa<arith::AddFOp, arith::SubFOp>(op) && spoils(1))
    return operands[1].value;
  if (isa<arith::AddFOp, arith::SubFOp, arith::DivFOp, arith::RemFOp>(op) && spoils(0))
    return operands[0].value;
  // An absent infinity swallows what is added: what min-plus algebra calls zero.
  auto swallows = [&](unsigned at) {
    return operands[at].absent && isInfinite(operands[at].value) && !operands[1 - at].absent;
  };
  if (isa<arith::AddFOp, arith::SubFOp>(op) && swallows(0))
    return operands[0].value;
  if (isa<arith::AddFOp>(op) && swallows(1))
    return operands[1].value;
  return {};
}

// The other operand of a one or a zero that changes nothing.
static std::optional<unsigned> unchanged(Operation *op, ArrayRef<Known> operands) {
  for (unsigned at : {0u, 1u}) {
    if (isa<arith::MulFOp, arith::MulIOp, complex::MulOp>(op) && isNumber(operands[at].value, 1))
      return 1 - at;
    if (isa<arith::AddFOp, arith::AddIOp, complex::AddOp, arith::OrIOp, arith::XOrIOp>(op) &&
        isZero(operands[at].value))
      return 1 - at;
  }
  if (isa<arith::SubFOp, arith::SubIOp, complex::SubOp, arith::ShLIOp, arith::ShRSIOp,
          arith::ShRUIOp>(op) &&
      isZero(operands[1].value))
    return 0;
  return std::nullopt;
}

static Known fold(Operation *op, ArrayRef<Known> operands, Value &same) {
  if (asksPresence(op))
    return foldPresence(op, operands, same);
  if (llvm::any_of(operands, [](const Known &one) { return isMissing(one.value); }))
    return {MissingAttr::get(op->getResult(0).getType()), true};
  if (auto select = dyn_cast<SelectOp>(op))
    return foldSelect(select, operands, same);
  if (std::optional<Combine> extreme = extremeOf(op))
    if (Known value = foldExtreme(op, operands, *extreme, same))
      return value;
  if (isa<arith::OrIOp, arith::AndIOp>(op) && op->getResult(0).getType().isInteger(1))
    if (Known value = foldTruths(op, operands, same))
      return value;
  bool absent = llvm::any_of(operands, [](const Known &one) { return one.absent; });
  if (TypedAttr value = foldAnnihilator(op, operands))
    return {value, absent};
  if (op->getNumOperands() == 2)
    if (std::optional<unsigned> at = unchanged(op, operands)) {
      same = op->getOperand(*at);
      return operands[*at] ? Known{operands[*at].value, absent} : Known();
    }
  SmallVector<TypedAttr> values;
  for (const Known &operand : operands)
    values.push_back(operand.value);
  if (llvm::is_contained(values, TypedAttr()))
    return {};
  if (auto compare = dyn_cast<CompareOp>(op))
    return {foldCompare(compare, values), absent};
  if (auto integer = dyn_cast<ToIntegerOp>(op))
    return {foldToInteger(integer, values[0]), absent};
  if (isa<complex::ComplexDialect>(op->getDialect()))
    return {foldComplex(op, values), absent};
  if (auto root = dyn_cast<math::CbrtOp>(op)) // which MLIR does not fold
    return {FloatAttr::get(root.getType(),
                           std::cbrt(cast<FloatAttr>(Attribute(values[0])).getValueAsDouble())),
            absent};
  return {foldKnown(op, values), absent};
}

Known foldElement(Operation *op, ArrayRef<Known> operands, Value &same) {
  Known result = fold(op, operands, same);
  // It is compared with fills: the conjugate of 0 is (0, -0), and its cosine (1, -0).
  if (result.absent && result.value)
    result.value = fillConstant(result.value);
  return result;
}

} // namespace strata::ta
