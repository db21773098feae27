// Edge lists of graphs: SNAP's text files, and tables in CSV. A line is an edge: the ids of its two
// ends, and a weight, separated by blanks, tabs, commas or semicolons.
//
//   # FromNodeId ToNodeId            from,to,weight
//   0 4                              anna,bert,0.5
//   4 7                              "de Vries",anna,2
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_EDGELIST_H
#define STRATA_RUNTIME_IO_EDGELIST_H

#include "strata/runtime/io/InputFile.h"
#include "strata/runtime/io/TensorFile.h"

#include <string_view>

namespace strata::runtime {

/// Tells whether the comments at the beginning are those of SNAP.
bool looksLikeEdgeList(std::string_view head);

/// Reads the adjacency matrix, rows for where edges begin: of weights, or of booleans if there are
/// none. Repeated edges remain, which means their sum. Of numbered ids the names are given.
Result<TensorFileContent> readEdgeList(const InputFile &file, const TensorFileOptions &options);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_EDGELIST_H
