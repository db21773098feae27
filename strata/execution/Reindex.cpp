// Solves the place of every entry for its index variables.
#include "strata/execution/Reindex.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/dialect/ta/PlaceMap.h"
#include "strata/execution/EvaluateAffine.h"
#include "strata/runtime/CopyBytes.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata {
namespace {

// Finds the values of a place's variables, each in [0, extent), that reach given coordinates. Those
// that the coordinates determine one after the other are computed; of the others all values are
// tried that the coordinates allow.
class PlaceSolver {
public:
  PlaceSolver(AffineMap place, const std::vector<int64_t> &extents)
      : place(place), extents(extents), solutions(ta::solvePlace(place)),
        variables(extents.size()) {
    ranges.resize(extents.size());
    llvm::SmallBitVector solved(extents.size());
    for (const ta::PlaceSolution &solution : solutions)
      solved.set(solution.variable);
    for (unsigned variable = 0; variable < extents.size(); ++variable)
      if (!solved.test(variable))
        open.push_back(variable);
  }

  /// Calls `found` with the variables, for each way to reach `coordinates`.
  void solve(ArrayRef<int64_t> coordinates,
             llvm::function_ref<void(ArrayRef<int64_t> variables)> found) {
    for (auto [range, extent] : llvm::zip(ranges, extents))
      range = {0, extent - 1};
    for (const ta::PlaceSolution &solution : solutions) {
      int64_t scaled = coordinates[solution.coordinate] - evaluate(solution.rest, variables);
      int64_t &variable = variables[solution.variable];
      variable = scaled / solution.factor;
      if (scaled % solution.factor != 0 || variable < 0 || variable >= extents[solution.variable])
        return;
      ranges[solution.variable] = {variable, variable};
    }
    search(0, coordinates, found);
  }

private:
  using Interval = ta::Interval;

