// NumPy's `.npy` arrays: reading and writing.
//
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. Part of Strata,
// under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_NPY_H
#define STRATA_RUNTIME_IO_NPY_H

#include "strata/runtime/io/InputFile.h"
#include "strata/runtime/io/LevelArrays.h"
#include "strata/runtime/io/TensorFile.h"

#include <string_view>

namespace strata::runtime {

/// The array that `bytes` (a whole file or member of an archive) holds; versions 1 to 3, any order
/// of bytes and of dimensions. Structured and object types are refused. The elements stay where
/// they are.
Result<FileArray> parseNpy(std::string_view bytes, std::string name);

/// The same of the header alone, which `bytes` need not go beyond: `data` and what follows it are
/// not checked.
Result<FileArray> parseNpyHeader(std::string_view bytes, std::string name);

/// The array as a list of all its places, zeros too, in the order of the file.
Result<Coordinates> coordinatesOfDense(FileArray array, const LevelArraysOptions &options);

/// Reads an array, or the selected part of it, the same way.
Result<TensorFileContent> readNpy(const InputFile &file, const TensorFileOptions &options);
/// The type in which values are read if nothing else is wished.
std::optional<strata_type> npyValueType(const InputFile &file);
/// Does this text begin like such a file?
bool looksLikeNpy(std::string_view bytes);

/// What stands before the elements of an array, a multiple of 64 bytes.
std::string npyHeader(FileType type, std::span<const int64_t> sizes, bool columnMajor = false);
/// A whole array whose only element is a text of ASCII, in letters of four bytes: a `str` of
/// Python.
std::string npyText(std::string_view text);

/// Writes dense values of any order, all or nothing; column by column if they lie so.
Status writeNpy(const std::string &path, const DenseValues &values);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_NPY_H
