// Loops over all values of all index variables.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "Naive.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Matchers.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace strata::reference {

using Complex = std::complex<double>;
static constexpr double infinity = std::numeric_limits<double>::infinity();

namespace {
class Loops {
public:
  Loops(ta::ComputeOp op, const std::vector<Tensor> &inputs, const Tensor *init)
      : op(op), inputs(inputs), init(init) {}

  std::map<std::vector<int64_t>, Cell> run();

private:
  void forAll(mlir::ValueRange variables, mlir::ValueRange extents,
              llvm::function_ref<void()> body);
  int64_t index(mlir::Value value);
  std::vector<int64_t> place(mlir::AffineMap map, mlir::ValueRange variables);
  Cell evaluate(mlir::Value value);
  Cell reduce(ta::ReduceOp reduce);
  bool takesPart();

  ta::ComputeOp op;
  const std::vector<Tensor> &inputs;
  const Tensor *init;
  llvm::DenseMap<mlir::Value, int64_t> current;
};
} // namespace

static Complex constant(mlir::Attribute attribute) {
  if (auto parts = mlir::dyn_cast<mlir::ArrayAttr>(attribute))
    return {constant(parts[0]).real(), constant(parts[1]).real()};
  if (auto number = mlir::dyn_cast<mlir::complex::NumberAttr>(attribute))
    return {number.getReal().convertToDouble(), number.getImag().convertToDouble()};
  if (auto integer = mlir::dyn_cast<mlir::IntegerAttr>(attribute))
    return static_cast<double>(integer.getInt());
  return mlir::cast<mlir::FloatAttr>(attribute).getValueAsDouble();
}

static Cell absent(mlir::Value declared) {
  auto type = mlir::cast<mlir::RankedTensorType>(declared.getType());
  return {constant(ta::fillOf(type)), type.getEncoding() != nullptr};
}

static Cell read(const Tensor &tensor, mlir::Value declared, const std::vector<int64_t> &at) {
  for (int64_t entry = 0; entry < tensor.count(); ++entry) {
    bool here = true;
    for (unsigned d = 0; d < tensor.order(); ++d)
      here &= tensor.coordinate(d, entry) == at[d];
    Number number = tensor.value(entry);
    if (here)
      return {tensor.type().isInteger() ? static_cast<double>(number.integer) : number.value};
  }
  return absent(declared);
}

static Complex multiply(Complex a, Complex b) {
  if (a.imag() == 0 && b.imag() == 0)
    return a.real() * b.real();
  return a * b;
}

static double lesser(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? a + b : std::min(a, b);
}

// Operations end in the name of what they do: arith.addf, complex.mul, ...
static Cell combine(llvm::StringRef name, bool isInteger, Cell a, Cell b) {
  bool known = a.known && b.known, literal = a.literal && b.literal;
  // Integers have neither infinity nor NaN: of them a constant does the same.
  auto isAbsent = [&](const Cell &cell) { return cell.known && (isInteger || !cell.literal); };
  double least = -infinity, greatest = infinity;
  if (isInteger) {
    least = static_cast<double>(std::numeric_limits<int64_t>::min());
    greatest = static_cast<double>(std::numeric_limits<int64_t>::max());
  }
  auto annihilate = [&](double number) {
    return (isAbsent(a) && a.value == number) || (isAbsent(b) && b.value == number);
  };
  // NaN leaves nothing else of sums, differences and extremes, nor of what it is divided by.
  auto isNaN = [&](const Cell &cell) {
    return isAbsent(cell) && !isInteger && !name.contains("complex") &&
           std::isnan(cell.value.real());
  };
  if (isNaN(a) && !name.contains("mul"))
    return {a.value, true};
  if (isNaN(b) && !name.contains("mul") && !name.contains("div"))
    return {b.value, true};
  if (name.contains("mul"))
    return annihilate(0) ? Cell{0, true, literal}
                         : Cell{multiply(a.value, b.value), known, literal};
  if (name.contains("div")) {
    if (a.known && !a.literal && a.value == 0.0)
      return {0, true};
    if (isInteger)
      return {std::trunc(a.value.real() / b.value.real()), known, literal};
    return {a.value.imag() == 0 && b.value.imag() == 0 ? Complex(a.value.real() / b.value.real())
                                                       : a.value / b.value,
            known, literal};
  }
  if (name.contains("min"))
    return annihilate(least) ? Cell{least, true, literal}
                             : Cell{lesser(a.value.real(), b.value.real()), known, literal};
  if (name.contains("max"))
    return annihilate(greatest) ? Cell{greatest, true, literal}
                                : Cell{-lesser(-a.value.real(), -b.value.real()), known, literal};
  if (name.contains("sub"))
    b.value = -b.value;
  bool first = isAbsent(a) && std::isinf(a.value.real()),
       second = isAbsent(b) && std::isinf(b.value.real());
  if (first != second)
    return {first ? a.value : b.value, true};
  return {a.value + b.value, known, literal};
}

