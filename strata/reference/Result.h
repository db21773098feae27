// The left side of a statement: how values reach the result, with and without an init.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_REFERENCE_RESULT_H
#define STRATA_REFERENCE_RESULT_H

#include "strata/reference/Evaluator.h"
#include "strata/reference/Reference.h"

namespace strata::reference {

/// Collects the values of result coordinates.
class ResultBuilder {
public:
  explicit ResultBuilder(const Statement &statement)
      : statement(statement), places(statement.sizes.size()) {}

  /// Whether a place of the left side with this value leaves the result as it would be without.
  bool leavesNoTrace(const Scalar &given) const;
  /// The statement's value for one place of the left side that takes part.
  void add(std::span<const int64_t> coordinate, const Scalar &given);
  /// A coordinate that stays as it is: that of the init, or nothing stored.
  void keep(std::span<const int64_t> coordinate);
  /// A coordinate where nothing is there afterwards.
  void empty(std::span<const int64_t> coordinate);
  bool contains(std::span<const int64_t> coordinate) const { return places.find(coordinate) >= 0; }
  size_t count() const { return values.size(); }
  /// Forgets what was added after the first `count` coordinates.
  runtime::Result<Expected> finish(size_t count, bool complete, int64_t work) const;

private:
  Scalar initAt(std::span<const int64_t> coordinate) const;
  /// To a coordinate that has none yet.
  void give(std::span<const int64_t> coordinate, const Scalar &value);
  bool initIsThere(std::span<const int64_t> coordinate) const;

  const Statement &statement;
  TupleTable places;
  std::vector<Scalar> values;
  std::optional<int64_t> repeated; // a coordinate that got two values, by number
  bool givenTwice = false;
};

/// Evaluates at sampled coordinates of the result, with a limit on work.
runtime::Result<Expected> sample(const Statement &statement, const Options &options);

} // namespace strata::reference
#endif // STRATA_REFERENCE_RESULT_H
