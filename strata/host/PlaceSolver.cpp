// Solves the place of an access for its index variables.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/PlaceSolver.h"

#include <algorithm>
#include <optional>

namespace strata::host {

using Kind = Affine::Kind;

// A part of a function: the terms up to `root`, as many as it needs.
class PlaceSolver::Expression {
public:
  explicit Expression(const Affine &affine)
      : terms(&affine.list()), root(affine.list().size() - 1) {}

  Kind kind() const { return term().kind; }
  int64_t value() const { return term().value; }
  Expression right() const { return Expression(*terms, root - 1); }
  Expression left() const { return Expression(*terms, right().first() - 1); }

  bool uses(int64_t variable) const {
    if (isLeaf())
      return kind() == Kind::Input && value() == variable;
    return left().uses(variable) || right().uses(variable);
  }
  Interval values(const std::vector<Interval> &ranges) const {
    auto begin = terms->begin() + ptrdiff_t(first()), end = terms->begin() + ptrdiff_t(root) + 1;
    return Affine(std::vector<Affine::Term>(begin, end)).values(ranges);
  }
  // What a step of the variable adds; nothing where that depends on other things.
  std::optional<int64_t> factorOf(int64_t variable) const {
    if (isLeaf())
      return kind() == Kind::Input && value() == variable;
    if (kind() != Kind::Add && kind() != Kind::Multiply)
      return uses(variable) ? std::nullopt : std::optional<int64_t>(0);
    std::optional<int64_t> a = left().factorOf(variable), b = right().factorOf(variable);
    if (kind() == Kind::Multiply)
      return a ? std::optional(*a * right().value()) : a;
    return a && b ? std::optional(*a + *b) : std::nullopt;
  }

private:
  Expression(const std::vector<Affine::Term> &terms, size_t root) : terms(&terms), root(root) {}
  const Affine::Term &term() const { return (*terms)[root]; }
  bool isLeaf() const { return kind() == Kind::Input || kind() == Kind::Constant; }
  size_t first() const { return isLeaf() ? root : left().first(); }

  const std::vector<Affine::Term> *terms;
  size_t root;
};

PlaceSolver::PlaceSolver(const Place &place, const std::vector<int64_t> &extents)
    : place(place), extents(extents), variables(extents.size()), ranges(extents.size()) {
  std::vector<bool> solved(extents.size());
  for (const Place::Solution &solution : place.solutions)
    solved[size_t(solution.variable)] = true;
  for (size_t variable = 0; variable < extents.size(); ++variable)
    if (!solved[variable])
      open.push_back(variable);
  findLines();
}

void PlaceSolver::findLines() {
  const std::vector<int64_t> zeros(extents.size(), 0);
  std::vector<bool> determined(extents.size());
  for (size_t at = 0; at < place.coordinates.size(); ++at) {
    const Affine &coordinate = place.coordinates[at];
    std::vector<size_t> used;
    for (size_t variable = 0; variable < extents.size(); ++variable)
      if (coordinate.uses(int64_t(variable)))
        used.push_back(variable);
    if (used.size() != 1)
      continue;
    std::optional<int64_t> factor = Expression(coordinate).factorOf(int64_t(used.front()));
    if (!factor || *factor == 0)
      continue;
    lines.push_back(
        {at, used.front(), *factor, coordinate.evaluate(zeros), !determined[used.front()]});
    determined[used.front()] = true;
  }
  linesSuffice = lines.size() == place.coordinates.size() &&
                 std::find(determined.begin(), determined.end(), false) == determined.end();
}

bool PlaceSolver::computeSolutions(std::span<const int64_t> coordinates) {
  for (size_t at = 0; at < ranges.size(); ++at)
    ranges[at] = {0, extents[at] - 1};
  for (const Place::Solution &solution : place.solutions) {
    auto at = size_t(solution.variable);
    int64_t scaled = coordinates[size_t(solution.coordinate)] - solution.rest.evaluate(variables);
    variables[at] = scaled / solution.factor;
    if (scaled % solution.factor != 0 || variables[at] < 0 || variables[at] >= extents[at])
      return false;
    ranges[at] = {variables[at], variables[at]};
  }
  return true;
}

void PlaceSolver::narrowAll(std::span<const int64_t> coordinates, size_t variable) {
  for (size_t dim = 0; dim < coordinates.size(); ++dim)
    narrow(Expression(place.coordinates[dim]), {coordinates[dim], coordinates[dim]}, variable);
}

// Narrows the range of `variable`, knowing that `expr` is in `to`.
void PlaceSolver::narrow(const Expression &expr, Interval to, size_t variable) {
  if (!expr.uses(int64_t(variable)))
    return;
  if (expr.kind() == Kind::Input) {
    Interval &range = ranges[variable];
    range = {std::max(range.least, to.least), std::min(range.most, to.most)};
    return;
  }
  Expression left = expr.left(), right = expr.right();
  if (expr.kind() == Kind::Add) {
    Interval a = left.values(ranges), b = right.values(ranges);
    narrow(left, {to.least - b.most, to.most - b.least}, variable);
    narrow(right, {to.least - a.most, to.most - a.least}, variable);
    return;
  }
  int64_t factor = right.value();
  if (expr.kind() == Kind::Multiply) {
    if (factor < 0)
      to = {-to.most, -to.least};
    int64_t size = std::abs(factor);
    return narrow(left, {divideCeil(to.least, size), divideFloor(to.most, size)}, variable);
  }
  if (expr.kind() == Kind::FloorDivide)
    return narrow(left, {to.least * factor, to.most * factor + factor - 1}, variable);
  if (expr.kind() == Kind::Modulo)
    narrowRemainder(expr, to, variable);
}

// A remainder says where in its period a number is; where the number's period is known, it says
// where the number is.
void PlaceSolver::narrowRemainder(const Expression &remainder, Interval to, size_t variable) {
  Expression number = remainder.left();
  int64_t divisor = remainder.right().value();
  Interval values = number.values(ranges);
  if (values.least > values.most)
    return;
  int64_t period = divideFloor(values.least, divisor) * divisor;
  if (values.most < period + divisor)
    return narrow(number, {period + to.least, period + to.most}, variable);
  if (to.least != to.most || number.factorOf(int64_t(variable)) != 1)
    return;
  std::vector<Interval> atZero = ranges;
  atZero[variable] = {0, 0};
  Interval others = number.values(atZero);
  if (others.least != others.most || divisor <= step)
    return;
  step = divisor;
  residue = to.least - others.least;
}

} // namespace strata::host
