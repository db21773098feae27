// Infers fills: folds right sides with absent operands.
#include "strata/frontend/Fills.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace strata::frontend {
namespace {

using Number = std::complex<double>;

// Tells whether two fills are the same: a NaN is so as every other NaN.
bool isSame(Number a, Number b) {
  auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return same(a.real(), b.real()) && same(a.imag(), b.imag());
}

// What is known of a value where no sparse operand stores anything.
struct Absent {
  enum class Kind {
    Known,   ///< it is `value`
    Open,    ///< stored values decide
    Missing, ///< there is none: what a mask or a semiring does not reach is not assigned
  };
  Kind kind = Kind::Open;
  Number value = 0;
  bool literal = false; ///< follows from constants alone

  static Absent of(Number value) { return {Kind::Known, value}; }
  bool known() const { return kind == Kind::Known; }
  /// Tells whether it makes NaN of what it is added to or compared with, whatever that is.
  bool spoils() const { return known() && !literal && std::isnan(value.real()); }
};

class Inference {
public:
  Inference(Program &program, const FormatVocabulary &formats, Diagnostics &diagnostics)
      : program(program), diagnostics(diagnostics) {
    for (const Tensor &tensor : program.tensors) {
      Fill fill{unsigned(fills.size())};
      fill.sparse = tensor.format && !formats.storesAll(*tensor.format, tensor.order());
      if (tensor.format)
        for (const ast::FormatOption &option : tensor.format->options)
          if (option.key.text == "fill")
            fill.value = rounded(tensor.type, *option.value), fill.decided = fill.declared = true;
      fills.push_back(fill);
    }
  }

  void run() {
    each(program.operations, [&](const Operation &operation) { join(operation); });
    each(program.operations, [&](const Operation &operation) { look(operation); });
    each(program.operations, [&](const Operation &operation) {
      if (const auto *compute = std::get_if<Compute>(&operation.kind))
        infer(*compute, operation.range);
      if (const auto *joined = std::get_if<Concatenation>(&operation.kind))
        infer(joined->result, joined->operands, operation.range);
      if (const auto *reordered = std::get_if<Reordering>(&operation.kind);
          reordered && !reordered->dimension)
        infer(reordered->result, {reordered->operand}, operation.range);
    });
    for (auto [at, tensor] : llvm::enumerate(program.tensors))
      if (Fill &fill = fillOf(at); fills[at].sparse && !fills[at].declared && fill.value != 0.0)
        tensor.format->options.push_back({{"fill", tensor.range}, fill.value, tensor.range});
  }

private:
  struct Fill {
    unsigned same;         ///< a tensor that shares it, or itself
    bool sparse = false;   ///< not every place is stored
    bool declared = false; ///< by the format
    bool decided = false;
    Number value = 0;
  };

  template <typename Visit>
  static void each(const std::vector<Operation> &operations, Visit visit) {
    for (const Operation &operation : operations) {
      visit(operation);
      if (const auto *loop = std::get_if<Loop>(&operation.kind))
        each(loop->body, visit);
      if (const auto *branch = std::get_if<Branch>(&operation.kind)) {
        each(branch->body, visit);
        each(branch->otherwise, visit);
      }
    }
  }

  Fill &fillOf(TensorId tensor) {
    while (fills[tensor].same != tensor)
      tensor = fills[tensor].same;
    return fills[tensor];
  }

  // What shares a value has one fill.
  void join(const Operation &operation) {
    const auto *share = std::get_if<Share>(&operation.kind);
    if (!share)
      return;
    Fill &result = fillOf(share->result), &source = fillOf(share->source);
    if (&result == &source)
      return;
    if (result.declared && !source.declared)
      std::swap(source.value, result.value), std::swap(source.decided, result.decided);
    source.decided |= result.declared;
    result.same = source.same;
  }

  // Files, generators and constants do not make fills.
  void look(const Operation &operation) {
    std::visit(
        [&](const auto &op) {
          using Op = std::decay_t<decltype(op)>;
          if constexpr (std::is_same_v<Op, frontend::Fill> || std::is_same_v<Op, Random> ||
                        std::is_same_v<Op, Stencil> || std::is_same_v<Op, Read> ||
                        std::is_same_v<Op, Given> || std::is_same_v<Op, Values>)
            fillOf(op.result).decided = true;
        },
        operation.kind);
  }

