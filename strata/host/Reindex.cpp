// Solves the place of every entry for its index variables.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Reindex.h"

#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/storage/Generate.h"

#include <algorithm>
#include <optional>

using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata::host {
namespace {

using Kind = Affine::Kind;

// A part of a function: the terms up to `root`, as many as it needs.
class Expression {
public:
  explicit Expression(const Affine &affine)
      : terms(&affine.list()), root(affine.list().size() - 1) {}

  Kind kind() const { return term().kind; }
  int64_t value() const { return term().value; }
  Expression right() const { return Expression(*terms, root - 1); }
  Expression left() const { return Expression(*terms, right().first() - 1); }

  bool uses(int64_t variable) const {
    if (isLeaf())
      return kind() == Kind::Input && value() == variable;
    return left().uses(variable) || right().uses(variable);
  }
  Interval values(const std::vector<Interval> &ranges) const {
    auto begin = terms->begin() + ptrdiff_t(first()), end = terms->begin() + ptrdiff_t(root) + 1;
    return Affine(std::vector<Affine::Term>(begin, end)).values(ranges);
  }
  // What a step of the variable adds; nothing where that depends on other things.
  std::optional<int64_t> factorOf(int64_t variable) const {
    if (isLeaf())
      return kind() == Kind::Input && value() == variable;
    if (kind() != Kind::Add && kind() != Kind::Multiply)
      return uses(variable) ? std::nullopt : std::optional<int64_t>(0);
    std::optional<int64_t> a = left().factorOf(variable), b = right().factorOf(variable);
    if (kind() == Kind::Multiply)
      return a ? std::optional(*a * right().value()) : a;
    return a && b ? std::optional(*a + *b) : std::nullopt;
  }

private:
  Expression(const std::vector<Affine::Term> &terms, size_t root) : terms(&terms), root(root) {}
  const Affine::Term &term() const { return (*terms)[root]; }
  bool isLeaf() const { return kind() == Kind::Input || kind() == Kind::Constant; }
  size_t first() const { return isLeaf() ? root : left().first(); }

  const std::vector<Affine::Term> *terms;
  size_t root;
};

// Finds the values of a place's variables, each in [0, extent), that reach given coordinates. Those
// that the coordinates determine one after the other are computed; of the others all values are
// tried that the coordinates allow.
class PlaceSolver {
public:
  PlaceSolver(const Place &place, const std::vector<int64_t> &extents)
      : place(place), extents(extents), variables(extents.size()), ranges(extents.size()) {
    std::vector<bool> solved(extents.size());
    for (const Place::Solution &solution : place.solutions)
      solved[size_t(solution.variable)] = true;
    for (size_t variable = 0; variable < extents.size(); ++variable)
      if (!solved[variable])
        open.push_back(variable);
  }

  /// Calls `found` with the variables, for each way to reach `coordinates`.
  template <typename Found> void solve(std::span<const int64_t> coordinates, Found found) {
    for (size_t at = 0; at < ranges.size(); ++at)
      ranges[at] = {0, extents[at] - 1};
    for (const Place::Solution &solution : place.solutions) {
      auto at = size_t(solution.variable);
      int64_t scaled = coordinates[size_t(solution.coordinate)] - solution.rest.evaluate(variables);
      variables[at] = scaled / solution.factor;
      if (scaled % solution.factor != 0 || variables[at] < 0 || variables[at] >= extents[at])
        return;
      ranges[at] = {variables[at], variables[at]};
    }
    search(0, coordinates, found);
  }

private:
  template <typename Found>
  void search(size_t at, std::span<const int64_t> coordinates, Found &found) {
    if (at == open.size()) {
      for (size_t dim = 0; dim < coordinates.size(); ++dim)
        if (place.coordinates[dim].evaluate(variables) != coordinates[dim])
          return;
      return found(std::span<const int64_t>(variables));
    }
    size_t variable = open[at];
    Interval before = ranges[variable];
    step = 1;
    for (size_t dim = 0; dim < coordinates.size(); ++dim)
      narrow(Expression(place.coordinates[dim]), {coordinates[dim], coordinates[dim]}, variable);
    Interval range = ranges[variable];
    int64_t stride = step; // the search inside has others
    range.least += (residue - range.least % stride + 2 * stride) % stride;
    for (int64_t value = range.least; value <= range.most; value += stride) {
      variables[variable] = value;
      ranges[variable] = {value, value};
      search(at + 1, coordinates, found);
    }
    ranges[variable] = before;
  }

  void narrow(Expression expr, Interval to, size_t variable);
  void narrowRemainder(Expression remainder, Interval to, size_t variable);

  const Place &place;
  const std::vector<int64_t> &extents;
  std::vector<size_t> open;
  std::vector<int64_t> variables;
  std::vector<Interval> ranges;  ///< of the variables, as far as they are known
  int64_t step = 1, residue = 0; ///< of the variable that is searched
};

// Narrows the range of `variable`, knowing that `expr` is in `to`.
void PlaceSolver::narrow(Expression expr, Interval to, size_t variable) {
  if (!expr.uses(int64_t(variable)))
    return;
  if (expr.kind() == Kind::Input) {
    Interval &range = ranges[variable];
    range = {std::max(range.least, to.least), std::min(range.most, to.most)};
    return;
  }
  Expression left = expr.left(), right = expr.right();
  if (expr.kind() == Kind::Add) {
    Interval a = left.values(ranges), b = right.values(ranges);
    narrow(left, {to.least - b.most, to.most - b.least}, variable);
    narrow(right, {to.least - a.most, to.most - a.least}, variable);
    return;
  }
  int64_t factor = right.value();
  if (expr.kind() == Kind::Multiply) {
    if (factor < 0)
      to = {-to.most, -to.least};
    int64_t size = std::abs(factor);
    return narrow(left, {divideCeil(to.least, size), divideFloor(to.most, size)}, variable);
  }
  if (expr.kind() == Kind::FloorDivide)
    return narrow(left, {to.least * factor, to.most * factor + factor - 1}, variable);
  if (expr.kind() == Kind::Modulo)
    narrowRemainder(expr, to, variable);
}

// A remainder says where in its period a number is; where the number's period is known, it says
// where the number is.
void PlaceSolver::narrowRemainder(Expression remainder, Interval to, size_t variable) {
  Expression number = remainder.left();
  int64_t divisor = remainder.right().value();
  Interval values = number.values(ranges);
  if (values.least > values.most)
    return;
  int64_t period = divideFloor(values.least, divisor) * divisor;
  if (values.most < period + divisor)
    return narrow(number, {period + to.least, period + to.most}, variable);
  if (to.least != to.most || number.factorOf(int64_t(variable)) != 1)
    return;
  std::vector<Interval> atZero = ranges;
  atZero[variable] = {0, 0};
  Interval others = number.values(atZero);
  if (others.least != others.most || divisor <= step)
    return;
  step = divisor;
  residue = to.least - others.least;
}

// A list that is written entry by entry, of values of the same type as another's.
class EntryWriter {
public:
  explicit EntryWriter(Coordinates empty)
      : list(std::move(empty)), bytes(size_t(strata_type_bytes(list.valueType()))) {}

  void add(std::span<const int64_t> coordinates, const Coordinates &from, int64_t entry) {
    runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
      using Coordinate = std::remove_pointer_t<decltype(tag)>;
      for (size_t dim = 0; dim < coordinates.size(); ++dim)
        list.column(int(dim)).template as<Coordinate>()[count] = Coordinate(coordinates[dim]);
    });
    runtime::copyBytes(static_cast<char *>(list.values().data()) + size_t(count++) * bytes,
                       static_cast<const char *>(from.values().data()) + size_t(entry) * bytes,
                       bytes);
  }

  /// The list of what was added.
  Result<Coordinates> end() {
    if (Status status = list.resize(count); !status.ok())
      return status;
    return std::move(list);
  }

private:
  Coordinates list;
  size_t bytes;
  int64_t count = 0;
};

