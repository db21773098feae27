// Warnings of sums that stand where they are hardly meant: below an update by another operator, and
// inside a function.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Reductions.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

static std::string textOf(llvm::SMRange range) {
  return {range.Start.getPointer(), range.End.getPointer()};
}

//===------------------------------------------------------------------------------------------===//
// Updates of sums
//===------------------------------------------------------------------------------------------===//

// Tells whether the labels that the left side lacks are summed, not reduced by an operator that is
// written. Above the right side stands the reduction of a join.
static bool adds(const Element &value) {
  if (value.kind != Element::Kind::Join)
    return value.kind != Element::Kind::Mask || adds(*value.operands.front().element);
  return !value.reduces && !infoOf(value.op).reduces;
}

// `x[] min= s[i]` takes the least of x and a sum, which is hardly what is meant.
void Analyzer::warnOfSum(const Compute &compute, const Notation &notation,
                         llvm::ArrayRef<unsigned> summed, llvm::SMRange range) {
  bool sameOperator = compute.op == ast::AssignOp::Set || compute.op == ast::AssignOp::Add ||
                      compute.op == ast::AssignOp::Subtract;
  if (sameOperator || summed.empty() || !adds(*compute.value))
    return;
  std::string label = notation.vars[summed.front()].name;
  std::string function = compute.op == ast::AssignOp::Min        ? "min"
                         : compute.op == ast::AssignOp::Max      ? "max"
                         : compute.op == ast::AssignOp::Multiply ? "prod"
                                                                 : "";
  auto warning = diagnostics.warning(range, "this sums over '" + label + "' first; '" +
                                                spelling(compute.op) + "' combines the sum with '" +
                                                program.tensors[compute.result].name + "'");
  if (!function.empty())
    warning.note("to combine every value: " + function + "(" + label + ", " + textOf(range) + ")");
}

//===------------------------------------------------------------------------------------------===//
// Functions of sums
//===------------------------------------------------------------------------------------------===//

namespace {

// Writes elements with the sums that have been placed in them. What holds none of these is written
// as it stands in the source.
class SumWriter {
public:
  SumWriter(llvm::ArrayRef<unsigned> summed, const Notation &notation)
      : summed(summed), notation(notation) {}

  bool isPlaced(const Element &e) const {
    return e.kind == Element::Kind::Sum &&
           llvm::any_of(e.vars, [&](unsigned var) { return llvm::is_contained(summed, var); });
  }

  bool holdsSums(const Element &e) const {
    return isPlaced(e) || llvm::any_of(e.operands, [&](const Element::Operand &operand) {
             return holdsSums(*operand.element);
           });
  }

  // Collects the names of the labels of the sums.
  void collectLabels(const Element &e, std::string &labels) const {
    if (isPlaced(e))
      for (unsigned var : e.vars)
        labels += (labels.empty() ? "" : ", ") + notation.vars[var].name;
    for (const Element::Operand &operand : e.operands)
      collectLabels(*operand.element, labels);
  }

  // Returns nothing where the element does not stand in the source as it is, such as a function
  // that the program declares.
  std::optional<std::string> write(const Element &e) const {
    if (isPlaced(e)) {
      std::string labels;
      for (unsigned var : e.vars)
        labels += notation.vars[var].name + ", ";
      std::optional<std::string> body = write(*e.operands.front().element);
      return body ? std::optional("sum(" + labels + *body + ")") : std::nullopt;
    }
    if (e.kind == Element::Kind::Add)
      return joined(e, " + ", " - ");
    if (e.kind == Element::Kind::Multiply)
      return joined(e, " * ", " / ");
    if (!e.range.isValid())
      return std::nullopt;
    return e.kind == Element::Kind::Apply || e.kind == Element::Kind::Negate ? replaced(e)
                                                                             : textOf(e.range);
  }

private:
  std::optional<std::string> joined(const Element &e, llvm::StringRef op,
                                    llvm::StringRef inverse) const {
    bool isProduct = e.kind == Element::Kind::Multiply;
    std::string text;
    for (const Element::Operand &operand : e.operands) {
      const Element &inner = *operand.element;
      std::optional<std::string> part = write(inner);
      if (!part)
        return std::nullopt;
      bool binds = (inner.kind == Element::Kind::Add && (isProduct || operand.inverse)) ||
                   (inner.kind == Element::Kind::Multiply && isProduct && operand.inverse);
      if (&operand != &e.operands.front())
        text += operand.inverse ? inverse : op;
      text += binds ? "(" + *part + ")" : *part;
    }
    return text;
  }

  // The source text with its operands' texts replaced.
  std::optional<std::string> replaced(const Element &e) const {
    const char *at = e.range.Start.getPointer(), *end = e.range.End.getPointer();
    std::string text;
    for (const Element::Operand &operand : e.operands) {
      const Element &inner = *operand.element;
      if (!holdsSums(inner))
        continue;
      std::optional<std::string> part = write(inner);
      llvm::SMRange range = inner.range;
      if (!part || !range.isValid() || range.Start.getPointer() < at ||
          range.End.getPointer() > end)
        return std::nullopt;
      text += std::string(at, range.Start.getPointer()) + *part;
      at = range.End.getPointer();
    }
    return text + std::string(at, end);
  }

  llvm::ArrayRef<unsigned> summed;
  const Notation &notation;
};

// The sum of a function's values is then the function of their sum, but for rounding.
bool isLinear(const Element &e) {
  auto isReal = [](ElementType type) { return kindOf(type) >= NumberKind::Real; };
  return e.op == Operator::Conjugate || e.op == Operator::RealPart ||
         e.op == Operator::ImaginaryPart ||
         (e.op == Operator::Cast && isReal(e.castTo) && e.inner && isReal(*e.inner));
}

// Calls `visit` for the outermost functions that have a sum inside.
void forEachFunctionOfSums(const Element &e, const SumWriter &writer,
                           llvm::function_ref<void(const Element &)> visit) {
  if (!writer.holdsSums(e))
    return;
  if (e.kind == Element::Kind::Apply && !isLinear(e))
    return visit(e);
  for (const Element::Operand &operand : e.operands)
    forEachFunctionOfSums(*operand.element, writer, visit);
}

} // namespace

// `y[i] = exp(A[i, j])` is the exponential of a sum, and often that of each value is meant.
void Analyzer::warnOfFunctions(const Element &value, const Notation &notation,
                               llvm::ArrayRef<unsigned> summed) {
  SumWriter writer(summed, notation);
  forEachFunctionOfSums(value, writer, [&](const Element &function) {
    std::string labels;
    writer.collectLabels(function, labels);
    std::optional<std::string> meant = writer.write(function);
    auto warning =
        diagnostics.warning(function.range, "this is a function of the sum over '" + labels + "'" +
                                                (meant ? ": " + *meant : std::string()));
    warning.note("to sum its values: sum(" + labels + ", " + textOf(function.range) + ")");
    if (meant)
      warning.note("to say that the function of the sum is meant, write it as above");
  });
}

} // namespace strata::frontend
