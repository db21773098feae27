// Integer functions of coordinates, as data: what a format's levels are of its dimensions, and
// where a statement's accesses lie.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_AFFINE_H
#define STRATA_HOST_AFFINE_H

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace strata::host {

/// The numbers from `least` to `most`; none where that is less.
struct Interval {
  int64_t least, most;
};

/// The numbers [first, first + extent).
struct Extent {
  int64_t first, extent;
};

/// Numbers of a block of entries.
using Block = std::vector<int64_t>;
constexpr int64_t blockSize = 1024;

/// A function of inputs that are numbered from 0, in postfix order: operands stand before their
/// operator. Divisors are greater than 0.
class Affine {
public:
  enum class Kind : int64_t { Input, Constant, Add, Multiply, Modulo, FloorDivide, CeilDivide };
  struct Term {
    Kind kind;
    int64_t value = 0; ///< the number of the input; the constant
  };

  Affine() = default;
  explicit Affine(std::vector<Term> terms) : terms(std::move(terms)) {}

  const std::vector<Term> &list() const { return terms; }
  /// No function at all.
  bool empty() const { return terms.empty(); }
  /// Is it one of the inputs? Then its number, else -1.
  int64_t input() const;
  bool uses(int64_t input) const;
  /// True if it takes quotients or remainders.
  bool divides() const;

  int64_t evaluate(std::span<const int64_t> inputs) const;
  /// Writes the values of out.size() entries; `column(input, out)` writes an input's.
  void evaluate(const std::function<void(int64_t input, Block &out)> &column, Block &out) const;
  /// An interval that holds the values for inputs in these intervals.
  Interval values(std::span<const Interval> inputs) const;
  /// The coordinates that a level can have for dimensions of these sizes, as kernels compute them
  /// (ta::extentOf). Saturates.
  Extent extent(std::span<const int64_t> sizes) const;

private:
  std::vector<Term> terms;
};

/// Rounded down, and up; `divisor` is not 0.
int64_t divideFloor(int64_t number, int64_t divisor);
int64_t divideCeil(int64_t number, int64_t divisor);

} // namespace strata::host

#endif // STRATA_HOST_AFFINE_H
