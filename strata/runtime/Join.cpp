// Puts what the pieces of a kernel's loop have built one behind the other.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/CopyBytes.h"
#include "strata/runtime/Parallel.h"
#include "strata/runtime/assembly.h"

#include <algorithm>
#include <cstring>
#include <vector>

using strata::runtime::parallelFor;

namespace {

/// The rows in which pieces say what they have built.
struct PieceRows {
  int64_t *data;
  int64_t pieces, words;

  int64_t &at(int64_t piece, int64_t word) const { return data[piece * words + word]; }
  void *block(int64_t piece, int64_t word) const {
    void *block;
    std::memcpy(&block, &at(piece, word), sizeof block);
    return block;
  }
  int64_t total(int64_t word) const { return before(pieces, word); }
  /// The sum over the pieces before one.
  int64_t before(int64_t piece, int64_t word) const {
    int64_t sum = 0;
    for (int64_t earlier = 0; earlier < piece; ++earlier)
      sum += at(earlier, word);
    return sum;
  }
};

/// Some of what word `count` of a piece's row counts.
struct Stretch {
  int64_t piece, begin, end;
};
constexpr int64_t copiedAtOnce = int64_t{1} << 15;

/// Makes one block of those in a word of the rows: that of the first part, which grows, and behind
/// it copies of the others. Rows without a block are those of pieces that belong to parts before.
template <typename Copy>
void *join(strata_context *context, const PieceRows &rows, int64_t block, int64_t count,
           int64_t elements, int64_t elementBytes, Copy copy) {
  int64_t first = 0;
  while (!rows.block(first, block))
    ++first;
  int64_t capacity = rows.at(first, block + 1);
  void *whole = rows.block(first, block);
  if (capacity < elements) {
    whole = strata_kernel_grow(context, whole, capacity, elements, elementBytes);
    capacity = elements;
  }
  std::vector<Stretch> stretches;
  for (int64_t piece = first + 1; piece < rows.pieces; ++piece)
    if (rows.block(piece, block))
      for (int64_t begin = 0, end; begin < rows.at(piece, count); begin = end) {
        end = std::min(begin + copiedAtOnce, rows.at(piece, count));
        stretches.push_back({piece, begin, end});
      }
  parallelFor(size_t{0}, stretches.size(),
              [&](size_t at) { copy(static_cast<char *>(whole), stretches[at]); });
  for (int64_t piece = first + 1; piece < rows.pieces; ++piece)
    if (void *part = rows.block(piece, block))
      strata_kernel_release(context, part, rows.at(piece, block + 1), elementBytes);
  rows.at(0, block + 1) = capacity;
  return whole;
}

template <typename Word>
void copyEdges(void *to, const void *from, int64_t begin, int64_t end, int64_t childrenBefore) {
  auto *out = static_cast<Word *>(to);
  const auto *in = static_cast<const Word *>(from);
  for (int64_t parent = begin; parent < end; ++parent)
    out[parent] = static_cast<Word>(in[parent] + static_cast<Word>(childrenBefore));
}

} // namespace

void *strata_kernel_join(strata_context *context, int64_t *data, int64_t pieces, int64_t words,
                         int64_t block, int64_t count, int64_t each, int64_t element_bytes) {
  const PieceRows rows{data, pieces, words};
  const int64_t bytes = each * element_bytes;
  return join(context, rows, block, count, rows.total(count) * each, element_bytes,
              [&](char *whole, const Stretch &some) {
                const auto *part = static_cast<char *>(rows.block(some.piece, block));
                strata::runtime::copyBytes(whole + (rows.before(some.piece, count) + some.begin) *
                                                       bytes,
                                           part + some.begin * bytes,
                                           static_cast<size_t>((some.end - some.begin) * bytes));
              });
}

void *strata_kernel_join_edges(strata_context *context, int64_t *data, int64_t pieces,
                               int64_t words, int64_t block, int64_t parents, int64_t children,
                               int64_t element_bytes) {
  const PieceRows rows{data, pieces, words};
  const auto copy = element_bytes == 1   ? copyEdges<uint8_t>
                    : element_bytes == 2 ? copyEdges<uint16_t>
                    : element_bytes == 4 ? copyEdges<uint32_t>
                                         : copyEdges<uint64_t>;
  // Where the first parent's children begin is told by the part before.
  return join(context, rows, block, parents, rows.total(parents) + 1, element_bytes,
              [&](char *whole, const Stretch &some) {
                copy(whole + rows.before(some.piece, parents) * element_bytes,
                     rows.block(some.piece, block), some.begin + 1, some.end + 1,
                     rows.before(some.piece, children));
              });
}
