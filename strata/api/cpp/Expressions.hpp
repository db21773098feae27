// Index notation in C++: index variables, parameters and expressions, which are text of the
// language with places for the names of operands.
#ifndef STRATA_API_CPP_EXPRESSIONS_HPP
#define STRATA_API_CPP_EXPRESSIONS_HPP

#include "strata/api/cpp/Session.hpp"

#include <atomic>
#include <charconv>
#include <cmath>
#include <cstring>

namespace strata {
inline namespace cpp {

class Access;
class Expr;
class TensorBase;

namespace detail {

struct TensorState;

/// A number of any type. A weak one has the type that suits the tensors beside it.
struct Number {
  enum class Kind { Integer, Unsigned, Real, Complex };

  Number() = default;
  template <typename T> static Number of(T value, bool weak) {
    Number number;
    number.weak = weak;
    number.type = elementType<T>();
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>)
      number.kind = Kind::Complex, number.complex = std::complex<double>(value);
    else if constexpr (std::is_floating_point_v<T>)
      number.kind = Kind::Real, number.complex = double(value);
    else if constexpr (std::is_signed_v<T>)
      number.kind = Kind::Integer, number.integer = int64_t(value);
    else
      number.kind = Kind::Unsigned, number.integer = int64_t(uint64_t(value));
    return number;
  }

  double real() const {
    return kind == Kind::Integer    ? double(integer)
           : kind == Kind::Unsigned ? double(uint64_t(integer))
                                    : complex.real();
  }

  bool weak = false;
  strata_type type = STRATA_F64;
  Kind kind = Kind::Real;
  int64_t integer = 0; ///< or the bits of an unsigned one
  std::complex<double> complex;
};

/// What a parameter holds.
struct ParamBox {
  Number number;
};

/// A piece of an expression's text.
struct Token {
  enum class Kind {
    Text,
    Variable, ///< an index variable; `text` is its name, if it has one
    Plain,    ///< the same as a whole index
    Tensor,   ///< a tensor's name
    Argument  ///< a number that is given when the statement runs
  };
  Kind kind = Kind::Text;
  std::string text = {};
  uint64_t variable = 0; ///< tells variables apart; of a tensor, the number of its indices
  std::shared_ptr<TensorState> tensor = nullptr;
  Number number = {};
  std::shared_ptr<const ParamBox> param = nullptr;
};

using Tokens = std::vector<Token>;

inline Token textToken(std::string text) { return {Token::Kind::Text, std::move(text)}; }

inline void append(Tokens &tokens, const Tokens &more) {
  tokens.insert(tokens.end(), more.begin(), more.end());
}

/// How tightly operators bind, as in the language.
enum Precedence { Comparison = 1, Or, Xor, And, Shift, Sum, Term, Prefix, Primary };

} // namespace detail

/// A variable that runs over the coordinates of a dimension. Variables without a name are called
/// i, j, k, l, ... in the order in which a statement mentions them, its left side first.
class IndexVar {
public:
  IndexVar() : id(next()) {}
  explicit IndexVar(std::string name) : id(next()), written(std::move(name)) {}
  const std::string &name() const { return written; }

  /// The window of coordinates begin, begin + step, ..., before end, as TACO writes it.
  Expr operator()(int64_t begin, int64_t end, int64_t step = 1) const;

  detail::Token token() const { return {detail::Token::Kind::Variable, written, id}; }

private:
  static uint64_t next() {
    static std::atomic<uint64_t> last{0};
    return ++last;
  }

  uint64_t id;
  std::string written;
};

/// A number that statements take when they run: one kernel serves all its values. A statement
/// takes the value that the parameter has when the statement is written, and so do sizes, machines
/// and schedules.
template <typename T> class Param {
public:
  Param(T value = T()) : box(std::make_shared<Box>()) { *this = value; }
  /// The same parameter: both have the same value from now on.
  Param(const Param &) = default;
  Param &operator=(const Param &other) { return *this = other.get(); }
  Param &operator=(T value) {
    detail::Turn turn(detail::Core::get().turn);
    box->value = value;
    box->number = detail::Number::of(value, /*weak=*/false);
    return *this;
  }
  T get() const {
    detail::Turn turn(detail::Core::get().turn);
    return box->value;
  }
  std::shared_ptr<const detail::ParamBox> shared() const { return box; }

private:
  struct Box : detail::ParamBox {
    T value;
  };
  std::shared_ptr<Box> box;
};

/// An expression in index notation. Numbers that multiply or divide are given to the kernel when it
/// runs; any other number is part of the statement, because it decides what is stored:
/// `max(A(i, j), 0)` of a sparse A is sparse.
class Expr {
public:
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Expr(T value) : Expr(detail::Number::of(value, /*weak=*/true)) {}
  template <typename T>
  Expr(std::complex<T> value) : Expr(detail::Number::of(value, /*weak=*/true)) {}
  Expr(const IndexVar &variable) : parts{variable.token()}, coordinate(true) {}
  template <typename T>
  Expr(const Param<T> &param)
      : parts{{detail::Token::Kind::Argument, "", 0, nullptr, {}, param.shared()}} {}
  Expr(const Access &access);
  /// A scalar.
  Expr(const TensorBase &scalar);
  Expr(detail::Tokens tokens, int precedence, bool coordinate = false)
      : parts(std::move(tokens)), precedence(precedence), coordinate(coordinate) {}

