// Writing, combining and keeping values of the result.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/Result.h"
#include "strata/runtime/InternalError.h"

#include <algorithm>
#include <numeric>

namespace strata::reference {

using runtime::Error;

bool ResultBuilder::leavesNoTrace(const Scalar &given) const {
  if (given.missing)
    return statement.combine || !statement.empties || !statement.emptyingShows();
  if (statement.joins && !statement.full)
    return false; // where the init stores nothing, it is stored
  if (statement.combine == ta::Combine::any)
    return false; // it may take the init's place, whatever it is
  Scalar value = given;
  value.number = readAs(statement.type, value.number);
  if (value.undefined || !(value.known || value.masked || statement.full || statement.drops))
    return false;
  Number neutral =
      statement.combine ? identity(*statement.combine, statement.type) : statement.fill.number;
  return equal(statement.type, value.number, neutral);
}

Scalar ResultBuilder::initAt(std::span<const int64_t> coordinate) const {
  int64_t entry = statement.init ? statement.init->find(coordinate) : -1;
  return entry < 0 ? statement.fill : Scalar{.number = statement.init->value(entry)};
}

bool ResultBuilder::initIsThere(std::span<const int64_t> coordinate) const {
  int64_t entry = statement.init ? statement.init->find(coordinate) : -1;
  return entry >= 0 && !(statement.padded && equal(statement.type, statement.init->value(entry),
                                                   statement.fill.number));
}

void ResultBuilder::add(std::span<const int64_t> coordinate, const Scalar &given) {
  Scalar value = given;
  value.number = readAs(statement.type, value.number);
  for (auto [c, size] : llvm::zip(coordinate, statement.sizes))
    if (c < 0 || c >= size)
      return;
  if (value.missing) {
    bool stays = statement.combine || !statement.empties;
    if (!stays && !contains(coordinate))
      empty(coordinate);
    else if (stays && !statement.combine && statement.init && !contains(coordinate))
      keep(coordinate);
    return;
  }
  auto [place, isNew] = places.insert(coordinate);
  if (isNew)
    values.push_back(value);
  if (!statement.combine) {
    if (!isNew)
      repeated = place;
    return;
  }
  if (isNew && statement.joins && !statement.full && !initIsThere(coordinate))
    return; // the value alone
  Scalar &current = values[static_cast<size_t>(place)];
  Element element = combining(*statement.combine, statement.type);
  Scalar before = isNew ? initAt(coordinate) : current;
  // Where several values come to one place they are terms: what is absent annihilates no other one.
  if (statement.full && (statement.left & ~statement.out.variables()) != 0)
    value.known = before.known = false;
  current = valueOf(element, std::array{before, value});
  // Of two entries comes an entry.
  if (isNew && statement.joins && !statement.full)
    current.known = current.masked = false;
}

void ResultBuilder::give(std::span<const int64_t> coordinate, const Scalar &value) {
  if (places.insert(coordinate).second)
    values.push_back(value);
  else
    givenTwice = true;
}

void ResultBuilder::keep(std::span<const int64_t> coordinate) {
  give(coordinate, initAt(coordinate));
}

void ResultBuilder::empty(std::span<const int64_t> coordinate) {
  give(coordinate, {.number = statement.emptied, .known = true});
}

runtime::Result<Expected> ResultBuilder::finish(size_t count, bool complete, int64_t work) const {
  if (givenTwice)
    return runtime::internalError("a coordinate that has a value is given another one");
  if (repeated)
    return Error{Error::RepeatedPlace,
                 "the left side gives several values for the coordinate " + text(places[*repeated]),
                 "one, or an operator that combines them"};
  Expected result;
  result.sizes = statement.sizes;
  result.type = statement.type;
  result.storedType = statement.stored;
  result.fill = statement.fill.number;
  result.full = statement.full;
  result.complete = complete;
  result.work = work;
  std::vector<int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](int64_t a, int64_t b) {
    return std::ranges::lexicographical_compare(places[a], places[b]);
  });
  for (int64_t place : order) {
    const Scalar &value = values[static_cast<size_t>(place)];
    if (value.undefined)
      return Error{
          Error::Arithmetic,
          "the value at " + text(places[place]) +
              " is undefined: an integer division by zero, a conversion to an integer that "
              "cannot hold it, or an access outside an operand"};
    bool absent = !statement.full && (value.known || value.masked || statement.drops) &&
                  equal(statement.type, value.number, result.fill);
    if (absent && complete)
      continue;
    llvm::append_range(result.coordinates, places[place]);
    result.entries.push_back({value.number, value.error, !absent});
  }
  return result;
}

} // namespace strata::reference