void coordinatesOf(const Coordinates &list, int64_t entry, std::vector<int64_t> &coordinates) {
  for (size_t dim = 0; dim < coordinates.size(); ++dim)
    coordinates[dim] = list.coordinate(int(dim), entry);
}

// Calls `body` with the entries at which dimensions agree that one variable alone stands for, as on
// a diagonal. The place reaches none of the others, which are most.
template <typename Body>
void forEachOnDiagonals(const Coordinates &list, const Place &place, Body body) {
  runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
    using Coordinate = std::remove_pointer_t<decltype(tag)>;
    auto columnOf = [&](size_t dim) { return list.column(int(dim)).template as<Coordinate>(); };
    std::vector<std::pair<const Coordinate *, const Coordinate *>> same;
    for (size_t dim = 0; dim < place.coordinates.size(); ++dim)
      for (size_t other = 0; other < dim; ++other)
        if (int64_t input = place.coordinates[dim].input();
            input >= 0 && place.coordinates[other].input() == input)
          same.push_back({columnOf(other), columnOf(dim)});
    for (int64_t entry = 0; entry < list.count(); ++entry)
      if (std::all_of(same.begin(), same.end(),
                      [&](const auto &both) { return both.first[entry] == both.second[entry]; }))
        body(entry);
  });
}

} // namespace

Result<Coordinates> reindexed(const Coordinates &list, const Place &place,
                              const std::vector<int64_t> &extents) {
  PlaceSolver solver(place, extents);
  std::vector<int64_t> coordinates(size_t(list.order()));
  // One entry may be reached in several ways.
  int64_t count = 0;
  forEachOnDiagonals(list, place, [&](int64_t entry) {
    coordinatesOf(list, entry, coordinates);
    solver.solve(coordinates, [&](std::span<const int64_t>) { ++count; });
  });
  Result<Coordinates> result = Coordinates::create(extents, list.valueType(), count);
  if (!result)
    return result;
  EntryWriter writer(std::move(*result));
  forEachOnDiagonals(list, place, [&](int64_t entry) {
    coordinatesOf(list, entry, coordinates);
    solver.solve(coordinates,
                 [&](std::span<const int64_t> variables) { writer.add(variables, list, entry); });
  });
  return writer.end();
}

