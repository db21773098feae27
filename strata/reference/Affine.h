// Coordinates as affine functions of index variables: their values, and the variables that give
// a coordinate.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_REFERENCE_AFFINE_H
#define STRATA_REFERENCE_AFFINE_H

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <map>
#include <span>
#include <vector>

namespace strata::reference {

/// A set of index variables, by number: bit v is variable v.
using VariableSet = uint64_t;
constexpr unsigned maxVariables = 64;

/// Values of the variables that are bound.
struct Environment {
  std::array<int64_t, maxVariables> values = {};
  VariableSet bound = 0;

  void bind(unsigned variable, int64_t value) {
    values[variable] = value;
    bound |= VariableSet(1) << variable;
  }
};

/// The variables of a set in ascending order.
llvm::SmallVector<unsigned, 8> members(VariableSet set);

class AffineCoordinate {
public:
  AffineCoordinate() = default;
  /// Dimension d of the map is variable `variables[d]`.
  AffineCoordinate(mlir::AffineMap map, std::span<const unsigned> variables);

  VariableSet variables() const { return used; }
  unsigned order() const { return static_cast<unsigned>(parts.size()); }
  /// The dimensions whose coordinate the bound variables determine; bit d is dimension d.
  uint64_t determined(VariableSet bound) const;
  /// The coordinate in dimension d; its variables must be bound.
  int64_t at(unsigned d, const Environment &environment) const;
  /// The whole coordinate.
  llvm::SmallVector<int64_t, 6> at(const Environment &environment) const;
  /// The least and greatest coordinate in dimension d, for variables in [0, extent), none empty.
  /// Exact unless a variable occurs more than once or under `mod`; `exact` says so.
  std::pair<int64_t, int64_t> bounds(unsigned d, std::span<const int64_t> extents,
                                     bool &exact) const;
  /// Binds the unbound variables in every way that gives this coordinate, calls `found` for each,
  /// and unbinds them.
  void solve(std::span<const int64_t> coordinate, Environment &environment,
             std::span<const int64_t> extents, llvm::function_ref<void()> found) const;

private:
  struct Part {
    mlir::AffineExpr expr;
    VariableSet variables;
  };
  /// How to find unbound variables one after the other.
  struct Step {
    enum class Kind { solve, enumerate, check } kind;
    unsigned dimension = 0, variable = 0;
    int64_t coefficient = 0;
  };
  std::vector<Step> plan(VariableSet bound, std::span<const int64_t> extents) const;
  void follow(std::span<const Step> steps, std::span<const int64_t> coordinate,
              Environment &environment, std::span<const int64_t> extents,
              llvm::function_ref<void()> found) const;

  std::vector<Part> parts;
  VariableSet used = 0;
  mutable std::map<VariableSet, std::vector<Step>> plans;
};

} // namespace strata::reference
#endif // STRATA_REFERENCE_AFFINE_H
