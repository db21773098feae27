// Puts what the pieces of a kernel's loop have built one behind the other.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/assembly.h"

#include <cstring>
#include <tbb/parallel_for.h>

namespace {

/// The rows in which pieces say what they have built.
struct Rows {
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

/// Makes one block of those in a word of the rows. Growing the first one instead would save copying
/// it, and cost more: a block that was released a while ago has its pages, a grown one gets new
/// ones.
template <typename Copy>
void *join(strata_context *context, const Rows &rows, int64_t block, int64_t count,
           int64_t elementBytes, Copy copy) {
  int64_t &capacity = rows.at(0, block + 1);
  if (rows.pieces == 1 && capacity >= count)
    return rows.block(0, block);
  auto *whole = static_cast<char *>(strata_kernel_allocate(context, count, elementBytes));
  tbb::parallel_for(int64_t{0}, rows.pieces, [&](int64_t piece) { copy(whole, piece); });
  for (int64_t piece = 0; piece < rows.pieces; ++piece)
    strata_kernel_release(context, rows.block(piece, block), rows.at(piece, block + 1),
                          elementBytes);
  capacity = count;
  return whole;
}

template <typename Word>
void copyEdges(void *to, const void *from, int64_t parents, int64_t childrenBefore) {
  auto *out = static_cast<Word *>(to);
  const auto *in = static_cast<const Word *>(from) + 1;
  for (int64_t parent = 0; parent < parents; ++parent)
    out[parent] = static_cast<Word>(in[parent] + static_cast<Word>(childrenBefore));
}

void copyEdges(void *to, const void *from, int64_t parents, int64_t childrenBefore,
               int64_t elementBytes) {
  if (elementBytes == 1)
    copyEdges<uint8_t>(to, from, parents, childrenBefore);
  else if (elementBytes == 2)
    copyEdges<uint16_t>(to, from, parents, childrenBefore);
  else if (elementBytes == 4)
    copyEdges<uint32_t>(to, from, parents, childrenBefore);
  else
    copyEdges<uint64_t>(to, from, parents, childrenBefore);
}

} // namespace

void *strata_kernel_join(strata_context *context, int64_t *data, int64_t pieces, int64_t words,
                         int64_t block, int64_t count, int64_t each, int64_t element_bytes) {
  const Rows rows{data, pieces, words};
  const int64_t bytes = each * element_bytes;
  return join(context, rows, block, rows.total(count) * each, element_bytes,
              [&](char *whole, int64_t piece) {
                std::memcpy(whole + rows.before(piece, count) * bytes, rows.block(piece, block),
                            static_cast<size_t>(rows.at(piece, count) * bytes));
              });
}

void *strata_kernel_join_edges(strata_context *context, int64_t *data, int64_t pieces,
                               int64_t words, int64_t block, int64_t parents, int64_t children,
                               int64_t element_bytes) {
  const Rows rows{data, pieces, words};
  return join(context, rows, block, rows.total(parents) + 1, element_bytes,
              [&](char *whole, int64_t piece) {
                if (piece == 0)
                  std::memset(whole, 0, static_cast<size_t>(element_bytes));
                copyEdges(whole + (rows.before(piece, parents) + 1) * element_bytes,
                          rows.block(piece, block), rows.at(piece, parents),
                          rows.before(piece, children), element_bytes);
              });
}
