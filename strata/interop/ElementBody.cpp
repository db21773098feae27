// Translates bodies: which operations there are, and what a missing value makes of each.
#include "strata/interop/ElementBody.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/interop/Encodings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace strata::interop {

InFlightDiagnostic refuse(Operation *op) {
  return op->emitError() << "'" << op->getName().getStringRef() << "' cannot be imported: ";
}

ElementSource::~ElementSource() = default;

//===------------------------------------------------------------------------------------------===//
// Which operations there are
//===------------------------------------------------------------------------------------------===//

static bool isIn(Operation *op, const llvm::StringSet<> &names) {
  return names.contains(op->getName().getStringRef());
}

// Missing where an operand is: so is their product, as it would be zero.
static bool isProduct(Operation *op) {
  static const llvm::StringSet<> names = {"arith.mulf", "arith.muli", "arith.andi", "complex.mul"};
  return isIn(op, names);
}

// Of terms that are missing the others remain.
static bool isSum(Operation *op) {
  static const llvm::StringSet<> names = {"arith.addf", "arith.addi", "arith.subf",  "arith.subi",
                                          "arith.ori",  "arith.xori", "complex.add", "complex.sub"};
  return isIn(op, names);
}

static bool isDifference(Operation *op) {
  static const llvm::StringSet<> names = {"arith.subf", "arith.subi", "complex.sub"};
  return isIn(op, names);
}

// Operations of one value that make zero of zero: of what is missing they make nothing.
static bool keepsZero(Operation *op) {
  static const llvm::StringSet<> names = {
      "arith.negf",   "complex.neg",      "math.absf",          "math.absi",    "complex.abs",
      "math.sqrt",    "complex.sqrt",     "math.sin",           "complex.sin",  "math.tan",
      "complex.tan",  "complex.tanh",     "math.tanh",          "math.asin",    "math.atan",
      "math.sinh",    "math.asinh",       "math.atanh",         "math.log1p",   "math.expm1",
      "math.cbrt",    "math.erf",         "math.floor",         "math.ceil",    "arith.extf",
      "arith.truncf", "arith.sitofp",     "arith.uitofp",       "arith.fptosi", "arith.fptoui",
      "arith.extsi",  "arith.extui",      "arith.trunci",       "complex.re",   "complex.im",
      "complex.conj", "arith.index_cast", "arith.index_castui", "arith.bitcast"};
  return isIn(op, names);
}

// Other operations that ta has, with operands as they are.
static bool isElement(Operation *op) {
  static const llvm::StringSet<> names = {
      "arith.divf",    "arith.divsi", "arith.divui",    "complex.div", "arith.minimumf",
      "arith.minsi",   "arith.minui", "arith.maximumf", "arith.maxsi", "arith.maxui",
      "arith.shli",    "arith.shrsi", "arith.shrui",    "arith.remf",  "math.copysign",
      "math.acos",     "math.atan2",  "math.cosh",      "math.acosh",  "math.log2",
      "math.log10",    "math.erfc",   "math.exp",       "complex.exp", "math.cos",
      "complex.cos",   "math.log",    "complex.log",    "math.powf",   "complex.pow",
      "complex.create"};
  return isIn(op, names);
}

static std::optional<ta::Combine> combineNamed(StringRef name, Type type) {
  bool isBit = type.isInteger(1);
  using Found = std::optional<ta::Combine>;
  return llvm::StringSwitch<Found>(name)
      .Cases({"arith.addf", "complex.add"}, ta::Combine::add)
      .Case("arith.addi", isBit ? ta::Combine::lxor : ta::Combine::add)
      .Cases({"arith.mulf", "complex.mul"}, ta::Combine::mul)
      .Case("arith.muli", isBit ? ta::Combine::land : ta::Combine::mul)
      .Cases({"arith.minimumf", "arith.minnumf", "arith.minsi"}, ta::Combine::min)
      .Cases({"arith.maximumf", "arith.maxnumf", "arith.maxsi"}, ta::Combine::max)
      .Case("arith.minui", ta::Combine::umin)
      .Case("arith.maxui", ta::Combine::umax)
      .Case("arith.ori", isBit ? Found(ta::Combine::lor) : std::nullopt)
      .Case("arith.andi", isBit ? Found(ta::Combine::land) : std::nullopt)
      .Case("arith.xori", isBit ? Found(ta::Combine::lxor) : std::nullopt)
      .Default(std::nullopt);
}