  const detail::Tokens &tokens() const { return parts; }

  static Expr binary(const Expr &left, const char *op, const Expr &right, int precedence) {
    detail::Tokens tokens;
    left.appendTo(tokens, left.precedence < precedence + (precedence == detail::Comparison));
    tokens.push_back(detail::textToken(op));
    right.appendTo(tokens, right.precedence <= precedence);
    return Expr(std::move(tokens), precedence, left.coordinate && right.coordinate);
  }
  /// `*` or `/`, which take numbers as arguments unless they are part of a coordinate.
  static Expr product(const Expr &left, const char *op, const Expr &right) {
    return binary(right.coordinate ? left : left.asArgument(), op,
                  left.coordinate ? right : right.asArgument(), detail::Term);
  }
  static Expr prefix(const char *op, const Expr &operand) {
    detail::Tokens tokens{detail::textToken(op)};
    operand.appendTo(tokens, operand.precedence < detail::Primary);
    return Expr(std::move(tokens), detail::Prefix, operand.coordinate);
  }
  static Expr call(const char *function, std::initializer_list<Expr> arguments) {
    detail::Tokens tokens{detail::textToken(std::string(function) + "(")};
    for (const Expr &argument : arguments) {
      if (tokens.size() > 1)
        tokens.push_back(detail::textToken(", "));
      detail::append(tokens, argument.parts);
    }
    tokens.push_back(detail::textToken(")"));
    return Expr(std::move(tokens), detail::Primary);
  }

private:
  explicit Expr(const detail::Number &number)
      : literal(true), coordinate(number.kind == detail::Number::Kind::Integer) {
    detail::Token token;
    token.number = number;
    token.text = textOf(number);
    if (token.text.empty()) // infinity or NaN, which the language does not write
      token.kind = detail::Token::Kind::Argument, literal = false;
    else if (token.text[0] == '-')
      precedence = detail::Prefix;
    else if (number.kind == detail::Number::Kind::Complex)
      precedence = detail::Sum;
    parts.push_back(std::move(token));
  }

