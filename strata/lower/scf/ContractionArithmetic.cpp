// Numbers are computed with part by part: of complex ones the real parts of some lie in one vector,
// the imaginary ones in another, so that a product is four fused multiply-adds without a shuffle.
#include "strata/lower/scf/ContractionArithmetic.h"

#include "strata/dialect/ta/Algebra.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace strata {

using Parts = ContractionArithmetic::Parts;

// Terms are added in the order of the loops that keep the tile, and products may be fused with
// sums.
constexpr auto relaxed = arith::FastMathFlags::contract | arith::FastMathFlags::reassoc;

ContractionArithmetic::ContractionArithmetic(const Contraction &contraction, Location loc,
                                             OpBuilder &b)
    : real(contraction.element), sums(contraction.sums), products(contraction.products),
      element(contraction.element), loc(loc), b(b) {
  if (auto number = dyn_cast<ComplexType>(element)) {
    real = number.getElementType();
    parts = 2;
  }
}

Value ContractionArithmetic::combine(ta::Combine combine, Value x, Value y,
                                     arith::FastMathFlags flags) {
  bool isFloat = isa<FloatType>(real);
  switch (combine) {
  case ta::Combine::add:
    if (isFloat)
      return arith::AddFOp::create(b, loc, x, y, flags);
    return arith::AddIOp::create(b, loc, x, y);
  case ta::Combine::mul:
    if (isFloat)
      return arith::MulFOp::create(b, loc, x, y, flags);
    return arith::MulIOp::create(b, loc, x, y);
  case ta::Combine::min:
    if (isFloat)
      return arith::MinimumFOp::create(b, loc, x, y);
    return arith::MinSIOp::create(b, loc, x, y);
  case ta::Combine::max:
    if (isFloat)
      return arith::MaximumFOp::create(b, loc, x, y);
    return arith::MaxSIOp::create(b, loc, x, y);
  case ta::Combine::umin:
    return arith::MinUIOp::create(b, loc, x, y);
  case ta::Combine::umax:
  case ta::Combine::any: // contractions know neither this one nor those that follow
  case ta::Combine::lor:
  case ta::Combine::land:
  case ta::Combine::lxor:
    break;
  }
  return arith::MaxUIOp::create(b, loc, x, y);
}

Value ContractionArithmetic::subtract(Value x, Value y) {
  if (isa<FloatType>(real))
    return arith::SubFOp::create(b, loc, x, y, relaxed);
  return arith::SubIOp::create(b, loc, x, y);
}

Value ContractionArithmetic::sum(Value x, Value y) {
  return combine(sums, x, y, arith::FastMathFlags::none);
}

Parts ContractionArithmetic::neutral(int64_t lanes) {
  TypedAttr one = ta::identityOf(sums, real);
  if (lanes > 0)
    one = DenseElementsAttr::get(VectorType::get({lanes}, real), Attribute(one));
  return Parts(parts, arith::ConstantOp::create(b, loc, one));
}

Parts ContractionArithmetic::multiplyAdd(const Parts &before, const Parts &x, const Parts &y) {
  auto added = [&](Value sum, Value u, Value v) {
    return combine(sums, sum, combine(products, u, v, relaxed), relaxed);
  };
  if (parts == 1)
    return {added(before[0], x[0], y[0])};
  Value difference = combine(products, x[1], y[1], relaxed);
  return {subtract(added(before[0], x[0], y[0]), difference),
          added(added(before[1], x[0], y[1]), x[1], y[0])};
}

Parts ContractionArithmetic::product(const Parts &x, const Parts &y) {
  auto times = [&](Value u, Value v) {
    return combine(products, u, v, arith::FastMathFlags::contract);
  };
  if (parts == 1)
    return {times(x[0], y[0])};
  return {subtract(times(x[0], y[0]), times(x[1], y[1])),
          combine(ta::Combine::add, times(x[0], y[1]), times(x[1], y[0]), relaxed)};
}

Parts ContractionArithmetic::negative(const Parts &x) {
  Parts negated;
  for (Value part : x) {
    if (isa<FloatType>(real)) {
      negated.push_back(arith::NegFOp::create(b, loc, part));
      continue;
    }
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(part.getType()));
    negated.push_back(arith::SubIOp::create(b, loc, zero, part));
  }
  return negated;
}

Parts ContractionArithmetic::partsOf(Value number) {
  if (parts == 1)
    return {number};
  return {complex::ReOp::create(b, loc, number), complex::ImOp::create(b, loc, number)};
}

Parts ContractionArithmetic::broadcast(const Parts &number, int64_t lanes) {
  Parts vectors;
  for (Value part : number)
    vectors.push_back(vector::BroadcastOp::create(b, loc, VectorType::get({lanes}, real), part));
  return vectors;
}

//===------------------------------------------------------------------------------------------===//
// In memory
//===------------------------------------------------------------------------------------------===//

VectorType ContractionArithmetic::vectorInMemory(int64_t lanes) const {
  return VectorType::get({lanes * parts}, real);
}

Value ContractionArithmetic::joined(const Parts &vectors) {
  if (parts == 1)
    return vectors[0];
  int64_t lanes = cast<VectorType>(vectors[0].getType()).getNumElements();
  SmallVector<int64_t> order;
  for (int64_t lane = 0; lane < lanes; ++lane)
    order.append({lane, lanes + lane});
  return vector::ShuffleOp::create(b, loc, vectors[0], vectors[1], order);
}

Parts ContractionArithmetic::parted(Value vector) {
  if (parts == 1)
    return {vector};
  Parts vectors;
  for (int64_t part = 0; part < parts; ++part) {
    SmallVector<int64_t> order;
    for (int64_t at = part; at < cast<VectorType>(vector.getType()).getNumElements(); at += parts)
      order.push_back(at);
    vectors.push_back(vector::ShuffleOp::create(b, loc, vector, vector, order));
  }
  return vectors;
}

Value ContractionArithmetic::widened(Value stored) {
  auto vector = dyn_cast<VectorType>(stored.getType());
  Type wide = vector ? Type(vector.clone(real)) : real;
  return stored.getType() == wide ? stored : Value(arith::ExtFOp::create(b, loc, wide, stored));
}

// A buffer of complex numbers begins where that of their parts does: the descriptors are alike.
Value ContractionArithmetic::partsIn(Value buffer) {
  if (parts == 1)
    return buffer;
  auto type = MemRefType::get({ShapedType::kDynamic}, real);
  return UnrealizedConversionCastOp::create(b, loc, type, buffer).getResult(0);
}

} // namespace strata
