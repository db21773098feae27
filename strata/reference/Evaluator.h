// Values of expressions, at one place or at all places where they are not what absent operands
// make them, by joining the stored entries of operands.
//
// A place gives values to an expression's free variables. Some of them are bound from outside; an
// operation binds those of one operand, place by place, before it asks for the other:
//
//     y(i) = A(i,j) * x(j)   rows of A: (0,1) (0,4) (2,0)      x at j = 1, 4, 0; x is never walked
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_REFERENCE_EVALUATOR_H
#define STRATA_REFERENCE_EVALUATOR_H

#include "strata/reference/Cost.h"

namespace strata::reference {

class Evaluator {
public:
  using Found = llvm::function_ref<void(const Scalar &)>;

  /// Stops after looking at about `limit` values of operands.
  Evaluator(const Statement &statement, CostModel &costs, int64_t limit)
      : statement(statement), costs(costs), limit(limit) {}

  /// The values of bound variables.
  Environment environment;

  /// The value where all free variables are bound.
  Scalar point(const Expression &expression);
  /// Calls `found` with the value at each place where it is not `expression.absent`, all free
  /// variables bound. One place if all of them are bound before.
  void rows(const Expression &expression, Found found);
  /// Binds the variables of a set to all their values in turn, around calls of `body`.
  void forAll(VariableSet set, llvm::function_ref<void()> body);
  /// The values of bound variables, in ascending order of the variables.
  llvm::SmallVector<int64_t, 8> valuesOf(VariableSet set) const;
  void bind(VariableSet set, std::span<const int64_t> values);

  /// Whether the limit was reached; then values are wrong and places missing.
  bool stopped() const { return work > limit; }
  int64_t workDone() const { return work; }

private:
  /// An expression's places and values.
  struct Relation {
    VariableSet variables;
    TupleTable places;
    std::vector<Scalar> values;
  };

  Scalar pointOfAccess(const Expression &access);
  Scalar storedValue(const Expression &access, int64_t entry) const;
  Scalar pointOfOperation(const Expression &operation);
  Scalar pointOfReduction(const Expression &reduction);
  void rowsOfAccess(const Expression &access, Found found);
  void rowsOfOperation(const Expression &operation, Found found);
  void drive(const Expression &operation, unsigned driver, Found found);
  void merge(const Expression &operation, Found found);
  void rowsOfReduction(const Expression &reduction, Found found);
  Scalar finish(const Expression &reduction, Accumulator accumulator) const;
  Relation collect(const Expression &expression);
  const Scalar *lookUp(const Relation &relation) const;

  const Statement &statement;
  CostModel &costs;
  int64_t limit, work = 0;
};

} // namespace strata::reference
#endif // STRATA_REFERENCE_EVALUATOR_H