  static std::string textOf(double value) {
    char buffer[40];
    char *end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    std::string text(buffer, end);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  static std::string textOf(const detail::Number &number) {
    if (number.kind == detail::Number::Kind::Integer)
      return std::to_string(number.integer);
    if (number.kind == detail::Number::Kind::Unsigned)
      return std::to_string(uint64_t(number.integer));
    double real = number.complex.real(), imaginary = number.complex.imag();
    if (!std::isfinite(real) || !std::isfinite(imaginary))
      return "";
    if (number.kind == detail::Number::Kind::Real)
      return textOf(real);
    return textOf(real) + (std::signbit(imaginary) ? " - " : " + ") + textOf(std::fabs(imaginary)) +
           "i";
  }

  Expr asArgument() const {
    if (!literal)
      return *this;
    Expr argument(*this);
    argument.parts[0].kind = detail::Token::Kind::Argument;
    argument.parts[0].text.clear();
    argument.precedence = detail::Primary;
    argument.literal = argument.coordinate = false;
    return argument;
  }
  void appendTo(detail::Tokens &tokens, bool inParentheses) const {
    if (inParentheses)
      tokens.push_back(detail::textToken("("));
    detail::append(tokens, parts);
    if (inParentheses)
      tokens.push_back(detail::textToken(")"));
  }

  detail::Tokens parts;
  int precedence = detail::Primary;
  bool literal = false;    ///< a number that stands alone
  bool coordinate = false; ///< made of index variables and integers
};

inline Expr IndexVar::operator()(int64_t begin, int64_t end, int64_t step) const {
  std::string bounds = "(" + std::to_string(begin) + "," + std::to_string(end);
  if (step != 1)
    bounds += "," + std::to_string(step);
  return Expr({token(), detail::textToken(bounds + ")")}, detail::Primary);
}

//===------------------------------------------------------------------------------------------===//
// Operators
//===------------------------------------------------------------------------------------------===//

#define STRATA_BINARY(op, precedence)                                                              \
  inline Expr operator op(const Expr &left, const Expr &right) {                                   \
    return Expr::binary(left, " " #op " ", right, detail::precedence);                             \
  }
STRATA_BINARY(+, Sum)
STRATA_BINARY(-, Sum)
STRATA_BINARY(<<, Shift)
STRATA_BINARY(>>, Shift)
STRATA_BINARY(&, And)
STRATA_BINARY(^, Xor)
STRATA_BINARY(|, Or)
STRATA_BINARY(==, Comparison)
STRATA_BINARY(!=, Comparison)
STRATA_BINARY(<, Comparison)
STRATA_BINARY(<=, Comparison)
STRATA_BINARY(>, Comparison)
STRATA_BINARY(>=, Comparison)
#undef STRATA_BINARY

inline Expr operator*(const Expr &left, const Expr &right) {
  return Expr::product(left, " * ", right);
}
inline Expr operator/(const Expr &left, const Expr &right) {
  return Expr::product(left, " / ", right);
}
inline Expr operator-(const Expr &operand) { return Expr::prefix("-", operand); }
inline Expr operator!(const Expr &operand) { return Expr::prefix("!", operand); }
/// The bits that are not set; as an index, `x(~(i - 1))`, one that may leave the tensor.
inline Expr operator~(const Expr &operand) { return Expr::prefix("~", operand); }

/// In an index: the quotient, rounded down, and the remainder, which is never negative.
inline Expr floordiv(const Expr &coordinate, int64_t divisor) {
  return Expr::binary(coordinate, " floordiv ", Expr(divisor), detail::Term);
}
inline Expr operator%(const Expr &coordinate, int64_t divisor) {
  return Expr::binary(coordinate, " mod ", Expr(divisor), detail::Term);
}

/// `left @(operators) right` with "min,+", "max" and the like: combines entries, not values.
inline Expr combine(const char *operators, const Expr &left, const Expr &right) {
  return Expr::binary(left, (" @(" + std::string(operators) + ") ").c_str(), right, detail::Term);
}

//===------------------------------------------------------------------------------------------===//
// Functions: docs/Language.md says what each means
//===------------------------------------------------------------------------------------------===//

#define STRATA_FUNCTION(name)                                                                      \
  inline Expr name(const Expr &operand) { return Expr::call(#name, {operand}); }
STRATA_FUNCTION(abs)
STRATA_FUNCTION(sqrt)
STRATA_FUNCTION(exp)
STRATA_FUNCTION(log)
STRATA_FUNCTION(sin)
STRATA_FUNCTION(cos)
STRATA_FUNCTION(tan)
STRATA_FUNCTION(tanh)
STRATA_FUNCTION(square)
STRATA_FUNCTION(sign)
STRATA_FUNCTION(re)
STRATA_FUNCTION(im)
STRATA_FUNCTION(conj)
STRATA_FUNCTION(asin)
STRATA_FUNCTION(acos)
STRATA_FUNCTION(atan)
STRATA_FUNCTION(sinh)
STRATA_FUNCTION(cosh)
STRATA_FUNCTION(asinh)
STRATA_FUNCTION(acosh)
STRATA_FUNCTION(atanh)
STRATA_FUNCTION(log2)
STRATA_FUNCTION(log10)
STRATA_FUNCTION(log1p)
STRATA_FUNCTION(expm1)
STRATA_FUNCTION(cbrt)
STRATA_FUNCTION(erf)
STRATA_FUNCTION(erfc)
STRATA_FUNCTION(floor)
STRATA_FUNCTION(ceil)
#undef STRATA_FUNCTION

#define STRATA_FUNCTION(name)                                                                      \
  inline Expr name(const Expr &a, const Expr &b) { return Expr::call(#name, {a, b}); }
STRATA_FUNCTION(pow)
STRATA_FUNCTION(atan2)
STRATA_FUNCTION(copysign)
STRATA_FUNCTION(mod)
STRATA_FUNCTION(heaviside)
#undef STRATA_FUNCTION

inline Expr where(const Expr &condition, const Expr &a, const Expr &b) {
  return Expr::call("where", {condition, a, b});
}

// Reductions over index variables, the last argument's: sum(j, e), sum(j, k, e). Of expressions,
// min and max are the least and the greatest of their arguments.
#define STRATA_REDUCTION(name)                                                                     \
  template <typename... Rest>                                                                      \
  Expr name(const Expr &first, const Expr &second, const Rest &...rest) {                          \
    return Expr::call(#name, {first, second, Expr(rest)...});                                      \
  }
STRATA_REDUCTION(sum)
STRATA_REDUCTION(prod)
STRATA_REDUCTION(min)
STRATA_REDUCTION(max)
STRATA_REDUCTION(any)
#undef STRATA_REDUCTION

/// The value as an element of type T.
template <typename T> Expr cast(const Expr &operand) {
  static constexpr const char *names[] = {"int8",   "int16",   "int",  "int64", "float",
                                          "double", "complex", "bool", "uint8", "uint16",
                                          "uint32", "uint64",  "",     "",      "complex64"};
  return Expr::call(names[elementType<T>()], {operand});
}

} // namespace cpp
} // namespace strata

#endif // STRATA_API_CPP_EXPRESSIONS_HPP
