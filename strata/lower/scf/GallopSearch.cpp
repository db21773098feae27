// Emits the search of an iterator by steps of growing length.
#include "strata/lower/scf/GallopSearch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace strata {

Value firstNotBelow(Value target, const LevelCursor &walk, Value begin, const CoordinateKey &key,
                    OpBuilder &b, Location loc) {
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value two = arith::ConstantIndexOp::create(b, loc, 2);
  auto add = [&](Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); };
  auto isBelow = [&](Value position) {
    return key.less(b, loc, key.pack(b, loc, walk.at(ValueRange{position}).coordinates), target);
  };
  auto last = [&](const Values &state) -> Value {
    return arith::SubIOp::create(b, loc, add(state[0], state[1]), one);
  };
  Values steps = whileLoop(
      b, loc, {begin, one},
      [&](Values state) {
        Value at = last(state);
        return choice(
            b, loc, less(b, loc, at, walk.end()), b.getI1Type(),
            [&]() -> Values { return {isBelow(at)}; },
            [&]() -> Values { return {arith::ConstantIntOp::create(b, loc, 0, 1)}; })[0];
      },
      [&](Values state) -> Values {
        return {add(state[0], state[1]), arith::MulIOp::create(b, loc, state[1], two)};
      });
  Value high = arith::MinSIOp::create(b, loc, last(steps), walk.end());
  return whileLoop(
      b, loc, {steps[0], high}, [&](Values state) { return less(b, loc, state[0], state[1]); },
      [&](Values state) -> Values {
        Value middle = arith::DivUIOp::create(b, loc, add(state[0], state[1]), two);
        Value below = isBelow(middle);
        return {arith::SelectOp::create(b, loc, below, add(middle, one), state[0]),
                arith::SelectOp::create(b, loc, below, state[1], middle)};
      })[0];
}

} // namespace strata
