// Operations on elements that can be done for several of them at once.
#include "strata/lower/scf/VectorElements.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace strata {

VectorType vectorOf(Type element, int64_t lanes) {
  if (auto number = dyn_cast<ComplexType>(element))
    return VectorType::get({2 * lanes}, number.getElementType());
  return VectorType::get({lanes}, element);
}

SmallVector<Value, 2> partsOf(OpBuilder &b, Value element) {
  Location loc = element.getLoc();
  if (!isa<ComplexType>(element.getType()))
    return {element};
  return {complex::ReOp::create(b, loc, element), complex::ImOp::create(b, loc, element)};
}

Value repeated(OpBuilder &b, Location loc, VectorType type, Value element) {
  if (!isa<ComplexType>(element.getType()))
    return vector::BroadcastOp::create(b, loc, type, element);
  VectorType half = VectorType::get({type.getNumElements() / 2}, type.getElementType());
  auto parts = llvm::map_to_vector(partsOf(b, element), [&](Value part) -> Value {
    return vector::BroadcastOp::create(b, loc, half, part);
  });
  return vector::InterleaveOp::create(b, loc, parts[0], parts[1]);
}

Value elementOf(OpBuilder &b, Location loc, Value vector, int64_t lane, Type type) {
  auto at = [&](int64_t part) -> Value { return vector::ExtractOp::create(b, loc, vector, part); };
  if (!isa<ComplexType>(type))
    return at(lane);
  return complex::CreateOp::create(b, loc, type, at(2 * lane), at(2 * lane + 1));
}

static Value maskOfParts(OpBuilder &b, Location loc, Value mask) {
  return vector::InterleaveOp::create(b, loc, mask, mask);
}

Value chosen(OpBuilder &b, Location loc, Value mask, Value then, Value otherwise, Type type) {
  if (isa<ComplexType>(type))
    mask = maskOfParts(b, loc, mask);
  return arith::SelectOp::create(b, loc, mask, then, otherwise);
}

// Of a buffer of complex numbers, their parts.
static VectorWindow ofParts(OpBuilder &b, Location loc, VectorWindow window) {
  auto type = cast<MemRefType>(window.buffer.getType());
  auto number = dyn_cast<ComplexType>(type.getElementType());
  if (!number)
    return window;
  auto parts = MemRefType::get(type.getShape(), number.getElementType(), type.getLayout(),
                               type.getMemorySpace());
  Value two = arith::ConstantIndexOp::create(b, loc, 2);
  return {UnrealizedConversionCastOp::create(b, loc, parts, window.buffer).getResult(0),
          arith::MulIOp::create(b, loc, window.at, two),
          window.mask ? maskOfParts(b, loc, window.mask) : Value()};
}

Value loadVector(OpBuilder &b, Location loc, VectorWindow window, VectorType type) {
  window = ofParts(b, loc, window);
  if (!window.mask)
    return vector::LoadOp::create(b, loc, type, window.buffer, window.at);
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return vector::MaskedLoadOp::create(b, loc, type, window.buffer, window.at, window.mask, none);
}

void storeVector(OpBuilder &b, Location loc, Value values, VectorWindow window) {
  window = ofParts(b, loc, window);
  if (window.mask)
    vector::MaskedStoreOp::create(b, loc, window.buffer, window.at, window.mask, values);
  else
    vector::StoreOp::create(b, loc, values, window.buffer, window.at);
}

bool isElementwiseOfComplex(Operation &op) {
  return isa<complex::AddOp, complex::SubOp, complex::MulOp, complex::NegOp, complex::ConjOp,
             complex::ReOp, complex::ImOp, complex::CreateOp>(op);
}

Value widenedTo(OpBuilder &b, VectorType type, Value value, Value scalar, IRMapping &vectors) {
  if (Value known = vectors.lookupOrNull(value))
    return known;
  Value wide = repeated(b, value.getLoc(), type, scalar);
  vectors.map(value, wide);
  return wide;
}

