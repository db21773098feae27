// What evaluating an expression would cost, and which operand of an operation to go through first.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_REFERENCE_COST_H
#define STRATA_REFERENCE_COST_H

#include "strata/reference/Statement.h"

#include "llvm/ADT/DenseMap.h"

namespace strata::reference {

/// Expected numbers: places where the value is not `absent`, and operands' values to look at.
struct Cost {
  double rows = 1, work = 0;
};

/// How a binary operation is evaluated.
enum class Join {
  firstDrives,  ///< at the places of the first operand, look up the second
  secondDrives, ///< the other way round
  merge         ///< both operands have places of their own
};

class CostModel {
public:
  explicit CostModel(const Statement &statement) : statement(statement) {}

  /// With these variables bound.
  Cost cost(const Expression &expression, VariableSet bound);
  Join join(const Expression &operation, VariableSet bound);

private:
  struct Plan {
    Cost cost;
    Join join = Join::firstDrives;
  };
  Plan plan(const Expression &expression, VariableSet bound);
  Plan planAccess(const Expression &access, VariableSet bound);
  Plan planJoin(const Expression &operation, VariableSet bound);
  Cost driven(const Expression &operation, unsigned driver, VariableSet bound);
  Cost merged(const Expression &operation, VariableSet bound);
  double count(VariableSet set) const;

  const Statement &statement;
  llvm::DenseMap<std::pair<const Expression *, VariableSet>, Plan> plans;
};

/// Whether the operation is worth its `absent` wherever operand `at` is, whatever the other is.
bool decides(const Expression &operation, unsigned at);

/// Whether going through the places of operand `at` alone finds all places of the operation.
bool drives(const Expression &operation, unsigned at, VariableSet bound);

} // namespace strata::reference
#endif // STRATA_REFERENCE_COST_H
