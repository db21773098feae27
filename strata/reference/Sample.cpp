// Evaluating a statement at some coordinates of its result: where stored entries of its operands
// meet, entries of the init, and a few drawn from all.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Result.h"

#include <algorithm>

namespace strata::reference {

namespace {
// SplitMix64: the same numbers on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// From 0 to count - 1.
  int64_t below(int64_t count) {
    return static_cast<int64_t>(next() % static_cast<uint64_t>(count));
  }

private:
  uint64_t state;
};

class Sampler {
public:
  Sampler(const Statement &statement, const Options &options)
      : statement(statement), options(options), costs(statement),
        evaluator(statement, costs, options.maxWork), result(statement), random(options.seed) {
    findAccesses(statement.value);
    if (statement.mask && !statement.mask->full) {
      mask.kind = Expression::Kind::access;
      mask.input = statement.mask->input;
      mask.coordinate = statement.mask->place;
      mask.variables = mask.coordinate.variables();
      accesses.push_back(&mask);
    }
  }

  runtime::Result<Expected> run();

private:
  void findAccesses(const Expression &expression);
  std::vector<int64_t> drawCoordinate(int64_t number);
  std::vector<int64_t> whereOperandsMeet(int attempts);
  bool bindToEntries();
  bool bindToEntry(const Expression &access);
  void evaluateAt(std::span<const int64_t> coordinate);

  const Statement &statement;
  const Options &options;
  CostModel costs;
  Evaluator evaluator;
  ResultBuilder result;
  Random random;
  Expression mask;                          // as an access
  std::vector<const Expression *> accesses; // to operands that do not store everything
};
} // namespace

void Sampler::findAccesses(const Expression &expression) {
  if (expression.kind == Expression::Kind::access && !expression.total)
    accesses.push_back(&expression);
  for (const Expression &operand : expression.operands)
    findAccesses(operand);
}

// Binds the open variables of an access to a place of a stored entry that agrees with the bound
// ones, if there is any.
bool Sampler::bindToEntry(const Expression &access) {
  const Tensor &tensor = statement.inputs[access.input];
  Environment &environment = evaluator.environment;
  uint64_t mask = access.coordinate.determined(environment.bound);
  int64_t entry;
  if (mask) {
    llvm::SmallVector<int64_t, 6> determined;
    for (unsigned d : members(mask))
      determined.push_back(access.coordinate.at(d, environment));
    std::span<const int64_t> entries = tensor.select(mask, determined);
    if (entries.empty())
      return false;
    entry = entries[static_cast<size_t>(random.below(static_cast<int64_t>(entries.size())))];
  } else if (tensor.count()) {
    entry = random.below(tensor.count());
  } else {
    return false;
  }
  llvm::SmallVector<int64_t, 6> coordinate;
  for (unsigned d = 0; d < tensor.order(); ++d)
    coordinate.push_back(tensor.coordinate(d, entry));
  Environment chosen = environment;
  int64_t places = 0;
  access.coordinate.solve(coordinate, environment, statement.extents, [&] {
    if (random.below(++places) == 0)
      chosen = environment;
  });
  environment = chosen;
  return places > 0;
}

// Entries of all operands, one operand after the other in a random order; false if some operand
// has none where those before it left a choice.
bool Sampler::bindToEntries() {
  Environment &environment = evaluator.environment;
  environment.bound = 0;
  bool meet = true;
  for (size_t next = accesses.size(); next > 1; --next)
    std::swap(accesses[next - 1],
              accesses[static_cast<size_t>(random.below(static_cast<int64_t>(next)))]);
  for (const Expression *access : accesses)
    if (access->variables & ~environment.bound)
      meet &= bindToEntry(*access);
  return meet;
}

std::vector<int64_t> Sampler::whereOperandsMeet(int attempts) {
  Environment &environment = evaluator.environment;
  while (!bindToEntries() && --attempts > 0) {
  }
  for (unsigned variable : members(statement.left & ~environment.bound))
    environment.bind(variable, random.below(statement.extents[variable]));
  llvm::SmallVector<int64_t, 6> coordinate = statement.out.at(environment);
  environment.bound = 0;
  return {coordinate.begin(), coordinate.end()};
}

// One in eight is drawn from all coordinates, one in eight from the init. Of the others, half
// insist on entries of all operands (what products need), half are content with one.
std::vector<int64_t> Sampler::drawCoordinate(int64_t number) {
  std::vector<int64_t> coordinate;
  const Tensor *init = statement.init ? &*statement.init : nullptr;
  bool reaches = statement.count(statement.left) != 0;
  if (init && init->count() && number % 8 == 1) {
    int64_t entry = random.below(init->count());
    for (unsigned d = 0; d < init->order(); ++d)
      coordinate.push_back(init->coordinate(d, entry));
    return coordinate;
  }
  if (reaches && number % 8 != 0)
    return whereOperandsMeet(number % 2 ? 1 : 16);
  for (int64_t size : statement.sizes)
    coordinate.push_back(random.below(size));
  return coordinate;
}

void Sampler::evaluateAt(std::span<const int64_t> coordinate) {
  Environment &environment = evaluator.environment;
  environment.bound = 0;
  bool reached = false, takesPart = false;
  auto add = [&] {
    reached = true;
    if (!statement.takesPart(environment))
      return;
    takesPart = true;
    result.add(coordinate, evaluator.point(statement.value));
  };
  if (statement.count(statement.left))
    statement.out.solve(coordinate, environment, statement.extents,
                        [&] { evaluator.forAll(statement.left & ~environment.bound, add); });
  if (evaluator.stopped() || result.contains(coordinate))
    return;
  if (reached && !takesPart && statement.replaces)
    result.empty(coordinate);
  else
    result.keep(coordinate);
}

runtime::Result<Expected> Sampler::run() {
  size_t finished = 0;
  bool empty = countCoordinates(statement.sizes) == 0;
  for (int64_t number = 0; number < options.samples && !empty; ++number) {
    std::vector<int64_t> coordinate = drawCoordinate(number);
    if (result.contains(coordinate))
      continue;
    evaluateAt(coordinate);
    // What was not evaluated to the end does not count.
    if (evaluator.stopped())
      break;
    finished = result.count();
  }
  return result.finish(finished, false, evaluator.workDone());
}

runtime::Result<Expected> sample(const Statement &statement, const Options &options) {
  return Sampler(statement, options).run();
}

} // namespace strata::reference
