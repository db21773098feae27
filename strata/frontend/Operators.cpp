// The table of operators.
#include "strata/frontend/Operators.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace strata::frontend {

// In the order of the enumeration.
static constexpr OperatorInfo table[] = {
    // op, name, symbol, operands, function, real, ordered, reduces
    {Operator::Plus, "plus", "+", 2, false, false, false, true},
    {Operator::Minus, "minus", "-", 2, false, false, false, false},
    {Operator::Times, "times", "*", 2, false, false, false, true},
    {Operator::Divide, "div", "/", 2, false, true, false, false},
    {Operator::Min, "min", "", 2, true, false, true, true},
    {Operator::Max, "max", "", 2, true, false, true, true},
    {Operator::First, "first", "", 2, false, false, false, false},
    {Operator::Second, "second", "", 2, false, false, false, false},
    {Operator::Any, "any", "", 2, false, false, false, true},
    {Operator::Pair, "pair", "", 2, false, false, false, false},
    {Operator::Or, "lor", "|", 2, false, false, false, true},
    {Operator::And, "land", "&", 2, false, false, false, true},
    {Operator::Xor, "lxor", "", 2, false, false, false, true},
    {Operator::Equal, "eq", "==", 2, false, false, false, false},
    {Operator::NotEqual, "ne", "!=", 2, false, false, false, false},
    {Operator::Less, "lt", "<", 2, false, false, true, false},
    {Operator::LessOrEqual, "le", "<=", 2, false, false, true, false},
    {Operator::Greater, "gt", ">", 2, false, false, true, false},
    {Operator::GreaterOrEqual, "ge", ">=", 2, false, false, true, false},
    {Operator::Power, "pow", "", 2, true, true, false, false},
    {Operator::Absolute, "abs", "", 1, true, false, false, false},
    {Operator::SquareRoot, "sqrt", "", 1, true, true, false, false},
    {Operator::Exponential, "exp", "", 1, true, true, false, false},
    {Operator::Logarithm, "log", "", 1, true, true, false, false},
    {Operator::Sine, "sin", "", 1, true, true, false, false},
    {Operator::Cosine, "cos", "", 1, true, true, false, false},
    {Operator::Tangent, "tan", "", 1, true, true, false, false},
    {Operator::HyperbolicTangent, "tanh", "", 1, true, true, false, false},
    {Operator::Floor, "floor", "", 1, true, false, true, false},
    {Operator::Ceiling, "ceil", "", 1, true, false, true, false},
    {Operator::Not, "not", "!", 1, true, false, false, false},
    {Operator::Where, "where", "", 3, true, false, false, false},
    {Operator::Cast, "cast", "", 1, false, false, false, false},
};

const OperatorInfo &infoOf(Operator op) { return table[static_cast<size_t>(op)]; }

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
  for (const OperatorInfo &info : table)
    if (info.operands == 2 && (text == info.name || (!text.empty() && text == info.symbol)))
      return info.op;
  return std::nullopt;
}

std::optional<Operator> findFunction(llvm::StringRef name) {
  for (const OperatorInfo &info : table)
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
    for (const OperatorInfo &info : table)
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
  case Operator::Cast:
    break;
  }
  llvm_unreachable("a cast is told by its types");
}

} // namespace strata::frontend
