// Integers, truths and comparisons.
//
// Integers of MLIR have no sign and wrap around; those of C have one and must
// not overflow. So the arithmetic of values goes by way of unsigned types.
// Positions, coordinates and sizes (`index`) stay in range and are int64_t, but
// for the hashes made of them.
#include "strata/target/c/CExpressions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace strata::c {

//===------------------------------------------------------------------------------------------===//
// Comparisons
//===------------------------------------------------------------------------------------------===//

static StringRef signOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return "==";
  case arith::CmpIPredicate::ne:
    return "!=";
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return "<";
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return "<=";
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return ">";
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    break;
  }
  return ">=";
}

// Of a comparison that is false for NaN, and of one that is true for it the
// opposite.
static std::pair<StringRef, bool> signOf(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::OEQ:
    return {"==", false};
  case P::UNE:
    return {"!=", false};
  case P::OLT:
    return {"<", false};
  case P::OLE:
    return {"<=", false};
  case P::OGT:
    return {">", false};
  case P::OGE:
    return {">=", false};
  case P::ULT:
    return {">=", true};
  case P::ULE:
    return {">", true};
  case P::UGT:
    return {"<=", true};
  case P::UGE:
    return {"<", true};
  case P::ONE:
  case P::UEQ:
  case P::ORD:
  case P::UNO:
  case P::AlwaysFalse:
  case P::AlwaysTrue:
    break;
  }
  return {"", false};
}

Text Expressions::ofComparison(Operation *op) {
  auto join = [&](const Text &x, StringRef sign, const Text &y) {
    bool equality = sign == "==" || sign == "!=";
    return Text{within(x, Binding::Shift) + " " + sign.str() + " " + within(y, Binding::Shift),
                equality ? Binding::Equality : Binding::Relation};
  };
  Text x = of(op->getOperand(0)), y = of(op->getOperand(1));
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    arith::CmpIPredicate predicate = compare.getPredicate();
    Type type = compare.getLhs().getType();
    if (type.isInteger(1))
      return join(x, signOf(predicate), y);
    using P = arith::CmpIPredicate;
    bool isUnsigned =
        predicate == P::ult || predicate == P::ule || predicate == P::ugt || predicate == P::uge;
    if (isUnsigned && !type.isIndex()) {
      x = x.bits ? asType(x, type, false) : cast(x, type, true);
      y = asType(y, type, false);
    } else if (isUnsigned) {
      x = cast(x, type, true);
      y = cast(y, type, true);
    } else {
      // Of a number without a sign and one with a sign, C makes two without.
      bool equality = predicate == P::eq || predicate == P::ne;
      auto plain = [&](const Text &one, const Text &other) {
        bool literal = other.bits == 0 && other.text.front() != '-';
        bool wider = one.bits < 64 && other.bits == 64 && other.isSigned;
        return one.bits == 0 || one.isSigned || wider ||
               (equality && (literal || (!other.isSigned && one.bits == other.bits)));
      };
      bool plainX = plain(x, y), plainY = plain(y, x);
      if (!plainX)
        x = cast(x, type);
      if (!plainY)
        y = cast(y, type);
    }
    return join(x, signOf(predicate), y);
  }
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    auto [sign, opposite] = signOf(compare.getPredicate());
    if (sign.empty()) {
      using P = arith::CmpFPredicate;
      helpers.math = true;
      std::string pair = "(" + x.text + ", " + y.text + ")";
      switch (compare.getPredicate()) {
      case P::ONE:
        return {"islessgreater" + pair};
      case P::UEQ:
        return {"!islessgreater" + pair, Binding::Prefix};
      case P::ORD:
        return {"!isunordered" + pair, Binding::Prefix};
      case P::UNO:
        return {"isunordered" + pair};
      case P::AlwaysTrue:
        return {"true"};
      default:
        return {"false"};
      }
    }
    Text plain = join(x, sign, y);
    return opposite ? Text{"!(" + plain.text + ")", Binding::Prefix} : plain;
  }
  return join(x, isa<complex::EqualOp>(op) ? "==" : "!=", y);
}

//===------------------------------------------------------------------------------------------===//
// Integers
//===------------------------------------------------------------------------------------------===//

// Is an index a hash, or on the way to become one? A factor that no size has
// tells.
bool Expressions::wraps(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    std::optional<int64_t> factor = getConstantIntValue(operand);
    return (factor && isa<arith::MulIOp>(op) && (*factor > (int64_t(1) << 48) || *factor < -1)) ||
           wraps(operand);
  });
}

