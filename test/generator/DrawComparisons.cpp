// Comparisons of labels: triangles, bands, sums up to a label.
#include "Drawer.h"

namespace strata::test {

// j - i + 1 < 0, |i - j| <= 2, i == 3
Expression Drawer::drawComparison(const std::vector<unsigned> &labels) {
  Expression result;
  result.kind = Expression::Kind::operation;
  Position sum = Position::of(comparisons.pick(labels));
  unsigned other = comparisons.pick(labels);
  if (comparisons.chance(12))
    sum.terms[0].factor = comparisons.pick<int64_t>({2, 3, -1});
  if (other != sum.terms[0].variable && comparisons.chance(85))
    sum.terms.push_back({other, comparisons.chance(85) ? -1 : comparisons.pick<int64_t>({1, -2})});
  sum.offset = comparisons.chance(60) ? comparisons.between(-4, 4) : 0;
  if (sum.terms.size() == 1 && comparisons.chance(80))
    sum.offset = -comparisons.between(0, c.variables[sum.terms[0].variable].extent);
  result.place.push_back(std::move(sum));
  if (comparisons.chance(20)) {
    result.inner = "distance";
    result.op = comparisons.pick({"lt", "le", "le", "gt", "eq"});
    result.value = double(comparisons.between(0, 3));
  } else {
    result.op = comparisons.pick({"lt", "le", "gt", "ge", "lt", "le", "gt", "ge", "eq", "ne"});
  }
  return result;
}

// Chooses, by one or two comparisons, between the value, or the terms of the outermost reduction,
// and a number, mostly the one that changes nothing.
void Drawer::compareLabels() {
  const bool reduces = c.value.kind == Expression::Kind::reduction && comparisons.chance(80);
  Expression &value = reduces ? c.value.operands.front() : c.value;
  std::vector<unsigned> labels = c.left;
  if (reduces)
    labels.insert(labels.end(), c.value.reduced.begin(), c.value.reduced.end());
  if (labels.empty())
    return;
  Expression otherwise;
  otherwise.value = reduces && c.value.op == "mul" ? 1 : 0;
  if (comparisons.chance(15))
    otherwise.value = 1;
  for (int64_t count = comparisons.chance(70) ? 1 : 2; count > 0; --count) {
    Expression chosen;
    chosen.kind = Expression::Kind::operation;
    chosen.op = "select";
    chosen.operands = {drawComparison(labels), std::move(value), otherwise};
    if (comparisons.chance(20))
      std::swap(chosen.operands[1], chosen.operands[2]);
    value = std::move(chosen);
  }
}

} // namespace strata::test
