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

/// The first piece's block, grown to hold what all have. Pages move, contents are not copied where
/// blocks are large.
void *growFirst(strata_context *context, const Rows &rows, int64_t block, int64_t count,
                int64_t elementBytes) {
  int64_t &capacity = rows.at(0, block + 1);
  void *first = rows.block(0, block);
  if (capacity >= count)
    return first;
  first = strata_kernel_grow(context, first, capacity, count, elementBytes);
  capacity = count;
  return first;
}

void releaseOthers(strata_context *context, const Rows &rows, int64_t block, int64_t elementBytes) {
  for (int64_t piece = 1; piece < rows.pieces; ++piece)
    strata_kernel_release(context, rows.block(piece, block), rows.at(piece, block + 1),
                          elementBytes);
}

template <typename Copy> void forOthers(const Rows &rows, Copy copy) {
  if (rows.pieces > 1)
    tbb::parallel_for(int64_t{1}, rows.pieces, copy);
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
  auto *joined =
      static_cast<char *>(growFirst(context, rows, block, rows.total(count) * each, element_bytes));
  const int64_t bytes = each * element_bytes;
  forOthers(rows, [&](int64_t piece) {
    std::memcpy(joined + rows.before(piece, count) * bytes, rows.block(piece, block),
                static_cast<size_t>(rows.at(piece, count) * bytes));
  });
  releaseOthers(context, rows, block, element_bytes);
  return joined;
}

void *strata_kernel_join_edges(strata_context *context, int64_t *data, int64_t pieces,
                               int64_t words, int64_t block, int64_t parents, int64_t children,
                               int64_t element_bytes) {
  const Rows rows{data, pieces, words};
  auto *joined =
      static_cast<char *>(growFirst(context, rows, block, rows.total(parents) + 1, element_bytes));
  forOthers(rows, [&](int64_t piece) {
    copyEdges(joined + (rows.before(piece, parents) + 1) * element_bytes, rows.block(piece, block),
              rows.at(piece, parents), rows.before(piece, children), element_bytes);
  });
  releaseOthers(context, rows, block, element_bytes);
  return joined;
}
