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

static bool uses(const Expression &expression, unsigned label) {
  for (const Position &position : expression.place)
    for (const auto &term : position.terms)
      if (term.variable == label)
        return true;
  for (const Expression &operand : expression.operands)
    if (uses(operand, label))
      return true;
  return false;
}

// A comparison of a running sum, whose terms only grow with a label of the left side that they do
// not have.
static Expression growing(unsigned summed, unsigned follows, int64_t offset, std::string relation) {
  Expression result;
  result.kind = Expression::Kind::operation;
  result.op = std::move(relation);
  Position sum = Position::of(summed);
  sum.terms.push_back({follows, -1});
  sum.offset = offset;
  result.place.push_back(std::move(sum));
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
  std::vector<unsigned> apart;
  for (unsigned label : c.left)
    if (!uses(value, label))
      apart.push_back(label);
  if (reduces && apart.empty() && c.left.size() < 3 && comparisons.chance(40)) {
    c.left.push_back(freshVariable());
    c.variables.back().extent = comparisons.between(1, 7);
    apart.push_back(c.left.back());
  }
  const bool runs = reduces && !apart.empty() && comparisons.chance(70);
  for (int64_t count = comparisons.chance(70) ? 1 : 2; count > 0; --count) {
    Expression chosen;
    chosen.kind = Expression::Kind::operation;
    chosen.op = "select";
    Expression comparison =
        runs ? growing(comparisons.pick(c.value.reduced), comparisons.pick(apart),
                       comparisons.between(-2, 2), comparisons.pick<std::string>({"lt", "le"}))
             : drawComparison(labels);
    chosen.operands = {std::move(comparison), std::move(value), otherwise};
    if (comparisons.chance(20))
      std::swap(chosen.operands[1], chosen.operands[2]);
    value = std::move(chosen);
  }
}

} // namespace strata::test