// The lesser or the greater of two numbers, as a comparison and a selection.
static std::optional<ta::Combine> extremeOf(arith::SelectOp select) {
  Operation *test = select.getCondition().getDefiningOp();
  if (!test || !isa<arith::CmpFOp, arith::CmpIOp>(test))
    return std::nullopt;
  Value yes = select.getTrueValue(), no = select.getFalseValue();
  bool same = test->getOperand(0) == yes && test->getOperand(1) == no;
  if (!same && !(test->getOperand(0) == no && test->getOperand(1) == yes))
    return std::nullopt;
  bool less = false, isUnsigned = false;
  if (auto compare = dyn_cast<arith::CmpFOp>(test)) {
    using P = arith::CmpFPredicate;
    P p = compare.getPredicate();
    less = llvm::is_contained({P::OLT, P::OLE, P::ULT, P::ULE}, p);
    if (!less && !llvm::is_contained({P::OGT, P::OGE, P::UGT, P::UGE}, p))
      return std::nullopt;
  } else {
    using P = arith::CmpIPredicate;
    P p = cast<arith::CmpIOp>(test).getPredicate();
    less = llvm::is_contained({P::slt, P::sle, P::ult, P::ule}, p);
    isUnsigned = llvm::is_contained({P::ult, P::ule, P::ugt, P::uge}, p);
    if (p == P::eq || p == P::ne)
      return std::nullopt;
  }
  if (less == same)
    return isUnsigned ? ta::Combine::umin : ta::Combine::min;
  return isUnsigned ? ta::Combine::umax : ta::Combine::max;
}

NanRule nanRuleOf(Operation *op, Value before) {
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(op))
    return NanRule::passedOver;
  auto select = dyn_cast<arith::SelectOp>(op);
  auto test = select ? select.getCondition().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  if (!test || arith::bitEnumContainsAll(test.getFastmath(), arith::FastMathFlags::nnan))
    return NanRule::taken;
  using P = arith::CmpFPredicate;
  const bool holds =
      llvm::is_contained({P::ULT, P::ULE, P::UGT, P::UGE}, test.getPredicate()); // of NaN
  Value chosen = holds ? select.getTrueValue() : select.getFalseValue();
  return chosen == before ? NanRule::passedOver : NanRule::unordered;
}

std::optional<ta::Combine> combineOf(Operation *op) {
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return extremeOf(select);
  if (op->getNumResults() != 1)
    return std::nullopt;
  return combineNamed(op->getName().getStringRef(), op->getResult(0).getType());
}

std::optional<ta::Combine> combineOf(Region &region) {
  if (!region.hasOneBlock() || region.getNumArguments() != 2)
    return std::nullopt;
  Operation *made = region.front().getTerminator()->getOperand(0).getDefiningOp();
  if (!made || made->getBlock() != &region.front())
    return std::nullopt;
  Value first = region.getArgument(0), second = region.getArgument(1);
  if (auto select = dyn_cast<arith::SelectOp>(made)) {
    bool both = llvm::is_contained(select->getOperands().drop_front(), first) &&
                llvm::is_contained(select->getOperands().drop_front(), second);
    return both ? extremeOf(select) : std::nullopt;
  }
  if (made->getNumOperands() != 2 || !llvm::is_contained(made->getOperands(), first) ||
      !llvm::is_contained(made->getOperands(), second))
    return std::nullopt;
  return combineOf(made);
}

//===------------------------------------------------------------------------------------------===//
// Values
//===------------------------------------------------------------------------------------------===//

static bool asksItself(Operation *op) {
  return isa<sparse_tensor::UnaryOp, sparse_tensor::BinaryOp, sparse_tensor::SelectOp>(op);
}

bool ElementBody::asks(Value value) {
  if (bound.contains(value))
    return false;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<linalg::LinalgOp>(argument.getOwner()->getParentOp()) &&
           source.hasExplicitValue(argument);
  Operation *op = value.getDefiningOp();
  return source.isInside(op) &&
         (asksItself(op) ||
          llvm::any_of(op->getOperands(), [&](Value operand) { return asks(operand); }));
}

