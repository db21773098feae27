// Floating-point and complex numbers, and their functions.
#include "strata/target/c/CExpressions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace strata::c {

Text Expressions::function(StringRef name, Operation *op) {
  bool isFloat = op->getOperand(0).getType().isF32();
  if (auto complex = dyn_cast<ComplexType>(op->getOperand(0).getType()))
    isFloat = complex.getElementType().isF32();
  helpers.math = true;
  std::string text = name.str() + (isFloat ? "f(" : "(");
  for (auto [at, operand] : llvm::enumerate(op->getOperands()))
    text += (at ? ", " : "") + this->text(operand);
  return {text + ")"};
}

// A function of ours on numbers of the operation's type.
Text Expressions::helper(StringRef name, const std::string &definition, Operation *op) {
  std::string type = elementType(op->getResult(0).getType()), own = name.str();
  if (op->getResult(0).getType().isF32())
    own += "f";
  std::string body = definition;
  auto replace = [&](StringRef what, const std::string &with) {
    for (size_t at; (at = body.find(what)) != std::string::npos;)
      body.replace(at, what.size(), with);
  };
  replace("$T", type);
  replace("$F", own);
  helpers.functions[own] = body;
  helpers.math = true;
  return {own + "(" + text(op->getOperand(0)) + ", " + text(op->getOperand(1)) + ")"};
}

Text Expressions::ofFloat(Operation *op) {
  Type type = op->getResult(0).getType();
  if (!type.isF32() && !type.isF64()) {
    fail(op, "it has no floating-point numbers of " + Twine(type.getIntOrFloatBitWidth()) +
                 " bits; -t gives tensors another type");
    return {"0"};
  }
  auto sum = [&](StringRef sign) { return binary(op, sign, Binding::Sum); };
  auto product = [&](StringRef sign) { return binary(op, sign, Binding::Product); };
  auto converted = [&](bool isSigned) {
    Value from = op->getOperand(0);
    Text x = of(from);
    return from.getType().isInteger(1) ? cast(x, type)
                                       : cast(asType(x, from.getType(), isSigned), type);
  };
  StringRef name = op->getName().getStringRef();
  if (isa<math::MathDialect>(op->getDialect())) {
    StringRef stem = name.drop_front(StringRef("math.").size());
    return function(llvm::StringSwitch<StringRef>(stem)
                        .Case("absf", "fabs")
                        .Case("powf", "pow")
                        .Case("roundeven", "nearbyint")
                        .Default(stem),
                    op);
  }
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](arith::AddFOp) { return sum("+"); })
      .Case([&](arith::SubFOp) { return sum("-"); })
      .Case([&](arith::MulFOp) { return product("*"); })
      .Case([&](arith::DivFOp) { return product("/"); })
      .Case([&](arith::RemFOp) { return function("fmod", op); })
      .Case([&](arith::NegFOp) {
        return Text{"-" + within(of(op->getOperand(0)), Binding::Atom), Binding::Prefix};
      })
      .Case([&](arith::MaximumFOp) {
        return helper("maximum",
                      "/* The greater of two; NaN if one is. */\n"
                      "static $T $F($T a, $T b) {\n"
                      "  return a != a || a > b || (a == b && !signbit(a)) ? a : b;\n}\n",
                      op);
      })
      .Case([&](arith::MinimumFOp) {
        return helper("minimum",
                      "/* The smaller of two; NaN if one is. */\n"
                      "static $T $F($T a, $T b) {\n"
                      "  return a != a || a < b || (a == b && signbit(a)) ? a : b;\n}\n",
                      op);
      })
      .Case([&](arith::MaxNumFOp) { return function("fmax", op); })
      .Case([&](arith::MinNumFOp) { return function("fmin", op); })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) { return converted(true); })
      .Case([&](arith::SIToFPOp) { return converted(true); })
      .Case([&](arith::UIToFPOp) { return converted(false); })
      .Default([&](Operation *other) -> Text {
        fail(other, "it has no words for '" + other->getName().getStringRef() + "'");
        return {"0"};
      });
}

Text Expressions::ofComplex(Operation *op) {
  helpers.complex = true;
  auto half = [](Type type) { return cast<ComplexType>(type).getElementType().isF32() ? "f" : ""; };
  auto ofPart = [&](const char *name) {
    return Text{std::string(name) + half(op->getOperand(0).getType()) + "(" +
                text(op->getOperand(0)) + ")"};
  };
  StringRef name = op->getName().stripDialect();
  return llvm::TypeSwitch<Operation *, Text>(op)
      .Case([&](complex::AddOp) { return binary(op, "+", Binding::Sum); })
      .Case([&](complex::SubOp) { return binary(op, "-", Binding::Sum); })
      .Case([&](complex::MulOp) { return binary(op, "*", Binding::Product); })
      .Case([&](complex::DivOp) { return binary(op, "/", Binding::Product); })
      .Case([&](complex::NegOp) {
        return Text{"-" + within(of(op->getOperand(0)), Binding::Atom), Binding::Prefix};
      })
      .Case([&](complex::ReOp) { return ofPart("creal"); })
      .Case([&](complex::ImOp) { return ofPart("cimag"); })
      .Case([&](complex::ConjOp) { return ofPart("conj"); })
      .Case([&](complex::CreateOp) {
        return makeComplex(op->getOperand(0).getType(), text(op->getOperand(0)),
                           text(op->getOperand(1)));
      })
      .Default([&](Operation *) { return function(("c" + name).str(), op); });
}

} // namespace strata::c