Result<Coordinates> overlaid(const Coordinates &part, const Coordinates &whole, const Place &place,
                             const std::vector<int64_t> &extents) {
  PlaceSolver solver(place, extents);
  Result<Coordinates> result =
      Coordinates::create(whole.sizes(), whole.valueType(), whole.count() + part.count());
  if (!result)
    return result;
  EntryWriter writer(std::move(*result));
  std::vector<int64_t> coordinates(size_t(whole.order())), variables(extents.size());
  for (int64_t entry = 0; entry < whole.count(); ++entry) {
    bool reached = false;
    coordinatesOf(whole, entry, coordinates);
    solver.solve(coordinates, [&](std::span<const int64_t>) { reached = true; });
    if (!reached)
      writer.add(coordinates, whole, entry);
  }
  for (int64_t entry = 0; entry < part.count(); ++entry) {
    coordinatesOf(part, entry, variables);
    for (size_t dim = 0; dim < coordinates.size(); ++dim)
      coordinates[dim] = place.coordinates[dim].evaluate(variables);
    writer.add(coordinates, part, entry);
  }
  return writer.end();
}

// What `tensor` holds at each of its places: the fill, but for what it stores.
static std::vector<int64_t> elementsOf(const Coordinates &list, int64_t fill) {
  int64_t places = 1;
  for (int64_t size : list.sizes())
    places *= size;
  std::vector<int64_t> values(size_t(places), fill);
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    int64_t place = 0;
    for (int dim = 0; dim < list.order(); ++dim)
      place = place * list.sizes()[size_t(dim)] + list.coordinate(dim, entry);
    values[size_t(place)] = int64_t(list.value(entry).real());
  }
  return values;
}

Result<Coordinates> oneHot(const Coordinates &source, int64_t fill, int64_t size,
                           const std::string &name) {
  std::vector<int64_t> elements = elementsOf(source, fill);
  for (int64_t at : elements)
    if (at < 0 || at >= size)
      return Error{Error::Coordinate, "an element of " + name + " is " + std::to_string(at) +
                                          ", where a coordinate from 0 to " +
                                          std::to_string(size - 1) + " is looked up"};
  std::vector<int64_t> sizes = source.sizes();
  sizes.push_back(size);
  return runtime::generateSelector(sizes, elements);
}

Result<Coordinates> inside(const Affine &coordinate, std::vector<int64_t> extents, int64_t size) {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  std::vector<int64_t> places(static_cast<size_t>(count)), variables(extents.size(), 0);
  // All values of the variables, the last one fastest.
  for (int64_t &place : places) {
    place = coordinate.evaluate(variables);
    if (place >= size)
      place = -1;
    for (size_t at = extents.size(); at-- > 0 && ++variables[at] == extents[at];)
      variables[at] = 0;
  }
  extents.push_back(size);
  return runtime::generateSelector(extents, places);
}

Status checkReach(std::span<const Affine> coordinates, std::span<const int64_t> extents,
                  std::span<const int64_t> sizes, const std::string &name) {
  if (std::find(extents.begin(), extents.end(), 0) != extents.end())
    return Status(); // nothing is reached
  std::vector<Interval> ranges;
  for (int64_t extent : extents)
    ranges.push_back({0, extent - 1});
  for (size_t dim = 0; dim < coordinates.size(); ++dim) {
    Interval values = coordinates[dim].values(ranges);
    if (values.least < 0 || values.most >= sizes[dim])
      return Error{Error::Coordinate,
                   "the statement reaches coordinate " +
                       std::to_string(values.least < 0 ? values.least : values.most) +
                       " of dimension " + std::to_string(dim + 1) + " of " + name +
                       ", whose size is " + std::to_string(sizes[dim])};
  }
  return Status();
}

Status checkWhole(std::span<const Affine> coordinates, std::span<const int64_t> extents,
                  std::span<const int64_t> sizes, const std::string &name) {
  std::vector<Interval> ranges;
  for (int64_t extent : extents)
    ranges.push_back({0, extent - 1});
  for (size_t dim = 0; dim < coordinates.size(); ++dim)
    if (coordinates[dim].input() >= 0
            ? coordinates[dim].values(ranges).most + 1 != sizes[dim]
            : std::find(extents.begin(), extents.end(), 0) != extents.end())
      return Error{
          Error::Unsupported,
          "the statement reads a part of " + name +
              ", for which its schedule, in a program that is compiled ahead, has no loops",
          "labels whose sizes are those of the tensor"};
  return Status();
}

} // namespace strata::host
