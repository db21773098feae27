// The table of operators.
#include "strata/frontend/Operators.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace strata::frontend {

// In the order of the enumeration.
static constexpr OperatorInfo operatorTable[] = {
    // op, name, symbol, operands, function, real, of, reduces
    {Operator::Plus, "plus", "+", 2, false, false, Operands::Any, true},
    {Operator::Minus, "minus", "-", 2, false, false, Operands::Any, false},
    {Operator::Times, "times", "*", 2, false, false, Operands::Any, true},
    {Operator::Divide, "div", "/", 2, false, true, Operands::Any, false},
    {Operator::Min, "min", "", 2, true, false, Operands::Ordered, true},
    {Operator::Max, "max", "", 2, true, false, Operands::Ordered, true},
    {Operator::First, "first", "", 2, false, false, Operands::Any, false},
    {Operator::Second, "second", "", 2, false, false, Operands::Any, false},
    {Operator::Any, "any", "", 2, false, false, Operands::Any, true},
    {Operator::Pair, "pair", "", 2, false, false, Operands::Any, false},
    {Operator::Or, "lor", "|", 2, false, false, Operands::Any, true},
    {Operator::And, "land", "&", 2, false, false, Operands::Any, true},
    {Operator::Xor, "lxor", "", 2, false, false, Operands::Any, true},
    {Operator::Equal, "eq", "==", 2, false, false, Operands::Any, false},
    {Operator::NotEqual, "ne", "!=", 2, false, false, Operands::Any, false},
    {Operator::Less, "lt", "<", 2, false, false, Operands::Ordered, false},
    {Operator::LessOrEqual, "le", "<=", 2, false, false, Operands::Ordered, false},
    {Operator::Greater, "gt", ">", 2, false, false, Operands::Ordered, false},
    {Operator::GreaterOrEqual, "ge", ">=", 2, false, false, Operands::Ordered, false},
    {Operator::Power, "pow", "", 2, true, true, Operands::Any, false},
    {Operator::BitOr, "bitor", "", 2, false, false, Operands::Bits, false},
    {Operator::BitAnd, "bitand", "", 2, false, false, Operands::Bits, false},
    {Operator::BitXor, "bitxor", "", 2, false, false, Operands::Bits, false},
    {Operator::ShiftLeft, "shl", "", 2, false, false, Operands::Bits, false},
    {Operator::ShiftRight, "shr", "", 2, false, false, Operands::Bits, false},
    {Operator::BitNot, "bitnot", "~", 1, true, false, Operands::Bits, false},
    {Operator::ArcTangent2, "atan2", "", 2, true, true, Operands::Real, false},
    {Operator::Modulo, "mod", "", 2, true, false, Operands::Real, false},
    {Operator::CopySign, "copysign", "", 2, true, true, Operands::Real, false},
    {Operator::Heaviside, "heaviside", "", 2, true, true, Operands::Real, false},
    {Operator::Absolute, "abs", "", 1, true, false, Operands::Any, false},
    {Operator::SquareRoot, "sqrt", "", 1, true, true, Operands::Any, false},
    {Operator::Exponential, "exp", "", 1, true, true, Operands::Any, false},
    {Operator::Logarithm, "log", "", 1, true, true, Operands::Any, false},
    {Operator::Sine, "sin", "", 1, true, true, Operands::Any, false},
    {Operator::Cosine, "cos", "", 1, true, true, Operands::Any, false},
    {Operator::Tangent, "tan", "", 1, true, true, Operands::Any, false},
    {Operator::HyperbolicTangent, "tanh", "", 1, true, true, Operands::Any, false},
    {Operator::ArcSine, "asin", "", 1, true, true, Operands::Real, false},
    {Operator::ArcCosine, "acos", "", 1, true, true, Operands::Real, false},
    {Operator::ArcTangent, "atan", "", 1, true, true, Operands::Real, false},
    {Operator::HyperbolicSine, "sinh", "", 1, true, true, Operands::Real, false},
    {Operator::HyperbolicCosine, "cosh", "", 1, true, true, Operands::Real, false},
    {Operator::AreaSine, "asinh", "", 1, true, true, Operands::Real, false},
    {Operator::AreaCosine, "acosh", "", 1, true, true, Operands::Real, false},
    {Operator::AreaTangent, "atanh", "", 1, true, true, Operands::Real, false},
    {Operator::Logarithm2, "log2", "", 1, true, true, Operands::Real, false},
    {Operator::Logarithm10, "log10", "", 1, true, true, Operands::Real, false},
    {Operator::LogarithmPlus1, "log1p", "", 1, true, true, Operands::Real, false},
    {Operator::ExponentialMinus1, "expm1", "", 1, true, true, Operands::Real, false},
    {Operator::CubeRoot, "cbrt", "", 1, true, true, Operands::Real, false},
    {Operator::ErrorFunction, "erf", "", 1, true, true, Operands::Real, false},
    {Operator::ComplementaryErrorFunction, "erfc", "", 1, true, true, Operands::Real, false},
    {Operator::Square, "square", "", 1, true, false, Operands::Any, false},
    {Operator::Sign, "sign", "", 1, true, false, Operands::Any, false},
    {Operator::Conjugate, "conj", "", 1, true, false, Operands::Any, false},
    {Operator::RealPart, "re", "", 1, true, false, Operands::Any, false},
    {Operator::ImaginaryPart, "im", "", 1, true, false, Operands::Any, false},
    {Operator::Floor, "floor", "", 1, true, false, Operands::Ordered, false},
    {Operator::Ceiling, "ceil", "", 1, true, false, Operands::Ordered, false},
    {Operator::Not, "not", "!", 1, true, false, Operands::Any, false},
    {Operator::Where, "where", "", 3, true, false, Operands::Any, false},
    {Operator::Cast, "cast", "", 1, false, false, Operands::Any, false},
};