  void search(unsigned at, ArrayRef<int64_t> coordinates,
              llvm::function_ref<void(ArrayRef<int64_t>)> found) {
    if (at == open.size()) {
      for (auto [expr, coordinate] : llvm::zip(place.getResults(), coordinates))
        if (evaluate(expr, variables) != coordinate)
          return;
      return found(variables);
    }
    unsigned variable = open[at];
    Interval before = ranges[variable];
    step = 1;
    for (auto [expr, coordinate] : llvm::zip(place.getResults(), coordinates))
      narrow(expr, {coordinate, coordinate}, variable);
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

  void narrow(AffineExpr expr, Interval to, unsigned variable);
  void narrowRemainder(AffineBinaryOpExpr remainder, Interval to, unsigned variable);

  AffineMap place;
  const std::vector<int64_t> &extents;
  SmallVector<ta::PlaceSolution> solutions;
  SmallVector<unsigned> open;
  SmallVector<int64_t> variables;
  SmallVector<Interval> ranges;  ///< of the variables, as far as they are known
  int64_t step = 1, residue = 0; ///< of the variable that is searched
};

// Narrows the range of `variable`, knowing that `expr` is in `to`.
void PlaceSolver::narrow(AffineExpr expr, Interval to, unsigned variable) {
  if (!expr.isFunctionOfDim(variable))
    return;
  if (isa<AffineDimExpr>(expr)) {
    Interval &range = ranges[variable];
    range = {std::max(range.least, to.least), std::min(range.most, to.most)};
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  if (expr.getKind() == AffineExprKind::Add) {
    Interval left = ta::valuesOf(lhs, ArrayRef<Interval>(ranges)),
             right = ta::valuesOf(rhs, ArrayRef<Interval>(ranges));
    narrow(lhs, {to.least - right.most, to.most - right.least}, variable);
    narrow(rhs, {to.least - left.most, to.most - left.least}, variable);
    return;
  }
  int64_t factor = cast<AffineConstantExpr>(rhs).getValue();
  if (expr.getKind() == AffineExprKind::Mul) {
    if (factor < 0)
      to = {-to.most, -to.least};
    int64_t size = std::abs(factor);
    return narrow(lhs,
                  {llvm::divideCeilSigned(to.least, size), llvm::divideFloorSigned(to.most, size)},
                  variable);
  }
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return narrow(lhs, {to.least * factor, to.most * factor + factor - 1}, variable);
  if (expr.getKind() == AffineExprKind::Mod)
    narrowRemainder(binary, to, variable);
}

// A remainder says where in its period a number is; where the number's period is known, it says
// where the number is.
void PlaceSolver::narrowRemainder(AffineBinaryOpExpr remainder, Interval to, unsigned variable) {
  AffineExpr number = remainder.getLHS(), rest;
  int64_t divisor = cast<AffineConstantExpr>(remainder.getRHS()).getValue(), factor = 0;
  Interval values = ta::valuesOf(number, ArrayRef<Interval>(ranges));
  if (values.least > values.most)
    return;
  int64_t period = llvm::divideFloorSigned(values.least, divisor) * divisor;
  if (values.most < period + divisor)
    return narrow(number, {period + to.least, period + to.most}, variable);
  if (to.least != to.most || !ta::splitLinear(number, variable, factor, rest) || factor != 1)
    return;
  Interval others = ta::valuesOf(rest, ArrayRef<Interval>(ranges));
  if (others.least != others.most || divisor <= step)
    return;
  step = divisor;
  residue = to.least - others.least;
}

// A list that is written entry by entry, of values of the same type as another's.
class Writer {
public:
  explicit Writer(Coordinates empty)
      : list(std::move(empty)), bytes(strata_type_bytes(list.valueType())) {}

  void add(ArrayRef<int64_t> coordinates, const Coordinates &from, int64_t entry) {
    runtime::withCoordinateType(list.coordinateType(), [&](auto *tag) {
      using Coordinate = std::remove_pointer_t<decltype(tag)>;
      for (auto [dim, crd] : llvm::enumerate(coordinates))
        list.column(int(dim)).template as<Coordinate>()[count] = Coordinate(crd);
    });
    runtime::copyBytes(static_cast<char *>(list.values().data()) + count++ * bytes,
                       static_cast<const char *>(from.values().data()) + entry * bytes, bytes);
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

void coordinatesOf(const Coordinates &list, int64_t entry, MutableArrayRef<int64_t> coordinates) {
  for (auto [dim, crd] : llvm::enumerate(coordinates))
    crd = list.coordinate(int(dim), entry);
}

} // namespace

Result<Coordinates> reindexed(const Coordinates &list, AffineMap place,
                              const std::vector<int64_t> &extents) {
  PlaceSolver solver(place, extents);
  SmallVector<int64_t> coordinates(list.order());
  // One entry may be reached in several ways.
  int64_t count = 0;
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    coordinatesOf(list, entry, coordinates);
    solver.solve(coordinates, [&](ArrayRef<int64_t>) { ++count; });
  }
  Result<Coordinates> result = Coordinates::create(extents, list.valueType(), count);
  if (!result)
    return result;
  Writer writer(std::move(*result));
  for (int64_t entry = 0; entry < list.count(); ++entry) {
    coordinatesOf(list, entry, coordinates);
    solver.solve(coordinates,
                 [&](ArrayRef<int64_t> variables) { writer.add(variables, list, entry); });
  }
  return writer.end();
}

Result<Coordinates> overlaid(const Coordinates &part, const Coordinates &whole, AffineMap place,
                             const std::vector<int64_t> &extents) {
  PlaceSolver solver(place, extents);
  Result<Coordinates> result =
      Coordinates::create(whole.sizes(), whole.valueType(), whole.count() + part.count());
  if (!result)
    return result;
  Writer writer(std::move(*result));
  SmallVector<int64_t> coordinates(whole.order()), variables(extents.size());
  for (int64_t entry = 0; entry < whole.count(); ++entry) {
    bool reached = false;
    coordinatesOf(whole, entry, coordinates);
    solver.solve(coordinates, [&](ArrayRef<int64_t>) { reached = true; });
    if (!reached)
      writer.add(coordinates, whole, entry);
  }
  for (int64_t entry = 0; entry < part.count(); ++entry) {
    coordinatesOf(part, entry, variables);
    for (auto [expr, crd] : llvm::zip(place.getResults(), coordinates))
      crd = evaluate(expr, variables);
    writer.add(coordinates, part, entry);
  }
  return writer.end();
}

} // namespace strata
