// The parallel, stable, lexicographic sort of coordinate lists. Where the most significant
// dimension has no more coordinates than there are entries, these are counted (CountingSort); the
// rest of this file is for other lists.
//
// A word of 64 bits holds the index of an entry in its low bits and coordinate bits above. Where
// all of them fit, words are divided by their most significant bits into parts that fit a cache;
// each part is sorted by about as many bits more as tell evenly spread entries apart, which leaves
// short runs (of entries of one row, say), often in order already. The columns are then read off
// the words.
//
// Coordinates that need more bits take several rounds of a least-significant-digit radix sort, from
// the least significant dimension on, which leaves the permutation in the low bits; the columns
// follow it one by one. Beside the entries two words per entry are needed.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Counted.h"
#include "strata/runtime/Parallel.h"
#include "strata/runtime/storage/Coordinates.h"
#include "strata/runtime/storage/CountingSort.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>

namespace strata::runtime {
namespace {

constexpr int digitBits = 8, mostDigitBits = 11;
constexpr size_t mostDigits = size_t{1} << mostDigitBits;

/// Bits of one column: those from `shift` on, `bits` of them.
struct Field {
  int dimension, shift, bits;
};

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
  if (count <= sortGrain)
    return body(int64_t{0}, count);
  parallelFor(tbb::blocked_range<int64_t>(0, count, sortGrain),
              [&](const tbb::blocked_range<int64_t> &r) { body(r.begin(), r.end()); });
}

/// Bits of words.
struct Digit {
  int shift, bits = digitBits;
  size_t of(uint64_t word) const { return (word >> shift) & ((uint64_t{1} << bits) - 1); }
  size_t count() const { return size_t{1} << bits; }
};

/// Moves `words` to `out`, stably, in the order of a digit: gives where the words of each digit
/// begin, and behind them all. Blocks are counted and moved independently. Nothing is done, and
/// nothing given, if all digits are equal.
std::vector<int64_t> scatter(const uint64_t *words, uint64_t *out, int64_t count, Digit digit) {
  const int64_t threads = threadCount();
  const int64_t blocks = std::clamp<int64_t>(count / sortGrain, 1, threads);
  const int64_t size = (count + blocks - 1) / blocks;
  std::vector<std::array<int64_t, mostDigits>> counts(static_cast<size_t>(blocks));
  parallelFor(int64_t{0}, blocks, [&](int64_t b) {
    auto &mine = counts[static_cast<size_t>(b)];
    std::fill_n(mine.begin(), digit.count(), 0);
    for (int64_t i = b * size, end = std::min(count, i + size); i < end; ++i)
      ++mine[digit.of(words[i])];
  });
  std::vector<int64_t> begins;
  int64_t total = 0;
  for (size_t d = 0; d < digit.count(); ++d) {
    begins.push_back(total);
    for (auto &block : counts)
      total += std::exchange(block[d], total);
    if (begins.back() == 0 && total == count)
      return {};
  }
  begins.push_back(total);
  parallelFor(int64_t{0}, blocks, [&](int64_t b) {
    auto &mine = counts[static_cast<size_t>(b)];
    for (int64_t i = b * size, end = std::min(count, i + size); i < end; ++i)
      out[mine[digit.of(words[i])]++] = words[i];
  });
  return begins;
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

/// The same by one thread; false if nothing is done.
bool scatterAlone(const uint64_t *words, uint64_t *out, int64_t count, Digit digit) {
  std::array<uint32_t, size_t{1} << digitBits> at{};
  for (int64_t i = 0; i < count; ++i)
    ++at[digit.of(words[i])];
  uint32_t total = 0;
  for (uint32_t &one : at) {
    if (one == count)
      return false;
    total += std::exchange(one, total);
  }
  for (int64_t i = 0; i < count; ++i)
    out[at[digit.of(words[i])]++] = words[i];
  return true;
}

/// Words of a part that fits a cache, with as much room in `spare`.
constexpr int64_t mostInPart = int64_t{1} << 15;

/// Sorts words that differ in bits below `high` only, and differ there. One thread does.
void sortPart(uint64_t *words, uint64_t *spare, int64_t count, int low, int high) {
  const int wanted = std::min(high - low, std::max(bitsFor(count) - 2, 0)), shift = high - wanted;
  uint64_t *from = words, *to = spare;
  for (int at = shift; at < high; at += digitBits)
    if (scatterAlone(from, to, count, {at, std::min(digitBits, high - at)}))
      std::swap(from, to);
  if (from != words)
    std::copy(from, from + count, words);
  for (int64_t begin = 0, end; begin < count; begin = end) {
    end = begin + 1;
    while (end < count && (words[end] ^ words[begin]) >> shift == 0)
      ++end;
    sortWords(words + begin, words + end);
  }
}

/// Sorts words that differ in bits below `high` only, and differ there; `low` is where what comes
/// before bits of coordinates ends.
void sortKeys(uint64_t *words, uint64_t *spare, int64_t count, int low, int high);

/// By how many bits to divide words into parts.
int dividingBits(int64_t count, int low, int high) {
  return std::min({mostDigitBits, high - low, bitsFor(count / (mostInPart / 2))});
}

/// The same from `words` into `out`; false, and nothing done, if the dividing bits are all equal.
bool divideKeys(uint64_t *words, uint64_t *out, int64_t count, int low, int high) {
  const int bits = dividingBits(count, low, high);
  const std::vector<int64_t> begins = scatter(words, out, count, {high - bits, bits});
  if (begins.empty())
    return false;
  parallelFor(size_t{1}, begins.size(), [&](size_t part) {
    const int64_t begin = begins[part - 1];
    sortKeys(out + begin, words + begin, begins[part] - begin, low, high - bits);
  });
  return true;
}

void sortKeys(uint64_t *words, uint64_t *spare, int64_t count, int low, int high) {
  if (count <= mostInPart)
    return sortPart(words, spare, count, low, high);
  for (; high > low; high -= dividingBits(count, low, high))
    if (divideKeys(words, spare, count, low, high))
      return inParallel(count, [=](int64_t begin, int64_t end) {
        std::copy(spare + begin, spare + end, words + begin);
      });
}

int bitsOf(const std::vector<Field> &round) {
  int bits = 0;
  for (const Field &field : round)
    bits += field.bits;
  return bits;
}

/// Leaves in the low `indexBits` bits of the words the order in which entries must be read.
template <typename C>
void sortRounds(Workspace &space, const std::vector<const C *> &columns,
                const std::vector<std::vector<Field>> &rounds, int64_t count, int indexBits) {
  inParallel(count, [out = Workspace::pointer(space.words)](int64_t begin, int64_t end) {
    std::iota(out + begin, out + end, static_cast<uint64_t>(begin));
  });
  for (const std::vector<Field> &round : rounds) {
    loadRound(Workspace::pointer(space.words), columns, round, count, indexBits);
    const int bits = bitsOf(round);
    if (rounds.size() == 1) {
      uint64_t *words = Workspace::pointer(space.words), *spare = Workspace::pointer(space.spare);
      if (count > mostInPart && divideKeys(words, spare, count, indexBits, indexBits + bits))
        std::swap(space.words, space.spare);
      else
        sortKeys(words, spare, count, indexBits, indexBits + bits);
      return;
    }
    for (int shift = 0; shift < bits; shift += digitBits) {
      uint64_t *from = Workspace::pointer(space.words), *to = Workspace::pointer(space.spare);
      if (!scatter(from, to, count, {indexBits + shift}).empty())
        std::swap(space.words, space.spare);
    }
  }
}

/// Takes a column from words that hold whole keys; `at` is where its bits begin.
template <typename C>
void extract(C *column, int64_t count, const uint64_t *words, int at, int bits) {
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  inParallel(count, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      column[i] = static_cast<C>((words[i] >> at) & mask);
  });
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
  if (canSortByCounting(extents, all, entryCount) &&
      sortByCounting(columns, valueBuffer, extents, all))
    return {};
  // All memory is reserved before anything moves.
  const int64_t wordsPerValue = std::max<int64_t>(1, strata_type_bytes(valueType()) / 8);
  Result<Buffer> words = Buffer::allocate(STRATA_I64, entryCount * wordsPerValue);
  Result<Buffer> spare = Buffer::allocate(STRATA_I64, entryCount * wordsPerValue);
  if (!words || !spare)
    return outOfMemory("sorting " + counted(entryCount, "entry"), 16 * entryCount);
  Workspace space{std::move(*words), std::move(*spare)};
  const int indexBits = bitsFor(entryCount);
  const std::vector<std::vector<Field>> rounds = planRounds(extents, all, 64 - indexBits);
  withCoordinateType(width, [&]<typename C>(C *) {
    sortRounds(space, arrays<C>(*this), rounds, entryCount, indexBits);
  });
  const uint64_t *indices = Workspace::pointer(space.words);
  const uint64_t mask = (uint64_t{1} << indexBits) - 1;
  void *scratch = space.spare.data();
  withValueType(valueType(), [&]<typename V>(V *) {
    gather(valueBuffer.as<V>(), entryCount, indices, mask, scratch);
  });
  if (rounds.size() == 1) { // a dimension that has no bits has zeros only
    int at = indexBits;
    for (const Field &field : rounds.front()) {
      withCoordinateType(width, [&]<typename C>(C *) {
        extract(column(field.dimension).as<C>(), entryCount, indices, at, field.bits);
      });
      at += field.bits;
    }
    return {};
  }
  for (Buffer &column : columns)
    withCoordinateType(width, [&]<typename C>(C *) {
      gather(column.as<C>(), entryCount, indices, mask, scratch);
    });
  return {};
}

} // namespace strata::runtime
