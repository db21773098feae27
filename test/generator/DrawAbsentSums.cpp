// Sums of which many have no terms, beside factors that are infinite or NaN, and divisors that are
// zero: R(i, k) = w(i) * sum(j, A(j, i) * B(j, k)) / d(k).
#include "Drawer.h"

#include <cmath>
#include <limits>

namespace strata::test {

// Values of one sign: whether a sum of infinite terms is a number does not depend on whether these
// are multiplied by a factor one by one.
static void makePositive(TensorData &data) {
  for (Entry &entry : data.entries)
    entry.value = std::abs(entry.value);
}

// An operand of a sum, with few entries if it is sparse.
Expression Drawer::drawTerm(const std::vector<unsigned> &labels, int sparse) {
  std::vector<unsigned> own = labels;
  if (absent.chance(50))
    absent.shuffle(own);
  const auto order = static_cast<unsigned>(own.size());
  const bool dense = order == 0 || !absent.chance(sparse);
  NamedFormat format{order ? "Dense" : "scalar", ""};
  while (!dense && (format.text.empty() || hasPadding(format, order)))
    format = drawFormat(absent, order);
  Expression access =
      addOperand(absent, own, format,
                 {.density = dense ? 1 : absent.pick({0.0, 0.1, 0.3, 0.6}), .nonzero = true});
  makePositive(c.tensors[access.tensor].data);
  return access;
}

// Over one or two labels of its own, of one to three operands, the first of which is sparse.
Expression Drawer::drawAbsentSum() {
  Expression sum;
  sum.kind = Expression::Kind::reduction;
  sum.op = "add";
  for (int64_t count = absent.chance(80) ? 1 : 2; count > 0; --count) {
    sum.reduced.push_back(freshVariable());
    c.variables.back().extent = absent.between(1, 6);
  }
  auto labels = [&](int share) {
    std::vector<unsigned> some(sum.reduced);
    for (unsigned label : c.left)
      if (absent.chance(share))
        some.push_back(label);
    return some;
  };
  Expression product = drawTerm(labels(60), 100);
  for (size_t count = absent.weighted({35, 45, 20}); count > 0; --count) {
    Expression both;
    both.kind = Expression::Kind::binary;
    both.op = "*";
    both.operands = {std::move(product), drawTerm(labels(30), 35)};
    product = std::move(both);
  }
  sum.operands.push_back(std::move(product));
  return sum;
}

// A dense operand, or a number, of which much is infinite, NaN or zero.
Expression Drawer::drawUnboundedFactor() {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (absent.chance(10)) {
    Expression constant;
    constant.value = absent.pick({0.5, 2.0, infinity});
    return constant;
  }
  std::vector<unsigned> own;
  for (unsigned label : c.left)
    if (absent.chance(70))
      own.push_back(label);
  Expression access = addOperand(absent, own, {own.empty() ? "scalar" : "Dense", ""},
                                 {.density = 1, .nonzero = true});
  TensorData &data = c.tensors[access.tensor].data;
  makePositive(data);
  const int share = absent.pick({0, 30, 60, 100});
  for (Entry &entry : data.entries)
    if (absent.chance(share))
      entry.value = absent.pick({infinity, infinity, nan, 0.0, 0.0});
  return access;
}

// What is done with a sum, or what has been made of some.
Expression Drawer::drawBesideFactor(Expression value) {
  Expression result;
  result.kind = Expression::Kind::binary;
  const size_t kind = absent.weighted({45, 20, 10, 10, 8, 7});
  if (kind == 4) {
    result.kind = Expression::Kind::negation;
    result.operands.push_back(std::move(value));
    return result;
  }
  if (kind == 5) {
    result.kind = Expression::Kind::operation;
    result.op = "max";
    result.operands.push_back(std::move(value));
    result.operands.push_back(drawUnboundedFactor());
    return result;
  }
  result.op = kind == 1 ? "/" : kind == 2 ? "+" : "*";
  Expression other = kind == 3 || absent.chance(15) ? drawAbsentSum() : drawUnboundedFactor();
  if (kind == 1 && other.kind == Expression::Kind::reduction)
    other = drawUnboundedFactor();
  result.operands = {std::move(value), std::move(other)};
  if (kind != 1 && absent.chance(40))
    std::swap(result.operands[0], result.operands[1]);
  return result;
}

Case Drawer::drawAbsentSums() {
  c.type = absent.chance(75) ? STRATA_F64 : STRATA_F32;
  for (size_t count = absent.weighted({10, 50, 40}); count > 0; --count) {
    c.left.push_back(freshVariable());
    c.variables.back().extent = absent.between(1, 7);
  }
  c.value = drawAbsentSum();
  for (int64_t count = absent.between(1, 3); count > 0; --count)
    c.value = drawBesideFactor(std::move(c.value));
  for (unsigned variable : c.left) {
    c.out.push_back(Position::of(variable));
    c.resultSlack.push_back(0);
  }
  const auto order = static_cast<unsigned>(c.left.size());
  c.resultFormat = order == 0 || absent.chance(85) ? NamedFormat{order ? "Dense" : "scalar", ""}
                                                   : drawFormat(absent, order);
  c.fitSizes();
  return std::move(c);
}

} // namespace strata::test