static Complex unary(llvm::StringRef name, Complex a) {
  if (name.contains("neg"))
    return {-a.real(), a.imag() == 0 ? 0 : -a.imag()};
  if (name.contains("abs"))
    return std::abs(a);
  if (name.contains("sqrt"))
    return std::sqrt(a.real());
  if (name.contains("fptosi"))
    return std::trunc(a.real());
  if (name.contains("truncf"))
    return static_cast<double>(static_cast<float>(a.real()));
  EXPECT_TRUE(name.contains("ext") || name.contains("sitofp")) << name.str();
  return a;
}

int64_t Loops::index(mlir::Value value) {
  llvm::APInt constant;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&constant)))
    return constant.getSExtValue();
  auto dim = value.getDefiningOp<ta::DimOp>();
  for (auto [declared, tensor] : llvm::zip(op.getInputs(), inputs))
    if (dim && declared == dim.getTensor())
      return tensor.sizes()[dim.getDim()];
  ADD_FAILURE() << "an extent that the test does not know";
  return 0;
}

void Loops::forAll(mlir::ValueRange variables, mlir::ValueRange extents,
                   llvm::function_ref<void()> body) {
  if (variables.empty())
    return body();
  int64_t extent = index(extents.front());
  for (int64_t i = 0; i < extent; ++i) {
    current[variables.front()] = i;
    forAll(variables.drop_front(), extents.drop_front(), body);
  }
}

std::vector<int64_t> Loops::place(mlir::AffineMap map, mlir::ValueRange variables) {
  llvm::SmallVector<int64_t> values;
  for (mlir::Value variable : variables)
    values.push_back(current[variable]);
  llvm::SmallVector<int64_t> coordinate = map.compose(values);
  return {coordinate.begin(), coordinate.end()};
}

static Cell identityOf(ta::Combine combine, bool isInteger) {
  switch (combine) {
  case ta::Combine::add:
    return {0, true};
  case ta::Combine::mul:
    return {1, true};
  case ta::Combine::min:
    return {isInteger ? static_cast<double>(std::numeric_limits<int64_t>::max()) : infinity, true};
  case ta::Combine::max:
    return {isInteger ? static_cast<double>(std::numeric_limits<int64_t>::min()) : -infinity, true};
  default:
    return {}; // not drawn here
  }
}

// Known only if all terms are, and the identity; so also over nothing.
Cell Loops::reduce(ta::ReduceOp reduce) {
  bool isInteger = reduce.getResult().getType().isInteger();
  Cell identity = identityOf(reduce.getCombine(), isInteger), sum = identity;
  forAll(reduce.getVariables(), reduce.getExtents(), [&] {
    Cell term = evaluate(reduce.getYielded());
    bool nothing = term.known && term.value == identity.value;
    if (nothing)
      return;
    bool first = sum.known;
    term.known = sum.known = false;
    sum = first ? term : combine(stringifyCombine(reduce.getCombine()), isInteger, sum, term);
  });
  return sum;
}

Cell Loops::evaluate(mlir::Value value) {
  mlir::Operation *definition = value.getDefiningOp();
  if (mlir::Attribute number = definition->getAttr("value"))
    return {constant(number), true, true};
  if (auto access = mlir::dyn_cast<ta::AccessOp>(definition)) {
    size_t number =
        static_cast<size_t>(llvm::find(mlir::ValueRange(op.getInputs()), access.getTensor()) -
                            mlir::ValueRange(op.getInputs()).begin());
    return read(inputs[number], access.getTensor(), place(access.getMap(), access.getIndices()));
  }
  if (auto inner = mlir::dyn_cast<ta::ReduceOp>(definition))
    return reduce(inner);
  llvm::StringRef name = definition->getName().getStringRef();
  Cell a = evaluate(definition->getOperand(0));
  if (definition->getNumOperands() == 1)
    return {unary(name, a.value), a.known, a.literal};
  return combine(name, value.getType().isInteger(), a, evaluate(definition->getOperand(1)));
}

