// Evaluating a statement at every coordinate of its result where it can differ from the fill.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Reference.h"

#include "strata/reference/Result.h"

namespace strata::reference {

using runtime::Coordinates;
using runtime::Result;

static void evaluateEverywhere(const Statement &statement, Evaluator &evaluator,
                               ResultBuilder &result) {
  auto add = [&](const Scalar &value) {
    result.add(statement.out.at(evaluator.environment), value);
  };
  if (result.leavesNoTrace(statement.value.absent))
    evaluator.rows(statement.value, [&](const Scalar &value) {
      evaluator.forAll(statement.left & ~evaluator.environment.bound, [&] { add(value); });
    });
  else
    evaluator.forAll(statement.left, [&] { add(evaluator.point(statement.value)); });
}

// Entries of the init at coordinates that got no value: those that the left side reaches were
// overwritten by the fill, or combined with what changes nothing.
static void keepInit(const Statement &statement, Evaluator &evaluator, ResultBuilder &result) {
  const Tensor &init = *statement.init;
  std::vector<int64_t> coordinate(init.order());
  for (int64_t entry = 0; entry < init.count(); ++entry) {
    for (unsigned d = 0; d < init.order(); ++d)
      coordinate[d] = init.coordinate(d, entry);
    if (result.contains(coordinate))
      continue;
    bool reached = false;
    // Variables that the left side does not use: it reaches nothing if one of them has no values.
    if (statement.count(statement.left))
      statement.out.solve(coordinate, evaluator.environment, statement.extents,
                          [&] { reached = true; });
    if (!reached || statement.combine || statement.value.absent.missing)
      result.keep(coordinate);
  }
}

// How much work the statement is, if nothing is sampled.
static double expectedWork(const Statement &statement, CostModel &costs,
                           const ResultBuilder &result) {
  if (result.leavesNoTrace(statement.value.absent)) {
    Cost cost = costs.cost(statement.value, 0);
    return cost.work + cost.rows * static_cast<double>(statement.count(statement.left &
                                                                       ~statement.value.variables));
  }
  return static_cast<double>(statement.count(statement.left)) *
         (1 + costs.cost(statement.value, statement.left).work);
}

Result<Expected> evaluate(ta::ComputeOp op, std::span<const Tensor> inputs, const Tensor *init,
                          IndexValue indexValue, const Options &options) {
  Result<Statement> statement = readStatement(op, inputs, init, indexValue);
  if (!statement)
    return statement.takeStatus();
  CostModel costs(*statement);
  ResultBuilder result(*statement);
  // Estimates may be far too high: what is a little too much is tried all the same.
  if (expectedWork(*statement, costs, result) <= 8 * static_cast<double>(options.maxWork)) {
    Evaluator evaluator(*statement, costs, options.maxWork);
    evaluateEverywhere(*statement, evaluator, result);
    if (!evaluator.stopped()) {
      if (statement->init)
        keepInit(*statement, evaluator, result);
      return result.finish(result.count(), true, evaluator.workDone());
    }
  }
  return sample(*statement, options);
}

Result<Tensor> Expected::tensor() const {
  assert(complete && "a sample is no tensor");
  int64_t count = 0;
  for (const Entry &entry : entries)
    count += entry.stored;
  Result<Coordinates> made = Coordinates::create(sizes, storedType, count);
  if (!made)
    return made.takeStatus();
  int64_t next = 0;
  for (size_t entry = 0; entry < entries.size(); ++entry) {
    if (!entries[entry].stored)
      continue;
    for (size_t d = 0; d < sizes.size(); ++d)
      runtime::withCoordinateType(made->coordinateType(), [&](auto *null) {
        using Width = std::remove_pointer_t<decltype(null)>;
        made->column(static_cast<int>(d)).as<Width>()[next] =
            static_cast<Width>(coordinate(entry)[d]);
      });
    runtime::withValueType(storedType, [&](auto *null) {
      using Value = std::remove_pointer_t<decltype(null)>;
      Value &value = made->values().as<Value>()[next];
      if constexpr (runtime::isComplexNumber<Value>)
        value = Value(entries[entry].value.value);
      else if constexpr (std::is_integral_v<Value>)
        value = static_cast<Value>(entries[entry].value.integer);
      else
        value = static_cast<Value>(entries[entry].value.value.real());
    });
    ++next;
  }
  return Tensor::fromCoordinates(std::move(*made));
}

} // namespace strata::reference
