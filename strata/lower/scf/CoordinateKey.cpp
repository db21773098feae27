// Packs coordinates into integers and compares these.
#include "strata/lower/scf/CoordinateKey.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace strata {

// Whole words, of which there is no less than one.
IntegerType CoordinateKey::type(OpBuilder &b) const {
  unsigned all = 0;
  for (unsigned one : bits)
    all += one;
  return b.getIntegerType(llvm::alignTo(all, 64));
}

static Value constant(OpBuilder &b, Location loc, IntegerType type, const APInt &value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

Value CoordinateKey::pack(OpBuilder &b, Location loc, ValueRange coordinates) const {
  if (!isTuple())
    return coordinates[0];
  IntegerType whole = type(b);
  unsigned width = whole.getWidth();
  Value key;
  for (auto [coordinate, own] : llvm::zip(coordinates, bits)) {
    Value part = arith::IndexCastUIOp::create(b, loc, b.getI64Type(), coordinate);
    if (width > 64)
      part = arith::ExtUIOp::create(b, loc, whole, part);
    if (!key) {
      key = part;
      continue;
    }
    Value shifted = arith::ShLIOp::create(b, loc, key, constant(b, loc, whole, APInt(width, own)));
    key = arith::OrIOp::create(b, loc, shifted, part);
  }
  return key;
}

Values CoordinateKey::unpack(OpBuilder &b, Location loc, Value key) const {
  if (!isTuple())
    return {key};
  IntegerType whole = type(b);
  unsigned width = whole.getWidth(), below = 0;
  Values coordinates(bits.size());
  for (unsigned at = bits.size(); at-- > 0; below += bits[at]) {
    Value part = key;
    if (below > 0)
      part = arith::ShRUIOp::create(b, loc, key, constant(b, loc, whole, APInt(width, below)));
    if (at > 0)
      part = arith::AndIOp::create(b, loc, part,
                                   constant(b, loc, whole, APInt::getLowBitsSet(width, bits[at])));
    if (width > 64)
      part = arith::TruncIOp::create(b, loc, b.getI64Type(), part);
    coordinates[at] = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), part);
  }
  return coordinates;
}

Value CoordinateKey::behindAll(OpBuilder &b, Location loc) const {
  if (!isTuple())
    return arith::ConstantIndexOp::create(b, loc, std::numeric_limits<int64_t>::max());
  IntegerType whole = type(b);
  return constant(b, loc, whole, APInt::getAllOnes(whole.getWidth()));
}

Value CoordinateKey::less(OpBuilder &b, Location loc, Value x, Value y) const {
  auto relation = isTuple() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  return arith::CmpIOp::create(b, loc, relation, x, y);
}

Value CoordinateKey::least(OpBuilder &b, Location loc, Value x, Value y) const {
  return isTuple() ? Value(arith::MinUIOp::create(b, loc, x, y))
                   : Value(arith::MinSIOp::create(b, loc, x, y));
}

Value CoordinateKey::greatest(OpBuilder &b, Location loc, Value x, Value y) const {
  return isTuple() ? Value(arith::MaxUIOp::create(b, loc, x, y))
                   : Value(arith::MaxSIOp::create(b, loc, x, y));
}

} // namespace strata
