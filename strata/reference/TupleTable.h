// A hash table that numbers tuples of integers in the order of their first appearance.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_REFERENCE_TUPLETABLE_H
#define STRATA_REFERENCE_TUPLETABLE_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace strata::reference {

class TupleTable {
public:
  explicit TupleTable(size_t arity) : arity(arity) {}

  int64_t size() const { return count; }
  std::span<const int64_t> operator[](int64_t id) const {
    return std::span(tuples).subspan(static_cast<size_t>(id) * arity, arity);
  }
  /// The number of a tuple; -1 if it is not there.
  int64_t find(std::span<const int64_t> tuple) const;
  /// The number of a tuple, and whether it is new.
  std::pair<int64_t, bool> insert(std::span<const int64_t> tuple);

private:
  size_t slotOf(std::span<const int64_t> tuple) const;
  void grow();

  size_t arity;
  int64_t count = 0;
  std::vector<int64_t> tuples;
  std::vector<int64_t> slots; // numbers, or -1; a power of two of them, at most half in use
};

} // namespace strata::reference
#endif // STRATA_REFERENCE_TUPLETABLE_H
