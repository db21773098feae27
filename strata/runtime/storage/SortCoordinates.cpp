// The parallel, stable, lexicographic sort of coordinate lists.
//
// Entries are never compared. A word of 64 bits holds the index of an entry in its low bits and, as
// far as they fit, coordinate bits above; a least-significant-digit radix sort by the coordinate
// bits leaves the permutation in the low bits. Coordinates that need more bits take several rounds,
// from the least significant dimension on. The columns then follow the permutation one by one, so
// that beside the entries only two words per entry are needed.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Counted.h"
#include "strata/runtime/storage/Coordinates.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace strata::runtime {
namespace {

constexpr int digitBits = 8;
constexpr int64_t digits = int64_t{1} << digitBits;
/// Entries that one task works on at least.
constexpr int64_t grain = int64_t{1} << 15;

/// Bits of one column: those from `shift` on, `bits` of them.
struct Field {
  int dimension, shift, bits;
};

int bitsFor(int64_t size) {
  return size <= 1 ? 0 : std::bit_width(static_cast<uint64_t>(size - 1));
}

/// The coordinate bits in rounds of at most `room` bits, each a list from the least significant
/// field on.
std::vector<std::vector<Field>> planRounds(std::span<const int64_t> sizes,
                                           std::span<const int> order, int room) {
  std::vector<std::vector<Field>> rounds;
  int left = 0;
  for (size_t k = order.size(); k-- > 0;) {
    const int dimension = order[k];
    const int bits = bitsFor(sizes[static_cast<size_t>(dimension)]);
    for (int shift = 0; shift < bits;) {
      if (left == 0) {
        rounds.emplace_back();
        left = room;
      }
      const int taken = std::min(left, bits - shift);
      rounds.back().push_back({dimension, shift, taken});
      shift += taken;
      left -= taken;
    }
  }
  return rounds;
}

template <typename Body> void inParallel(int64_t count, Body body) {
  if (count <= grain)
    return body(int64_t{0}, count);
  tbb::parallel_for(tbb::blocked_range<int64_t>(0, count, grain),
                    [&](const tbb::blocked_range<int64_t> &r) { body(r.begin(), r.end()); });
}

/// Sorts `words` stably by the digit at `shift`, into `out`; false (nothing done) if all digits are
/// equal. Blocks are counted and scattered independently.
bool sortByDigit(const uint64_t *words, uint64_t *out, int64_t count, int shift) {
  const int64_t threads = tbb::this_task_arena::max_concurrency();
  const int64_t blocks = std::clamp<int64_t>(count / grain, 1, threads);
  const int64_t size = (count + blocks - 1) / blocks;
  std::vector<std::array<int64_t, digits>> counts(static_cast<size_t>(blocks));
  auto digit = [shift](uint64_t word) { return (word >> shift) & (digits - 1); };
  tbb::parallel_for(int64_t{0}, blocks, [&](int64_t b) {
    auto &mine = counts[static_cast<size_t>(b)];
    mine.fill(0);
    for (int64_t i = b * size, end = std::min(count, i + size); i < end; ++i)
      ++mine[digit(words[i])];
  });
  int64_t total = 0, busiest = 0;
  for (int64_t d = 0; d < digits; ++d) {
    const int64_t before = total;
    for (auto &block : counts)
      total += std::exchange(block[static_cast<size_t>(d)], total);
    busiest = std::max(busiest, total - before);
  }
  if (busiest == count)
    return false;
  tbb::parallel_for(int64_t{0}, blocks, [&](int64_t b) {
    auto &mine = counts[static_cast<size_t>(b)];
    for (int64_t i = b * size, end = std::min(count, i + size); i < end; ++i)
      out[mine[digit(words[i])]++] = words[i];
  });
  return true;
}

/// Replaces the coordinate bits of the words by those of one round.
template <typename C>
void loadRound(uint64_t *words, const std::vector<const C *> &columns,
               const std::vector<Field> &round, int64_t count, int indexBits) {
  const uint64_t mask = (uint64_t{1} << indexBits) - 1;
  inParallel(count, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const uint64_t index = words[i] & mask;
      uint64_t word = index;
      int at = indexBits;
      for (const Field &field : round) {
        const auto coordinate =
            static_cast<uint64_t>(columns[static_cast<size_t>(field.dimension)][index]);
        word |= ((coordinate >> field.shift) & ((uint64_t{1} << field.bits) - 1)) << at;
        at += field.bits;
      }
      words[i] = word;
    }
  });
}

/// An array of words, and one to sort into, which later holds one column at a time.
struct Workspace {
  Buffer words, spare;

  static uint64_t *pointer(Buffer &buffer) {
    return reinterpret_cast<uint64_t *>(buffer.as<int64_t>());
  }
};

/// Leaves in the low `indexBits` bits of the words the order in which entries must be read.
template <typename C>
void sortWords(Workspace &space, const std::vector<const C *> &columns,
               std::span<const int64_t> sizes, std::span<const int> order, int64_t count,
               int indexBits) {
  inParallel(count, [out = Workspace::pointer(space.words)](int64_t begin, int64_t end) {
    std::iota(out + begin, out + end, static_cast<uint64_t>(begin));
  });
  for (const std::vector<Field> &round : planRounds(sizes, order, 64 - indexBits)) {
    loadRound(Workspace::pointer(space.words), columns, round, count, indexBits);
    int bits = 0;
    for (const Field &field : round)
      bits += field.bits;
    for (int shift = 0; shift < bits; shift += digitBits) {
      uint64_t *from = Workspace::pointer(space.words), *to = Workspace::pointer(space.spare);
      if (sortByDigit(from, to, count, indexBits + shift))
        std::swap(space.words, space.spare);
    }
  }
}