const OperatorInfo &infoOf(Operator op) { return operatorTable[static_cast<size_t>(op)]; }

llvm::StringRef signOfBits(Operator op) {
  switch (op) {
  case Operator::BitOr:
    return "|";
  case Operator::BitAnd:
    return "&";
  case Operator::BitXor:
    return "^";
  case Operator::ShiftLeft:
    return "<<";
  case Operator::ShiftRight:
    return ">>";
  default:
    return "";
  }
}

std::optional<Operator> findOperator(llvm::StringRef text) {
  // GraphBLAS's other names, and COMET's.
  auto synonym = llvm::StringSwitch<std::optional<Operator>>(text)
                     .Case("oneb", Operator::Pair)
                     .Case("or", Operator::Or)
                     .Case("and", Operator::And)
                     .Case("xor", Operator::Xor)
                     .Default(std::nullopt);
  if (synonym)
    return synonym;
  for (const OperatorInfo &info : operatorTable)
    if (info.operands == 2 && (text == info.name || (!text.empty() && text == info.symbol)))
      return info.op;
  return std::nullopt;
}

std::optional<Operator> findFunction(llvm::StringRef name) {
  for (const OperatorInfo &info : operatorTable)
    if (info.function && info.name == name)
      return info.op;
  return std::nullopt;
}

std::optional<Operator> findReduction(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Operator>>(name)
      .Case("sum", Operator::Plus)
      .Case("prod", Operator::Times)
      .Case("min", Operator::Min)
      .Case("max", Operator::Max)
      .Case("any", Operator::Any)
      .Default(std::nullopt);
}

llvm::ArrayRef<llvm::StringRef> functionNames() {
  static const llvm::SmallVector<llvm::StringRef> names = [] {
    llvm::SmallVector<llvm::StringRef> result{"sum", "prod"};
    for (const OperatorInfo &info : operatorTable)
      if (info.function)
        result.push_back(info.name);
    return result;
  }();
  return names;
}

// NaN wins, as it does in kernels.
static double extreme(bool least, double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::nan("");
  return least ? std::fmin(a, b) : std::fmax(a, b);
}

static double evaluateBits(Operator op, int64_t a, int64_t b) {
  bool inside = b >= 0 && b < 64;
  switch (op) {
  case Operator::BitOr:
    return double(a | b);
  case Operator::BitAnd:
    return double(a & b);
  case Operator::BitXor:
    return double(a ^ b);
  case Operator::ShiftLeft:
    return inside ? double(int64_t(uint64_t(a) << b)) : 0;
  case Operator::ShiftRight:
    return double(a >> (inside ? b : 63));
  default:
    return double(~a);
  }
}