bool Loops::takesPart() {
  if (!op.getMask())
    return true;
  mlir::ValueRange declared = op.getInputs();
  auto number = static_cast<size_t>(llvm::find(declared, op.getMask()) - declared.begin());
  Cell cell = read(inputs[number], op.getMask(), place(*op.getMaskMap(), op.getVariables()));
  bool stored = !cell.known; // all of what is dense is
  return (stored && (op.getStructural() || cell.value != 0.0)) != op.getComplement();
}

std::map<std::vector<int64_t>, Cell> Loops::run() {
  std::map<std::vector<int64_t>, Cell> cells;
  auto type = mlir::cast<mlir::RankedTensorType>(op.getResult().getType());
  std::vector<int64_t> sizes;
  auto dynamic = op.getSizes().begin();
  for (int64_t d = 0; d < type.getRank(); ++d)
    sizes.push_back(type.isDynamicDim(d) ? index(*dynamic++) : type.getDimSize(d));
  std::vector<int64_t> at(sizes.size());
  for (int64_t number = 0, count = countCoordinates(sizes); number < count; ++number) {
    int64_t rest = number;
    for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d])
      at[d] = rest % sizes[d];
    cells[at] = init ? read(*init, op.getInit(), at) : absent(op.getResult());
  }
  forAll(op.getVariables(), op.getExtents(), [&] {
    Cell &cell = cells[place(op.getOutMap(), op.getVariables())];
    if (!takesPart()) {
      if (op.getReplace())
        cell = {constant(op.getEmptyAttr() ? op.getEmptyAttr() : ta::fillOf(type)),
                type.getEncoding() != nullptr};
      return;
    }
    Cell value = evaluate(op.getYielded());
    if (!op.getCombine()) {
      cell = value;
      return;
    }
    bool isInteger = type.getElementType().isInteger();
    if (op.getJoins() && cell.known) { // nothing is stored there
      cell = value;
      return;
    }
    if (value.known && value.value == identityOf(*op.getCombine(), isInteger).value)
      return;
    cell = combine(stringifyCombine(*op.getCombine()), isInteger, cell, value);
    cell.known &= !op.getJoins(); // of two entries comes an entry
  });
  return cells;
}

std::map<std::vector<int64_t>, Cell> naive(ta::ComputeOp op, const std::vector<Tensor> &inputs,
                                           const Tensor *init) {
  return Loops(op, inputs, init).run();
}

static bool near(double a, double b, double tolerance) {
  return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance;
}

std::string differences(const Expected &expected,
                        const std::map<std::vector<int64_t>, Cell> &cells) {
  std::string result;
  std::map<std::vector<int64_t>, Expected::Entry> entries;
  for (size_t e = 0; e < expected.entries.size(); ++e)
    entries[{expected.coordinate(e).begin(), expected.coordinate(e).end()}] = expected.entries[e];
  auto complexOf = [&](const Number &number) {
    return expected.type.isInteger() ? static_cast<double>(number.integer) : number.value;
  };
  for (const auto &[at, cell] : cells) {
    auto found = entries.find(at);
    if (found == entries.end() && !expected.complete)
      continue;
    Complex value = complexOf(found == entries.end() ? expected.fill : found->second.value);
    bool stored = found == entries.end() ? expected.full : found->second.stored;
    Complex fill = complexOf(expected.fill);
    bool isFill =
        near(cell.value.real(), fill.real(), 0) && near(cell.value.imag(), fill.imag(), 0);
    bool shouldBe = expected.full || !cell.known || !isFill;
    // The bound on rounding holds for the order of these loops too.
    double tolerance = found == entries.end() ? 0 : 4 * found->second.error;
    if (stored != shouldBe || !near(cell.value.real(), value.real(), tolerance) ||
        !near(cell.value.imag(), value.imag(), tolerance))
      result += text(at) + ": loops give " + text({}, Number{cell.value}) +
                (shouldBe ? " stored" : " absent") + ", the reference " + text({}, Number{value}) +
                (stored ? " stored\n" : " absent\n");
    entries.erase(at);
  }
  for (const auto &[at, entry] : entries)
    result += text(at) + " is outside the result\n";
  return result;
}

} // namespace strata::reference
