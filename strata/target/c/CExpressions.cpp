// Variables, types, casts, constants and choices.
#include "strata/target/c/CExpressions.h"

#include "strata/lower/entry/RuntimeCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata::c {

std::string within(const Text &text, Binding least) {
  return text.binding < least ? "(" + text.text + ")" : text.text;
}

std::string Names::fresh(StringRef wish) {
  std::string name;
  for (char letter : wish)
    name += llvm::isAlnum(letter) ? letter : '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name = "t" + name;
  std::string candidate = name;
  for (unsigned number = 2; !taken.insert(candidate).second; ++number)
    candidate = name + (llvm::isDigit(name.back()) ? "_" : "") + std::to_string(number);
  return candidate;
}

Expressions::Expressions(func::FuncOp kernel, const Variables &variables, Names &names,
                         Helpers &helpers)
    : kernel(kernel), variables(variables), names(names), helpers(helpers) {
  findUnsigned();
  for (BlockArgument argument : kernel.getArguments())
    if (auto named = dyn_cast<NameLoc>(argument.getLoc()))
      identifiers[argument] = names.fresh(named.getName());
}

void Expressions::fail(Operation *op, const Twine &why) {
  if (!hasFailed)
    op->emitError() << "the kernel cannot be written in C99: " << why.str();
  hasFailed = true;
}

//===------------------------------------------------------------------------------------------===//
// Types and variables
//===------------------------------------------------------------------------------------------===//

// Buffers whose elements are only taken for numbers without a sign, such as
// positions.
void Expressions::findUnsigned() {
  llvm::DenseSet<Value> with, marks;
  kernel.walk([&](memref::LoadOp load) {
    Value buffer = variables.variableOf(load.getMemRef());
    for (Operation *user : load->getUsers()) {
      if (isa<arith::IndexCastUIOp, arith::ExtUIOp, arith::UIToFPOp, arith::DivUIOp, arith::RemUIOp,
              arith::ShRUIOp, arith::MinUIOp, arith::MaxUIOp>(user))
        unsignedBuffers.insert(buffer);
      else if (!isa<memref::StoreOp>(user))
        with.insert(buffer);
    }
  });
  // The runtime's functions take signed lists, and marks of a byte.
  kernel.walk([&](func::CallOp call) {
    if (runtimeFunction(call.getCallee()) == call.getCallee())
      for (Value operand : call.getOperands())
        if (auto type = dyn_cast<MemRefType>(operand.getType()))
          (type.getElementType().isInteger(8) ? marks : with).insert(variables.variableOf(operand));
  });
  for (Value buffer : with)
    unsignedBuffers.erase(buffer);
  for (Value buffer : marks)
    unsignedBuffers.insert(buffer);
}

std::string Expressions::elementType(Type type, bool isUnsigned) {
  if (type.isIndex())
    return isUnsigned ? "uint64_t" : "int64_t";
  if (type.isInteger(1))
    return "bool";
  if (type.isInteger(8) || type.isInteger(16) || type.isInteger(32) || type.isInteger(64))
    return (isUnsigned ? "uint" : "int") + std::to_string(type.getIntOrFloatBitWidth()) + "_t";
  if (type.isF64())
    return "double";
  if (type.isF32())
    return "float";
  if (auto complex = dyn_cast<ComplexType>(type)) {
    helpers.complex = true;
    return complex.getElementType().isF64() ? "double complex" : "float complex";
  }
  return "";
}

std::string Expressions::typeOf(Value value) {
  std::string text;
  if (auto buffer = dyn_cast<MemRefType>(value.getType())) {
    Value variable = variables.variableOf(value);
    text = elementType(buffer.getElementType(), unsignedBuffers.contains(variable));
    if (buffer.getRank() == 0)
      text += " ";
    else if (!text.empty())
      text = (variables.isReadOnly(value) ? "const " : "") + text + " *";
  } else if (isa<LLVM::LLVMPointerType>(value.getType())) {
    text = "void *";
  } else {
    text = elementType(value.getType());
    if (!text.empty())
      text += " ";
  }
  if (text.empty()) {
    std::string type;
    llvm::raw_string_ostream(type) << value.getType();
    Operation *op =
        value.getDefiningOp() ? value.getDefiningOp() : value.getParentBlock()->getParentOp();
    fail(op, "it has no type of numbers like " + type);
    return "void ";
  }
  return text;
}