Text Expressions::binary(Operation *op, StringRef sign, Binding binding) {
  Text x = of(op->getOperand(0)), y = of(op->getOperand(1));
  auto least = binding, next = Binding(int(binding) + 1);
  if (binding < Binding::Sum) { // of comparisons; && and || are not mixed
                                // without parentheses
    bool both = x.binding == binding && (binding == Binding::And || binding == Binding::Or);
    least = both ? binding : binding == Binding::Equality ? Binding::Shift : Binding::Equality;
    next = binding == Binding::Equality ? Binding::Shift : Binding::Equality;
  }
  return {within(x, least) + " " + sign.str() + " " + within(y, next), binding};
}

// Two operands of `index`, so that C computes with int64_t.
void Expressions::inSixtyFourBits(Text &x, Text &y) {
  auto index = IndexType::get(kernel.getContext());
  for (Text *one : {&x, &y})
    if (one->bits == 64 && !one->isSigned)
      *one = cast(*one, index);
  if (x.bits < 64 && y.bits < 64)
    x = cast(x, index);
}

// Sums, differences and products.
Text Expressions::arithmetic(Operation *op, StringRef sign, Binding binding) {
  Type type = op->getResult(0).getType();
  Text x = of(op->getOperand(0)), y = of(op->getOperand(1));
  auto next = Binding(int(binding) + 1);
  auto join = [&] { return within(x, binding) + " " + sign.str() + " " + within(y, next); };
  if (type.isIndex() && !wraps(op->getResult(0))) {
    inSixtyFourBits(x, y);
    return {join(), binding, 64};
  }
  unsigned bits = bitsOf(type);
  if (bits < 32) {
    x = asType(x, type, true);
    y = asType(y, type, true);
    return cast({join(), binding}, type);
  }
  x = cast(x, type, true);
  y = cast(y, type, true);
  return cast({join(), binding, bits, false}, type);
}

Text Expressions::extreme(Operation *op, bool greatest, bool isSigned) {
  Type type = op->getResult(0).getType();
  std::string name = greatest ? "max" : "min", word = "int64_t";
  if (!isSigned) {
    name += "_unsigned";
    word = "uint64_t";
  }
  helpers.functions[name] = "static " + word + " " + name + "(" + word + " a, " + word +
                            " b) { return a " + (greatest ? ">" : "<") + " b ? a : b; }\n";
  Text x = asType(of(op->getOperand(0)), type, isSigned),
       y = asType(of(op->getOperand(1)), type, isSigned);
  Text result{name + "(" + x.text + ", " + y.text + ")", Binding::Atom, 64, isSigned};
  return type.isIndex() && isSigned ? result : cast(result, type);
}

Text Expressions::divided(Operation *op, StringRef sign, bool isSigned) {
  Type type = op->getResult(0).getType();
  Text x = operand(op, 0, isSigned), y = operand(op, 1, isSigned);
  // Sizes and positions have no sign, but hashes have.
  if (type.isIndex() && (isSigned || !wraps(op->getOperand(0)))) {
    inSixtyFourBits(x, y);
  } else if (!isSigned) {
    x = x.isSigned ? cast(x, type, true) : x;
    y = y.isSigned ? cast(y, type, true) : y;
  }
  Text result{within(x, Binding::Product) + " " + sign.str() + " " + within(y, Binding::Prefix),
              Binding::Product, 64};
  return type.isIndex() && (isSigned || !wraps(op->getOperand(0))) ? result : cast(result, type);
}

// By a function of ours, for C rounds towards zero.
Text Expressions::rounded(Operation *op, const char *name, const char *body) {
  Type type = op->getResult(0).getType();
  helpers.functions[name] =
      std::string("static int64_t ") + name + "(int64_t a, int64_t b) { " + body + " }\n";
  Text result{std::string(name) + "(" + operand(op, 0, true).text + ", " +
                  operand(op, 1, true).text + ")",
              Binding::Atom, 64};
  return type.isIndex() ? result : cast(result, type);
}

Text Expressions::shifted(Operation *op, StringRef sign, bool isSigned) {
  Type type = op->getResult(0).getType();
  Text x = of(op->getOperand(0));
  x = isSigned ? asType(x, type, true) : cast(x, type, true);
  Text count = of(op->getOperand(1));
  return cast({within(x, Binding::Prefix) + " " + sign.str() + " " + within(count, Binding::Prefix),
               Binding::Shift},
              type);
}

Text Expressions::bitwise(Operation *op, StringRef sign, StringRef ofTruths, Binding binding) {
  Type type = op->getResult(0).getType();
  if (type.isInteger(1))
    return binary(op, ofTruths, binding);
  return {within(operand(op, 0, true), Binding::Prefix) + " " + sign.str() + " " +
              within(operand(op, 1, true), Binding::Prefix),
          Binding::Bits, bitsOf(type)};
}