  void infer(const Compute &compute, llvm::SMRange range) {
    Fill &fill = fillOf(compute.result);
    Absent absent = fold(*compute.value, compute.type);
    if (compute.mask)
      absent.kind = Absent::Kind::Missing;
    if (!fills[compute.result].sparse)
      return;
    if (!compute.whole) { // what it does not reach is zero
      fill.decided = true;
      return;
    }
    ElementType stored = program.tensors[compute.result].type;
    if (compute.updates() && compute.op != ast::AssignOp::Set && absent.known())
      absent = updatesBits(compute.op, stored)
                   ? Absent::of(evaluate(compute.op == ast::AssignOp::Or ? Operator::BitOr
                                                                         : Operator::BitAnd,
                                         {fill.value.real(), absent.value.real()}))
                   : updated(compute.op, stored, fill.value, absent.value);
    else if (compute.updates() || absent.kind == Absent::Kind::Missing)
      return;
    if (!fill.decided && !compute.updates()) {
      fill.decided = true;
      fill.value = absent.known() && isFill(stored, absent.value) ? rounded(stored, absent.value)
                                                                  : Number(0);
    }
    if (absent.known() && !isSame(rounded(stored, absent.value), fill.value))
      warnOfAll(compute, absent.value, fill, range);
  }

  // Sparse operands are worth the same where they store nothing, and so is the result.
  void infer(TensorId joined, llvm::ArrayRef<TensorId> operands, llvm::SMRange range) {
    Fill &result = fillOf(joined);
    bool isSparse = fills[joined].sparse, isFirst = !isSparse || !result.decided;
    Number common = isFirst ? Number(0) : result.value;
    for (TensorId operand : operands) {
      if (!fills[operand].sparse)
        continue;
      Number own = fillOf(operand).value;
      if (isFirst)
        common = own;
      isFirst = false;
      if (isSame(own, common))
        continue;
      const bool isAlone = operands.size() == 1;
      const std::string other =
          isAlone ? "'" + program.tensors[joined].name + "'" : "what is joined with it";
      diagnostics
          .error(range, "where '" + program.tensors[operand].name + "' stores nothing it is " +
                            inWords(own) + ", but " + other + " is " + inWords(common) + " there")
          .note(isAlone ? "give both the same fill"
                        : "assign it to a tensor that is Dense, and join that");
      return;
    }
    if (isSparse && !result.decided)
      result.decided = true, result.value = common;
  }

  // Tells whether the fill of such elements can be given as a number in double.
  static bool isFill(ElementType type, Number number) {
    const double value = number.real();
    if (number.imag() != 0 && !isComplex(type))
      return false;
    if (kindOf(type) < NumberKind::Real)
      return std::fabs(value) < 0x1p53 && value == std::floor(value) && holds(type, int64_t(value));
    return !isHalf(type) || std::isnan(value) ||
           (std::fabs(value) <= 256 && value == std::floor(value));
  }

  static Absent updated(ast::AssignOp op, ElementType type, Number before, Number value) {
    switch (op) {
    case ast::AssignOp::Set:
      return Absent::of(value);
    case ast::AssignOp::Add:
      return Absent::of(before + value);
    case ast::AssignOp::Subtract:
      return Absent::of(before - value);
    case ast::AssignOp::Multiply:
      return Absent::of(multiplied(type, before, value, /*divides=*/false));
    case ast::AssignOp::Min:
    case ast::AssignOp::Max:
    case ast::AssignOp::Any:
      return Absent::of(value); // what is not stored is not an operand
    case ast::AssignOp::Or:
      return Absent::of(before != 0.0 || value != 0.0);
    case ast::AssignOp::And:
      break;
    }
    return Absent::of(value != 0.0 ? before : 0.0);
  }

  static std::string inWords(Number number) {
    if (number.imag() != 0)
      return asOption(number);
    const double value = number.real();
    return std::isnan(value)   ? "NaN"
           : std::isinf(value) ? (value > 0 ? "infinity" : "-infinity")
                               : asOption(number);
  }

  // As a format's option has it.
  static std::string asOption(Number number) {
    auto part = [](double value) {
      std::string text = "nan"; // which has no sign
      if (!std::isnan(value))
        llvm::raw_string_ostream(text = "") << llvm::format("%.10g", value);
      return text;
    };
    std::string real = part(number.real()), imaginary = part(std::fabs(number.imag())) + "i";
    return number.imag() == 0 ? real : real + (number.imag() < 0 ? " - " : " + ") + imaginary;
  }