void Expressions::suggest(Value value, StringRef name) {
  suggestions.try_emplace(variables.variableOf(value), name.str());
}

// Variables are called what the value is called that came first.
std::string Expressions::variable(Value value) {
  Value variable = variables.variableOf(value);
  used.insert(variable);
  std::string &name = identifiers[variable];
  if (!name.empty())
    return name;
  auto nameOf = [](Value value) {
    auto named = dyn_cast<NameLoc>(value.getLoc());
    return named ? named.getName().getValue() : StringRef();
  };
  std::string wish = suggestions.lookup(variable);
  // A loop is called as its variable; what it carries, and scalars that are
  // kept for it, are not.
  if (wish.empty() && !isa_and_nonnull<scf::ForOp, memref::AllocaOp>(variable.getDefiningOp()))
    wish = nameOf(variable).str();
  auto buffer = dyn_cast<MemRefType>(value.getType());
  bool isCounter = false;
  if (auto argument = dyn_cast<BlockArgument>(variable))
    if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()))
      isCounter = variable == loop.getInductionVar();
  if (wish.empty())
    wish = buffer && buffer.getRank() > 0                            ? "workspace"
           : buffer || !isa<IndexType, IntegerType>(value.getType()) ? "value"
           : value.getType().isInteger(1)                            ? "found"
           : isCounter                                               ? "k"
                                                                     : "t";
  return name = names.fresh(wish);
}

//===------------------------------------------------------------------------------------------===//
// Casts
//===------------------------------------------------------------------------------------------===//

unsigned bitsOf(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

Text Expressions::cast(Text text, Type type, bool isUnsigned) {
  std::string to = elementType(type, isUnsigned);
  unsigned bits = isa<IndexType, IntegerType>(type) && !type.isInteger(1) ? bitsOf(type) : 0;
  return {"(" + to + ")" + within(text, Binding::Prefix), Binding::Prefix, bits, !isUnsigned};
}

// An integer of MLIR's type as a number with or without a sign: the same bits. Of literals those
// below zero are other numbers without one.
Text Expressions::asType(Text text, Type type, bool isSigned) {
  if (text.bits == 0 && !isSigned && text.text.front() == '-')
    return cast(text, type, /*isUnsigned=*/true);
  if (text.bits == 0 || text.isSigned == isSigned || text.bits < bitsOf(type))
    return text;
  return cast(text, type, !isSigned);
}

//===------------------------------------------------------------------------------------------===//
// Values
//===------------------------------------------------------------------------------------------===//

Text Expressions::of(Value value) {
  value = isa<MemRefType>(value.getType()) ? bufferOf(value) : value;
  if (variables.isInlined(value))
    return ofOperation(value.getDefiningOp());
  bool isInteger = isa<IndexType, IntegerType>(value.getType()) && !value.getType().isInteger(1);
  return {variable(value), Binding::Atom, isInteger ? bitsOf(value.getType()) : 0};
}

std::string Expressions::element(Value buffer, ValueRange indices) {
  return indices.empty() ? variable(buffer) : variable(buffer) + "[" + text(indices[0]) + "]";
}

Text Expressions::ofOperation(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return ofConstant(constant.getValue(), op);
  if (auto constant = dyn_cast<complex::ConstantOp>(op))
    return ofConstant(constant.getValue(), op);
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    Type type = load.getType();
    Value variable = variables.variableOf(load.getMemRef());
    return {element(load.getMemRef(), load.getIndices()), Binding::Atom,
            isa<IntegerType>(type) ? bitsOf(type) : 0, !unsignedBuffers.contains(variable)};
  }
  if (auto pointer = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op))
    return {"(int64_t)(intptr_t)" + variable(pointer.getSource()), Binding::Prefix, 64};
  if (auto asked = dyn_cast<memref::DimOp>(op))
    if (auto cast = asked.getSource().getDefiningOp<memref::ReinterpretCastOp>()) {
      OpFoldResult size = cast.getMixedSizes()[0];
      if (auto value = dyn_cast<Value>(size))
        return of(value);
      return ofConstant(llvm::cast<Attribute>(size), op);
    }
  if (isa<scf::IfOp, arith::SelectOp>(op))
    return ofChoice(op);
  if (isa<arith::CmpIOp, arith::CmpFOp, complex::EqualOp, complex::NotEqualOp>(op))
    return ofComparison(op);
  if (isa<complex::ComplexDialect>(op->getDialect()))
    return ofComplex(op);
  Type type = op->getNumResults() ? op->getResult(0).getType() : Type();
  if (type && isa<FloatType>(type))
    return ofFloat(op);
  return ofInteger(op);
}

