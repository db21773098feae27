// Open addressing with linear probing.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/reference/TupleTable.h"

#include <algorithm>

namespace strata::reference {

static size_t hash(std::span<const int64_t> tuple) {
  uint64_t state = 0x9e3779b97f4a7c15;
  for (int64_t element : tuple) {
    state = (state ^ static_cast<uint64_t>(element)) * 0xbf58476d1ce4e5b9;
    state ^= state >> 29;
  }
  return state;
}

size_t TupleTable::slotOf(std::span<const int64_t> tuple) const {
  size_t mask = slots.size() - 1;
  for (size_t slot = hash(tuple) & mask;; slot = (slot + 1) & mask)
    if (slots[slot] < 0 || std::ranges::equal((*this)[slots[slot]], tuple))
      return slot;
}

int64_t TupleTable::find(std::span<const int64_t> tuple) const {
  return slots.empty() ? -1 : slots[slotOf(tuple)];
}

std::pair<int64_t, bool> TupleTable::insert(std::span<const int64_t> tuple) {
  if (static_cast<size_t>(count) * 2 >= slots.size())
    grow();
  size_t slot = slotOf(tuple);
  if (slots[slot] >= 0)
    return {slots[slot], false};
  slots[slot] = count;
  tuples.insert(tuples.end(), tuple.begin(), tuple.end());
  return {count++, true};
}

void TupleTable::grow() {
  slots.assign(std::max<size_t>(16, slots.size() * 4), -1);
  for (int64_t id = 0; id < count; ++id)
    slots[slotOf((*this)[id])] = id;
}

} // namespace strata::reference