ElementBody::Result ElementBody::emit(Value value, bool missing) {
  if (Value known = bound.lookup(value))
    return known;
  if (Value known = made[missing].lookup(value))
    return known;
  Result result = failure();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    result = emitArgument(argument, missing);
  } else {
    Operation *op = value.getDefiningOp();
    result = emitOperation(op, missing);
  }
  if (succeeded(result))
    made[missing][value] = *result;
  return result;
}

ElementBody::Result ElementBody::emitArgument(BlockArgument argument, bool missing) {
  Operation *owner = argument.getOwner()->getParentOp();
  if (isa<linalg::LinalgOp>(owner))
    return source.read(argument, missing);
  return source.scalar(owner, argument);
}

LogicalResult ElementBody::emitOperands(Operation *op, bool missing,
                                        SmallVectorImpl<Value> &operands) {
  for (Value operand : op->getOperands()) {
    Result value = emit(operand, missing);
    if (failed(value))
      return failure();
    operands.push_back(*value);
  }
  return success();
}

ElementBody::Result ElementBody::emitOperation(Operation *op, bool missing) {
  if (!source.isInside(op) && !op->hasTrait<OpTrait::ConstantLike>())
    return source.scalar(op, op->getResult(0));
  if (auto unary = dyn_cast<sparse_tensor::UnaryOp>(op))
    return emitUnary(unary);
  if (auto binary = dyn_cast<sparse_tensor::BinaryOp>(op))
    return emitBinary(binary);
  if (auto select = dyn_cast<sparse_tensor::SelectOp>(op))
    return emitSelect(select);
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return source.coordinate(op, unsigned(index.getDim()));
  if (op->hasTrait<OpTrait::ConstantLike>())
    return emitConstant(op);
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return refuse(op) << "it is no operation on elements";
  bool asked = asks(op->getResult(0));
  if ((missing || asked) && isSum(op))
    return emitSum(op);
  bool passes = isProduct(op) || keepsZero(op);
  SmallVector<Value> operands;
  if (failed(emitOperands(op, passes && (missing || asked), operands)))
    return failure();
  if (asked && !passes)
    return refuse(op) << "one of its operands has no value where a tensor stores nothing";
  return emitPlain(op, operands);
}

ElementBody::Result ElementBody::emitSum(Operation *op) {
  SmallVector<Value> operands;
  if (failed(emitOperands(op, true, operands)))
    return failure();
  Result both = emitPlain(op, operands);
  if (failed(both))
    return failure();
  Location loc = op->getLoc();
  Value first = operands[0], second = operands[1];
  if (!ta::mayBeMissing(first) && !ta::mayBeMissing(second))
    return both;
  if (isDifference(op))
    second = ta::emitNegative(b, loc, second);
  return ta::UnionOp::create(b, loc, first, second, *both).getResult();
}

ElementBody::Result ElementBody::emitConstant(Operation *op) {
  Type type = op->getResult(0).getType();
  Attribute value = op->getAttr("value");
  TypedAttr constant = value ? constantOf(value, type) : TypedAttr();
  if (!constant)
    return refuse(op) << "a constant of " << type << " is none of ta";
  return ta::emitConstant(b, op->getLoc(), constant);
}

// An integer in another width: indices have 64 bits here.
static Value resized(OpBuilder &b, Location loc, Value value, Type type, bool isUnsigned) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from > to)
    return arith::TruncIOp::create(b, loc, type, value);
  return isUnsigned ? Value(arith::ExtUIOp::create(b, loc, type, value))
                    : Value(arith::ExtSIOp::create(b, loc, type, value));
}

ElementBody::Result ElementBody::emitPlain(Operation *op, ArrayRef<Value> operands) {
  Location loc = op->getLoc();
  Type type = ta::valueTypeOf(elementTypeOf(op->getResult(0).getType()));
  if (!type.isIntOrFloat() && !isa<ComplexType>(type))
    return refuse(op) << "ta has no elements of type " << type;
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return resized(b, loc, operands[0], type, isa<arith::IndexCastUIOp>(op));
  if (isa<arith::FPToUIOp>(op))
    return ta::emitToInteger(b, loc, operands[0], type, /*isUnsigned=*/true);
  if (isProduct(op) || isSum(op) || keepsZero(op) || isElement(op)) {
    OperationState state(loc, op->getName().getStringRef(), operands, type);
    return b.create(state)->getResult(0);
  }
  if (isa<arith::CmpFOp, arith::CmpIOp, complex::EqualOp, complex::NotEqualOp>(op))
    return emitComparison(op, operands);
  return emitComposed(op, operands);
}

