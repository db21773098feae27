// Puts in order what a workspace has gathered.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/assembly.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>
#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace {

/// What entries there are, and between which of all marks they lie.
struct Touched {
  int64_t *list;
  int64_t count;
  int64_t first, end;
};

#if defined(__SSE2__)
/// Which of 64 marks are set.
uint64_t setMarks(const uint8_t *marks) {
  uint64_t set = 0;
  for (int part = 0; part < 4; ++part) {
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i *>(marks + 16 * part));
    const int clear = _mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_setzero_si128()));
    set |= static_cast<uint64_t>(static_cast<uint16_t>(~clear)) << (16 * part);
  }
  return set;
}
#elif defined(__ARM_NEON)
/// Each byte keeps one bit, by its place among eight; sums of neighbours put eight into one byte.
uint64_t setMarks(const uint8_t *marks) {
  constexpr uint64_t places = 0x8040201008040201;
  const uint8x16_t place = vreinterpretq_u8_u64(vdupq_n_u64(places));
  uint8x16_t bits[4];
  for (int part = 0; part < 4; ++part) {
    const uint8x16_t some = vld1q_u8(marks + 16 * part);
    bits[part] = vandq_u8(vtstq_u8(some, some), place);
  }
  const uint8x16_t low = vpaddq_u8(bits[0], bits[1]), high = vpaddq_u8(bits[2], bits[3]);
  const uint8x16_t pairs = vpaddq_u8(low, high);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(pairs, pairs)), 0);
}
#else
uint64_t setMarks(const uint8_t *marks) {
  uint64_t set = 0;
  for (int at = 0; at < 64; at += 8) {
    uint64_t eight;
    std::memcpy(&eight, marks + at, sizeof eight);
    for (int k = 0; eight != 0 && k < 8; ++k)
      set |= static_cast<uint64_t>(marks[at + k] != 0) << (at + k);
  }
  return set;
}
#endif

void scan(const Touched &touched, const uint8_t *marks, int64_t extent) {
  int64_t *next = touched.list, *const end = touched.list + touched.count;
  int64_t at = touched.first;
  for (; at + 64 <= extent && next < end; at += 64)
    for (uint64_t set = setMarks(marks + at); set != 0; set &= set - 1)
      *next++ = at + std::countr_zero(set);
  for (; next < end; ++at)
    if (marks[at])
      *next++ = at;
}

/// A second place for each of so many items; the next call gives it anew.
template <typename Item> Item *scratchFor(int64_t count) {
  static thread_local std::vector<Item> scratch;
  if (scratch.size() < static_cast<size_t>(count))
    scratch.resize(static_cast<size_t>(count));
  return scratch.data();
}

/// Byte by byte, the lowest first; `keyOf` gives keys in [0, span].
template <typename Item, typename Key>
void sortByDigits(Item *list, int64_t count, uint64_t span, Key keyOf) {
  Item *from = list, *to = scratchFor<Item>(count);
  for (int shift = 0; shift < 64 && span >> shift != 0; shift += 8) {
    int64_t begins[257] = {};
    auto digit = [&](const Item &item) { return (keyOf(item) >> shift) & 255; };
    for (int64_t at = 0; at < count; ++at)
      ++begins[digit(from[at]) + 1];
    for (int value = 0; value < 256; ++value)
      begins[value + 1] += begins[value];
    for (int64_t at = 0; at < count; ++at)
      to[begins[digit(from[at])]++] = from[at];
    std::swap(from, to);
  }
  if (from != list)
    std::copy(from, from + count, list);
}

/// The rows that a workspace adds up come in order, each a run of what is new in it. Where runs
/// begin, and where the last one ends.
struct Runs {
  std::vector<int64_t> begins;
  int64_t count = 0;

  template <typename Item, typename Key> void find(const Item *list, int64_t items, Key keyOf) {
    if (begins.size() <= static_cast<size_t>(items))
      begins.resize(static_cast<size_t>(items) + 1);
    begins[0] = 0;
    count = 1;
    for (int64_t at = 1; at < items; ++at) {
      begins[static_cast<size_t>(count)] = at;
      count += keyOf(list[at]) < keyOf(list[at - 1]);
    }
    begins[static_cast<size_t>(count)] = items;
  }
};

/// Which of two runs goes on is hard to foresee for a processor, so that it is no branch.
template <typename Item, typename Key>
Item *mergeTwo(const Item *one, const Item *oneEnd, const Item *other, const Item *otherEnd,
               Item *to, Key keyOf) {
  while (one < oneEnd && other < otherEnd) {
    const bool second = keyOf(*other) < keyOf(*one);
    *to++ = *(second ? other : one);
    other += second;
    one += !second;
  }
  to = std::copy(one, oneEnd, to);
  return std::copy(other, otherEnd, to);
}

