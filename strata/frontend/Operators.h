// The operators and functions of element expressions, by their names: those of COMET's semirings
// and GraphBLAS, comparisons, and the usual functions.
#ifndef STRATA_FRONTEND_OPERATORS_H
#define STRATA_FRONTEND_OPERATORS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <complex>
#include <optional>

namespace strata::frontend {

enum class Operator {
  Plus,
  Minus,
  Times,
  Divide,
  Min,
  Max,
  First,
  Second,
  Any,
  Pair, ///< 1
  Or,
  And,
  Xor,
  Equal,
  NotEqual,
  Less,
  LessOrEqual,
  Greater,
  GreaterOrEqual,
  Power,
  // Of the bits of integers
  BitOr,
  BitAnd,
  BitXor,
  ShiftLeft,
  ShiftRight,
  BitNot,
  // Functions of two elements
  ArcTangent2,
  Modulo, ///< with the sign of the divisor
  CopySign,
  Heaviside, ///< its second operand, where the first one is 0
  // Functions of one element
  Absolute,
  SquareRoot,
  Exponential,
  Logarithm,
  Sine,
  Cosine,
  Tangent,
  HyperbolicTangent,
  ArcSine,
  ArcCosine,
  ArcTangent,
  HyperbolicSine,
  HyperbolicCosine,
  AreaSine,
  AreaCosine,
  AreaTangent,
  Logarithm2,
  Logarithm10,
  LogarithmPlus1,
  ExponentialMinus1,
  CubeRoot,
  ErrorFunction,
  ComplementaryErrorFunction,
  Square,
  Sign,
  Conjugate,
  RealPart,
  ImaginaryPart,
  Floor,
  Ceiling,
  Not,
  // where(c, a, b)
  Where,
  // int8(a), ...: by the names of the types
  Cast,
};

/// Which numbers an operator is known for.
enum class Operands {
  Any,
  Ordered, ///< no complex numbers, since they have no order
  Real,    ///< no complex numbers
  Bits,    ///< integers and booleans
};

/// What an operator is called, and what it asks for.
struct OperatorInfo {
  Operator op;
  llvm::StringRef name;   ///< min
  llvm::StringRef symbol; ///< `+`; empty where there is none
  unsigned operands;
  bool function; ///< callable by its name
  bool real;     ///< of integers it is computed in double
  Operands of;
  bool reduces; ///< many values become one by it, in any order
};

const OperatorInfo &infoOf(Operator op);

/// `|`, of an operator on the bits of two integers, which has a name, too; empty of others.
llvm::StringRef signOfBits(Operator op);

/// == to >=
inline bool compares(Operator op) {
  return op >= Operator::Equal && op <= Operator::GreaterOrEqual;
}

/// abs, re, im: of complex numbers they are real.
inline bool measures(Operator op) {
  return op == Operator::Absolute || op == Operator::RealPart || op == Operator::ImaginaryPart;
}

/// The operator, or the function, of numbers; no cast.
double evaluate(Operator op, llvm::ArrayRef<double> x);
/// The same of complex numbers; nothing of an operator that is not known for them.
std::optional<std::complex<double>> evaluateComplex(Operator op,
                                                    llvm::ArrayRef<std::complex<double>> x);

/// The operator of `@(...)`: a name or a symbol.
std::optional<Operator> findOperator(llvm::StringRef text);
/// The function of that name.
std::optional<Operator> findFunction(llvm::StringRef name);
/// The reduction of that name: sum, prod, min, max, any.
std::optional<Operator> findReduction(llvm::StringRef name);

/// Names of functions and reductions, to suggest.
llvm::ArrayRef<llvm::StringRef> functionNames();

} // namespace strata::frontend

#endif // STRATA_FRONTEND_OPERATORS_H