static ta::Relation relationOf(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  using R = ta::Relation;
  switch (predicate) {
  case P::eq:
    return R::eq;
  case P::ne:
    return R::ne;
  case P::slt:
    return R::lt;
  case P::sle:
    return R::le;
  case P::sgt:
    return R::gt;
  case P::sge:
    return R::ge;
  case P::ult:
    return R::ult;
  case P::ule:
    return R::ule;
  case P::ugt:
    return R::ugt;
  case P::uge:
    return R::uge;
  }
  return R::eq;
}

// Comparisons of numbers that may be NaN: an ordered relation, or one that holds also for NaN.
static Value compareFloats(OpBuilder &b, Location loc, arith::CmpFPredicate predicate, Value x,
                           Value y) {
  using P = arith::CmpFPredicate;
  using R = ta::Relation;
  auto is = [&](R relation, Value a, Value c) -> Value {
    return ta::CompareOp::create(b, loc, relation, a, c);
  };
  auto either = [&](Value a, Value c) -> Value { return arith::OrIOp::create(b, loc, a, c); };
  auto unordered = [&] { return either(is(R::ne, x, x), is(R::ne, y, y)); };
  switch (predicate) {
  case P::AlwaysFalse:
  case P::AlwaysTrue:
    return ta::emitConstant(b, loc, b.getBoolAttr(predicate == P::AlwaysTrue));
  case P::OEQ:
    return is(R::eq, x, y);
  case P::OGT:
    return is(R::gt, x, y);
  case P::OGE:
    return is(R::ge, x, y);
  case P::OLT:
    return is(R::lt, x, y);
  case P::OLE:
    return is(R::le, x, y);
  case P::ONE:
    return either(is(R::lt, x, y), is(R::gt, x, y));
  case P::ORD:
    return arith::AndIOp::create(b, loc, is(R::eq, x, x), is(R::eq, y, y));
  case P::UEQ:
    return either(is(R::eq, x, y), unordered());
  case P::UGT:
    return either(is(R::gt, x, y), unordered());
  case P::UGE:
    return either(is(R::ge, x, y), unordered());
  case P::ULT:
    return either(is(R::lt, x, y), unordered());
  case P::ULE:
    return either(is(R::le, x, y), unordered());
  case P::UNE:
    return is(R::ne, x, y);
  case P::UNO:
    return unordered();
  }
  return {};
}

ElementBody::Result ElementBody::emitComparison(Operation *op, ArrayRef<Value> operands) {
  Location loc = op->getLoc();
  Value x = operands[0], y = operands[1];
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return compareFloats(b, loc, compare.getPredicate(), x, y);
  ta::Relation relation = isa<complex::EqualOp>(op) ? ta::Relation::eq
                          : isa<complex::NotEqualOp>(op)
                              ? ta::Relation::ne
                              : relationOf(cast<arith::CmpIOp>(op).getPredicate());
  return ta::CompareOp::create(b, loc, relation, x, y).getResult();
}

