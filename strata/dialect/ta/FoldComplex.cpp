// Complex arithmetic on constants, in double, rounded to the type of the result.
#include "strata/dialect/ta/FoldComplex.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/TypeSwitch.h"

#include <complex>

using namespace mlir;

namespace strata::ta {

using Number = std::complex<double>;

static double inDouble(APFloat value) {
  bool inexact;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble();
}

static std::optional<Number> numberOf(TypedAttr attr) {
  if (auto complex = dyn_cast_if_present<complex::NumberAttr>(Attribute(attr)))
    return Number(inDouble(complex.getReal()), inDouble(complex.getImag()));
  if (auto real = dyn_cast_if_present<FloatAttr>(Attribute(attr)))
    return Number(inDouble(real.getValue()));
  return std::nullopt;
}

// By parts, as kernels multiply: infinities are not repaired.
static Number product(Number a, Number b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

TypedAttr foldComplex(Operation *op, ArrayRef<TypedAttr> operands) {
  SmallVector<Number> x;
  for (TypedAttr operand : operands) {
    std::optional<Number> number = numberOf(operand);
    if (!number)
      return {};
    x.push_back(*number);
  }
  using namespace mlir::complex;
  auto value = llvm::TypeSwitch<Operation *, std::optional<Number>>(op)
                   .Case([&](AddOp) { return x[0] + x[1]; })
                   .Case([&](SubOp) { return x[0] - x[1]; })
                   .Case([&](MulOp) { return product(x[0], x[1]); })
                   .Case([&](DivOp) { return x[0] / x[1]; })
                   .Case([&](PowOp) { return std::pow(x[0], x[1]); })
                   .Case([&](CreateOp) { return Number(x[0].real(), x[1].real()); })
                   .Case([&](ReOp) { return Number(x[0].real()); })
                   .Case([&](ImOp) { return Number(x[0].imag()); })
                   .Case([&](AbsOp) { return Number(std::abs(x[0])); })
                   .Case([&](NegOp) { return -x[0]; })
                   .Case([&](ConjOp) { return std::conj(x[0]); })
                   .Case([&](SqrtOp) { return std::sqrt(x[0]); })
                   .Case([&](ExpOp) { return std::exp(x[0]); })
                   .Case([&](LogOp) { return std::log(x[0]); })
                   .Case([&](SinOp) { return std::sin(x[0]); })
                   .Case([&](CosOp) { return std::cos(x[0]); })
                   .Case([&](TanOp) { return std::tan(x[0]); })
                   .Case([&](TanhOp) { return std::tanh(x[0]); })
                   .Default([](Operation *) { return std::nullopt; });
  if (!value)
    return {};
  Type type = op->getResult(0).getType();
  if (auto complex = dyn_cast<ComplexType>(type))
    return cast<TypedAttr>(Attribute(NumberAttr::get(complex, value->real(), value->imag())));
  return FloatAttr::get(type, value->real());
}

} // namespace strata::ta
