// Dense arrays that files have as they lie in memory: reading some of their rows, and writing them
// behind a header.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_DENSEARRAY_H
#define STRATA_RUNTIME_IO_DENSEARRAY_H

#include "strata/runtime/io/FileArray.h"
#include "strata/runtime/io/FileSelection.h"
#include "strata/runtime/io/TensorFile.h"

namespace strata::runtime {

/// The array's elements in ranges of its first dimensions as a list of all their places, zeros too,
/// of the type that is wanted. Of an array that lies row by row no other rows are read.
Result<Coordinates> readDenseArray(FileArray array, std::span<const IndexRange> ranges,
                                   const TensorFileOptions &options);

/// Tells whether elements lie without gaps, the last dimension fastest.
bool liesInOrder(std::span<const int64_t> sizes, std::span<const int64_t> strides);

/// Writes a header, and behind it the elements with the last dimension fastest, or the first if
/// `columnMajor`, which only those may be that lie so; all or nothing.
Status writeDenseArray(const std::string &path, std::string_view header, const DenseValues &values,
                       bool columnMajor);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_DENSEARRAY_H