// log(1 + z) and exp(z) - 1 of complex numbers by real functions, exact to the last digits also
// where z is near zero: (log1p(x^2 + 2x + y^2) / 2, atan2(y, 1 + x)), and (expm1(x) cos(y) - 2
// sin(y / 2)^2, exp(x) sin(y)).
static Value nearZero(OpBuilder &b, Operation *op, Value z) {
  ImplicitLocOpBuilder at(op->getLoc(), b);
  auto type = cast<ComplexType>(z.getType());
  Type real = type.getElementType();
  auto number = [&](double value) {
    return ta::emitConstant(b, op->getLoc(), b.getFloatAttr(real, value));
  };
  Value x = complex::ReOp::create(at, real, z), y = complex::ImOp::create(at, real, z);
  Value re, im;
  if (isa<complex::Log1pOp>(op)) {
    Value twice = arith::AddFOp::create(at, x, number(2));
    Value sum = arith::AddFOp::create(at, arith::MulFOp::create(at, x, twice),
                                      arith::MulFOp::create(at, y, y));
    re = arith::MulFOp::create(at, math::Log1pOp::create(at, sum), number(0.5));
    im = math::Atan2Op::create(at, y, arith::AddFOp::create(at, x, number(1)));
  } else {
    Value half = math::SinOp::create(at, arith::MulFOp::create(at, y, number(0.5)));
    Value square = arith::MulFOp::create(at, arith::MulFOp::create(at, half, half), number(2));
    Value grown = math::ExpM1Op::create(at, x);
    re = arith::SubFOp::create(at, arith::MulFOp::create(at, grown, math::CosOp::create(at, y)),
                               square);
    im = arith::MulFOp::create(at, math::ExpOp::create(at, x), math::SinOp::create(at, y));
  }
  return complex::CreateOp::create(at, type, re, im);
}

// Operations that are made of others.
ElementBody::Result ElementBody::emitComposed(Operation *op, ArrayRef<Value> operands) {
  Location loc = op->getLoc();
  Value x = operands.empty() ? Value() : operands[0];
  Value y = operands.size() > 1 ? operands[1] : Value();
  auto isNan = [&](Value v) -> Value {
    return ta::CompareOp::create(b, loc, ta::Relation::ne, v, v);
  };
  auto select = [&](Value condition, Value yes, Value no) -> Value {
    return ta::SelectOp::create(b, loc, condition, yes, no);
  };
  // Of a number and NaN, the number.
  auto number = [&](Value extreme) { return select(isNan(x), y, select(isNan(y), x, extreme)); };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::SelectOp) -> Result { return select(x, y, operands[2]); })
      .Case([&](arith::MaxNumFOp) -> Result {
        return number(arith::MaximumFOp::create(b, loc, x, y));
      })
      .Case([&](arith::MinNumFOp) -> Result {
        return number(arith::MinimumFOp::create(b, loc, x, y));
      })
      .Case([&](arith::RemSIOp) -> Result {
        Value quotient = arith::DivSIOp::create(b, loc, x, y);
        return arith::SubIOp::create(b, loc, x, arith::MulIOp::create(b, loc, quotient, y))
            .getResult();
      })
      .Case([&](arith::RemUIOp) -> Result {
        Value quotient = arith::DivUIOp::create(b, loc, x, y);
        return arith::SubIOp::create(b, loc, x, arith::MulIOp::create(b, loc, quotient, y))
            .getResult();
      })
      .Case([&](math::FmaOp) -> Result {
        return arith::AddFOp::create(b, loc, arith::MulFOp::create(b, loc, x, y), operands[2])
            .getResult();
      })
      .Case([&](math::RoundOp) -> Result {
        Value size = math::AbsFOp::create(b, loc, x), whole = math::FloorOp::create(b, loc, size);
        Value rest = arith::SubFOp::create(b, loc, size, whole);
        Value half = ta::emitConstant(b, loc, b.getFloatAttr(x.getType(), 0.5));
        Value one = ta::emitConstant(b, loc, b.getFloatAttr(x.getType(), 1.0));
        Value next = arith::AddFOp::create(b, loc, whole, one);
        Value up = ta::CompareOp::create(b, loc, ta::Relation::ge, rest, half);
        return math::CopySignOp::create(b, loc, select(up, next, whole), x).getResult();
      })
      .Case([&](math::RsqrtOp) -> Result {
        Value one = ta::emitConstant(b, loc, b.getFloatAttr(x.getType(), 1.0));
        return arith::DivFOp::create(b, loc, one, math::SqrtOp::create(b, loc, x)).getResult();
      })
      .Case<complex::Log1pOp, complex::Expm1Op>([&](auto) -> Result { return nearZero(b, op, x); })
      .Default(
          [&](Operation *) -> Result { return refuse(op) << "ta has no such element operation"; });
}

//===------------------------------------------------------------------------------------------===//
// What is stored, and what is not
//===------------------------------------------------------------------------------------------===//