/// data[i] = data[index of words[i]], via `spare`.
template <typename T>
void gather(T *data, int64_t count, const uint64_t *words, uint64_t mask, void *spare) {
  T *moved = static_cast<T *>(spare);
  inParallel(count, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      moved[i] = data[words[i] & mask];
  });
  inParallel(count, [=](int64_t begin, int64_t end) {
    std::copy(moved + begin, moved + end, data + begin);
  });
}

/// Pairs of entries that follow each other: is the second before the first in one of them, and are
/// both at the same place in one?
struct Neighbours {
  bool descend = false, repeat = false;
};

/// Of those that end in [begin, end), at most `neighbourBlock`.
constexpr int64_t neighbourBlock = 1024;
template <typename C>
Neighbours neighboursIn(const std::vector<const C *> &columns, std::span<const int> order,
                        int64_t begin, int64_t end) {
  std::array<uint8_t, neighbourBlock> greater{}, equal;
  equal.fill(1);
  for (size_t k = order.size(); k-- > 0;) { // from the least significant on, without branches
    const C *before = columns[static_cast<size_t>(order[k])] + begin - 1, *after = before + 1;
    for (int64_t i = 0; i < end - begin; ++i) {
      const bool same = before[i] == after[i];
      greater[size_t(i)] = uint8_t((before[i] > after[i]) | (same & greater[size_t(i)]));
      equal[size_t(i)] &= uint8_t(same);
    }
  }
  uint8_t descend = 0, repeat = 0;
  for (int64_t i = 0; i < end - begin; ++i) {
    descend |= greater[size_t(i)];
    repeat |= equal[size_t(i)];
  }
  return {descend != 0, repeat != 0};
}

/// Looks no further once it knows of a descent.
template <typename C>
Neighbours neighbours(const std::vector<const C *> &columns, std::span<const int> order,
                      int64_t count) {
  std::atomic<bool> descend = false, repeat = false;
  inParallel(count, [&](int64_t first, int64_t last) {
    for (int64_t begin = std::max<int64_t>(first, 1); begin < last; begin += neighbourBlock) {
      if (descend.load(std::memory_order_relaxed))
        return;
      const Neighbours here =
          neighboursIn(columns, order, begin, std::min(begin + neighbourBlock, last));
      if (here.descend)
        descend.store(true, std::memory_order_relaxed);
      if (here.repeat)
        repeat.store(true, std::memory_order_relaxed);
    }
  });
  return {descend, repeat};
}

template <typename C> std::vector<const C *> arrays(const Coordinates &list) {
  std::vector<const C *> result;
  for (int d = 0; d < list.order(); ++d)
    result.push_back(list.column(d).as<C>());
  return result;
}

// Each dimension once: those that are given, then the others.
std::vector<int> completed(std::span<const int> order, int dimensions) {
  std::vector<int> result;
  auto add = [&](int d) {
    if (d >= 0 && d < dimensions && std::ranges::find(result, d) == result.end())
      result.push_back(d);
  };
  std::ranges::for_each(order, add);
  for (int d = 0; d < dimensions; ++d)
    add(d);
  return result;
}

} // namespace

bool Coordinates::isSorted(std::span<const int> order) const {
  const std::vector<int> all = completed(order, this->order());
  return withCoordinateType(width, [&]<typename C>(C *) {
    return !neighbours(arrays<C>(*this), all, entryCount).descend;
  });
}

bool Coordinates::isStrictlySorted(std::span<const int> order) const {
  const std::vector<int> all = completed(order, this->order());
  return withCoordinateType(width, [&]<typename C>(C *) {
    const Neighbours found = neighbours(arrays<C>(*this), all, entryCount);
    return !found.descend && !found.repeat;
  });
}

Status Coordinates::sort(std::span<const int> order) {
  const std::vector<int> all = completed(order, this->order());
  if (isSorted(all))
    return {};
  // All memory is reserved before anything moves.
  const int64_t wordsPerValue = std::max<int64_t>(1, strata_type_bytes(valueType()) / 8);
  Result<Buffer> words = Buffer::allocate(STRATA_I64, entryCount * wordsPerValue);
  Result<Buffer> spare = Buffer::allocate(STRATA_I64, entryCount * wordsPerValue);
  if (!words || !spare)
    return outOfMemory("sorting " + counted(entryCount, "entry"), 16 * entryCount);
  Workspace space{std::move(*words), std::move(*spare)};
  const int indexBits = bitsFor(entryCount);
  withCoordinateType(width, [&]<typename C>(C *) {
    sortWords(space, arrays<C>(*this), extents, all, entryCount, indexBits);
  });
  const uint64_t *indices = Workspace::pointer(space.words);
  const uint64_t mask = (uint64_t{1} << indexBits) - 1;
  void *scratch = space.spare.data();
  withValueType(valueType(), [&]<typename V>(V *) {
    gather(valueBuffer.as<V>(), entryCount, indices, mask, scratch);
  });
  for (Buffer &column : columns)
    withCoordinateType(width, [&]<typename C>(C *) {
      gather(column.as<C>(), entryCount, indices, mask, scratch);
    });
  return {};
}

} // namespace strata::runtime
