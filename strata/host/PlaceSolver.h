// Where an access lies, and which values of its index variables reach a coordinate.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_PLACESOLVER_H
#define STRATA_HOST_PLACESOLVER_H

#include "strata/host/Affine.h"

namespace strata::host {

/// Where an access lies: its coordinates, of index variables.
struct Place {
  /// A variable that the coordinates determine, with those before it: (coordinate - rest) / factor.
  struct Solution {
    int64_t variable, coordinate, factor;
    Affine rest;
  };
  std::vector<Affine> coordinates;
  std::vector<Solution> solutions; ///< in an order in which they can be computed
};

/// Finds the values of a place's variables, each in [0, extent), that reach given coordinates.
/// Those that the coordinates determine one after the other are computed; of the others all values
/// are tried that the coordinates allow.
class PlaceSolver {
public:
  PlaceSolver(const Place &place, const std::vector<int64_t> &extents);

  /// Calls `found` with the variables, for each way to reach `coordinates`.
  template <typename Found> void solve(std::span<const int64_t> coordinates, Found found) {
    if (!agreeOnLines(coordinates))
      return;
    if (linesSuffice)
      return found(std::span<const int64_t>(variables));
    if (computeSolutions(coordinates))
      search(0, coordinates, found);
  }

private:
  /// A coordinate that is factor * variable + offset.
  struct Line {
    size_t coordinate, variable;
    int64_t factor, offset;
    bool isFirst; ///< of its variable's, whose value it determines
  };

  void findLines();
  /// Determines the variables of lines; false if no values lead to these coordinates.
  bool agreeOnLines(std::span<const int64_t> coordinates) {
    for (const Line &line : lines) {
      int64_t scaled = coordinates[line.coordinate] - line.offset;
      int64_t value = line.factor == 1 ? scaled : scaled / line.factor;
      if (line.factor != 1 && value * line.factor != scaled)
        return false;
      if (!line.isFirst && variables[line.variable] != value)
        return false;
      if (value < 0 || value >= extents[line.variable])
        return false;
      variables[line.variable] = value;
    }
    return true;
  }
  /// Computes what the coordinates determine one after the other; false if it is outside.
  bool computeSolutions(std::span<const int64_t> coordinates);

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
    narrowAll(coordinates, variable);
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

  class Expression;
  void narrowAll(std::span<const int64_t> coordinates, size_t variable);
  void narrow(const Expression &expr, Interval to, size_t variable);
  void narrowRemainder(const Expression &remainder, Interval to, size_t variable);

  const Place &place;
  const std::vector<int64_t> &extents;
  std::vector<Line> lines;
  bool linesSuffice = false; ///< all coordinates are lines, and of all variables
  std::vector<size_t> open;
  std::vector<int64_t> variables;
  std::vector<Interval> ranges;  ///< of the variables, as far as they are known
  int64_t step = 1, residue = 0; ///< of the variable that is searched
};

} // namespace strata::host

#endif // STRATA_HOST_PLACESOLVER_H
