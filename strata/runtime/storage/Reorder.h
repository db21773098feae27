// Orders of a tensor's indices that bring its entries together, or balance them.
//
// Each takes a list of entries, whose values do not matter, nor do duplicates but where entries are
// counted, and gives a permutation for each dimension. Indices without entries come last, but see
// balanceOrder. Nothing depends on the number of threads, and memory is proportional to the
// entries. Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_REORDER_H
#define STRATA_RUNTIME_STORAGE_REORDER_H

#include "strata/runtime/storage/Permutation.h"

namespace strata::runtime {

using Permutations = std::vector<Permutation>;

/// The reverse Cuthill-McKee order of a square matrix, for a small bandwidth: one permutation,
/// given twice, for its rows and columns. It is that of the graph of A + A^T without its diagonal.
/// Each connected component is searched breadth first from a pseudo-peripheral vertex, neighbours
/// by ascending degree, then by index; the order of all is reversed. Fails unless the matrix is
/// square. (E. Cuthill and J. McKee, Reducing the bandwidth of sparse symmetric matrices, 1969;
/// A. George and J. Liu, Computer solution of large sparse positive definite systems, 1981.)
Result<Permutations> reverseCuthillMcKee(const Coordinates &matrix);

/// The largest |row - column| of an entry; 0 of a matrix without entries.
int64_t bandwidthOf(const Coordinates &matrix);

struct LexiOrder {
  Permutations permutations;
  int64_t iterations = 0; ///< that were done; the last changed nothing if fewer were than allowed
};

/// After so many iterations little moves any more.
constexpr int64_t usualLexiIterations = 5;

/// Lexi-Order of the chosen dimensions; the others keep theirs. In each iteration, for one such
/// dimension after the other: the tensor is a matrix whose rows are the indices of that dimension
/// and whose columns, sorted, are the combinations of the other coordinates that occur. Its rows
/// are sorted lexicographically by their patterns, an entry before a gap, and rows of equal pattern
/// keep their order; which partition refinement does in time linear in the entries. (J. Li,
/// B. Uçar, Ü. V. Çatalyürek, J. Sun, K. Barker, R. Vuduc, Efficient and effective sparse tensor
/// reordering, ICS 2019.)
Result<LexiOrder> lexiOrder(const Coordinates &list, std::span<const int> dimensions,
                            int64_t iterations);

/// Changes the order of a dimension so that stretches of equally many indices hold about equally
/// many entries, and what was together stays so otherwise. There are at most 64 stretches, of at
/// least 16 indices. The order is cut into runs of at most eight indices that have together at most
/// as many entries as eight have in the mean; an index with more is a run by itself. Runs are dealt
/// to the stretches, those with most entries first, each to the stretch that has the fewest entries
/// among those with room; a run that finds room for a part of it goes on in the next. In a stretch,
/// indices are in the given order. Indices without entries are dealt, too, unless the size is more
/// than four times the number of entries: then they come last.
Result<Permutation> balanceOrder(const Coordinates &list, int dimension, const Permutation &order);

/// The chosen dimensions by number of entries, descending; equal ones keep their order.
Result<Permutations> orderByDegree(const Coordinates &list, std::span<const int> dimensions);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_REORDER_H