// As in NumPy: the result has the divisor's sign.
static double modulo(double a, double b) {
  double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double evaluate(Operator op, llvm::ArrayRef<double> x) {
  switch (op) {
  case Operator::Plus:
    return x[0] + x[1];
  case Operator::Minus:
    return x[0] - x[1];
  case Operator::Times:
    return x[0] * x[1];
  case Operator::Divide:
    return x[0] / x[1];
  case Operator::Min:
    return extreme(true, x[0], x[1]);
  case Operator::Max:
    return extreme(false, x[0], x[1]);
  case Operator::First:
    return x[0];
  case Operator::Second:
  case Operator::Any:
    return x[1];
  case Operator::Pair:
    return 1;
  case Operator::Or:
    return x[0] != 0 || x[1] != 0;
  case Operator::And:
    return x[0] != 0 && x[1] != 0;
  case Operator::Xor:
    return (x[0] != 0) != (x[1] != 0);
  case Operator::Equal:
    return x[0] == x[1];
  case Operator::NotEqual:
    return x[0] != x[1];
  case Operator::Less:
    return x[0] < x[1];
  case Operator::LessOrEqual:
    return x[0] <= x[1];
  case Operator::Greater:
    return x[0] > x[1];
  case Operator::GreaterOrEqual:
    return x[0] >= x[1];
  case Operator::Power:
    return std::pow(x[0], x[1]);
  case Operator::BitOr:
  case Operator::BitAnd:
  case Operator::BitXor:
  case Operator::ShiftLeft:
  case Operator::ShiftRight:
  case Operator::BitNot:
    return evaluateBits(op, int64_t(x[0]), int64_t(x[x.size() - 1]));
  case Operator::ArcTangent2:
    return std::atan2(x[0], x[1]);
  case Operator::Modulo:
    return modulo(x[0], x[1]);
  case Operator::CopySign:
    return std::copysign(x[0], x[1]);
  case Operator::Heaviside:
    return x[0] == 0 ? x[1] : x[0] < 0 ? 0 : x[0] > 0 ? 1 : x[0];
  case Operator::ArcSine:
    return std::asin(x[0]);
  case Operator::ArcCosine:
    return std::acos(x[0]);
  case Operator::ArcTangent:
    return std::atan(x[0]);
  case Operator::HyperbolicSine:
    return std::sinh(x[0]);
  case Operator::HyperbolicCosine:
    return std::cosh(x[0]);
  case Operator::AreaSine:
    return std::asinh(x[0]);
  case Operator::AreaCosine:
    return std::acosh(x[0]);
  case Operator::AreaTangent:
    return std::atanh(x[0]);
  case Operator::Logarithm2:
    return std::log2(x[0]);
  case Operator::Logarithm10:
    return std::log10(x[0]);
  case Operator::LogarithmPlus1:
    return std::log1p(x[0]);
  case Operator::ExponentialMinus1:
    return std::expm1(x[0]);
  case Operator::CubeRoot:
    return std::cbrt(x[0]);
  case Operator::ErrorFunction:
    return std::erf(x[0]);
  case Operator::ComplementaryErrorFunction:
    return std::erfc(x[0]);
  case Operator::Square:
    return x[0] * x[0];
  case Operator::Sign:
    return x[0] > 0 ? 1 : x[0] < 0 ? -1 : x[0];
  case Operator::Conjugate:
  case Operator::RealPart:
    return x[0];
  case Operator::ImaginaryPart:
    return 0;
  case Operator::Absolute:
    return std::fabs(x[0]);
  case Operator::SquareRoot:
    return std::sqrt(x[0]);
  case Operator::Exponential:
    return std::exp(x[0]);
  case Operator::Logarithm:
    return std::log(x[0]);
  case Operator::Sine:
    return std::sin(x[0]);
  case Operator::Cosine:
    return std::cos(x[0]);
  case Operator::Tangent:
    return std::tan(x[0]);
  case Operator::HyperbolicTangent:
    return std::tanh(x[0]);
  case Operator::Floor:
    return std::floor(x[0]);
  case Operator::Ceiling:
    return std::ceil(x[0]);
  case Operator::Not:
    return x[0] == 0;
  case Operator::Where:
    return x[0] != 0 ? x[1] : x[2];
  case Operator::Cast: // to another type, as which the caller rounds it
    break;
  }
  return x[0];
}

// By parts, as kernels multiply: infinities are not repaired.
static std::complex<double> product(std::complex<double> a, std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

std::optional<std::complex<double>> evaluateComplex(Operator op,
                                                    llvm::ArrayRef<std::complex<double>> x) {
  switch (op) {
  case Operator::Plus:
    return x[0] + x[1];
  case Operator::Minus:
    return x[0] - x[1];
  case Operator::Times:
    return product(x[0], x[1]);
  case Operator::Divide:
    return x[0] / x[1];
  case Operator::First:
    return x[0];
  case Operator::Second:
  case Operator::Any:
    return x[1];
  case Operator::Pair:
    return 1;
  case Operator::Or:
    return x[0] != 0.0 || x[1] != 0.0;
  case Operator::And:
    return x[0] != 0.0 && x[1] != 0.0;
  case Operator::Xor:
    return (x[0] != 0.0) != (x[1] != 0.0);
  case Operator::Equal:
    return x[0] == x[1];
  case Operator::NotEqual:
    return x[0] != x[1];
  case Operator::Power:
    return std::pow(x[0], x[1]);
  case Operator::Square:
    return product(x[0], x[0]);
  case Operator::Conjugate:
    return std::conj(x[0]);
  case Operator::RealPart:
    return x[0].real();
  case Operator::ImaginaryPart:
    return x[0].imag();
  case Operator::Absolute:
    return std::abs(x[0]);
  case Operator::SquareRoot:
    return std::sqrt(x[0]);
  case Operator::Exponential:
    return std::exp(x[0]);
  case Operator::Logarithm:
    return std::log(x[0]);
  case Operator::Sine:
    return std::sin(x[0]);
  case Operator::Cosine:
    return std::cos(x[0]);
  case Operator::Tangent:
    return std::tan(x[0]);
  case Operator::HyperbolicTangent:
    return std::tanh(x[0]);
  case Operator::Not:
    return x[0] == 0.0;
  case Operator::Where:
    return x[0] != 0.0 ? x[1] : x[2];
  default: // an order, whole numbers, or several steps
    return std::nullopt;
  }
}

} // namespace strata::frontend