// To another width.
Text Expressions::converted(Operation *op, bool isSigned) {
  Type type = op->getResult(0).getType(), from = op->getOperand(0).getType();
  Text x = of(op->getOperand(0));
  if (from.isInteger(1))
    return isSigned && !type.isIndex() ? Text{"-" + within(x, Binding::Prefix), Binding::Prefix, 32}
                                       : cast(x, type);
  if (bitsOf(type) < bitsOf(from))
    return cast(x, type);
  x = asType(x, from, isSigned);
  bool same = x.bits == bitsOf(type) && x.isSigned;
  return type.isIndex() || x.bits == 0 || same ? x : cast(x, type);
}

// Takes the bits of a floating-point number.
Text Expressions::bitsOfFloat(Operation *op) {
  Type type = op->getResult(0).getType(), from = op->getOperand(0).getType();
  std::string name = from.isF32() ? "bits_off" : "bits_of", bits = elementType(type),
              number = elementType(from);
  helpers.functions[name] = "static " + bits + " " + name + "(" + number +
                            " number) {\n  union { " + number + " number; " + bits +
                            " bits; } both = {number};\n  return both.bits;\n}\n";
  return {name + "(" + text(op->getOperand(0)) + ")", Binding::Atom, bitsOf(type)};
}

Text Expressions::operand(Operation *op, unsigned at, bool isSigned) {
  Value value = op->getOperand(at);
  return asType(of(value), value.getType(), isSigned);
}

Text Expressions::ofInteger(Operation *op) {
  Type type = op->getNumResults() ? op->getResult(0).getType() : Type();
  bool isTruth = type && type.isInteger(1);
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](arith::AddIOp) {
        return isTruth ? binary(op, "!=", Binding::Equality) : arithmetic(op, "+", Binding::Sum);
      })
      .Case([&](arith::SubIOp) {
        return isTruth ? binary(op, "!=", Binding::Equality) : arithmetic(op, "-", Binding::Sum);
      })
      .Case([&](arith::MulIOp) {
        return isTruth ? binary(op, "&&", Binding::And) : arithmetic(op, "*", Binding::Product);
      })
      .Case([&](arith::DivSIOp) { return divided(op, "/", true); })
      .Case([&](arith::DivUIOp) { return divided(op, "/", false); })
      .Case([&](arith::RemSIOp) { return divided(op, "%", true); })
      .Case([&](arith::RemUIOp) { return divided(op, "%", false); })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>([&](auto) {
        return rounded(op, "ceil_div", "return a / b + (a % b != 0 && (a < 0) == (b < 0));");
      })
      .Case([&](arith::FloorDivSIOp) {
        return rounded(op, "floor_div", "return a / b - (a % b != 0 && (a < 0) != (b < 0));");
      })
      .Case([&](arith::ShLIOp) { return shifted(op, "<<", false); })
      .Case([&](arith::ShRUIOp) { return shifted(op, ">>", false); })
      .Case([&](arith::ShRSIOp) { return shifted(op, ">>", true); })
      .Case([&](arith::AndIOp) { return bitwise(op, "&", "&&", Binding::And); })
      .Case([&](arith::OrIOp) { return bitwise(op, "|", "||", Binding::Or); })
      .Case([&](arith::XOrIOp) { return bitwise(op, "^", "!=", Binding::Equality); })
      .Case([&](arith::MaxSIOp) { return extreme(op, true, true); })
      .Case([&](arith::MinSIOp) { return extreme(op, false, true); })
      .Case([&](arith::MaxUIOp) { return extreme(op, true, type.isIndex()); })
      .Case([&](arith::MinUIOp) { return extreme(op, false, type.isIndex()); })
      .Case<arith::IndexCastOp, arith::ExtSIOp>([&](auto) { return converted(op, true); })
      .Case<arith::IndexCastUIOp, arith::ExtUIOp>([&](auto) { return converted(op, false); })
      .Case([&](arith::TruncIOp) {
        Text x = of(op->getOperand(0));
        return isTruth ? Text{"(" + within(x, Binding::Prefix) + " & 1) != 0", Binding::Equality}
                       : cast(x, type);
      })
      .Case([&](arith::FPToSIOp) { return cast(of(op->getOperand(0)), type); })
      .Case([&](arith::FPToUIOp) { return cast(cast(of(op->getOperand(0)), type, true), type); })
      .Case([&](arith::BitcastOp) { return bitsOfFloat(op); })
      .Case([&](math::AbsIOp) {
        helpers.functions["magnitude"] = "static int64_t magnitude(int64_t a) { return a < 0 ? "
                                         "(int64_t)-(uint64_t)a : a; }\n";
        return cast({"magnitude(" + operand(op, 0, true).text + ")", Binding::Atom, 64}, type);
      })
      .Default([&](Operation *other) -> Text {
        fail(other, "it has no words for '" + other->getName().getStringRef() + "'");
        return {"0"};
      });
}

} // namespace strata::c