  void warnOfAll(const Compute &compute, Number value, const Fill &fill, llvm::SMRange range) {
    const Tensor &tensor = program.tensors[compute.result];
    auto report = diagnostics.warning(range, "this stores every element of '" + tensor.name +
                                                 "': where the operands store nothing " + "it is " +
                                                 inWords(value) + ", but the fill value of '" +
                                                 tensor.name + "' is " + inWords(fill.value));
    if (fill.declared)
      report.note("leave its fill out, declare it with fill = " + asOption(value) + ", or as Dense",
                  tensor.range);
    else
      report.note("assign it to a tensor of its own, which then has fill " + inWords(value) +
                      ", or declare '" + tensor.name + "' as Dense",
                  tensor.range);
  }

  //===----------------------------------------------------------------------------------------===//
  // Folding
  //===----------------------------------------------------------------------------------------===//

  static Number rounded(ElementType type, Number value) {
    if (type == ElementType::Bool)
      return value != 0.0;
    const bool isFloat = type == ElementType::Float || type == ElementType::ComplexFloat;
    return isFloat ? Number(float(value.real()), float(value.imag())) : value;
  }

  Absent fold(const Element &element, ElementType type) {
    Absent result = foldExact(element, type);
    result.value = rounded(type, result.value);
    return result;
  }

  Absent foldExact(const Element &element, ElementType type) {
    using Kind = Element::Kind;
    switch (element.kind) {
    case Kind::Constant:
      return {Absent::Kind::Known, Number(element.value, element.imaginary), true};
    case Kind::Access:
      if (!fills[element.tensor].sparse)
        return {};
      return element.missing ? Absent{Absent::Kind::Missing}
                             : Absent::of(fillOf(element.tensor).value);
    case Kind::Parameter:
    case Kind::Label:
    case Kind::Selector:
      return {};
    case Kind::Negate: {
      Absent operand = fold(*element.operands[0].element, type);
      operand.value = -operand.value;
      return operand;
    }
    case Kind::Add:
      return foldSum(element, type);
    case Kind::Multiply:
      return foldProduct(element, type);
    case Kind::Sum:
      return foldReduction(element, fold(*element.operands[0].element, type));
    case Kind::Apply:
      return foldFunction(element, type);
    case Kind::Join:
    case Kind::Mask:
      break;
    }
    for (const Element::Operand &operand : element.operands)
      fold(*operand.element, type); // for its warnings
    return {Absent::Kind::Missing};
  }

  // A value that all parts decide.
  static Absent combined(llvm::ArrayRef<Absent> parts, std::optional<Number> value) {
    if (!value || !llvm::all_of(parts, [](const Absent &part) { return part.known(); }))
      return mixed(parts);
    bool literal = llvm::all_of(parts, [](const Absent &part) { return part.literal; });
    return {Absent::Kind::Known, *value, literal};
  }

  // The NaN of a part that makes one of all others; none where some of them may have no value.
  static std::optional<Absent> spoiling(llvm::ArrayRef<Absent> parts, ElementType type) {
    const bool isThere =
        llvm::none_of(parts, [](const Absent &part) { return part.kind == Absent::Kind::Missing; });
    const Absent *part = llvm::find_if(parts, [](const Absent &one) { return one.spoils(); });
    return kindOf(type) == NumberKind::Real && isThere && part != parts.end() ? std::optional(*part)
                                                                              : std::nullopt;
  }

  static Absent mixed(llvm::ArrayRef<Absent> parts) {
    bool missing =
        llvm::any_of(parts, [](const Absent &part) { return part.kind == Absent::Kind::Missing; });
    return {missing ? Absent::Kind::Missing : Absent::Kind::Open};
  }

  Absent foldSum(const Element &element, ElementType type) {
    Number sum = 0;
    llvm::SmallVector<Absent> parts;
    for (const Element::Operand &operand : element.operands) {
      parts.push_back(fold(*operand.element, type));
      sum = rounded(type, operand.inverse ? sum - parts.back().value : sum + parts.back().value);
    }
    std::optional<Absent> nan = spoiling(parts, type);
    return nan ? *nan : combined(parts, sum);
  }

