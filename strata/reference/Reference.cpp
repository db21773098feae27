// Evaluating a statement at every coordinate of its result where it can differ from the fill.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Reference.h"

#include "strata/reference/Result.h"

namespace strata::reference {

using runtime::Coordinates;
using runtime::Result;

namespace {
/// Which places of the left side are visited.
enum class Visit {
  values, ///< where the value is not what absent operands make it
  mask,   ///< where the mask stores something
  all
};

struct Plan {
  Visit visit;
  double work;
};
} // namespace

static Plan planOf(const Statement &statement, CostModel &costs, const ResultBuilder &result) {
  auto places = static_cast<double>(statement.count(statement.left));
  double point = 1 + costs.cost(statement.value, statement.left).work;
  Plan best{Visit::all, places * point};
  auto consider = [&](Plan other) {
    if (other.work < best.work)
      best = other;
  };
  if (statement.replaces && statement.emptyingShows())
    return best;
  if (const std::optional<Mask> &mask = statement.mask; mask && !mask->full && !mask->complement) {
    auto entries = static_cast<double>(statement.inputs[mask->input].count());
    auto repeated = static_cast<double>(statement.count(statement.left & ~mask->place.variables()));
    consider({Visit::mask, entries * repeated * point});
  }
  if (result.leavesNoTrace(statement.value.absent)) {
    Cost cost = costs.cost(statement.value, 0);
    auto repeated =
        static_cast<double>(statement.count(statement.left & ~statement.value.variables));
    Plan values{Visit::values, cost.work + cost.rows * repeated};
    if (!statement.mask)
      return values;
    consider(values);
  }
  return best;
}

// Calls `body` for the values of the left side's variables that belong to entries of the mask.
static void forEntriesOfMask(const Statement &statement, Evaluator &evaluator,
                             llvm::function_ref<void()> body) {
  const Tensor &tensor = statement.inputs[statement.mask->input];
  std::vector<int64_t> coordinate(tensor.order());
  for (int64_t entry = 0; entry < tensor.count() && !evaluator.stopped(); ++entry) {
    for (unsigned d = 0; d < tensor.order(); ++d)
      coordinate[d] = tensor.coordinate(d, entry);
    statement.mask->place.solve(coordinate, evaluator.environment, statement.extents, [&] {
      evaluator.forAll(statement.left & ~evaluator.environment.bound, body);
    });
  }
}

static void evaluateEverywhere(const Statement &statement, Evaluator &evaluator, Visit visit,
                               ResultBuilder &result) {
  auto place = [&] { return statement.out.at(evaluator.environment); };
  auto addPoint = [&] {
    if (statement.takesPart(evaluator.environment))
      result.add(place(), evaluator.point(statement.value));
  };
  switch (visit) {
  case Visit::values:
    return evaluator.rows(statement.value, [&](const Scalar &value) {
      evaluator.forAll(statement.left & ~evaluator.environment.bound, [&] {
        if (statement.takesPart(evaluator.environment))
          result.add(place(), value);
      });
    });
  case Visit::mask:
    return forEntriesOfMask(statement, evaluator, addPoint);
  case Visit::all:
    evaluator.forAll(statement.left, addPoint);
    if (statement.replaces)
      evaluator.forAll(statement.left, [&] {
        if (!statement.takesPart(evaluator.environment) && !result.contains(place()))
          result.empty(place());
      });
  }
}

// Entries of the init at coordinates that got no value: those that the left side reaches were
// overwritten by the fill, or combined with what changes nothing, or take no part.
static void keepInit(const Statement &statement, Evaluator &evaluator, ResultBuilder &result) {
  const Tensor &init = *statement.init;
  std::vector<int64_t> coordinate(init.order());
  for (int64_t entry = 0; entry < init.count(); ++entry) {
    for (unsigned d = 0; d < init.order(); ++d)
      coordinate[d] = init.coordinate(d, entry);
    if (result.contains(coordinate))
      continue;
    bool reached = false, takesPart = false;
    // Variables that the left side does not use: it reaches nothing if one of them has no values.
    if (statement.count(statement.left))
      statement.out.solve(coordinate, evaluator.environment, statement.extents, [&] {
        reached = true;
        if (statement.mask)
          evaluator.forAll(statement.left & ~evaluator.environment.bound,
                           [&] { takesPart |= statement.takesPart(evaluator.environment); });
      });
    bool stays = statement.combine || (statement.value.absent.missing && !statement.empties);
    if (statement.mask && !takesPart)
      stays = !statement.replaces;
    if (!reached || stays)
      result.keep(coordinate);
  }
}

Result<Expected> evaluate(ta::ComputeOp op, std::span<const Tensor> inputs, const Tensor *init,
                          IndexValue indexValue, const Options &options) {
  Result<Statement> statement = readStatement(op, inputs, init, indexValue);
  if (!statement)
    return statement.takeStatus();
  CostModel costs(*statement);
  ResultBuilder result(*statement);
  // Estimates may be far too high: what is a little too much is tried all the same.
  if (Plan plan = planOf(*statement, costs, result);
      plan.work <= 8 * static_cast<double>(options.maxWork)) {
    Evaluator evaluator(*statement, costs, options.maxWork);
    evaluateEverywhere(*statement, evaluator, plan.visit, result);
    if (!evaluator.stopped()) {
      if (statement->init)
        keepInit(*statement, evaluator, result);
      return result.finish(result.count(), true, evaluator.workDone());
    }
  }
  return sample(*statement, options);
}

Result<Tensor> Expected::tensor() const {
  assert(complete && "a sample is not a tensor");
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
