// Evaluating and solving affine expressions.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Affine.h"

#include "mlir/IR/AffineExpr.h"

#include <bit>

using mlir::AffineBinaryOpExpr;
using mlir::AffineConstantExpr;
using mlir::AffineDimExpr;
using mlir::AffineExpr;
using mlir::AffineExprKind;

namespace strata::reference {

static VariableSet single(unsigned variable) { return VariableSet(1) << variable; }

llvm::SmallVector<unsigned, 8> members(VariableSet set) {
  llvm::SmallVector<unsigned, 8> result;
  for (; set; set &= set - 1)
    result.push_back(static_cast<unsigned>(std::countr_zero(set)));
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Expressions
//===------------------------------------------------------------------------------------------===//

static int64_t floorDivide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return quotient * b == a || (a < 0) == (b < 0) ? quotient : quotient - 1;
}

static int64_t combine(AffineExprKind kind, int64_t a, int64_t b) {
  switch (kind) {
  case AffineExprKind::Add:
    return a + b;
  case AffineExprKind::Mul:
    return a * b;
  case AffineExprKind::FloorDiv:
    return floorDivide(a, b);
  case AffineExprKind::CeilDiv:
    return -floorDivide(-a, b);
  case AffineExprKind::Mod:
  case AffineExprKind::Constant: // leaves are no operations
  case AffineExprKind::DimId:
  case AffineExprKind::SymbolId:
    break;
  }
  return a - floorDivide(a, b) * b;
}

static int64_t evaluate(AffineExpr expr, const Environment &environment) {
  if (auto dim = mlir::dyn_cast<AffineDimExpr>(expr))
    return environment.values[dim.getPosition()];
  if (auto constant = mlir::dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = mlir::cast<AffineBinaryOpExpr>(expr);
  return combine(expr.getKind(), evaluate(binary.getLHS(), environment),
                 evaluate(binary.getRHS(), environment));
}

static VariableSet variablesOf(AffineExpr expr) {
  VariableSet result = 0;
  expr.walk([&](AffineExpr part) {
    if (auto dim = mlir::dyn_cast<AffineDimExpr>(part))
      result |= single(dim.getPosition());
  });
  return result;
}

// The factor of a variable; nothing where the expression is not linear in it.
static std::optional<int64_t> coefficient(AffineExpr expr, unsigned variable) {
  if (!(variablesOf(expr) & single(variable)))
    return 0;
  if (mlir::isa<AffineDimExpr>(expr))
    return 1;
  auto binary = mlir::cast<AffineBinaryOpExpr>(expr);
  auto left = coefficient(binary.getLHS(), variable),
       right = coefficient(binary.getRHS(), variable);
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *left + *right;
  if (expr.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  if (auto factor = mlir::dyn_cast<AffineConstantExpr>(binary.getRHS()))
    return *left * factor.getValue();
  if (auto factor = mlir::dyn_cast<AffineConstantExpr>(binary.getLHS()))
    return *right * factor.getValue();
  return std::nullopt;
}

static std::pair<int64_t, int64_t> interval(AffineExpr expr, std::span<const int64_t> extents,
                                            bool &exact) {
  if (auto dim = mlir::dyn_cast<AffineDimExpr>(expr))
    return {0, extents[dim.getPosition()] - 1};
  if (auto constant = mlir::dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  auto binary = mlir::cast<AffineBinaryOpExpr>(expr);
  exact &= !(variablesOf(binary.getLHS()) & variablesOf(binary.getRHS()));
  auto a = interval(binary.getLHS(), extents, exact), b = interval(binary.getRHS(), extents, exact);
  if (expr.getKind() == AffineExprKind::Mod) {
    exact = false;
    return {0, b.second - 1};
  }
  int64_t ends[] = {
      combine(expr.getKind(), a.first, b.first), combine(expr.getKind(), a.second, b.second),
      combine(expr.getKind(), a.first, b.second), combine(expr.getKind(), a.second, b.first)};
  return {*std::ranges::min_element(ends), *std::ranges::max_element(ends)};
}

//===------------------------------------------------------------------------------------------===//
// Coordinates
//===------------------------------------------------------------------------------------------===//

AffineCoordinate::AffineCoordinate(mlir::AffineMap map, std::span<const unsigned> variables) {
  llvm::SmallVector<AffineExpr> dims;
  for (unsigned variable : variables)
    dims.push_back(mlir::getAffineDimExpr(variable, map.getContext()));
  for (AffineExpr expr : map.getResults()) {
    AffineExpr part = expr.replaceDims(dims);
    parts.push_back({part, variablesOf(part)});
    used |= parts.back().variables;
  }
}

uint64_t AffineCoordinate::determined(VariableSet bound) const {
  uint64_t result = 0;
  for (unsigned d = 0; d < order(); ++d)
    if (!(parts[d].variables & ~bound))
      result |= uint64_t(1) << d;
  return result;
}

int64_t AffineCoordinate::at(unsigned d, const Environment &environment) const {
  return evaluate(parts[d].expr, environment);
}

llvm::SmallVector<int64_t, 6> AffineCoordinate::at(const Environment &environment) const {
  llvm::SmallVector<int64_t, 6> result;
  for (const Part &part : parts)
    result.push_back(evaluate(part.expr, environment));
  return result;
}

std::pair<int64_t, int64_t> AffineCoordinate::bounds(unsigned d, std::span<const int64_t> extents,
                                                     bool &exact) const {
  exact = true;
  return interval(parts[d].expr, extents, exact);
}

// Solves for one variable where an expression leaves it alone open; where none does, tries all
// values of the variable with the fewest.
std::vector<AffineCoordinate::Step> AffineCoordinate::plan(VariableSet bound,
                                                           std::span<const int64_t> extents) const {
  std::vector<Step> steps;
  std::vector<bool> done(parts.size());
  while (true) {
    VariableSet before = bound;
    for (unsigned d = 0; d < order(); ++d) {
      VariableSet open = parts[d].variables & ~bound;
      if (done[d] || std::popcount(open) > 1)
        continue;
      auto variable = static_cast<unsigned>(std::countr_zero(open));
      auto factor = open ? coefficient(parts[d].expr, variable) : std::nullopt;
      if (open && !factor.value_or(0))
        continue;
      done[d] = true;
      bound |= open;
      if (open)
        steps.push_back({Step::Kind::solve, d, variable, *factor});
      else
        steps.push_back({Step::Kind::check, d});
    }
    if (bound != before)
      continue;
    llvm::SmallVector<unsigned, 8> open = members(used & ~bound);
    if (open.empty())
      return steps;
    unsigned least = *std::ranges::min_element(open, {}, [&](unsigned v) { return extents[v]; });
    bound |= single(least);
    steps.push_back({Step::Kind::enumerate, 0, least});
  }
}

void AffineCoordinate::follow(std::span<const Step> steps, std::span<const int64_t> coordinate,
                              Environment &environment, std::span<const int64_t> extents,
                              llvm::function_ref<void()> found) const {
  if (steps.empty())
    return found();
  const Step &step = steps.front();
  int64_t &value = environment.values[step.variable];
  auto rest = steps.subspan(1);
  switch (step.kind) {
  case Step::Kind::check:
    if (at(step.dimension, environment) == coordinate[step.dimension])
      follow(rest, coordinate, environment, extents, found);
    return;
  case Step::Kind::solve: {
    value = 0;
    int64_t distance = coordinate[step.dimension] - at(step.dimension, environment);
    value = distance / step.coefficient;
    if (value * step.coefficient != distance || value < 0 || value >= extents[step.variable])
      return;
    environment.bound |= single(step.variable);
    follow(rest, coordinate, environment, extents, found);
    return;
  }
  case Step::Kind::enumerate:
    environment.bound |= single(step.variable);
    for (int64_t i = 0; i < extents[step.variable]; ++i) {
      value = i;
      follow(rest, coordinate, environment, extents, found);
    }
    return;
  }
}

void AffineCoordinate::solve(std::span<const int64_t> coordinate, Environment &environment,
                             std::span<const int64_t> extents,
                             llvm::function_ref<void()> found) const {
  VariableSet bound = environment.bound;
  auto known = plans.find(bound & used);
  if (known == plans.end())
    known = plans.emplace(bound & used, plan(bound, extents)).first;
  follow(known->second, coordinate, environment, extents, found);
  environment.bound = bound;
}

} // namespace strata::reference
