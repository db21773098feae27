// Divides ranks among the axes of a grid that do not say how many cells they have.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/dist/Grid.h"

#include <algorithm>

namespace strata::runtime::dist {
namespace {

// Returns the prime factors of a number, the greatest first.
std::vector<int64_t> factorsOf(int64_t number) {
  std::vector<int64_t> factors;
  for (int64_t factor = 2; factor * factor <= number; ++factor)
    for (; number % factor == 0; number /= factor)
      factors.push_back(factor);
  if (number > 1)
    factors.push_back(number);
  std::reverse(factors.begin(), factors.end());
  return factors;
}

} // namespace

Grid::Grid(std::vector<int64_t> axes, int64_t ranks)
    : sizes(std::move(axes)), ranks(std::max<int64_t>(ranks, 1)) {
  int64_t rest = this->ranks;
  std::vector<int64_t> open;
  for (int64_t size : sizes)
    if (size > 0)
      rest = std::max<int64_t>(rest / size, 1);
    else
      open.push_back(1);
  if (!open.empty())
    for (int64_t factor : factorsOf(rest))
      *std::min_element(open.begin(), open.end()) *= factor;
  std::sort(open.begin(), open.end(), std::greater<>());
  auto next = open.begin();
  for (int64_t &size : sizes) {
    if (size <= 0)
      size = *next++;
    count *= size;
  }
}

std::vector<int64_t> Grid::coordinates(int64_t cell) const {
  std::vector<int64_t> result(sizes.size());
  for (size_t axis = sizes.size(); axis-- > 0; cell /= sizes[axis])
    result[axis] = cell % sizes[axis];
  return result;
}

} // namespace strata::runtime::dist
