// Sums of products as parts of a right side, as layers of networks and covariances have them:
// R(i, k) = max(D(i, k), w(i) * sum(j, A(i, j) * B(j, k))).
#include "Drawer.h"

namespace strata::test {

// An operand over some of these labels: dense, or, with the chance given, in any format.
Expression Drawer::drawBeside(const std::vector<unsigned> &labels, int sparse, bool divisor) {
  std::vector<unsigned> own;
  for (unsigned label : labels)
    if (sums.chance(70))
      own.push_back(label);
  if (own.empty())
    own = labels;
  if (sums.chance(20))
    sums.shuffle(own);
  const NamedFormat format = !divisor && sums.chance(sparse)
                                 ? drawFormat(sums, static_cast<unsigned>(own.size()))
                                 : NamedFormat{"Dense", ""};
  return addOperand(sums, own, format, drawHow(divisor));
}

// The sum, over one or two labels of its own, of a product of two or three operands.
Expression Drawer::drawSumOfProducts(const std::vector<unsigned> &left) {
  Expression sum;
  sum.kind = Expression::Kind::reduction;
  sum.op = sums.chance(85) || isComplex(c.type) ? "add" : sums.pick({"min", "max"});
  for (int64_t count = sums.chance(85) ? 1 : 2; count > 0; --count) {
    sum.reduced.push_back(freshVariable());
    c.variables.back().extent = sums.chance(3) ? 0 : sums.between(1, 9);
  }
  std::vector<unsigned> first(sum.reduced), second(sum.reduced);
  for (size_t at = 0; at < left.size(); ++at)
    (at == 0 ? first : second).push_back(left[at]);
  if (!sums.chance(20))
    std::ranges::rotate(first, first.end() - 1); // A(i, j)
  Expression product = addOperand(sums, first,
                                  sums.chance(55) ? drawFormat(sums, unsigned(first.size()))
                                                  : NamedFormat{"Dense", ""},
                                  drawHow(false));
  auto times = [&](Expression factor) {
    Expression both;
    both.kind = Expression::Kind::binary;
    both.op = sums.chance(90) ? "*" : "+";
    both.operands = {std::move(product), std::move(factor)};
    product = std::move(both);
  };
  times(addOperand(sums, second,
                   sums.chance(25) ? drawFormat(sums, unsigned(second.size()))
                                   : NamedFormat{"Dense", ""},
                   drawHow(false)));
  if (sums.chance(20))
    times(drawBeside(sum.reduced, 30, false));
  sum.operands.push_back(std::move(product));
  return sum;
}

// What is done with a value beside another operand, a constant, or nothing.
Expression Drawer::drawEpilogue(Expression value, const std::vector<unsigned> &left) {
  Expression result;
  const bool ordered = !isComplex(c.type);
  if (c.type != STRATA_BOOL && sums.chance(10)) {
    result.kind = Expression::Kind::negation;
    result.operands.push_back(std::move(value));
    return result;
  }
  if ((c.type == STRATA_F64 || c.type == STRATA_C128) && sums.chance(12)) {
    result.kind = Expression::Kind::operation;
    result.op = "function";
    result.inner = ordered ? sums.pick({"math.atan", "math.tanh", "math.sin"}) : "complex.conj";
    result.operands.push_back(std::move(value));
    return result;
  }
  const bool chooses = ordered && sums.chance(30);
  result.kind = chooses ? Expression::Kind::operation : Expression::Kind::binary;
  result.op = chooses                 ? sums.pick({"min", "max", "max"})
              : c.type == STRATA_BOOL ? sums.pick({"+", "*"})
                                      : sums.pick({"+", "+", "-", "*", "*", "/"});
  Expression other;
  if (left.empty() || sums.chance(20))
    other.value = drawValue(sums, c.type);
  else
    other = drawBeside(left, 25, result.op == "/");
  result.operands = {std::move(value), std::move(other)};
  if (result.op != "/" && sums.chance(40))
    std::swap(result.operands[0], result.operands[1]);
  return result;
}

Case Drawer::drawSums() {
  c.type = sums.chance(45) ? STRATA_F64 : allTypes[sums.below(int64_t(std::size(allTypes)))];
  for (int64_t count = sums.weighted({5, 15, 65, 15}); count > 0; --count) {
    c.left.push_back(freshVariable());
    c.variables.back().extent = sums.chance(3) ? 0 : sums.between(1, 13);
  }
  c.value = drawSumOfProducts(c.left);
  for (int64_t count = sums.between(0, 2); count > 0; --count)
    c.value = drawEpilogue(std::move(c.value), c.left);
  if (sums.chance(20)) {
    Expression both;
    both.kind = Expression::Kind::binary;
    both.op = "+";
    both.operands = {std::move(c.value), drawSumOfProducts(c.left)};
    c.value = drawEpilogue(std::move(both), c.left);
  }
  for (unsigned variable : c.left) {
    c.out.push_back(Position::of(variable));
    c.resultSlack.push_back(0);
  }
  const auto order = static_cast<unsigned>(c.left.size());
  c.resultFormat = order == 0 || sums.chance(80) ? NamedFormat{order ? "Dense" : "scalar", ""}
                                                 : drawFormat(sums, order);
  c.fitSizes();
  keepFinite();
  countPadding();
  return std::move(c);
}

} // namespace strata::test