Value ElementBody::join(Location loc, ArrayRef<Value> parts) {
  Value all = parts.front();
  for (Value part : parts.drop_front())
    all = ta::UnionOp::create(b, loc, all, part, all);
  return all;
}

// An operation on what is missing is missing.
static bool dependsOn(Value value, Value part) {
  Operation *made = value == part ? nullptr : value.getDefiningOp();
  return value == part || (made && llvm::any_of(made->getOperands(), [&](Value operand) {
                             return dependsOn(operand, part);
                           }));
}

ElementBody::Result ElementBody::emitRegion(Region &region, ValueRange arguments) {
  if (!region.hasOneBlock()) {
    refuse(region.getParentOp()) << "a region of several blocks is no expression";
    return failure();
  }
  for (auto [argument, value] : llvm::zip(region.getArguments(), arguments))
    bound[argument] = value;
  Operation *end = region.front().getTerminator();
  Result value = emit(end->getOperand(0), /*missing=*/false);
  if (failed(value))
    return failure();
  Value result = *value;
  for (Value argument : arguments)
    if (ta::mayBeMissing(argument) && !dependsOn(result, argument))
      result = ta::MaskedOp::create(b, end->getLoc(), result, argument);
  return result;
}

// Nothing, as a value: where one thing is, and is not.
static Value nothing(OpBuilder &b, Location loc, Value example, Type type) {
  Value zero = ta::emitConstant(b, loc, ta::identityOf(ta::Combine::add, type));
  Value there = ta::MaskedOp::create(b, loc, zero, example);
  return ta::UnmaskedOp::create(b, loc, there, example);
}

ElementBody::Result ElementBody::emitUnary(sparse_tensor::UnaryOp op) {
  Result x = emit(op.getX(), /*missing=*/true);
  if (failed(x))
    return failure();
  SmallVector<Value> parts;
  if (!op.getPresentRegion().empty()) {
    Result present = emitRegion(op.getPresentRegion(), *x);
    if (failed(present))
      return failure();
    parts.push_back(*present);
  }
  if (!op.getAbsentRegion().empty() && ta::mayBeMissing(*x)) {
    Result absent = emitRegion(op.getAbsentRegion(), {});
    if (failed(absent))
      return failure();
    parts.push_back(ta::UnmaskedOp::create(b, op.getLoc(), *absent, *x));
  }
  if (parts.empty())
    return nothing(b, op.getLoc(), *x, ta::valueTypeOf(elementTypeOf(op.getType())));
  return join(op.getLoc(), parts);
}

ElementBody::Result ElementBody::emitBinary(sparse_tensor::BinaryOp op) {
  Result x = emit(op.getX(), /*missing=*/true), y = emit(op.getY(), /*missing=*/true);
  if (failed(x) || failed(y))
    return failure();
  Location loc = op.getLoc();
  SmallVector<Value> parts;
  if (!op.getOverlapRegion().empty()) {
    Result overlap = emitRegion(op.getOverlapRegion(), {*x, *y});
    if (failed(overlap))
      return failure();
    parts.push_back(*overlap);
  }
  auto addSide = [&](Region &region, bool identity, Value own, Value other) -> LogicalResult {
    if ((!identity && region.empty()) || !ta::mayBeMissing(other))
      return success();
    Result side = identity ? Result(own) : emitRegion(region, own);
    if (failed(side))
      return failure();
    parts.push_back(ta::UnmaskedOp::create(b, loc, *side, other));
    return success();
  };
  if (failed(addSide(op.getLeftRegion(), op.getLeftIdentity(), *x, *y)) ||
      failed(addSide(op.getRightRegion(), op.getRightIdentity(), *y, *x)))
    return failure();
  if (parts.empty())
    return nothing(b, loc, *x, ta::valueTypeOf(elementTypeOf(op.getType())));
  return join(loc, parts);
}

ElementBody::Result ElementBody::emitSelect(sparse_tensor::SelectOp op) {
  Result x = emit(op.getX(), /*missing=*/true);
  if (failed(x))
    return failure();
  Result keeps = emitRegion(op.getRegion(), *x);
  if (failed(keeps))
    return failure();
  return ta::FilterOp::create(b, op.getLoc(), *x, *keeps).getResult();
}

} // namespace strata::interop
