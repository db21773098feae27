// What follows `::` in the name of a file to read: which of its tensors, which part of that, and
// how it is stored where the file does not say so.
//
//   cells.h5ad::layers/counts        a group or an array; "a,b" with marks that mean something
//   cells.h5ad::X[0:1000]            rows 0 to 999 of it; [0:1000, 5:] also columns from 5 on
//   integrals.npy::symmetry=8        options, with commas between them
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_FILESELECTION_H
#define STRATA_RUNTIME_IO_FILESELECTION_H

#include "strata/runtime/Status.h"

#include <vector>

namespace strata::runtime {

/// Indices from `begin` to before `end`; -1: to the end.
struct IndexRange {
  int64_t begin = 0;
  int64_t end = -1;

  bool isAll() const { return begin == 0 && end < 0; }
  /// Returns the range of a dimension of this size: an end beyond it is the size.
  IndexRange of(int64_t size) const;
  int64_t count() const { return end - begin; }
};

/// What the edges of an edge list mean.
enum class EdgeKind { directed, undirected, bipartite };
/// How ids of an edge list become indices.
enum class EdgeIds {
  automatic,  ///< as indices if those of the first edge are integers, else by appearance
  index,      ///< they are the indices, counted from 0
  appearance, ///< numbered in the order in which they first appear
  sorted,     ///< numbered in ascending order
};

struct FileSelection {
  std::string group = {};              ///< empty: the file's own choice
  std::vector<IndexRange> ranges = {}; ///< of the first dimensions
  int symmetry = 1;                    ///< 4 or 8: packed integrals, to be expanded
  std::optional<EdgeKind> edges = {};  ///< the file is an edge list
  EdgeIds ids = EdgeIds::automatic;
  std::optional<bool> header = {}; ///< whether the first line names the columns
  std::string weight = {};         ///< the column of weights: number, name, or `none`

  /// Tells whether it says that the file is an edge list.
  bool isOfEdges() const { return edges || ids != EdgeIds::automatic || header || !weight.empty(); }
  /// Tells whether it chooses part of a dimension.
  bool isPart() const;
};

/// A name of a file, and what of it is meant.
struct SelectedFile {
  std::string file;
  FileSelection selection = {};
};

/// Takes a name apart. One without `::`, or of a file that is called so, is the file's own.
Result<SelectedFile> selectedFile(const std::string &name);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_FILESELECTION_H