//===------------------------------------------------------------------------------------------===//
// Complex numbers, whose parts take turns
//===------------------------------------------------------------------------------------------===//

namespace {

class PartsInTurns {
public:
  PartsInTurns(OpBuilder &b, Operation &op) : b(b), loc(op.getLoc()) {
    auto known = dyn_cast<arith::ArithFastMathInterface>(op);
    flags = known ? known.getFastMathFlagsAttr() : arith::FastMathFlagsAttr();
  }

  Value sum(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y, flags); }
  Value difference(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y, flags); }
  Value negative(Value x) { return arith::NegFOp::create(b, loc, x, flags); }
  Value conjugate(Value x) {
    return arith::SelectOp::create(b, loc, imaginaryLanes(x), negative(x), x);
  }

  // (a + bi) (c + di) = (ac - bd) + (ad + bc) i
  Value product(Value x, Value y) {
    Value straight = arith::MulFOp::create(
        b, loc, shuffled(x, [](int64_t lane) { return lane & ~1; }), y, flags);
    Value imaginary = shuffled(x, [](int64_t lane) { return lane | 1; });
    Value signs =
        arith::SelectOp::create(b, loc, imaginaryLanes(x), imaginary, negative(imaginary));
    Value crossed = shuffled(y, [](int64_t lane) { return lane ^ 1; });
    return sum(straight, arith::MulFOp::create(b, loc, signs, crossed, flags));
  }

private:
  Value shuffled(Value vector, llvm::function_ref<int64_t(int64_t)> from) {
    auto lanes = llvm::map_to_vector(llvm::seq(cast<VectorType>(vector.getType()).getNumElements()),
                                     [&](int64_t lane) { return from(lane); });
    return vector::ShuffleOp::create(b, loc, vector, vector, lanes);
  }

  Value imaginaryLanes(Value vector) {
    int64_t count = cast<VectorType>(vector.getType()).getNumElements();
    auto lanes = llvm::map_to_vector(llvm::seq(count), [](int64_t lane) { return lane % 2 == 1; });
    auto type = VectorType::get({count}, b.getI1Type());
    return arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, lanes));
  }

  OpBuilder &b;
  Location loc;
  arith::FastMathFlagsAttr flags;
};

} // namespace

static Value widenedComplex(OpBuilder &b, Operation &op, ValueRange of) {
  PartsInTurns parts(b, op);
  Location loc = op.getLoc();
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case<complex::AddOp>([&](auto) { return parts.sum(of[0], of[1]); })
      .Case<complex::SubOp>([&](auto) { return parts.difference(of[0], of[1]); })
      .Case<complex::MulOp>([&](auto) { return parts.product(of[0], of[1]); })
      .Case<complex::NegOp>([&](auto) { return parts.negative(of[0]); })
      .Case<complex::ConjOp>([&](auto) { return parts.conjugate(of[0]); })
      .Case<complex::ReOp>(
          [&](auto) { return vector::DeinterleaveOp::create(b, loc, of[0]).getResult(0); })
      .Case<complex::ImOp>(
          [&](auto) { return vector::DeinterleaveOp::create(b, loc, of[0]).getResult(1); })
      .Case<complex::CreateOp>(
          [&](auto) { return vector::InterleaveOp::create(b, loc, of[0], of[1]); });
}

Value widened(OpBuilder &b, Operation &op, ValueRange operands, VectorType type) {
  if (isElementwiseOfComplex(op))
    return widenedComplex(b, op, operands);
  SmallVector<Value> all(operands);
  if (isa<arith::SelectOp>(op) && isa<ComplexType>(op.getResult(0).getType()) &&
      isa<VectorType>(all[0].getType()))
    all[0] = maskOfParts(b, op.getLoc(), all[0]);
  return b.create(op.getLoc(), op.getName().getIdentifier(), all, {type}, op.getAttrs())
      ->getResult(0);
}

} // namespace strata
