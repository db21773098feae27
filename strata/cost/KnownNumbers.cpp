// Follows arithmetic on sizes and on the variables of loops.
#include "strata/cost/KnownNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace strata::cost {

// The mean length of blocks of so many values; of the last one there may be fewer left.
std::optional<double> KnownNumbers::meanOfBlocks(std::optional<double> block, Value left) const {
  auto difference = left.getDefiningOp<arith::SubIOp>();
  std::optional<double> all = difference ? numberOf(difference.getLhs()) : std::nullopt;
  if (!block || !all || *block <= 0)
    return block;
  return *all / std::max(std::ceil(*all / *block), 1.0);
}

std::optional<double> KnownNumbers::numberOf(Value value) const {
  if (auto known = numbers.find(value); known != numbers.end())
    return known->second;
  Operation *def = value.getDefiningOp();
  if (!def)
    return std::nullopt;
  if (auto constant = dyn_cast<arith::ConstantIndexOp>(def))
    return double(constant.value());
  if (def->getNumOperands() != 2)
    return std::nullopt;
  std::optional<double> x = numberOf(def->getOperand(0)), y = numberOf(def->getOperand(1));
  if (isa<arith::MinUIOp, arith::MinSIOp>(def)) {
    if (x && y)
      return std::min(*x, *y);
    return meanOfBlocks(x ? x : y, def->getOperand(x ? 1 : 0));
  }
  if (!x || !y)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<double>>(def)
      .Case([&](arith::AddIOp) { return *x + *y; })
      .Case([&](arith::SubIOp) { return *x - *y; })
      .Case([&](arith::MulIOp) { return *x * *y; })
      .Case<arith::MaxUIOp, arith::MaxSIOp>([&](auto) { return std::max(*x, *y); })
      .Case([&](arith::DivUIOp) { return *y > 0 ? std::floor(*x / *y) : 0; })
      .Case([&](arith::CeilDivUIOp) { return *y > 0 ? std::ceil(*x / *y) : 0; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<double> KnownNumbers::meanOf(Value value) const {
  if (auto known = means.find(value); known != means.end())
    return known->second;
  Operation *def = value.getDefiningOp();
  if (auto choice = dyn_cast_or_null<arith::SelectOp>(def))
    return meanOf(choice.getTrueValue());
  if (!def || def->getNumOperands() != 2)
    return numberOf(value);
  std::optional<double> x = meanOf(def->getOperand(0)), y = meanOf(def->getOperand(1));
  if (!x || !y)
    return numberOf(value);
  return llvm::TypeSwitch<Operation *, std::optional<double>>(def)
      .Case([&](arith::AddIOp) { return *x + *y; })
      .Case([&](arith::SubIOp) { return *x - *y; })
      .Case([&](arith::MulIOp) { return *x * *y; })
      .Case([&](arith::MaxSIOp) { return std::max(*x, *y); })
      .Case([&](arith::MinSIOp) { return std::min(*x, *y); })
      .Case([&](arith::FloorDivSIOp) { return *y > 0 ? std::floor(*x / *y) : 0; })
      .Default([&](Operation *) { return numberOf(value); });
}

} // namespace strata::cost