  // What is absent and zero annihilates, whatever the other factors are; of integers, which are
  // never infinite, so does a constant.
  Absent foldProduct(const Element &element, ElementType type) {
    Number product = 1;
    bool zero = false, isWhole = kindOf(type) < NumberKind::Real;
    llvm::SmallVector<Absent> parts;
    for (const Element::Operand &operand : element.operands) {
      Absent part = fold(*operand.element, type);
      zero |= part.known() && part.value == 0.0 && !operand.inverse && (isWhole || !part.literal);
      if (operand.inverse && part.known() && part.value == 0.0)
        warnOfDivision(*operand.element);
      product = multiplied(type, product, part.value, operand.inverse);
      parts.push_back(part);
    }
    if (zero)
      return Absent::of(0);
    return combined(parts, product);
  }

  // (A real number has no imaginary part, which infinity would make NaN.)
  static Number multiplied(ElementType type, Number a, Number b, bool divides) {
    if (!isComplex(type))
      return rounded(type, divides ? a.real() / b.real() : a.real() * b.real());
    return rounded(type, *evaluateComplex(divides ? Operator::Divide : Operator::Times, {a, b}));
  }

  void warnOfDivision(const Element &divisor) {
    if (divisor.kind != Element::Kind::Access)
      return;
    const std::string &name = program.tensors[divisor.tensor].name;
    diagnostics.warning(divisor.range, "this divides by zero where '" + name + "' stores nothing")
        .note("there, something divided is infinite, and an absent dividend stays 0; to divide "
              "where '" +
              name + "' stores something only: @(/)");
  }

  // Of how many values is not known.
  static Absent foldReduction(const Element &element, Absent inner) {
    if (!inner.known())
      return element.missing ? Absent{Absent::Kind::Missing} : inner;
    Number x = inner.value;
    inner.literal = false;
    bool same = false;
    switch (element.op) {
    case Operator::Plus:
    case Operator::Xor:
      same = x == 0.0;
      break;
    case Operator::Times:
      same = x == 0.0 || x == 1.0;
      break;
    default: // idempotent ones
      same = true;
    }
    return same ? inner : Absent{};
  }

  Absent foldFunction(const Element &element, ElementType type) {
    llvm::SmallVector<Absent> parts;
    llvm::SmallVector<Number> values;
    const ElementType inner = element.inner.value_or(type);
    for (const Element::Operand &operand : element.operands) {
      bool asked = element.op == Operator::Where && parts.empty();
      parts.push_back(fold(*operand.element, asked ? ElementType::Bool : inner));
      values.push_back(parts.back().value);
    }
    if (element.op == Operator::Cast)
      return converted(parts[0], element.castTo);
    if (element.op == Operator::Where && parts[0].known()) {
      Absent chosen = parts[values[0] != 0.0 ? 1 : 2];
      chosen.literal &= parts[0].literal;
      return chosen;
    }
    const bool isExtreme = element.op == Operator::Min || element.op == Operator::Max;
    if (std::optional<Absent> nan = spoiling(parts, inner); nan && isExtreme)
      return *nan;
    return combined(parts, valueOf(element.op, inner, values));
  }

  static std::optional<Number> valueOf(Operator op, ElementType type,
                                       llvm::ArrayRef<Number> values) {
    if (isComplex(type))
      return evaluateComplex(op, values);
    llvm::SmallVector<double> parts;
    for (Number value : values)
      parts.push_back(value.real());
    return evaluate(op, parts);
  }

  // What a cast to integers makes of a number outside of them is left open.
  static Absent converted(Absent value, ElementType to) {
    if (!value.known())
      return value;
    bool isReal = kindOf(to) >= NumberKind::Real || to == ElementType::Bool;
    // (Of a complex number that becomes a real one its real part is left.)
    Number number = isComplex(to) || to == ElementType::Bool ? value.value : value.value.real();
    Number result = isReal ? rounded(to, number) : std::trunc(number.real());
    if ((!isReal || isHalf(to)) && !isFill(to, isReal ? number : result))
      return {};
    return {Absent::Kind::Known, result, value.literal};
  }

  Program &program;
  Diagnostics &diagnostics;
  std::vector<Fill> fills; ///< by tensor
};

} // namespace

void inferFills(Program &program, const FormatVocabulary &formats, Diagnostics &diagnostics) {
  Inference(program, formats, diagnostics).run();
}

} // namespace strata::frontend
