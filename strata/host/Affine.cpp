// Evaluates integer functions, for numbers, blocks of numbers, and intervals.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Affine.h"

#include <algorithm>

namespace strata::host {

using Kind = Affine::Kind;

int64_t divideFloor(int64_t number, int64_t divisor) {
  int64_t quotient = number / divisor;
  return quotient - (number % divisor != 0 && (number < 0) != (divisor < 0));
}

int64_t divideCeil(int64_t number, int64_t divisor) { return -divideFloor(-number, divisor); }

static int64_t apply(Kind kind, int64_t a, int64_t b) {
  switch (kind) {
  case Kind::Add:
    return a + b;
  case Kind::Multiply:
    return a * b;
  case Kind::Modulo:
    return ((a % b) + b) % b;
  case Kind::FloorDivide:
    return divideFloor(a, b);
  case Kind::CeilDivide:
    return divideCeil(a, b);
  case Kind::Input: // leaves have no operands
  case Kind::Constant:
    break;
  }
  return a;
}

// Goes through the terms with a stack: `leaf(term)` gives an operand, `combine(kind, left, right)`
// the value of an operator.
template <typename Value, typename Leaf, typename Combine>
static Value fold(const std::vector<Affine::Term> &terms, Leaf leaf, Combine combine) {
  std::vector<Value> stack;
  for (const Affine::Term &term : terms) {
    if (term.kind == Kind::Input || term.kind == Kind::Constant) {
      stack.push_back(leaf(term));
      continue;
    }
    Value right = std::move(stack.back());
    stack.pop_back();
    stack.back() = combine(term.kind, std::move(stack.back()), std::move(right));
  }
  return std::move(stack.back());
}

int64_t Affine::input() const {
  return terms.size() == 1 && terms.front().kind == Kind::Input ? terms.front().value : -1;
}

bool Affine::uses(int64_t input) const {
  return std::any_of(terms.begin(), terms.end(), [&](const Term &term) {
    return term.kind == Kind::Input && term.value == input;
  });
}

bool Affine::divides() const {
  return std::any_of(terms.begin(), terms.end(), [](const Term &term) {
    return term.kind == Kind::Modulo || term.kind == Kind::FloorDivide ||
           term.kind == Kind::CeilDivide;
  });
}

int64_t Affine::evaluate(std::span<const int64_t> inputs) const {
  return fold<int64_t>(
      terms,
      [&](const Term &term) {
        return term.kind == Kind::Input ? inputs[size_t(term.value)] : term.value;
      },
      apply);
}

void Affine::evaluate(const std::function<void(int64_t, Block &)> &column, Block &out) const {
  if (int64_t only = input(); only >= 0)
    return column(only, out);
  size_t count = out.size();
  out = fold<Block>(
      terms,
      [&](const Term &term) {
        Block values(count, term.value);
        if (term.kind == Kind::Input)
          column(term.value, values);
        return values;
      },
      [](Kind kind, Block left, const Block &right) {
        auto each = [&](auto operation) {
          for (size_t at = 0; at < left.size(); ++at)
            left[at] = operation(left[at], right[at]);
        };
        if (kind == Kind::Add)
          each([](int64_t a, int64_t b) { return a + b; });
        else if (kind == Kind::Multiply)
          each([](int64_t a, int64_t b) { return a * b; });
        else
          each([kind](int64_t a, int64_t b) { return apply(kind, a, b); });
        return left;
      });
}

// Adds; a sum out of range becomes the least or the greatest number, which lies in no dimension.
static int64_t addWithin(int64_t a, int64_t b) {
  int64_t sum;
  return !__builtin_add_overflow(a, b, &sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}

static int64_t timesWithin(int64_t a, int64_t b) {
  int64_t product;
  return !__builtin_mul_overflow(a, b, &product) ? product
         : (a < 0) != (b < 0)                    ? INT64_MIN
                                                 : INT64_MAX;
}

Interval Affine::values(std::span<const Interval> inputs) const {
  return fold<Interval>(
      terms,
      [&](const Term &term) {
        return term.kind == Kind::Input ? inputs[size_t(term.value)]
                                        : Interval{term.value, term.value};
      },
      [](Kind kind, Interval a, Interval b) -> Interval {
        if (kind == Kind::Add)
          return {addWithin(a.least, b.least), addWithin(a.most, b.most)};
        if (kind == Kind::Multiply) {
          int64_t x = timesWithin(a.least, b.least), y = timesWithin(a.most, b.least);
          return {std::min(x, y), std::max(x, y)};
        }
        if (kind == Kind::Modulo) {
          int64_t period = divideFloor(a.least, b.least);
          if (period == divideFloor(a.most, b.least))
            return {a.least - period * b.least, a.most - period * b.least};
          return {0, b.least - 1};
        }
        return {apply(kind, a.least, b.least), apply(kind, a.most, b.least)};
      });
}

static int64_t addOrMost(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static int64_t timesOrMost(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

Extent Affine::extent(std::span<const int64_t> sizes) const {
  // The right side of all but sums is a constant: its `first`.
  Extent whole = fold<Extent>(
      terms,
      [&](const Term &term) -> Extent {
        if (term.kind == Kind::Input)
          return {0, sizes[size_t(term.value)]};
        return {term.value, 1};
      },
      [](Kind kind, Extent a, Extent b) -> Extent {
        if (kind == Kind::Add)
          return {addOrMost(a.first, b.first), addOrMost(a.extent, b.extent) - 1};
        int64_t factor = b.first;
        if (kind == Kind::Multiply) {
          int64_t span = timesOrMost(a.extent - 1, std::abs(factor));
          int64_t low = timesOrMost(a.first, factor);
          return {factor < 0 ? low - span : low, addOrMost(span, 1)};
        }
        if (kind == Kind::Modulo)
          return {0, factor};
        return {a.first, a.extent / factor + (a.extent % factor != 0)};
      });
  return {whole.first, std::max<int64_t>(whole.extent, 0)};
}

} // namespace strata::host
