// Estimates from numbers of stored entries and extents, as if entries were spread evenly.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Cost.h"

#include <algorithm>
#include <bit>

namespace strata::reference {

double CostModel::count(VariableSet set) const {
  double product = 1;
  for (unsigned variable : members(set))
    product *= static_cast<double>(statement.extents[variable]);
  return product;
}

bool decides(const Expression &operation, unsigned at) {
  const Expression &operand = operation.operands[at];
  // What may be missing decides alone: beside it an absent zero is a value.
  if (operation.absent.missing)
    return operand.absent.missing;
  if (!annihilates(operation.element, at, operand.absent))
    return false;
  // Unless the other one does too, differently.
  Scalar pair[2];
  pair[at] = operand.absent;
  pair[1 - at].number = numberOf(operation.element.operand, 1);
  return operation.absent.known &&
         equal(operation.type, valueOf(operation.element, pair).number, operation.absent.number);
}

bool drives(const Expression &operation, unsigned at, VariableSet bound) {
  const Expression &operand = operation.operands[at];
  return operand.total || !(operand.variables & ~bound) || decides(operation, at);
}

Cost CostModel::cost(const Expression &expression, VariableSet bound) {
  return plan(expression, bound).cost;
}

Join CostModel::join(const Expression &operation, VariableSet bound) {
  return plan(operation, bound).join;
}

CostModel::Plan CostModel::planAccess(const Expression &access, VariableSet bound) {
  VariableSet open = access.variables & ~bound;
  if (!open)
    return {{1, 1}};
  double all = count(open);
  if (access.total)
    return {{all, all}};
  double rows = static_cast<double>(statement.inputs[access.input].count());
  rows /= std::max(count(access.variables & bound), 1.0);
  // Fewer coordinates than variables (A[i + j]): an entry has several places.
  auto given = std::popcount(~access.coordinate.determined(bound) &
                             llvm::maskTrailingOnes<uint64_t>(access.coordinate.order()));
  llvm::SmallVector<unsigned, 8> variables = members(open);
  for (size_t extra = static_cast<size_t>(given); extra < variables.size(); ++extra)
    rows *= static_cast<double>(statement.extents[variables[extra]]);
  return {{std::min(rows, all), rows + 1}};
}

// Places of the driver, and at each of them those of the other operand.
Cost CostModel::driven(const Expression &operation, unsigned driver, VariableSet bound) {
  const Expression &first = operation.operands[driver], &other = operation.operands[1 - driver];
  Cost outer = cost(first, bound), inner = cost(other, bound | first.variables);
  VariableSet open = other.variables & ~(bound | first.variables);
  if (open && !other.total && !annihilates(operation.element, 1 - driver, other.absent))
    inner.rows = count(open);
  return {outer.rows * inner.rows, outer.work + outer.rows * (inner.work + inner.rows)};
}

Cost CostModel::merged(const Expression &operation, VariableSet bound) {
  VariableSet open = operation.variables & ~bound;
  Cost result{0, 0};
  for (const Expression &operand : operation.operands) {
    Cost part = cost(operand, bound);
    result.rows += part.rows * count(open & ~operand.variables);
    result.work += part.work;
  }
  return {result.rows, result.work + result.rows};
}

CostModel::Plan CostModel::planJoin(const Expression &operation, VariableSet bound) {
  std::optional<Plan> best;
  for (unsigned at : {0u, 1u})
    if (drives(operation, at, bound)) {
      Plan candidate{driven(operation, at, bound), at ? Join::secondDrives : Join::firstDrives};
      if (!best || candidate.cost.work < best->cost.work)
        best = candidate;
    }
  return best ? *best : Plan{merged(operation, bound), Join::merge};
}

CostModel::Plan CostModel::plan(const Expression &expression, VariableSet bound) {
  bound &= expression.variables;
  auto known = plans.find({&expression, bound});
  if (known != plans.end())
    return known->second;
  Plan result;
  switch (expression.kind) {
  case Expression::Kind::constant:
    break;
  case Expression::Kind::access:
    result = planAccess(expression, bound);
    break;
  case Expression::Kind::element:
    if (expression.operands.size() == 1)
      result = plan(expression.operands[0], bound);
    else if (expression.operands.size() == 2 && !tellsMissing(expression.element.op))
      result = planJoin(expression, bound);
    else
      result = {merged(expression, bound), Join::merge};
    break;
  case Expression::Kind::reduction: {
    Cost body = cost(expression.operands[0], bound);
    result.cost.rows = std::min(body.rows, count(expression.variables & ~bound));
    result.cost.work = body.work + result.cost.rows;
    break;
  }
  }
  plans[{&expression, bound}] = result;
  return result;
}

} // namespace strata::reference