template <typename Item, typename Key>
void mergeRuns(Item *list, int64_t items, Runs &runs, Key keyOf) {
  Item *from = list, *to = scratchFor<Item>(items);
  int64_t *const begins = runs.begins.data();
  for (; runs.count > 1; std::swap(from, to)) {
    int64_t merged = 0;
    Item *next = to;
    for (int64_t run = 0; run < runs.count; run += 2) {
      const int64_t begin = begins[run], middle = begins[run + 1];
      const int64_t end = begins[std::min(run + 2, runs.count)];
      next = mergeTwo(from + begin, from + middle, from + middle, from + end, next, keyOf);
      begins[merged++] = begin;
    }
    begins[runs.count = merged] = items;
  }
  if (from != list)
    std::copy(from, from + items, list);
}

// About so many steps: of merging runs, and of sorting by digits, with some in advance; of
// comparing.
int64_t stepsOfMerging(int64_t count, int64_t runs) {
  return 32 + 2 * count * (1 + std::bit_width(static_cast<uint64_t>(runs - 1)));
}
int64_t stepsOfComparing(int64_t count) {
  return 3 * count * std::bit_width(static_cast<uint64_t>(count));
}
int64_t stepsOfDigits(int64_t count, uint64_t span) {
  return (std::bit_width(span) + 7) / 8 * (500 + 4 * count);
}

struct Slot {
  uint64_t key;
  int64_t slot;
};

} // namespace

// What is marked can be told by looking at all marks in between, 64 at once.
void strata_kernel_sort(int64_t *list, int64_t count, const uint8_t *marks, int64_t extent) {
  if (count < 2)
    return;
  Touched touched{list, count, list[0], list[0]};
  for (int64_t at = 1; at < count; ++at) {
    touched.first = std::min(touched.first, list[at]);
    touched.end = std::max(touched.end, list[at]);
  }
  const auto span = static_cast<uint64_t>(touched.end - touched.first);
  const int64_t scanning = static_cast<int64_t>(span / 16) + 2 * count;
  const int64_t comparing = stepsOfComparing(count), digits = stepsOfDigits(count, span);
  if (scanning <= std::min(comparing, stepsOfMerging(count, 2)))
    return scan(touched, marks, extent);
  if (comparing <= stepsOfMerging(count, 2))
    return std::sort(list, list + count);
  static thread_local Runs runs;
  const auto self = [](int64_t slot) { return slot; };
  runs.find(list, count, self);
  const int64_t merging = stepsOfMerging(count, runs.count);
  const int64_t least = std::min({scanning, merging, comparing, digits});
  if (least == merging)
    mergeRuns(list, count, runs, self);
  else if (least == scanning)
    scan(touched, marks, extent);
  else if (least == comparing)
    std::sort(list, list + count);
  else
    sortByDigits(list, count, span, [first = touched.first](int64_t slot) {
      return static_cast<uint64_t>(slot - first);
    });
}

void strata_kernel_sort_slots(int64_t *list, int64_t count, const int64_t *keys) {
  if (count < 2)
    return;
  static thread_local std::vector<Slot> slots;
  slots.resize(static_cast<size_t>(count));
  uint64_t all = 0;
  for (int64_t at = 0; at < count; ++at) {
    const auto key = static_cast<uint64_t>(keys[list[at]]);
    slots[static_cast<size_t>(at)] = {key, list[at]};
    all |= key;
  }
  static thread_local Runs runs;
  const auto keyOf = [](const Slot &one) { return one.key; };
  runs.find(slots.data(), count, keyOf);
  const int64_t merging = stepsOfMerging(count, runs.count);
  const int64_t comparing = stepsOfComparing(count), digits = stepsOfDigits(count, all);
  if (merging <= std::min(comparing, digits))
    mergeRuns(slots.data(), count, runs, keyOf);
  else if (comparing <= digits)
    std::sort(slots.begin(), slots.end(),
              [](const Slot &a, const Slot &b) { return a.key < b.key; });
  else
    sortByDigits(slots.data(), count, all, keyOf);
  for (int64_t at = 0; at < count; ++at)
    list[at] = slots[static_cast<size_t>(at)].slot;
}

void strata_kernel_rehash(const int64_t *keys, const void *values, const int64_t *list,
                          int64_t count, int64_t *to_keys, void *to_values, int64_t *to_list,
                          int64_t slots, int64_t value_bytes) {
  const auto mask = static_cast<uint64_t>(slots - 1);
  for (int64_t at = 0; at < count; ++at) {
    const int64_t from = list[at];
    uint64_t slot = strata_hash(static_cast<uint64_t>(keys[from])) & mask;
    while (to_keys[slot] != -1)
      slot = (slot + 1) & mask;
    to_keys[slot] = keys[from];
    to_list[at] = static_cast<int64_t>(slot);
    std::memcpy(static_cast<char *>(to_values) + slot * static_cast<uint64_t>(value_bytes),
                static_cast<const char *>(values) + from * value_bytes,
                static_cast<size_t>(value_bytes));
  }
}
