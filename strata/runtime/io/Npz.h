// `.npz` archives: the sparse matrices of SciPy, the tensors of PyData's sparse and of binsparse,
// and dense arrays.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_NPZ_H
#define STRATA_RUNTIME_IO_NPZ_H

#include "strata/runtime/io/ArrayGroup.h"
#include "strata/runtime/io/InputFile.h"
#include "strata/runtime/io/LevelArrays.h"
#include "strata/runtime/io/TensorFile.h"

#include <string_view>

namespace strata::runtime {

/// Is it an archive? Its members are seen when it is read.
bool looksLikeNpz(std::string_view bytes);

/// Reads what scipy.sparse.save_npz (csr, csc, coo, bsr, dia) or sparse.save_npz (COO, GCXS) wrote,
/// binsparse's arrays, or an archive of one dense array. Zeros inside blocks and diagonals are
/// padding and dropped.
Result<TensorFileContent> readNpz(const InputFile &file, const TensorFileOptions &options);

/// The type in which values are read if nothing else is wished.
std::optional<strata_type> npzValueType(const InputFile &file);

/// Writes a matrix as SciPy's coo, a tensor of another order as PyData's COO (which is SciPy's n-d
/// coo, too); all or nothing.
Status writeNpz(const std::string &path, const Coordinates &list);

/// Writes arrays that are SciPy's csr, csc or coo as they are; nothing if they are neither.
std::optional<Status> writeNpz(const std::string &path, const LevelArrays &arrays);

/// Writes arrays and a text of this name, all or nothing: complex numbers as twice as many parts,
/// booleans as bytes.
Status writeNpzGroup(const std::string &path, const std::string &name, const ArrayGroup &group);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_NPZ_H