// The shortest text that gives the number again.
static std::string floatText(const APFloat &value, bool isDouble) {
  if (value.isNaN())
    return "NAN";
  if (value.isInfinity())
    return value.isNegative() ? "-INFINITY" : "INFINITY";
  llvm::SmallString<32> text;
  value.toString(text, isDouble ? 17 : 9, 4);
  std::string number(text);
  if (number.find_first_of(".eE") == std::string::npos)
    number += ".0";
  return isDouble ? number : number + "f";
}

Text Expressions::ofConstant(Attribute value, Operation *op) {
  if (auto number = dyn_cast<FloatAttr>(value)) {
    helpers.math |= !number.getValue().isFinite();
    std::string text = floatText(number.getValue(), number.getType().isF64());
    return {text, text.front() == '-' ? Binding::Prefix : Binding::Atom};
  }
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    if (integer.getType().isInteger(1))
      return {integer.getValue().isZero() ? "false" : "true"};
    if (integer.getValue().getSignificantBits() > 64) {
      fail(op, "it has no integers of more than 64 bits");
      return {"0"};
    }
    int64_t number = integer.getInt();
    if (number == INT64_MIN)
      return {"INT64_MIN", Binding::Atom, 64};
    std::string text = std::to_string(number);
    if (number > INT32_MAX || number < INT32_MIN)
      return {"INT64_C(" + text + ")", Binding::Atom, 64};
    return {text, number < 0 ? Binding::Prefix : Binding::Atom};
  }
  auto parts = cast<ArrayAttr>(value);
  auto part = [&](unsigned at) { return ofConstant(parts[at], op).text; };
  Type element = cast<ComplexType>(op->getResult(0).getType()).getElementType();
  return makeComplex(element, part(0), part(1));
}

// From its two parts, without arithmetic, which could change them.
Text Expressions::makeComplex(Type element, const std::string &re, const std::string &im) {
  std::string type = elementType(element), name = element.isF64() ? "complex_of" : "complexf_of";
  helpers.complex = true;
  helpers.functions[name] = "static " + type + " complex " + name + "(" + type + " re, " + type +
                            " im) {\n  union { " + type + " parts[2]; " + type +
                            " complex number; } pair = {{re, im}};\n  return pair.number;\n}\n";
  return {name + "(" + re + ", " + im + ")"};
}

Text Expressions::ofChoice(Operation *op) {
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    Text yes = of(choice.getTrueValue()), no = of(choice.getFalseValue());
    Type type = choice.getType();
    unsigned bits = 0; // a choice of literals is none
    if (isa<IndexType, IntegerType>(type) && !type.isInteger(1)) {
      yes = asType(yes, type, true);
      no = asType(no, type, true);
      bits = yes.bits ? yes.bits : no.bits ? no.bits : bitsOf(type);
    }
    return {within(of(choice.getCondition()), Binding::Or) + " ? " + within(yes, Binding::Or) +
                " : " + within(no, Binding::Or),
            Binding::Choice, bits};
  }
  auto choice = cast<scf::IfOp>(op);
  Value yes = choice.thenBlock()->getTerminator()->getOperand(0),
        no = choice.elseBlock()->getTerminator()->getOperand(0);
  Text condition = of(choice.getCondition());
  auto join = [&](const std::string &negation, const char *sign, Binding binding, Value other) {
    std::string first = negation.empty() ? within(condition, Binding::Bits)
                                         : negation + within(condition, Binding::Prefix);
    return Text{first + sign + within(of(other), Binding::Bits), binding};
  };
  std::optional<int64_t> ofYes = getConstantIntValue(yes), ofNo = getConstantIntValue(no);
  if (ofNo)
    return *ofNo ? join("!", " || ", Binding::Or, yes) : join("", " && ", Binding::And, yes);
  return *ofYes ? join("", " || ", Binding::Or, no) : join("!", " && ", Binding::And, no);
}

} // namespace strata::c
