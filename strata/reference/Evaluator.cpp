// Accesses, joins and reductions.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Evaluator.h"

#include <bit>

namespace strata::reference {

// Is it evaluated by going through one of two operands and looking up the other?
static bool joinsTwo(const Expression &operation) {
  return operation.operands.size() == 2 && !tellsMissing(operation.element.op);
}

static bool same(ElementType type, const Scalar &a, const Scalar &b) {
  if (a.missing || b.missing)
    return a.missing == b.missing;
  return a.known == b.known && a.masked == b.masked && a.undefined == b.undefined &&
         equal(type, a.number, b.number);
}

//===------------------------------------------------------------------------------------------===//
// Places
//===------------------------------------------------------------------------------------------===//

llvm::SmallVector<int64_t, 8> Evaluator::valuesOf(VariableSet set) const {
  llvm::SmallVector<int64_t, 8> result;
  for (unsigned variable : members(set))
    result.push_back(environment.values[variable]);
  return result;
}

void Evaluator::bind(VariableSet set, std::span<const int64_t> values) {
  size_t next = 0;
  for (unsigned variable : members(set))
    environment.bind(variable, values[next++]);
}

void Evaluator::forAll(VariableSet set, llvm::function_ref<void()> body) {
  if (!set)
    return body();
  auto variable = static_cast<unsigned>(std::countr_zero(set));
  VariableSet bound = environment.bound;
  for (int64_t i = 0; i < statement.extents[variable] && !stopped(); ++i) {
    environment.bind(variable, i);
    forAll(set & (set - 1), body);
  }
  environment.bound = bound;
}

Evaluator::Relation Evaluator::collect(const Expression &expression) {
  VariableSet open = expression.variables & ~environment.bound;
  Relation relation{open, TupleTable(members(open).size()), {}};
  rows(expression, [&](const Scalar &value) {
    relation.places.insert(valuesOf(open));
    relation.values.push_back(value);
  });
  return relation;
}

const Scalar *Evaluator::lookUp(const Relation &relation) const {
  int64_t row = relation.places.find(valuesOf(relation.variables));
  return row < 0 ? nullptr : &relation.values[static_cast<size_t>(row)];
}

Scalar Evaluator::point(const Expression &expression) {
  switch (expression.kind) {
  case Expression::Kind::constant:
    return expression.absent;
  case Expression::Kind::access:
    return pointOfAccess(expression);
  case Expression::Kind::element:
    return pointOfOperation(expression);
  case Expression::Kind::reduction:
    return pointOfReduction(expression);
  }
  return {};
}

void Evaluator::rows(const Expression &expression, Found found) {
  if (stopped())
    return;
  if (!(expression.variables & ~environment.bound))
    return found(point(expression));
  switch (expression.kind) {
  case Expression::Kind::constant:
    return;
  case Expression::Kind::access:
    return rowsOfAccess(expression, found);
  case Expression::Kind::element:
    return rowsOfOperation(expression, found);
  case Expression::Kind::reduction:
    return rowsOfReduction(expression, found);
  }
}

//===------------------------------------------------------------------------------------------===//
// Accesses
//===------------------------------------------------------------------------------------------===//

Scalar Evaluator::pointOfAccess(const Expression &access) {
  ++work;
  const Tensor &tensor = statement.inputs[access.input];
  llvm::SmallVector<int64_t, 6> coordinate = access.coordinate.at(environment);
  for (auto [c, size] : llvm::zip(coordinate, tensor.sizes()))
    if (c < 0 || c >= size)
      return {.number = {}, .undefined = true};
  int64_t entry = tensor.find(coordinate);
  return entry < 0 ? access.absent : storedValue(access, entry);
}

Scalar Evaluator::storedValue(const Expression &access, int64_t entry) const {
  Scalar value{.number = readAs(access.type, statement.inputs[access.input].value(entry))};
  value.missing = access.padded && equal(access.type, value.number, access.absent.number);
  return value;
}

void Evaluator::rowsOfAccess(const Expression &access, Found found) {
  const Tensor &tensor = statement.inputs[access.input];
  const AffineCoordinate &map = access.coordinate;
  if (tensor.complete())
    return forAll(access.variables & ~environment.bound, [&] { found(pointOfAccess(access)); });

  llvm::SmallVector<int64_t, 6> coordinate(tensor.order());
  auto visit = [&](int64_t entry) {
    for (unsigned d = 0; d < tensor.order(); ++d)
      coordinate[d] = tensor.coordinate(d, entry);
    map.solve(coordinate, environment, statement.extents, [&] {
      ++work;
      if (!stopped())
        found(storedValue(access, entry));
    });
  };
  // The entries that agree with what is bound.
  uint64_t mask = map.determined(environment.bound);
  if (!mask) {
    for (int64_t entry = 0; entry < tensor.count() && !stopped(); ++entry)
      visit(entry);
    return;
  }
  llvm::SmallVector<int64_t, 6> determined;
  for (unsigned d : members(mask))
    determined.push_back(map.at(d, environment));
  for (int64_t entry : tensor.select(mask, determined)) {
    if (stopped())
      return;
    visit(entry);
  }
}

//===------------------------------------------------------------------------------------------===//
// Element operations
//===------------------------------------------------------------------------------------------===//

Scalar Evaluator::pointOfOperation(const Expression &operation) {
  Scalar values[2];
  size_t count = operation.operands.size();
  if (count == 1) {
    values[0] = point(operation.operands[0]);
    return valueOf(operation.element, std::span(values, 1));
  }
  if (!joinsTwo(operation)) {
    llvm::SmallVector<Scalar, 3> all;
    for (const Expression &operand : operation.operands)
      all.push_back(point(operand));
    return valueOf(operation.element, all);
  }
  // First the operand that may make the other superfluous.
  unsigned first = costs.join(operation, environment.bound) == Join::secondDrives;
  values[first] = point(operation.operands[first]);
  bool absent =
      values[first].known && values[first].missing == operation.operands[first].absent.missing;
  if (absent && decides(operation, first))
    return operation.absent;
  values[1 - first] = point(operation.operands[1 - first]);
  return valueOf(operation.element, values);
}

void Evaluator::rowsOfOperation(const Expression &operation, Found found) {
  if (operation.operands.size() == 1)
    return rows(operation.operands[0], [&](const Scalar &operand) {
      found(valueOf(operation.element, std::span(&operand, 1)));
    });
  if (!joinsTwo(operation))
    return merge(operation, found);
  switch (costs.join(operation, environment.bound)) {
  case Join::firstDrives:
    return drive(operation, 0, found);
  case Join::secondDrives:
    return drive(operation, 1, found);
  case Join::merge:
    return merge(operation, found);
  }
}

void Evaluator::drive(const Expression &operation, unsigned driver, Found found) {
  const Expression &other = operation.operands[1 - driver];
  Scalar pair[2];
  auto combined = [&](const Scalar &second) {
    pair[1 - driver] = second;
    return valueOf(operation.element, pair);
  };
  auto emit = [&](const Scalar &second) {
    Scalar value = combined(second);
    // Whoever goes through the places of a total operand counts on all of them.
    if (operation.total || !same(operation.type, value, operation.absent))
      found(value);
  };
  rows(operation.operands[driver], [&](const Scalar &first) {
    pair[driver] = first;
    VariableSet open = other.variables & ~environment.bound;
    if (!open || other.total || same(operation.type, combined(other.absent), operation.absent))
      return rows(other, emit);
    Relation stored = collect(other);
    forAll(open, [&] {
      const Scalar *value = lookUp(stored);
      ++work;
      emit(value ? *value : other.absent);
    });
  });
}

// At each place of some operand, the values of all; each place once.
void Evaluator::merge(const Expression &operation, Found found) {
  VariableSet open = operation.variables & ~environment.bound, bound = environment.bound;
  std::vector<Relation> relations;
  for (const Expression &operand : operation.operands)
    relations.push_back(collect(operand));
  auto emit = [&](size_t first) {
    llvm::SmallVector<Scalar, 3> values;
    for (size_t at = 0; at < relations.size(); ++at) {
      const Scalar *value = lookUp(relations[at]);
      if (value && at < first)
        return; // found there
      values.push_back(value ? *value : operation.operands[at].absent);
    }
    ++work;
    Scalar value = valueOf(operation.element, values);
    if (operation.total || !same(operation.type, value, operation.absent))
      found(value);
  };
  for (size_t first = 0; first < relations.size(); ++first) {
    const Relation &relation = relations[first];
    for (int64_t row = 0; row < relation.places.size() && !stopped(); ++row) {
      bind(relation.variables, relation.places[row]);
      forAll(open & ~relation.variables, [&] { emit(first); });
    }
    environment.bound = bound;
  }
}

//===------------------------------------------------------------------------------------------===//
// Reductions
//===------------------------------------------------------------------------------------------===//

// Adds the places that no row was found for, and the variables that the body does not use.
Scalar Evaluator::finish(const Expression &reduction, Accumulator accumulator) const {
  const Expression &body = reduction.operands[0];
  VariableSet unused = reduction.reduced & ~body.variables;
  auto places = static_cast<uint64_t>(statement.count(reduction.reduced & body.variables));
  auto repetitions = static_cast<uint64_t>(statement.count(unused));
  if (places == 0 || repetitions == 0)
    return reduction.absent;
  bool neutral = isNoTerm(reduction, body.absent);
  if (accumulator.count() == 0 && neutral)
    return Accumulator().value(reduction.combine, reduction.type, reduction.missing);
  if (!neutral)
    accumulator.add(reduction.combine, reduction.type, body.absent, places - accumulator.count());
  Scalar once = accumulator.value(reduction.combine, reduction.type, reduction.missing);
  if (repetitions == 1 || accumulator.empty())
    return once;
  Accumulator whole;
  whole.add(reduction.combine, reduction.type, once, repetitions);
  return whole.value(reduction.combine, reduction.type, reduction.missing);
}

// In the place of what is no term: it counts, and changes nothing.
static const Scalar noTerm{.number = {}, .missing = true};

Scalar Evaluator::pointOfReduction(const Expression &reduction) {
  Accumulator accumulator;
  bool neutral = isNoTerm(reduction, reduction.operands[0].absent);
  rows(reduction.operands[0], [&](const Scalar &term) {
    bool isTerm = !isNoTerm(reduction, term);
    if (!neutral || isTerm)
      accumulator.add(reduction.combine, reduction.type, isTerm ? term : noTerm);
  });
  return finish(reduction, accumulator);
}

void Evaluator::rowsOfReduction(const Expression &reduction, Found found) {
  VariableSet open = reduction.variables & ~environment.bound, bound = environment.bound;
  TupleTable groups(members(open).size());
  std::vector<Accumulator> accumulators;
  bool neutral = isNoTerm(reduction, reduction.operands[0].absent);
  rows(reduction.operands[0], [&](const Scalar &term) {
    bool isTerm = !isNoTerm(reduction, term), counts = !neutral || isTerm;
    if (!counts && !reduction.total)
      return;
    auto [group, isNew] = groups.insert(valuesOf(open));
    if (isNew)
      accumulators.emplace_back();
    if (counts)
      accumulators[static_cast<size_t>(group)].add(reduction.combine, reduction.type,
                                                   isTerm ? term : noTerm);
  });
  for (int64_t group = 0; group < groups.size() && !stopped(); ++group) {
    bind(open, groups[group]);
    found(finish(reduction, accumulators[static_cast<size_t>(group)]));
  }
  environment.bound = bound;
}

} // namespace strata::reference
